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
    ],
    { tree, stdin: 'x\ny\nz', writes: true },
  ),
);

it('makes longer names when the short ones are used up', () => {
  const names = new PieceNames({ prefix: 'x', suffix: '', numeric: false, length: undefined });
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
