/** Values: numbers, strings, input that looks like a number and so is both, and what was never assigned. */
import { type LimitName, type Limits, limitReached } from '../../src/limits.js';
import { numberOf, wholeNumber } from './number-text.js';

/** Input that looks like a number (POSIX: a numeric string). */
export class NumericString {
  readonly text: string;
  readonly number: number;
  constructor(text: string, number: number) {
    this.text = text;
    this.number = number;
  }
}

/** Strings are byte strings. */
export type Value = number | string | NumericString | undefined;

/** A value that came from outside: a field, a line, an argument. */
export function inputValue(text: string): Value {
  const number = wholeNumber(text);
  return number === undefined ? text : new NumericString(text, number);
}

export function toNumber(value: Value): number {
  if (typeof value === 'number') return value;
  if (value === undefined) return 0;
  return typeof value === 'string' ? numberOf(value) : value.number;
}

export function toTruth(value: Value): boolean {
  if (typeof value === 'number') return value !== 0;
  if (value === undefined) return false;
  return typeof value === 'string' ? value !== '' : value.number !== 0;
}

/** Negative, 0 or positive; NaN with a number that is none. */
export function compareValues(a: Value, b: Value, text: (value: Value) => string): number {
  if (typeof a !== 'string' && typeof b !== 'string') {
    const x = toNumber(a);
    const y = toNumber(b);
    return x < y ? -1 : x > y ? 1 : x === y ? 0 : Number.NaN;
  }
  const x = text(a);
  const y = text(b);
  return x < y ? -1 : x > y ? 1 : 0;
}

/** What all variables of a program hold together: `maxVariableBytes` ends the run before the host's memory ends. */
export class Holdings {
  private used = 0;
  private readonly limits: Limits;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  add(bytes: number): void {
    this.used += bytes;
    if (this.used > this.limits.maxVariableBytes) this.over('maxVariableBytes');
  }

  /** One string may not be longer than `maxStringBytes`. */
  checkString(length: number): void {
    if (length > this.limits.maxStringBytes) this.over('maxStringBytes');
  }

  over(name: LimitName): never {
    throw limitReached(name, this.limits[name]);
  }

  get maxFields(): number {
    return this.limits.maxFields;
  }
}

/** What an element costs beside its text. */
const ELEMENT = 64;

/** An associative array; its order is that of insertion. */
export class AwkArray {
  private readonly elements = new Map<string, Value>();
  private readonly holdings: Holdings;
  /** Counted in the holdings. */
  bytes = 0;

  constructor(holdings: Holdings) {
    this.holdings = holdings;
  }

  get size(): number {
    return this.elements.size;
  }

  has(key: string): boolean {
    return this.elements.has(key);
  }

  /** Naming an element makes it. */
  get(key: string): Value {
    const value = this.elements.get(key);
    if (value === undefined && !this.elements.has(key)) this.insert(key, undefined);
    return value;
  }

  set(key: string, value: Value): void {
    const before = this.elements.get(key);
    if (before === undefined && !this.elements.has(key)) {
      this.insert(key, value);
      return;
    }
    const kept = typeof value === 'number' ? value : this.keep(value);
    const grown = lengthOf(kept) - lengthOf(before);
    if (grown !== 0) this.count(grown);
    this.elements.set(key, kept);
  }

  delete(key: string): void {
    const value = this.elements.get(key);
    if (value === undefined && !this.elements.has(key)) return;
    this.elements.delete(key);
    this.count(-ELEMENT - key.length - lengthOf(value));
  }

  clear(): void {
    this.elements.clear();
    this.count(-this.bytes);
  }

  keys(): string[] {
    return [...this.elements.keys()];
  }

  private insert(key: string, value: Value): void {
    const kept = this.keep(value);
    this.count(ELEMENT + key.length + lengthOf(kept));
    this.elements.set(ownText(key), kept);
  }

  private keep(value: Value): Value {
    if (typeof value === 'string') return ownText(value);
    return value instanceof NumericString && value.text.length >= SHARED
      ? new NumericString(ownText(value.text), value.number)
      : value;
  }

  private count(bytes: number): void {
    this.bytes += bytes;
    this.holdings.add(bytes);
  }
}

function lengthOf(value: Value): number {
  return typeof value === 'string' ? value.length : value instanceof NumericString ? value.text.length : 0;
}

/** A part of a string at least this long is kept by V8 as a view of the whole, here a chunk of the input. */
const SHARED = 13;
const WORTH_COPYING = 8192;

/** The text on its own, so that an array of words does not hold on to all the input. */
function ownText(text: string): string {
  if (text.length < SHARED || text.length > WORTH_COPYING) return text;
  return Buffer.from(text, 'latin1').toString('latin1');
}
