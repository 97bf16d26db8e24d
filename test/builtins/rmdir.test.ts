import { rmdir } from '../../builtins/rmdir.js';
import type { Tree } from '../support/builtin-tree.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';

const tree: Tree = {
  f: '',
  'a/f': '',
  'a/b/c': { dir: true },
  'p1/p2': { dir: true },
  q: { dir: true },
  x: { dir: true },
  la: { symlink: 'q' },
  full: { symlink: 'a' },
  nowhere: { symlink: 'gone' },
  tofile: { symlink: 'f' },
};

withGnu('rmdir', COREUTILS, () => {
  gnuRows(
    rmdir,
    [
      '',
      'gone',
      'a f q',
      '-v q x',
      '-p a/b/c',
      '-pv p1/p2/',
      '-pv ./q',
      '-v f',
      'la',
      '.',
      'a/.',
      [''],
      'x x',
      '-z',
      '--ignore-fail-on-non-empty a q',
      '-p --ignore-fail-on-non-empty a/b/c',
      '-v --ignore-fail-on-non-empty f a',
      'la/',
      'full/',
      'nowhere/',
      'tofile/',
      'f/',
      'a/b/..',
      'a/b/c/.',
      '--ignore-fail-on-non-empty a/.',
      '-p a/../p1/p2',
      '-pv p1//p2',
      '--parents --verbose p1/p2 a',
    ],
    { tree, writes: true },
  );
});
