import { expect, it } from 'vitest';
import { head } from '../../builtins/head.js';
import { makeTree } from '../support/builtin-tree.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';

const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`).join('\n');
const tree = {
  a: `${lines}\n`,
  open: lines,
  empty: '',
  z: 'x\0y\0z',
  big: 'abcdefg\n'.repeat(30_000),
  d: { dir: true },
} as const;

withGnu('head', COREUTILS, () => {
  gnuRows(
    head,
    [
      '',
      'a',
      'a open empty',
      '-n 3 a',
      '-n3 a open',
      '-n -3 a open',
      '-n -0 open',
      '-n -100 a',
      '-n 0 a',
      '-n +3 a',
      '-c 5 a',
      '-c -5 a',
      '-c 1b big',
      '-c 1k big',
      '-c 1kB big',
      '-c 1KiB big',
      '-c -100000 big',
      '-n -20000 big',
      '-c 1m empty',
      '-q -n1 a open',
      '-v -n1 a',
      '-v -q -n1 a',
      '-q -v -n1 a open',
      '-z -n2 z',
      '-z -n -1 z',
      '--lines=2 --verbose a',
      '--bytes=2 --quiet a open',
      '--silent -n1 a open',
      '--zero-terminated z',
      '-n 2 -c 5 a',
      '-c 5 -n 2 a',
      '-3 a',
      '-3c a',
      '-1k big',
      '-2qv a open',
      '-3l a',
      '-n1 - a',
      'gone a d open',
      '-n x a',
      '-n 1x a',
      '-c 1Q a',
      '-n',
      '-n 99999999999999999999999 a',
      '-x',
      '--lin=1 a',
      '--bytes',
      ['-n', '1', 'a b'],
      '-n 0 d a',
      '-c 0 d',
      '-v -n 0 d gone',
      '-n -0 d',
      '--bytes 1 -n0 --zero-terminated d',
    ],
    { tree, stdin: 'in\nput\n' },
  );
});

it('leaves the rest of the input to the next command', async () => {
  const options = { cwd: makeTree({}), stdin: ['1\n2', '\n3\n', '4\n'] };
  expect(await runBuiltin(head, ['-n', '2'], options)).toMatchObject({ stdout: '1\n2\n', left: '3\n4\n' });
  expect(await runBuiltin(head, ['-c', '3'], { ...options, slow: true })).toMatchObject({
    stdout: '1\n2',
    left: '\n3\n4\n',
  });
  expect(await runBuiltin(head, ['-n', '0'], options)).toMatchObject({ stdout: '', left: '1\n2\n3\n4\n' });
});
