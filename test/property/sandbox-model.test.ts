/**
 * The sandbox against a model of it that fits on a page: random trees with links in and between roots and out of them, random
 * operations. Both agree on what is allowed; what lies outside stays as it was.
 */
import * as fs from 'node:fs';
import { join, posix } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isFsError } from '../../src/errors.js';
import type { Files } from '../../src/files/files.js';
import { removalBudget } from '../../src/files/files.js';
import { sandboxStore } from '../../src/sandbox/store.js';
import { describeTree, withTree } from '../support/tree.js';

const ROUNDS = Number(process.env['RMSH_PROPERTY_RUNS'] ?? 300);

type Node = 'directory' | 'file' | { readonly link: string };
type Access = 'ro' | 'rw';

/** Roots in each other in both orders; nothing is granted in `out` and at the top. */
const ROOTS: ReadonlyMap<string, Access> = new Map([
  ['/rw', 'rw'],
  ['/rw/ro', 'ro'],
  ['/ro', 'ro'],
  ['/ro/rw', 'rw'],
]);
const PLACES = ['/rw', '/rw/ro', '/ro', '/ro/rw', '/out'];
const LINKS = 40;

/** What the roots say of a tree, where `/` is the place that it is made in. */
class Model {
  readonly nodes = new Map<string, Node>();

  accessAt(path: string): Access | undefined {
    for (let at = path; ; at = posix.dirname(at)) {
      const access = ROOTS.get(at);
      if (access !== undefined || at === '/') return access;
    }
  }

  /**
   * Where a path ends, or undefined where it is refused or leads nowhere. `write`: no link on the way; `remove`: links to directories while
   * they lie in and lead into what may be changed. The last component is followed where `last` says so.
   */
  find(path: string, purpose: 'read' | 'write' | 'remove', last: boolean): string | undefined {
    const rest = path.split('/').reverse();
    let here = path.startsWith('/') ? '/' : '/rw';
    let links = 0;
    while (rest.length > 0) {
      const name = rest.pop() ?? '';
      if (name === '' || name === '.') continue;
      if (name === '..') {
        here = posix.dirname(here);
        continue;
      }
      const next = posix.join(here, name);
      const node = this.nodes.get(next);
      const final = rest.length === 0;
      if (this.accessAt(next) === undefined) here = next;
      else if (node === 'directory' || (final && (typeof node !== 'object' || !last))) here = next;
      else if (typeof node !== 'object') return undefined;
      else if (purpose === 'write' || ++links > LINKS) return undefined;
      else if (purpose === 'remove' && this.accessAt(here) !== 'rw') return undefined;
      else {
        rest.push(...node.link.split('/').reverse());
        if (node.link.startsWith('/')) here = '/';
      }
    }
    return this.accessAt(here) === undefined ? undefined : here;
  }

  allows(operation: Operation): boolean {
    const { kind, path } = operation;
    const at = this.find(
      path,
      kind === 'remove' ? 'remove' : kind === 'read' || kind === 'list' ? 'read' : 'write',
      kind === 'read' || kind === 'list',
    );
    if (at === undefined) return false;
    const node = this.nodes.get(at);
    if (kind === 'read') return node === 'file';
    if (kind === 'list') return node === 'directory';
    if (this.accessAt(at) !== 'rw') return false;
    if (kind === 'write') return node === 'file' || node === undefined;
    if (kind === 'mkdir' || kind === 'symlink') return node === undefined;
    return node === 'file' || typeof node === 'object';
  }

  apply({ kind, path, target }: Operation): void {
    const at = this.find(path, kind === 'remove' ? 'remove' : 'write', false);
    if (at === undefined) return;
    if (kind === 'remove') this.nodes.delete(at);
    else if (kind === 'mkdir') this.nodes.set(at, 'directory');
    else if (kind === 'symlink') this.nodes.set(at, { link: target });
    else if (kind === 'write') this.nodes.set(at, 'file');
  }
}

interface Operation {
  readonly kind: 'read' | 'list' | 'write' | 'remove' | 'mkdir' | 'symlink';
  readonly path: string;
  readonly target: string;
}

