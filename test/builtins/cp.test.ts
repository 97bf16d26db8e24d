import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cp } from '../../builtins/cp.js';
import { removalBudget } from '../../src/files/files.js';
import { makeTree, snapshot, type Tree } from '../support/builtin-tree.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';

const tree: Tree = {
  a: 'a\n',
  b: { content: 'b\n', mode: 0o640 },
  suid: { content: 's', mode: 0o4755 },
  'd/sub': { dir: true },
  'd/a': 'c\n',
  'd/ll': { symlink: '../a' },
  e: { dir: true },
  'f/a/x': 'x',
  closed: { dir: true, mode: 0o500 },
  la: { symlink: 'a' },
  dl: { symlink: 'gone' },
  ld: { symlink: 'd' },
  old: { content: 'o', mtime: 1577934245 },
};

withGnu('cp', COREUTILS, () => {
  gnuRows(
    cp,
    [
      '',
      'a',
      '-t d',
      'a x',
      'a a',
      'a ./a',
      'a b',
      'd x',
      'd a x',
      'a b gone',
      '-v a b e',
      '-r d d2',
      '-rv d e',
      '-n b a',
      '-nv b a x',
      'gone x',
      'la x',
      '-r la y',
      'dl z',
      'a dl',
      '-r dl z',
      'a gone/x',
      '-T a d',
      '-T d a',
      '-rT d a',
      '-rT d e',
      '-p b bb',
      'b a/',
      'a d/',
      '-r d/. e',
      '-r f/a d',
      '-r d/a f',
      'a d/a e',
      ['', 'x'],
      ['a', ''],
      '-t a b',
      '-t gone b',
      '-T a b c',
      '-tT a',
      '-t e -T a',
      'suid s',
      '-p suid s',
      '-r closed c2',
      '-r ld l3',
      '-rvn d e',
      '--remove-destination -v b a',
      '--recursive --no-clobber --verbose --target-directory=e d a',
    ],
    { tree, writes: true, unordered: true },
  );
});

async function run(
  words: string,
  options: { readonly budget?: ReturnType<typeof removalBudget>; slow?: boolean } = {},
) {
  const cwd = makeTree(tree);
  const result = await runBuiltin(cp, words.split(' '), { cwd, ...options });
  return { ...result, files: snapshot(cwd) };
}

describe('cp', () => {
  it('does not copy a directory into itself', async () => {
    for (const words of ['-r d d', '-r d d/sub/x', '-r ld/ d/x', '-r . d/x']) {
      const result = await run(words);
      expect(result.stderr).toMatch(/^cp: cannot copy a directory, '.*', into itself, 'd\/.*'\n$/);
      expect(result.files).toEqual(snapshot(makeTree(tree)));
    }
  });

  it('charges what it removes first, and stops at once when the budget is spent', async () => {
    const budget = removalBudget(1);
    const result = await run('--remove-destination a b d/a e/../suid f/..', { budget });
    expect(result.status).toBe(1);
    expect(budget.used).toBeLessThanOrEqual(1);
    const spent = await run('--remove-destination -t e/.. d/a f/a/x old', { budget: removalBudget(0) });
    expect(spent.stderr).toBe("cp: cannot remove 'e/../a': run-wide budget of 0 file removals is exhausted\n");
    expect(spent.files.some((line) => line.startsWith('x '))).toBe(false);
  });

  it('does not write through links', async () => {
    const result = await run('b la');
    expect(result.stderr).toBe("cp: cannot create regular file 'la': symlinks are not supported as write targets\n");
    expect(result.files).toContain('a 644 1 "a\\n"');
  });

  it('keeps times with -p', async () => {
    const cwd = makeTree(tree);
    await runBuiltin(cp, ['-p', 'old', 'new'], { cwd });
    expect(statSync(`${cwd}/new`).mtimeMs).toBe(1577934245000);
  });

  it('copies large files, also where everything waits', async () => {
    const cwd = makeTree({ big: 'abc'.repeat(1_000_000) });
    for (const slow of [false, true]) {
      const result = await runBuiltin(cp, ['big', `copy${slow}`], { cwd, slow });
      expect(result.status).toBe(0);
      expect(readFileSync(`${cwd}/copy${slow}`).equals(readFileSync(`${cwd}/big`))).toBe(true);
    }
  });
});
