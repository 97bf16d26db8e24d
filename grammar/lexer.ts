/** From text to tokens: Chevrotain's lexer asks here for each, and an alias is read in the place of the word that names it. */
import type { CustomPatternMatcherReturn, IToken, TokenType } from 'chevrotain';
import type { Word } from './ast.js';
import { chevrotainTokens } from './chevrotain.js';
import { Stop } from './diagnostics.js';
import { readDocument } from './here-documents.js';
import type { State } from './states.js';
import { Substitution } from './substitution.js';
import { TokenScanner } from './token-scanner.js';
import * as T from './tokens.js';
import type { WordReader } from './words.js';

/** Where a word, or the first of several, names a command; and where one is no word of a command. */
const NAMES_COMMAND: ReadonlySet<State> = new Set(['command', 'continued', 'prefix', 'for body', 'function body']);
const NO_WORD: ReadonlySet<State> = new Set([
  'pattern start',
  'pattern',
  'function parenthesis',
  'function end',
  'target',
]);

/** An alias costs as much as this many words: values that double each other reach the limit of a command before anyone waits for it. */
const PARTS_OF_ALIAS = 40;

/** Nobody reads it: there is more text, and the token is read again. */
const CUT_OFF = 'syntax error: unexpected end of file';

export class Tokenizer extends TokenScanner implements T.TokenReader {
  /** Of the text itself, to which all offsets are given. */
  readonly #text: WordReader;
  /** Where to go on in `reader` after one of the two has changed; -1: it has not. */
  #next = -1;
  /** What the tokens of aliases say, where the text has the name. */
  #images: Map<IToken, string> | undefined;
  /** The parser counts offsets from here. */
  readonly base: number;
  /** Chevrotain does, in `reader`. */
  #from: number;
  /** Why reading stopped before the end, if it did. */
  stop: Stop | undefined;
  /** The offset from `#from` of the token that was found last. */
  #scanned = -1;

  constructor(reader: WordReader, from: number, inParentheses: boolean) {
    super(reader, from, inParentheses);
    this.#text = reader;
    this.base = from;
    this.#from = from;
  }

  /**
   * The tokens of the next complete command of a script, its newline included; inside a substitution all tokens up to
   * its end.
   */
  tokens(whole: boolean): IToken[] {
    const { text, depth } = this.#text;
    const outer = T.reading.by;
    T.reading.by = this;
    this.whole = whole;
    try {
      const tokens = this.#tokensFrom(this.base);
      while (this.#goesOn()) this.#append(tokens, this.substitution);
      if (this.stop === undefined && this.documents.length > 0 && (this.end >= text.length || whole)) {
        this.#leftOver(outer);
      }
      this.#text.depth = depth;
      return tokens;
    } finally {
      T.reading.by = outer;
      for (let left = this.substitution; left !== undefined; left = left.outer) {
        this.#text.options.substituting.delete(left.name);
      }
    }
  }

  #tokensFrom(at: number): IToken[] {
    const { text } = this.reader;
    this.#from = at;
    return chevrotainTokens(at === 0 ? text : text.slice(at));
  }

