/**
 * A script tidied: indentation, blanks between tokens, blank lines. Tokens and comments stay as they were written, and on the lines
 * where they stood: a word, whatever it spans, and the text of a here-document are not touched.
 */
import type { IToken, TokenType } from 'chevrotain';
import type { Problem } from './diagnostics.js';
import { type ParseOptions, ScriptParser } from './script.js';
import * as T from './tokens.js';

const STEP = '  ';

/** Parsing the text that comes out gives the tree that `text` has, up to offsets; the first problem, where it has none. */
export function format(text: string, options: ParseOptions = {}): { readonly text: string } | Problem {
  const layout = new Layout(text);
  const script = new ScriptParser(text, options, (tokens, base) => layout.add(tokens, base));
  let openEnd = false;
  for (;;) {
    const result = script.next();
    if (result.kind === 'incomplete' || result.kind === 'error') return result.problem;
    if (result.kind === 'end') return { text: layout.finish(openEnd) };
    openEnd = result.hereDocumentUnterminated;
  }
}

/** What is open where the text is read: lines inside stand one step further in than the line it was opened on. */
interface Frame {
  readonly kind: 'block' | 'for' | 'case' | 'case item';
  /** Indentation of the line that opened it, in steps. */
  readonly base: number;
  /** That of the command's first line: where a pipeline goes on after the end of this, it is one step from there. */
  readonly command: number;
}

const OPENERS: ReadonlyMap<TokenType, Frame['kind']> = new Map([
  [T.If, 'block'],
  [T.WhileWord, 'block'],
  [T.Until, 'block'],
  [T.ForWord, 'for'],
  [T.SelectWord, 'for'],
  [T.CaseWord, 'case'],
  [T.OpenBrace, 'block'],
  [T.OpenParenthesis, 'block'],
]);
const CLOSERS: ReadonlySet<TokenType> = new Set([T.Fi, T.Done, T.Esac, T.CloseBrace, T.CloseParenthesis]);
/** They stand as far in as the word that opened. */
const HEADINGS: ReadonlySet<TokenType> = new Set([T.Then, T.Else, T.Elif, T.Do]);
const SPACED: ReadonlySet<TokenType> = new Set([T.AndOrToken, T.Pipe, T.Ampersand]);

class Layout {
  readonly #source: string;
  readonly #pieces: string[] = [];
  readonly #frames: Frame[] = [];
  /** Offset up to which the source is laid out. */
  #at = 0;
  /** No token or comment stands on this line yet. */
  #fresh = true;
  /** Lines without anything that came before this one. */
  #blankLines = 0;
  /** The command of the line before goes on. */
  #continued = false;
  #indent = 0;
  #commandIndent = 0;
  #previous: TokenType | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  add(tokens: readonly IToken[], base: number): void {
    for (const token of tokens) {
      const start = base + token.startOffset;
      this.#gap(this.#source.slice(this.#at, start), token.tokenType);
      this.#at = start + token.image.length;
      if (token.tokenType === T.Newline) this.#newline(token.image.slice(1));
      else this.#token(token);
    }
  }

  /** `openEnd`: a here-document goes to the end of the text, and a newline more would be its. */
  finish(openEnd: boolean): string {
    this.#gap(this.#source.slice(this.#at), T.Newline);
    if (!this.#fresh && !openEnd) this.#pieces.push('\n');
    return this.#pieces.join('');
  }

  #token({ tokenType: type, image }: IToken): void {
    const top = this.#frames.at(-1);
    this.#startLine(type);
    this.#pieces.push(image);
    this.#continued = (type === T.AndOrToken || type === T.Pipe) && top?.kind !== 'case';
    this.#previous = type;
    if (type === T.CloseParenthesis && top?.kind === 'case') this.#open('case item');
    else if (type === T.CaseTerminator) this.#close();
    else if (CLOSERS.has(type)) {
      if (type === T.Esac && top?.kind === 'case item') this.#frames.pop();
      this.#close();
    } else if (type !== T.OpenParenthesis || top?.kind !== 'case') {
      // `for ((;;)) { }` has no `done`
      if (type === T.OpenBrace && top?.kind === 'for') this.#frames.pop();
      const kind = OPENERS.get(type);
      if (kind !== undefined) this.#open(kind);
    }
  }

  #open(kind: Frame['kind']): void {
    this.#frames.push({ kind, base: this.#indent, command: this.#commandIndent });
  }

  #close(): void {
    this.#commandIndent = this.#frames.pop()?.command ?? 0;
  }

  #newline(documents: string): void {
    if (this.#fresh) {
      this.#blankLines += 1;
      return;
    }
    this.#pieces.push('\n', documents);
    this.#fresh = true;
    this.#blankLines = 0;
  }

  /** Indents what is the first of its line: a token, or a comment. */
  #startLine(type: TokenType | undefined): void {
    if (!this.#fresh) return;
    this.#fresh = false;
    if (this.#blankLines > 0 && this.#pieces.length > 0) this.#pieces.push('\n');
    this.#blankLines = 0;
    if (this.#continued) this.#indent = this.#commandIndent + 1;
    else {
      this.#indent = this.#depth(type);
      this.#commandIndent = this.#indent;
    }
    this.#pieces.push(STEP.repeat(this.#indent));
  }

  #depth(type: TokenType | undefined): number {
    let top = this.#frames.at(-1);
    if (type === T.Esac && top?.kind === 'case item') top = this.#frames.at(-2);
    if (top === undefined) return 0;
    const outside =
      type !== undefined &&
      (HEADINGS.has(type) || (CLOSERS.has(type) && !(type === T.CloseParenthesis && top.kind === 'case')));
    return outside ? top.base : top.base + 1;
  }

  /** What is between two tokens: blanks, line continuations, and a comment before a newline. */
  #gap(text: string, next: TokenType): void {
    const hash = text.indexOf('#');
    const blanks = hash < 0 ? text : text.slice(0, hash);
    const ends = next === T.Newline && hash < 0;
    if (!this.#fresh && !ends && blanks.includes('\\')) {
      this.#pieces.push(' \\\n');
      this.#fresh = true;
      this.#continued = true;
    }
    if (hash < 0) {
      if (!this.#fresh && !ends) this.#pieces.push(this.#blank(text, next));
      return;
    }
    // those of several lines may stand below each other
    if (!this.#fresh) this.#pieces.push(blanks === '' ? ' ' : blanks);
    else this.#startLine(undefined);
    let end = text.length;
    while (text[end - 1] === ' ' || text[end - 1] === '\t') end -= 1;
    this.#pieces.push(text.slice(hash, end));
  }

  #blank(text: string, next: TokenType): '' | ' ' {
    const before = this.#previous;
    const inPattern = this.#frames.at(-1)?.kind === 'case' && (next === T.Pipe || before === T.Pipe);
    if (next === T.Semicolon || (before === T.FunctionName && next === T.OpenParenthesis)) return '';
    if (!inPattern && (SPACED.has(next) || (before !== undefined && SPACED.has(before)))) return ' ';
    if (before === T.Semicolon || next === T.CaseTerminator || before === T.CaseTerminator) return ' ';
    return text === '' ? '' : ' ';
  }
}
