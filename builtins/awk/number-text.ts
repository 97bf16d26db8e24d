/** Numbers in texts: reading them as awk does (POSIX awk, "Expressions in awk"), and writing them. */
import { formatReal, type NumberSpec, PLAIN_SPEC, type RealConversion } from '../kit/number-format.js';
import { hasSign, realFromNumber } from '../kit/real.js';

/** Where the last number that was scanned ended. */
let scanned = 0;

const POWERS = Array.from({ length: 23 }, (_, i) => 10 ** i);

function isBlank(unit: number): boolean {
  return unit === 0x20 || (unit >= 9 && unit <= 13);
}

/** The number a text begins with, 0 when there is none. Sets `scanned`, to 0 for none. */
function scan(text: string): number {
  const { length } = text;
  let i = 0;
  while (i < length && isBlank(text.charCodeAt(i))) i++;
  const start = i;
  let unit = text.charCodeAt(i);
  const negative = unit === 0x2d;
  const signed = negative || unit === 0x2b;
  if (signed) i++;
  let mantissa = 0;
  let digits = 0;
  let decimals = 0;
  const first = i;
  for (; i < length; i++) {
    unit = text.charCodeAt(i) - 0x30;
    if (unit < 0 || unit > 9) break;
    mantissa = mantissa * 10 + unit;
    digits++;
  }
  if (text.charCodeAt(i) === 0x2e) {
    const point = i++;
    for (; i < length; i++) {
      unit = text.charCodeAt(i) - 0x30;
      if (unit < 0 || unit > 9) break;
      mantissa = mantissa * 10 + unit;
      digits++;
    }
    decimals = i - point - 1;
  }
  if (digits === 0) {
    scanned = 0;
    return signed ? scanWord(text, first, negative) : 0;
  }
  let exponent = false;
  if ((text.charCodeAt(i) | 0x20) === 0x65) {
    let at = i + 1;
    const sign = text.charCodeAt(at);
    if (sign === 0x2d || sign === 0x2b) at++;
    const from = at;
    while (at < length && (text.charCodeAt(at) - 0x30) >>> 0 <= 9) at++;
    if (at > from) {
      exponent = true;
      i = at;
    }
  }
  scanned = i;
  // Up to 15 digits and a power of ten up to 22 are exact, so that one division rounds rightly.
  if (exponent || digits > 15 || decimals > 22) return Number(text.slice(start, i));
  const value = decimals === 0 ? mantissa : mantissa / (POWERS[decimals] as number);
  return negative ? -value : value;
}

/** gawk reads `+inf` and `-nan`, sign and all. */
function scanWord(text: string, at: number, negative: boolean): number {
  const word = text.slice(at, at + 3).toLowerCase();
  if (word !== 'inf' && word !== 'nan') return 0;
  const next = text.charCodeAt(at + 3);
  if (at + 3 < text.length && !isBlank(next)) return 0;
  scanned = at + 3;
  if (word === 'nan') return Number.NaN;
  return negative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** The value of a text as a number. */
export function numberOf(text: string): number {
  return scan(text);
}

/** The value of a text that looks like a number, blanks around it allowed; undefined for any other. */
export function wholeNumber(text: string): number | undefined {
  const last = text.charCodeAt(text.length - 1);
  // Most texts that are none end in a letter.
  if (last > 0x39 && last !== 0x66 && last !== 0x46 && last !== 0x6e && last !== 0x4e) return undefined;
  const value = scan(text);
  let end = scanned;
  if (end === 0) return undefined;
  while (end < text.length && isBlank(text.charCodeAt(end))) end++;
  return end === text.length ? value : undefined;
}

const SIX: NumberSpec = { ...PLAIN_SPEC, precision: 6 };

/** A number as a string: whole ones by themselves, others as `format` (CONVFMT or OFMT) says. */
export function numberText(value: number, format: (value: number) => string): string {
  if (Number.isInteger(value)) return wholeText(value);
  if (!Number.isFinite(value)) return infinite(value);
  return format(value);
}

/** Digits of a whole number, all of them. */
export function wholeText(value: number): string {
  return Math.abs(value) < 1e21 ? `${value === 0 ? 0 : value}` : BigInt(value).toString();
}

function infinite(value: number): string {
  return Number.isNaN(value) ? (hasSign(value) ? '-nan' : '+nan') : value < 0 ? '-inf' : '+inf';
}

/** `%.6g`, what CONVFMT and OFMT are nearly always. */
export function sixDigits(value: number): string {
  const size = Math.abs(value);
  const shortest = String(value);
  if (size >= 1e-4 && size < 1e6) {
    // Six digits or fewer: they are all there is.
    if (shortest.length <= 7) return shortest;
    // A tie has seven digits; without one toPrecision rounds as printf(3) does.
    if (shortest.length > 10) {
      const text = value.toPrecision(6);
      if (text.includes('.') && !text.includes('e')) return trimFraction(text);
    }
  }
  return formatNumber(value, 'g', SIX);
}

function trimFraction(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === 0x30) end--;
  return text.slice(0, text.charCodeAt(end - 1) === 0x2e ? end - 1 : end);
}

/** `%e %f %g %a` of a double. */
export function formatNumber(value: number, conversion: RealConversion, spec: NumberSpec): string {
  const { precision = 6 } = spec;
  if ((conversion === 'f' || conversion === 'F') && !spec.alternate && precision <= 15 && Math.abs(value) < 1e15) {
    // toFixed rounds a tie up, and printf(3) to even: a tie has one digit more than is asked for, a 5.
    const shortest = String(value);
    const decimals = shortest.includes('e') ? 0 : shortest.length - shortest.indexOf('.') - 1;
    const plain = spec.width === 0 && !spec.plus && !spec.space;
    if (plain && decimals !== precision + 1 && value !== 0 && !shortest.includes('e')) return value.toFixed(precision);
  }
  return formatReal(realFromNumber(value), conversion, spec);
}
