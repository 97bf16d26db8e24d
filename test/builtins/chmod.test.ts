import { expect, it } from 'vitest';
import { chmod } from '../../builtins/chmod.js';
import { makeTree, snapshot, type Tree } from '../support/builtin-tree.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';

const tree: Tree = {
  a: { content: '', mode: 0o755 },
  b: { content: '', mode: 0o600 },
  s: { content: '', mode: 0o6754 },
  't/x': '',
  'd/f': '',
  'd/sub/g': { content: '', mode: 0o750 },
  'd/l': { symlink: '../a' },
  sg: { dir: true, mode: 0o2775 },
  dl: { symlink: 'gone' },
};

withGnu('chmod', COREUTILS, () => {
  gnuRows(
    chmod,
    [
      '',
      '755',
      'x',
      'zz a',
      '755 gone a',
      '-v 644 a b',
      '-c 644 a b',
      '-x a',
      '+x b',
      '-w,+x a',
      'u+s,g=u a',
      'go-rwx,u=rX d t/x a',
      'a=r,u+w a',
      'ug=o,o=g s',
      'g-s,u-s s',
      'u=g s',
      '0 a',
      '4755 sg',
      '755 sg',
      '00755 sg',
      'g-s sg',
      '=rx sg',
      '+t sg',
      '-rwx a',
      'a- a',
      'u+x -v b',
      '--reference=b a -v',
      '--reference=gone a',
      '644 dl',
      '-R 711 d',
      '-Rc go= d',
      '-Rv a+rX d',
      '-- -x a',
      '-r -v a',
      '9 a',
      '77777 a',
      ['', 'a'],
      ['644', ''],
      '-v =r a',
      '-cf u=rw a',
      '--recursive --changes a=rX d',
      '-w a',
      '-Z a',
      '-f 644 gone',
      '-x -R d',
      'u+ a',
      '+ a',
      'rwx a',
      'u+rwxX,g-st a',
      '+4 b',
      'u+4 b',
      '644,u+x a',
    ],
    { tree, writes: true, unordered: true },
  );
});

it('leaves out what the umask takes, and says so of a mode written as an option', async () => {
  const cwd = makeTree(tree);
  await runBuiltin(chmod, ['+x', 'b'], { cwd, umask: 0o027 });
  expect(snapshot(cwd)).toContain('b 710 1 ""');
  const result = await runBuiltin(chmod, ['-r', 'a'], { cwd, umask: 0o027 });
  expect(result).toMatchObject({ stderr: 'chmod: a: new permissions are -wx--xr-x, not -wx--x--x\n', status: 1 });
});
