import { basename } from '../../builtins/basename.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';

withGnu('basename', COREUTILS, () => {
  gnuRows(basename, [
    '',
    'a b c',
    '/a/b/',
    'a.c .c',
    '.c .c',
    '-a a/b c/d/',
    '-s .x a.x /b/c.x',
    '--suffix=.x a.x',
    '/',
    '//',
    [''],
    ['a.x', ''],
    ['-az', 'a b', 'c'],
    'a -z',
    '-x a',
    '-- -a',
    ['é\n'],
  ]);
});
