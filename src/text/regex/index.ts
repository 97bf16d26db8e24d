/** Regular expressions (POSIX XBD 9) on byte strings. */

import type { Node } from './node.js';
import { parseRegex } from './parse.js';
import { Regex, type RegexOptions } from './regex.js';
import { RegexError, type SyntaxOptions, SyntaxProblem } from './syntax.js';

export type { NewlineRole } from './alphabet.js';
export { type ParsedRegex, parseRegex } from './parse.js';
export { Regex, type RegexOptions } from './regex.js';
export { isRegexTooCostly, RegexError, type RegexErrorCode, type SyntaxOptions } from './syntax.js';

/** Compiles a shell string. What is wrong with it is returned, in GNU's words. */
export function compileRegex(pattern: string, options: SyntaxOptions & RegexOptions): Regex | RegexError {
  const parsed = parseRegex(pattern, options);
  return parsed instanceof RegexError ? parsed : buildRegex(parsed.node, parsed.groups, options);
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