  /** Documents that no newline started: `$(cat <<E)` finds them after the next newline outside, as in bash. */
  #leftOver(outer: T.TokenReader | undefined): void {
    if (this.inParentheses && outer instanceof Tokenizer && outer.reader === this.#text) {
      outer.documents.push(...this.documents);
    } else {
      for (const document of this.documents) readDocument(this.reader, this.reader.text.length, document);
      this.unterminatedDocument = true;
    }
    this.documents.length = 0;
  }

  take(type: TokenType, offset: number): CustomPatternMatcherReturn | null {
    if (this.#scanned !== offset) {
      this.#scanned = offset;
      this.type = undefined;
      this.match = null;
      if (!this.finished) {
        if (this.substitution === undefined) this.#scan(this.#from + offset);
        else this.#scanSubstituted(this.substitution, this.#from + offset);
      }
    }
    return this.type === type ? this.match : null;
  }

  #scan(at: number): void {
    try {
      this.token(at);
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      this.stop = error;
      this.endTokens();
    }
  }

  // ------------------------------------------------------------------------------------------------------ aliases

  /** Looks the word of a command's name up (POSIX 2.3.1), and goes on in what it stands for. */
  protected override substitutes(
    aliases: ReadonlyMap<string, string>,
    name: string,
    word: Word,
    state: State,
    next: boolean,
  ): boolean {
    const value = aliases.get(name);
    const { options } = this.reader;
    if (value === undefined || options.substituting.has(name)) return false;
    if (NAMES_COMMAND.has(state)) {
      if (state !== 'prefix' && T.RESERVED.has(name)) return false;
    } else if (!next || NO_WORD.has(state)) {
      return false;
    } else {
      // so is the first word of what it stands for
      this.looksUpNext = true;
    }
    const outer = this.substitution;
    if (outer?.isCutOff(word.end) === true)
      throw new Stop({ message: CUT_OFF, offset: word.end, kind: 'syntax' }, true);
    options.spent.parts += PARTS_OF_ALIAS + (value.length >> 4);
    this.reader.spend(word.start);
    this.reader.enter(word.start);
    options.substituting.add(name);
    this.substitution = new Substitution({ name, value }, this.#text, outer, word);
    this.reader = this.substitution.reader;
    this.#next = 0;
    this.endTokens();
    return true;
  }

  /** The next token, where its place is that of the alias, and its text may be cut off. */
  #scanSubstituted(substitution: Substitution, at: number): void {
    if (substitution.isOver(at)) {
      this.#leave(substitution, at);
      return;
    }
    const before = this.remembered();
    let stop: Stop | undefined;
    try {
      this.token(at);
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      stop = error;
    }
    if (this.substitution !== substitution) return;
    if (stop === undefined && !substitution.isCutOff(this.end)) return;
    before();
    if (substitution.extend()) {
      this.reader = substitution.reader;
      this.#next = at;
    } else {
      // the text around is cut off, too: whoever reads it has more
      const problem = stop?.problem ?? { message: CUT_OFF, offset: at, kind: 'syntax' };
      const offset = substitution.start(problem.offset);
      this.stop = new Stop({ ...problem, offset }, stop === undefined || stop.incomplete);
    }
    this.endTokens();
  }

  /** The next token, at `at`, starts after the value of the alias. */
  #leave(substitution: Substitution, at: number): void {
    const { outer, name, reader } = substitution;
    this.substitution = outer;
    this.reader = outer?.reader ?? this.#text;
    this.reader.depth = reader.depth - 1;
    if (reader.endsInBackslash) this.reader.endsInBackslash = true;
    reader.options.substituting.delete(name);
    if (substitution.endsInBlank) this.looksUpNext = true;
    this.#next = substitution.continues(at);
    this.end = this.#next;
    this.endTokens();
  }

  /** Whether there is another text to take tokens from. */
  #goesOn(): boolean {
    if (this.stop !== undefined) return false;
    // the value, and all of the text after it, has been read
    if (this.#next < 0 && this.substitution !== undefined) this.#leave(this.substitution, this.reader.text.length);
    return this.#next >= 0;
  }

  /** Adds the tokens from `#next` on, in the places they have in the text itself. */
  #append(tokens: IToken[], substitution: Substitution | undefined): void {
    const from = this.#next;
    this.#next = -1;
    this.#scanned = -1;
    this.finished = false;
    for (const token of this.#tokensFrom(from)) {
      const start = from + token.startOffset;
      if (substitution === undefined) {
        token.startOffset = start - this.base;
      } else {
        this.#images ??= new Map();
        this.#images.set(token, token.image);
        const place = substitution.start(start);
        token.image = this.#text.text.slice(place, substitution.end(start + token.image.length));
        token.startOffset = place - this.base;
      }
      tokens.push(token);
    }
  }

  /** What a message calls a token. */
  imageOf(token: IToken): string {
    return this.#images?.get(token) ?? token.image;
  }
}
