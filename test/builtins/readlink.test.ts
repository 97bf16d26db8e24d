import { readlink } from '../../builtins/readlink.js';
import type { Tree } from '../support/builtin-tree.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';

const tree: Tree = {
  a: '',
  'd/sub/x': '',
  la: { symlink: 'a' },
  dl: { symlink: 'gone' },
  deep: { symlink: 'd/gone/x' },
  ld: { symlink: 'd' },
  l1: { symlink: 'l2' },
  l2: { symlink: 'l1' },
  chain: { symlink: 'dl' },
};

withGnu('readlink', COREUTILS, () => {
  gnuRows(
    readlink,
    [
      '',
      'a',
      'la dl',
      'd',
      '-v a gone',
      '-n la',
      '-n la dl',
      '-z la dl',
      '-f la dl gone gone/x ld/sub d/../a ld/..',
      '-f deep chain l1 a/x la/ gone/',
      '-e la dl ld/sub/x gone',
      '-m gone/x/../y a/x la/../z dl/q deep/../r . ..',
      '-fe dl',
      '-ef dl',
      '-vf gone/x l1',
      '-q a',
      ['-f', ''],
      [''],
      '-x',
      '--canonicalize la',
      '--canon la',
    ],
    { tree },
  );
});
