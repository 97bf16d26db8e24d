/** The tokens of a jq program. */
import { ESCAPES } from './escapes.js';
import { SyntaxProblem } from './problem.js';

export type Token = {
  readonly start: number;
} & (
  | { readonly kind: 'number'; readonly value: number }
  /** A string: texts, and the tokens of what stands in `\( )`. */
  | { readonly kind: 'string'; readonly parts: readonly (string | readonly Token[])[] }
  /** `@csv` */
  | { readonly kind: 'format'; readonly text: string }
  /** `.name` */
  | { readonly kind: 'field'; readonly text: string }
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'variable'; readonly text: string }
  | { readonly kind: 'operator'; readonly text: string }
  | { readonly kind: 'end'; readonly text: '$end' }
);

const OPERATORS = [
  '?//=',
  '?//',
  '//=',
  '|=',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '==',
  '!=',
  '<=',
  '>=',
  '//',
  '..',
  ...'.[]{}()|,:;=<>+-*/%?$',
];

const NAME = /[a-zA-Z_](?:[a-zA-Z0-9_]|::[a-zA-Z_])*/y;
const NUMBER = /(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?/y;
const BLANK = /(?:[ \t\r\n]+|#[^\n]*)+/y;

/** Throws SyntaxProblem. */
export function tokensOf(text: string): readonly Token[] {
  return new Lexer(text).all();
}

class Lexer {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  all(): readonly Token[] {
    const tokens = this.until(undefined, 0);
    tokens.push({ kind: 'end', text: '$end', start: this.text.length });
    return tokens;
  }

  private match(form: RegExp): string | undefined {
    form.lastIndex = this.at;
    const found = form.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  /** Up to the parenthesis that closes an interpolation, or the end. */
  private until(close: ')' | undefined, depth: number): Token[] {
    const tokens: Token[] = [];
    let open = 0;
    for (;;) {
      this.match(BLANK);
      if (this.at >= this.text.length) {
        if (close !== undefined) throw new SyntaxProblem('unterminated string literal', this.at);
        return tokens;
      }
      const token = this.one(depth);
      if (token.kind === 'operator') {
        if (token.text === '(') open++;
        else if (token.text === ')' && open-- === 0 && close !== undefined) {
          tokens.push({ kind: 'end', text: '$end', start: token.start });
          return tokens;
        }
      }
      tokens.push(token);
    }
  }

  private one(depth: number): Token {
    const start = this.at;
    const { text } = this;
    const letter = text[start] as string;
    if (letter === '"') return this.string(depth);
    const number = this.match(NUMBER);
    if (number !== undefined) return { kind: 'number', value: Number(number), start };
    const name = this.match(NAME);
    if (name !== undefined) return { kind: 'name', text: name, start };
    if (letter === '.' || letter === '$' || letter === '@') {
      this.at++;
      const word = this.match(NAME);
      const kind = letter === '.' ? 'field' : letter === '$' ? 'variable' : 'format';
      if (word !== undefined) return { kind, text: word, start };
      this.at--;
    }
    const operator = OPERATORS.find((one) => text.startsWith(one, start));
    if (operator === undefined) throw new SyntaxProblem('unexpected INVALID_CHARACTER', start);
    this.at += operator.length;
    return { kind: 'operator', text: operator, start };
  }

  private string(depth: number): Token {
    const start = this.at++;
    if (depth > 100) throw new SyntaxProblem('strings are nested too deep', start);
    const parts: (string | readonly Token[])[] = [];
    let literal = '';
    for (;;) {
      const plain = this.match(/[^"\\]+/y);
      if (plain !== undefined) literal += plain;
      const letter = this.text[this.at++];
      if (letter === undefined) throw new SyntaxProblem('unterminated string literal', start);
      if (letter === '"') break;
      const escaped = this.text[this.at++];
      if (escaped === '(') {
        parts.push(literal, this.until(')', depth + 1));
        literal = '';
      } else literal += this.escape(escaped, start);
    }
    if (literal !== '' || parts.length === 0) parts.push(literal);
    return { kind: 'string', parts, start };
  }

  private escape(letter: string | undefined, start: number): string {
    if (letter === 'u') {
      const units = this.match(/[0-9a-fA-F]{4}(?:\\u[dD][c-fC-F][0-9a-fA-F]{2})?/y);
      if (units === undefined) throw new SyntaxProblem('invalid \\uXXXX escape', start);
      return units
        .split('\\u')
        .map((unit) => String.fromCharCode(Number.parseInt(unit, 16)))
        .join('')
        .toWellFormed();
    }
    const plain = ESCAPES[letter ?? ''];
    if (plain === undefined) throw new SyntaxProblem('invalid escape', start);
    return plain;
  }
}
