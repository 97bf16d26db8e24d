/**
 * Chevrotain as the program has it: it does what it does, in a quarter of the time. Both changes are for start-up, where a
 * script of one line waits for a parser that could read a megabyte. The version is pinned: when the text it looks for is not
 * there, the build fails.
 */
import { fileURLToPath } from 'node:url';

const lodash = fileURLToPath(new URL('lodash.mjs', import.meta.url));

/** A table of 65,536 numbers, filled at each start, for what two operations compute. */
const TABLE = {
  file: /\/chevrotain\/lib\/src\/scan\/lexer\.js$/,
  changes: [
    [/^ +initCharCodeToOptimizedIndexMap\(\);\n/m, ''],
    [/charCodeToOptimizedIdxMap\[charCode\]/, '255 + ~~(charCode / 255)'],
  ],
};

export const quickChevrotain = {
  name: 'quick-chevrotain',
  resolveId: (source) => (source === 'lodash-es' ? { id: lodash } : null),
  transform(code, id) {
    if (!TABLE.file.test(id)) return null;
    let changed = code;
    for (const [pattern, replacement] of TABLE.changes) {
      if (!pattern.test(changed)) throw new Error(`${id} is not as it was: ${pattern} is not there`);
      changed = changed.replace(pattern, replacement);
    }
    return { code: changed };
  },
};
