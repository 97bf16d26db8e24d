/** `((expression))` and the head of `for ((first; test; next))`. */
import type { ArithmeticText } from './ast.js';
import { cutLiterals } from './cutting.js';
import { arithmeticParentheses, expressionOf, readArithmetic } from './expansions.js';
import type { WordReader } from './words.js';

/** The three expressions of a loop's head. */
export type ArithmeticForHead = readonly (ArithmeticText | undefined)[];

/** `((expression))` at `at`; undefined when it is two subshells. */
export function readArithmeticCommand(
  reader: WordReader,
  at: number,
): { text: ArithmeticText; end: number } | undefined {
  const between = arithmeticParentheses(reader, at);
  if (between === undefined) return undefined;
  const text = readArithmetic(reader, between.from, between.to);
  return { text, end: between.end };
}

/** `((first; test; next))` at `at`, after `for`; undefined when the parentheses do not close as they must. */
export function readArithmeticFor(
  reader: WordReader,
  at: number,
): { head: ArithmeticForHead; end: number } | undefined {
  const between = arithmeticParentheses(reader, at);
  if (between === undefined) return undefined;
  const { from, to, end } = between;
  const { parts } = readArithmetic(reader, from, to);
  const pieces = cutLiterals(reader.text, parts, from, to, (character) => character === ';');
  const [, , third, fourth] = pieces;
  if (third === undefined) reader.fail('syntax', 'syntax error: arithmetic expression required', to);
  if (fourth !== undefined) reader.syntaxErrorNear(third.end, third.end + 1);
  const head = pieces.map((piece): ArithmeticText | undefined => {
    if (piece.parts.every((part) => part.kind === 'Literal' && part.text.trim() === '')) return undefined;
    return { ...piece, expression: expressionOf(reader, piece.parts, piece.start, piece.end) };
  });
  return { head, end };
}
