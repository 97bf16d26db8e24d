/** Assignments, and the arrays of bash. */
import type { ArrayElement, ArrayLiteral, Assignment, Word } from './ast.js';
import { expandBraces } from './braces.js';
import {
  CLOSE_BRACKET,
  CLOSE_PARENTHESIS,
  isNameCharacter,
  NEWLINE,
  OPEN_BRACKET,
  OPEN_PARENTHESIS,
} from './characters.js';
import type { AfterNewline } from './conditional.js';
import { afterBlanks } from './operators.js';
import { readSubscript } from './parameters.js';
import type { WordReader } from './words.js';

/** `name=value`, `name+=value` or `name[subscript]=value` at `at`; undefined when it is another word. */
export function readAssignment(reader: WordReader, at: number, afterNewline: AfterNewline): Assignment | undefined {
  const { text } = reader;
  const nameEnd = endOfName(reader, at);
  let next = reader.afterContinuations(nameEnd);
  let subscript: Word | undefined;
  if (text.charCodeAt(next) === OPEN_BRACKET) {
    subscript = readElementSubscript(reader, next);
    if (subscript === undefined) return undefined;
    next = reader.afterContinuations(reader.position);
  }
  const append = text.charAt(next) === '+';
  if (append) next = reader.afterContinuations(next + 1);
  if (text.charAt(next) !== '=') return undefined;
  const written = text.slice(at, nameEnd);
  const name = written.includes('\\') ? written.replaceAll('\\\n', '') : written;
  reader.position = next + 1;
  const array = subscript === undefined && text.charCodeAt(next + 1) === OPEN_PARENTHESIS;
  const value = array ? readArray(reader, next + 1, afterNewline) : reader.assignmentValue();
  return { kind: 'Assignment', start: at, end: value.end, name, subscript, append, value };
}

function endOfName(reader: WordReader, at: number): number {
  const { text } = reader;
  let end = at;
  for (;;) {
    while (isNameCharacter(text.charCodeAt(end))) end++;
    const next = reader.afterContinuations(end);
    if (next === end || !isNameCharacter(text.charCodeAt(next))) return end;
    end = next;
  }
}

/** `[subscript]` at `open` when an assignment follows, `position` being left after it; undefined when none does. */
function readElementSubscript(reader: WordReader, open: number): Word | undefined {
  const { text } = reader;
  const close = reader.closingBracket(open);
  if (close < 0) return undefined;
  let next = reader.afterContinuations(close + 1);
  if (text.charAt(next) === '+') next = reader.afterContinuations(next + 1);
  if (text.charAt(next) !== '=') return undefined;
  reader.position = open + 1;
  const subscript = readSubscript(reader);
  if (text.charCodeAt(reader.position) !== CLOSE_BRACKET || subscript.parts.length === 0) return undefined;
  reader.position++;
  return subscript;
}

/** `(word [key]=word ...)`, newlines and comments between its elements. */
function readArray(reader: WordReader, open: number, afterNewline: AfterNewline): ArrayLiteral {
  const { text } = reader;
  const elements: ArrayElement[] = [];
  let at = open + 1;
  for (;;) {
    at = afterBlanks(reader, at);
    const code = text.charCodeAt(at);
    if (code === NEWLINE) {
      at = afterNewline(at);
      continue;
    }
    if (code === CLOSE_PARENTHESIS) break;
    if (at >= text.length) reader.unterminated(')', '(', open);
    const element = readElement(reader, at);
    if (reader.position === at) reader.syntaxErrorNear(at, at + 1);
    elements.push(element);
    at = reader.position;
  }
  reader.position = at + 1;
  return { kind: 'ArrayLiteral', start: open, end: at + 1, elements };
}

function readElement(reader: WordReader, at: number): ArrayElement {
  const { text } = reader;
  const subscript = text.charCodeAt(at) === OPEN_BRACKET ? readElementSubscript(reader, at) : undefined;
  if (subscript === undefined) {
    reader.position = at;
    return { subscript, append: false, value: expandBraces(reader, reader.word()) };
  }
  let next = reader.afterContinuations(reader.position);
  const append = text.charAt(next) === '+';
  if (append) next = reader.afterContinuations(next + 1);
  reader.position = next + 1;
  return { subscript, append, value: reader.assignmentValue() };
}
