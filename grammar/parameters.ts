/** `${...}`: parameters, elements of arrays, and what is done with their values (POSIX 2.6.2, and bash's operations). */
import type { ParameterExpansion, ParameterOperation, Subscript, Word, WordPart } from './ast.js';
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  isDigit,
  isNameCharacter,
  isNameStart,
  NEWLINE,
  OPEN_BRACKET,
} from './characters.js';
import { cutLiterals } from './cutting.js';
import { tokenText } from './diagnostics.js';
import { literalText } from './quoting.js';
import type { Ending, QuotedContext, WordReader } from './words.js';

export const SPECIAL_PARAMETERS = '@*#?-$!';

/** The name at `at`, through line continuations. */
export function readName(reader: WordReader, at: number): string {
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

/** The key or index between brackets, `position` being just after the first; it is left at the second, or at the end. */
export function readSubscript(reader: WordReader): Word {
  const start = reader.position;
  reader.spend(start);
  const parts: WordPart[] = [];
  reader.unquoted(parts, 'bracket', false);
  return { kind: 'Word', start, end: reader.position, parts, literal: literalText(parts) };
}

/** A parameter, and its element if brackets follow. */
interface Target {
  readonly name: string;
  readonly subscript: Subscript | undefined;
}

/** `${...}`, `at` being just after the brace. */
export function readBraced(
  reader: WordReader,
  start: number,
  at: number,
  context: QuotedContext | undefined,
): ParameterExpansion {
  const { text } = reader;
  reader.enter(start);
  const first = reader.afterContinuations(at);
  if (first >= text.length) reader.unterminated('}', '${', start);
  const sign = text.charAt(first);
  let target: Target | undefined;
  let indirect = false;
  let operation: ParameterOperation | undefined;
  if (sign === '#' && (target = lengthOperand(reader, start, first + 1)) !== undefined) {
    operation = { kind: 'Length' };
  } else if (sign === '!' && (target = indirectOperand(reader, start, first + 1)) !== undefined) {
    operation = readNames(reader, target);
    indirect = operation === undefined;
    operation ??= readOperation(reader, start, context);
  } else {
    target = readTarget(reader, start, first);
    if (target.name === '' || (sign === '#' && isLoneOperator(reader))) badSubstitution(reader, start, first);
    operation = readOperation(reader, start, context);
  }
  if (text.charCodeAt(reader.position) !== CLOSE_BRACE) {
    if (reader.position >= text.length) reader.unterminated('}', '${', start);
    badSubstitution(reader, start, reader.position);
  }
  const end = ++reader.position;
  reader.leave();
  const { name, subscript } = target;
  return { kind: 'ParameterExpansion', start, end, name, braced: true, subscript, indirect, operation };
}

/** The parameter at `at`, or one without a name. */
function readTarget(reader: WordReader, start: number, at: number): Target {
  const { text } = reader;
  if (isNameStart(text.charCodeAt(at))) {
    const name = readName(reader, at);
    const next = reader.afterContinuations(reader.position);
    if (text.charCodeAt(next) !== OPEN_BRACKET) return { name, subscript: undefined };
    reader.position = next + 1;
    const word = readSubscript(reader);
    if (text.charCodeAt(reader.position) !== CLOSE_BRACKET) reader.unterminated(']', '${', start);
    if (word.parts.length === 0) badSubstitution(reader, start, reader.position);
    reader.position++;
    const [part] = word.parts;
    const all = word.parts.length === 1 && part?.kind === 'Literal' ? part.text : '';
    return { name, subscript: all === '@' || all === '*' ? all : word };
  }
  let end = at;
  while (isDigit(text.charCodeAt(end))) end++;
  if (end === at && at < text.length && SPECIAL_PARAMETERS.includes(text.charAt(at))) end++;
  reader.position = end;
  return { name: text.slice(at, end), subscript: undefined };
}

/**
 * What `${#...}` asks the length of, or undefined: then `#` is the parameter itself, as in `${#}` and `${#:-x}`.
 * `${#-}` and `${#?}` are lengths, `${#-x}` and `${##x}` are operations on `$#`.
 */
function lengthOperand(reader: WordReader, start: number, at: number): Target | undefined {
  const target = readTarget(reader, start, reader.afterContinuations(at));
  reader.position = reader.afterContinuations(reader.position);
  if (target.name === '') return undefined;
  const next = reader.text.charAt(reader.position);
  if (next === '}') return target;
  if (isNameCharacter(target.name.charCodeAt(0)) && next !== '') badSubstitution(reader, start, reader.position);
  return undefined;
}

/** `${#+}` and `${#%}` ask the length of nothing: bash, dash and busybox refuse them, where `${#+x}` is an operation on `$#`. */
function isLoneOperator(reader: WordReader): boolean {
  const at = reader.afterContinuations(reader.position);
  return '+=%/^,~'.includes(reader.text.charAt(at)) && reader.text.charAt(reader.afterContinuations(at + 1)) === '}';
}

/** What `${!...}` names, or undefined: then `!` is the parameter itself, as in `${!}` and `${!-x}`. */
function indirectOperand(reader: WordReader, start: number, from: number): Target | undefined {
  const at = reader.afterContinuations(from);
  const code = reader.text.charCodeAt(at);
  if (isNameCharacter(code)) return readTarget(reader, start, at);
  // the last of the arguments: `${!#}`
  if (reader.options.modes.posix || !reader.text.startsWith('#}', at)) return undefined;
  reader.position = at + 1;
  return { name: '#', subscript: undefined };
}

/** `${!prefix*}`, `${!prefix@}`, `${!a[@]}` and `${!a[*]}` */
function readNames(reader: WordReader, { name, subscript }: Target): ParameterOperation | undefined {
  const { text } = reader;
  const at = reader.afterContinuations(reader.position);
  if (typeof subscript === 'string') return text.charAt(at) === '}' ? { kind: 'Keys' } : undefined;
  const sign = text.charAt(at);
  if (subscript !== undefined || (sign !== '*' && sign !== '@') || !isNameStart(name.charCodeAt(0))) return undefined;
  if (text.charAt(reader.afterContinuations(at + 1)) !== '}') return undefined;
  reader.position = at + 1;
  return { kind: 'Names', separate: sign === '@' };
}

// ---------------------------------------------------------------------------------------------------------- operations

/** The operation at `position`, up to the closing brace. */
function readOperation(
  reader: WordReader,
  start: number,
  context: QuotedContext | undefined,
): ParameterOperation | undefined {
  const { text } = reader;
  const at = reader.afterContinuations(reader.position);
  reader.position = at;
  const first = text.charAt(at);
  switch (first) {
    case '}':
    case '':
      return undefined;
    case '#':
    case '%': {
      const longest = doubled(reader, at);
      const pattern = readOperand(reader, start, 'brace', true);
      return { kind: 'Strip', from: first === '#' ? 'start' : 'end', longest, pattern };
    }
    case '/':
      return readReplacement(reader, start, at);
    case '^':
    case ',':
    case '~': {
      const all = doubled(reader, at);
      const pattern = readOperand(reader, start, 'brace', true);
      const to = first === '^' ? 'upper' : first === ',' ? 'lower' : 'toggle';
      return { kind: 'Case', to, all, pattern: pattern.parts.length === 0 ? undefined : pattern };
    }
    case '@': {
      const operator = text.charAt(at + 1);
      if (!isTransformation(operator)) badSubstitution(reader, start, at);
      reader.position = at + 2;
      return { kind: 'Transform', operator };
    }
    case ':':
      return readDefault(reader, start, at, context) ?? readSubstring(reader, start, at + 1);
  }
  return readDefault(reader, start, at, context) ?? badSubstitution(reader, start, at);
}

/** Is the operator at `at` written twice? `position` is left after it. */
function doubled(reader: WordReader, at: number): boolean {
  const second = reader.afterContinuations(at + 1);
  const longest = reader.text.charAt(second) === reader.text.charAt(at);
  reader.position = longest ? second + 1 : at + 1;
  return longest;
}

const TRANSFORMATIONS = ['Q', 'E', 'P', 'A', 'a', 'K', 'k', 'U', 'u', 'L'] as const;

function isTransformation(operator: string): operator is (typeof TRANSFORMATIONS)[number] {
  return (TRANSFORMATIONS as readonly string[]).includes(operator);
}

/** `-w`, `=w`, `?w` and `+w`, perhaps after a colon. */
function readDefault(
  reader: WordReader,
  start: number,
  at: number,
  context: QuotedContext | undefined,
): ParameterOperation | undefined {
  const { text } = reader;
  const orEmpty = text.charAt(at) === ':';
  const operatorAt = orEmpty ? reader.afterContinuations(at + 1) : at;
  const operator = text.charAt(operatorAt);
  if (operator === '') reader.unterminated('}', '${', start);
  if (!'-=?+'.includes(operator)) return undefined;
  reader.position = operatorAt + 1;
  const word =
    context === undefined
      ? readOperand(reader, start, 'brace', operator === '?', reader.inValue)
      : readQuotedOperand(reader, start, context.startsWith('document') ? 'document operand' : 'operand');
  switch (operator) {
    case '-':
      return { kind: 'Default', orEmpty, word };
    case '=':
      return { kind: 'Assign', orEmpty, word };
    case '+':
      return { kind: 'Alternative', orEmpty, word };
    default:
      return { kind: 'Error', orEmpty, word: word.parts.length === 0 ? undefined : word };
  }
}

/** `/p/r`, `//p/r`, `/#p/r` and `/%p/r`, the first slash being at `at`. A slash that starts the pattern is part of it. */
function readReplacement(reader: WordReader, start: number, at: number): ParameterOperation {
  const { text } = reader;
  const second = reader.afterContinuations(at + 1);
  const mark = text.charAt(second);
  const all = mark === '/';
  const anchor = mark === '#' ? 'start' : mark === '%' ? 'end' : undefined;
  reader.position = all || anchor !== undefined ? second + 1 : at + 1;
  const pattern = readPattern(reader, start, all);
  if (text.charAt(reader.position) !== '/') return { kind: 'Replace', all, anchor, pattern, replacement: undefined };
  reader.position++;
  const replacement = readOperand(reader, start, 'brace', true);
  return { kind: 'Replace', all, anchor, pattern, replacement };
}

function readPattern(reader: WordReader, opener: number, all: boolean): Word {
  const from = reader.position;
  if (!all || reader.text.charAt(from) !== '/') return readOperand(reader, opener, 'slash', true);
  reader.position++;
  const rest = readOperand(reader, opener, 'slash', true);
  const [first, ...others] = rest.parts;
  const parts: WordPart[] =
    first?.kind === 'Literal'
      ? [{ ...first, start: from, text: `/${first.text}` }, ...others]
      : [{ kind: 'Literal', start: from, end: from + 1, text: '/' }, ...rest.parts];
  return { ...rest, start: from, parts, literal: rest.literal === undefined ? undefined : `/${rest.literal}` };
}

/** `offset` and `offset:length`, `at` being just after the colon. A colon of `?:` and one in parentheses separate nothing. */
function readSubstring(reader: WordReader, start: number, at: number): ParameterOperation {
  const parts: WordPart[] = [];
  reader.position = at;
  reader.quoted(parts, CLOSE_BRACE, reader.text.length, 'arithmetic');
  const end = reader.position;
  if (end >= reader.text.length) reader.unterminated('}', '${', start);
  if (parts.length === 0) badSubstitution(reader, start, end);
  let open = 0;
  let questions = 0;
  let found = false;
  const pieces = cutLiterals(reader.text, parts, at, end, (character) => {
    if (found) return false;
    if (character === '(') open++;
    else if (character === ')') open--;
    else if (open > 0) return false;
    else if (character === '?') questions++;
    else if (character === ':' && questions-- <= 0) found = true;
    return found;
  });
  const [offset, length] = pieces.map((piece): Word => {
    return { kind: 'Word', start: piece.start, end: piece.end, parts: piece.parts, literal: literalText(piece.parts) };
  });
  return { kind: 'Substring', offset: offset ?? badSubstitution(reader, start, end), length };
}

/**
 * The word after an operator. Inside double quotes it is quoted too (a single quote in `"${x-'a'}"` is literal: see
 * `readQuotedOperand`), but a pattern never is: in `"${x#'p'}"` the quotes quote.
 *
 * An unquoted word is subject to field splitting as part of the expansion, so it is known in advance only where it is
 * not (`splitLess`): a pattern or a message. In the value of an assignment (`inValue`) a tilde prefix may follow a colon here too.
 */
function readOperand(reader: WordReader, opener: number, ending: Ending, splitLess: boolean, inValue = false): Word {
  const parts: WordPart[] = [];
  const start = reader.position;
  reader.unquoted(parts, ending, inValue);
  const end = reader.position;
  if (end >= reader.text.length) reader.unterminated('}', '${', opener);
  const known = splitLess && !reader.sawPattern;
  return { kind: 'Word', start, end, parts, literal: known ? literalText(parts) : undefined };
}

function readQuotedOperand(reader: WordReader, opener: number, context: QuotedContext): Word {
  const parts: WordPart[] = [];
  const start = reader.position;
  reader.quoted(parts, CLOSE_BRACE, reader.text.length, context);
  const end = reader.position;
  if (end >= reader.text.length) reader.unterminated('}', '${', opener);
  return { kind: 'Word', start, end, parts, literal: literalText(parts) };
}

/** `${`, a text that is no parameter or no operation, and its brace if that is near. */
function badSubstitution(reader: WordReader, start: number, at: number): never {
  const close = reader.text.indexOf('}', at);
  const line = reader.text.indexOf('\n', at);
  const end = close >= 0 && (line < 0 || close < line) ? close + 1 : at + 1;
  return reader.fail('syntax', `${tokenText(reader.text.slice(start, end))}: bad substitution`, start);
}
