/** The word scanner: quoting, expansions, and where a word ends (POSIX.1-2024, XCU 2.2, 2.3 and 2.6). */
import type { List, Word, WordPart } from './ast.js';
import { Brackets } from './brackets.js';
import {
  BACKQUOTE,
  BACKSLASH,
  BRACE,
  CLOSE_BRACE,
  CLOSE_PARENTHESIS,
  DOLLAR,
  DOUBLE_QUOTE,
  ENDS_WORD,
  GREATER,
  IN_QUOTES,
  LESS,
  NEWLINE,
  OPEN_PARENTHESIS,
  OPENS_BRACKET,
  PATTERN,
  PIPE,
  QUOTING,
  SINGLE_QUOTE,
  TILDE,
  TILDE_SEPARATOR,
  UNQUOTED,
  UNQUOTED_TO_BRACKET,
  UNQUOTED_TO_SLASH,
} from './characters.js';
import { lineOf, type Problem, Stop, tokenText } from './diagnostics.js';
import { readBackquoted, readDollar, readProcessSubstitution } from './expansions.js';
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
  /** The aliases whose values are being read: in them their names are ordinary words. */
  readonly substituting: Set<string>;
  readonly readCommands: ReadCommands;
  readonly modes: Modes;
}

/** What a script can turn on and off: it holds from the next complete command on. */
export interface Modes {
  /**
   * No form of bash that changes the meaning of a valid POSIX script: `[[`, `function`, `select`, `time` and `coproc` are
   * ordinary words, and so is what holds braces; `&>`, `|&`, `((`, `<(`, `$"` and `{name}>` are what they are in POSIX.
   */
  posix: boolean;
  /** `{a,b}` makes two words of one (bash); never in `posix`. */
  braces: boolean;
  /** `@(a|b)` and its like are read as parts of words; on the right side of `==` in `[[ ]]` they always are. */
  extendedPatterns: boolean;
  /** The values of aliases by name; undefined when words are never looked up. */
  aliases: ReadonlyMap<string, string> | undefined;
}

/** In what a quoted text stands: it decides what a backslash quotes and whether `"` is special. */
export type QuotedContext = 'string' | 'document' | 'prompt' | 'operand' | 'document operand' | 'arithmetic';

/**
 * What ends an unquoted text: of a word, of an operand of `${ }`, of the pattern in `${x/p/r}`, of the subscript in `a[i]`,
 * and of the right sides of `==` and `=~` in `[[ ]]`.
 */
export type Ending = 'blank' | 'brace' | 'slash' | 'bracket' | 'pattern' | 'regex';

/** What may stand before the parenthesis of an extended pattern. */
const PATTERN_LISTS = '@?*+!';

/** Login names that a tilde may precede: the portable ones, and bash's `~+` and `~-`. */
const LOGIN_NAME = /[A-Za-z0-9._+-]*/y;

/** Where a text was taken out of another one. */
export interface Within {
  readonly reader: WordReader;
  readonly offset: number;
  /** All of it stands for that place. */
  readonly whole?: boolean;
}

/** Reads the words of one text. `position` is where it stands; every method leaves it just after what was read. */
export class WordReader {
  readonly text: string;
  readonly options: ReaderOptions;
  #parentheses: Parentheses | undefined;
  #brackets: Brackets | undefined;
  position = 0;
  /** How many constructs are open around `position`. */
  depth: number;
  /** The unquoted text just read had one of `*` `?` `[`. */
  sawPattern = false;
  /** The unquoted text just read had a brace. */
  sawBrace = false;
  /** The text ends with a backslash, or with one and a newline. */
  endsInBackslash = false;
  /** The text being read is the value of an assignment, or the word of an operator in it. */
  inValue = false;
  /** The text is a part of what is there: where it ends, it may go on. */
  truncated = false;
  readonly #within: Within | undefined;

  constructor(text: string, options: ReaderOptions, depth = 0, within?: Within) {
    this.text = text;
    this.options = options;
    this.depth = depth;
    this.#within = within;
  }

