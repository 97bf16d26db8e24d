/** One token after the other: what each character begins depends on where in a command it stands. */
import type { CustomPatternMatcherReturn, TokenType } from 'chevrotain';
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
import { readConditional } from './conditional.js';
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
import type { Substitution } from './substitution.js';
import * as T from './tokens.js';
import type { WordReader } from './words.js';

/** Where a word may become several. */
const EXPANDS_BRACES: ReadonlySet<State> = new Set(['command', 'continued', 'prefix', 'argument', 'for words']);

/** Knows what has come before, and finds the next token. */
export abstract class TokenScanner {
  /** Of the text, or of the alias that is being read. */
  protected reader: WordReader;
  /** The alias. */
  protected substitution: Substitution | undefined;
  /** The word before was an alias that asks for the next one to be looked up. */
  protected looksUpNext = false;
  /** Inside `$( )`: an unmatched `)` ends the tokens. */
  protected readonly inParentheses: boolean;
  /** All of the text is read, and not the next complete command alone. */
  protected whole = false;
  /** The end of the text that was read. */
  end: number;
  /** A here-document was ended by the end of the text. */
  unterminatedDocument = false;
  protected readonly documents: PendingHereDocument[] = [];
  readonly open = new Openers();
  #parentheses = 0;
  #state: State = 'command';
  /** The state after a redirection's target. */
  #resume: State = 'command';
  #declares = false;
  #unnamed = false;
  /** The name to come is that of `select`. */
  #selects = false;
  /** The token that was found, if one was; `finished` once there are no more. */
  protected type: TokenType | undefined;
  protected match: CustomPatternMatcherReturn | null = null;
  protected finished = false;

  constructor(reader: WordReader, from: number, inParentheses: boolean) {
    this.reader = reader;
    this.end = from;
    this.inParentheses = inParentheses;
  }

  /** Looks the word of a command's name up (POSIX 2.3.1), and goes on in what it stands for. */
  protected abstract substitutes(
    aliases: ReadonlyMap<string, string>,
    name: string,
    word: Word,
    state: State,
    next: boolean,
  ): boolean;

  /** No token is here, and none comes after. */
  protected endTokens(): void {
    this.finished = true;
    this.type = undefined;
    this.match = null;
  }

