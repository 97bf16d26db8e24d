import { describe, expect, it } from 'vitest';
import { du } from '../../builtins/du.js';
import { makeTree, type Tree } from '../support/builtin-tree.js';
import { COREUTILS, expectLikeGnu, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';

const tree: Tree = {
  a: 'a'.repeat(5000),
  'd/b': 'b'.repeat(100_000),
  'd/e/hard': { hardlink: 'd/b' },
  'd/e/g/z': '',
  'd/sparse': { size: 1_048_576 },
  'd/x': { dir: true, mtime: 1577934245 },
  'd/old.log': { content: 'o', mtime: 1577934245, atime: 1577934000 },
  la: { symlink: 'a' },
  ld: { symlink: 'd' },
  p: { fifo: true },
  'sp ace': '',
};

withGnu('du', COREUTILS, () => {
  gnuRows(
    du,
    `

-s
-a
-h
-ah d
-sh a d gone
-b
-ab d
-k d
-m d
-c d a
-x d
-S d
-L ld
ld
-P ld
-0 d
-d1
-d 0
--max-depth=1 -a
-d x
-d -1 d
-s -d 1
-s -d0
-as
--inodes d
--inodes -s d a
--inodes -ch d
--apparent-size d
--si d
--apparent-size -h d
--exclude=*.log --exclude=e -a d
--exclude d/e d
--exclude d d
--time d
--time=atime -a d/old.log
--time=ctime -s d
--time=foo d
--time= d
--time=acc -s d
--time=a -s d
-t 100K d
-t -50K -a d
-t 0 d
-t -0 d
-t x d
-t 1x d
d d
d d/e
d/e d
d/b d/e/hard
-c d/b d/e/hard
a a
-Q
-sc d a
-hc d a
-a d/b
-bs d
-hS -a d
-Sc d
--inodes -b d
d/
-a -h -t 50K d
--time -ac d
-b --si d
-bm d
-kb d
-aL ld
-aL la
--summarize --human-readable --total d
`
      .split('\n')
      .slice(1, -1),
    { tree, unordered: true },
  );
  it('du ""', () => expectLikeGnu(du, ['', 'a'], { tree }));
});

describe('du', () => {
  it('ends where links lead back, with -L', async () => {
    const cwd = makeTree({ 'a/f': 'x', 'a/up': { symlink: '..' } });
    const result = await runBuiltin(du, ['-Ls'], { cwd });
    expect(result.stderr).toContain('Circular directory structure');
    expect(result.stdout).toMatch(/^\d+\t\.\n$/);
  });

  it('does the same where everything waits', async () => {
    const cwd = makeTree(tree);
    const fast = await runBuiltin(du, ['-a', 'd', 'a'], { cwd });
    const slow = await runBuiltin(du, ['-a', 'd', 'a'], { cwd, slow: true });
    expect({ ...slow, ticks: 0 }).toEqual({ ...fast, ticks: 0 });
  });
});
