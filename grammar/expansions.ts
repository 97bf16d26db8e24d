/** What a dollar sign introduces: parameters with their operations, command substitution, arithmetic (POSIX 2.6). */
import { parseArithmetic } from './arithmetic.js';
import type { Arithmetic, ParameterExpansion, ParameterOperation, Word, WordPart } from './ast.js';
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_PARENTHESIS,
  isDigit,
  isNameCharacter,
  isNameStart,
  NEWLINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PARENTHESIS,
} from './characters.js';
import { tokenText } from './diagnostics.js';
import { literalText } from './quoting.js';
import type { WordReader } from './words.js';

const SPECIAL_PARAMETERS = '@*#?-$!';

/** The expansion at `position`, where a `$` stands; undefined, and nothing read, when the `$` is just itself. */
export function readDollar(reader: WordReader, inQuotes: boolean): WordPart | undefined {
  const { text, position: start } = reader;
  const at = reader.afterContinuations(start + 1);
  const code = text.charCodeAt(at);
  if (isNameStart(code)) {
    const name = readName(reader, at);
    return parameter(start, reader.position, name);
  }
  switch (code) {
    case OPEN_BRACE:
      return readBraced(reader, start, at + 1, inQuotes);
    case OPEN_PARENTHESIS:
      return readSubstitution(reader, start, at);
    case OPEN_BRACKET:
      return reader.fail('unsupported', '`$[ ]` is not supported; use `$(( ))`, or quote the `$`', start);
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

/** The name at `at`, through line continuations. */
function readName(reader: WordReader, at: number): string {
  const { text } = reader;
  let name = '';
  let from = at;
  let end = at;
  for (;;) {
    while (end < text.length && isNameCharacter(text.charCodeAt(end))) end++;
    if (text.charCodeAt(end) !== BACKSLASH || text.charCodeAt(end + 1) !== NEWLINE) break;
    const next = reader.afterContinuations(end);
    if (!isNameCharacter(text.charCodeAt(next))) break;
    name += text.slice(from, end);
    from = end = next;
  }
  reader.position = end;
  return name + text.slice(from, end);
}

// ------------------------------------------------------------------------------------------------------- substitutions

function readSubstitution(reader: WordReader, start: number, open: number): WordPart {
  const inner = reader.afterContinuations(open + 1);
  if (reader.text.charCodeAt(inner) === OPEN_PARENTHESIS) {
    const close = reader.parentheses.closing(inner);
    const end = close < 0 ? -1 : reader.afterContinuations(close + 1);
    if (end >= 0 && reader.text.charCodeAt(end) === CLOSE_PARENTHESIS) {
      return readArithmetic(reader, start, inner + 1, close, end + 1);
    }
  }
  reader.enter(start);
  const { list, end } = reader.options.readCommands(reader, open + 1, true);
  reader.leave();
  reader.position = end + 1;
  return { kind: 'CommandSubstitution', start, end: end + 1, backquoted: false, text: undefined, body: list };
}

function readArithmetic(reader: WordReader, start: number, from: number, close: number, end: number): WordPart {
  const parts: WordPart[] = [];
  reader.enter(start);
  reader.position = from;
  reader.quoted(parts, -1, close, 'arithmetic');
  // a substitution inside ran past the end: the quotes in it do not match up
  if (reader.position !== close) reader.syntaxErrorNear(close, close + 1);
  reader.leave();
  reader.position = end;
  const expression = expressionOf(reader, parts, reader.text.slice(from, close));
  return { kind: 'ArithmeticExpansion', start, end, parts, expression };
}

/** The expression, when all that has to be expanded in it are plain parameters. */
function expressionOf(reader: WordReader, parts: readonly WordPart[], text: string): Arithmetic | undefined {
  for (const part of parts) {
    const plain = part.kind === 'ParameterExpansion' && part.operation === undefined;
    if (part.kind !== 'Literal' && !plain) return undefined;
  }
  if (text.includes('\\')) return undefined;
  const result = parseArithmetic(text, { maxNesting: reader.options.maxNesting, parameters: true });
  return 'message' in result ? undefined : result;
}

// ---------------------------------------------------------------------------------------------------------- parameters

/** `${...}`, `at` being just after the brace. */
function readBraced(reader: WordReader, start: number, at: number, inQuotes: boolean): ParameterExpansion {
  const { text } = reader;
  reader.enter(start);
  const first = reader.afterContinuations(at);
  if (first >= text.length) reader.unterminated('}', '${', start);
  let name = '';
  let operation: ParameterOperation | undefined;
  if (text.charAt(first) === '#' && (name = lengthOperand(reader, first + 1)) !== '') {
    operation = { kind: 'Length' };
  } else {
    name = readParameterName(reader, first);
    if (name === '') badSubstitution(reader, start, first);
    refuseIndirection(reader, start, name);
    operation = readOperation(reader, start, inQuotes);
  }
  if (text.charCodeAt(reader.position) !== CLOSE_BRACE) {
    if (reader.position >= text.length) reader.unterminated('}', '${', start);
    badSubstitution(reader, start, reader.position);
  }
  reader.position++;
  reader.leave();
  const { position: end } = reader;
  return {
    kind: 'ParameterExpansion',
    start,
    end,
    name,
    braced: true,
    subscript: undefined,
    indirect: false,
    operation,
  };
}

/** The parameter at `at`, or an empty text. */
function readParameterName(reader: WordReader, at: number): string {
  const { text } = reader;
  const code = text.charCodeAt(at);
  if (isNameStart(code)) return readName(reader, at);
  let end = at;
  while (isDigit(text.charCodeAt(end))) end++;
  if (end === at && at < text.length && SPECIAL_PARAMETERS.includes(text.charAt(at))) end++;
  reader.position = end;
  return text.slice(at, end);
}

/**
 * What `${#...}` asks the length of, or an empty text: then `#` is the parameter itself, as in `${#}` and `${#:-x}`.
 * `${#-}` and `${#?}` are lengths, `${#-x}` and `${##x}` are operations on `$#`.
 */
function lengthOperand(reader: WordReader, at: number): string {
  const name = readParameterName(reader, reader.afterContinuations(at));
  reader.position = reader.afterContinuations(reader.position);
  if (name === '') return '';
  const next = reader.text.charAt(reader.position);
  if (next === '}') return name;
  if (isNameCharacter(name.charCodeAt(0))) {
    if (next === '[') reader.fail('unsupported', 'arrays are not supported', at);
    if (next !== '') badSubstitution(reader, at - 1, reader.position);
  }
  return '';
}

function refuseIndirection(reader: WordReader, start: number, name: string): void {
  if (name !== '!') return;
  const next = reader.text.charCodeAt(reader.position);
  if (isNameCharacter(next)) reader.fail('unsupported', '`${!name}` is not supported', start);
}

/** What bash writes after the name of a parameter and rmsh does not know. */
const REFUSED_OPERATIONS: Readonly<Record<string, string>> = {
  '/': '`${name/pattern/text}` is not supported; use `sed`',
  '^': '`${name^}` is not supported; use `tr`',
  ',': '`${name,}` is not supported; use `tr`',
  '@': '`${name@operator}` is not supported',
  '[': 'arrays are not supported',
};

/** The operation at `position`, up to the closing brace. */
function readOperation(reader: WordReader, start: number, inQuotes: boolean): ParameterOperation | undefined {
  const { text } = reader;
  let at = reader.afterContinuations(reader.position);
  reader.position = at;
  const first = text.charAt(at);
  if (first === '}' || first === '') return undefined;
  if (first === '#' || first === '%') {
    const second = reader.afterContinuations(at + 1);
    const longest = text.charAt(second) === first;
    reader.position = longest ? second + 1 : at + 1;
    const pattern = readOperand(reader, start, false, true);
    return { kind: 'Strip', from: first === '#' ? 'start' : 'end', longest, pattern };
  }
  const orEmpty = first === ':';
  if (orEmpty) at = reader.afterContinuations(at + 1);
  const operator = text.charAt(at);
  reader.position = at + 1;
  switch (operator) {
    case '-':
      return { kind: 'Default', orEmpty, word: readOperand(reader, start, inQuotes, false) };
    case '=':
      return { kind: 'Assign', orEmpty, word: readOperand(reader, start, inQuotes, false) };
    case '+':
      return { kind: 'Alternative', orEmpty, word: readOperand(reader, start, inQuotes, false) };
    case '?': {
      const word = readOperand(reader, start, inQuotes, true);
      return { kind: 'Error', orEmpty, word: word.parts.length === 0 ? undefined : word };
    }
  }
  if (operator === '') reader.unterminated('}', '${', start);
  if (orEmpty) reader.fail('unsupported', '`${name:offset:length}` is not supported; use `cut -c`', start);
  const refused = REFUSED_OPERATIONS[first];
  if (refused !== undefined) reader.fail('unsupported', refused, start);
  return badSubstitution(reader, start, at);
}

/**
 * The word after an operator. Inside double quotes it is quoted too (a single quote in `"${x-'a'}"` is literal), but a
 * pattern never is: in `"${x#'p'}"` the quotes quote.
 *
 * An unquoted word is subject to field splitting as part of the expansion, so it is known in advance only where it is
 * not (`splitLess`): a pattern or a message.
 */
function readOperand(reader: WordReader, opener: number, inQuotes: boolean, splitLess: boolean): Word {
  const parts: WordPart[] = [];
  const start = reader.position;
  if (inQuotes) reader.quoted(parts, CLOSE_BRACE, reader.text.length, 'operand');
  else reader.unquoted(parts, true, -1);
  const end = reader.position;
  if (end >= reader.text.length) reader.unterminated('}', '${', opener);
  const known = inQuotes || (splitLess && !reader.sawPattern);
  return { kind: 'Word', start, end, parts, literal: known ? literalText(parts) : undefined };
}

/** `${`, a text that is no parameter or no operation, and its brace if that is near. */
function badSubstitution(reader: WordReader, start: number, at: number): never {
  const close = reader.text.indexOf('}', at);
  const line = reader.text.indexOf('\n', at);
  const end = close >= 0 && (line < 0 || close < line) ? close + 1 : at + 1;
  return reader.fail('syntax', `${tokenText(reader.text.slice(start, end))}: bad substitution`, start);
}
