/** The word scanner: quoting, expansions, and where a word ends (POSIX.1-2024, XCU 2.2, 2.3 and 2.6). */
import type { List, Word, WordPart } from './ast.js';
import {
  BACKQUOTE,
  BACKSLASH,
  BRACE,
  CLOSE_BRACE,
  DOLLAR,
  DOUBLE_QUOTE,
  ENDS_WORD,
  IN_QUOTES,
  NEWLINE,
  OPEN_PARENTHESIS,
  PATTERN,
  QUOTING,
  SINGLE_QUOTE,
  TILDE,
  TILDE_SEPARATOR,
  UNQUOTED,
} from './characters.js';
import { lineOf, type Problem, Stop, tokenText } from './diagnostics.js';
import { readDollar } from './expansions.js';
import { Parentheses } from './parentheses.js';
import { decodeDollarQuoted, literalText } from './quoting.js';

/** Reads the commands of a substitution that start at `from`, and says where they end. */
export type ReadCommands = (reader: WordReader, from: number, inParentheses: boolean) => { list: List; end: number };

export interface ReaderOptions {
  readonly maxNesting: number;
  /** How many words, and parts of words, a complete command may have: a tree takes 100 times the room of its text. */
  readonly maxParts: number;
  /** How many it has had so far. */
  readonly spent: { parts: number };
  readonly readCommands: ReadCommands;
}

/** In what a quoted text stands: it decides what a backslash quotes and whether `"` is special. */
export type QuotedContext = 'string' | 'document' | 'operand' | 'arithmetic';

/** Login names that a tilde may precede: the portable ones, and bash's `~+` and `~-`. */
const LOGIN_NAME = /[A-Za-z0-9._+-]*/y;

/** Reads the words of one text. `position` is where it stands; every method leaves it just after what was read. */
export class WordReader {
  readonly text: string;
  readonly options: ReaderOptions;
  #parentheses: Parentheses | undefined;
  position = 0;
  /** How many constructs are open around `position`. */
  depth: number;
  /** The unquoted text just read had one of `*` `?` `[`. */
  sawPattern = false;
  /** The unquoted text just read had a brace. */
  sawBrace = false;
  /** The text ends with a backslash, or with one and a newline. */
  endsInBackslash = false;
  /** For a text that was taken out of another one: where. */
  readonly #within: { readonly reader: WordReader; readonly offset: number } | undefined;

  constructor(text: string, options: ReaderOptions, depth = 0, within?: { reader: WordReader; offset: number }) {
    this.text = text;
    this.options = options;
    this.depth = depth;
    this.#within = within;
  }

  get parentheses(): Parentheses {
    this.#parentheses ??= new Parentheses(this.text, this.options.maxNesting);
    return this.#parentheses;
  }

  // -------------------------------------------------------------------------------------------------------- problems

  fail(kind: Problem['kind'], message: string, offset: number): never {
    throw new Stop({ message, offset, kind }, false);
  }

  syntaxErrorNear(from: number, to: number): never {
    const token = to > from && this.text.charCodeAt(from) !== NEWLINE ? this.text.slice(from, to) : 'newline';
    return this.fail('syntax', `syntax error near unexpected token '${tokenText(token)}'`, from);
  }

  /** The text ended, and `closer` was missing for the `opener` at `offset`. */
  unterminated(closer: string, opener: string, offset: number): never {
    const expecting = `expecting '${closer}' for the '${opener}' on line ${this.lineOf(offset)}`;
    const message = `syntax error: unexpected end of file (${expecting})`;
    throw new Stop({ message, offset: this.text.length, kind: 'syntax' }, true);
  }

  lineOf(offset: number): number {
    const line = lineOf(this.text, offset);
    return this.#within === undefined ? line : this.#within.reader.lineOf(this.#within.offset) + line - 1;
  }

  enter(offset: number): void {
    if (++this.depth > this.options.maxNesting) this.fail('nesting', 'nesting too deep', offset);
  }

  leave(): void {
    this.depth--;
  }

  // ----------------------------------------------------------------------------------------------------------- words

