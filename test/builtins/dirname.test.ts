import { dirname } from '../../builtins/dirname.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';

withGnu('dirname', COREUTILS, () => {
  gnuRows(dirname, ['', 'a', '/a/b/ /a a/b// // / a//b ///a', [''], '-z a/b c', '-x', 'a/b -z', '-- -a/b']);
});
