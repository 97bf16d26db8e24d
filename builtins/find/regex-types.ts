/** The regular expressions of `-regex`, in the types `-regextype` names. */

import { toByteString } from '../../src/text/bytes.js';
import { gnuQuoteValue } from '../../src/text/quote.js';
import { compileRegex as compile, RegexError } from '../../src/text/regex/index.js';
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
export function compileRegex(text: string, type: string, ignoreCase: boolean): (path: string) => boolean {
  const syntax = TYPES.get(type) ?? 'emacs';
  const regex = compile(syntax === 'emacs' ? fromEmacs(text) : text, {
    syntax: syntax === 'extended' ? 'extended' : 'basic',
    dialect: 'grep',
    ignoreCase,
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

/** Emacs' syntax in a basic expression's: `+` and `?` are operators, and there are no intervals. */
function fromEmacs(text: string): string {
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const unit = text[i] as string;
    if (unit === '[') {
      const end = bracketEnd(text, i);
      out += text.slice(i, end);
      i = end - 1;
    } else if (unit === '+' || unit === '?') out += `\\${unit}`;
    else if (unit === '\\' && i + 1 < text.length) {
      const next = text[++i] as string;
      out += '+?{}'.includes(next) ? next : `\\${next}`;
    } else out += unit;
  }
  return out;
}

/** The index after a bracket expression that begins at `start`. */
function bracketEnd(text: string, start: number): number {
  let i = start + 1;
  if (text[i] === '^') i++;
  if (text[i] === ']') i++;
  while (i < text.length && text[i] !== ']') {
    const kind = text[i + 1];
    if (text[i] === '[' && (kind === ':' || kind === '.' || kind === '=')) {
      const end = text.indexOf(`${kind}]`, i + 2);
      i = end < 0 ? text.length : end + 2;
    } else i++;
  }
  return Math.min(text.length, i + 1);
}
