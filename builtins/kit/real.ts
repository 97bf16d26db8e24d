/**
 * Numbers as C's `long double` has them on x86: 64 bits of mantissa, exponents to 16384. bash's printf and GNU's seq and sort -g
 * compute in them, so doubles would show different digits.
 */

export type Real =
  /** `mantissa * 2**exponent`, with `mantissa < 2**64`; zero is mantissa 0. */
  | { readonly kind: 'finite'; readonly negative: boolean; readonly mantissa: bigint; readonly exponent: number }
  | { readonly kind: 'infinity'; readonly negative: boolean }
  | { readonly kind: 'nan'; readonly negative: boolean };

const PRECISION = 64;
/** The exponent of the last bit of the smallest subnormal number, and of the greatest number. */
const MIN_EXPONENT = -16445;
const MAX_EXPONENT = 16384 - PRECISION;
/** More decimal digits than any halfway point between two numbers has. */
const MAX_DIGITS = 12_000;

export const ZERO: Real = Object.freeze({ kind: 'finite', negative: false, mantissa: 0n, exponent: 0 });

function infinity(negative: boolean): Real {
  return { kind: 'infinity', negative };
}

/** Rounds `numerator / denominator * 2**exponent` to the nearest number, to even on a tie. */
function round(negative: boolean, numerator: bigint, denominator: bigint, exponent: number): Real {
  if (numerator === 0n) return { kind: 'finite', negative, mantissa: 0n, exponent: 0 };
  // A quotient with at least PRECISION + 2 bits; what is left over only matters as "not zero".
  const shift = Math.max(0, PRECISION + 2 - (bitLength(numerator) - bitLength(denominator)));
  const scaled = numerator << BigInt(shift);
  let quotient = scaled / denominator;
  if (quotient * denominator !== scaled) quotient = (quotient << 1n) | 1n;
  else quotient <<= 1n;
  return roundBits(negative, quotient, exponent - shift - 1);
}

function roundBits(negative: boolean, value: bigint, exponent: number): Real {
  const drop = Math.max(bitLength(value) - PRECISION, MIN_EXPONENT - exponent);
  if (drop <= 0) return pack(negative, value, exponent);
  const count = BigInt(drop);
  let mantissa = value >> count;
  const rest = value - (mantissa << count);
  const half = 1n << (count - 1n);
  if (rest > half || (rest === half && (mantissa & 1n) === 1n)) mantissa += 1n;
  return pack(negative, mantissa, exponent + drop);
}

function pack(negative: boolean, mantissa: bigint, exponent: number): Real {
  const bits = bitLength(mantissa);
  if (bits + exponent > MAX_EXPONENT + PRECISION) return infinity(negative);
  if (bits <= PRECISION) return { kind: 'finite', negative, mantissa, exponent: mantissa === 0n ? 0 : exponent };
  return { kind: 'finite', negative, mantissa: mantissa >> 1n, exponent: exponent + 1 }; // a carry: 2**64
}

export function bitLength(value: bigint): number {
  if (value === 0n) return 0;
  const hex = value.toString(16);
  return hex.length * 4 - Math.clz32(Number.parseInt(hex[0] as string, 16)) + 28;
}

export function realFromBigInt(value: bigint): Real {
  return value < 0n ? round(true, -value, 1n, 0) : round(false, value, 1n, 0);
}

const bits = new DataView(new ArrayBuffer(8));

/** The sign bit, of a NaN too. */
export function hasSign(value: number): boolean {
  bits.setFloat64(0, value);
  return bits.getUint8(0) >= 128;
}

/** A double, exactly. */
export function realFromNumber(value: number): Real {
  const negative = hasSign(value);
  if (Number.isNaN(value)) return { kind: 'nan', negative };
  if (!Number.isFinite(value)) return { kind: 'infinity', negative };
  bits.setFloat64(0, value);
  const high = bits.getUint32(0);
  const biased = (high >>> 20) & 0x7ff;
  const fraction = (BigInt(high & 0xfffff) << 32n) | BigInt(bits.getUint32(4));
  if (biased === 0) return { kind: 'finite', negative, mantissa: fraction, exponent: fraction === 0n ? 0 : -1074 };
  return { kind: 'finite', negative, mantissa: fraction | (1n << 52n), exponent: biased - 1075 };
}

export function negate(a: Real): Real {
  return { ...a, negative: !a.negative };
}

