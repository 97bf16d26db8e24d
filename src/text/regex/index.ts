/** Regular expressions (POSIX XBD 9) on byte strings. */

import type { Node } from './node.js';
import { parseRegex } from './parse.js';
import { Regex, type RegexOptions } from './regex.js';
import { RegexError, type SyntaxOptions, SyntaxProblem } from './syntax.js';

export type { NewlineRole } from './alphabet.js';
export { type ParsedRegex, parseRegex } from './parse.js';
export { Regex, type RegexOptions } from './regex.js';
export { isRegexTooCostly, RegexError, type RegexErrorCode, type SyntaxOptions } from './syntax.js';

const REMEMBERED = 32;
const compiled = new Map<string, Regex>();

/**
 * Compiles a shell string. What is wrong with it is returned, in GNU's words. A script calls `sed s/x/y/` in loops, so the last ones
 * are kept, with what they have learnt of their automata; but none that has spent what a search is allowed to cost.
 */
export function compileRegex(pattern: string, options: SyntaxOptions & RegexOptions): Regex | RegexError {
  const { syntax, dialect, ignoreCase, newline } = options;
  const key = `${syntax} ${dialect} ${ignoreCase === true} ${newline} ${pattern}`;
  const known = compiled.get(key);
  if (known?.isFresh) return known;
  const parsed = parseRegex(pattern, options);
  const regex = parsed instanceof RegexError ? parsed : buildRegex(parsed.node, parsed.groups, options);
  if (regex instanceof Regex && pattern.length <= 256) {
    if (compiled.size >= REMEMBERED) compiled.clear();
    compiled.set(key, regex);
  }
  return regex;
}

/** Compiles what was parsed, or put together from parts. */
export function buildRegex(node: Node, groups: number, options: RegexOptions): Regex | RegexError {
  try {
    return new Regex(node, groups, options);
  } catch (error) {
    if (error instanceof SyntaxProblem) return error.problem;
    throw error;
  }
}
