/** Getting, setting and deleting at a path (`["a",0,{"start":1,"end":2}]`). */
import { compare, fail, isArray, isObject, type Json, typeOf } from './value.js';
import { described } from './write.js';

/** The highest index an array may be extended to: what is between is filled with null, and takes eight bytes each. */
const LAST_INDEX = 2 ** 23 - 1;

/** `value[key]`; what is not there is null. Throws JqError. */
export function getIndex(value: Json, key: Json): Json {
  if (typeof key === 'string') {
    if (isObject(value)) return value.get(key) ?? null;
    if (value === null) return null;
    return fail(`Cannot index ${typeOf(value)} with string "${key}"`);
  }
  if (typeof key === 'number') {
    if (value === null) return null;
    if (!isArray(value)) return fail(`Cannot index ${typeOf(value)} with number`);
    // A fraction is no index to read at, though one to write at.
    return Number.isInteger(key) ? (value[key < 0 ? key + value.length : key] ?? null) : null;
  }
  if (isObject(key)) {
    if (value === null || isArray(value) || typeof value === 'string') {
      return getSlice(value, key.get('start') ?? null, key.get('end') ?? null);
    }
  }
  if (isArray(key) && isArray(value)) return positionsOf(value, key);
  return fail(`Cannot index ${typeOf(value)} with ${typeOf(key)}`);
}

/** Where the items of `part` follow each other in `list`. */
export function positionsOf(list: readonly Json[], part: readonly Json[]): Json {
  if (part.length === 0) return null;
  const found: number[] = [];
  for (let at = 0; at + part.length <= list.length; at++) {
    if (part.every((item, i) => compare(list[at + i] as Json, item) === 0)) found.push(at);
  }
  return found;
}

export function getSlice(value: Json, from: Json, to: Json): Json {
  if (value === null) return null;
  if (typeof value !== 'string' && !isArray(value)) return fail(`Cannot index ${typeOf(value)} with object`);
  // Positions in a string are code points.
  const list = typeof value === 'string' ? Array.from(value) : value;
  const [start, end] = bounds(list.length, from, to);
  return typeof value === 'string' ? (list as string[]).slice(start, end).join('') : list.slice(start, end);
}

function bounds(length: number, from: Json, to: Json): readonly [number, number] {
  if ((from !== null && typeof from !== 'number') || (to !== null && typeof to !== 'number')) {
    return fail('Start and end indices of an array slice must be numbers');
  }
  const place = (index: number): number => Math.min(length, Math.max(0, index < 0 ? index + length : index));
  const start = Math.floor(place(from ?? 0));
  return [start, Math.max(start, Math.ceil(place(to ?? length)))];
}

export function getPath(value: Json, path: readonly Json[]): Json {
  let at = value;
  for (const key of path) {
    if (at === null) return null;
    at = getIndex(at, key);
  }
  return at;
}

/**
 * Containers that this update has made, and nobody else has seen: they are changed in place. A loop of updates over one
 * value copies each container once, not once for each.
 */
export type Owned = Set<Json>;

/** `value` with what `change` makes of the value at `path`. */
export function updatePath(
  value: Json,
  path: readonly Json[],
  change: (old: Json) => Json,
  owned: Owned,
  from = 0,
): Json {
  const key = path[from];
  if (key === undefined) return change(value);
  if (isObject(key) && (value === null || isArray(value))) {
    return updateSlice(value ?? [], key, (old) => updatePath(old, path, change, owned, from + 1));
  }
  const inner = updatePath(getIndex(value, key), path, change, owned, from + 1);
  return setIndex(value, key, inner, owned);
}

function setIndex(value: Json, key: Json, item: Json, owned: Owned): Json {
  if (typeof key === 'string' && (value === null || isObject(value))) {
    const object = (value !== null && owned.has(value) ? value : new Map(value)) as Map<string, Json>;
    object.set(key, item);
    owned.add(object);
    return object;
  }
  if (typeof key === 'number' && (value === null || isArray(value))) {
    const list = (value !== null && owned.has(value) ? value : [...(value ?? [])]) as Json[];
    let at = Math.floor(key);
    if (at < 0) at += list.length;
    if (at < 0) return fail('Out of bounds negative array index');
    if (at > LAST_INDEX) return fail('Array index too large');
    while (list.length < at) list.push(null);
    list[at] = item;
    owned.add(list);
    return list;
  }
  if (value !== null && typeof key === 'string') return fail(`Cannot index ${typeOf(value)} with "${key}"`);
  return fail(`Cannot update field at ${typeOf(key)} index of ${typeOf(value)}`);
}

function updateSlice(value: readonly Json[], key: ReadonlyMap<string, Json>, change: (old: Json) => Json): Json {
  const [start, end] = bounds(value.length, key.get('start') ?? null, key.get('end') ?? null);
  const inner = change(value.slice(start, end));
  if (!isArray(inner)) return fail('A slice of an array can only be assigned another array');
  return [...value.slice(0, start), ...inner, ...value.slice(end)];
}

/** `value` without what is at `paths`. The last go first, so that no index moves before its turn. */
export function deletePaths(value: Json, paths: readonly (readonly Json[])[]): Json {
  const order = [...paths].sort((a, b) => compare(b, a));
  // Siblings next to each other are taken out of their container in one go.
  let result = value;
  for (let i = 0; i < order.length; ) {
    const first = order[i] as readonly Json[];
    if (first.length === 0) return null;
    const parent = first.slice(0, -1);
    const keys: Json[] = [];
    for (; i < order.length && isChildOf(order[i] as readonly Json[], parent); i++)
      keys.push((order[i] as Json[]).at(-1) ?? null);
    if (getPath(result, parent) === null) continue;
    result = updatePath(result, parent, (old) => without(old, keys), new Set());
  }
  return result;
}

function isChildOf(path: readonly Json[], parent: readonly Json[]): boolean {
  return path.length === parent.length + 1 && parent.every((key, i) => compare(key, path[i] as Json) === 0);
}

function without(value: Json, keys: readonly Json[]): Json {
  if (value === null) return null;
  if (isObject(value)) {
    const object = new Map(value);
    for (const key of keys) {
      if (typeof key !== 'string') return fail(`Cannot delete field at object index of ${typeOf(value)}`);
      object.delete(key);
    }
    return object;
  }
  if (!isArray(value)) {
    const [key = null] = keys;
    return fail(
      `Cannot delete field at ${typeof key === 'string' ? 'object index of' : 'array index of'} ${typeOf(value)}`,
    );
  }
  const gone = new Set<number>();
  for (const key of keys) {
    if (typeof key === 'number') gone.add(Math.floor(key) < 0 ? Math.floor(key) + value.length : Math.floor(key));
    else if (isObject(key)) {
      const [start, end] = bounds(value.length, key.get('start') ?? null, key.get('end') ?? null);
      for (let at = start; at < end; at++) gone.add(at);
    } else return fail(`Cannot delete field at object index of array`);
  }
  return value.filter((_, at) => !gone.has(at));
}

export function pathOf(value: Json): readonly Json[] {
  return isArray(value) ? value : fail(`Path must be specified as an array`);
}

export function iterationProblem(value: Json): never {
  return fail(`Cannot iterate over ${described(value)}`);
}
