/** From text to tokens. */
import type { CustomPatternMatcherReturn, IToken, TokenType } from 'chevrotain';
import { readArithmeticCommand, readArithmeticFor } from './arithmetic-commands.js';
import { readAssignment } from './assignments.js';
import type { RedirectionDescriptor, Word } from './ast.js';
import { expandBraces } from './braces.js';
import {
  AMPERSAND,
  BACKSLASH,
  CLOSE_PARENTHESIS,
  GREATER,
  HASH,
  isDigit,
  isNameStart,
  LESS,
  NEWLINE,
  OPEN_BRACE,
  OPEN_PARENTHESIS,
  PIPE,
  SEMICOLON,
  SPACE,
  TAB,
} from './characters.js';
import { chevrotainTokens } from './chevrotain.js';
import { readConditional } from './conditional.js';
import { Stop } from './diagnostics.js';
import { type PendingHereDocument, readDocument, readHereDocumentStart } from './here-documents.js';
import {
  afterBlanks,
  afterSpaces,
  descriptorVariable,
  parenthesisFollows,
  type RedirectionStart,
  readFunctionHead,
  readRedirectionOperator,
  readTimeHead,
} from './operators.js';
import { plainText } from './quoting.js';
import { DECLARATIONS, Openers, type State } from './states.js';
import { Substitution } from './substitution.js';
import * as T from './tokens.js';
import type { WordReader } from './words.js';

/** Where a word may become several. */
const EXPANDS_BRACES: ReadonlySet<State> = new Set(['command', 'continued', 'prefix', 'argument', 'for words']);

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

export class Tokenizer implements T.TokenReader {
  /** Of the text itself, to which all offsets are given. */
  readonly #text: WordReader;
  /** Of the text, or of the alias that is being read. */
  #reader: WordReader;
  #substitution: Substitution | undefined;
  /** Where to go on in `#reader` after one of the two has changed; -1: it has not. */
  #next = -1;
  /** The word before was an alias that asks for the next one to be looked up. */
  #looksUpNext = false;
  /** What the tokens of aliases say, where the text has the name. */
  #images: Map<IToken, string> | undefined;
  /** The parser counts offsets from here. */
  readonly base: number;
  /** Chevrotain does, in `#reader`. */
  #from: number;
  /** Inside `$( )`: an unmatched `)` ends the tokens. */
  readonly #inParentheses: boolean;
  /** The end of the text that was read. */
  end: number;
  /** Why reading stopped before the end, if it did. */
  stop: Stop | undefined;
  /** A here-document was ended by the end of the text. */
  unterminatedDocument = false;
  readonly #documents: PendingHereDocument[] = [];
  readonly open = new Openers();
  #parentheses = 0;
  #state: State = 'command';
  /** The state after a redirection's target. */
  #resume: State = 'command';
  #declares = false;
  #unnamed = false;
  /** The name to come is that of `select`. */
  #selects = false;
  /** The token found at `#scanned` (an offset from `#from`); `#finished` once there are no more. */
  #scanned = -1;
  #type: TokenType | undefined;
  #match: CustomPatternMatcherReturn | null = null;
  #finished = false;

  constructor(reader: WordReader, from: number, inParentheses: boolean) {
    this.#text = reader;
    this.#reader = reader;
    this.base = from;
    this.#from = from;
    this.end = from;
    this.#inParentheses = inParentheses;
  }

  /**
   * The tokens of the next complete command of a script, its newline included; inside a substitution all tokens up to
   * its end.
   */
  tokens(whole: boolean): IToken[] {
    const { text, depth } = this.#text;
    const outer = T.reading.by;
    T.reading.by = this;
    this.#whole = whole;
    try {
      const tokens = this.#tokensFrom(this.base);
      while (this.#goesOn()) this.#append(tokens, this.#substitution);
      if (this.stop === undefined && this.#documents.length > 0 && (this.end >= text.length || whole)) {
        this.#leftOver(outer);
      }
      this.#text.depth = depth;
      return tokens;
    } finally {
      T.reading.by = outer;
      for (let left = this.#substitution; left !== undefined; left = left.outer) {
        this.#text.options.substituting.delete(left.name);
      }
    }
  }

  #tokensFrom(at: number): IToken[] {
    const { text } = this.#reader;
    this.#from = at;
    return chevrotainTokens(at === 0 ? text : text.slice(at));
  }

