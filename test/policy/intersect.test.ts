/** The intersection of two policies allows nothing that one of them refuses. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFsError } from '../../src/errors.js';
import { removalBudget } from '../../src/files/files.js';
import { createShell, intersectPolicies, type Policy } from '../../src/index.js';
import { allowsCommand, grantsOf, HOST_COMMANDS } from '../../src/policy/policy.js';
import { sandboxStore } from '../../src/sandbox/store.js';
import { makeTree, withTree } from '../support/tree.js';

const TREE = { 'x/f': '', 'x/y/f': '', 'x/y/z/f': '', 'w/f': '', 'w/v/f': '' } as const;
const ROOTS = ['x', 'x/y', 'x/y/z', 'w', 'w/v', 'to-x', 'to-y', 'missing', '.'];
const PATHS = ['x/f', 'x/y/f', 'x/y/z/f', 'w/f', 'w/v/f', 'to-x/f', 'to-y/f', 'to-y/z/f'];
const COMMANDS = ['cat', 'ls', 'rm', 'gzip', 'gunzip', 'echo', 'ps', 'ss', 'nothing'];

const policy: fc.Arbitrary<Policy> = fc.record({
  mode: fc.constantFrom<'read-only' | 'remediation'>('read-only', 'remediation'),
  allowedPaths: fc.uniqueArray(
    fc.record({ path: fc.constantFrom(...ROOTS), access: fc.constantFrom<'ro' | 'rw'>('ro', 'rw') }),
    {
      selector: ({ path }) => path,
      maxLength: 5,
    },
  ),
  allowedCommands: fc.option(fc.subarray(COMMANDS), { nil: undefined }),
  allowHost: fc.boolean(),
  external: fc.subarray(['git', 'vi:ro', '/opt/tool']),
  env: fc.dictionary(fc.constantFrom('A', 'B'), fc.constantFrom('1', '2')),
  timeoutMs: fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined }),
  limits: fc.record({ maxJobs: fc.nat(9), maxRemovalsPerRun: fc.nat(9) }, { requiredKeys: [] }),
});

/** What may be done to the files of the tree, as the sandbox itself says it. */
function allowedIn(base: string, given: Policy): Set<string> {
  const grants = grantsOf(given, base);
  const store = sandboxStore({
    mode: grants.mode,
    roots: grants.allowedPaths.map(({ path, access }) => ({ path, writable: access === 'rw' })),
    budget: removalBudget(0),
  });
  const files = store.for({ logicalCwd: base, physicalCwd: base, umask: 0o22, command: '', source: '', line: 0 });
  const found = new Set<string>();
  const attempt = (what: string, act: () => { close(): void }): void => {
    try {
      act().close();
      found.add(what);
    } catch (error) {
      if (!isFsError(error)) throw error;
    }
  };
  for (const path of PATHS) {
    attempt(`read ${path}`, () => files.open(join(base, path)));
    attempt(`write ${path}`, () => files.openWrite(join(base, path), { create: false, append: true }));
  }
  store.close();
  return found;
}

const throughNoLink = (given: Policy): boolean =>
  (given.allowedPaths ?? []).every((root) => typeof root !== 'string' && !root.path.includes('to-'));

/** Grants that need no disk: more is worse in each of them. */
function others(given: Policy): { set: Set<string>; numbers: Record<string, number> } {
  const grants = grantsOf(given);
  return {
    set: new Set([
      grants.mode,
      ...[...COMMANDS, ...HOST_COMMANDS].filter((name) => allowsCommand(grants, name)).map((name) => `command ${name}`),
      ...[...grants.external.values()].map(({ name, path }) => `external ${name} ${path}`),
      ...[...grants.external.values()]
        .filter(({ readOnly }) => readOnly)
        .map(({ name }) => `external, reading ${name}`),
      ...[...grants.env].map(([name, value]) => `env ${name}=${value}`),
    ]),
    numbers: { ...grants.limits, timeoutMs: grants.timeoutMs ?? Number.POSITIVE_INFINITY },
  };
}

describe('the intersection of two policies', () => {
  it('allows what both allow, and nothing else', () =>
    withTree(TREE, (base) => {
      symlinkSync('x', join(base, 'to-x'));
      symlinkSync('x/y', join(base, 'to-y'));
      const whole = (given: Policy): Policy => ({
        ...given,
        allowedPaths: (given.allowedPaths ?? []).map((root) =>
          typeof root === 'string' ? root : { ...root, path: join(base, root.path) },
        ),
      });
      let some = 0;
      fc.assert(
        fc.property(policy.map(whole), policy.map(whole), (a, b) => {
          const both = intersectPolicies(a, b);
          const [files, ofA, ofB] = [allowedIn(base, both), allowedIn(base, a), allowedIn(base, b)];
          expect([...files].filter((one) => !ofA.has(one) || !ofB.has(one))).toEqual([]);
          some += files.size;
          const [mine, one, other] = [others(both), others(a), others(b)];
          const more = [...mine.set].filter(
            (grant) => grant !== 'read-only' && !(one.set.has(grant) && other.set.has(grant)),
          );
          expect(more).toEqual([]);
          for (const [name, value] of Object.entries(mine.numbers)) {
            expect(value).toBe(Math.min(one.numbers[name] ?? 0, other.numbers[name] ?? 0));
          }
          // And it takes nothing away from what both grant, but other names of a root: it has the directories that they lead to.
          const own = [...ofA].filter((one) => !one.includes('to-') && throughNoLink(a));
          expect([...allowedIn(base, intersectPolicies(a, a))]).toEqual(expect.arrayContaining(own));
        }),
        { numRuns: 150 },
      );
      expect(some).toBeGreaterThan(20);
    }));
});

describe('a root that cannot be opened', () => {
  it('is skipped, and said once; the others work', () =>
    withTree({ 'a/f': 'x\n' }, async (base) => {
      const shell = createShell({ allowedPaths: [join(base, 'none'), join(base, 'a'), '/proc', '/dev/null'] });
      const result = await shell.run(`cat ${base}/a/f; cat ${base}/none/f; (cat ${base}/none/f); cat /proc/version`);
      expect(result.stdout).toBe('x\n');
      expect(result.warnings).toEqual([
        `cannot use root '${base}/none': No such file or directory`,
        "cannot use root '/proc': Permission denied",
        expect.stringContaining("cannot use root '/dev/null'"),
      ]);
      expect(result.stderr.match(/Permission denied/g)).toHaveLength(3);
    }));
});

describe('help', () => {
  it('shows what is granted', () =>
    withTree({}, async (base) => {
      makeTree(base, { 'ro/f': '' });
      mkdirSync(join(base, 'rw'));
      const shell = createShell({
        mode: 'remediation',
        allowedPaths: [`${base}/ro`, `${base}/rw:rw`],
        allowedCommands: ['cat', 'rm'],
        limits: { maxJobs: 3, maxRemovalsPerRun: 5 },
        timeoutMs: 60_000,
      });
      const { stdout } = await shell.run(`: > ${base}/rw/x; rm ${base}/rw/x; help`);
      for (const line of [
        'Mode: remediation',
        `  ro  ${base}/ro`,
        `  rw  ${base}/rw`,
        'Removals: 1 made, 4 of 5 left; at most 10 files a command',
        'Commands: only cat rm',
        'maxJobs=3',
        'Time: 60 s',
      ]) {
        expect(stdout).toContain(line);
      }
      expect((await createShell({}).run('help')).stdout).toContain(
        'Mode: read-only (no file is changed)\nPaths:\n  none\n',
      );
    }));
});
