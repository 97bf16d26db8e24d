/** Functions of jq that make one value of their input and the values of their arguments. */

import type { Look } from '../../src/steps.js';
import { codePoints } from '../../src/text/bytes.js';
import { mapParts, worked } from '../../src/text/work.js';
import { textOf } from './formats.js';
import { add, split, weigh } from './operators.js';
import { deletePaths, getIndex, iterationProblem, pathOf, positionsOf, updatePath } from './paths.js';
import { ReadProblem, readOne } from './read.js';
import { matchObjects, splitBy, test } from './text-functions.js';
import { compare, fail, isArray, isObject, isTrue, type Json, sortedKeys, typeOf } from './value.js';
import { described, write } from './write.js';

/** A string that is put together is put together in pieces of so many units. */
const PIECE = 1 << 16;

type ValueFunction = (input: Json, given: readonly Json[], maxLength: number, look: Look) => Json;

const text = (value: Json, what: string): string => (typeof value === 'string' ? value : fail(what));

function list(value: Json, what: string): readonly Json[] {
  return isArray(value) ? value : fail(`${described(value)} ${what}`);
}

const sortable = (value: Json): readonly Json[] => list(value, 'cannot be sorted, as it is not an array');

function number(value: Json): number {
  return typeof value === 'number' ? value : fail(`${described(value)} number required`);
}

function itemsOf(value: Json): readonly Json[] {
  if (isArray(value)) return value;
  return isObject(value) ? [...value.values()] : iterationProblem(value);
}

function reverse(value: Json): Json {
  if (isArray(value)) return [...value].reverse();
  return lengthOf(value) === 0 ? [] : fail(`Cannot index ${typeOf(value)} with number`);
}

function lengthOf(value: Json): Json {
  if (typeof value === 'string') return codePoints(value);
  if (isArray(value)) return value.length;
  if (isObject(value)) return value.size;
  if (typeof value === 'number') return Math.abs(value);
  return value === null ? 0 : fail(`${described(value)} has no length`);
}

function keysOf(value: Json, sorted: boolean): Json {
  if (isArray(value)) return value.map((_, i) => i);
  if (!isObject(value)) return fail(`${described(value)} has no keys`);
  return sorted ? sortedKeys(value) : [...value.keys()];
}

/** `test(re)` takes `[re, flags]` too. */
function formOf(pattern: Json): Json {
  if (typeof pattern === 'string' || (isArray(pattern) && pattern.length > 0)) return pattern;
  return fail(`${typeOf(pattern)} not a string or array`);
}

function has(value: Json, key: Json): boolean {
  if (isObject(value) && typeof key === 'string') return value.has(key);
  if (isArray(value) && typeof key === 'number') return key >= 0 && key < value.length;
  if (value === null && key === null) return false;
  return fail(`Cannot check whether ${typeOf(value)} has a ${typeof key === 'string' ? 'string' : typeOf(key)} key`);
}

function contains(value: Json, part: Json): boolean {
  if (isObject(value) && isObject(part)) {
    for (const [key, inner] of part) {
      const own = value.get(key);
      if (own === undefined || !sameKind(own, inner) || !contains(own, inner)) return false;
    }
    return true;
  }
  if (isArray(value) && isArray(part))
    return part.every((inner) => value.some((own) => sameKind(own, inner) && contains(own, inner)));
  if (typeof value === 'string' && typeof part === 'string') return value.includes(part);
  if (sameKind(value, part)) return compare(value, part) === 0;
  return fail(`${described(value)} and ${described(part)} cannot have their containment checked`);
}

function sameKind(a: Json, b: Json): boolean {
  return typeOf(a) === typeOf(b);
}

function toNumber(value: Json): Json {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return fail(`${described(value)} cannot be parsed as a number`);
  const parsed = readOne(value);
  if (parsed instanceof ReadProblem) return fail(`${parsed.message} (while parsing '${value}')`);
  return parsed;
}

