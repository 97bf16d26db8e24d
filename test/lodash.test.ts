/** The functions that stand in for lodash's in the bundles do what lodash's do, on what Chevrotain gives them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { expect, it } from 'vitest';

type Functions = Readonly<Record<string, (...words: unknown[]) => unknown>>;

const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const ours = (await import(new URL('../.config/lodash.mjs', import.meta.url).href)) as Functions;
const theirs = (await import(pathToFileURL(join(modules, 'lodash-es/lodash.js')).href)) as Functions;

const value = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom('', 'a', 'b', undefined, null, true, false));
const list = fc.array(value, { maxLength: 6 });
const object = fc.dictionary(fc.constantFrom('a', 'b', 'c', '0', 'length2'), value);
const collection = fc.oneof(list, object, fc.constantFrom(undefined, null));
const lists = fc.array(fc.oneof(value, list), { maxLength: 5 });
const test = fc.func(fc.boolean());
/** Of the value alone: where lodash hands over the key as well, ours does not. */
const testOfValue = fc.constantFrom(
  Boolean,
  (one: unknown) => one === 'a',
  (one: unknown) => one === 1,
  () => true,
);
const change = fc.func(fc.oneof(value, list));

/** How each is called. */
const CALLS: Readonly<Record<string, fc.Arbitrary<unknown[]>>> = {
  isArray: fc.tuple(collection),
  isUndefined: fc.tuple(value),
  isString: fc.tuple(value),
  isFunction: fc.tuple(fc.oneof(value, test)),
  isRegExp: fc.tuple(fc.oneof(value, fc.constant(/x/))),
  isObject: fc.tuple(fc.oneof(value, collection, test)),
  noop: fc.tuple(value),
  identity: fc.tuple(value),
  has: fc.tuple(fc.oneof(object, list, fc.constant(undefined)), fc.constantFrom('a', 'b', '0', 'length', 'toString')),
  keys: fc.tuple(collection),
  values: fc.tuple(collection),
  assign: fc.tuple(object, object),
  isEmpty: fc.tuple(fc.oneof(collection, value)),
  clone: fc.tuple(fc.oneof(collection, value)),
  defaults: fc.tuple(object, object),
  pickBy: fc.tuple(object, test),
  forEach: fc.tuple(collection, fc.func(fc.constantFrom(false, undefined, true))),
  map: fc.tuple(collection, change),
  reduce: fc.tuple(collection, fc.func(value), value),
  groupBy: fc.tuple(collection, fc.func(fc.constantFrom('x', 'y', 'toString'))),
  flatMap: fc.tuple(collection, change),
  includes: fc.tuple(collection, value),
  every: fc.tuple(collection, testOfValue),
  some: fc.tuple(collection, testOfValue),
  find: fc.tuple(collection, testOfValue),
  filter: fc.tuple(collection, testOfValue),
  reject: fc.tuple(collection, testOfValue),
  first: fc.tuple(list),
  last: fc.tuple(list),
  indexOf: fc.tuple(list, value),
  flatten: fc.tuple(lists),
  compact: fc.tuple(list),
  uniq: fc.tuple(list),
  drop: fc.oneof(fc.tuple(list), fc.tuple(list, fc.nat(8))),
  dropRight: fc.oneof(fc.tuple(list), fc.tuple(list, fc.nat(8))),
  difference: fc.tuple(list, list),
  upperFirst: fc.tuple(fc.string()),
};

it('has every function that Chevrotain imports, and each is compared', () => {
  const wanted = new Set<string>();
  for (const folder of [
    'chevrotain/lib/src',
    ...readdirSync(join(modules, '@chevrotain')).map((name) => `@chevrotain/${name}/lib`),
  ]) {
    if (!existsSync(join(modules, folder))) continue; // types alone
    for (const entry of readdirSync(join(modules, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.endsWith('.js')) continue;
      const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
      for (const [, names = ''] of text.matchAll(/import \{([^}]*)\} from "lodash-es"/g)) {
        for (const name of names.split(',')) wanted.add(name.trim().replace(/ as .*/, ''));
      }
    }
  }
  wanted.delete('');
  expect(wanted.size).toBeGreaterThan(30);
  expect([...wanted].filter((name) => !(name in ours)).sort()).toEqual([]);
  expect(Object.keys(ours).sort()).toEqual(Object.keys(CALLS).sort());
});

it.each(Object.keys(CALLS))('%s', (name) => {
  fc.assert(
    fc.property(CALLS[name] ?? fc.constant([]), (words) => {
      // Each gets its own: some change what they are given.
      const copy = (): unknown[] => words.map((word) => (typeof word === 'function' ? word : structuredClone(word)));
      const [mine, other] = [copy(), copy()];
      const result = ours[name]?.(...mine);
      expect(result).toEqual(theirs[name]?.(...other));
      expect(mine).toEqual(other);
    }),
  );
});