export function addReal(a: Real, b: Real): Real {
  if (a.kind === 'nan' || b.kind === 'nan') return { kind: 'nan', negative: false };
  if (a.kind === 'infinity')
    return b.kind === 'infinity' && a.negative !== b.negative ? { kind: 'nan', negative: true } : a;
  if (b.kind === 'infinity') return b;
  const exponent = Math.min(a.exponent, b.exponent);
  const sum = signed(a, exponent) + signed(b, exponent);
  if (sum === 0n) return { ...ZERO, negative: a.negative && b.negative };
  return sum < 0n ? roundBits(true, -sum, exponent) : roundBits(false, sum, exponent);
}

export function mulReal(a: Real, b: Real): Real {
  const negative = a.negative !== b.negative;
  if (a.kind === 'finite' && b.kind === 'finite')
    return roundBits(negative, a.mantissa * b.mantissa, a.exponent + b.exponent);
  if (a.kind === 'nan' || b.kind === 'nan' || isZero(a) || isZero(b)) return { kind: 'nan', negative: false };
  return infinity(negative);
}

export function isZero(a: Real): boolean {
  return a.kind === 'finite' && a.mantissa === 0n;
}

function signed(a: Real & { kind: 'finite' }, exponent: number): bigint {
  const magnitude = a.mantissa << BigInt(a.exponent - exponent);
  return a.negative ? -magnitude : magnitude;
}

/** Negative, 0 or positive; undefined when one is not a number. */
export function compareReal(a: Real, b: Real): number | undefined {
  if (a.kind === 'nan' || b.kind === 'nan') return undefined;
  if (a.kind === 'infinity' || b.kind === 'infinity') {
    const rank = (x: Real): number => (x.kind === 'infinity' ? (x.negative ? -1 : 1) : 0);
    return rank(a) - rank(b);
  }
  const exponent = Math.min(a.exponent, b.exponent);
  const x = signed(a, exponent);
  const y = signed(b, exponent);
  return x < y ? -1 : x > y ? 1 : 0;
}

export interface ParsedReal {
  readonly value: Real;
  /** Index after the number; 0 when there is none. */
  readonly end: number;
  /** Too large, or too small to be exact (C's ERANGE). */
  readonly outOfRange: boolean;
}

const NONE: ParsedReal = { value: ZERO, end: 0, outOfRange: false };

/** strtold(3) in the C locale: blanks, a sign, then decimal, hexadecimal, `inf`, `infinity`, `nan` or `nan(chars)`. */
export function parseReal(text: string): ParsedReal {
  let at = 0;
  while (isSpace(text.charCodeAt(at))) at++;
  const sign = text[at];
  const negative = sign === '-';
  if (negative || sign === '+') at++;
  const first = text[at]?.toLowerCase();
  if (first === 'i' || first === 'n') return parseWord(text, at, negative);
  if (first === '0' && text[at + 1]?.toLowerCase() === 'x') {
    const digits = scanDigits(text, at + 2, 16);
    if (digits.digits.length > 0) return parseHex(text, digits, negative);
    return { value: { ...ZERO, negative }, end: at + 1, outOfRange: false };
  }
  const digits = scanDigits(text, at, 10);
  return digits.count === 0 ? NONE : parseDecimal(text, digits, negative);
}

function parseWord(text: string, at: number, negative: boolean): ParsedReal {
  const word = text.slice(at, at + 8).toLowerCase();
  const length = word === 'infinity' ? 8 : 3;
  if (word.startsWith('inf')) return { value: infinity(negative), end: at + length, outOfRange: false };
  if (!word.startsWith('nan')) return NONE;
  let end = at + 3;
  if (text[end] === '(') {
    let close = end + 1;
    while (isWordUnit(text.charCodeAt(close))) close++;
    if (text[close] === ')') end = close + 1;
  }
  return { value: { kind: 'nan', negative }, end, outOfRange: false };
}

interface Digits {
  /** Significant digits without leading zeros, at most MAX_DIGITS of them and a last one for the rest. */
  readonly digits: string;
  /** The value is `digits * base**scale`. */
  readonly scale: number;
  /** How many digits were read, zeros included. */
  readonly count: number;
  readonly end: number;
}

