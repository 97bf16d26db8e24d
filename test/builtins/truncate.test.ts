import { describe, expect, it } from 'vitest';
import { truncate } from '../../builtins/truncate.js';
import { makeTree, snapshot, type Tree } from '../support/builtin-tree.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';

const tree: Tree = { a: '0123456789', b: 'bb', 'd/f': '' };

withGnu('truncate', COREUTILS, () => {
  const sizes =
    '0 5 10 +5 -3 -50 <5 <50 >20 >5 /8 /3 %8 %5 1K 1KB 1KiB 2k +1K k /0 %0 x 1Q 10B +-5 <+5 1.5 -0 +0'.split(' ');
  gnuRows(
    truncate,
    sizes.map((size) => ['-s', size, 'a', 'new']),
    { tree, writes: true },
  );
  gnuRows(
    truncate,
    [
      '',
      'a',
      '-s 5',
      '-s',
      '-r b a',
      '-r b -s +3 a',
      '-r b -s %5 a',
      '-r b -s 3 a',
      '-r gone a',
      '-c -s 5 gone a',
      '-o -s 2 a',
      '-o a',
      '-o -r b a',
      '-s 5 d a',
      '-s 5 gone/x',
      '-s 99999999999999999999 a',
      '-s 9223372036854775807 a',
      '-s +9223372036854775807 a',
      ['-s', ' 5', 'a'],
      ['-s', '', 'a'],
      ['-s', '<', 'a'],
      ['-s', '< 5', 'a'],
      '--size=0 a',
      '--no-create --size 3 gone',
      '--reference=b a',
    ],
    { tree, writes: true },
  );
});

describe('truncate', () => {
  it('refuses what has two names, a link, a special file', async () => {
    const cwd = makeTree({ a: 'aa', h: { hardlink: 'a' }, l: { symlink: 'a' }, p: { fifo: true } });
    const result = await runBuiltin(truncate, ['-s', '0', 'a', 'l', 'p'], { cwd });
    expect(result.status).toBe(1);
    expect(result.stderr).toBe(
      "truncate: cannot open 'a' for writing: refusing to write to a file with more than one link\n" +
        "truncate: cannot open 'l' for writing: symlinks are not supported as write targets\n" +
        "truncate: cannot open 'p' for writing: not a regular file\n",
    );
    expect(snapshot(cwd)).toContain('a 644 2 "aa"');
  });
});
