import { expect, it } from 'vitest';
import { mkdir } from '../../builtins/mkdir.js';
import { makeTree, snapshot, type Tree } from '../support/builtin-tree.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';

const tree: Tree = { 'd/f': '', f: '', dl: { symlink: 'gone' } };

withGnu('mkdir', COREUTILS, () => {
  gnuRows(
    mkdir,
    [
      '',
      'a',
      'd f a',
      '-p d',
      '-pv d/b/c x',
      '-v q d q2',
      '-m 700 m1',
      '-m zzz m2',
      '-pm 711 p1/p2',
      '-m u=rwx,g=s m3',
      '-m +x m4',
      '-m 2755 m5',
      '-m a=rx m6',
      '-m 0 m7',
      'gone/x',
      '-p f/x',
      '-p f/x/y/z',
      'f/x',
      '-p f',
      [''],
      ['-p', ''],
      ['a b/c'],
      '-- -x',
      'dl',
      '-p dl',
      '-vp d/z/ d/y//w/',
      '-p ./a/./b/../c',
      'a/',
      '-x a',
      '--par a/b',
    ],
    { tree, writes: true },
  );
});

it('is refused in read-only mode', async () => {
  const cwd = makeTree({});
  const result = await runBuiltin(mkdir, ['-p', 'a/b'], { cwd, remediation: false });
  expect(result).toMatchObject({ stderr: 'mkdir: remediation mode required\n', status: 1 });
  expect(snapshot(cwd)).toEqual([]);
});

it('-p by an absolute path whose first parts are outside the root', async () => {
  const cwd = makeTree({});
  const result = await runBuiltin(mkdir, ['-pv', `${cwd}/a/b`], { cwd });
  expect(result).toMatchObject({
    stdout: `mkdir: created directory '${cwd}/a'\nmkdir: created directory '${cwd}/a/b'\n`,
    stderr: '',
    status: 0,
  });
});

it('-m gives the mode whatever the umask', async () => {
  const cwd = makeTree({});
  await runBuiltin(mkdir, ['-m', '777', 'a'], { cwd, umask: 0o077 });
  await runBuiltin(mkdir, ['-m', '-w', 'b'], { cwd, umask: 0o027 });
  expect(snapshot(cwd)).toEqual(['a/ 777', 'b/ 577']);
});
