import { expect, it } from 'vitest';
import { PieceNames } from '../../builtins/split/names.js';
import { split } from '../../builtins/split.js';
import { makeTree } from '../support/builtin-tree.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';

const lines = Array.from({ length: 30 }, (_, i) => `${i}\n`).join('');
const tree = {
  in: lines,
  open: 'a\nb\nc',
  long: '1\n'.repeat(1500),
  many: 'x\n'.repeat(700),
  empty: '',
  mixed: 'aaa\nbbbbbbbb\nc\n\nddd\neeeeeeeeeeeeeee\nf',
  d: { dir: true },
} as const;

withGnu('split', COREUTILS, () =>
  gnuRows(
    split,
    [
      'in',
      '-l 10 in',
      '-l 7 in p',
      '-10 in k',
      '-b 10 in',
      '-b 1k long',
      '-b 3 open',
      '-l 1 open',
      'long',
      '-l 1 many',
      '-d -l 1 many',
      '-a 3 -l 20 in',
      '-a 1 -l 1 in',
      '-d -a 1 -l 2 in',
      '-a 0 -l 20 in',
      '-d -l 20 in n',
      '--additional-suffix=.txt -l 15 in',
      '--additional-suffix=/x in',
      '--verbose -l 15 in v',
      '-l 0 in',
      '-l x in',
      '-b 0 in',
      '-b x in',
      '-l 1 -b 1 in',
      '-l 10 -l 20 in',
      '-a x in',
      'in p q',
      'gone',
      'd',
      '-l 10 in no/x',
      '-l 2',
      '-l 1 - q',
      'empty',
      '-y',
      '--lines=12 --suffix-length=1 in',
      '--bytes=50 in',
      '-C 5 mixed',
      '-C 8 mixed',
      '-C 1 mixed',
      '-C 100 mixed',
      '-C 1k long',
      '-C 3 -t b mixed',
      '-C 0 in',
      '-C x in',
      '-C 5 -C 3 in',
      '-n 3 mixed',
      '-n 20 mixed',
      '-n 5 open p',
      '-n 50 open',
      '-n l/3 mixed',
      '-n l/30 mixed',
      '-n l/1 mixed',
      '-n l/7 long',
      '-n l/5 open',
      '-n l/3 empty',
      '-n r/3 mixed',
      '-n r/9 open',
      '-n r/1 in',
      '-u -n r/3 mixed',
      '-n r/2',
      '-n 2/3 mixed',
      '-n 3/3 mixed',
      '-n 1/3 mixed',
      '-n 5/5 open',
      '-n 3/9 open',
      '-n l/1/3 mixed',
      '-n l/2/3 mixed',
      '-n l/3/3 mixed',
      '-n l/5/30 mixed',
      '-n l/21/30 mixed',
      '-n l/20/30 mixed',
      '-n r/1/3 mixed',
      '-n r/2/3 mixed',
      '-n r/3/3',
      '-n /3 open',
      '-n 3/ open',
      '-n l/ open',
      '-n 0 open',
      '-n x open',
      '-n 4/3 open',
      '-n 0/3 open',
      '-n r/3/2 open',
      '-n k/2 open',
      '-n l/x open',
      '-n -3 open',
      '-n 3 -l 2 open',
      '-n 3 gone',
      '-n 3 empty',
      '-n 1000 -a 1 in',
      '-n 100 -a 3 in',
      '-n 120 -d in',
      '-e -n 5 open',
      '-e -n 50 open',
      '-e -n l/30 mixed',
      '-e -n r/9 open',
      '-e -n 3 empty',
      '-e -n l/3 empty',
      '-e in',
      '--verbose -n 3 open',
      '--verbose -e -n r/9 open',
      '-x -l 1 in',
      '--hex-suffixes=10 -l 1 in',
      '--hex-suffixes=g -l 1 in',
      '--hex-suffixes=fF -l 1 in',
      '--numeric-suffixes -l 10 in',
      '--numeric-suffixes=98 -l 10 in',
      '--numeric-suffixes=007 -l 10 in',
      '--numeric-suffixes=100 -l 10 in',
      '--numeric-suffixes=100 -a 3 -l 10 in',
      '--numeric-suffixes=x in',
      '--numeric-suffixes=5 -n 3 in',
      '--numeric-suffixes=99 -n 3 in',
      '--numeric-suffixes=5 -n 96 long',
      '-d --numeric-suffixes=5 -l 10 in',
      '--numeric-suffixes=5 -d -l 10 in',
      '--numeric-suffixes=5 -x -l 10 in',
      '-x -d -l 10 in',
      '-t 1 -l 2 in',
      '-t \\0 -l 1 in',
      '-t cc in',
      ['-t', '', 'in'],
      '-t a -t b in',
      '-t a -t a -l 1 mixed',
      '--number=l/2 --separator=a --suffix-length=3 --elide-empty-files --unbuffered mixed',
      '--line-bytes=6 --additional-suffix=.t --verbose mixed',
    ],
    { tree, stdin: 'x\ny\nz', writes: true },
  ),
);

it('makes longer names when the short ones are used up', () => {
  const names = new PieceNames({ prefix: 'x', suffix: '', alphabet: 'letters', length: undefined });
  const all = Array.from({ length: 25 * 26 + 2 }, () => names.next());
  expect(all.slice(25 * 26 - 1)).toEqual(['xyz', 'xzaaa', 'xzaab']);
});

it('is refused in read-only mode, and writes nowhere through links', async () => {
  const cwd = makeTree({ in: 'a\n', xaa: { symlink: 'in' } });
  expect(await runBuiltin(split, ['in'], { cwd, remediation: false })).toMatchObject({
    status: 1,
    stderr: 'split: remediation mode required\n',
  });
  expect(await runBuiltin(split, ['in'], { cwd, slow: true })).toMatchObject({
    status: 1,
    stderr: 'split: xaa: symlinks are not supported as write targets\n',
  });
});

it('leaves an input without end when it has failed', async () => {
  const endless = Array.from({ length: 3 }, () => '!\n'.repeat(100));
  const result = await runBuiltin(split, ['-a', '1', '-l', '1'], { cwd: makeTree({}), stdin: endless });
  expect(result.status).toBe(1);
  expect(result.left.length).toBeGreaterThan(0);
});

it('looks for the end of the time before each piece: one chunk may be thousands of files', async () => {
  const result = await runBuiltin(split, ['-l', '1'], { cwd: makeTree({}), stdin: 'x\n'.repeat(500) });
  expect(result.ticks).toBeGreaterThan(500);
});
