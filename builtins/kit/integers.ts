/** strtoimax(3) and strtoumax(3): integers as C reads them from the start of a text. */
import { isSpace } from './real.js';

export interface ParsedInteger {
  /** A plain number where it is a safe integer. */
  readonly value: number | bigint;
  /** Index after the number; 0 when there is none. */
  readonly end: number;
  /** It did not fit in 64 bits; `value` is the nearest that does. */
  readonly outOfRange: boolean;
}

const SIGNED_MAX = 2n ** 63n - 1n;
const SIGNED_MIN = -(2n ** 63n);
const UNSIGNED_MAX = 2n ** 64n - 1n;

/** Base 10, or with `anyBase` octal after `0` and hexadecimal after `0x`. */
export function parseSigned(text: string, anyBase: boolean): ParsedInteger {
  const scanned = scan(text, anyBase);
  if (typeof scanned.magnitude === 'number') {
    return { value: scanned.negative ? 0 - scanned.magnitude : scanned.magnitude, end: scanned.end, outOfRange: false };
  }
  const value = scanned.negative ? -scanned.magnitude : scanned.magnitude;
  if (value > SIGNED_MAX) return { value: SIGNED_MAX, end: scanned.end, outOfRange: true };
  if (value < SIGNED_MIN) return { value: SIGNED_MIN, end: scanned.end, outOfRange: true };
  return { value, end: scanned.end, outOfRange: false };
}

/** A minus sign wraps, as in C. */
export function parseUnsigned(text: string, anyBase: boolean): ParsedInteger {
  const { magnitude, negative, end } = scan(text, anyBase);
  if (magnitude > UNSIGNED_MAX) return { value: UNSIGNED_MAX, end, outOfRange: true };
  if (negative && Number(magnitude) !== 0)
    return { value: BigInt.asUintN(64, -BigInt(magnitude)), end, outOfRange: false };
  return { value: magnitude, end, outOfRange: false };
}

interface Scanned {
  readonly magnitude: number | bigint;
  readonly negative: boolean;
  readonly end: number;
}

function scan(text: string, anyBase: boolean): Scanned {
  let at = 0;
  while (isSpace(text.charCodeAt(at))) at++;
  const sign = text[at];
  const negative = sign === '-';
  if (negative || sign === '+') at++;
  let base = 10;
  if (anyBase && text[at] === '0') {
    base = 8;
    if (text[at + 1]?.toLowerCase() === 'x' && digitOf(text.charCodeAt(at + 2)) < 16) {
      base = 16;
      at += 2;
    }
  }
  const start = at;
  let small = 0;
  while (digitOf(text.charCodeAt(at)) < base) {
    small = small * base + digitOf(text.charCodeAt(at));
    at++;
  }
  if (at === start) return { magnitude: 0, negative: false, end: 0 };
  return { magnitude: Number.isSafeInteger(small) ? small : big(text, start, at, base), negative, end: at };
}

/** Digits beyond the safe integers; a number too long to fit is cut, since all that matters is that it does not. */
function big(text: string, start: number, end: number, base: number): bigint {
  let first = start;
  while (first < end - 1 && text.charCodeAt(first) === 0x30) first++;
  const digits = text.slice(first, Math.min(end, first + 40));
  return BigInt(`${base === 16 ? '0x' : base === 8 ? '0o' : ''}${digits}`);
}

function digitOf(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const letter = unit | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : 99;
}
