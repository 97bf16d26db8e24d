import { expect, it } from 'vitest';
import { ln } from '../../builtins/ln.js';
import { removalBudget } from '../../src/files/files.js';
import { makeTree, snapshot, type Tree } from '../support/builtin-tree.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';

const tree: Tree = {
  a: 'a',
  b: 'b',
  'd/a': 'da',
  'e/x': '',
  la: { symlink: 'a' },
  ld: { symlink: 'd' },
  dl: { symlink: 'gone' },
};

withGnu('ln', COREUTILS, () => {
  gnuRows(
    ln,
    [
      '',
      'd/a',
      '-s d/a',
      'e/x',
      'a c',
      '-L la c',
      '-P la c',
      '-PLv la c',
      '-LP la c',
      '-L ld c',
      '-L dl c',
      '-fL la a',
      '-sL la c',
      'a b',
      '-f a b',
      '-sf a b',
      '-s a b',
      '-v a c',
      '-sv a c',
      '-svf gone b',
      'gone c',
      'd c',
      'd gone c',
      'a b e',
      '-s a b e',
      '-sv ../a ../b e',
      'a gone/x',
      '-s a gone/x',
      'a a',
      '-f a a',
      '-f a ./a',
      '-sf a d',
      '-sfT a d',
      '-sfn b ld',
      '-snf b la',
      '-t e a b',
      '-st gone a',
      '-T a b c',
      ['', 'x'],
      ['-s', '', 'x'],
      '-x a b',
      '-r a b',
      '-rs a c',
      '-rs a d/c',
      '-rs d/a e/c',
      '-rsv a b e',
      '-rs gone/x c',
      '-rs la c',
      '-rs ld/a c',
      '-rs . c',
      '-rsf a b',
      '-rs a b',
      '-rs a gone/c',
      '-rsT d c',
      '-rst e a b',
      ['-rs', '', 'x'],
      '--relative --symbolic d/a x',
      'la c',
      '-s x dl',
      '--symbolic --force --verbose q b',
      '-f a d/a e',
    ],
    { tree, writes: true, unordered: true },
  );
});

it('-f charges the file it removes', async () => {
  const cwd = makeTree(tree);
  const budget = removalBudget(1);
  await runBuiltin(ln, ['-sf', 'x', 'b'], { cwd, budget });
  expect(budget.used).toBe(1);
  const result = await runBuiltin(ln, ['-sf', 'x', 'a'], { cwd, budget });
  expect(result.stderr).toContain('run-wide budget of 1 file removals is exhausted');
  expect(snapshot(cwd)).toContain('a 644 1 "a"');
});
