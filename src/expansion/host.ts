/** What expansion needs of the shell around it. It knows words and nothing of running: the rest is handed in. */
import type { Arithmetic, CommandSubstitution, ProcessSubstitution } from '../../grammar/ast.js';
import type { ListFiles, ReadFiles } from '../files/files.js';
import type { Limits } from '../limits.js';
import type { Awaitable, Look, Tick } from '../steps.js';
import type { Int } from '../text/int64.js';
import type { FieldSeparators } from './splitting.js';

/** Options of `shopt` that say what patterns match. */
export type PatternOption =
  | 'nullglob'
  | 'failglob'
  | 'dotglob'
  | 'globstar'
  | 'nocaseglob'
  | 'nocasematch'
  | 'extglob'
  | 'patsub_replacement';

export interface ExpansionHost {
  /** Value of a parameter: a variable, a positional parameter by its digits, or a special one. Undefined when unset. */
  parameter(name: string): string | undefined;
  /** The positional parameters, `$1` first. */
  positional(): readonly string[];
  /** Sets a variable. Throws ExpansionError when it is readonly. */
  assign(name: string, value: string): void;
  /** The integer a variable holds, when it is known without parsing its text; otherwise undefined. */
  integer(name: string): Int | undefined;
  assignInteger(name: string, value: Int): void;
  /** The elements of an array in order, or the one value of any other variable; none when it is unset. */
  elements(name: string): readonly string[];
  /** Their indices or keys. */
  keys(name: string): readonly string[];
  /** One element, by the text of its subscript: arithmetic for an indexed array, a key for an associative one. */
  element(name: string, subscript: string): string | undefined;
  isAssociative(name: string): boolean;
  assignElement(name: string, subscript: string, value: string): void;
  /** What a reference (`declare -n`) stands for; undefined for a name that is none. */
  referenceTarget(name: string): string | undefined;
  /** Names of the variables that begin with `prefix`, sorted. */
  variableNames(prefix: string): readonly string[];
  /** `declare`'s letters for a variable (`${x@a}`), and its declaration (`${x@A}`). */
  attributes(name: string): string;
  declaration(name: string): string;
  /** Text with the escapes of `$'...'` decoded (`${x@E}`). */
  unescape(text: string): string;
  /** Expands text as a prompt (`${x@P}`). */
  prompt(text: string): Awaitable<string>;
  /** A name for a running `<( )` or `>( )`. */
  processSubstitution(node: ProcessSubstitution): string;
  /** `$IFS`, analysed. */
  readonly separators: FieldSeparators;
  /** `set -f`, `set -u`. */
  readonly noglob: boolean;
  readonly nounset: boolean;
  /** Whether an option of `shopt` is on. */
  patternOption(name: PatternOption): boolean;
  /** How deep extended patterns may stand in each other; 0: `extglob` is off. */
  readonly patternNesting: number;
  /** `GLOBIGNORE` (bash): patterns, joined by colons, of pathnames that no pattern matches; undefined: unset or empty. */
  readonly ignoredPathnames: string | undefined;
  /** Parses an expression; a text is what is wrong with it. */
  parseArithmetic(text: string): Arithmetic | string;
  /** The text an operation was read in, and where its right operand begins, for a message; undefined where that is not known. */
  rightOperand(node: Arithmetic): { readonly text: string; readonly offset: number } | undefined;
  /** Runs a command substitution: its output without trailing newlines. */
  substitute(node: CommandSubstitution): Awaitable<string>;
  /** Home directory for `~` (user ``) and `~user`; undefined when there is none. */
  home(user: string): string | undefined;
  readonly fs: ReadFiles & ListFiles;
  readonly limits: Limits;
  readonly tick: Tick;
  readonly look: Look;
}

/**
 * A word could not be expanded: `${x?}`, `set -u`, arithmetic, a readonly variable. It ends the shell, or subshell, it happens in
 * (POSIX 2.8.1), so it is thrown to the command that holds the word, which turns it into an outcome.
 */
export class ExpansionError extends Error {
  override readonly name = 'ExpansionError';
  readonly status: number;
  constructor(message: string, status = 1) {
    super(message);
    this.status = status;
  }
}

/** A pattern that no file matches, under `failglob`: the script goes on with the next complete command, as in bash. */
export class NoMatch extends ExpansionError {}

/** An expression that is none, or cannot be evaluated. It ends the script also where a built-in met it in assigning (`declare -i`). */
export class ArithmeticError extends ExpansionError {}

/** One whose message begins with the expression. `((...))` and their like say before it what they are, as bash does. */
export class ExpressionError extends ArithmeticError {}
