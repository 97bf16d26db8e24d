import { expect, it } from 'vitest';
import { realpath } from '../../builtins/realpath.js';
import { makeTree, type Tree } from '../support/builtin-tree.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';

const tree: Tree = {
  a: '',
  'd/sub/x': '',
  'e/f': '',
  la: { symlink: 'a' },
  ld: { symlink: 'd/sub' },
  dl: { symlink: 'gone' },
};

withGnu('realpath', COREUTILS, () => {
  gnuRows(
    realpath,
    [
      '',
      'la gone . d/../a',
      'gone/x a/x',
      '-e gone la',
      '-m gone/x a/x',
      '-s ld/../la ld gone',
      '-es gone',
      '-L ld/..',
      '-P ld/..',
      '--relative-to=d a e/f d d/sub ld',
      '--relative-to=a d',
      '--relative-to=gone d',
      '-m --relative-to=gone/x d',
      '--relative-base=d d/sub a',
      '--relative-base=d --relative-to=d/sub d a',
      '--relative-to=. --relative-base=d d/sub',
      '-z a la',
      '-q gone/x',
      [''],
      ['-m', ''],
      'a/',
      '-x',
      ['sp ace:x/y'],
    ],
    { tree },
  );
});

it('says no more of what is outside than that it is refused', async () => {
  const result = await runBuiltin(realpath, ['/etc/passwd'], { cwd: makeTree({}) });
  expect(result).toMatchObject({ stdout: '', stderr: 'realpath: /etc/passwd: Permission denied\n', status: 1 });
});
