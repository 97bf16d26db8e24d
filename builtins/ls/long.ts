/** The lines of `ls -l`. */

import { majorOf, minorOf } from '../kit/device.js';
import { humanSize } from '../kit/human.js';
import { modeString } from '../kit/mode.js';
import { strftime } from '../kit/strftime.js';
import { widthOfText } from '../kit/text-width.js';
import type { Zone } from '../kit/time-zone.js';
import type { Item } from './item.js';
import { indicatorOf, type Painter, showItem, shownName } from './names.js';
import { timeOf } from './order.js';
import type { Settings } from './settings.js';

const SECOND = 1_000_000_000n;
const HALF_A_YEAR = (31_556_952n / 2n) * SECOND;

/** Nothing in it changes within a minute. */
const WITHOUT_SECONDS = /^([^%]|%[YmdbeHM])*$/;

export interface LongContext {
  /** Times that have been formatted, by what they are of. */
  readonly minutes: Map<string, string>;
  readonly settings: Settings;
  readonly painter: Painter;
  readonly zone: Zone;
  readonly now: bigint;
  userName(uid: number): string | undefined;
  groupName(gid: number): string | undefined;
}

/** One line, as cells; numbers are aligned to the right, names of owners to the left. */
interface Row {
  readonly item: Item;
  readonly links: string;
  readonly owner: Owner | undefined;
  readonly group: Owner | undefined;
  readonly size: string;
  /** Of a device, in place of a size. */
  readonly device: readonly [major: string, minor: string] | undefined;
  readonly time: string;
}

interface Owner {
  readonly text: string;
  readonly numeric: boolean;
}

/**
 * `all`: what makes the columns as wide as they are. `fronts`: what stands before each line (inode, blocks). `pad` as in
 * `showItem`.
 */
export function longLines(
  items: readonly Item[],
  all: readonly Item[],
  fronts: readonly string[],
  context: LongContext,
  pad: boolean,
): string {
  const rows = items.map((item) => rowOf(item, context));
  const widths = widthsOf(all === items ? rows : all.map((item) => rowOf(item, context)));
  let out = '';
  rows.forEach((row, i) => {
    const name = showItem(row.item, context.settings, context.painter, pad);
    out += `${fronts[i]}${cellsOf(row, widths)} ${name.text}${arrow(row.item, context)}\n`;
  });
  return out;
}

interface Widths {
  readonly links: number;
  readonly owner: number;
  readonly group: number;
  readonly minor: number;
  readonly size: number;
  readonly time: number;
}

function widthsOf(rows: readonly Row[]): Widths {
  const major = largest(rows, (row) => row.device?.[0]);
  const minor = largest(rows, (row) => row.device?.[1]);
  const devices = rows.some((row) => row.device !== undefined) ? major + 2 + minor : 0;
  const sizes = largest(rows, (row) => row.size);
  return {
    links: largest(rows, (row) => row.links),
    owner: largest(rows, (row) => row.owner?.text),
    group: largest(rows, (row) => row.group?.text),
    minor,
    size: Math.max(devices, sizes),
    time: largest(rows, (row) => row.time),
  };
}

function cellsOf(row: Row, widths: Widths): string {
  const cells = [modeOf(row.item), row.links.padStart(widths.links)];
  if (row.owner !== undefined) cells.push(padOwner(row.owner, widths.owner));
  if (row.group !== undefined) cells.push(padOwner(row.group, widths.group));
  if (row.device === undefined) cells.push(row.size.padStart(widths.size));
  else cells.push(`${row.device[0].padStart(widths.size - 2 - widths.minor)}, ${row.device[1].padStart(widths.minor)}`);
  cells.push(row.time === '?' ? row.time.padStart(widths.time) : row.time);
  return cells.join(' ');
}

/** A loop and not `Math.max(...)`: there may be millions. */
function largest(rows: readonly Row[], of: (row: Row) => string | undefined): number {
  let width = 0;
  for (const row of rows) width = Math.max(width, widthOfText(of(row) ?? ''));
  return width;
}

function modeOf(item: Item): string {
  if (item.stat !== undefined) return modeString(item.stat.kind, item.stat.mode);
  return item.kind === undefined ? '??????????' : `${modeString(item.kind, 0).charAt(0)}?????????`;
}

function padOwner({ text, numeric }: Owner, width: number): string {
  const spaces = ' '.repeat(Math.max(0, width - widthOfText(text)));
  return numeric ? spaces + text : text + spaces;
}

function rowOf(item: Item, context: LongContext): Row {
  const { settings } = context;
  const { stat } = item;
  const unknown: Owner = { text: '?', numeric: false };
  if (stat === undefined) {
    return {
      item,
      links: '?',
      owner: settings.owner ? unknown : undefined,
      group: settings.group ? unknown : undefined,
      size: '?',
      device: undefined,
      time: '?',
    };
  }
  const named = (id: number, name: string | undefined): Owner =>
    settings.numeric || name === undefined ? { text: String(id), numeric: true } : { text: name, numeric: false };
  const isDevice = stat.kind === 'block' || stat.kind === 'character';
  return {
    item,
    links: String(stat.nlink),
    owner: settings.owner ? named(stat.uid, settings.numeric ? undefined : context.userName(stat.uid)) : undefined,
    group: settings.group ? named(stat.gid, settings.numeric ? undefined : context.groupName(stat.gid)) : undefined,
    size: isDevice ? '' : settings.human ? humanSize(BigInt(stat.size), 1n, { base: 1024 }) : String(stat.size),
    device: isDevice ? [String(majorOf(stat.rdev)), String(minorOf(stat.rdev))] : undefined,
    time: timeText(timeOf(item, settings.time), context),
  };
}

/** Within the last half year, and not in the future, the time of day; else the year. */
function timeText(time: bigint, context: LongContext): string {
  const { now } = context;
  const recent = now - HALF_A_YEAR < time && time < now;
  const nanoseconds = ((time % SECOND) + SECOND) % SECOND;
  const seconds = (time - nanoseconds) / SECOND;
  const format = context.settings.timeFormats[recent ? 1 : 0];
  const shown = () => strftime(format, { seconds, nanoseconds: Number(nanoseconds) }, context.zone) ?? String(seconds);
  // Before there were zones, offsets had seconds.
  if (seconds < 0n || !WITHOUT_SECONDS.test(format)) return shown();
  // Files are often of the same minute.
  const key = `${recent}${seconds / 60n}`;
  let text = context.minutes.get(key);
  if (text === undefined) {
    text = shown();
    if (context.minutes.size > 10_000) context.minutes.clear();
    context.minutes.set(key, text);
  }
  return text;
}

function arrow(item: Item, { settings, painter }: LongContext): string {
  if (item.kind !== 'symlink' || item.target === undefined) return '';
  const { targetStat } = item;
  const name = shownName(item.target, settings.naming);
  const shown = painter.paint(name, targetStat?.kind, targetStat?.mode);
  const indicator = indicatorOf(targetStat?.kind, targetStat?.mode, settings.indicator);
  return ` -> ${shown}${indicator}`;
}
