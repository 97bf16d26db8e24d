/** How printf(3) writes numbers: `%d %u %o %x`, `%e %f %g %a`, with flags, width and precision. */
import { bitLength, type Real, realFromNumber } from './real.js';

export interface NumberSpec {
  /** `-`: pad on the right. */
  readonly left: boolean;
  /** `0`: pad with zeros. */
  readonly zero: boolean;
  /** `+`. */
  readonly plus: boolean;
  /** A space where a plus would be. */
  readonly space: boolean;
  /** `#`: `0x`, a leading 0, or a decimal point always. */
  readonly alternate: boolean;
  readonly width: number;
  /** Undefined when not given. */
  readonly precision: number | undefined;
}

export const PLAIN_SPEC: NumberSpec = Object.freeze({
  left: false,
  zero: false,
  plus: false,
  space: false,
  alternate: false,
  width: 0,
  precision: undefined,
});

/** Pads to the width: `sign` (with `0x`) goes before zeros. */
function pad(sign: string, digits: string, spec: NumberSpec, zero: boolean): string {
  const missing = spec.width - sign.length - digits.length;
  if (missing <= 0) return sign + digits;
  if (spec.left) return sign + digits + ' '.repeat(missing);
  return zero ? sign + '0'.repeat(missing) + digits : ' '.repeat(missing) + sign + digits;
}

function signOf(negative: boolean, spec: NumberSpec): string {
  return negative ? '-' : spec.plus ? '+' : spec.space ? ' ' : '';
}

/** Text in a field, for `%s` of what is known to be ASCII. */
export function padText(text: string, spec: NumberSpec): string {
  return pad('', text, spec, false);
}

/** `%d`. */
export function formatSigned(value: number | bigint, spec: NumberSpec): string {
  const negative = value < 0;
  return integer(signOf(negative, spec), String(negative ? -value : value), Number(value) === 0, spec);
}

/** `%u %o %x %X`; a negative value is taken as its 64 bits. */
export function formatUnsigned(value: number | bigint, conversion: 'u' | 'o' | 'x' | 'X', spec: NumberSpec): string {
  const unsigned = value < 0 ? BigInt.asUintN(64, BigInt(value)) : value;
  const base = conversion === 'u' ? 10 : conversion === 'o' ? 8 : 16;
  const digits = unsigned.toString(base);
  const zero = Number(unsigned) === 0;
  if (conversion === 'u') return integer('', digits, zero, spec);
  if (conversion === 'o') {
    const precision = Math.max(spec.precision ?? 0, digits.length + 1);
    return spec.alternate && !zero
      ? integer('', digits, zero, withPrecision(spec, precision))
      : integer('', digits, zero && !spec.alternate, spec);
  }
  const prefix = spec.alternate && !zero ? `0${conversion}` : '';
  return integer(prefix, conversion === 'X' ? digits.toUpperCase() : digits, zero, spec);
}

/** Only raises the number of digits; zeros of a zero flag are still allowed where no precision was written. */
function withPrecision(spec: NumberSpec, digits: number): NumberSpec {
  if (spec.precision !== undefined || !spec.zero || spec.left) return { ...spec, precision: digits };
  return { ...spec, precision: Math.max(digits, spec.width) };
}

function integer(sign: string, digits: string, zero: boolean, spec: NumberSpec): string {
  if (spec.precision === undefined) return pad(sign, digits, spec, spec.zero);
  const text = zero && spec.precision === 0 ? '' : digits;
  return pad(sign, text.padStart(spec.precision, '0'), spec, false);
}

/** `%.Nf` of a double. `toFixed` rounds what lies half way up, and not to the even one. */
export function formatFixed(value: number, precision: number): string {
  return formatReal(realFromNumber(value), 'f', { ...PLAIN_SPEC, precision });
}

export type RealConversion = 'e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'a' | 'A';

/** `%e %f %g %a` of a long double. */
export function formatReal(value: Real, conversion: RealConversion, spec: NumberSpec): string {
  const upper = conversion < 'a';
  const sign = signOf(value.negative, spec);
  if (value.kind !== 'finite') {
    const word = value.kind === 'nan' ? 'nan' : 'inf';
    return pad(sign, upper ? word.toUpperCase() : word, spec, false);
  }
  const letter = conversion.toLowerCase();
  const { mantissa, exponent } = value;
  if (letter === 'a') {
    const text = hexadecimal(mantissa, exponent, spec);
    return pad(`${sign}0${upper ? 'X' : 'x'}`, upper ? text.toUpperCase() : text, spec, spec.zero);
  }
  const precision = spec.precision ?? 6;
  const text =
    letter === 'f'
      ? fixed(mantissa, exponent, precision, spec.alternate)
      : letter === 'e'
        ? scientific(mantissa, exponent, precision, spec.alternate)
        : general(mantissa, exponent, precision === 0 ? 1 : precision, spec.alternate);
  return pad(sign, upper ? text.toUpperCase() : text, spec, spec.zero);
}

