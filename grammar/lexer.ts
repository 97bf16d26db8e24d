/** From text to tokens: one Chevrotain mode, every pattern of which asks the Tokenizer at work. */
import { type CustomPatternMatcherReturn, type IToken, Lexer, type TokenType } from 'chevrotain';
import { readAssignment, refuseBraces, valueStart } from './assignments.js';
import type { HereDocument, Word } from './ast.js';
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
  OPEN_PARENTHESIS,
  PIPE,
  SEMICOLON,
  SPACE,
  TAB,
} from './characters.js';
import { Stop } from './diagnostics.js';
import { type PendingHereDocument, readDelimiter, readDocument } from './here-documents.js';
import {
  afterBlanks,
  afterSpaces,
  parenthesisFollows,
  type RedirectionStart,
  readRedirectionOperator,
  refuseArithmeticCommand,
} from './operators.js';
import * as T from './tokens.js';
import type { WordReader } from './words.js';

export function makeLexer(skipValidations: boolean): Lexer {
  const made = new Lexer([...T.ALL_TOKENS], {
    positionTracking: 'onlyOffset',
    recoveryEnabled: false,
    ensureOptimizations: true,
    skipValidations,
    // nobody reads these: where the tokens stop, the Tokenizer knows why
    errorMessageProvider: { buildUnexpectedCharactersMessage: () => '', buildUnableToPopLexerModeMessage: () => '' },
  });
  // Chevrotain adds the payload to a token that has no room for it, which takes twice the memory
  return Object.assign(made, { createTokenInstance });
}

function createTokenInstance(image: string, startOffset: number, tokenTypeIdx: number, tokenType: TokenType): IToken {
  return { image, startOffset, tokenTypeIdx, tokenType, payload: undefined };
}

let lexer: Lexer | undefined;

/**
 * What the tokens so far say about the next one (the grammar's rules 1 to 9 in POSIX 2.10.2): where a reserved word is
 * one, where `a=1` is an assignment, where a newline ends a command.
 */
type State =
  /** A command may start. */
  | 'command'
  /** A command must start, after any newlines: after `&&`, `||` and `|`. */
  | 'continued'
  /** After an assignment or a redirection in front of the command's name. */
  | 'prefix'
  | 'argument'
  | 'for name'
  | 'after for name'
  | 'for words'
  | 'case word'
  | 'after case word'
  /** Where `esac` or a pattern may start. */
  | 'pattern start'
  | 'pattern'
  | 'function parenthesis'
  | 'function end'
  | 'function body'
  /** A redirection's target comes next. */
  | 'target';

/** Commands whose arguments of the form `name=value` are assignments, as far as tildes go. */
const DECLARATIONS: ReadonlySet<string> = new Set(['export', 'readonly', 'local', 'declare', 'typeset']);

/** What closes what is open; for `$(` see parser.ts. */
const CLOSERS: Readonly<Record<string, string>> = {
  '{': '}',
  '(': ')',
  if: 'fi',
  case: 'esac',
  for: 'done',
  while: 'done',
  until: 'done',
};

export class Tokenizer implements T.TokenReader {
  readonly #reader: WordReader;
  /** Chevrotain counts offsets from here. */
  readonly base: number;
  /** Inside `$( )`: an unmatched `)` ends the tokens. */
  readonly #inParentheses: boolean;
  /** The end of the text that was read. */
  end: number;
  /** Why reading stopped before the end, if it did. */
  stop: Stop | undefined;
  /** A here-document was ended by the end of the text. */
  unterminatedDocument = false;
  readonly #documents: PendingHereDocument[] = [];
  /** Offsets of what is open. */
  readonly #open: number[] = [];
  readonly #openers: string[] = [];
  #parentheses = 0;
  #state: State = 'command';
  /** The state after a redirection's target. */
  #resume: State = 'command';
  #declares = false;
  #unnamed = false;
  /** The token found at `#scanned` (an offset from `base`); `#finished` once there are no more. */
  #scanned = -1;
  #type: TokenType | undefined;
  #match: CustomPatternMatcherReturn | null = null;
  #finished = false;

  constructor(reader: WordReader, from: number, inParentheses: boolean) {
    this.#reader = reader;
    this.base = from;
    this.end = from;
    this.#inParentheses = inParentheses;
  }

  /**
   * The tokens of the next complete command of a script, its newline included; inside a substitution all tokens up to
   * its end.
   */
  tokens(whole: boolean): IToken[] {
    const { text } = this.#reader;
    const depth = this.#reader.depth;
    const outer = T.reading.by;
    T.reading.by = this;
    this.#whole = whole;
    lexer ??= makeLexer(true);
    try {
      const { tokens } = lexer.tokenize(this.base === 0 ? text : text.slice(this.base));
      if (this.stop === undefined && this.#documents.length > 0 && (this.end >= text.length || whole)) {
        this.#leftOver(outer);
      }
      this.#reader.depth = depth;
      return tokens;
    } finally {
      T.reading.by = outer;
    }
  }

  #whole = false;

