/** What stands between words: blanks, redirection operators, and what follows them. */
import type { RedirectionOperator } from './ast.js';
import { BACKSLASH, BANG, CLOSE_PARENTHESIS, HASH, NEWLINE, OPEN_PARENTHESIS, SPACE, TAB } from './characters.js';
import type { WordReader } from './words.js';

/** What a redirection token carries. */
export interface RedirectionStart {
  readonly descriptor: number | undefined;
  readonly operator: RedirectionOperator | '<<' | '<<-';
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

/** `((x))` is arithmetic in bash, `((a); b)` is not. */
export function refuseArithmeticCommand(reader: WordReader, at: number): void {
  const close = reader.parentheses.closing(reader.afterContinuations(at + 1));
  if (close >= 0 && reader.text.charCodeAt(reader.afterContinuations(close + 1)) === CLOSE_PARENTHESIS) {
    reader.fail('unsupported', '`(( ))` is not supported; use `[ $((...)) -ne 0 ]`', at);
  }
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
  if (second === '(') reader.fail('unsupported', `process substitution \`${first}( )\` is not supported`, at);
  if (first === '<' && second === '<') {
    const last = reader.afterContinuations(next + 1);
    const third = text.charAt(last);
    if (third === '<') reader.fail('unsupported', '`<<<` is not supported; use a here-document', at);
    return third === '-' ? { operator: '<<-', end: last + 1 } : { operator: '<<', end: next + 1 };
  }
  if (second === '&' || (first === '<' ? second === '>' : second === '>' || second === '|')) {
    return { operator: (first + second) as RedirectionOperator, end: next + 1 };
  }
  return { operator: first, end: at + 1 };
}
