/** The fuzzer itself: what it generates, that it finds what is wrong, and that a find can be seen again. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from '../../grammar/index.js';
import { type Find, tryProperty } from '../../src/fuzz/campaign.js';
import { caseOf } from '../../src/fuzz/case.js';
import { commandLines, wordsFor } from '../../src/fuzz/commands.js';
import { cover, newCoverage } from '../../src/fuzz/coverage.js';
import { fromJson, toJson } from '../../src/fuzz/find-json.js';
import { remediations } from '../../src/fuzz/idioms.js';
import { mutationsOf } from '../../src/fuzz/mutations.js';
import { parseFuzzWords } from '../../src/fuzz/options.js';
import { policies } from '../../src/fuzz/policies.js';
import { inMemory, NOTHING_GIVEN, type Property, usual } from '../../src/fuzz/property.js';
import { scripts } from '../../src/fuzz/scripts.js';
import { trees, USUAL_TREE } from '../../src/fuzz/trees.js';
import { defineBuiltin } from '../../src/index.js';
import { grantsOf } from '../../src/policy/policy.js';
import { parseCases } from '../support/casefile.js';

const many = <T>(arbitrary: fc.Arbitrary<T>, numRuns = 200): T[] => fc.sample(arbitrary, { numRuns, seed: 5 });

describe('what is generated', () => {
  it('is valid, almost valid, or hostile', () => {
    const share = (list: readonly string[]): number =>
      list.filter((text) => parse(text).problem === undefined).length / list.length;
    expect(share(many(scripts('valid')))).toBeGreaterThan(0.95);
    const almost = share(many(scripts('almost-valid')));
    expect(almost).toBeGreaterThan(0.3);
    expect(almost).toBeLessThan(0.95);
  });

  it('covers the language and the options', () => {
    const coverage = newCoverage();
    for (const text of many(scripts('valid'), 600)) cover(coverage, text);
    for (const text of many(commandLines(), 600)) cover(coverage, text);
    expect(coverage.rules.size).toBeGreaterThan(40);
    expect(coverage.options.size).toBeGreaterThan(150);
  });

  it('has names that are not UTF-8, links of both kinds and special files in its trees', () => {
    const all = many(trees({ special: true })).flatMap((tree) => Object.entries(tree));
    const has = (what: (path: string, entry: unknown) => boolean): boolean =>
      all.some(([path, entry]) => what(path, entry));
    expect(has((path) => !path.isWellFormed())).toBe(true);
    for (const key of ['symlink', 'hardlink', 'special', 'directory', 'mode']) {
      expect(
        has((_, entry) => typeof entry === 'object' && entry !== null && key in entry),
        key,
      ).toBe(true);
    }
  });

  it('is a policy that can be one', () => {
    for (const policy of many(policies)) expect(() => grantsOf(policy)).not.toThrow();
  });

  it('is made of idioms whose holes are filled', () => {
    for (const text of many(remediations)) expect(text).not.toMatch(/DIR|FILE|GLOB|\bN\b/);
  });

  it('is made of a corpus where there is one', () => {
    const made = many(mutationsOf(['echo corpus; rm f\n']));
    expect(made.filter((text) => text.includes('corpus')).length).toBeGreaterThan(100);
    expect(new Set(made).size).toBeGreaterThan(100);
  });
});

const greet = defineBuiltin({
  name: 'greet',
  summary: 'greet',
  usage: 'greet [-l] [-n COUNT]',
  needs: [],
  flags: { loud: { short: 'l', help: 'in capitals' }, count: { long: 'count', value: 'COUNT', help: 'so often' } },
  statuses: {},
  run: () => 0,
});

describe('a command line from a definition', () => {
  it('has its options, and none that it refuses when it is to be valid', async () => {
    const lines = many(commandLines([greet], { valid: true, operands: ['a'] }));
    expect(lines.some((text) => /-l/.test(text)) && lines.some((text) => /--count=/.test(text))).toBe(true);
    for (const script of lines) {
      const { result } = await inMemory(usual(script, {}), { ...NOTHING_GIVEN, builtins: [greet] });
      expect({ script, stderr: result.stderr }).toEqual({ script, stderr: '' });
    }
  });

  it('has some that it must refuse, else', () => {
    const words = many(wordsFor(greet)).flat();
    expect(words).toEqual(expect.arrayContaining(['--no-such-option', '-l']));
  });
});

/** Holds but for scripts that remove. */
const broken: Property = {
  name: 'broken',
  summary: 'nothing is called rm',
  needs: 'memory',
  arbitrary: () =>
    scripts('valid').map((script) => usual(script, { mode: 'remediation', allowedPaths: ['/box/rw:rw'] })),
  check: async ({ script }) => (/\brm [a-z]/.test(script) ? 'rm is called' : undefined),
};

