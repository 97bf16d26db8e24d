/** What a dollar sign or a backquote introduces: substitutions and arithmetic (POSIX 2.6); for `${ }` see parameters.ts. */
import { parseArithmetic } from './arithmetic.js';
import type { Arithmetic, ArithmeticText, List, ParameterExpansion, WordPart } from './ast.js';
import {
  BACKQUOTE,
  BACKSLASH,
  CLOSE_PARENTHESIS,
  DOLLAR,
  DOUBLE_QUOTE,
  isDigit,
  isNameStart,
  LESS,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PARENTHESIS,
} from './characters.js';
import { Stop } from './diagnostics.js';
import { readBraced, readName, SPECIAL_PARAMETERS } from './parameters.js';
import { type QuotedContext, WordReader } from './words.js';

/**
 * The expansion at `position`, where a `$` stands; undefined, and nothing read, when the `$` is just itself. `context`: the quoted text in which
 * it stands, if it does.
 */
export function readDollar(reader: WordReader, context: QuotedContext | undefined): WordPart | undefined {
  const { text, position: start } = reader;
  const at = reader.afterContinuations(start + 1);
  const code = text.charCodeAt(at);
  if (isNameStart(code)) {
    const name = readName(reader, at);
    return parameter(start, reader.position, name);
  }
  switch (code) {
    case OPEN_BRACE:
      return readBraced(reader, start, at + 1, context);
    case OPEN_PARENTHESIS:
      return readSubstitution(reader, start, at);
    case OPEN_BRACKET:
      return reader.options.modes.posix ? undefined : readBracketed(reader, start, at);
  }
  if (isDigit(code) || (at < text.length && SPECIAL_PARAMETERS.includes(text.charAt(at)))) {
    reader.position = at + 1;
    return parameter(start, at + 1, text.charAt(at));
  }
  return undefined;
}

/** `$name` */
function parameter(start: number, end: number, name: string): ParameterExpansion {
  const subscript = undefined;
  const operation = undefined;
  return { kind: 'ParameterExpansion', start, end, name, braced: false, subscript, indirect: false, operation };
}

// ------------------------------------------------------------------------------------------------------- substitutions

function readSubstitution(reader: WordReader, start: number, open: number): WordPart {
  const arithmetic = arithmeticParentheses(reader, open);
  if (arithmetic !== undefined) {
    reader.enter(start);
    const { parts, expression } = readArithmetic(reader, arithmetic.from, arithmetic.to);
    reader.leave();
    reader.position = arithmetic.end;
    return { kind: 'ArithmeticExpansion', start, end: arithmetic.end, parts, expression };
  }
  reader.enter(start);
  const { list, end } = reader.options.readCommands(reader, open + 1, true);
  reader.leave();
  reader.position = end + 1;
  return { kind: 'CommandSubstitution', start, end: end + 1, backquoted: false, text: undefined, body: list };
}

/** `$[expression]`, the old form of bash, `open` being its bracket: it is printed as `$((expression))`. */
function readBracketed(reader: WordReader, start: number, open: number): WordPart {
  const close = reader.closingBracket(open);
  if (close < 0) reader.unterminated(']', '$[', start);
  reader.enter(start);
  const { parts, expression } = readArithmetic(reader, open + 1, close);
  reader.leave();
  reader.position = close + 1;
  return { kind: 'ArithmeticExpansion', start, end: close + 1, parts, expression };
}

/** `<(list)` or `>(list)` at `position`. */
export function readProcessSubstitution(reader: WordReader): WordPart {
  const { position: start } = reader;
  const direction = reader.text.charCodeAt(start) === LESS ? '<' : '>';
  reader.enter(start);
  const { list, end } = reader.options.readCommands(reader, start + 2, true);
  reader.leave();
  reader.position = end + 1;
  return { kind: 'ProcessSubstitution', start, end: end + 1, direction, body: list };
}

/** `` `list` `` at `position`: the text between, less one level of backslashes, is read as a text of its own. */
export function readBackquoted(reader: WordReader, inString: boolean): WordPart {
  const { text, position: start } = reader;
  let body = '';
  let from = start + 1;
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKQUOTE) break;
    if (code !== BACKSLASH) continue;
    const next = text.charCodeAt(at + 1);
    if (next === DOLLAR || next === BACKQUOTE || next === BACKSLASH || (inString && next === DOUBLE_QUOTE)) {
      body += text.slice(from, at);
      from = at + 1;
    }
    at++;
  }
  if (at >= text.length) reader.unterminated('`', '`', start);
  body += text.slice(from, at);
  reader.enter(start);
  const inner = new WordReader(body, reader.options, reader.depth, { reader, offset: start });
  let list: List;
  try {
    list = reader.options.readCommands(inner, 0, false).list;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    // its offsets count in the body's text, and what it lacks cannot come after the closing backquote
    throw new Stop({ message: error.problem.message, offset: start, kind: error.problem.kind }, false);
  }
  reader.leave();
  reader.position = at + 1;
  return { kind: 'CommandSubstitution', start, end: at + 1, backquoted: true, text: body, body: list };
}

// ---------------------------------------------------------------------------------------------------------- arithmetic

/** What is between `((` and `))`, `open` being the first parenthesis; undefined when they close apart, as in `((a); b)`. */
export function arithmeticParentheses(
  reader: WordReader,
  open: number,
): { from: number; to: number; end: number } | undefined {
  const inner = reader.afterContinuations(open + 1);
  if (reader.text.charCodeAt(inner) !== OPEN_PARENTHESIS) return undefined;
  const to = reader.closingParenthesis(inner);
  if (to < 0) return undefined;
  const last = reader.afterContinuations(to + 1);
  return reader.text.charCodeAt(last) === CLOSE_PARENTHESIS ? { from: inner + 1, to, end: last + 1 } : undefined;
}

/** The expression between two offsets. */
export function readArithmetic(reader: WordReader, start: number, end: number): ArithmeticText {
  const parts: WordPart[] = [];
  reader.position = start;
  reader.quoted(parts, -1, end, 'arithmetic');
  // a substitution inside ran past the end: the quotes in it do not match up
  if (reader.position !== end) reader.syntaxErrorNear(end, end + 1);
  return { start, end, parts, expression: expressionOf(reader, parts, start, end) };
}

/** The expression, when all that has to be expanded in it are plain parameters. */
export function expressionOf(
  reader: WordReader,
  parts: readonly WordPart[],
  start: number,
  end: number,
): Arithmetic | undefined {
  for (const part of parts) {
    if (part.kind !== 'Literal' && !(part.kind === 'ParameterExpansion' && isPlain(part))) return undefined;
  }
  const text = reader.text.slice(start, end).replaceAll('\\\n', '');
  if (text.includes('\\')) return undefined;
  const result = parseArithmetic(text, { maxNesting: reader.options.maxNesting, parameters: true });
  return 'message' in result ? undefined : result;
}

function isPlain({ operation, indirect, subscript }: ParameterExpansion): boolean {
  return operation === undefined && !indirect && subscript === undefined;
}