  /** The word at `position`. `tildeAt` is the start of the value in `export name=value`. */
  word(tildeAt = -1): Word {
    const tildeInside = tildeAt > this.position;
    return (tildeInside ? undefined : this.#plainWord()) ?? this.#anyWord(tildeAt);
  }

  #anyWord(tildeAt: number): Word {
    const start = this.position;
    this.#spend(start);
    const parts: WordPart[] = [];
    this.unquoted(parts, false, tildeAt);
    return { kind: 'Word', start, end: this.position, parts: fitting(parts), literal: this.#literal(parts) };
  }

  /** The commonest word: characters that are just themselves. */
  #plainWord(): Word | undefined {
    const { text, position: start } = this;
    let end = start;
    let kind = 0;
    while (end < text.length) {
      const code = text.charCodeAt(end);
      if (code < 128 && (kind = UNQUOTED[code] as number) !== 0) break;
      end++;
    }
    if (end === start || text.charCodeAt(start) === TILDE) return undefined;
    if (end < text.length && (kind !== ENDS_WORD || text.charCodeAt(end) === OPEN_PARENTHESIS)) return undefined;
    const literal = text.slice(start, end);
    this.position = end;
    this.sawPattern = false;
    this.sawBrace = false;
    this.#spend(start);
    return { kind: 'Word', start, end, parts: [{ kind: 'Literal', start, end, text: literal }], literal };
  }

