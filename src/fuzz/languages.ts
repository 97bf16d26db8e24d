/** The languages that scripts are generated in, each with the shells that judge. */

import type { ShellName } from '../sandbox/oracle-shells.js';
import { BASH_GRAMMARS, BASH_PRELUDE } from './bash.js';
import fc from './fast-check.js';
import { POSIX_ALONE, POSIX_GRAMMARS, PRELUDE } from './posix.js';
import { language, type Text } from './texts.js';

/** Scripts that real shells can be asked about. */
export interface Language {
  /** What it is called on the command line of the fuzzer. */
  readonly name: 'posix' | 'bash' | 'tools';
  /** What these agree on is what rmsh has to do. */
  readonly judges: readonly ShellName[];
  /** What each of its scripts begins with. */
  readonly prelude: string;
  /** Complete commands, one a line; `isJudged` holds for each. */
  readonly script: Text;
  /** False for a text about which the judges say nothing: they differ from each other, or from POSIX. */
  readonly isJudged: (text: string) => boolean;
}

const script = (line: Text): Text =>
  fc.array(line, { minLength: 1, maxLength: 6 }).map((lines) => `${lines.join('\n')}\n`);

/** `${#+}` and `${x@}`: a bad substitution, which ends a script that has it where it is read, and in the other shells where it is expanded. */
const LONE_OPERATOR = /\$\{#[+=%/^,~]\}|\$\{\w+@\}/;

/**
 * dash and bash (and mksh) join the fields of an unquoted `$*` and split the whole, so that with `IFS=' :'` the blank between two and a `:` are
 * one separator; POSIX, yash and ksh split each field.
 */
function joinsByBlanks(text: string): boolean {
  return /IFS=[^\n;]*(?: [^\s'";]|[^\s'"=;] )/.test(text) && /\$\{?[*@]/.test(text);
}

/**
 * bash and mksh join also those that are empty, and the separators around them make fields; dash drops what yash, ksh and rmsh keep of
 * `set -- '' :s; IFS=:`: the empty field before the `s`. POSIX lets empty parameters be dropped, and splits the others.
 */
function joinsEmpty(text: string): boolean {
  return text.includes('IFS=') && /\$\{?[*@]|\[[*@]\]/.test(text.replaceAll(/"[^"]*"/g, ''));
}

/** A trap for EXIT that a compound command sets which is a stage of a pipeline: bash never runs it; dash, mksh and yash do. */
const STAGE_TRAP = /\|\s*(?:while|until|for|if|case|select)\b[\s\S]*\btrap\b/;

/** Assignments before a special built-in: they last, as POSIX says, and in bash they do not. */
const LASTING =
  /\w=\S*\s+(?:[.:]|break|continue|eval|exec|exit|export|readonly|return|set|shift|times|trap|unset)(?:[\s;&|)<>]|$)/;

/** `$(a)$?`: bash and ksh have the status of the substitution already; in dash, mksh, yash and busybox `$?` is the last command's, as in POSIX. Braces make the next word of the same one. */
const STATUS_IN_WORDS =
  /(?:\$\((?!\()[^\n]*\)|`)[^\n;&|]*\$\{?\?|\{[^\n;]*(?:,|\.\.)[^\n;]*\}[^\n;]*\$\{?\?[^\n;]*(?:\$\(|`)|(?:\$\(|`)[^\n;]*\$\{?\?[^\n;]*\{[^\n;]*(?:,|\.\.)/;

/** `n+=(n+=2)`: bash, mksh and ksh take the left side first; dash, yash and busybox, and C, as it comes. */
const ASSIGNED_TWICE =
  /(\w+) *(?:[-+*/%&|^]|<<|>>)=[^\n]*(?:\b\1 *(?:[-+*/%&|^]|<<|>>)?=(?!=)|(?:\+\+|--)\1\b|\b\1(?:\+\+|--))/;

/** Text that an `eval` runs and that is made of anything: a mistake in it ends a POSIX script. */
const ANY_EVAL = /\beval (?!'|"p \$a"|p '|"\$c")/;

/** A quoted `"` in `"${x-'"'}"`: bash and yash find where the operand ends, dash, mksh, ksh and busybox (and rmsh) do not. */
const QUOTED_QUOTE = /"[^"\n]*\$\{[^}\n]*[-+=?]'"'/;

/** `do a | { break; }`: bash alone says that it is in no loop. */
const STAGE_BREAK = /\bdo\b[^\n]*(?<!\|)\|(?!\|)[^\n]*\b(?:break|continue)\b/;

/** In `"${u="{a,b}"}"` bash takes the inner quotes for the end of the outer ones, and in `([3]={a,b})` the elements lose their subscripts; the brace in `${x={}` hides those after it. */
const ODD_BRACES = /"[^"\n]*\$\{[^}\n]*"[^"\n]*\{|\[\w+\]=[^\s)]*\{|\$\{\w+[^}\n$]*\{\}\S*\{/;

/** `"$@${!y[*]}"`, `"${x[@]}${y[*]%p}"`: the keys, the elements are not joined. */
const KEYS_BESIDE =
  /(?:\$\{?@|\[@\]|\$\{!\w+@)[^\n]*(?:\$\{!\w+\[\*\]|\[\*\][^}\n])|\[\*\][^}\n][^\n]*(?:\$\{?@|\[@\]|\$\{!\w+@)/;

/** An assignment to what is readonly, before a command or by `readonly` itself, ends a POSIX script; `set` alone shows what only bash has. */
const ENDS_POSIX = /readonly (\w+)=[\s\S]*\b\1=|\bset *(?:[;&|)\n]|$)/;

/** `! { a; } <nofile`: bash alone does not negate what the redirection of a compound command comes to. */
const NEGATED_REDIRECTION = /! *(?:[({]|for\b|while\b|until\b|if\b|case\b|select\b)[^\n]*[<>]/;

/** `${w/a/"$@"}` keeps the empty fields of `$@`; `"${a+$'\\'}"` is not read to its end. */
const ODD_OPERANDS = /\$\{\w+\/[^}]*"[^"]*\$\{?@|"[^"\n]*\$\{[^}\n]*\$'[^'\n]*\\\\'/;

/** An error of expansion in a stage: bash runs the action of EXIT there, which is the shell's. */
const TRAP_IN_STAGE = /trap [^\n]*EXIT[\s\S]*\$\(\([\s\S]*\||\$\(\([^\n]*\|[\s\S]*trap [^\n]*EXIT/;

/** What bash does alone, and nobody should learn from it; and what it does otherwise than POSIX, where rmsh follows POSIX. */
function isBashJudged(text: string): boolean {
  if (LONE_OPERATOR.test(text) || LASTING.test(text) || STAGE_TRAP.test(text) || joinsEmpty(text)) return false;
  if (STATUS_IN_WORDS.test(text) || ASSIGNED_TWICE.test(text) || ANY_EVAL.test(text)) return false;
  if (QUOTED_QUOTE.test(text) || STAGE_BREAK.test(text)) return false;
  if (ODD_BRACES.test(text) || KEYS_BESIDE.test(text) || ENDS_POSIX.test(text)) return false;
  if (NEGATED_REDIRECTION.test(text) || ODD_OPERANDS.test(text) || TRAP_IN_STAGE.test(text)) return false;
  // Letters of options that are no others' (`h` and `B`) are among those it has on.
  if (/\$(?:\{#?)?-/.test(text)) return false;
  // An error of a special built-in ends the script: an element, no name, or a name twice, which braces make.
  if (/(?:export|readonly) (?:\w+\[|\W|[^\n]*\{[^}$\n]*(?:,|\.\.))/.test(text)) return false;
  // The menu of `select` is in columns; rmsh has a line for each word, as ksh has.
  if (/\bselect\b/.test(text) && text.includes('2>')) return false;
  // In a here-document it splits `$*` and joins it by spaces, whatever IFS is.
  if (/<<-?\\?\w/.test(text) && text.includes('$*')) return false;
  // `a ? b = 1 : c = 2` is an error (the colon binds tighter), which it finds when it has assigned to b; likewise `n--()`.
  return !/\?[^?]*:[^:?]*\w *(?:[-+*/%|&^]|<<|>>)?=(?!=)|(?:\+\+|--)\(/.test(text);
}

const isPosixJudged = (text: string): boolean => !LONE_OPERATOR.test(text) && !joinsByBlanks(text);

/** The languages whose scripts real shells judge. */
export const LANGUAGES: readonly Language[] = [
  {
    name: 'posix',
    judges: ['dash', 'bash'],
    prelude: PRELUDE,
    script: script(language('line', ...POSIX_GRAMMARS, ...POSIX_ALONE)).filter(isPosixJudged),
    isJudged: isPosixJudged,
  },
  {
    name: 'bash',
    judges: ['bash'],
    prelude: PRELUDE + BASH_PRELUDE,
    script: script(language('line', ...POSIX_GRAMMARS, ...BASH_GRAMMARS)).filter(isBashJudged),
    isJudged: isBashJudged,
  },
];
