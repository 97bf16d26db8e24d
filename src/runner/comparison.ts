/**
 * `[ $i -lt 10 ]` with the integers that the variables hold, as loops ask at every turn. The built-in would be handed texts, made of
 * integers for it to make integers of again. test/property/comparison.test.ts: both answer the same.
 */
import type { SimpleCommand, Word } from '../../grammar/ast.js';
import { compare, type Int } from '../text/int64.js';
import type { ShellState } from './state.js';
import { canonicalInteger } from './variables.js';

/** The status of such a command; undefined for any other, and for one that the built-in may see otherwise. */
export function compareIntegers(shell: ShellState, node: SimpleCommand): 0 | 1 | undefined {
  const { words } = node;
  if (words.length !== 5 || words[0]?.literal !== '[' || words[4]?.literal !== ']') return undefined;
  if (node.redirections.length > 0 || node.assignments.length > 0 || shell.tracing) return undefined;
  if (!shell.functions.isEmpty && shell.functions.get('[') !== undefined) return undefined;
  const operator = words[2]?.literal;
  if (operator === undefined || operator.length !== 3) return undefined;
  const left = integerOf(shell, words[1] as Word);
  if (left === undefined) return undefined;
  const right = integerOf(shell, words[3] as Word);
  return right === undefined ? undefined : answer(operator, compare(left, right));
}

function answer(operator: string, order: number): 0 | 1 | undefined {
  switch (operator) {
    case '-lt':
      return order < 0 ? 0 : 1;
    case '-gt':
      return order > 0 ? 0 : 1;
    case '-eq':
      return order === 0 ? 0 : 1;
    case '-ne':
      return order !== 0 ? 0 : 1;
    case '-le':
      return order <= 0 ? 0 : 1;
    case '-ge':
      return order >= 0 ? 0 : 1;
    default:
      return undefined;
  }
}

/** The integer that is the word's one field. An IFS that would cut it in pieces leaves none. */
function integerOf(shell: ShellState, word: Word): Int | undefined {
  if (word.literal !== undefined) return canonicalInteger(word.literal);
  if (word.parts.length !== 1) return undefined;
  let part = word.parts[0];
  if (part?.kind === 'DoubleQuoted') {
    if (part.parts.length !== 1) return undefined;
    part = part.parts[0];
  } else if (shell.separators.splitsNumbers) return undefined;
  if (part?.kind !== 'ParameterExpansion' || part.operation !== undefined) return undefined;
  if (part.subscript !== undefined || part.indirect) return undefined;
  return shell.integer(part.name);
}
