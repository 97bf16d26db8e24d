import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { touch } from '../../builtins/touch.js';
import { makeTree, snapshot, type Tree } from '../support/builtin-tree.js';
import { COREUTILS, expectLikeGnu, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';

const tree: Tree = {
  a: { content: 'a', mtime: 1_600_000_000, atime: 1_500_000_000 },
  ref: { content: '', mtime: 1_234_567_890, atime: 1_111_111_111 },
  'd/f': '',
};

/** Times as both leave them; what is only just now is `now`. */
async function times(words: readonly string[]): Promise<void> {
  const roots: string[] = [];
  await expectLikeGnu(touch, words, { tree, writes: true, prepare: (root) => roots.push(root) });
  const [theirs, ours] = roots.map((root) => {
    const shown = (ms: number) => (Math.abs(ms - Date.now()) < 60_000 ? 'now' : ms);
    return ['a', 'd'].map((name) => {
      const { atimeMs, mtimeMs } = statSync(`${root}/${name}`);
      return [shown(atimeMs), shown(mtimeMs)];
    });
  });
  expect(ours).toEqual(theirs);
}

withGnu('touch', COREUTILS, () => {
  const rows: readonly (string | readonly string[])[] = [
    '',
    'a new',
    '-c gone',
    'gone/x a',
    '-r gone a',
    '-r ref a',
    '-a -r ref a',
    '-m -r ref a',
    '-am -r ref a',
    '-t 202001020304.05 a',
    '-t 9901020304 a',
    '-t 6801020304 a',
    '-t 13 a',
    '-t 202013020304 a',
    '-t 202002300304 a',
    '-t 202002290304.60 a',
    '-t 01020304 a',
    '-a -t 202001010101 a',
    '-m -t 202001010101 a',
    '-d 2020-01-02 a',
    ['-d', '2020-01-02 03:04:05.25 +0200', 'a'],
    '-d garbage a',
    '-f a',
    '-fc nope',
    '-h -t 202001010101 a',
    '-h -t 202001010101 nope',
    '-ch -t 202001010101 nope',
    '--no-dereference -r ref a',
    '-d @1.5 a',
    '-a a',
    '-m a',
    ['-d', '1 hour', '-r', 'ref', 'a'],
    ['-d', '2 days ago', '-r', 'ref', 'a'],
    '-d 2020-01-01 -t 202001010101 a',
    '-r ref -t 202001010101 a',
    'd',
    '-r ref d',
    ['', 'a'],
    'a/ d/',
    '-x a',
    '--no-create --reference=ref a',
    '--date=2001-02-03 a',
  ];
  for (const row of rows) {
    const words = typeof row === 'string' ? row.split(' ').filter((word) => word !== '') : row;
    it(`touch ${words.join(' ')}`, () => times(words));
  }
});

describe('touch', () => {
  it('takes the zone of the clock', async () => {
    const cwd = makeTree(tree);
    await runBuiltin(touch, ['-t', '202007010000', 'a'], { cwd, timeZone: 'Europe/Berlin' });
    expect(statSync(`${cwd}/a`).mtime.toISOString()).toBe('2020-06-30T22:00:00.000Z');
  });

  it('makes nothing through a link', async () => {
    const cwd = makeTree({ l: { symlink: 'gone' } });
    const result = await runBuiltin(touch, ['l'], { cwd });
    expect(result.stderr).toBe("touch: cannot touch 'l': symlinks are not supported as write targets\n");
    expect(snapshot(cwd)).toEqual(['l -> gone']);
  });
});

it('touch - is the standard output, and not a file of that name', async () => {
  const cwd = makeTree({});
  // Of a pipe nobody sees the times: as GNU, nothing is made and nothing is said.
  expect(await runBuiltin(touch, ['-'], { cwd })).toMatchObject({ status: 0, stderr: '' });
  expect(snapshot(cwd)).toEqual([]);
  await runBuiltin(touch, ['./-'], { cwd });
  expect(snapshot(cwd)).toHaveLength(1);
});
