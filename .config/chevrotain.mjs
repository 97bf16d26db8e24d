/**
 * Chevrotain as the program has it: it does what it does, and is made in a fourth of the time. All changes are for start-up, where
 * a script of one line waits for a parser that could read a megabyte. The version is pinned: when a text that is looked for
 * is not there, the build fails.
 */
import { fileURLToPath } from 'node:url';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const lodash = here('lodash.mjs');
const parts = here('chevrotain-parts.mjs');

/** Modules that `chevrotain-parts.mjs` takes the place of, by what imports end with. */
const REPLACED =
  /(?:traits|\.)\/(?:gast_recorder|context_assist|perf_tracer|recoverable|tree_builder|looksahead)\.js$|grammar\/(?:interpreter|lookahead)\.js$|^@chevrotain\/regexp-to-ast$/;

/** By file: what is there, and what takes its place. */
const QUICKER = {
  // A table of 65,536 numbers, filled at each start, for what two operations compute.
  'scan/lexer.js': [
    [/^ +initCharCodeToOptimizedIndexMap\(\);\n/m, ''],
    [/charCodeToOptimizedIdxMap\[charCode\]/, '255 + ~~(charCode / 255)'],
  ],
  // The methods of a dozen traits, copied to one class. As a chain of prototypes they are there at once.
  'parse/parser/utils/apply_mixins.js': [
    [
      /(?<=applyMixins\(derivedCtor, baseCtors\) \{\n)[\s\S]*?(?=^\})/m,
      'baseCtors.reduce((before, trait) => Object.setPrototypeOf(trait.prototype, before) && trait.prototype, Object.prototype);\nObject.setPrototypeOf(derivedCtor.prototype, baseCtors.at(-1).prototype);\n',
    ],
  ],
};

const SMALLER = {
  // The parser reads its decisions from a table.
  'parse/parser/parser.js': [
    [
      /(?<= {4}performSelfAnalysis\(\) \{\n)[\s\S]*?(?=^ {4}\}\n {4}constructor)/m,
      'throw new Error("the analysis of a grammar is not built in");\n',
    ],
  ],
  // What these describe is found by that analysis; the parser has its own answer to a token that does not fit.
  'parse/parser/traits/error_handler.js': [
    [/^import .* from "..\/..\/grammar\/lookahead.js";\n/m, ''],
    [/(?<=raiseEarlyExitException\([^)]*\) \{\n)[\s\S]*?(?=^ {4}\}\n)/m, ''],
    [/(?<=raiseNoAltException\([^)]*\) \{\n)[\s\S]*?(?=^ {4}\}\n)/m, ''],
  ],
  'parse/parser/traits/recognizer_api.js': [
    [/(?<=OVERRIDE_RULE\([^)]*\) \{\n)[\s\S]*?(?=^ {4}\}\n)/m, ''],
    [/(?<=getSerializedGastProductions\(\) \{\n)[\s\S]*?(?=^ {4}\}\n)/m, ''],
  ],
  'api.js': [[/^export \{ getLookaheadPaths \}.*\n/m, '']],
};

const FOLDER = '/chevrotain/lib/src/';

/** For the tests too: all of Chevrotain is there, and is made in half of the time. */
export const quickChevrotain = {
  name: 'quick-chevrotain',
  resolveId: (source) => (source === 'lodash-es' ? { id: lodash } : null),
  transform: (code, id) => changed(QUICKER, code, id),
};

/** For the bundles: only what reads scripts. */
export const smallChevrotain = {
  name: 'small-chevrotain',
  resolveId: (source, importer) => (importer?.includes('/chevrotain/') && REPLACED.test(source) ? { id: parts } : null),
  transform: (code, id) => changed(SMALLER, code, id),
};

function changed(changes, code, id) {
  const at = id.lastIndexOf(FOLDER);
  const list = at < 0 ? undefined : changes[id.slice(at + FOLDER.length)];
  if (list === undefined) return null;
  let result = code;
  for (const [pattern, replacement] of list) {
    if (!pattern.test(result)) throw new Error(`${id} is not as it was: ${pattern} is not there`);
    result = result.replace(pattern, replacement);
  }
  return { code: result };
}
