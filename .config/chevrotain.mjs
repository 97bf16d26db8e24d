/**
 * Chevrotain as the program has it: it does what it does, and is made in half of the time. All changes are for start-up, where
 * a script of one line waits for a parser that could read a megabyte. The version is pinned: when a text that is looked for
 * is not there, the build fails.
 */
import { fileURLToPath } from 'node:url';

const lodash = fileURLToPath(new URL('lodash.mjs', import.meta.url));

/** By file: what is there, and what takes its place. */
const CHANGES = {
  // A table of 65,536 numbers, filled at each start, for what two operations compute.
  'scan/lexer.js': [
    [/^ +initCharCodeToOptimizedIndexMap\(\);\n/m, ''],
    [/charCodeToOptimizedIdxMap\[charCode\]/, '255 + ~~(charCode / 255)'],
  ],
  // While the grammar is recorded, the parser has a hundred methods of its own that hide those of its class; taking them away
  // one by one costs more than the recording. Here they stand on a prototype in between, which goes in one step.
  'parse/parser/traits/gast_recorder.js': [
    [
      /(?<=enableRecording\(\) \{\n)[\s\S]*?(?= {4}disableRecording)/,
      (body) =>
        `const recorder = Object.create(Object.getPrototypeOf(this));\nObject.setPrototypeOf(this, recorder);\n${body.replaceAll(
          /this(?=\[`|\.(?:ACTION|BACKTRACK|LA) =)/g,
          'recorder',
        )}`,
    ],
    [
      /(?<="Deleting Recording methods", \(\) => \{\n)[\s\S]*?delete that\.LA;\n/,
      'Object.setPrototypeOf(this, Object.getPrototypeOf(Object.getPrototypeOf(this)));\n',
    ],
  ],
  // The methods of a dozen traits, copied to one class.
  'parse/parser/utils/apply_mixins.js': [
    [
      /(?<=const baseProto = baseCtor\.prototype;\n)[\s\S]*?\n {8}\}\);\n/,
      'for (const name of Object.getOwnPropertyNames(baseProto)) {\nif (name === "constructor") continue;\nif (name === "errors" || name === "input") Object.defineProperty(derivedCtor.prototype, name, Object.getOwnPropertyDescriptor(baseProto, name));\nelse derivedCtor.prototype[name] = baseProto[name];\n}\n',
    ],
  ],
};

const FOLDER = '/chevrotain/lib/src/';

export const quickChevrotain = {
  name: 'quick-chevrotain',
  resolveId: (source) => (source === 'lodash-es' ? { id: lodash } : null),
  transform(code, id) {
    const at = id.lastIndexOf(FOLDER);
    const changes = at < 0 ? undefined : CHANGES[id.slice(at + FOLDER.length)];
    if (changes === undefined) return null;
    let changed = code;
    for (const [pattern, replacement] of changes) {
      if (!pattern.test(changed)) throw new Error(`${id} is not as it was: ${pattern} is not there`);
      changed = changed.replace(pattern, replacement);
    }
    return { code: changed };
  },
};
