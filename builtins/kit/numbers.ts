/** Numbers as GNU commands read and print them. */
import { gnuQuoteValue } from '../../src/text/quote.js';
import { BadValue } from './define.js';

const POWERS = 'KMGTPEZY';

/** What xstrtoumax(3) of gnulib makes of a text. */
export type Integer =
  | { readonly kind: 'value'; readonly value: bigint }
  /** Not a number at all. */
  | { readonly kind: 'invalid' }
  /** A number, but what follows is no suffix of those allowed. */
  | { readonly kind: 'suffix' }
  /** Too large for 64 bits; `value` is the largest. */
  | { readonly kind: 'overflow'; readonly value: bigint };

export interface IntegerRules {
  /** Letters that may follow: of `bcwBkKmMgGtTPEZY`. `0` among them allows `KiB`, `KB`, `kD` too. */
  readonly suffixes?: string;
  /** Whether a minus is read. Default false. */
  readonly signed?: boolean;
}

const UINTMAX = 2n ** 64n - 1n;
export const INTMAX = 2n ** 63n - 1n;

/** Decimal digits after blanks and a sign, then a suffix. A suffix alone means one of it. */
export function parseInteger(text: string, rules: IntegerRules = {}): Integer {
  const suffixes = rules.suffixes ?? '';
  const head = /^[ \t\n\v\f\r]*([+-]?)([0-9]*)/.exec(text) as RegExpExecArray; // matches any text
  const digits = head[2] as string;
  const negative = head[1] === '-';
  if (negative && rules.signed !== true) return { kind: 'invalid' };
  let rest = text.slice(head[0].length);
  if (digits === '') {
    if (head[0] !== '' || rest === '' || !suffixes.includes(rest[0] as string)) return { kind: 'invalid' };
  }
  const size = suffixSize(rest, suffixes);
  if (size === undefined) return { kind: 'suffix' };
  rest = digits.length > 40 ? digits.replace(/^0+/, '') : digits;
  const max = rules.signed === true ? INTMAX : UINTMAX;
  const least = rules.signed === true ? -INTMAX - 1n : 0n;
  if (rest.length > 40) return { kind: 'overflow', value: negative ? least : max };
  const value = BigInt(digits === '' ? 1 : rest === '' ? 0 : rest) * size * (negative ? -1n : 1n);
  if (value > max) return { kind: 'overflow', value: max };
  if (value < least) return { kind: 'overflow', value: least };
  return { kind: 'value', value };
}

/** What `K`, `KiB`, `kB`, `b` ... stand for; 1 for nothing, undefined for what is not allowed. */
function suffixSize(suffix: string, allowed: string): bigint | undefined {
  if (suffix === '') return 1n;
  const letter = suffix[0] as string;
  if (!allowed.includes(letter)) return undefined;
  if (suffix.length === 1) {
    if (letter === 'b') return 512n;
    if (letter === 'c') return 1n;
    if (letter === 'w') return 2n;
    if (letter === 'B') return 1024n;
  }
  const power = POWERS.indexOf(letter.toUpperCase()) + 1;
  if (power === 0) return undefined;
  const unit = suffix.slice(1);
  if (unit === '') return 1024n ** BigInt(power);
  if (!allowed.includes('0')) return undefined;
  if (unit === 'iB') return 1024n ** BigInt(power);
  return unit === 'B' || unit === 'D' ? 1000n ** BigInt(power) : undefined;
}

/** Suffixes of `head -c`, `tail -n`, `split -b` and their kind. */
export const SIZE_SUFFIXES = 'bkKmMGTPEZY0';

/**
 * For `parse` of a flag: a whole number as xdectoumax(3) reads it, refused in GNU's words: `invalid number of lines: ‘x’`.
 * A number above `max` is an error unless `clamp` is set.
 */
export function wholeNumber(
  what: string,
  rules: { readonly min?: number; readonly max?: number; readonly suffixes?: string; readonly clamp?: boolean } = {},
): (text: string) => number | BadValue {
  const { min = 0, max = Number.MAX_SAFE_INTEGER, clamp = false } = rules;
  return (text) => {
    const read = parseInteger(text, rules);
    if (read.kind === 'invalid' || read.kind === 'suffix') return new BadValue(`${what}: ${gnuQuoteValue(text)}`);
    if (read.value > BigInt(max)) {
      if (clamp) return max;
      const why =
        read.kind === 'overflow' || max >= 2 ** 31
          ? 'Value too large for defined data type'
          : 'Numerical result out of range';
      return new BadValue(`${what}: ${gnuQuoteValue(text)}: ${why}`);
    }
    if (read.value < BigInt(min)) return new BadValue(`${what}: ${gnuQuoteValue(text)}: Numerical result out of range`);
    return Number(read.value);
  };
}

const DURATION =
  /^[ \t\n\v\f\r]*\+?([0-9]+\.?[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?|inf(?:inity)?)([smhd]?)$/i;
const HEX_DURATION = /^[ \t\n\v\f\r]*\+?(0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?[0-9]+)?)([smhd]?)$/i;
const SECONDS: { readonly [unit: string]: number } = { '': 1, s: 1, m: 60, h: 3600, d: 86400 };

/** `30`, `30s`, `1.5m`, `2h`, `1d`, `infinity`: milliseconds. Undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const match = HEX_DURATION.exec(text) ?? DURATION.exec(text);
  if (match === null) return undefined;
  const unit = SECONDS[match[2] as string];
  if (unit === undefined) return undefined; // `5M`: units are in lower case
  const number = match[1] as string;
  const value = /^inf/i.test(number)
    ? Number.POSITIVE_INFINITY
    : /^0x/i.test(number)
      ? hexNumber(number)
      : Number(number);
  return value * unit * 1000;
}

/** `0x1.8p3`, as strtod(3) reads it. */
function hexNumber(text: string): number {
  const [, whole = '', fraction = '', power = '0'] = /^0x([0-9a-f]*)\.?([0-9a-f]*)(?:p(.*))?$/i.exec(text) ?? [];
  const value = Number.parseInt(whole || '0', 16) + Number.parseInt(fraction || '0', 16) / 16 ** fraction.length;
  return value * 2 ** Number(power);
}
