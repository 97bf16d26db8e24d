/**
 * Names with version numbers in them (`-V`), as bytes that order as gnulib's filevercmp does: parts that are not digits by letters
 * first, `~` before everything, digits by value; file suffixes count only when all else is the same.
 */
import type { KeyBytes } from './levels.js';

const DOT = 0x2e;
const TILDE = 0x7e;

export function pushVersion(out: KeyBytes, bytes: Uint8Array, start: number, end: number): void {
  const rank = rankOf(bytes, start, end);
  out.push(rank);
  if (rank < 3) return;
  pushParts(out, bytes, start, prefixEnd(bytes, start, end));
  pushParts(out, bytes, start, end);
}

/** Nothing, `.`, `..`, hidden names, other names. */
function rankOf(bytes: Uint8Array, start: number, end: number): number {
  if (start === end) return 0;
  if (bytes[start] !== DOT) return 4;
  if (end === start + 1) return 1;
  return end === start + 2 && bytes[start + 1] === DOT ? 2 : 3;
}

/** Before suffixes: dots followed by a letter or `~` and then letters, digits and `~`. */
function prefixEnd(bytes: Uint8Array, start: number, end: number): number {
  // The whole name may be suffixes: `.a.b`.
  for (let at = start; ; at++) {
    const prefix = at;
    while (at + 1 < end && bytes[at] === DOT && (isLetter(bytes[at + 1] as number) || bytes[at + 1] === TILDE)) {
      at += 2;
      while (at < end && isWord(bytes[at] as number)) at++;
    }
    if (at >= end) return prefix;
  }
}

/** Where a part without digits ends: below every byte but `~`. */
const PART_END = 1;

function pushParts(out: KeyBytes, bytes: Uint8Array, start: number, end: number): void {
  for (let at = start; at < end; ) {
    while (at < end && !isDigit(bytes[at] as number)) {
      const byte = bytes[at++] as number;
      if (byte === TILDE) out.push(0);
      else {
        out.push(isLetter(byte) ? 2 : 3);
        out.push(byte);
      }
    }
    out.push(PART_END);
    while (at < end && bytes[at] === 0x30) at++;
    const first = at;
    while (at < end && isDigit(bytes[at] as number)) at++;
    const length = at - first;
    for (const shift of [24, 16, 8, 0]) out.push((length >>> shift) & 0xff);
    for (let i = first; i < at; i++) out.push(bytes[i] as number);
  }
  out.push(PART_END);
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a && byte < 0x80;
}

function isWord(byte: number): boolean {
  return isDigit(byte) || isLetter(byte) || byte === TILDE;
}