/** Answers whether the sandbox did it. */
function attempt(files: Files, base: string, { kind, path, target }: Operation): boolean | Promise<boolean> {
  const whole = path.startsWith('/') ? base + path : path;
  const act: Record<Operation['kind'], () => unknown> = {
    read: () => files.open(whole).close(),
    list: () => files.openDirectory(whole).close(),
    write: () => files.openWrite(whole, {}),
    remove: () => files.remove(whole),
    mkdir: () => files.mkdir(whole, 0o755),
    symlink: () => files.symlink(target.startsWith('/') ? base + target : target, whole),
  };
  const refused = (error: unknown): boolean => {
    if (!isFsError(error)) throw error;
    return false;
  };
  const done = (value: unknown): boolean => {
    if (kind === 'write') (value as { close(): void }).close();
    return true;
  };
  try {
    const result = act[kind]();
    return result instanceof Promise ? result.then(done, refused) : done(result);
  } catch (error) {
    return refused(error);
  }
}

const name = fc.constantFrom('a', 'b');
const below = fc.array(fc.oneof({ weight: 12, arbitrary: name }, { weight: 1, arbitrary: fc.constant('..') }), {
  minLength: 1,
  maxLength: 3,
});
const path = fc.oneof(
  below.map((names) => names.join('/')),
  fc.tuple(fc.constantFrom(...PLACES), below).map(([place, names]) => `${place}/${names.join('/')}`),
);
const plants = fc.array(
  fc.record({
    at: fc
      .tuple(fc.constantFrom(...PLACES), fc.array(name, { minLength: 1, maxLength: 2 }))
      .map(([place, names]) => `${place}/${names.join('/')}`),
    node: fc.oneof<fc.Arbitrary<Node>[]>(
      fc.constant('directory'),
      fc.constant('file'),
      fc.oneof(path, fc.constantFrom(...PLACES)).map((link) => ({ link })),
    ),
  }),
  { minLength: 10, maxLength: 25 },
);
const operations = fc.array(
  fc.record({
    kind: fc.constantFrom<Operation['kind']>('read', 'list', 'write', 'remove', 'mkdir', 'symlink'),
    path,
    target: path,
  }),
  { minLength: 10, maxLength: 25 },
);

it('a model of a page says what the sandbox does', { timeout: 180_000 }, async () => {
  const tally = { done: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(plants, operations, (planted, list) =>
      withTree({}, async (base) => {
        const model = new Model();
        for (const place of PLACES) {
          fs.mkdirSync(base + place, { recursive: true });
          model.nodes.set(place, 'directory');
        }
        for (const { at, node } of planted) {
          if (model.nodes.has(at) || model.nodes.get(posix.dirname(at)) !== 'directory') continue;
          model.nodes.set(at, node);
          if (node === 'directory') fs.mkdirSync(base + at);
          else if (node === 'file') fs.writeFileSync(base + at, at);
          else fs.symlinkSync(node.link.startsWith('/') ? base + node.link : node.link, base + at);
        }
        const kept = ['out', 'rw/ro'].map((kept) => join(base, kept));
        const before = kept.map(describeTree);
        const store = sandboxStore({
          mode: 'remediation',
          roots: [...ROOTS].map(([root, access]) => ({ path: base + root, writable: access === 'rw' })),
          budget: removalBudget(1000),
        });
        try {
          const cwd = `${base}/rw`;
          const files = store.for({ logicalCwd: cwd, physicalCwd: cwd, umask: 0o22, command: '', source: '', line: 0 });
          for (const operation of list) {
            const expected = model.allows(operation);
            expect(await attempt(files, base, operation), JSON.stringify({ operation, planted })).toBe(expected);
            if (expected) model.apply(operation);
            tally[expected ? 'done' : 'refused'] += 1;
          }
        } finally {
          store.close();
        }
        expect(kept.map(describeTree)).toEqual(before);
      }),
    ),
    { numRuns: ROUNDS },
  );
  console.log(`model: ${tally.done} operations done, ${tally.refused} refused`);
  expect(Math.min(tally.done, tally.refused)).toBeGreaterThan(ROUNDS);
});