  /** The offset of what closes the parenthesis at `open`; -1 if nothing does. */
  closingParenthesis(open: number): number {
    this.#parentheses ??= new Parentheses(this.text, this.options.maxNesting);
    return this.#found(this.#parentheses.closing(open), ')', '(', open);
  }

  /** The offset of what closes the bracket at `open`; -1 if nothing on its line does. */
  closingBracket(open: number): number {
    this.#brackets ??= new Brackets(this.text);
    return this.#found(this.#brackets.closing(open), ']', '[', open);
  }

  /** What is not found in a text that may go on is not known to be missing; what is asked next is the character after it. */
  #found(at: number, closer: string, opener: string, open: number): number {
    const isKnown = !this.truncated || (at >= 0 && this.afterContinuations(at + 1) + 1 < this.text.length);
    return isKnown ? at : this.unterminated(closer, opener, open);
  }

  // -------------------------------------------------------------------------------------------------------- problems

  fail(kind: Problem['kind'], message: string, offset: number): never {
    throw new Stop({ message, offset, kind }, false);
  }

  syntaxErrorNear(from: number, to: number): never {
    return this.syntaxErrorAt(this.text.slice(from, to), from);
  }

  syntaxErrorAt(token: string, offset: number, suggestion?: string): never {
    const shown = token === '' || token.startsWith('\n') ? 'newline' : token;
    const message = `syntax error near unexpected token '${tokenText(shown)}'`;
    throw new Stop({ message, offset, kind: 'syntax', suggestion }, false);
  }

  /** The text ended, and `closer` was missing for the `opener` at `offset`. */
  unterminated(closer: string, opener: string, offset: number): never {
    const expecting = `expecting '${closer}' for the '${opener}' on line ${this.lineOf(offset)}`;
    const message = `syntax error: unexpected end of file (${expecting})`;
    throw new Stop({ message, offset: this.text.length, kind: 'syntax' }, true);
  }

  lineOf(offset: number): number {
    const within = this.#within;
    if (within === undefined) return lineOf(this.text, offset);
    const first = within.reader.lineOf(within.offset);
    return within.whole === true ? first : first + lineOf(this.text, offset) - 1;
  }

  enter(offset: number): void {
    if (++this.depth > this.options.maxNesting) this.fail('nesting', 'nesting too deep', offset);
  }

  leave(): void {
    this.depth--;
  }

  // ----------------------------------------------------------------------------------------------------------- words

  /** The word at `position`. */
  word(): Word {
    return this.#plainWord() ?? this.#wordUntil('blank', false);
  }

  /** The value of an assignment: tilde prefixes stand at its start and after each unquoted colon. */
  assignmentValue(): Word {
    return this.#plainWord() ?? this.#wordUntil('blank', true);
  }

  /** The right side of `==` in `[[ ]]`. */
  pattern(): Word {
    return this.#wordUntil('pattern', false);
  }

  /** The right side of `=~`. Which of its text is special is not known here. */
  regex(): Word {
    return { ...this.#wordUntil('regex', false), literal: undefined };
  }

  #wordUntil(ending: Ending, inValue: boolean): Word {
    const start = this.position;
    this.spend(start);
    const parts: WordPart[] = [];
    this.unquoted(parts, ending, inValue);
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
    if (end < text.length) {
      if (kind !== ENDS_WORD) return undefined;
      const code = text.charCodeAt(end);
      if (code === OPEN_PARENTHESIS) return undefined;
      if ((code === LESS || code === GREATER) && text.charCodeAt(end + 1) === OPEN_PARENTHESIS) return undefined;
    }
    const literal = text.slice(start, end);
    this.position = end;
    this.sawPattern = false;
    this.sawBrace = false;
    this.spend(start);
    return { kind: 'Word', start, end, parts: [{ kind: 'Literal', start, end, text: literal }], literal };
  }

  /** Counts what is read against the limit of one complete command. */
  spend(offset: number): void {
    if (++this.options.spent.parts > this.options.maxParts) {
      this.fail('length', `command too long: more than ${this.options.maxParts} words`, offset);
    }
  }

  /** Text as in double quotes from `position` up to the end of the text. */
  quotedText(context: 'document' | 'prompt' = 'document'): Word {
    const start = this.position;
    const parts: WordPart[] = [];
    this.quoted(parts, -1, this.text.length, context);
    return { kind: 'Word', start, end: this.position, parts, literal: literalText(parts) };
  }

  #literal(parts: readonly WordPart[]): string | undefined {
    const first = parts[0];
    if (this.sawPattern && !(parts.length === 1 && first?.kind === 'Literal' && isPlainBracket(first.text))) {
      return undefined;
    }
    return parts.length === 1 && first?.kind === 'Literal' ? first.text : literalText(parts);
  }

  /** Unquoted text up to its end. In the value of an assignment tilde prefixes may follow a colon. */
  unquoted(parts: WordPart[], ending: Ending, inValue: boolean): void {
    const text = this.text;
    const length = text.length;
    const table = ending === 'slash' ? UNQUOTED_TO_SLASH : ending === 'bracket' ? UNQUOTED_TO_BRACKET : UNQUOTED;
    const inBraces = ending === 'brace' || ending === 'slash';
    const outer = this.inValue;
    this.inValue = inValue;
    let pattern = false;
    let brace = false;
    // open parentheses in a pattern or a regular expression, open brackets in a subscript
    let open = 0;
    // the literal being read: its start, the text before `from` without line continuations, and what follows `from`
    let start = this.position;
    let kept = '';
    let from = start;
    let at = start;
    if (text.charCodeAt(at) === TILDE && ending !== 'bracket' && this.#tilde(parts, start, at, inBraces, inValue)) {
      start = from = at = this.position;
    }
    for (;;) {
      let kind = 0;
      while (at < length) {
        const code = text.charCodeAt(at);
        if (code < 128 && (kind = table[code] as number) !== 0) break;
        at++;
      }
      if (at >= length) break;
      let part: WordPart | undefined;
      if (kind === ENDS_WORD) {
        const code = text.charCodeAt(at);
        const process = (code === LESS || code === GREATER) && ending !== 'regex' && ending !== 'bracket' && open === 0;
        if (process && this.processFollows(at)) {
          this.position = at;
          part = readProcessSubstitution(this);
        } else {
          const change = this.#nesting(ending, code, open, at > from ? text.charCodeAt(at - 1) : 0);
          if (change === undefined) break;
          if (change > 0) pattern = true;
          open += change;
        }
      } else if (kind === BRACE) {
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
        part = this.#quotingPart(code);
      } else if (kind === OPENS_BRACKET) {
        open++;
      } else {
        if (open === 0) break;
        if (ending === 'bracket') open--;
      }
      if (part === undefined) {
        at++;
        continue;
      }
      this.spend(at);
      if (at > from || kept !== '') {
        parts.push({ kind: 'Literal', start, end: at, text: kept + text.slice(from, at) });
      }
      parts.push(part);
      start = from = at = this.position;
      kept = '';
    }
    if (open > 0 && ending !== 'bracket') this.unterminated(')', '(', start);
    if ((ending === 'blank' || ending === 'pattern') && text.charCodeAt(at) === OPEN_PARENTHESIS)
      this.#refuseParenthesis(from, at);
    if (at > from || kept !== '') {
      parts.push({ kind: 'Literal', start, end: at, text: kept + text.slice(from, at) });
    }
    this.position = at;
    this.inValue = outer;
    this.sawPattern = pattern;
    this.sawBrace = brace;
  }

  /** By how much a character that may end a text changes the number of open parentheses; undefined: it ends it. */
  #nesting(ending: Ending, code: number, open: number, before: number): number | undefined {
    if (ending === 'brace' || ending === 'slash' || ending === 'bracket') return 0;
    if (open > 0) return code === OPEN_PARENTHESIS ? 1 : code === CLOSE_PARENTHESIS ? -1 : 0;
    if (code === OPEN_PARENTHESIS) {
      if (ending === 'regex') return 1;
      const extended = ending === 'pattern' || this.options.modes.extendedPatterns;
      return extended && PATTERN_LISTS.includes(String.fromCharCode(before)) ? 1 : undefined;
    }
    return ending === 'regex' && code === PIPE ? 0 : undefined;
  }

  /** Does a process substitution start at `at`, where `<` or `>` stands? */
  processFollows(at: number): boolean {
    return this.text.charCodeAt(at + 1) === OPEN_PARENTHESIS && !this.options.modes.posix;
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
        return readBackquoted(this, false);
      default: {
        if (this.text.charCodeAt(start + 1) === SINGLE_QUOTE) return this.#dollarQuoted();
        if (this.text.charCodeAt(start + 1) === DOUBLE_QUOTE) {
          // a translation, which here is the text itself
          return this.options.modes.posix ? undefined : this.#doubleQuoted(start + 1);
        }
        return readDollar(this, undefined);
      }
    }
  }

  /** A word runs into `(`: in bash that may be an extended pattern, which must not pass for something else. */
  #refuseParenthesis(from: number, at: number): void {
    const before = this.text.charAt(at - 1);
    const alone = at - 1 === from && (from === 0 || UNQUOTED[this.text.charCodeAt(from - 1)] === ENDS_WORD);
    if (at > from && PATTERN_LISTS.includes(before) && !(alone && before === '!')) {
      const message = `extended patterns like \`${before}( )\` need \`shopt -s extglob\` on a line before`;
      this.fail('syntax', `syntax error near unexpected token '(' (${message})`, at);
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

  /** `"..."`, which may start with a dollar sign before its quote. */
  #doubleQuoted(quote = this.position): WordPart {
    const start = this.position;
    const parts: WordPart[] = [];
    this.position = quote + 1;
    this.quoted(parts, DOUBLE_QUOTE, this.text.length, 'string');
    if (this.position >= this.text.length) this.unterminated('"', '"', start);
    this.position++;
    return { kind: 'DoubleQuoted', start, end: this.position, parts: fitting(parts) };
  }

  /** In bash, as in mksh, `$'...'` and `$"..."` quote in `"${x-$'\n'}"`; in POSIX, and in a here-document, they do not. */
  #quotesInOperand(): WordPart | undefined {
    if (this.options.modes.posix) return undefined;
    const next = this.text.charCodeAt(this.position + 1);
    if (next === SINGLE_QUOTE) return this.#dollarQuoted();
    return next === DOUBLE_QUOTE ? this.#doubleQuoted(this.position + 1) : undefined;
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
        if (at + 1 >= text.length) {
          // a backslash that ends the text stands for itself
          this.position = at + 1;
          part = { kind: 'Escaped', start: at, end: at + 1, text: '\\' };
        } else if (isEscapable(next, context)) {
          this.position = at + 2;
          part = { kind: 'Escaped', start: at, end: at + 2, text: text.charAt(at + 1) };
        }
      } else if (code === DOLLAR) {
        part = (context === 'operand' ? this.#quotesInOperand() : undefined) ?? readDollar(this, context);
      } else if (code === BACKQUOTE) {
        part = readBackquoted(this, context !== 'document' && context !== 'prompt');
      } else if (code === DOUBLE_QUOTE && context !== 'document' && context !== 'prompt') {
        part = this.#doubleQuoted();
      }
      if (part === undefined) {
        at++;
        continue;
      }
      this.spend(at);
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
  return (code === DOUBLE_QUOTE && context !== 'document') || (code === CLOSE_BRACE && context.endsWith('operand'));
}

/** A `[` that no `]` follows is itself, as in the command of that name: no directory need be read for it. */
function isPlainBracket(text: string): boolean {
  const open = text.indexOf('[');
  const others = text.includes('*') || text.includes('?') || text.includes('(');
  return !others && text.indexOf(']', open) < 0;
}