function fromJson(value: Json): Json {
  if (typeof value !== 'string') return fail(`${described(value)} only strings can be parsed`);
  const parsed = readOne(value);
  return parsed instanceof ReadProblem ? fail(`${parsed.message} (while parsing '${value}')`) : parsed;
}

/** Without going deeper for each level, and each item once. */
function flatten(value: Json, depth: Json): Json {
  if (typeof depth === 'number' && depth < 0) return fail('flatten depth must not be negative');
  const flat: Json[] = [];
  const into = (items: readonly Json[], left: number): void => {
    for (const item of items) {
      if (isArray(item) && left > 0) into(item, left - 1);
      else flat.push(item);
    }
  };
  const items = isArray(value) ? value : isObject(value) ? [...value.values()] : iterationProblem(value);
  into(items, number(depth));
  return flat;
}

/** Sums are built up in place: adding each to the last would copy it every time. */
function addAll(value: Json, maxLength: number): Json {
  const items = isArray(value) ? value : isObject(value) ? [...value.values()] : iterationProblem(value);
  const present = items.filter((item) => item !== null);
  if (present.length > 1 && present.every(isArray)) return present.flat() as Json[];
  if (present.length > 1 && present.every(isObject)) return new Map(present.flatMap((one) => [...one]));
  return items.reduce((sum: Json, item) => add(sum, item, maxLength), null);
}

function join(value: Json, separator: Json, maxLength: number): Json {
  let joined: Json = '';
  let isFirst = true;
  for (const item of itemsOf(value)) {
    if (!isFirst) joined = add(joined, separator, maxLength);
    isFirst = false;
    worked(16);
    const word = typeof item === 'boolean' || typeof item === 'number' ? write(item) : (item ?? '');
    joined = add(joined, word, maxLength);
  }
  return joined;
}

function indices(value: Json, part: Json): Json {
  if (typeof value === 'string' && typeof part === 'string') {
    if (part === '') return null;
    const found: number[] = [];
    // In bytes: so has jq always counted.
    let counted = 0;
    let bytes = 0;
    for (let at = value.indexOf(part); at >= 0; at = value.indexOf(part, at + 1)) {
      bytes += Buffer.byteLength(value.slice(counted, at));
      counted = at;
      found.push(bytes);
    }
    return found;
  }
  if (isArray(value)) return positionsOf(value, isArray(part) ? part : [part]);
  return getIndex(value, part);
}

const one = (found: Json, at: number): Json => getIndex(found, at);

function unique(sorted: readonly Json[]): Json[] {
  return sorted.filter((item, i) => i === 0 || compare(sorted[i - 1] as Json, item) !== 0);
}

function toEntries(value: Json): Json {
  if (!isObject(value) && !isArray(value)) return fail(`${described(value)} has no keys`);
  return [...value.entries()].map(
    ([key, inner]: readonly [Json, Json]) =>
      new Map<string, Json>([
        ['key', key],
        ['value', inner],
      ]),
  );
}

const KEY_NAMES = ['key', 'Key', 'name', 'Name'];

function fromEntries(value: Json): Json {
  const object = new Map<string, Json>();
  for (const entry of itemsOf(value)) {
    if (entry !== null && !isObject(entry)) return fail(`Cannot index ${typeOf(entry)} with string "key"`);
    const keys = KEY_NAMES.map((name) => entry?.get(name) ?? null);
    const key = keys.find(isTrue) ?? keys.at(-1) ?? null;
    if (typeof key !== 'string') return fail(`Cannot use ${described(key)} as object key`);
    object.set(key, (entry?.has('value') ? entry.get('value') : entry?.get('Value')) ?? null);
  }
  return object;
}

function transpose(value: Json): Json {
  const rows = list(value, 'cannot be iterated over').map((row) => list(row, 'cannot be iterated over'));
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return Array.from({ length: width }, (_, i) => rows.map((row) => row[i] ?? null));
}

