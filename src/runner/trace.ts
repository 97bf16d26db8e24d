/** `set -x`: each command, expanded, on the error stream after `$PS4`. */
import type { For } from '../../grammar/ast.js';
import { print } from '../../grammar/index.js';
import { quote } from '../text/quote.js';
import type { ShellState } from './state.js';

export function trace(shell: ShellState, words: readonly string[]): void {
  shell.writeError(`${shell.variables.get('PS4')?.value ?? ''}${words.join(' ')}\n`);
}

export function traceCommand(shell: ShellState, assignments: readonly string[], argv: readonly string[]): void {
  trace(shell, [...assignments, ...argv.map(quoteWord)]);
}

/** bash shows the head of a `for` at each turn. */
export function traceCompound(shell: ShellState, node: For): void {
  const words = node.words === undefined ? '' : ` in ${node.words.map((word) => print(word)).join(' ')}`;
  trace(shell, [`for ${node.name}${words}`]);
}

export function quoteWord(word: string): string {
  return quote(word);
}
