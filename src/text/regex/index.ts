/** Regular expressions (POSIX XBD 9) on byte strings. */

import type { Look } from '../../steps.js';
import type { Node } from './node.js';
import { parseRegex } from './parse.js';
import { Regex, type RegexOptions } from './regex.js';
import { RegexError, type SyntaxOptions, SyntaxProblem } from './syntax.js';

export type { NewlineRole } from './alphabet.js';
export { type ParsedRegex, parseRegex } from './parse.js';
export { Regex, type RegexOptions } from './regex.js';
export { isRegexTooCostly, RegexError, type RegexErrorCode, type SyntaxOptions } from './syntax.js';

/** Who searches in scripts' texts gives the run's `look`: a search may take seconds. */
export interface Watched {
  readonly look?: Look | undefined;
}

const REMEMBERED = 32;
const compiled = new Map<string, Regex>();

/**
 * Compiles a shell string. What is wrong with it is returned, in GNU's words. A script calls `sed s/x/y/` in loops, so the last ones
 * are kept, with what they have learnt of their automata; but none that has spent what a search is allowed to cost.
 */
export function compileRegex(pattern: string, options: SyntaxOptions & RegexOptions & Watched): Regex | RegexError {
  const { syntax, dialect, ignoreCase, newline, look } = options;
  const key = `${syntax} ${dialect} ${ignoreCase === true} ${newline} ${pattern}`;
  const known = compiled.get(key);
  if (known?.isFresh) return look === undefined ? known : known.under(look);
  const parsed = parseRegex(pattern, options);
  const regex =
    parsed instanceof RegexError ? parsed : buildRegex(parsed.node, parsed.groups, { ...options, look: undefined });
  if (regex instanceof Regex && pattern.length <= 256) {
    if (compiled.size >= REMEMBERED) compiled.clear();
    // Without the look: whoever is next to find it has a run of its own.
    compiled.set(key, regex);
  }
  return regex instanceof RegexError || look === undefined ? regex : regex.under(look);
}

/** Compiles what was parsed, or put together from parts. */
export function buildRegex(node: Node, groups: number, options: RegexOptions & Watched): Regex | RegexError {
  try {
    const regex = Regex.of(node, groups, options);
    return options.look === undefined ? regex : regex.under(options.look);
  } catch (error) {
    if (error instanceof SyntaxProblem) return error.problem;
    throw error;
  }
}
