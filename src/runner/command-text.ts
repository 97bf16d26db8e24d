/** `$BASH_COMMAND`: the command that is being run, as bash writes it. */
import type {
  ArithmeticCommand,
  ArithmeticText,
  Case,
  Conditional,
  For,
  Redirection,
  Select,
  SimpleCommand,
  Subshell,
  Word,
} from '../../grammar/ast.js';
import { print } from '../../grammar/index.js';

/** A command, or an expression of `for ((;;))`. Of loops and `case` only the head is told. */
export type RunningCommand =
  | SimpleCommand
  | For
  | Select
  | Case
  | ArithmeticCommand
  | Conditional
  | Subshell
  | ArithmeticText;

export function commandText(command: RunningCommand): string {
  if (!('kind' in command)) return `((${arithmeticText(command).trim()}))`;
  switch (command.kind) {
    case 'For':
    case 'Select': {
      const head = `${command.kind === 'For' ? 'for' : 'select'} ${command.name} in`;
      return `${head} ${command.words === undefined ? '"$@"' : command.words.map(wordText).join(' ')}`;
    }
    case 'Case':
      return `case ${wordText(command.word)} in `;
    default: {
      const plain = print({ ...command, redirections: [] }).trimEnd();
      const text = command.kind === 'Subshell' ? `( ${plain.slice(1, -1).trim()} )` : plain;
      return [...(text === '' ? [] : [text]), ...command.redirections.map(redirectionText)].join(' ');
    }
  }
}

/** An expression as it is written. */
export function arithmeticText(node: ArithmeticText): string {
  const text = print({ kind: 'ArithmeticCommand', start: 0, end: 0, text: node, redirections: [] }).trimEnd();
  return text.slice(2, -2);
}

const NO_COMMAND = { kind: 'SimpleCommand', start: 0, end: 0, assignments: [], words: [], declared: [] } as const;

/** A word as it is written. */
export function wordText(word: Word): string {
  return print({ ...NO_COMMAND, words: [word], redirections: [] }).trimEnd();
}

/** With a blank before the target, and the descriptor of a duplicate always there. */
function redirectionText(redirection: Redirection): string {
  if (redirection.kind !== 'FileRedirection') {
    return print({ ...NO_COMMAND, redirections: [redirection] }).split('\n', 1)[0] as string;
  }
  const { operator, target, descriptor } = redirection;
  const duplicates = operator === '>&' || operator === '<&';
  const number = descriptor ?? (operator === '>&' ? 1 : 0);
  const before =
    typeof number === 'object' ? `{${number.variable}}` : descriptor !== undefined || duplicates ? number : '';
  return `${before}${operator}${duplicates ? '' : ' '}${wordText(target)}`;
}
