/** What differs between the syntaxes, and what a regular expression can do wrong. */

import { isShellError, ShellError } from '../../errors.js';
import type { NewlineRole } from './alphabet.js';

export interface SyntaxOptions {
  /** BRE or ERE (POSIX XBD 9.3, 9.4), with GNU's extensions. */
  readonly syntax: 'basic' | 'extended';
  /** What POSIX leaves undefined GNU's tools take differently: `*` at the start of an ERE is an error to sed, nothing to grep. */
  readonly dialect?: 'sed' | 'grep';
  readonly ignoreCase?: boolean;
  /** `anchor`: neither `.` nor `[^a]` matches a newline (POSIX REG_NEWLINE). */
  readonly newline?: NewlineRole;
}

/** GNU's words for what is wrong with a regular expression. */
export const REGEX_MESSAGES = {
  collate: 'Invalid collation character',
  class: 'Invalid character class name',
  classSyntax: 'character class syntax is [[:space:]], not [:space:]',
  escape: 'Trailing backslash',
  backref: 'Invalid back reference',
  bracket: 'Unmatched [, [^, [:, [., or [=',
  lone: 'Invalid regular expression',
  openParen: 'Unmatched ( or \\(',
  closeParen: 'Unmatched ) or \\)',
  openBrace: 'Unmatched \\{',
  interval: 'Invalid content of \\{\\}',
  range: 'Invalid range end',
  size: 'Regular expression too big',
  repeat: 'Invalid preceding regular expression',
} as const;

export type RegexErrorCode = keyof typeof REGEX_MESSAGES;

/** A regular expression that is none. Returned, not thrown, by `compileRegex`. */
export class RegexError {
  readonly code: RegexErrorCode;
  readonly message: string;
  constructor(code: RegexErrorCode) {
    this.code = code;
    this.message = REGEX_MESSAGES[code];
  }
}

/** How the parser leaves: caught in `parseRegex`, nowhere else. */
export class SyntaxProblem extends Error {
  readonly problem: RegexError;
  constructor(code: RegexErrorCode) {
    super(code);
    this.problem = new RegexError(code);
  }
}

const STEPS = 'regexSteps';

/** Thrown while matching: a search has gone on for too many steps. It ends the run, unless the command has something to say about it. */
export function regexTooCostly(): ShellError {
  return new ShellError('limit', 'regular expression takes too many steps', STEPS);
}

export function isRegexTooCostly(error: unknown): error is ShellError {
  return isShellError(error) && error.limit === STEPS;
}
