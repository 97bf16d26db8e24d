/** `[[ expression ]]` (bash), from its first word to its last: it has tokens of its own. */
import type { ConditionalExpression, Word } from './ast.js';
import {
  AMPERSAND,
  CLOSE_PARENTHESIS,
  ENDS_WORD,
  GREATER,
  LESS,
  NEWLINE,
  OPEN_PARENTHESIS,
  PIPE,
  UNQUOTED,
} from './characters.js';
import { afterBlanks } from './operators.js';
import { plainText } from './quoting.js';
import type { WordReader } from './words.js';

/** Reads the here-documents that start after the newline at an offset, and returns where the text goes on. */
export type AfterNewline = (at: number) => number;

const UNARY: ReadonlySet<string> = new Set([...'abcdefghknoprstuvwxzGLNORS'].map((letter) => `-${letter}`));
const BINARY: ReadonlySet<string> = new Set('= == != =~ -eq -ne -lt -le -gt -ge -nt -ot -ef'.split(' '));

/** `a && b && ...` nests to the left without recursion here, but whoever walks the tree recurses. */
const CHAIN = 20;

/** The expression that starts at `at`, after the `[[` at `opener`; `reader` is left after the `]]`. */
export function readConditional(
  reader: WordReader,
  opener: number,
  at: number,
  afterNewline: AfterNewline,
): ConditionalExpression {
  return new ConditionReader(reader, opener, at, afterNewline).read();
}

class ConditionReader {
  readonly #reader: WordReader;
  readonly #opener: number;
  readonly #afterNewline: AfterNewline;
  #at: number;
  #joined = 0;

  constructor(reader: WordReader, opener: number, at: number, afterNewline: AfterNewline) {
    this.#reader = reader;
    this.#opener = opener;
    this.#at = at;
    this.#afterNewline = afterNewline;
  }

  read(): ConditionalExpression {
    const expression = this.#or();
    const word = this.#word();
    if (plainText(word) !== ']]') this.#reader.syntaxErrorNear(word.start, word.end);
    return expression;
  }

  #or(): ConditionalExpression {
    let left = this.#and();
    while (this.#joins(PIPE)) left = { kind: 'Or', left, right: this.#and() };
    return left;
  }

  #and(): ConditionalExpression {
    let left = this.#primary();
    while (this.#joins(AMPERSAND)) left = { kind: 'And', left, right: this.#primary() };
    return left;
  }

  /** Reads `&&` or `||`, if it is the one that is next. */
  #joins(code: number): boolean {
    const reader = this.#reader;
    const second = this.#look() === code ? reader.afterContinuations(this.#at + 1) : -1;
    if (second < 0 || reader.text.charCodeAt(second) !== code) return false;
    if (++this.#joined > reader.options.maxNesting * CHAIN) reader.fail('nesting', 'nesting too deep', this.#at);
    this.#at = second + 1;
    return true;
  }

  /** The next character that is no blank, newline or comment. */
  #look(): number {
    const reader = this.#reader;
    let at = afterBlanks(reader, this.#at);
    while (reader.text.charCodeAt(at) === NEWLINE) at = afterBlanks(reader, this.#afterNewline(at));
    this.#at = at;
    return reader.text.charCodeAt(at);
  }

  #primary(): ConditionalExpression {
    const reader = this.#reader;
    const start = this.#at;
    if (this.#look() === OPEN_PARENTHESIS) {
      reader.enter(start);
      this.#at++;
      const operand = this.#or();
      if (this.#look() !== CLOSE_PARENTHESIS) this.#unexpected();
      this.#at++;
      reader.leave();
      return { kind: 'Group', operand };
    }
    const word = this.#word();
    const plain = plainText(word);
    if (plain === '!') {
      reader.enter(start);
      const operand = this.#primary();
      reader.leave();
      return { kind: 'Not', operand };
    }
    if (plain === ']]') reader.syntaxErrorNear(word.start, word.end);
    if (plain !== undefined && UNARY.has(plain)) return this.#unary(plain);
    return this.#binary(word);
  }

  #unary(operator: string): ConditionalExpression {
    const operand = this.#word();
    if (plainText(operand) === ']]') this.#reader.syntaxErrorNear(operand.start, operand.end);
    return { kind: 'UnaryTest', operator, operand };
  }

  /** `left` is compared with something, or stands alone. */
  #binary(left: Word): ConditionalExpression {
    const reader = this.#reader;
    const code = this.#look();
    if (code === AMPERSAND || code === PIPE || code === CLOSE_PARENTHESIS) {
      return { kind: 'UnaryTest', operator: undefined, operand: left };
    }
    if ((code === LESS || code === GREATER) && !reader.processFollows(this.#at)) {
      this.#at++;
      return { kind: 'BinaryTest', operator: code === LESS ? '<' : '>', left, right: this.#word() };
    }
    const start = this.#at;
    const word = this.#word();
    const operator = plainText(word);
    if (operator === ']]') {
      this.#at = start;
      return { kind: 'UnaryTest', operator: undefined, operand: left };
    }
    if (operator === undefined || !BINARY.has(operator)) return reader.syntaxErrorNear(word.start, word.end);
    return { kind: 'BinaryTest', operator, left, right: this.#right(operator) };
  }

  #right(operator: string): Word {
    switch (operator) {
      case '=':
      case '==':
      case '!=':
        return this.#read((reader) => reader.pattern());
      case '=~':
        return this.#read((reader) => reader.regex());
      default:
        return this.#word();
    }
  }

  #word(): Word {
    this.#look();
    return this.#read((reader) => reader.word());
  }

  /** A word where no newline may come before it. */
  #read(read: (reader: WordReader) => Word): Word {
    const reader = this.#reader;
    this.#at = reader.position = afterBlanks(reader, this.#at);
    const word = read(reader);
    if (word.end === word.start) this.#unexpected();
    this.#at = reader.position;
    return word;
  }

  #unexpected(): never {
    const reader = this.#reader;
    if (this.#at >= reader.text.length) reader.unterminated(']]', '[[', this.#opener);
    let end = this.#at + 1;
    const code = reader.text.charCodeAt(this.#at);
    if (code >= 128 || UNQUOTED[code] !== ENDS_WORD) {
      reader.position = this.#at;
      end = reader.word().end;
    }
    return reader.syntaxErrorNear(this.#at, end);
  }
}
