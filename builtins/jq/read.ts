/** Reads JSON a piece at a time, as jq does: values follow each other, with or without blanks between them. */
import { ESCAPES } from './escapes.js';
import type { Json } from './value.js';

/** As deep as jq goes. */
const DEPTH = 256;

/** What is wrong with an input. */
export class ReadProblem {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** An array or object that has begun, and the key that waits for its value. */
type Open =
  | { readonly kind: 'array'; readonly items: Json[] }
  | { readonly kind: 'object'; readonly members: Map<string, Json>; key: string | undefined };

const NUMBER = /^[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$/;

/** Texts are byte strings: one latin1 character for each byte. Strings inside are decoded as UTF-8. */
export class JsonReader {
  private readonly stack: Open[] = [];
  private next: Json | undefined;
  /** A number or word, or the inside of a string, that goes on. */
  private token = '';
  private inString = false;
  private text = '';
  private at = 0;
  private line = 1;
  /** Where in `text` the line began, less what came before `text`. */
  private lineStart = 0;
  private first = true;

  /** More text, once `read` has answered undefined. */
  feed(text: string): void {
    this.lineStart -= this.at;
    this.text = this.at < this.text.length ? this.text.slice(this.at) + text : text;
    this.at = 0;
    if (this.first && text !== '') {
      this.first = false;
      if (text.startsWith('\u00ef\u00bb\u00bf')) this.at = 3;
    }
  }

  /** The next value, undefined when more text is needed, or what is wrong. */
  read(): Json | undefined | ReadProblem {
    const { text } = this;
    while (this.at < text.length) {
      const problem = this.inString ? this.readString() : this.readOther();
      if (problem !== undefined) return this.placed(problem);
      if (this.stack.length === 0 && this.next !== undefined && !this.inString) {
        const value = this.next;
        this.next = undefined;
        return value;
      }
    }
    return undefined;
  }

  /** Lines that were begun, of those that a newline has ended: where a program's errors are said to be. */
  get lines(): number {
    const before = this.line - 1;
    if (this.at === this.lineStart) return before;
    return before + (this.text.includes('\n', this.at) ? 1 : 0);
  }

  /** Whether it takes more text to tell `lines`. */
  get isInsideLine(): boolean {
    return this.at !== this.lineStart && !this.text.includes('\n', this.at);
  }

  /** After the last text: the value that only the end has ended. */
  end(): Json | undefined | ReadProblem {
    let problem = this.inString ? 'Unfinished string' : this.endToken();
    if (problem === undefined && this.stack.length > 0) problem = 'Unfinished JSON term';
    if (problem !== undefined) return this.placed(`${problem} at EOF`);
    const value = this.next;
    this.next = undefined;
    return value;
  }

  private placed(problem: string): ReadProblem {
    return new ReadProblem(`${problem} at line ${this.line}, column ${this.at - this.lineStart}`);
  }

  private newline(): void {
    this.line++;
    this.lineStart = this.at;
  }

  private readOther(): string | undefined {
    const { text } = this;
    const code = text.charCodeAt(this.at);
    switch (code) {
      case 0x20:
      case 0x09:
      case 0x0d:
      case 0x0a:
        this.at++;
        if (code === 0x0a) this.newline();
        return this.endToken();
      case 0x22:
        this.at++;
        this.inString = true;
        return this.endToken();
      case 0x5b:
      case 0x5d:
      case 0x7b:
      case 0x7d:
      case 0x2c:
      case 0x3a:
        this.at++;
        return this.endToken() ?? this.punctuation(code);
      default: {
        const rest = /[^ \t\r\n"[\]{},:]+/y;
        rest.lastIndex = this.at;
        const word = rest.exec(text)?.[0] ?? '';
        this.at += word.length;
        this.token += word;
        return undefined;
      }
    }
  }

  private readString(): string | undefined {
    const { text } = this;
    let end = this.at;
    for (;;) {
      end = text.indexOf('"', end);
      if (end < 0) {
        const from = this.at;
        this.token += text.slice(from);
        this.at = text.length;
        this.countLines(from);
        return undefined;
      }
      if (!this.isEscaped(end)) break;
      end++;
    }
    const from = this.at;
    this.token += text.slice(from, end);
    this.at = end + 1;
    this.countLines(from);
    this.inString = false;
    const raw = this.token;
    this.token = '';
    const value = stringOf(raw);
    return typeof value === 'string' ? this.take(value) : value.message;
  }

  private countLines(from: number): void {
    for (let at = this.text.indexOf('\n', from); at >= 0 && at < this.at; at = this.text.indexOf('\n', at + 1)) {
      this.line++;
      this.lineStart = at + 1;
    }
  }

  /** Whether an odd number of backslashes stands before the quote at `end`. */
  private isEscaped(end: number): boolean {
    let at = end - 1;
    while (at >= this.at && this.text.charCodeAt(at) === 0x5c) at--;
    let count = end - 1 - at;
    if (at < this.at) for (let i = this.token.length - 1; i >= 0 && this.token.charCodeAt(i) === 0x5c; i--) count++;
    return count % 2 === 1;
  }

  /** A word has ended: a number or a name. */
  private endToken(): string | undefined {
    const { token } = this;
    if (token === '') return undefined;
    this.token = '';
    switch (token[0]) {
      case 't':
        return token === 'true' ? this.take(true) : 'Invalid literal';
      case 'f':
        return token === 'false' ? this.take(false) : 'Invalid literal';
      case 'n':
        return token === 'null' ? this.take(null) : 'Invalid literal';
      default:
        if (NUMBER.test(token)) return this.take(Number(token));
        return /^[-+]?nan$/i.test(token) ? this.take(Number.NaN) : 'Invalid numeric literal';
    }
  }

  private take(value: Json): string | undefined {
    if (this.next !== undefined) return 'Expected separator between values';
    this.next = value;
    return undefined;
  }

  private punctuation(code: number): string | undefined {
    const top = this.stack.at(-1);
    const { next } = this;
    switch (code) {
      case 0x5b:
      case 0x7b:
        if (this.stack.length >= DEPTH) return 'Exceeds depth limit for parsing';
        if (next !== undefined) return 'Expected separator between values';
        this.stack.push(
          code === 0x5b ? { kind: 'array', items: [] } : { kind: 'object', members: new Map(), key: undefined },
        );
        return undefined;
      case 0x3a:
        if (next === undefined) return "Expected string key before ':'";
        if (top?.kind !== 'object' || top.key !== undefined) return "':' not as part of an object";
        if (typeof next !== 'string') return 'Object keys must be strings';
        top.key = next;
        this.next = undefined;
        return undefined;
      case 0x2c:
        if (next === undefined) return "Expected value before ','";
        if (top === undefined) return "Expected value before ','";
        return this.store(top, next);
      case 0x5d:
        if (top?.kind !== 'array') return "Unmatched ']'";
        if (next !== undefined) top.items.push(next);
        else if (top.items.length > 0) return 'Expected another array element';
        this.stack.pop();
        this.next = top.items;
        return undefined;
      default:
        if (top === undefined) return "Unmatched '}'";
        if (next !== undefined) {
          if (top.kind === 'array') return "Unmatched '}'";
          const problem = this.store(top, next);
          if (problem !== undefined) return problem;
        } else if (top.kind === 'array' || top.key !== undefined) return "Unmatched '}'";
        else if (top.members.size > 0) return 'Expected another key-value pair';
        this.stack.pop();
        this.next = (top as Extract<Open, { kind: 'object' }>).members;
        return undefined;
    }
  }

  private store(top: Open, value: Json): string | undefined {
    if (top.kind === 'array') top.items.push(value);
    else if (top.key === undefined) return 'Objects must consist of key:value pairs';
    else {
      top.members.set(top.key, value);
      top.key = undefined;
    }
    this.next = undefined;
    return undefined;
  }
}

/** The inside of a string, decoded. */
function stringOf(raw: string): string | ReadProblem {
  if (/[\u0000-\u001f]/.test(raw)) {
    return new ReadProblem('Invalid string: control characters from U+0000 through U+001F must be escaped');
  }
  const text = /[^\u0000-\u007f]/.test(raw) ? Buffer.from(raw, 'latin1').toString('utf8') : raw;
  if (!text.includes('\\')) return text;
  let bad = false;
  const decoded = text.replace(/\\(?:u([0-9a-fA-F]{4})|(.?))/gs, (_, hex: string | undefined, letter: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    const meant = ESCAPES[letter];
    if (meant === undefined) bad = true;
    return meant ?? '';
  });
  if (bad)
    return new ReadProblem(
      /\\u/.test(text) && !/\\[^u"\\/bfnrt]/.test(text) ? 'Invalid \\uXXXX escape' : 'Invalid escape',
    );
  // Half of a pair is no character.
  return decoded.isWellFormed() ? decoded : decoded.toWellFormed();
}

/** The one value of a text. */
export function readOne(text: string): Json | ReadProblem {
  const reader = new JsonReader();
  reader.feed(Buffer.from(text).toString('latin1'));
  const value = reader.read();
  if (value instanceof ReadProblem) return value;
  const rest = value === undefined ? reader.end() : reader.read();
  if (rest instanceof ReadProblem) return rest;
  if (value !== undefined) {
    const end = rest === undefined ? reader.end() : rest;
    if (end instanceof ReadProblem) return end;
    return end === undefined ? value : new ReadProblem('Unexpected extra JSON values');
  }
  return rest === undefined ? new ReadProblem('Expected JSON value') : rest;
}