  /** Counts what is read against the limit of one complete command. */
  #spend(offset: number): void {
    if (++this.options.spent.parts > this.options.maxParts) {
      this.fail('nesting', `command too long: more than ${this.options.maxParts} words`, offset);
    }
  }

  /** The value of an assignment: tilde prefixes stand at its start and after each unquoted colon. */
  assignmentValue(): Word {
    return this.word(this.position);
  }

  /** Text as in double quotes from `position` up to the end of the text. */
  quotedText(): Word {
    const start = this.position;
    const parts: WordPart[] = [];
    this.quoted(parts, -1, this.text.length, 'document');
    return { kind: 'Word', start, end: this.position, parts, literal: literalText(parts) };
  }

  #literal(parts: readonly WordPart[]): string | undefined {
    const first = parts[0];
    if (this.sawPattern && !(parts.length === 1 && first?.kind === 'Literal' && isPlainBracket(first.text))) {
      return undefined;
    }
    return parts.length === 1 && first?.kind === 'Literal' ? first.text : literalText(parts);
  }

  /**
   * Unquoted text up to the end of the word or, in an operand of `${ }`, up to the brace that closes it.
   * With a `tildeAt` the text is, or holds, the value of an assignment that starts there.
   */
  unquoted(parts: WordPart[], inBraces: boolean, tildeAt: number): void {
    const text = this.text;
    const length = text.length;
    const inValue = tildeAt >= 0;
    let pattern = false;
    let brace = false;
    // the literal being read: its start, the text before `from` without line continuations, and what follows `from`
    let start = this.position;
    let kept = '';
    let from = start;
    let at = inValue ? tildeAt : start;
    if (text.charCodeAt(at) === TILDE && this.#tilde(parts, start, at, inBraces, inValue)) {
      start = from = at = this.position;
    }
    for (;;) {
      let kind = 0;
      while (at < length) {
        const code = text.charCodeAt(at);
        if (code < 128 && (kind = UNQUOTED[code] as number) !== 0) break;
        at++;
      }
      if (at >= length || (kind === ENDS_WORD && !inBraces)) break;
      if (kind === BRACE) {
        if (inBraces && text.charCodeAt(at) === CLOSE_BRACE) break;
        brace = true;
      } else if (kind === PATTERN) {
        pattern = true;
      } else if (kind === TILDE_SEPARATOR) {
        if (inValue && text.charCodeAt(at + 1) === TILDE) {
          if (this.#tilde(parts, start, at + 1, inBraces, true, kept + text.slice(from, at + 1))) {
            start = from = at = this.position;
            kept = '';
            continue;
          }
        }
      } else if (kind === QUOTING) {
        const code = text.charCodeAt(at);
        if (code === BACKSLASH && text.charCodeAt(at + 1) === NEWLINE) {
          kept += text.slice(from, at);
          at += 2;
          from = at;
          if (at >= length) this.endsInBackslash = true;
          continue;
        }
        this.position = at;
        const part = this.#quotingPart(code);
        if (part !== undefined) {
          this.#spend(at);
          if (at > from || kept !== '') {
            parts.push({ kind: 'Literal', start, end: at, text: kept + text.slice(from, at) });
          }
          parts.push(part);
          start = from = at = this.position;
          kept = '';
          continue;
        }
      }
      at++;
    }
    if (at < length && !inBraces && text.charCodeAt(at) === OPEN_PARENTHESIS) this.#refuseParenthesis(from, at);
    if (at > from || kept !== '') {
      parts.push({ kind: 'Literal', start, end: at, text: kept + text.slice(from, at) });
    }
    this.position = at;
    this.sawPattern = pattern;
    this.sawBrace = brace;
  }

  /** Quotes, a backslash or an expansion at `position`; undefined for a dollar sign that is just itself. */
  #quotingPart(code: number): WordPart | undefined {
    const start = this.position;
    switch (code) {
      case SINGLE_QUOTE: {
        const end = this.text.indexOf("'", start + 1);
        if (end < 0) this.unterminated("'", "'", start);
        this.position = end + 1;
        return { kind: 'SingleQuoted', start, end: end + 1, dollar: false, text: this.text.slice(start + 1, end) };
      }
      case DOUBLE_QUOTE:
        return this.#doubleQuoted();
      case BACKSLASH: {
        const point = this.text.codePointAt(start + 1);
        // a backslash that ends the text stands for itself
        if (point === undefined) this.endsInBackslash = true;
        const quoted = point === undefined ? '\\' : String.fromCodePoint(point);
        this.position = point === undefined ? start + 1 : start + 1 + quoted.length;
        return { kind: 'Escaped', start, end: this.position, text: quoted };
      }
      case BACKQUOTE:
        return this.#backquoted(false);
      default: {
        if (this.text.charCodeAt(start + 1) === SINGLE_QUOTE) return this.#dollarQuoted();
        if (this.text.charCodeAt(start + 1) === DOUBLE_QUOTE) {
          this.fail('unsupported', '`$"..."` is not supported; use `"..."`', start);
        }
        return readDollar(this, false);
      }
    }
  }

  /** A word runs into `(`: in bash that may be an array or an extended pattern, which must not pass for something else. */
  #refuseParenthesis(from: number, at: number): void {
    const before = this.text.charAt(at - 1);
    if (before === '=') this.fail('unsupported', 'arrays are not supported', at);
    const alone = at - 1 === from && (from === 0 || UNQUOTED[this.text.charCodeAt(from - 1)] === ENDS_WORD);
    if (at > from && '@?*+!'.includes(before) && !(alone && before === '!')) {
      this.fail('unsupported', `extended patterns like \`${before}( )\` are not supported`, at - 1);
    }
  }

  /** Reads a tilde prefix at `at`, after the literal that started at `start`; false when the tilde is an ordinary character. */
  #tilde(parts: WordPart[], start: number, at: number, inBraces: boolean, inValue: boolean, before?: string): boolean {
    let user = '';
    let end: number;
    let after = at + 1;
    do {
      LOGIN_NAME.lastIndex = after;
      user += LOGIN_NAME.exec(this.text)?.[0] ?? '';
      end = LOGIN_NAME.lastIndex;
      after = this.afterContinuations(end);
    } while (after > end);
    const next = this.text.charAt(end);
    const code = next.charCodeAt(0);
    const ends = next === '' || next === '/' || (inBraces ? next === '}' : UNQUOTED[code] === ENDS_WORD);
    if (!ends && !(inValue && next === ':')) return false;
    if (at > start) parts.push({ kind: 'Literal', start, end: at, text: before ?? this.text.slice(start, at) });
    parts.push({ kind: 'TildePrefix', start: at, end, user });
    this.position = end;
    return true;
  }

  // --------------------------------------------------------------------------------------------------------- quoting

  #doubleQuoted(): WordPart {
    const start = this.position;
    const parts: WordPart[] = [];
    this.position = start + 1;
    this.quoted(parts, DOUBLE_QUOTE, this.text.length, 'string');
    if (this.position >= this.text.length) this.unterminated('"', '"', start);
    this.position++;
    return { kind: 'DoubleQuoted', start, end: this.position, parts: fitting(parts) };
  }

  #dollarQuoted(): WordPart {
    const start = this.position;
    let at = start + 2;
    while (at < this.text.length && this.text.charCodeAt(at) !== SINGLE_QUOTE) {
      at += this.text.charCodeAt(at) === BACKSLASH ? 2 : 1;
    }
    if (at >= this.text.length) this.unterminated("'", "$'", start);
    this.position = at + 1;
    const text = decodeDollarQuoted(this.text.slice(start + 2, at));
    return { kind: 'SingleQuoted', start, end: at + 1, dollar: true, text };
  }

  /**
   * Text as in double quotes: up to the character `stop` (-1: none) or to the offset `limit`. In an operand and in an
   * arithmetic expression double quotes may be nested.
   */
  quoted(parts: WordPart[], stop: number, limit: number, context: QuotedContext): void {
    const text = this.text;
    let start = this.position;
    let kept = '';
    let from = start;
    let at = start;
    for (;;) {
      let code = 0;
      while (at < limit) {
        code = text.charCodeAt(at);
        if (code < 128 && IN_QUOTES[code] === 1) break;
        at++;
      }
      if (at >= limit || code === stop) break;
      let part: WordPart | undefined;
      this.position = at;
      if (code === BACKSLASH) {
        const next = text.charCodeAt(at + 1);
        if (next === NEWLINE) {
          kept += text.slice(from, at);
          at += 2;
          from = at;
          if (at >= text.length) this.endsInBackslash = true;
          continue;
        }
        if (isEscapable(next, context)) {
          this.position = at + 2;
          part = { kind: 'Escaped', start: at, end: at + 2, text: text.charAt(at + 1) };
        }
      } else if (code === DOLLAR) {
        part = readDollar(this, true);
      } else if (code === BACKQUOTE) {
        part = this.#backquoted(context !== 'document');
      } else if (code === DOUBLE_QUOTE && context !== 'document') {
        part = this.#doubleQuoted();
      }
      if (part === undefined) {
        at++;
        continue;
      }
      this.#spend(at);
      if (at > from || kept !== '') {
        parts.push({ kind: 'Literal', start, end: at, text: kept + text.slice(from, at) });
      }
      parts.push(part);
      start = from = at = this.position;
      kept = '';
    }
    if (at > from || kept !== '') {
      parts.push({ kind: 'Literal', start, end: at, text: kept + text.slice(from, at) });
    }
    this.position = at;
  }

  /** `` `list` ``: the text between, less one level of backslashes, is read as a text of its own. */
  #backquoted(inString: boolean): WordPart {
    const start = this.position;
    const text = this.text;
    let body = '';
    let from = start + 1;
    let at = from;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === BACKQUOTE) break;
      if (code !== BACKSLASH) continue;
      const next = text.charCodeAt(at + 1);
      if (next === DOLLAR || next === BACKQUOTE || next === BACKSLASH || (inString && next === DOUBLE_QUOTE)) {
        body += text.slice(from, at);
        from = at + 1;
      }
      at++;
    }
    if (at >= text.length) this.unterminated('`', '`', start);
    body += text.slice(from, at);
    this.enter(start);
    const inner = new WordReader(body, this.options, this.depth, { reader: this, offset: start });
    let list: List;
    try {
      list = this.options.readCommands(inner, 0, false).list;
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      // its offsets count in the body's text, and what it lacks cannot come after the closing backquote
      throw new Stop({ message: error.problem.message, offset: start, kind: error.problem.kind }, false);
    }
    this.leave();
    this.position = at + 1;
    return { kind: 'CommandSubstitution', start, end: at + 1, backquoted: true, text: body, body: list };
  }

  /** The first offset from `at` on that is not part of a line continuation. */
  afterContinuations(at: number): number {
    let next = at;
    while (this.text.charCodeAt(next) === BACKSLASH && this.text.charCodeAt(next + 1) === NEWLINE) next += 2;
    if (next > at && next >= this.text.length) this.endsInBackslash = true;
    return next;
  }
}

/** The engine makes room for 17 elements at the first push, and most lists of parts have one. */
function fitting(parts: WordPart[]): WordPart[] {
  const first = parts[0];
  return parts.length === 1 && first !== undefined ? [first] : parts;
}

function isEscapable(code: number, context: QuotedContext): boolean {
  if (code === DOLLAR || code === BACKQUOTE || code === BACKSLASH) return true;
  return (code === DOUBLE_QUOTE && context !== 'document') || (code === CLOSE_BRACE && context === 'operand');
}

/** A `[` that no `]` follows is itself, as in the command of that name: no directory need be read for it. */
function isPlainBracket(text: string): boolean {
  const open = text.indexOf('[');
  return !text.includes('*') && !text.includes('?') && text.indexOf(']', open) < 0;
}