function scanDigits(text: string, from: number, base: 10 | 16): Digits {
  let at = from;
  let count = 0;
  let point = -1;
  let first = -1; // of the significant digits
  for (; ; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x2e && point < 0) point = at;
    else if (isDigitUnit(unit, base)) {
      count++;
      if (first < 0 && unit !== 0x30) first = at;
    } else break;
  }
  if (count === 0) return { digits: '', scale: 0, count, end: from };
  const end = at;
  const fraction = point < 0 ? 0 : end - point - 1;
  if (first < 0) return { digits: '0', scale: 0, count, end };
  const all = text.slice(first, end);
  const digits = point > first ? all.replace('.', '') : all;
  if (digits.length <= MAX_DIGITS) return { digits, scale: -fraction, count, end };
  const cut = digits.length - MAX_DIGITS;
  const sticky = isAllZeros(digits, MAX_DIGITS) ? '0' : '1';
  return { digits: digits.slice(0, MAX_DIGITS) + sticky, scale: cut - 1 - fraction, count, end };
}

function isAllZeros(digits: string, from: number): boolean {
  for (let i = from; i < digits.length; i++) if (digits.charCodeAt(i) !== 0x30) return false;
  return true;
}

function parseDecimal(text: string, scanned: Digits, negative: boolean): ParsedReal {
  const { exponent, end } = scanExponent(text, scanned.end, 'e');
  const mantissa = BigInt(scanned.digits);
  if (mantissa === 0n) return { value: { ...ZERO, negative }, end, outOfRange: false };
  const scale = scanned.scale + exponent;
  const magnitude = scale + scanned.digits.length;
  if (magnitude > 5000) return { value: infinity(negative), end, outOfRange: true };
  if (magnitude < -5000) return { value: { ...ZERO, negative }, end, outOfRange: true };
  const value =
    scale >= 0
      ? round(negative, mantissa * 10n ** BigInt(scale), 1n, 0)
      : round(negative, mantissa, 10n ** BigInt(-scale), 0);
  return { value, end, outOfRange: isOutOfRange(value, () => isExact(value, mantissa, scale)) };
}

function parseHex(text: string, scanned: Digits, negative: boolean): ParsedReal {
  const { exponent, end } = scanExponent(text, scanned.end, 'p');
  const mantissa = BigInt(`0x${scanned.digits}`);
  if (mantissa === 0n) return { value: { ...ZERO, negative }, end, outOfRange: false };
  const scale = scanned.scale * 4 + exponent;
  const magnitude = scale + bitLength(mantissa);
  if (magnitude > 20_000) return { value: infinity(negative), end, outOfRange: true };
  if (magnitude < -20_000) return { value: { ...ZERO, negative }, end, outOfRange: true };
  const value = roundBits(negative, mantissa, scale);
  return { value, end, outOfRange: isOutOfRange(value, () => true) };
}

/** Of a number that is not 0: overflow, or one below the normal numbers that is not exactly what was written. */
function isOutOfRange(value: Real, exact: () => boolean): boolean {
  if (value.kind !== 'finite') return true;
  if (value.mantissa === 0n) return true;
  return bitLength(value.mantissa) + value.exponent < MIN_EXPONENT + PRECISION && !exact();
}

function isExact(value: Real, mantissa: bigint, scale: number): boolean {
  if (value.kind !== 'finite') return false;
  return value.mantissa * 10n ** BigInt(Math.max(0, -scale)) === mantissa << BigInt(Math.max(0, -value.exponent));
}

/** An exponent counts only with digits. One of absurd size is as good as a million. */
function scanExponent(text: string, at: number, letter: 'e' | 'p'): { exponent: number; end: number } {
  if (text[at]?.toLowerCase() !== letter) return { exponent: 0, end: at };
  let end = at + 1;
  const sign = text[end];
  if (sign === '-' || sign === '+') end++;
  const start = end;
  let exponent = 0;
  while (isDigitUnit(text.charCodeAt(end), 10)) {
    exponent = Math.min(1e9, exponent * 10 + text.charCodeAt(end) - 0x30);
    end++;
  }
  if (end === start) return { exponent: 0, end: at };
  return { exponent: sign === '-' ? -exponent : exponent, end };
}

/** isspace(3) in the C locale. */
export function isSpace(unit: number): boolean {
  return unit === 0x20 || (unit >= 9 && unit <= 13);
}

function isDigitUnit(unit: number, base: 10 | 16): boolean {
  if (unit >= 0x30 && unit <= 0x39) return true;
  return base === 16 && ((unit >= 0x41 && unit <= 0x46) || (unit >= 0x61 && unit <= 0x66));
}

function isWordUnit(unit: number): boolean {
  return isDigitUnit(unit, 10) || ((unit | 0x20) - 0x61) >>> 0 < 26 || unit === 0x5f;
}
