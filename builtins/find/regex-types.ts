/** The regular expressions of `-regex`, in the types `-regextype` names. */

import type { Look } from '../../src/steps.js';
import { toByteString } from '../../src/text/bytes.js';
import { gnuQuoteValue } from '../../src/text/quote.js';
import { compileRegex as compile, RegexError } from '../../src/text/regex/index.js';
import { fromEmacs } from '../kit/emacs-syntax.js';
import { BadExpression } from './search.js';

type Syntax = 'emacs' | 'basic' | 'extended';

const TYPES: ReadonlyMap<string, Syntax> = new Map([
  ['findutils-default', 'emacs'],
  ['ed', 'basic'],
  ['emacs', 'emacs'],
  ['gnu-awk', 'extended'],
  ['grep', 'basic'],
  ['posix-awk', 'extended'],
  ['awk', 'extended'],
  ['posix-basic', 'basic'],
  ['posix-egrep', 'extended'],
  ['egrep', 'extended'],
  ['posix-extended', 'extended'],
  ['posix-minimal-basic', 'basic'],
  ['sed', 'basic'],
]);

/** Throws BadExpression for a type that is none. */
export function checkRegexType(type: string): void {
  if (TYPES.has(type)) return;
  const valid = [...TYPES.keys()].map((name) => gnuQuoteValue(name)).join(', ');
  throw new BadExpression(`Unknown regular expression type ${gnuQuoteValue(type)}; valid types are ${valid}.`);
}

/** Answers whether the whole of a path matches. */
export function compileRegex(text: string, type: string, ignoreCase: boolean, look: Look): (path: string) => boolean {
  const syntax = TYPES.get(type) ?? 'emacs';
  const regex = compile(syntax === 'emacs' ? fromEmacs(text) : text, {
    syntax: syntax === 'extended' ? 'extended' : 'basic',
    dialect: 'grep',
    ignoreCase,
    look,
  });
  if (regex instanceof RegexError) {
    throw new BadExpression(`failed to compile regular expression '${text}': ${regex.message}`);
  }
  return (path) => {
    const bytes = toByteString(path);
    // Leftmost-longest: what matches the whole is the match at 0, and no other is longer.
    const spans = regex.exec(bytes, 0);
    return spans !== null && spans[0] === 0 && spans[1] === bytes.length;
  };
}
