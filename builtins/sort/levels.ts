/**
 * What lines are ordered by, one level after the other: each decides between those that are the same on the levels before. A
 * level is either bytes, compared one by one, or numbers.
 */
import { isBlank } from './keys.js';

export type Level =
  /** Line `i` is `bytes[starts[i]..ends[i])`. */
  | {
      readonly kind: 'bytes';
      readonly bytes: Uint8Array;
      readonly starts: Uint32Array;
      readonly ends: Uint32Array;
      readonly reverse: boolean;
    }
  | { readonly kind: 'numbers'; readonly values: Float64Array; readonly reverse: boolean };

/** Negative, 0 or positive, for lines `a` and `b` on levels `levels`. */
export function compareOn(levels: readonly Level[], a: number, b: number): number {
  for (const level of levels) {
    const order = level.kind === 'numbers' ? compareNumbers(level.values, a, b) : compareLines(level, a, b);
    if (order !== 0) return level.reverse ? -order : order;
  }
  return 0;
}

function compareNumbers(values: Float64Array, a: number, b: number): number {
  const x = values[a] as number;
  const y = values[b] as number;
  return x < y ? -1 : x > y ? 1 : 0;
}

function compareLines({ bytes, starts, ends }: Level & { kind: 'bytes' }, a: number, b: number): number {
  let i = starts[a] as number;
  let j = starts[b] as number;
  const iEnd = ends[a] as number;
  const jEnd = ends[b] as number;
  const shared = Math.min(iEnd - i, jEnd - j);
  for (const stop = i + shared; i < stop; i++, j++) {
    const difference = (bytes[i] as number) - (bytes[j] as number);
    if (difference !== 0) return difference;
  }
  return iEnd - i - (jEnd - j);
}

/** Bytes of a level that are made and not found in the lines. */
export class KeyBytes {
  bytes: Uint8Array;
  length = 0;

  constructor(size: number) {
    this.bytes = new Uint8Array(Math.max(1024, size));
  }

  /** Makes room for `more` bytes. */
  reserve(more: number): Uint8Array {
    if (this.length + more > this.bytes.length) {
      const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more));
      larger.set(this.bytes.subarray(0, this.length));
      this.bytes = larger;
    }
    return this.bytes;
  }

  push(byte: number): void {
    this.reserve(1)[this.length++] = byte;
  }
}

/** Decimal numbers as `-n` reads them: blanks, a minus, digits, a point, digits. */
export interface Decimal {
  readonly negative: boolean;
  /** Digits before the point, without leading zeros: `[from..point)`; after it: `[fraction..to)`, without trailing zeros. */
  readonly from: number;
  readonly point: number;
  readonly fraction: number;
  readonly to: number;
  /** After all digits. */
  readonly end: number;
}

export function scanDecimal(bytes: Uint8Array, start: number, limit: number): Decimal {
  let at = start;
  while (at < limit && isBlank(bytes[at] as number)) at++;
  const negative = bytes[at] === 0x2d && at < limit;
  if (negative) at++;
  while (at < limit && bytes[at] === 0x30) at++;
  const from = at;
  while (at < limit && isDigit(bytes[at] as number)) at++;
  const point = at;
  let fraction = at;
  let to = at;
  if (at < limit && bytes[at] === 0x2e) {
    fraction = ++at;
    to = at;
    for (; at < limit && isDigit(bytes[at] as number); at++) if (bytes[at] !== 0x30) to = at + 1;
  }
  return { negative, from, point, fraction, to, end: at };
}

export function isZeroDecimal({ from, point, fraction, to }: Decimal): boolean {
  return point === from && to === fraction;
}

/** The number itself where a double tells all such numbers apart; undefined where it might not. */
export function doubleOf(bytes: Uint8Array, { negative, from, point, fraction, to }: Decimal): number | undefined {
  if (point - from + (to - fraction) > 15) return undefined;
  let value = 0;
  for (let i = from; i < point; i++) value = value * 10 + (bytes[i] as number) - 0x30;
  for (let i = fraction; i < to; i++) value = value * 10 + (bytes[i] as number) - 0x30;
  if (value === 0) return 0; // also -0
  const exact = value / (POWERS[to - fraction] as number);
  return negative ? -exact : exact;
}

const POWERS = Array.from({ length: 16 }, (_, i) => 10 ** i);

/** Bytes that order as the numbers do, whatever their length. */
export function pushDecimal(out: KeyBytes, bytes: Uint8Array, decimal: Decimal): void {
  const { negative, from, point, fraction, to } = decimal;
  if (isZeroDecimal(decimal)) {
    out.push(1);
    return;
  }
  const flip = negative ? 0xff : 0;
  const size = point - from + (to - fraction) + 6;
  out.reserve(size);
  out.push(negative ? 0 : 2);
  for (const shift of [24, 16, 8, 0]) out.push((((point - from) >>> shift) & 0xff) ^ flip);
  for (let i = from; i < point; i++) out.push((bytes[i] as number) ^ flip);
  for (let i = fraction; i < to; i++) out.push((bytes[i] as number) ^ flip);
  if (negative) out.push(0xff); // of two negative numbers the longer is the smaller
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
