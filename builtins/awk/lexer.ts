/** Tokens of an awk program (POSIX awk, "Lexical Conventions"), read as the parser asks for them. */
import { worked } from '../../src/text/work.js';
import { readEscape } from './patterns.js';
import { AwkError } from './tree.js';

export type TokenKind =
  | 'number'
  | 'string'
  | 'name'
  /** A name with `(` right after it. */
  | 'function name'
  | 'keyword'
  | 'punctuation'
  | 'newline'
  | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** The value of a string; otherwise the text as it stands. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export const KEYWORDS: ReadonlySet<string> = new Set([
  'BEGIN',
  'END',
  'function',
  'func',
  'if',
  'else',
  'while',
  'for',
  'do',
  'break',
  'continue',
  'next',
  'nextfile',
  'exit',
  'return',
  'delete',
  'in',
  'getline',
  'print',
  'printf',
]);

/** Longest first. */
const PUNCTUATION = [
  '**=',
  '&&',
  '||',
  '++',
  '--',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '^=',
  '**',
  '==',
  '<=',
  '>=',
  '!=',
  '!~',
  '>>',
  '|&',
  ...'{}()[];,+-*/%^!<>|?:~$=',
];

const NUMBER = /[0-9]+\.?[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const BLANKS = /(?:[ \t\r]|\\\r?\n)*(?:#[^\n]*)?/y;

export class Lexer {
  /** A byte string. */
  private readonly text: string;
  /** What errors in this text are introduced by; the line follows. */
  private readonly where: string;

  constructor(text: string, where: string) {
    this.text = text;
    this.where = where;
  }

  /** `cmd. line:3`. */
  place(at: number): string {
    let line = 1;
    for (let i = this.text.indexOf('\n'); i >= 0 && i < at; i = this.text.indexOf('\n', i + 1)) line++;
    return `${this.where}:${line}`;
  }

  fail(message: string, at: number): never {
    throw new AwkError(`${this.place(at)}: ${message}`);
  }

  /** The token that begins at `from`, or after blanks and a comment. */
  read(from: number): Token {
    const { text } = this;
    worked(256);
    BLANKS.lastIndex = from;
    const start = from + (BLANKS.exec(text)?.[0].length ?? 0);
    const unit = text[start];
    if (unit === undefined) return { kind: 'end', text: 'end of program', start, end: start };
    if (unit === '\n') return { kind: 'newline', text: 'newline', start, end: start + 1 };
    if (unit === '"') return this.string(start);
    const number = matchAt(NUMBER, text, start);
    if (number !== undefined) return { kind: 'number', text: number, start, end: start + number.length };
    const name = matchAt(NAME, text, start);
    if (name !== undefined) {
      const end = start + name.length;
      const kind = KEYWORDS.has(name) ? 'keyword' : text[end] === '(' ? 'function name' : 'name';
      return { kind, text: name, start, end };
    }
    const found = PUNCTUATION.find((one) => text.startsWith(one, start));
    if (found === undefined) this.fail(`syntax error at or near \`${unit}'`, start);
    return { kind: 'punctuation', text: found, start, end: start + found.length };
  }

  private string(start: number): Token {
    const { text } = this;
    let value = '';
    for (let i = start + 1; ; ) {
      const unit = text[i];
      if (unit === undefined || unit === '\n') this.fail('unterminated string', start);
      if (unit === '"') return { kind: 'string', text: value, start, end: i + 1 };
      if (unit !== '\\') {
        value += unit;
        i++;
        continue;
      }
      if (text[i + 1] === '\n') i += 2;
      else {
        const [expanded, end] = stringEscape(text, i + 1);
        value += expanded;
        i = end;
      }
    }
  }

  /** A regular expression whose `/` stands at `start`: its source, and where it ends. */
  regex(start: number): { readonly source: string; readonly end: number } {
    const { text } = this;
    let source = '';
    let bracket = false;
    for (let i = start + 1; ; i++) {
      const unit = text[i];
      if (unit === undefined || unit === '\n') this.fail('unterminated regexp', start);
      if (unit === '/' && !bracket) return { source, end: i + 1 };
      if (unit === '\\' && i + 1 < text.length) {
        i++;
        source += text[i] === '/' ? '/' : `\\${text[i]}`;
        continue;
      }
      if (unit === '[' && !bracket) {
        bracket = true;
        const first = text[i + 1] === '^' ? i + 2 : i + 1;
        source += text.slice(i, first);
        // A bracket that comes first is a member.
        if (text[first] === ']') source += ']';
        i = text[first] === ']' ? first : first - 1;
        continue;
      }
      if (unit === '[' && ':.='.includes(text[i + 1] ?? ' ')) {
        const close = text.indexOf(`${text[i + 1]}]`, i + 2);
        if (close > 0 && close - i < 32) {
          source += text.slice(i, close + 2);
          i = close + 1;
          continue;
        }
      }
      if (unit === ']') bracket = false;
      source += unit;
    }
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** What is no escape loses its backslash (gawk; mawk keeps it). */
function stringEscape(text: string, at: number): [string, number] {
  const letter = text[at] ?? '';
  const known = readEscape(text, at);
  if (known !== undefined) return [known.text, known.end];
  return letter === '' ? ['\\', at] : [letter, at + 1];
}

/** Escapes of an assignment on the command line. */
export function expandEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  let out = '';
  for (let i = 0; i < text.length; ) {
    if (text[i] !== '\\') out += text[i++];
    else {
      const [expanded, end] = stringEscape(text, i + 1);
      out += expanded;
      i = end;
    }
  }
  return out;
}
