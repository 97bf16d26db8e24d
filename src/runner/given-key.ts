/** The key in a word like `m[$k]` that was quoted for `unset`, which finds it as the shell would (bash). */
import { ScriptParser } from '../../grammar/index.js';
import { expandString } from '../expansion/words.js';
import type { ShellState } from './state.js';

/**
 * `unset 'm[$k]'` means the key that is `$k`: the quotes are there to keep the brackets from being a pattern. A key that is there as it is
 * written is that key, and a command substitution in one is never run: the text of a key is data, and may be anybody's.
 */
export function givenKey(shell: ShellState, name: string, text: string): string {
  const { array } = shell.variables.get(name) ?? {};
  if (!(array instanceof Map) || array.has(text) || !/[$"'\\]/.test(text) || /\$\(|`|@P/.test(text)) return text;
  const read = new ScriptParser(`m[${text}]=`).next();
  const statement = read.kind === 'command' ? read.command.list.items[0]?.statement : undefined;
  const subscript = statement?.kind === 'SimpleCommand' ? statement.assignments[0]?.subscript : undefined;
  const key = subscript === undefined ? text : expandString(shell, subscript);
  return typeof key === 'string' ? key : text;
}
