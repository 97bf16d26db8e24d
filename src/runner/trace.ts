/** `set -x`: each command, expanded, on the error stream after `$PS4`. */
import type { For } from '../../grammar/ast.js';
import { print } from '../../grammar/index.js';
import { ExpansionError } from '../expansion/host.js';
import { joinParts } from '../expansion/words.js';
import { quote } from '../text/quote.js';
import { OPTIONS } from './options.js';
import { promptWord } from './prompt.js';
import type { ShellState } from './state.js';

export function trace(shell: ShellState, words: readonly string[]): void {
  shell.writeError(`${prefix(shell)}${words.join(' ')}\n`);
}

export function traceCommand(shell: ShellState, assignments: readonly string[], argv: readonly string[]): void {
  trace(shell, [...assignments, ...argv.map(quoteWord)]);
}

/** `name=value`, as it is traced. */
export function assignmentText(name: string, value: string): string {
  return `${name}=${value === '' ? '' : quoteWord(value)}`;
}

/** bash shows the head of a `for` at each turn. */
export function traceCompound(shell: ShellState, node: For): void {
  const words = node.words === undefined ? '' : ` in ${node.words.map((word) => print(word)).join(' ')}`;
  trace(shell, [`for ${node.name}${words}`]);
}

export function quoteWord(word: string): string {
  return quote(word);
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
