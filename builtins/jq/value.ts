/** JSON values (RFC 8259) as jq orders, names and compares them. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** Keys in the order in which they came: an object of JavaScript would put numbers first. */
export type JsonObject = ReadonlyMap<string, Json>;

/** What `error` raises and `try` catches: made without a stack, for it is part of the language. */
export class JqError {
  readonly value: Json;
  constructor(value: Json) {
    this.value = value;
  }
}

export function fail(message: string): never {
  throw new JqError(message);
}

export type TypeName = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

export function typeOf(value: Json): TypeName {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object') return 'object';
  return typeof value as 'boolean' | 'number' | 'string';
}

export function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

export function isObject(value: Json): value is JsonObject {
  return value instanceof Map;
}

export function isTrue(value: Json): boolean {
  return value !== null && value !== false;
}

const RANK: Readonly<Record<TypeName, number>> = { null: 0, boolean: 1, number: 3, string: 4, array: 5, object: 6 };

function rank(value: Json): number {
  return value === true ? 2 : RANK[typeOf(value)];
}

/** null, false, true, numbers, strings, arrays, objects; objects by their sorted keys first. */
export function compare(a: Json, b: Json): number {
  if (typeof a === 'number' && typeof b === 'number') return a < b || Number.isNaN(a) ? -1 : a === b ? 0 : 1;
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  const byRank = rank(a) - rank(b);
  if (byRank !== 0) return byRank;
  if (isArray(a) && isArray(b)) return compareLists(a, b);
  return isObject(a) && isObject(b) ? compareObjects(a, b) : 0;
}

function compareLists(a: readonly Json[], b: readonly Json[]): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const order = compare(a[i] as Json, b[i] as Json);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareObjects(a: JsonObject, b: JsonObject): number {
  const keys = sortedKeys(a);
  const byKeys = compareLists(keys, sortedKeys(b));
  if (byKeys !== 0) return byKeys;
  for (const key of keys) {
    const order = compare(a.get(key) ?? null, b.get(key) ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

/** By code points, which is the order of the UTF-8 bytes; JavaScript's own puts U+E000 to U+FFFF last. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const one = a.charCodeAt(i);
    const other = b.charCodeAt(i);
    if (one === other) continue;
    const isHigh = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? 1 : 0);
    return isHigh(one) - isHigh(other) || one - other;
  }
  return a.length - b.length;
}

export function sortedKeys(object: JsonObject): string[] {
  return [...object.keys()].sort(compareStrings);
}

/** By a key worked out once for each. */
export function sortedBy(
  items: readonly { readonly value: Json; readonly key: Json }[],
): readonly { readonly value: Json; readonly key: Json }[] {
  return [...items].sort((a, b) => compare(a.key, b.key));
}
