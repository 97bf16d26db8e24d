/** `+ - * / %` and comparisons. */
import { limitReached } from '../../src/limits.js';
import { worked } from '../../src/text/work.js';
import type { BinaryOperator } from './tree.js';
import { compare, fail, isArray, isObject, type Json, type JsonObject } from './value.js';
import { described } from './write.js';

export function apply(operator: BinaryOperator, a: Json, b: Json, maxLength: number): Json {
  switch (operator) {
    case '+':
      return add(a, b, maxLength);
    case '-':
      return subtract(a, b);
    case '*':
      return multiply(a, b, maxLength);
    case '/':
      return divide(a, b);
    case '%':
      return remainder(a, b);
    case '==':
      return compare(a, b) === 0;
    case '!=':
      return compare(a, b) !== 0;
    case '<':
      return compare(a, b) < 0;
    case '<=':
      return compare(a, b) <= 0;
    case '>':
      return compare(a, b) > 0;
    case '>=':
      return compare(a, b) >= 0;
  }
}

function failBoth(a: Json, b: Json, what: string): never {
  return fail(`${described(a)} and ${described(b)} ${what}`);
}

/** Refuses an array of more items than a string of `maxLength` bytes has room for: an item takes eight bytes at least. */
export function weigh(items: number, maxLength: number): void {
  if (items > maxLength / 8) throw limitReached('maxStringBytes', maxLength);
}

export function add(a: Json, b: Json, maxLength: number): Json {
  if (a === null) return b;
  if (b === null) return a;
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (typeof a === 'string' && typeof b === 'string') {
    if (a.length + b.length > maxLength) return fail('a string is longer than the limit maxStringBytes allows');
    return a + b;
  }
  if (isArray(a) && isArray(b)) {
    const length = a.length + b.length;
    weigh(length, maxLength);
    worked(length);
    return a.concat(b);
  }
  if (isObject(a) && isObject(b)) {
    if (a.size + b.size > maxLength / 32) throw limitReached('maxStringBytes', maxLength);
    worked(32 * (a.size + b.size));
    const sum = new Map(a);
    for (const [key, value] of b) sum.set(key, value);
    return sum;
  }
  return failBoth(a, b, 'cannot be added');
}

function subtract(a: Json, b: Json): Json {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (!isArray(a) || !isArray(b)) return failBoth(a, b, 'cannot be subtracted');
  const sorted = [...b].sort(compare);
  return a.filter((item) => !includes(sorted, item));
}

/** In a sorted list. */
function includes(sorted: readonly Json[], item: Json): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = compare(sorted[middle] as Json, item);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}

function multiply(a: Json, b: Json, maxLength: number): Json {
  if (typeof a === 'number' && typeof b === 'number') return a * b;
  if ((typeof a === 'string' && typeof b === 'number') || (typeof a === 'number' && typeof b === 'string')) {
    const text = typeof a === 'string' ? a : (b as string);
    const times = typeof a === 'number' ? a : (b as number);
    if (!(times > 0)) return null;
    const count = times < 1 ? 1 : Math.floor(times);
    if (text.length * count > maxLength) return fail('a string is longer than the limit maxStringBytes allows');
    return text.repeat(count);
  }
  if (isObject(a) && isObject(b)) return merge(a, b);
  return failBoth(a, b, 'cannot be multiplied');
}

function merge(a: JsonObject, b: JsonObject): JsonObject {
  const merged = new Map(a);
  for (const [key, value] of b) {
    const old = merged.get(key);
    merged.set(key, old !== undefined && isObject(old) && isObject(value) ? merge(old, value) : value);
  }
  return merged;
}

function divide(a: Json, b: Json): Json {
  if (typeof a === 'number' && typeof b === 'number') {
    return b === 0 ? failBoth(a, b, 'cannot be divided because the divisor is zero') : a / b;
  }
  if (typeof a === 'string' && typeof b === 'string') return split(a, b);
  return failBoth(a, b, 'cannot be divided');
}

/** Characters that are split in one go. */
const AT_ONCE = 1 << 20;

export function split(text: string, separator: string): Json {
  if (text === '') return [];
  if (separator !== '' && text.length <= AT_ONCE) return text.split(separator);
  const parts: string[] = [];
  if (separator === '') {
    for (const character of text) {
      worked(8);
      parts.push(character);
    }
    return parts;
  }
  let from = 0;
  for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, from)) {
    worked(16);
    parts.push(text.slice(from, at));
    from = at + separator.length;
  }
  parts.push(text.slice(from));
  return parts;
}

function remainder(a: Json, b: Json): Json {
  if (typeof a !== 'number' || typeof b !== 'number') return failBoth(a, b, 'cannot be divided');
  const divisor = toInteger(b);
  if (divisor === 0n) return failBoth(a, b, 'cannot be divided (remainder) because the divisor is zero');
  const dividend = toInteger(a);
  return Number(dividend % (divisor < 0n ? -divisor : divisor));
}

/** As C converts to intmax_t, as far as that is defined. */
function toInteger(value: number): bigint {
  if (Number.isNaN(value)) return 0n;
  const LARGEST = 2 ** 63;
  if (value >= LARGEST) return BigInt(LARGEST) - 1n;
  return value <= -LARGEST ? -BigInt(LARGEST) : BigInt(Math.trunc(value));
}