  #whole = false;

  /** Documents that no newline started: `$(cat <<E)` finds them after the next newline outside, as in bash. */
  #leftOver(outer: T.TokenReader | undefined): void {
    if (this.#inParentheses && outer instanceof Tokenizer && outer.#reader === this.#text) {
      outer.#documents.push(...this.#documents);
    } else {
      for (const document of this.#documents) readDocument(this.#reader, this.#reader.text.length, document);
      this.unterminatedDocument = true;
    }
    this.#documents.length = 0;
  }

  take(type: TokenType, offset: number): CustomPatternMatcherReturn | null {
    if (this.#scanned !== offset) {
      this.#scanned = offset;
      this.#type = undefined;
      this.#match = null;
      if (!this.#finished) {
        if (this.#substitution === undefined) this.#scan(this.#from + offset);
        else this.#scanSubstituted(this.#substitution, this.#from + offset);
      }
    }
    return this.#type === type ? this.#match : null;
  }

  #scan(at: number): void {
    try {
      this.#token(at);
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      this.stop = error;
      this.#endTokens();
    }
  }

  /** No token is here, and none comes after. */
  #endTokens(): void {
    this.#finished = true;
    this.#type = undefined;
    this.#match = null;
  }

  /** The token from `start` to `end` was found; payload as documented in tokens.ts. */
  #found(type: TokenType, start: number, end: number, payload?: unknown): void {
    if (this.#substitution !== undefined) this.#substitution.move(payload);
    const match: CustomPatternMatcherReturn = [this.#reader.text.slice(start, end)];
    if (payload !== undefined) match.payload = payload;
    this.#type = type;
    this.#match = match;
    this.end = end;
  }

  // ------------------------------------------------------------------------------------------------------ aliases

  /** Looks the word of a command's name up (POSIX 2.3.1), and goes on in what it stands for. */
  #substitutes(aliases: ReadonlyMap<string, string>, name: string, word: Word, state: State, next: boolean): boolean {
    const value = aliases.get(name);
    const { options } = this.#reader;
    if (value === undefined || options.substituting.has(name)) return false;
    if (NAMES_COMMAND.has(state)) {
      if (state !== 'prefix' && T.RESERVED.has(name)) return false;
    } else if (!next || NO_WORD.has(state)) {
      return false;
    } else {
      // so is the first word of what it stands for
      this.#looksUpNext = true;
    }
    const outer = this.#substitution;
    if (outer?.isCutOff(word.end) === true)
      throw new Stop({ message: CUT_OFF, offset: word.end, kind: 'syntax' }, true);
    options.spent.parts += PARTS_OF_ALIAS + (value.length >> 4);
    this.#reader.spend(word.start);
    this.#reader.enter(word.start);
    options.substituting.add(name);
    this.#substitution = new Substitution({ name, value }, this.#text, outer, word);
    this.#reader = this.#substitution.reader;
    this.#next = 0;
    this.#endTokens();
    return true;
  }

  /** The next token, where its place is that of the alias, and its text may be cut off. */
  #scanSubstituted(substitution: Substitution, at: number): void {
    if (substitution.isOver(at)) {
      this.#leave(substitution, at);
      return;
    }
    const before = this.#remembered();
    let stop: Stop | undefined;
    try {
      this.#token(at);
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      stop = error;
    }
    if (this.#substitution !== substitution) return;
    if (stop === undefined && !substitution.isCutOff(this.end)) return;
    before();
    if (substitution.extend()) {
      this.#reader = substitution.reader;
      this.#next = at;
    } else {
      // the text around is cut off, too: whoever reads it has more
      const problem = stop?.problem ?? { message: CUT_OFF, offset: at, kind: 'syntax' };
      const offset = substitution.start(problem.offset);
      this.stop = new Stop({ ...problem, offset }, stop === undefined || stop.incomplete);
    }
    this.#endTokens();
  }

  /** Puts everything back that reading a token changes. */
  #remembered(): () => void {
    const state = this.#state;
    const resume = this.#resume;
    const declares = this.#declares;
    const unnamed = this.#unnamed;
    const selects = this.#selects;
    const parentheses = this.#parentheses;
    const looksUpNext = this.#looksUpNext;
    const { top } = this.open;
    const { depth } = this.#reader;
    const documents = [...this.#documents];
    return () => {
      this.#state = state;
      this.#resume = resume;
      this.#declares = declares;
      this.#unnamed = unnamed;
      this.#selects = selects;
      this.#parentheses = parentheses;
      this.#looksUpNext = looksUpNext;
      this.open.top = top;
      this.#reader.depth = depth;
      this.#documents.splice(0, this.#documents.length, ...documents);
    };
  }

  /** The next token, at `at`, starts after the value of the alias. */
  #leave(substitution: Substitution, at: number): void {
    const { outer, name, reader } = substitution;
    this.#substitution = outer;
    this.#reader = outer?.reader ?? this.#text;
    this.#reader.depth = reader.depth - 1;
    if (reader.endsInBackslash) this.#reader.endsInBackslash = true;
    reader.options.substituting.delete(name);
    if (substitution.endsInBlank) this.#looksUpNext = true;
    this.#next = substitution.continues(at);
    this.end = this.#next;
    this.#endTokens();
  }

  /** Whether there is another text to take tokens from. */
  #goesOn(): boolean {
    if (this.stop !== undefined) return false;
    // the value, and all of the text after it, has been read
    if (this.#next < 0 && this.#substitution !== undefined) this.#leave(this.#substitution, this.#reader.text.length);
    return this.#next >= 0;
  }

  /** Adds the tokens from `#next` on, in the places they have in the text itself. */
  #append(tokens: IToken[], substitution: Substitution | undefined): void {
    const from = this.#next;
    this.#next = -1;
    this.#scanned = -1;
    this.#finished = false;
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

  // ------------------------------------------------------------------------------------------------------- tokens

  #token(at: number): void {
    const { text } = this.#reader;
    const code = text.charCodeAt(at);
    if (code === SPACE || code === TAB || code === HASH) this.#blank(at);
    else if (code === NEWLINE) this.#newline(at);
    else if (code === SEMICOLON) this.#semicolon(at);
    else if (code === AMPERSAND || code === PIPE) this.#joining(at, code);
    else if (code === OPEN_PARENTHESIS) this.#openParenthesis(at);
    else if (code === CLOSE_PARENTHESIS) this.#closeParenthesis(at);
    else if (code === LESS || code === GREATER) this.#angle(at);
    else if (isDigit(code)) this.#number(at);
    else if (code === OPEN_BRACE) this.#brace(at);
    else if (code === BACKSLASH && text.charCodeAt(at + 1) === NEWLINE) this.#blank(at);
    else this.#word(at);
  }

  #blank(start: number): void {
    this.#found(T.Blank, start, afterBlanks(this.#reader, start));
  }

  #newline(at: number): void {
    let end = at + 1;
    if (this.#documents.length > 0) end = this.#readDocuments(end);
    this.#found(T.Newline, at, end);
    switch (this.#state) {
      case 'continued':
      case 'after for name':
      case 'for body':
      case 'after case word':
      case 'pattern start':
      case 'function body':
        return;
    }
    this.#state = 'command';
    if (!this.#whole && this.open.depth === 0 && this.#substitution === undefined) this.#finished = true;
  }

  /** A newline inside `[[ ]]` or an array. */
  readonly #afterNewline = (at: number): number => (this.#documents.length > 0 ? this.#readDocuments(at + 1) : at + 1);

  #readDocuments(start: number): number {
    let at = start;
    for (const document of this.#documents) {
      const next = readDocument(this.#reader, at, document);
      if (next < 0) {
        if (this.#reader.truncated) this.#reader.unterminated(document.delimiter, '<<', start);
        this.unterminatedDocument = true;
      }
      if (this.#substitution !== undefined) this.#substitution.move(document.node.body);
      at = next < 0 ? this.#reader.text.length : next;
    }
    this.#documents.length = 0;
    return at;
  }

  // ------------------------------------------------------------------------------------------------------- operators

  /** `;`, `;;`, `;&` or `;;&`. */
  #semicolon(at: number): void {
    const reader = this.#reader;
    const second = reader.afterContinuations(at + 1);
    const next = reader.text.charCodeAt(second);
    if (next !== SEMICOLON && next !== AMPERSAND) {
      if (this.#state !== 'for body') this.#state = 'command';
      this.#found(T.Semicolon, at, at + 1);
      return;
    }
    this.#state = 'pattern start';
    const third = next === SEMICOLON ? reader.afterContinuations(second + 1) : -1;
    if (third >= 0 && reader.text.charCodeAt(third) === AMPERSAND) {
      this.#found(T.CaseTerminator, at, third + 1, ';;&');
    } else {
      this.#found(T.CaseTerminator, at, second + 1, next === SEMICOLON ? ';;' : ';&');
    }
  }

  /** `&` or `|`, single or double. */
  #joining(at: number, code: number): void {
    const reader = this.#reader;
    const second = reader.afterContinuations(at + 1);
    const next = reader.text.charCodeAt(second);
    if (next === code) {
      this.#state = 'continued';
      this.#found(T.AndOrToken, at, second + 1, code === AMPERSAND ? '&&' : '||');
    } else if (code === PIPE) {
      const both = next === AMPERSAND && !reader.options.modes.posix && this.#state !== 'pattern';
      if (this.#state !== 'pattern') this.#state = 'continued';
      this.#found(T.Pipe, at, both ? second + 1 : at + 1, both ? '|&' : '|');
    } else if (next === GREATER && !reader.options.modes.posix && !reader.processFollows(second)) {
      const last = reader.afterContinuations(second + 1);
      const append = reader.text.charCodeAt(last) === GREATER && !reader.processFollows(last);
      this.#redirectTo(at, append ? last + 1 : second + 1, { descriptor: undefined, operator: append ? '&>>' : '&>' });
    } else {
      this.#state = 'command';
      this.#found(T.Ampersand, at, at + 1);
    }
  }

  #openParenthesis(at: number): void {
    switch (this.#state) {
      case 'pattern start':
        this.#state = 'pattern';
        break;
      case 'function parenthesis':
        this.#state = 'function end';
        break;
      case 'for name':
        if (this.#arithmeticFor(at)) return;
        break;
      case 'command':
      case 'continued':
      case 'function body':
        if (this.#arithmeticCommand(at)) return;
        this.#enter('(', at);
        this.#parentheses++;
        this.#state = 'command';
        break;
    }
    this.#found(T.OpenParenthesis, at, at + 1);
  }

  #arithmeticCommand(at: number): boolean {
    const reader = this.#reader;
    const command = reader.options.modes.posix ? undefined : readArithmeticCommand(reader, at);
    if (command === undefined) return false;
    this.#state = 'command';
    this.#found(T.ArithmeticToken, at, command.end, command.text);
    return true;
  }

  #arithmeticFor(at: number): boolean {
    const reader = this.#reader;
    const head = reader.options.modes.posix || this.#selects ? undefined : readArithmeticFor(reader, at);
    if (head === undefined) return false;
    this.#state = 'for body';
    this.#found(T.ArithmeticForToken, at, head.end, head.head);
    return true;
  }

  #closeParenthesis(at: number): void {
    if (this.#state === 'pattern') {
      this.#state = 'command';
    } else if (this.#state === 'function end') {
      this.#state = 'function body';
    } else {
      if (this.#parentheses === 0 && this.#inParentheses) {
        // what an alias says cannot end the substitution it stands in
        if (this.#substitution !== undefined) this.#reader.syntaxErrorNear(at, at + 1);
        this.#finished = true;
        return;
      }
      if (this.#parentheses > 0) {
        this.#parentheses--;
        this.open.leave(this.#reader);
      }
      this.#state = 'command';
    }
    this.#found(T.CloseParenthesis, at, at + 1);
  }

  /** Digits are a descriptor number when a redirection follows at once. */
  #number(at: number): void {
    const { text } = this.#reader;
    let end = at + 1;
    while (isDigit(text.charCodeAt(end))) end++;
    const operator = this.#reader.afterContinuations(end);
    const code = text.charCodeAt(operator);
    const redirects = (code === LESS || code === GREATER) && !this.#reader.processFollows(operator);
    if (redirects && end - at < 10) {
      this.#redirection(at, operator, Number(text.slice(at, end)));
    } else {
      this.#word(at);
    }
  }

  #angle(at: number): void {
    if (this.#reader.processFollows(at)) this.#word(at);
    else this.#redirection(at, at, undefined);
  }

  /** `{name}>`, or a word. */
  #brace(at: number): void {
    const braces = descriptorVariable(this.#reader, at);
    if (braces === undefined) this.#word(at);
    else this.#redirection(at, at + braces.length, { variable: braces.slice(1, -1) });
  }

  #redirection(start: number, at: number, descriptor: RedirectionDescriptor): void {
    const { operator, end } = readRedirectionOperator(this.#reader, at);
    if (operator === '<<' || operator === '<<-') {
      this.#resume = this.#afterRedirection();
      if (this.#hereDocument(start, end, descriptor, operator)) return;
    }
    this.#redirectTo(start, end, { descriptor, operator });
  }

  #redirectTo(start: number, end: number, payload: RedirectionStart): void {
    this.#resume = this.#afterRedirection();
    this.#state = 'target';
    this.#found(T.RedirectionToken, start, end, payload);
  }

  #afterRedirection(): State {
    const starts = this.#state === 'command' || this.#state === 'continued';
    return starts ? 'prefix' : this.#state;
  }

  /** The token of `<<` with its delimiter; false when there is none. */
  #hereDocument(start: number, from: number, descriptor: RedirectionDescriptor, operator: '<<' | '<<-'): boolean {
    const document = readHereDocumentStart(this.#reader, start, from, descriptor, operator === '<<-');
    if (document === undefined) return false;
    this.#documents.push(document);
    this.#looksUpNext = false;
    const { node } = document;
    this.#state = this.#resume;
    this.#found(T.HereDocumentToken, start, node.end, node);
    return true;
  }

  // ----------------------------------------------------------------------------------------------------------- words

  #word(at: number): void {
    const reader = this.#reader;
    const state = this.#state;
    const next = this.#looksUpNext;
    this.#looksUpNext = false;
    if (this.#mayAssign(state) && isNameStart(reader.text.charCodeAt(at)) && this.#assignment(at)) return;
    reader.position = at;
    let word = reader.word();
    const { end } = word;
    const plain = plainText(word);
    if (plain !== undefined) {
      const { aliases } = reader.options.modes;
      if (aliases !== undefined && this.#substitutes(aliases, plain, word, state, next)) return;
      if (this.#special(plain, word, state)) return;
    }
    if (reader.sawBrace && EXPANDS_BRACES.has(state)) word = expandBraces(reader, word);
    this.#found(T.WordToken, at, end, word);
    switch (state) {
      case 'command':
      case 'continued':
      case 'prefix':
        this.#state = 'argument';
        this.#named(plain);
        break;
      case 'argument':
        if (this.#unnamed) this.#named(plain);
        break;
      case 'target':
        this.#state = this.#resume;
        break;
      case 'case word':
        this.#state = 'after case word';
        break;
      case 'pattern start':
        this.#state = 'pattern';
        break;
    }
  }

  #mayAssign(state: State): boolean {
    if (state === 'argument') return this.#declares;
    return state === 'command' || state === 'continued' || state === 'prefix';
  }

  /** The command's name was found; after `command` the name is still to come. */
  #named(name: string | undefined): void {
    this.#declares = name !== undefined && DECLARATIONS.has(name);
    this.#unnamed = name === 'command' || name === 'builtin';
  }

  /** A word that is one piece of unquoted text: reserved, a function's or a loop's name? */
  #special(plain: string, word: Word, state: State): boolean {
    switch (state) {
      case 'command':
      case 'continued':
      case 'for body':
      case 'function body': {
        const reserved = T.RESERVED.get(plain);
        if (reserved !== undefined) {
          this.#reserved(plain, reserved, word, state);
          return true;
        }
        if (this.#reservedInBash(plain, word)) return true;
        if (state === 'function body' || !parenthesisFollows(this.#reader, word.end)) return false;
        this.#state = 'function parenthesis';
        this.#found(T.FunctionName, word.start, word.end, plain);
        return true;
      }
      case 'for name':
        if (!T.isName(plain)) return false;
        this.#state = 'after for name';
        this.#found(T.ForName, word.start, word.end, plain);
        return true;
      case 'after for name':
        if (plain === 'do') this.#reserved(plain, T.Do, word, state);
        else if (plain === 'in') this.#in(word, 'for words');
        else return false;
        return true;
      case 'after case word':
        if (plain !== 'in') return false;
        this.#in(word, 'pattern start');
        return true;
      case 'pattern start':
        if (plain !== 'esac') return false;
        this.#reserved(plain, T.Esac, word, state);
        return true;
      default:
        return false;
    }
  }

  /** `[[`, `function`, `select`, `time`; `coproc` is refused. */
  #reservedInBash(plain: string, word: Word): boolean {
    const reader = this.#reader;
    if (!T.BASH_RESERVED.has(plain) || reader.options.modes.posix) return false;
    const { start, end } = word;
    switch (plain) {
      case '[[': {
        const expression = readConditional(reader, start, end, this.#afterNewline);
        this.#state = 'command';
        this.#found(T.ConditionalToken, start, reader.position, expression);
        return true;
      }
      case 'function': {
        this.#state = 'function body';
        const head = readFunctionHead(reader, start, afterSpaces(reader, end));
        this.#found(T.FunctionToken, start, head.end, head.name);
        return true;
      }
      case 'select':
        this.#enter(plain, start);
        this.#state = 'for name';
        this.#selects = true;
        this.#found(T.SelectWord, start, end);
        return true;
      case 'time': {
        this.#state = 'command';
        const head = readTimeHead(reader, end);
        this.#found(T.TimeToken, start, head.end, head.timed);
        return true;
      }
      case ']]':
        return reader.syntaxErrorNear(start, end);
      case 'coproc':
        return reader.fail('unsupported', '`coproc` is not supported', start);
      default:
        return false;
    }
  }

  #enter(opener: string, at: number): void {
    this.open.enter(this.#reader, opener, at, this.#substitution?.start(at) ?? at);
  }

  #in(word: Word, state: State): void {
    this.#state = state;
    this.#found(T.In, word.start, word.end);
  }

  #reserved(text: string, type: TokenType, word: Word, state: State): void {
    // `for ((;;)) {` is closed by its brace
    if (text === '{' && state === 'for body') this.open.leave(this.#reader);
    this.#state = 'command';
    switch (text) {
      case 'if':
      case 'while':
      case 'until':
      case '{':
        this.#enter(text, word.start);
        break;
      case 'for':
        this.#enter(text, word.start);
        this.#state = 'for name';
        this.#selects = false;
        break;
      case 'case':
        this.#enter(text, word.start);
        this.#state = 'case word';
        break;
      case 'fi':
      case 'done':
      case 'esac':
      case '}':
        this.open.leave(this.#reader);
        break;
    }
    this.#found(type, word.start, word.end);
  }

  /** `name=value` in front of a command's name, or as an argument of one that declares. */
  #assignment(at: number): boolean {
    const reader = this.#reader;
    const assignment = readAssignment(reader, at, this.#afterNewline);
    if (assignment === undefined) return false;
    const { value, end } = assignment;
    if (this.#state === 'argument') {
      // in `declare x={a,b}` the braces are expanded, in `x={a,b}` not
      if (value.kind === 'Word' && expandBraces(reader, value) !== value) return false;
    } else {
      this.#state = 'prefix';
    }
    this.#found(T.AssignmentToken, at, end, assignment);
    return true;
  }
}
