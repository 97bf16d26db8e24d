/** What stands between words: blanks, redirection operators, and what follows them. */
import type { Redirection, RedirectionDescriptor, RedirectionOperator, Word } from './ast.js';
import {
  BACKSLASH,
  BANG,
  CLOSE_PARENTHESIS,
  ENDS_WORD,
  HASH,
  NEWLINE,
  OPEN_PARENTHESIS,
  SPACE,
  TAB,
  UNQUOTED,
} from './characters.js';
import { plainText } from './quoting.js';
import type { WordReader } from './words.js';

/** What a redirection token carries. */
export interface RedirectionStart {
  readonly descriptor: RedirectionDescriptor;
  readonly operator: RedirectionOperator | '<<' | '<<-' | '<<<';
}

/** The offset after the blanks, comments and line continuations between two tokens. */
export function afterBlanks(reader: WordReader, start: number): number {
  const { text } = reader;
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === SPACE || code === TAB) {
      at++;
    } else if (code === HASH) {
      const newline = text.indexOf('\n', at);
      at = newline < 0 ? text.length : newline;
    } else if (code === BACKSLASH && text.charCodeAt(at + 1) === NEWLINE) {
      at = reader.afterContinuations(at);
    } else {
      return at;
    }
  }
}

/** As `afterBlanks`, where no comment may stand. */
export function afterSpaces(reader: WordReader, start: number): number {
  let at = reader.afterContinuations(start);
  while (reader.text.charCodeAt(at) === SPACE || reader.text.charCodeAt(at) === TAB) {
    at = reader.afterContinuations(at + 1);
  }
  return at;
}

/** Does the word that ends at `at` name a function? `!(a)` is a negated subshell. */
export function parenthesisFollows(reader: WordReader, at: number): boolean {
  const { text } = reader;
  return text.charCodeAt(afterSpaces(reader, at)) === OPEN_PARENTHESIS && text.charCodeAt(at - 1) !== BANG;
}

/** The operator at `at`, where `<` or `>` stands. */
export function readRedirectionOperator(
  reader: WordReader,
  at: number,
): { operator: RedirectionStart['operator']; end: number } {
  const { text } = reader;
  const first = text.charAt(at) === '<' ? '<' : '>';
  const next = reader.afterContinuations(at + 1);
  const second = text.charAt(next);
  if (first === '<' && second === '<') {
    const last = reader.afterContinuations(next + 1);
    const third = text.charAt(last);
    if (third === '<') return { operator: '<<<', end: last + 1 };
    return third === '-' ? { operator: '<<-', end: last + 1 } : { operator: '<<', end: next + 1 };
  }
  if (second === '&' || (first === '<' ? second === '>' : second === '>' || second === '|')) {
    return { operator: (first + second) as RedirectionOperator, end: next + 1 };
  }
  return { operator: first, end: at + 1 };
}

const DESCRIPTOR_VARIABLE = /\{([A-Za-z_][A-Za-z0-9_]*)\}(?=[<>](?!\())/y;

/** The name in `{name}>` at `at` (bash), with the braces. */
export function descriptorVariable(reader: WordReader, at: number): string | undefined {
  if (reader.options.modes.posix) return undefined;
  DESCRIPTOR_VARIABLE.lastIndex = at;
  return DESCRIPTOR_VARIABLE.exec(reader.text)?.[0];
}

/** The node of a redirection, but for here-documents. */
export function redirectionOf({ descriptor, operator }: RedirectionStart, start: number, target: Word): Redirection {
  const { end } = target;
  if (operator === '<<<') return { kind: 'HereString', start, end, descriptor, word: target };
  // `>&word` is `&>word` (bash) when the word is known to be no descriptor; `>&-x` closes in bash, and is refused here
  const known = operator === '>&' && descriptor === undefined ? target.literal : undefined;
  const both = known !== undefined && !/^(?:[0-9]+-?$|-)/.test(known);
  return {
    kind: 'FileRedirection',
    start,
    end,
    descriptor,
    // `<<` without a delimiter has no target either
    operator: both ? '&>' : (operator as RedirectionOperator),
    target,
  };
}

/** `name` or `name ()` at `at`, after the `function` at `start` (bash). */
export function readFunctionHead(reader: WordReader, start: number, at: number): { name: string; end: number } {
  reader.position = at;
  const word = reader.word();
  const name = plainText(word);
  if (name === undefined && word.end >= reader.text.length) reader.unterminated('{', 'function', start);
  if (name === undefined) return reader.syntaxErrorNear(at, Math.max(word.end, at + 1));
  const { text } = reader;
  const open = afterSpaces(reader, word.end);
  if (text.charCodeAt(open) !== OPEN_PARENTHESIS) return { name, end: word.end };
  const close = afterSpaces(reader, open + 1);
  return { name, end: text.charCodeAt(close) === CLOSE_PARENTHESIS ? close + 1 : word.end };
}

/** What follows `time`: `-p`, `--` or nothing that belongs to it (bash). */
export function readTimeHead(reader: WordReader, at: number): { timed: 'yes' | 'posix'; end: number } {
  const option = afterSpaces(reader, at);
  const text = reader.text.slice(option, option + 2);
  const next = reader.text.charCodeAt(option + 2);
  const isWord = Number.isNaN(next) || UNQUOTED[next] === ENDS_WORD;
  if (!isWord || (text !== '-p' && text !== '--')) return { timed: 'yes', end: at };
  return { timed: text === '-p' ? 'posix' : 'yes', end: option + 2 };
}
