/** `indexOf` and `lastIndexOf`, which JavaScript does in one go however long that takes: text times what is looked for, at worst. */
import { worked } from './work.js';

/** Shorter ones are found fast enough in any text a script may have. */
const SHORT = 256;
/** Places that are tried between two looks. */
const STARTS = 1 << 16;

export function firstIndexOf(text: string, part: string, from: number): number {
  if (part.length <= SHORT) return text.indexOf(part, from);
  for (let at = from; at + part.length <= text.length; at += STARTS) {
    const found = text.slice(at, at + STARTS + part.length - 1).indexOf(part);
    if (found >= 0) return at + found;
    worked(STARTS + part.length);
  }
  return -1;
}

/** The last place at or before `from`. */
export function lastIndexOf(text: string, part: string, from: number): number {
  if (part.length <= SHORT) return text.lastIndexOf(part, from);
  for (let at = Math.min(from, text.length - part.length); at >= 0; at -= STARTS) {
    const first = Math.max(0, at - STARTS + 1);
    const found = text.slice(first, at + part.length).lastIndexOf(part);
    if (found >= 0) return first + found;
    worked(STARTS + part.length);
  }
  return -1;
}
