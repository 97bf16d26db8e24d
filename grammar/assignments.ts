/** Assignments, and the words of bash that look like one. */
import type { Assignment, Word } from './ast.js';
import { GREATER, isNameCharacter, isNameStart, LESS } from './characters.js';
import { expandsBraces } from './quoting.js';
import { isName } from './tokens.js';
import type { WordReader } from './words.js';

/** An array's element is assigned to: `a[0]=`, `a[i + 1]=`. The length is bounded so that a long line costs one pass. */
const ELEMENT = /\[[^\]\n]{0,200}\]\+?=/y;

/** `name=value` at `at`, where the name of a command might still follow; undefined when it is another word. */
export function readAssignment(reader: WordReader, at: number): Assignment | undefined {
  const { text } = reader;
  const nameEnd = endOfName(reader, at);
  const next = reader.afterContinuations(nameEnd);
  switch (text.charAt(next)) {
    case '=': {
      reader.position = next + 1;
      const value = reader.assignmentValue();
      const written = text.slice(at, nameEnd);
      const name = written.includes('\\') ? written.replaceAll('\\\n', '') : written;
      return { kind: 'Assignment', start: at, end: value.end, name, subscript: undefined, append: false, value };
    }
    case '+':
      if (text.charAt(reader.afterContinuations(next + 1)) === '=') {
        reader.fail('unsupported', '`+=` is not supported; use `x=$x...`', next);
      }
      return undefined;
    case '[':
      ELEMENT.lastIndex = next;
      if (ELEMENT.test(text)) reader.fail('unsupported', 'arrays are not supported', next);
      return undefined;
    default:
      return undefined;
  }
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

/** In an argument of the form `name=value`, where the value starts; else -1. */
export function valueStart(reader: WordReader, at: number): number {
  const { text } = reader;
  if (!isNameStart(text.charCodeAt(at))) return -1;
  let end = at;
  while (isNameCharacter(text.charCodeAt(end))) end++;
  return text.charAt(end) === '=' ? end + 1 : -1;
}

/** bash would expand `{a,b}`, and take `{name}>` for a redirection. `plain` is the word when it is one literal. */
export function refuseBraces(reader: WordReader, word: Word, plain: string | undefined): void {
  if (expandsBraces(word.parts)) {
    reader.fail('unsupported', 'brace expansion is not supported; write the words, or quote the brace', word.start);
  }
  const next = reader.text.charCodeAt(word.end);
  if ((next !== LESS && next !== GREATER) || plain === undefined) return;
  if (plain.startsWith('{') && plain.endsWith('}') && isName(plain.slice(1, -1))) {
    reader.fail('unsupported', '`{name}>` is not supported; use a descriptor number', word.start);
  }
}