describe('a find', () => {
  it('is made small, and can be seen again', async () => {
    const { find } = await tryProperty(broken, NOTHING_GIVEN, { seed: 3, runs: 200 });
    expect(find?.scenario.script).toMatch(/^rm \w$/);
    expect(Object.keys(find?.scenario.tree ?? {})).toEqual([]);
    const path = find?.path;
    const again = await tryProperty(broken, NOTHING_GIVEN, { seed: 3, runs: 200, path });
    expect(again.runs).toBe(1);
    expect(again.find?.scenario).toEqual(find?.scenario);
  });

  it('is a shell that throws, too', async () => {
    const throwing: Property = { ...broken, check: () => Promise.reject(new Error('out of order')) };
    const { runs, find } = await tryProperty(throwing, NOTHING_GIVEN, { seed: 3, runs: 9, shrinkMs: 0 });
    expect(runs).toBe(1);
    expect(find?.why).toContain('out of order');
  });

  it('is a row that the reader of rows takes', () => {
    const find: Find = {
      property: 'outside',
      why: 'a\nb',
      seed: 4,
      path: '1:2',
      scenario: {
        ...usual("cat /box/out/f\n--- 'x'", { mode: 'read-only' }),
        tree: { ...USUAL_TREE, '/box/rw/\udcff': Uint8Array.of(255) },
      },
    };
    // A worker tells the campaign in JSON, which has no bytes.
    expect(fromJson(toJson(find))).toEqual(find);
    expect(caseOf(fromJson(toJson(find)) as Find)).toBe(caseOf(find));
    const timed = { '/box/rw/f': { content: Buffer.from([255]), mtimeNs: 5n } };
    expect(fromJson(toJson(timed))).toEqual({ '/box/rw/f': { content: Uint8Array.of(255), mtimeNs: 5n } });
    const rows = parseCases(caseOf(find), 'find.cases');
    expect(rows['fuzz outside 4 1:2']).toMatchObject({
      script: "BASE=$PWD\ncd rw\ncat $BASE/out/f\n--- 'x'",
      policy: { mode: 'read-only' },
      files: { 'rw/\udcff': { hex: 'ff' }, 'rw/link': { symlink: 'f' }, 'rw/hard': { hardlink: 'out/twin' } },
    });
  });
});

describe('the command line', () => {
  it.each([
    [['--runs', 'x'], "--runs: 'x' is no number from 1 on"],
    [['--shard', '3'], "--shard: '3' is not I/N"],
    [['--shard', '5/4'], '--shard: there is no part 5 of 4'],
    [['--path', '1'], '--path: needs --seed'],
    [['--nonsense'], "Unknown option '--nonsense'"],
  ])('refuses %j', (words, message) => {
    const parsed = parseFuzzWords(words, 1);
    expect(parsed.kind === 'error' && parsed.message).toContain(message);
  });

  it('tries a thousand of each, where nothing else is said', () => {
    expect(parseFuzzWords([], 77)).toMatchObject({
      kind: 'run',
      request: { runs: 1000, seed: 77, shard: { index: 1, count: 1 } },
    });
    expect(parseFuzzWords(['--minutes', '0.5', '--property', 'a,b'], 77)).toMatchObject({
      request: { runs: undefined, minutes: 0.5, properties: ['a', 'b'] },
    });
  });
});
