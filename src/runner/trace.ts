/** `set -x`: each command, expanded, on the error stream after `$PS4`. */
import type { ArithmeticText, Case, For, Select } from '../../grammar/ast.js';
import { ExpansionError } from '../expansion/host.js';
import { joinParts } from '../expansion/words.js';
import type { Awaitable } from '../steps.js';
import { quoteAlways } from '../text/quote.js';
import { arithmeticText, commandText } from './command-text.js';
import { OPTIONS } from './options.js';
import { promptWord } from './prompt.js';
import type { ShellState } from './state.js';

export function trace(shell: ShellState, words: readonly string[]): void {
  const first = prefix(shell);
  // One more for each text that is run within a text, and for each command substitution, as in bash.
  const deeper = String.fromCodePoint(first.codePointAt(0) ?? 0x2b).repeat(first === '' ? 0 : shell.traceDepth);
  shell.writeError(`${deeper}${first}${words.join(' ')}\n`);
}

export function traceCommand(shell: ShellState, assignments: readonly string[], argv: readonly string[]): void {
  trace(shell, [...assignments, ...argv.map(quoteWord)]);
}

/** `name=value`, as it is traced. */
export function assignmentText(name: string, value: string): string {
  return `${name}=${value === '' ? '' : quoteWord(value)}`;
}

/** One test of `[[ ... ]]`: its words are shown as they are, for what is quoted in a pattern is escaped already. */
export function traceTest(shell: ShellState, negated: boolean, words: readonly string[]): void {
  const shown = words.map((word) => (word === '' ? "''" : word));
  trace(shell, ['[[', ...(negated ? ['!'] : []), ...shown, ']]']);
}

/** `((...))`, and each expression of `for ((;;))`. What runs a command would run it twice: that is shown as it is written. */
export function traceArithmetic(shell: ShellState, node: ArithmeticText): void {
  const runs = node.parts.some(({ kind }) => kind === 'CommandSubstitution');
  let text: Awaitable<string> = '';
  try {
    if (!runs) text = joinParts(shell, node.parts, true);
  } catch (error) {
    if (!(error instanceof ExpansionError)) throw error;
  }
  const shown = typeof text === 'string' && !runs ? text : arithmeticText(node);
  trace(shell, ['((', shown, '))']);
}

/** bash shows the head of a `for` or a `select` at each turn, and that of a `case`. */
export function traceCompound(shell: ShellState, node: For | Select | Case): void {
  trace(shell, [commandText(node).trimEnd()]);
}

/** As bash traces a word: in quotes where a character is special in it, which `=` and letters of any script are not. */
export function quoteWord(word: string): string {
  const special = word === '' || /[ \t\n'"\\|&;()<>!{}*[\]?^$`]|^~|[=:]~|^#/.test(word);
  return special ? quoteAlways(word) : word;
}

/** `$PS4`, expanded as any prompt (POSIX 2.5.3); as it is where that is not possible at once. */
function prefix(shell: ShellState): string {
  const text = shell.variables.get('PS4')?.value ?? '';
  const word = promptWord(shell, text);
  if (typeof word === 'string') return word;
  const { options, status, substitutionStatus } = shell;
  // What the prompt runs is not traced itself, and leaves no status.
  shell.options &= ~OPTIONS.xtrace.bit;
  try {
    const expanded = joinParts(shell, word.parts, true);
    return typeof expanded === 'string' ? expanded : text;
  } catch (error) {
    if (error instanceof ExpansionError) return text;
    throw error;
  } finally {
    shell.options = options;
    shell.status = status;
    shell.substitutionStatus = substitutionStatus;
  }
}
