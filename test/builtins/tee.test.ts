import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tee } from '../../builtins/tee.js';
import { makeTree } from '../support/builtin-tree.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';

const tree = { old: 'before\n', d: { dir: true } } as const;

withGnu('tee', COREUTILS, () => {
  gnuRows(
    tee,
    [
      '',
      'x',
      'x y',
      'old',
      '-a old',
      '-a new',
      '-i x',
      '-ai old x',
      '--append old',
      '--ignore-interrupts x',
      'no/dir z',
      'd x',
      '-x',
      '--bad',
      '-- -a',
      ['a b'],
      'x x',
    ],
    { tree, stdin: 'one\ntwo', writes: true },
  );
});

it('refuses a file with two names and copies to the others', async () => {
  const cwd = makeTree({ a: 'keep\n', b: { hardlink: 'a' } });
  const result = await runBuiltin(tee, ['a', 'c'], { cwd, stdin: ['x', 'y\n'], slow: true });
  expect(result).toMatchObject({
    stdout: 'xy\n',
    status: 1,
    stderr: 'tee: a: refusing to write to a file with more than one link\n',
  });
  expect([readFileSync(join(cwd, 'a'), 'utf8'), readFileSync(join(cwd, 'c'), 'utf8')]).toEqual(['keep\n', 'xy\n']);
});