  /** What is open at the end of the text, and what would close it. */
  innermost(): { closer: string; opener: string; offset: number } | undefined {
    const opener = this.#openers.at(-1);
    const offset = this.#open.at(-1);
    if (opener === undefined || offset === undefined) return undefined;
    return { closer: CLOSERS[opener] ?? '', opener, offset };
  }

  /** Documents that no newline started: `$(cat <<E)` finds them after the next newline outside, as in bash. */
  #leftOver(outer: T.TokenReader | undefined): void {
    if (this.#inParentheses && outer instanceof Tokenizer && outer.#reader === this.#reader) {
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
      if (!this.#finished) this.#scan(this.base + offset);
    }
    return this.#type === type ? this.#match : null;
  }

  #scan(at: number): void {
    try {
      this.#token(at);
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      this.stop = error;
      this.#finished = true;
      this.#type = undefined;
      this.#match = null;
    }
  }

  /** The token from `start` to `end` was found; payload as documented in tokens.ts. */
  #found(type: TokenType, start: number, end: number, payload?: unknown): void {
    const match: CustomPatternMatcherReturn = [this.#reader.text.slice(start, end)];
    if (payload !== undefined) match.payload = payload;
    this.#type = type;
    this.#match = match;
    this.end = end;
  }

  #token(at: number): void {
    const { text } = this.#reader;
    const code = text.charCodeAt(at);
    if (code === SPACE || code === TAB || code === HASH) this.#blank(at);
    else if (code === NEWLINE) this.#newline(at);
    else if (code === SEMICOLON) this.#semicolon(at);
    else if (code === AMPERSAND || code === PIPE) this.#joining(at, code);
    else if (code === OPEN_PARENTHESIS) this.#openParenthesis(at);
    else if (code === CLOSE_PARENTHESIS) this.#closeParenthesis(at);
    else if (code === LESS || code === GREATER) this.#redirection(at, at, undefined);
    else if (isDigit(code)) this.#number(at);
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
      case 'after case word':
      case 'pattern start':
      case 'function body':
        return;
    }
    this.#state = 'command';
    if (!this.#whole && this.#open.length === 0) this.#finished = true;
  }

  #readDocuments(start: number): number {
    let at = start;
    for (const document of this.#documents) {
      const next = readDocument(this.#reader, at, document);
      if (next < 0) this.unterminatedDocument = true;
      at = next < 0 ? this.#reader.text.length : next;
    }
    this.#documents.length = 0;
    return at;
  }

  // ------------------------------------------------------------------------------------------------------- operators

  /** `;`, `;;` or `;&`. */
  #semicolon(at: number): void {
    const reader = this.#reader;
    const second = reader.afterContinuations(at + 1);
    const next = reader.text.charCodeAt(second);
    if (next !== SEMICOLON && next !== AMPERSAND) {
      this.#state = 'command';
      this.#found(T.Semicolon, at, at + 1);
      return;
    }
    const end = second + 1;
    if (next === SEMICOLON && reader.text.charCodeAt(reader.afterContinuations(end)) === AMPERSAND) {
      reader.fail('unsupported', '`;;&` is not supported', at);
    }
    this.#state = 'pattern start';
    this.#found(T.CaseTerminator, at, end, next === SEMICOLON ? ';;' : ';&');
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
      if (next === AMPERSAND) reader.fail('unsupported', '`|&` is not supported; use `2>&1 |`', at);
      if (this.#state !== 'pattern') this.#state = 'continued';
      this.#found(T.Pipe, at, at + 1);
    } else {
      if (next === GREATER) reader.fail('unsupported', '`&>` is not supported; use `>FILE 2>&1`', at);
      this.#state = 'command';
      this.#found(T.Ampersand, at, at + 1);
    }
  }

  #openParenthesis(at: number): void {
    const reader = this.#reader;
    const second = reader.text.charCodeAt(reader.afterContinuations(at + 1)) === OPEN_PARENTHESIS;
    switch (this.#state) {
      case 'pattern start':
        this.#state = 'pattern';
        break;
      case 'function parenthesis':
        this.#state = 'function end';
        break;
      case 'for name':
        if (second) reader.fail('unsupported', '`for (( ))` is not supported; use `while`', at);
        break;
      case 'command':
      case 'continued':
      case 'function body':
        if (second) refuseArithmeticCommand(reader, at);
        this.#enter('(', at);
        this.#parentheses++;
        this.#state = 'command';
        break;
    }
    this.#found(T.OpenParenthesis, at, at + 1);
  }

  #closeParenthesis(at: number): void {
    if (this.#state === 'pattern') {
      this.#state = 'command';
    } else if (this.#state === 'function end') {
      this.#state = 'function body';
    } else {
      if (this.#parentheses === 0 && this.#inParentheses) {
        this.#finished = true;
        return;
      }
      if (this.#parentheses > 0) {
        this.#parentheses--;
        this.#leave();
      }
      this.#state = 'command';
    }
    this.#found(T.CloseParenthesis, at, at + 1);
  }

  #enter(opener: string, at: number): void {
    this.#reader.enter(at);
    this.#open.push(at);
    this.#openers.push(opener);
  }

  #leave(): void {
    if (this.#open.pop() === undefined) return;
    this.#openers.pop();
    this.#reader.leave();
  }

  /** Digits are a descriptor number when a redirection follows at once. */
  #number(at: number): void {
    const { text } = this.#reader;
    let end = at + 1;
    while (isDigit(text.charCodeAt(end))) end++;
    const operator = this.#reader.afterContinuations(end);
    const code = text.charCodeAt(operator);
    if ((code === LESS || code === GREATER) && end - at < 10) {
      this.#redirection(at, operator, Number(text.slice(at, end)));
    } else {
      this.#word(at);
    }
  }

  #redirection(start: number, at: number, descriptor: number | undefined): void {
    const { operator, end } = readRedirectionOperator(this.#reader, at);
    const starts = this.#state === 'command' || this.#state === 'continued';
    this.#resume = starts ? 'prefix' : this.#state;
    if ((operator === '<<' || operator === '<<-') && this.#hereDocument(start, end, descriptor, operator)) return;
    this.#state = 'target';
    const payload: RedirectionStart = { descriptor, operator };
    this.#found(T.RedirectionToken, start, end, payload);
  }

  /** The token of `<<` with its delimiter; false when there is none. */
  #hereDocument(start: number, from: number, descriptor: number | undefined, operator: '<<' | '<<-'): boolean {
    const reader = this.#reader;
    const at = afterSpaces(reader, from);
    const delimiter = readDelimiter(reader, at);
    // `<<#` is an operator and a comment.
    if (delimiter.end === at || reader.text.charCodeAt(at) === HASH) return false;
    const { end } = delimiter;
    const node: PendingHereDocument['node'] & HereDocument = {
      kind: 'HereDocument',
      start,
      end,
      descriptor,
      stripTabs: operator === '<<-',
      delimiter: reader.text.slice(at, end),
      quoted: delimiter.quoted,
      body: { kind: 'Word', start: end, end, parts: [], literal: '' },
    };
    this.#documents.push({ node, delimiter: delimiter.text });
    this.#state = this.#resume;
    this.#found(T.HereDocumentToken, start, end, node);
    return true;
  }

  // ----------------------------------------------------------------------------------------------------------- words

  #word(at: number): void {
    const reader = this.#reader;
    const state = this.#state;
    const starts = state === 'command' || state === 'continued';
    if ((starts || state === 'prefix') && isNameStart(reader.text.charCodeAt(at)) && this.#assignment(at)) return;
    reader.position = at;
    const declared = this.#declares && state === 'argument' ? valueStart(reader, at) : -1;
    const word = declared < 0 ? reader.word() : reader.word(declared);
    const { end } = word;
    // unquoted text alone may be a reserved word or a name
    const first = word.parts[0];
    const plain = word.parts.length === 1 && first?.kind === 'Literal' ? first.text : undefined;
    if (plain !== undefined && this.#special(plain, word, state)) return;
    if (reader.sawBrace && state !== 'case word' && state !== 'pattern' && state !== 'pattern start') {
      refuseBraces(reader, word, plain);
    }
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

  /** The command's name was found; after `command` the name is still to come. */
  #named(name: string | undefined): void {
    this.#declares = name !== undefined && DECLARATIONS.has(name);
    this.#unnamed = name === 'command';
  }

  /** A word that is one piece of unquoted text: reserved, a function's or a loop's name? */
  #special(plain: string, word: Word, state: State): boolean {
    switch (state) {
      case 'command':
      case 'continued':
      case 'function body': {
        const reserved = T.RESERVED.get(plain);
        if (reserved !== undefined) {
          this.#reserved(plain, reserved, word);
          return true;
        }
        const refused = T.REFUSED_WORDS.get(plain);
        if (refused !== undefined) this.#reader.fail('unsupported', refused, word.start);
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
        if (plain === 'do') this.#reserved(plain, T.Do, word);
        else if (plain === 'in') this.#in(word, 'for words');
        else return false;
        return true;
      case 'after case word':
        if (plain !== 'in') return false;
        this.#in(word, 'pattern start');
        return true;
      case 'pattern start':
        if (plain !== 'esac') return false;
        this.#reserved(plain, T.Esac, word);
        return true;
      default:
        return false;
    }
  }

  #in(word: Word, state: State): void {
    this.#state = state;
    this.#found(T.In, word.start, word.end);
  }

  #reserved(text: string, type: TokenType, word: Word): void {
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
        break;
      case 'case':
        this.#enter(text, word.start);
        this.#state = 'case word';
        break;
      case 'fi':
      case 'done':
      case 'esac':
      case '}':
        this.#leave();
        break;
    }
    this.#found(type, word.start, word.end);
  }

  /** `name=value` in front of a command's name. */
  #assignment(at: number): boolean {
    const assignment = readAssignment(this.#reader, at);
    if (assignment === undefined) return false;
    this.#found(T.AssignmentToken, at, assignment.end, assignment);
    this.#state = 'prefix';
    return true;
  }
}
