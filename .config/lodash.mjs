/**
 * What Chevrotain takes from lodash, in the language's own words. Real lodash is a third of the core of `dist/rmsh.js` and
 * half of the time in which the parser is made; Chevrotain hands it nothing but arrays, plain objects and functions. A test
 * compares each function here with lodash's own.
 */

/** The `iteratee` shorthands of lodash are not used: only functions come. */
const itself = (value) => value;
const listOf = (collection) =>
  collection == null ? [] : Array.isArray(collection) ? collection : Object.values(collection);

export const isArray = Array.isArray;
export const isUndefined = (value) => value === undefined;
export const isString = (value) => typeof value === 'string';
export const isFunction = (value) => typeof value === 'function';
export const isRegExp = (value) => value instanceof RegExp;
export const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
export const noop = () => undefined;
export const identity = itself;

export const has = (object, key) => object != null && Object.hasOwn(object, key);
export const keys = (object) => (object == null ? [] : Object.keys(object));
export const values = (object) => (object == null ? [] : Object.values(object));
export const assign = Object.assign;

export function isEmpty(value) {
  if (value == null) return true;
  if (Array.isArray(value) || typeof value === 'string') return value.length === 0;
  return typeof value !== 'object' || Object.keys(value).length === 0;
}

export function clone(value) {
  if (Array.isArray(value)) return value.slice();
  if (value === null || typeof value !== 'object') return value;
  return Object.assign(Object.create(Object.getPrototypeOf(value)), value);
}

export function defaults(object, ...sources) {
  for (const source of sources) {
    for (const key of keys(source)) if (object[key] === undefined) object[key] = source[key];
  }
  return object;
}

export function pickBy(object, wanted) {
  return Object.fromEntries(Object.entries(object).filter(([key, value]) => wanted(value, key)));
}

/** A callback that answers false ends it. */
export function forEach(collection, visit) {
  if (collection == null) return collection;
  if (Array.isArray(collection)) {
    for (let i = 0; i < collection.length; i++) if (visit(collection[i], i, collection) === false) break;
  } else {
    for (const key of Object.keys(collection)) if (visit(collection[key], key, collection) === false) break;
  }
  return collection;
}

export function map(collection, change = itself) {
  const result = [];
  forEach(collection, (value, key) => {
    result.push(change(value, key, collection));
  });
  return result;
}

export function reduce(collection, step, start) {
  let result = start;
  forEach(collection, (value, key) => {
    result = step(result, value, key, collection);
  });
  return result;
}

export function groupBy(collection, keyOf) {
  const groups = {};
  for (const value of listOf(collection)) {
    const key = keyOf(value);
    if (Object.hasOwn(groups, key)) groups[key].push(value);
    else groups[key] = [value];
  }
  return groups;
}

export const flatMap = (collection, change) => map(collection, change).flat();
export const includes = (collection, wanted) => listOf(collection).includes(wanted);
export const every = (collection, test = itself) => listOf(collection).every((value) => test(value));
export const some = (collection, test = itself) => listOf(collection).some((value) => test(value));
export const find = (collection, test) => listOf(collection).find((value) => test(value));
export const filter = (collection, test = itself) => listOf(collection).filter((value) => test(value));
export const reject = (collection, test) => listOf(collection).filter((value) => !test(value));

export const first = (list) => list?.[0];
export const last = (list) => list?.[list.length - 1];
export const indexOf = (list, wanted) => (list == null ? -1 : list.indexOf(wanted));
export const flatten = (list) => (list == null ? [] : list.flat());
export const compact = (list) => (list == null ? [] : list.filter(Boolean));
export const uniq = (list) => [...new Set(list)];
export const drop = (list, count = 1) => (list == null ? [] : list.slice(count));
export const dropRight = (list, count = 1) => (list == null ? [] : list.slice(0, Math.max(0, list.length - count)));
export const difference = (list, without) => list.filter((value) => !without.includes(value));

export const upperFirst = (text) => text.charAt(0).toUpperCase() + text.slice(1);
