import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { mv } from '../../builtins/mv.js';
import { removalBudget } from '../../src/files/files.js';
import { makeTree, snapshot, type Tree } from '../support/builtin-tree.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';

const tree: Tree = {
  a: 'a\n',
  b: 'b\n',
  h: { hardlink: 'a' },
  old: { content: 'o', mtime: 1577934245 },
  'd/sub': { dir: true },
  'd/a': 'c\n',
  e: { dir: true },
  'full/e/x': 'x',
  'f/a/x': 'x',
  la: { symlink: 'a' },
  dl: { symlink: 'gone' },
  ld: { symlink: 'd' },
  p: { fifo: true },
};

withGnu('mv', COREUTILS, () => {
  gnuRows(
    mv,
    [
      '',
      'a',
      '-t',
      '-t d',
      'gone x',
      'a a',
      'a ./a',
      'a h',
      'a d',
      'b d/gone/x',
      'a b gone',
      'a b p',
      'd d/sub/x',
      'd d',
      '-v b x',
      '-n b a',
      '-nv b a x',
      '-u b old',
      '-uv old b',
      '-u old x',
      '-uT d e',
      '-nf b a',
      '-fn b a',
      'd b',
      '-T a d',
      '-T d e',
      '-T d d2',
      '-vt d a b',
      '-t gone a',
      '-t a b',
      '-T a b c',
      'la x',
      'dl e',
      'a/ x',
      'd/ d9',
      'e full',
      ['', 'x'],
      ['a', ''],
      'f/a d',
      '-f b x',
      '-x',
      'd/a a e',
      'p e',
      '--no-target-directory a b',
      '--target-directory=e b --verbose',
    ],
    { tree, writes: true, unordered: true },
  );
});

describe('mv', () => {
  it('does not move through a link', async () => {
    const cwd = makeTree(tree);
    const result = await runBuiltin(mv, ['b', 'ld'], { cwd });
    expect(result.stderr).toBe("mv: cannot move 'b' to 'ld/b': symlinks are not supported as write targets\n");
    expect(snapshot(cwd)).toEqual(snapshot(makeTree(tree)));
  });

  it('charges each name of a file that it takes away, and stops when the budget is spent', async () => {
    const cwd = makeTree({ 'x/1': 'new', 'x/2': 'new', 'x/3': 'new', 1: 'old', 2: 'old', 3: 'old' });
    const budget = removalBudget(1);
    const result = await runBuiltin(mv, ['-v', 'x/1', 'x/2', 'x/3', '.'], { cwd, budget });
    expect(result).toMatchObject({
      stdout: "renamed 'x/1' -> './1'\n",
      stderr: "mv: cannot move 'x/2' to './2': run-wide budget of 1 file removals is exhausted\n",
      status: 1,
    });
    expect(snapshot(cwd)).toContain('2 644 1 "old"');
  });

  const other = '/dev/shm';
  const twoFileSystems = existsSync(other) && statSync(other).dev !== statSync(tmpdir()).dev;
  it.skipIf(!twoFileSystems)('moves between file systems by copying', async () => {
    const cwd = makeTree({ a: 'x' });
    const to = `${other}/rmsh-mv-${process.pid}`;
    const roots = [cwd, other].map((path) => ({ path, writable: true }));
    try {
      const budget = removalBudget(5);
      const result = await runBuiltin(mv, ['a', to], { cwd, roots, budget });
      expect(result).toMatchObject({ stderr: '', status: 0 });
      expect(readFileSync(to, 'utf8')).toBe('x');
      expect(snapshot(cwd)).toEqual([]);
      expect(budget.used).toBe(1);
    } finally {
      rmSync(to, { force: true });
    }
  });
});