  /** The token from `start` to `end` was found; payload as documented in tokens.ts. */
  #found(type: TokenType, start: number, end: number, payload?: unknown): void {
    if (this.substitution !== undefined) this.substitution.move(payload);
    const match: CustomPatternMatcherReturn = [this.reader.text.slice(start, end)];
    if (payload !== undefined) match.payload = payload;
    this.type = type;
    this.match = match;
    this.end = end;
  }

  /** Puts everything back that reading a token changes. */
  protected remembered(): () => void {
    const state = this.#state;
    const resume = this.#resume;
    const declares = this.#declares;
    const unnamed = this.#unnamed;
    const selects = this.#selects;
    const parentheses = this.#parentheses;
    const looksUpNext = this.looksUpNext;
    const { top } = this.open;
    const { depth } = this.reader;
    const documents = [...this.documents];
    return () => {
      this.#state = state;
      this.#resume = resume;
      this.#declares = declares;
      this.#unnamed = unnamed;
      this.#selects = selects;
      this.#parentheses = parentheses;
      this.looksUpNext = looksUpNext;
      this.open.top = top;
      this.reader.depth = depth;
      this.documents.splice(0, this.documents.length, ...documents);
    };
  }

  /** Finds the token that begins at `at`. */
  protected token(at: number): void {
    const { text } = this.reader;
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
    this.#found(T.Blank, start, afterBlanks(this.reader, start));
  }

  #newline(at: number): void {
    let end = at + 1;
    if (this.documents.length > 0) end = this.#readDocuments(end);
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
    if (!this.whole && this.open.depth === 0 && this.substitution === undefined) this.finished = true;
  }

  /** A newline inside `[[ ]]` or an array. */
  readonly #afterNewline = (at: number): number => (this.documents.length > 0 ? this.#readDocuments(at + 1) : at + 1);

  #readDocuments(start: number): number {
    let at = start;
    for (const document of this.documents) {
      const next = readDocument(this.reader, at, document);
      if (next < 0) {
        if (this.reader.truncated) this.reader.unterminated(document.delimiter, '<<', start);
        this.unterminatedDocument = true;
      }
      if (this.substitution !== undefined) this.substitution.move(document.node.body);
      at = next < 0 ? this.reader.text.length : next;
    }
    this.documents.length = 0;
    return at;
  }

  // ------------------------------------------------------------------------------------------------------- operators

  /** `;`, `;;`, `;&` or `;;&`. */
  #semicolon(at: number): void {
    const reader = this.reader;
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
    const reader = this.reader;
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
    const reader = this.reader;
    const command = reader.options.modes.posix ? undefined : readArithmeticCommand(reader, at);
    if (command === undefined) return false;
    this.#state = 'command';
    this.#found(T.ArithmeticToken, at, command.end, command.text);
    return true;
  }

  #arithmeticFor(at: number): boolean {
    const reader = this.reader;
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
      if (this.#parentheses === 0 && this.inParentheses) {
        // what an alias says cannot end the substitution it stands in
        if (this.substitution !== undefined) this.reader.syntaxErrorNear(at, at + 1);
        this.finished = true;
        return;
      }
      if (this.#parentheses > 0) {
        this.#parentheses--;
        this.open.leave(this.reader);
      }
      this.#state = 'command';
    }
    this.#found(T.CloseParenthesis, at, at + 1);
  }

  /** Digits are a descriptor number when a redirection follows at once. */
  #number(at: number): void {
    const { text } = this.reader;
    let end = at + 1;
    while (isDigit(text.charCodeAt(end))) end++;
    const operator = this.reader.afterContinuations(end);
    const code = text.charCodeAt(operator);
    const redirects = (code === LESS || code === GREATER) && !this.reader.processFollows(operator);
    if (redirects && end - at < 10) {
      this.#redirection(at, operator, Number(text.slice(at, end)));
    } else {
      this.#word(at);
    }
  }

  #angle(at: number): void {
    if (this.reader.processFollows(at)) this.#word(at);
    else this.#redirection(at, at, undefined);
  }

  /** `{name}>`, or a word. */
  #brace(at: number): void {
    const braces = descriptorVariable(this.reader, at);
    if (braces === undefined) this.#word(at);
    else this.#redirection(at, at + braces.length, { variable: braces.slice(1, -1) });
  }

  #redirection(start: number, at: number, descriptor: RedirectionDescriptor): void {
    const { operator, end } = readRedirectionOperator(this.reader, at);
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
    const document = readHereDocumentStart(this.reader, start, from, descriptor, operator === '<<-');
    if (document === undefined) return false;
    this.documents.push(document);
    this.looksUpNext = false;
    const { node } = document;
    this.#state = this.#resume;
    this.#found(T.HereDocumentToken, start, node.end, node);
    return true;
  }

  // ----------------------------------------------------------------------------------------------------------- words

  #word(at: number): void {
    const reader = this.reader;
    const state = this.#state;
    const next = this.looksUpNext;
    this.looksUpNext = false;
    if (this.#mayAssign(state) && isNameStart(reader.text.charCodeAt(at)) && this.#assignment(at)) return;
    reader.position = at;
    let word = reader.word();
    const { end } = word;
    const plain = plainText(word);
    if (plain !== undefined) {
      const { aliases } = reader.options.modes;
      if (aliases !== undefined && this.substitutes(aliases, plain, word, state, next)) return;
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
        if (state === 'function body' || !parenthesisFollows(this.reader, word.end)) return false;
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
    const reader = this.reader;
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
    this.open.enter(this.reader, opener, at, this.substitution?.start(at) ?? at);
  }

  #in(word: Word, state: State): void {
    this.#state = state;
    this.#found(T.In, word.start, word.end);
  }

  #reserved(text: string, type: TokenType, word: Word, state: State): void {
    // `for ((;;)) {` is closed by its brace
    if (text === '{' && state === 'for body') this.open.leave(this.reader);
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
        this.open.leave(this.reader);
        break;
    }
    this.#found(type, word.start, word.end);
  }

  /** `name=value` in front of a command's name, or as an argument of one that declares. */
  #assignment(at: number): boolean {
    const reader = this.reader;
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
