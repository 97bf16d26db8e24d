/** Characters of byte strings: UTF-8, a byte that is not part of it being a character of its own (gawk). */
import { fromByteString, isAscii, toByteString } from '../../src/text/bytes.js';
import { LENGTH_SHIFT, symbolAt } from '../../src/text/regex/alphabet.js';
import { mapParts } from '../../src/text/work.js';

export function characterCount(text: string): number {
  if (isAscii(text)) return text.length;
  return countBetween(text, 0, text.length);
}

/** Characters of text[from, to). */
export function countBetween(text: string, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; count++) i += characterLength(text, i);
  return count;
}

/** Bytes of the character at `i`. */
export function characterLength(text: string, i: number): number {
  return text.charCodeAt(i) < 0x80 ? 1 : symbolAt(text, i, text.length) >> LENGTH_SHIFT;
}

/** The index `count` characters after `from`. */
export function skipCharacters(text: string, count: number, from: number): number {
  let i = from;
  for (let n = count; n > 0 && i < text.length; n--) i += characterLength(text, i);
  return i;
}

/** `substr`: a start before the first character is the first; parts of numbers are dropped. */
export function substring(text: string, start: number, count: number): string {
  if (!(count > 0) || Number.isNaN(start)) return '';
  const from = Math.max(Math.trunc(start), 1) - 1;
  const length = Math.trunc(count);
  if (length < 1 || from >= text.length) return '';
  if (isAscii(text)) return text.slice(from, from + length);
  const begin = skipCharacters(text, from, 0);
  return text.slice(begin, skipCharacters(text, length, begin));
}

/** The position of `part` in characters from 1, or 0. */
export function indexOf(text: string, part: string): number {
  let at = text.indexOf(part);
  if (at <= 0) return at + 1;
  const ascii = isAscii(text);
  if (ascii) return at + 1;
  // Bytes may be found that begin inside a character.
  for (let i = 0, position = 1; i < text.length && at >= 0; position++) {
    if (i === at) return position;
    i += characterLength(text, i);
    if (i > at) at = text.indexOf(part, i);
  }
  return 0;
}

/** `most`: not more of them. */
export function characters(text: string, most: number): string[] {
  const found: string[] = [];
  for (let i = 0; i < text.length; ) {
    const next = i + characterLength(text, i);
    found.push(text.slice(i, next));
    i = next;
    if (found.length >= most) break;
  }
  return found;
}

/** Each character that has one other-case form of its own changes. */
export function changeCase(text: string, how: 'toLowerCase' | 'toUpperCase'): string {
  if (isAscii(text)) return text[how]();
  const changed = mapParts(fromByteString(text), (part) => {
    let out = '';
    for (const character of part) {
      const other = character[how]();
      out += [...other].length === 1 ? other : character;
    }
    return out;
  });
  return toByteString(changed);
}

/** A number as `%c` prints it. */
export function characterOf(code: number): string {
  if (code >= 0 && code < 0x80) return String.fromCharCode(code);
  if (code >= 0x80 && code <= 0x10ffff && (code & ~0x7ff) !== 0xd800) return toByteString(String.fromCodePoint(code));
  return String.fromCharCode(Math.trunc(code) & 0xff);
}