function implode(value: Json): Json {
  const points = isArray(value) ? value : fail('implode input must be an array');
  const pieces: string[] = [];
  let result = '';
  for (const point of points) {
    if (typeof point !== 'number' || !(point >= 0 && point <= 0x10ffff))
      return fail('Unicode codepoint must be numeric');
    result += String.fromCodePoint(Math.floor(point));
    worked(4);
    if (result.length > PIECE) {
      pieces.push(result);
      result = '';
    }
  }
  return (pieces.join('') + result).toWellFormed();
}

function affix(value: Json, part: Json, side: 'startsWith' | 'endsWith'): boolean {
  const what = side === 'startsWith' ? 'startswith()' : 'endswith()';
  if (typeof value !== 'string' || typeof part !== 'string') return fail(`${what} requires string inputs`);
  return value[side](part);
}

/** ISO 8601, of the one form that jq knows. */
function fromDate(value: Json): Json {
  const time = text(value, `strptime/1 requires string inputs and arguments`);
  const found = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/.test(time) ? Date.parse(time) : Number.NaN;
  return Number.isNaN(found) ? fail(`date "${time}" does not match format "%Y-%m-%dT%H:%M:%SZ"`) : found / 1000;
}

function toDate(value: Json): Json {
  const seconds = typeof value === 'number' ? value : fail('strftime/1 requires parsed datetime inputs');
  const date = new Date(Math.floor(seconds) * 1000);
  return Number.isNaN(date.getTime()) ? fail('the time is out of range') : `${date.toISOString().slice(0, 19)}Z`;
}

const upTo = (items: readonly Json[], sign: number): Json =>
  items.length === 0
    ? null
    : items.reduce((best, item) => (compare(item, best) * sign > (sign > 0 ? -1 : 0) ? item : best));

const letters = (value: Json, form: RegExp, shift: number): Json =>
  mapParts(text(value, 'explode input must be a string'), (part) =>
    part.replace(form, (letter) => String.fromCharCode(letter.charCodeAt(0) + shift)),
  );

const math =
  (f: (value: number) => number): ValueFunction =>
  (input) =>
    f(number(input));