/** Rounds `mantissa * 2**exponent * 10**scale` to a whole number, to even on a tie. */
function scaledInteger(mantissa: bigint, exponent: number, scale: number): bigint {
  let numerator = mantissa;
  let denominator = 1n;
  if (exponent >= 0) numerator <<= BigInt(exponent);
  else denominator <<= BigInt(-exponent);
  if (scale >= 0) numerator *= 10n ** BigInt(scale);
  else denominator *= 10n ** BigInt(-scale);
  const quotient = numerator / denominator;
  const twice = (numerator - quotient * denominator) * 2n;
  return twice > denominator || (twice === denominator && (quotient & 1n) === 1n) ? quotient + 1n : quotient;
}

function fixed(mantissa: bigint, exponent: number, precision: number, point: boolean): string {
  // Beyond -exponent digits a binary fraction has only zeros.
  const exact = Math.min(precision, Math.max(0, -exponent));
  const digits = scaledInteger(mantissa, exponent, exact)
    .toString()
    .padStart(exact + 1, '0');
  const fraction = digits.slice(digits.length - exact).padEnd(precision, '0');
  const whole = digits.slice(0, digits.length - exact);
  return precision === 0 ? whole + (point ? '.' : '') : `${whole}.${exact === 0 ? '0'.repeat(precision) : fraction}`;
}

/** The first `count` significant digits, rounded, and the decimal exponent of the first. */
function significant(mantissa: bigint, exponent: number, count: number): { digits: string; power: number } {
  if (mantissa === 0n) return { digits: '0'.repeat(count), power: 0 };
  let power = Math.floor((bitLength(mantissa) + exponent - 1) * Math.LOG10E * Math.LN2);
  // No number has more digits than this; the rest are zeros.
  const exact = Math.min(count, 17_000);
  for (;;) {
    const digits = scaledInteger(mantissa, exponent, exact - 1 - power).toString();
    if (digits.length === exact) return { digits: digits.padEnd(count, '0'), power };
    power += digits.length > exact ? 1 : -1;
  }
}

function scientific(mantissa: bigint, exponent: number, precision: number, point: boolean): string {
  const { digits, power } = significant(mantissa, exponent, precision + 1);
  return withExponent(digits, power, point);
}

function withExponent(digits: string, power: number, point: boolean): string {
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : point ? '.' : '';
  const size = String(Math.abs(power)).padStart(2, '0');
  return `${digits[0]}${fraction}e${power < 0 ? '-' : '+'}${size}`;
}

function general(mantissa: bigint, exponent: number, precision: number, keepZeros: boolean): string {
  const { digits, power } = significant(mantissa, exponent, precision);
  const kept = keepZeros ? digits : trimZeros(digits);
  if (power < -4 || power >= precision) return withExponent(kept, power, keepZeros);
  if (power < 0) return `0.${'0'.repeat(-power - 1)}${kept}`;
  const whole = kept.slice(0, power + 1).padEnd(power + 1, '0');
  const fraction = kept.slice(power + 1);
  return fraction === '' ? whole + (keepZeros ? '.' : '') : `${whole}.${fraction}`;
}

/** Without trailing zeros, but at least one digit. */
function trimZeros(digits: string): string {
  let end = digits.length;
  while (end > 1 && digits.charCodeAt(end - 1) === 0x30) end--;
  return digits.slice(0, end);
}

/** `%a` as glibc writes a long double: the first digit holds the four highest bits. */
function hexadecimal(mantissa: bigint, exponent: number, spec: NumberSpec): string {
  const precision = spec.precision;
  const subnormal = bitLength(mantissa) + exponent < -16381;
  const shift = mantissa === 0n ? 0 : subnormal ? exponent + 16445 : 64 - bitLength(mantissa);
  let bits = mantissa << BigInt(shift);
  let power = mantissa === 0n ? 0 : subnormal ? -16385 : exponent - shift + 60;
  if (precision !== undefined && precision < 15) {
    const drop = BigInt(4 * (15 - precision));
    const rest = bits & ((1n << drop) - 1n);
    const half = 1n << (drop - 1n);
    bits >>= drop;
    if (rest > half || (rest === half && (bits & 1n) === 1n)) bits += 1n;
    bits <<= drop;
    if (bits >> 64n) {
      bits >>= 4n;
      power += 4;
    }
  }
  const digits = bits.toString(16).padStart(16, '0');
  const tail =
    precision === undefined
      ? trimZeros(digits.slice(1)).replace(/^0$/, '')
      : digits.slice(1).padEnd(precision, '0').slice(0, precision);
  const point = tail !== '' || spec.alternate ? '.' : '';
  return `${digits[0]}${point}${tail}p${power < 0 ? '-' : '+'}${Math.abs(power)}`;
}
