import { expect, it } from 'vitest';
import { cat } from '../../builtins/cat.js';
import { makeTree } from '../support/builtin-tree.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';

const tree = {
  a: 'one\n\n\n\ttwo\x01\x7f\n',
  b: '\nthree\r\n\udc80\udcff\udc8a\udc89é\n',
  open: 'no end',
  cr: 'x\r',
  'a b': 'blank\n',
  empty: '',
  d: { dir: true },
} as const;

withGnu('cat', COREUTILS, () => {
  gnuRows(
    cat,
    [
      '',
      'a b open',
      '-A a b',
      '-b a b',
      '-e a b',
      '-E a b cr b',
      '-n a open b',
      '-s a a b',
      '-t a b',
      '-T a b',
      '-v a b',
      '-u a',
      '-bs a b',
      '-nE a open a',
      '-sn a b',
      '-nb a b',
      '-vE cr b',
      '-E cr open',
      '-E cr',
      '--show-all --number a',
      '--number-nonblank --squeeze-blank --show-ends --show-tabs --show-nonprinting a b',
      '- a',
      'a - b -',
      'gone a d empty b',
      ['a b', 'it is gone', "it's gone", 'gone:'],
      '-- a',
      '-x a',
      '--bad',
      '--show a',
      '--number=3',
    ],
    { tree, stdin: 'in\nput' },
  );
});

it('copies bytes as they are, whatever the chunks', async () => {
  const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7919) & 0xff));
  const result = await runBuiltin(cat, [], { cwd: makeTree({}), stdin: [bytes.subarray(0, 3), bytes.subarray(3)] });
  expect(result.stdoutBytes.equals(bytes)).toBe(true);
});

it('numbers lines across chunks that wait', async () => {
  const result = await runBuiltin(cat, ['-nE'], { cwd: makeTree({}), stdin: ['a', '\r', '\n', '\n', 'b'], slow: true });
  expect(result.stdout).toBe('     1\ta^M$\n     2\t$\n     3\tb');
});
