/** The order of names. */
import { compareBytes, toByteString } from '../../src/text/bytes.js';
import { widthOfText } from '../kit/text-width.js';
import { type Item, isDirectory } from './item.js';
import { shownName } from './names.js';
import type { Naming, Settings, SortBy, TimeOf } from './settings.js';

export function sorted(items: readonly Item[], settings: Settings): readonly Item[] {
  const { sortBy, reverse, directoriesFirst } = settings;
  if (sortBy === 'none') return items;
  const compare = sortBy === 'width' ? byWidth(settings.naming) : comparison(sortBy, settings.time);
  const directed = (a: Item, b: Item) => (reverse ? compare(b, a) : compare(a, b));
  return [...items].sort((a, b) => {
    if (directoriesFirst) {
      const first = Number(isDirectory(b)) - Number(isDirectory(a));
      if (first !== 0) return first;
    }
    return directed(a, b);
  });
}

type Compare = (a: Item, b: Item) => number;

const byName: Compare = (a, b) => compareBytes(a.name, b.name);

function byWidth(naming: Naming): Compare {
  const width = ({ name }: Item) => widthOfText(shownName(name, naming));
  return (a, b) => width(a) - width(b) || byName(a, b);
}

function comparison(sortBy: SortBy, time: TimeOf): Compare {
  switch (sortBy) {
    case 'time':
      return (a, b) => compareBig(timeOf(b, time), timeOf(a, time)) || byName(a, b);
    case 'size':
      return (a, b) => (b.stat?.size ?? 0) - (a.stat?.size ?? 0) || byName(a, b);
    case 'extension':
      return (a, b) => compareBytes(extension(a.name), extension(b.name)) || byName(a, b);
    case 'version':
      return (a, b) => compareVersions(a.name, b.name) || byName(a, b);
    default:
      return byName;
  }
}

export function timeOf(item: Item, time: TimeOf): bigint {
  if (item.stat === undefined) return 0n;
  if (time === 'birth') return item.stat.birthtimeNs;
  return time === 'atime' ? item.stat.atimeNs : time === 'ctime' ? item.stat.ctimeNs : item.stat.mtimeNs;
}

function compareBig(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function extension(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot);
}

/** gnulib's filevercmp: `file9` before `file10`, suffixes last. */
function compareVersions(a: string, b: string): number {
  const [x, y] = [toByteString(a), toByteString(b)];
  const special = hiddenRank(x) - hiddenRank(y);
  if (special !== 0 || hiddenRank(x) < 2) return special;
  return compareParts(withoutSuffix(x), withoutSuffix(y)) || compareParts(x, y);
}

/** `.`, `..`, hidden names, other names. */
function hiddenRank(name: string): number {
  if (name === '.') return 0;
  if (name === '..') return 1;
  return name.startsWith('.') ? 2 : 3;
}

function withoutSuffix(name: string): string {
  let end = name.length;
  // From the end, so that it is linear: each part is a dot, a letter or `~`, and word characters.
  for (;;) {
    let start = end;
    while (start > 0 && /[A-Za-z0-9~]/.test(name[start - 1] as string)) start--;
    const isSuffix = start > 0 && start < end && name[start - 1] === '.' && /[A-Za-z~]/.test(name[start] as string);
    if (!isSuffix) return name.slice(0, end);
    end = start - 1;
  }
}

function compareParts(a: string, b: string): number {
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    while ((i < a.length && !isDigit(a, i)) || (j < b.length && !isDigit(b, j))) {
      const difference = rank(a, i) - rank(b, j);
      if (difference !== 0) return difference;
      i++;
      j++;
    }
    while (a[i] === '0') i++;
    while (b[j] === '0') j++;
    let first = 0;
    while (isDigit(a, i) && isDigit(b, j)) {
      if (first === 0) first = a.charCodeAt(i) - b.charCodeAt(j);
      i++;
      j++;
    }
    if (isDigit(a, i)) return 1;
    if (isDigit(b, j)) return -1;
    if (first !== 0) return first;
  }
  return 0;
}

function isDigit(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0x30 && unit <= 0x39;
}

/** `~`, the end, digits, letters, everything else. */
function rank(text: string, index: number): number {
  if (index >= text.length) return -1;
  const unit = text.charCodeAt(index);
  if (isDigit(text, index)) return 0;
  if (unit === 0x7e) return -2;
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x7a ? unit : unit + 256;
}
