/** `set -x`: each command, expanded, on the error stream after `$PS4`. */
import type { For, Word } from '../../grammar/ast.js';
import { print, ScriptParser } from '../../grammar/index.js';
import { ExpansionError } from '../expansion/host.js';
import { joinParts } from '../expansion/words.js';
import { quote } from '../text/quote.js';
import { OPTIONS } from './options.js';
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

/** `$PS4` with its parameters expanded (POSIX 2.5.3); as it is where that is not possible at once. */
function prefix(shell: ShellState): string {
  const text = shell.variables.get('PS4')?.value ?? '';
  if (!text.includes('$') && !text.includes('`')) return text;
  const parts = promptParts(text);
  if (parts === undefined) return text;
  const { options, status, substitutionStatus } = shell;
  // What the prompt runs is not traced itself, and leaves no status.
  shell.options &= ~OPTIONS.xtrace.bit;
  try {
    const expanded = joinParts(shell, parts, true);
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

let known: { readonly text: string; readonly parts: Word['parts'] | undefined } | undefined;

/** A prompt is expanded as the text of a here-document is, so it is read as one. */
function promptParts(text: string): Word['parts'] | undefined {
  if (known?.text === text) return known.parts;
  const result = new ScriptParser(`: << END_OF_PROMPT\n${text}`).next();
  const statement = result.kind === 'command' ? result.command.list.items[0]?.statement : undefined;
  const document = statement?.kind === 'SimpleCommand' ? statement.redirections[0] : undefined;
  known = { text, parts: document?.kind === 'HereDocument' ? document.body.parts : undefined };
  return known.parts;
}
