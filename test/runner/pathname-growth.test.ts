/** Pathname expansion asks the file system in proportion to what there is and what the pattern names: counted, not timed. */
import { describe, expect, it } from 'vitest';
import type { PatternOption } from '../../src/expansion/host.js';
import { expandPathname, type PathnameHost } from '../../src/expansion/pathnames.js';
import type { Directory, DirectoryEntry, FileStat } from '../../src/files/files.js';
import { LIMITS, type Limits } from '../../src/limits.js';

/** The entries of a directory, by its path. The name of a directory begins with `d`. */
type Tree = (path: string) => readonly string[];

const isDirectory = (path: string): boolean => path.slice(path.lastIndexOf('/') + 1).startsWith('d');

interface Counted {
  readonly found: number;
  /** Directories opened, entries listed and single names asked for, together. */
  readonly steps: number;
}

const limits = Object.fromEntries(Object.entries(LIMITS).map(([name, { value }]) => [name, value])) as Limits & object;

function expand(tree: Tree, pattern: string, options: readonly PatternOption[] = []): Counted {
  let steps = 0;
  const stat = (path: string): FileStat | undefined => {
    steps += 1;
    return { kind: isDirectory(path.replace(/\/$/, '')) ? 'directory' : 'file' } as FileStat;
  };
  const host: PathnameHost = {
    patternOption: (name) => options.includes(name),
    patternNesting: 0,
    ignoredPathnames: undefined,
    limits,
    tick: () => undefined,
    fs: {
      tryStat: stat,
      tryLstat: stat,
      openDirectory(path) {
        steps += 1;
        const at = path.replace(/\/$/, '');
        // What is no directory has nothing in it.
        const names = at === '.' || isDirectory(at) ? tree(at) : [];
        const entries = (): DirectoryEntry[] => {
          steps += names.length;
          return names.map((name) => ({ name, kind: isDirectory(name) ? 'directory' : 'file' }));
        };
        return { entries, close: () => {} } as unknown as Directory;
      },
    },
  };
  const out: string[] = [];
  expect(expandPathname(host, pattern, pattern, out)).toBe(undefined);
  return { found: out.length, steps };
}

const numbered = (letter: string, n: number): string[] => Array.from({ length: n }, (_, i) => `${letter}${i}`);
const depthOf = (path: string): number => (path === '.' || path === '' ? 0 : path.split('/').length);

/** What each makes of `n`: its own tree and pattern. */
const GROWING: Readonly<Record<string, (n: number) => Counted>> = {
  'many entries': (n) => expand(() => numbered('f', n), '*'),
  'many entries, of which none matches': (n) => expand(() => numbered('f', n), '*a*b*c'),
  'many entries and a slash': (n) => expand(() => numbered('d', n), '*/'),
  'many directories': (n) =>
    expand((path) => numbered(depthOf(path) === 0 ? 'd' : 'f', depthOf(path) === 0 ? n : 3), '*/*'),
  'many directories, of which none has the name': (n) =>
    expand((path) => (depthOf(path) === 0 ? numbered('d', n) : ['f']), '*/[x]'),
  'names behind many directories': (n) => expand(() => numbered('d', n), '*/dx/dy/dz/f'),
  'a long chain of directories': (n) =>
    expand((path) => (depthOf(path) < n ? ['d'] : []), Array(n).fill('*').join('/')),
  'a chain that is shorter than the pattern': (n) =>
    expand((path) => (depthOf(path) < n / 2 ? ['d', 'f'] : []), Array(n).fill('*').join('/')),
  'a chain with files beside it': (n) =>
    expand((path) => (depthOf(path) < n ? ['d', 'f', 'g'] : []), Array(n).fill('*').join('/')),
  'everything below a chain': (n) => expand((path) => (depthOf(path) < n ? ['d', 'f'] : []), '**', ['globstar']),
  'everything below many directories': (n) =>
    expand((path) => (depthOf(path) === 0 ? numbered('d', n) : ['f']), '**/f', ['globstar']),
  'two of these in a row': (n) => expand((path) => (depthOf(path) < n ? ['d', 'f'] : []), '**/**/**', ['globstar']),
  'a pattern without any': (n) => expand(() => [], `${'d/'.repeat(n)}[x]`),
};

describe('pathname expansion', () => {
  it.each(Object.entries(GROWING))('%s: four times as much takes four times the steps', (_, grown) => {
    const small = grown(100);
    const large = grown(400);
    expect(large.steps).toBeLessThanOrEqual(4 * small.steps + 8);
    expect(large.found).toBeGreaterThanOrEqual(small.found);
  });

  it('counts, and would see growth that is not linear', () => {
    expect(expand(() => numbered('f', 100), '*')).toEqual({ found: 100, steps: 101 });
    // One directory in each of many, and all of them in each again.
    const square = (n: number): number => expand((path) => (depthOf(path) < 2 ? numbered('d', n) : []), '*/*').steps;
    expect(square(40)).toBeGreaterThan(10 * square(10));
  });
});