/** By name and number of arguments. */
export const VALUE_FUNCTIONS: Readonly<Record<string, ValueFunction>> = {
  'not/0': (input) => !isTrue(input),
  'length/0': lengthOf,
  'utf8bytelength/0': (input) =>
    typeof input === 'string'
      ? Buffer.byteLength(input)
      : fail(`${described(input)} only strings have UTF-8 byte length`),
  'keys/0': (input) => keysOf(input, true),
  'keys_unsorted/0': (input) => keysOf(input, false),
  'has/1': (input, [key = null]) => has(input, key),
  'in/1': (input, [object = null]) => has(object, input),
  'contains/1': (input, [part = null]) => contains(input, part),
  'inside/1': (input, [whole = null]) => contains(whole, input),
  'type/0': typeOf,
  'tostring/0': textOf,
  'tonumber/0': toNumber,
  'tojson/0': (input) => write(input),
  'fromjson/0': fromJson,
  'add/0': (input, _, maxLength) => addAll(input, maxLength),
  'flatten/0': (input) => flatten(input, Number.POSITIVE_INFINITY),
  'flatten/1': (input, [depth = null]) => flatten(input, depth),
  'reverse/0': reverse,
  'sort/0': (input) => [...sortable(input)].sort(compare),
  'unique/0': (input) => {
    const items = [...itemsOf(input)];
    if (isArray(input)) return unique(items.sort(compare));
    const keys = items.map((item) => [item]);
    return fail(`${described(input)} and ${described(keys)} cannot be sorted, as they are not both arrays`);
  },
  'min/0': (input) => upTo(list(input, `and ${described(input)} cannot be iterated over`), -1),
  'max/0': (input) => upTo(list(input, `and ${described(input)} cannot be iterated over`), 1),
  'join/1': (input, [separator = null], maxLength) => join(input, separator, maxLength),
  'split/1': (input, [separator = null]) =>
    typeof input === 'string' && typeof separator === 'string'
      ? split(input, separator)
      : fail('split input and separator must be strings'),
  'split/2': (input, [pattern = null, flags = null], _, look) => splitBy(input, pattern, flags, look),
  'test/1': (input, [pattern = null], _, look) => test(input, formOf(pattern), null, look),
  'test/2': (input, [pattern = null, flags = null], _, look) => test(input, pattern, flags, look),
  '_match/1': (input, [pattern = null], _, look) => matchObjects(input, formOf(pattern), null, look),
  '_match/2': (input, [pattern = null, flags = null], _, look) => matchObjects(input, pattern, flags, look),
  'ascii_downcase/0': (input) => letters(input, /[A-Z]/g, 32),
  'ascii_upcase/0': (input) => letters(input, /[a-z]/g, -32),
  'explode/0': (input, _, maxLength) => {
    const exploded = text(input, 'explode input must be a string');
    weigh(codePoints(exploded), maxLength);
    return Array.from(exploded, (letter) => {
      worked(16);
      return letter.codePointAt(0) ?? 0;
    });
  },
  'implode/0': implode,
  'ltrimstr/1': (input, [part = null]) =>
    typeof input === 'string' && typeof part === 'string' && input.startsWith(part) ? input.slice(part.length) : input,
  'rtrimstr/1': (input, [part = null]) =>
    typeof input === 'string' && typeof part === 'string' && part !== '' && input.endsWith(part)
      ? input.slice(0, -part.length)
      : input,
  'startswith/1': (input, [part = null]) => affix(input, part, 'startsWith'),
  'endswith/1': (input, [part = null]) => affix(input, part, 'endsWith'),
  'indices/1': (input, [part = null]) => indices(input, part),
  'index/1': (input, [part = null]) => one(indices(input, part), 0),
  'rindex/1': (input, [part = null]) => one(indices(input, part), -1),
  'to_entries/0': toEntries,
  'from_entries/0': fromEntries,
  'transpose/0': transpose,
  'setpath/2': (input, [path = null, value = null]) => updatePath(input, pathOf(path), () => value, new Set()),
  'delpaths/1': (input, [paths = null]) =>
    deletePaths(input, list(paths, 'Paths must be specified as an array').map(pathOf)),
  'floor/0': math(Math.floor),
  'ceil/0': math(Math.ceil),
  'round/0': math((value) => (value < 0 ? -Math.round(-value) : Math.round(value))),
  'trunc/0': math(Math.trunc),
  'fabs/0': math(Math.abs),
  'sqrt/0': math(Math.sqrt),
  'exp/0': math(Math.exp),
  'exp2/0': math((value) => 2 ** value),
  'exp10/0': math((value) => 10 ** value),
  'log/0': math(Math.log),
  'log2/0': math(Math.log2),
  'log10/0': math(Math.log10),
  'pow/2': (_, [base = null, power = null]) => number(base) ** number(power),
  'infinite/0': () => Number.POSITIVE_INFINITY,
  'nan/0': () => Number.NaN,
  'isinfinite/0': (input) => Math.abs(number(input)) === Number.POSITIVE_INFINITY,
  'isnan/0': (input) => Number.isNaN(number(input)),
  'isnormal/0': (input) => Number.isFinite(number(input)) && Math.abs(number(input)) >= 2 ** -1022,
  'fromdate/0': fromDate,
  'fromdateiso8601/0': fromDate,
  'todate/0': toDate,
  'todateiso8601/0': toDate,
};

/** The function of that name and number of arguments; a name that the parser let through is there. */
export function valueFunction(key: string): ValueFunction {
  const found = VALUE_FUNCTIONS[key];
  if (found === undefined) throw new Error(`jq: ${key} is not there`);
  return found;
}
