/** One line for a member, as `tar -tv` prints it. */
import { strftime } from '../kit/strftime.js';
import type { Header, Type } from './header.js';
import { shown } from './names.js';

const LETTERS = {
  file: '-',
  'hard link': 'h',
  symlink: 'l',
  character: 'c',
  block: 'b',
  directory: 'd',
  fifo: 'p',
} as const satisfies Record<Type, string>;

const TIME_WIDTH = '2000-01-01 00:00'.length;

/** The widest owner and size so far: columns only grow. */
export class Listing {
  private width = 19;
  private readonly timeZone: string;

  constructor(timeZone: string) {
    this.timeZone = timeZone;
  }

  line(header: Header, link = header.link): string {
    const { type, user, group, uid, gid } = header;
    const isDevice = type === 'character' || type === 'block';
    const size = isDevice ? `${header.major},${header.minor}` : `${header.size}`;
    const owner = `${shown(user) || uid}/${shown(group) || gid}`;
    this.width = Math.max(this.width, owner.length + 1 + size.length);
    const mode = `${LETTERS[type ?? 'file']}${permissions(header.mode)}`;
    const line = `${mode} ${owner} ${size.padStart(this.width - owner.length - 1)} ${this.time(header.mtimeNs)}`;
    const target = type === 'symlink' ? ` -> ${shown(link)}` : type === 'hard link' ? ` link to ${shown(link)}` : '';
    return `${line} ${shown(header.name)}${target}`;
  }

  /** A directory that no member made. */
  madeLine(name: string, mode: number): string {
    return `d${permissions(mode)} ${'Creating directory:'.padStart(this.width + 1 + TIME_WIDTH)} ${shown(name)}`;
  }

  private time(ns: bigint): string {
    const seconds = ns / 1_000_000_000n - (ns % 1_000_000_000n < 0n ? 1n : 0n);
    return strftime('%Y-%m-%d %H:%M', { seconds, nanoseconds: undefined }, this.timeZone) ?? `${seconds}`;
  }
}

/** As `ls -l` shows nine bits, and three more. */
export function permissions(mode: number): string {
  let text = '';
  for (const [shift, special, mark] of [
    [6, 0o4000, 's'],
    [3, 0o2000, 's'],
    [0, 0o1000, 't'],
  ] as const) {
    const bits = mode >> shift;
    const runs = (bits & 1) !== 0;
    text += (bits & 4) !== 0 ? 'r' : '-';
    text += (bits & 2) !== 0 ? 'w' : '-';
    if ((mode & special) !== 0) text += runs ? mark : mark.toUpperCase();
    else text += runs ? 'x' : '-';
  }
  return text;
}
