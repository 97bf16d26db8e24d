/**
 * Signed 64-bit integers with wrap-around, as shell arithmetic has them (POSIX 2.6.4: signed long at least; bash: intmax_t).
 *
 * An `Int` is a plain number while it is a safe integer, and a bigint beyond: each value has one representation, so `===`
 * compares. Everything that is small stays in plain numbers, where `i + 1` costs an addition and a test.
 */
export type Int = number | bigint;

const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER);
const SAFE_MIN = BigInt(Number.MIN_SAFE_INTEGER);

export const INT_MAX: Int = 2n ** 63n - 1n;
export const INT_MIN: Int = -(2n ** 63n);

/** Wraps any bigint to 64 bits and gives its one representation. */
export function wrap(value: bigint): Int {
  const wrapped = BigInt.asIntN(64, value);
  return wrapped <= SAFE_MAX && wrapped >= SAFE_MIN ? Number(wrapped) : wrapped;
}

export function add(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return wrap(BigInt(a) + BigInt(b));
}

export function sub(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return wrap(BigInt(a) - BigInt(b));
}

export function mul(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product + 0; // no -0
  }
  return wrap(BigInt(a) * BigInt(b));
}

/** Truncates toward zero, as C does. `b` must not be 0: the caller has the message for that. */
export function div(a: Int, b: Int): Int {
  if (b === 0) throw new RangeError('division by zero reached int64.div');
  // The division of a multiple is exact where that of any two safe integers might round.
  if (typeof a === 'number' && typeof b === 'number') return (a - (a % b)) / b + 0;
  return wrap(BigInt(a) / BigInt(b));
}

/** The remainder has the sign of `a`, as in C. `b` must not be 0. */
export function rem(a: Int, b: Int): Int {
  if (b === 0) throw new RangeError('division by zero reached int64.rem');
  if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0;
  return wrap(BigInt(a) % BigInt(b));
}

/** `a ** b`, wrapped. `b` must not be negative. */
export function pow(a: Int, b: Int): Int {
  if (b < 0) throw new RangeError('a negative exponent reached int64.pow');
  let result = 1n;
  let square = BigInt(a);
  for (let left = BigInt(b); left > 0n; left >>= 1n) {
    if (left & 1n) result = BigInt.asIntN(64, result * square);
    square = BigInt.asIntN(64, square * square);
  }
  return wrap(result);
}

/** Only the low six bits of the count are used, as on the machines bash runs on. */
export function shl(a: Int, b: Int): Int {
  const count = shiftCount(b);
  if (typeof a === 'number') {
    const shifted = a * 2 ** count;
    if (Number.isSafeInteger(shifted)) return shifted;
  }
  return wrap(BigInt(a) << BigInt(count));
}

/** An arithmetic shift: the sign stays. */
export function shr(a: Int, b: Int): Int {
  const count = shiftCount(b);
  if (typeof a === 'number') return Math.floor(a / 2 ** count);
  return wrap(BigInt(a) >> BigInt(count));
}

function shiftCount(b: Int): number {
  return typeof b === 'number' && b >= 0 && b < 64 ? b : Number(BigInt.asUintN(6, BigInt(b)));
}

function isInt32(a: Int): a is number {
  return typeof a === 'number' && (a | 0) === a;
}

export function and(a: Int, b: Int): Int {
  return isInt32(a) && isInt32(b) ? a & b : wrap(BigInt(a) & BigInt(b));
}

export function or(a: Int, b: Int): Int {
  return isInt32(a) && isInt32(b) ? a | b : wrap(BigInt(a) | BigInt(b));
}

export function xor(a: Int, b: Int): Int {
  return isInt32(a) && isInt32(b) ? a ^ b : wrap(BigInt(a) ^ BigInt(b));
}

export function not(a: Int): Int {
  return sub(-1, a);
}

export function neg(a: Int): Int {
  return sub(0, a);
}

/** Negative, 0 or positive. */
export function compare(a: Int, b: Int): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function format(a: Int): string {
  return String(a);
}

/**
 * The value of an unsigned constant: decimal, octal after `0`, hexadecimal after `0x` (ISO C, by POSIX 2.6.4), and bash's
 * `BASE#DIGITS` with bases 2 to 64. Undefined when it is none (`08`, `0x`, `1a`). One too large wraps, as in bash.
 */
export function parseConstant(text: string): Int | undefined {
  if (text.length === 0) return undefined;
  const hash = text.indexOf('#');
  if (hash > 0) return parseBased(text, hash);
  if (text.charCodeAt(0) !== 0x30) return parseDigits(text, 0, 10);
  if (text.length === 1) return 0;
  const second = text.charCodeAt(1) | 0x20;
  return second === 0x78 ? parseDigits(text, 2, 16) : parseDigits(text, 1, 8);
}

/** A constant with an optional sign and blanks around it: what a variable's value may be without being an expression. */
export function parseInt64(text: string): Int | undefined {
  const trimmed = text.trim();
  const first = trimmed.charCodeAt(0);
  if (first === 0x2d) {
    const value = parseConstant(trimmed.slice(1));
    return value === undefined ? undefined : neg(value);
  }
  return parseConstant(first === 0x2b ? trimmed.slice(1) : trimmed);
}

function parseBased(text: string, hash: number): Int | undefined {
  const base = parseDigits(text.slice(0, hash), 0, 10);
  if (typeof base !== 'number' || base < 2 || base > 64) return undefined;
  return parseDigits(text, hash + 1, base);
}

/** Digits of `base` from index `from` to the end; at least one. */
function parseDigits(text: string, from: number, base: number): Int | undefined {
  if (from >= text.length) return undefined;
  let value = 0;
  for (let i = from; i < text.length; i++) {
    const digit = digitValue(text.charCodeAt(i), base);
    if (digit >= base) return undefined;
    const next = value * base + digit;
    if (!Number.isSafeInteger(next)) return parseLong(text, i, base, value);
    value = next;
  }
  return value;
}

/** The rest of a constant that is beyond the safe integers: wrapped digit by digit, so its length costs no more than itself. */
function parseLong(text: string, from: number, base: number, start: number): Int | undefined {
  const bigBase = BigInt(base);
  let value = BigInt(start);
  for (let i = from; i < text.length; i++) {
    const digit = digitValue(text.charCodeAt(i), base);
    if (digit >= base) return undefined;
    value = BigInt.asIntN(64, value * bigBase + BigInt(digit));
  }
  return wrap(value);
}

/** Digits are `0-9`, `a-z`, `A-Z`, `@` and `_`; up to base 36 the case of a letter does not matter (bash). */
function digitValue(unit: number, base: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  if (unit >= 0x61 && unit <= 0x7a) return unit - 0x61 + 10;
  if (unit >= 0x41 && unit <= 0x5a) return unit - 0x41 + (base <= 36 ? 10 : 36);
  if (unit === 0x40) return 62;
  if (unit === 0x5f) return 63;
  return Number.POSITIVE_INFINITY;
}
