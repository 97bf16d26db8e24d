/** Words as a shell would read them, where nothing has to be expanded. */
import { parse } from '../grammar/index.js';

/**
 * The reverse of `quote`: the words of `text` without their quotes, as many as there are. Undefined where the text is anything but
 * words that stand for themselves: an operator, an expansion, a pattern, a comment, a quote that is open (POSIX XCU 2.2, 2.3).
 */
export function unquote(text: string): string[] | undefined {
  // The colon takes what would be a reserved word or an assignment where a command begins.
  const { commands, problem, incomplete } = parse(`: ${text}`);
  const [only, second] = commands;
  const statement = only?.list.items.length === 1 ? only.list.items[0] : undefined;
  if (problem !== undefined || incomplete || second !== undefined || statement?.background !== false) return undefined;
  const command = statement.statement;
  if (
    command.kind !== 'SimpleCommand' ||
    command.redirections.length > 0 ||
    command.end !== 2 + text.trimEnd().length
  ) {
    return text.trim() === '' ? [] : undefined;
  }
  const words = command.words.slice(1).map((word) => word.literal);
  return words.every((word) => word !== undefined) ? words : undefined;
}
