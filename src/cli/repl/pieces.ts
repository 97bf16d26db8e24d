/**
 * The text of a command line in pieces, for colouring and completion: every text has some, finished or not. What is run is for
 * the grammar to say; this only has to be right where a person looks, and never to fail.
 */

export type PieceKind =
  | 'command'
  | 'keyword'
  | 'argument'
  | 'assignment'
  | 'target'
  | 'operator'
  | 'string'
  | 'expansion'
  | 'comment';

/** A stretch of the text. Quoted strings and expansions stand inside words: their pieces follow each other, and share `word`. */
export interface Piece {
  readonly kind: PieceKind;
  readonly start: number;
  readonly end: number;
  /** Where the word begins that it is a part of; operators and comments are their own. */
  readonly word: number;
}

/** What a word is. */
export interface Word {
  readonly kind: 'command' | 'keyword' | 'argument' | 'assignment' | 'target';
  readonly start: number;
  readonly end: number;
  /** The name of its simple command as it stands; empty where that is still to come. */
  readonly command: string;
}

export interface Pieces {
  readonly pieces: readonly Piece[];
  readonly words: readonly Word[];
  /** Whether a word that began at the end of the text would be a command, and of which command it would be a part. */
  readonly next: { readonly kind: Word['kind']; readonly command: string };
}

const OPENING = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', '{', '!', 'time']);
const CLOSING = new Set(['fi', 'done', 'esac', '}']);
/** After these a name follows. */
const NAMING = new Set(['for', 'case', 'select', 'function']);

const MAX_DEPTH = 50;

export function piecesOf(text: string): Pieces {
  const scanner = new Scanner(text);
  scanner.commands(0, '', 0);
  return { pieces: scanner.pieces, words: scanner.words, next: scanner.next };
}

class Scanner {
  readonly pieces: Piece[] = [];
  readonly words: Word[] = [];
  next: Pieces['next'] = { kind: 'command', command: '' };
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Commands from `at` to the end of the text, or to an unmatched `closer`, behind which it answers. */
  commands(at: number, closer: string, depth: number): number {
    const text = this.#text;
    let command = '';
    let kind: Word['kind'] = 'command';
    /** The words to come are patterns, up to a `)`. */
    let patterns = false;
    const cases: true[] = [];
    let naming = '';
    const begin = (): void => {
      command = '';
      kind = 'command';
    };
    let i = at;
    while (i < text.length) {
      const c = text[i] as string;
      if (c === closer && !(patterns && c === ')')) {
        this.next = { kind: 'argument', command };
        return i + 1;
      }
      if (c === ' ' || c === '\t' || c === '\r') i++;
      else if (c === '\\' && text[i + 1] === '\n') i += 2;
      else if (c === '\n') {
        i++;
        if (!patterns) begin();
      } else if (c === '#') {
        const end = lineEnd(text, i);
        this.#piece('comment', i, end, i);
        i = end;
      } else if (/^(?:\d*|\{\w+\})(?:<<<|<<-?|<>|<&|>>|>&|>\||&>>?|[<>])(?!\()/.test(text.slice(i, i + 24))) {
        const length =
          /^(?:\d*|\{\w+\})(?:<<<|<<-?|<>|<&|>>|>&|>\||&>>?|[<>])/.exec(text.slice(i, i + 24))?.[0].length ?? 1;
        this.#piece('operator', i, i + length, i);
        i = this.#blanks(i + length);
        this.next = { kind: 'target', command };
        i = this.#word(i, 'target', command, depth);
      } else if (/[;&|()]/.test(c)) {
        const length = /^(?:;;&|;&|;;|&&|\|\||\|&|[;&|()])/.exec(text.slice(i, i + 3))?.[0].length ?? 1;
        const operator = text.slice(i, i + length);
        this.#piece('operator', i, i + length, i);
        i += length;
        if (patterns) {
          if (operator === ')') {
            patterns = false;
            begin();
          }
        } else {
          begin();
          if (operator.startsWith(';;') || operator === ';&') patterns = cases.length > 0;
        }
      } else {
        const start = i;
        const plain = /^[^\s;&|()<>'"\\$`]*/.exec(text.slice(i, i + 64))?.[0] ?? '';
        const reserved = kind === 'command' && (OPENING.has(plain) || CLOSING.has(plain) || NAMING.has(plain));
        if (patterns && plain === 'esac') {
          patterns = false;
          cases.pop();
          i = this.#word(i, 'keyword', command, depth);
          kind = 'argument';
        } else if (patterns) i = this.#word(i, 'argument', command, depth);
        else if (reserved && this.#endsAt(i + plain.length)) {
          i = this.#word(i, 'keyword', command, depth);
          if (plain === 'esac') cases.pop();
          if (OPENING.has(plain)) begin();
          else kind = 'argument';
          naming = NAMING.has(plain) ? plain : '';
        } else if (naming !== '' && plain === 'in' && this.#endsAt(i + 2)) {
          i = this.#word(i, 'keyword', command, depth);
          if (naming === 'case') {
            patterns = true;
            cases.push(true);
          }
          naming = '';
        } else if (kind === 'command' && /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(text.slice(i, i + 128))) {
          i = this.#word(i, 'assignment', command, depth);
        } else {
          i = this.#word(i, kind, command, depth);
          if (naming === 'function') begin();
          else {
            if (kind === 'command') command = text.slice(start, i);
            kind = 'argument';
          }
        }
        if (i === start) i++;
      }
      this.next = { kind: patterns ? 'argument' : kind, command };
    }
    return i;
  }

  #endsAt(at: number): boolean {
    return at >= this.#text.length || /[\s;&|()<>]/.test(this.#text[at] ?? '');
  }

  #blanks(at: number): number {
    let i = at;
    while (this.#text[i] === ' ' || this.#text[i] === '\t') i++;
    return i;
  }

  #piece(kind: PieceKind, start: number, end: number, word: number): void {
    if (end > start) this.pieces.push({ kind, start, end, word });
  }

  /** One word; its quoted and expanded parts are pieces of their own. */
  #word(at: number, kind: Word['kind'], command: string, depth: number): number {
    const text = this.#text;
    const place = this.words.length;
    let plainFrom = at;
    const cut = (to: number): void => this.#piece(kind, plainFrom, to, at);
    let i = at;
    while (i < text.length) {
      const c = text[i] as string;
      if (/[\s;&|()]/.test(c) || ((c === '<' || c === '>') && text[i + 1] !== '(')) break;
      if (c === '\\') i += 2;
      else if (c === "'" || c === '"' || c === '`') {
        cut(i);
        i = c === "'" ? this.#single(i, at) : c === '"' ? this.#double(i, at, depth) : this.#backquoted(i, at);
        plainFrom = i;
      } else if (c === '$' || c === '<' || c === '>') {
        cut(i);
        const end = this.#expansion(i, at, depth);
        i = end === i ? i + 1 : end;
        plainFrom = end === i - 1 ? i - 1 : i;
      } else i++;
    }
    i = Math.min(i, text.length);
    cut(i);
    if (i > at) this.words.splice(place, 0, { kind, start: at, end: i, command });
    return i;
  }

  #single(at: number, word: number): number {
    const close = this.#text.indexOf("'", at + 1);
    const end = close < 0 ? this.#text.length : close + 1;
    this.#piece('string', at, end, word);
    return end;
  }

  #double(at: number, word: number, depth: number): number {
    const text = this.#text;
    let from = at;
    let i = at + 1;
    while (i < text.length && text[i] !== '"') {
      if (text[i] === '\\') i += 2;
      else if (text[i] === '$' || text[i] === '`') {
        this.#piece('string', from, i, word);
        const end = text[i] === '$' ? this.#expansion(i, word, depth) : this.#backquoted(i, word);
        from = end;
        i = end === i ? i + 1 : end;
      } else i++;
    }
    i = Math.min(i + 1, text.length);
    this.#piece('string', from, i, word);
    return i;
  }

  #backquoted(at: number, word: number): number {
    const text = this.#text;
    let i = at + 1;
    while (i < text.length && text[i] !== '`') i += text[i] === '\\' ? 2 : 1;
    const end = Math.min(i + 1, text.length);
    this.#piece('expansion', at, end, word);
    return end;
  }

  /** `$name`, `${...}`, `$(...)`, `$((...))`, `$'...'`, `<(...)`; answers `at` where it is none. */
  #expansion(at: number, word: number, depth: number): number {
    const text = this.#text;
    const c = text[at + 1];
    if (c === "'" && text[at] === '$') {
      let i = at + 2;
      while (i < text.length && text[i] !== "'") i += text[i] === '\\' ? 2 : 1;
      const end = Math.min(i + 1, text.length);
      this.#piece('string', at, end, word);
      return end;
    }
    if (c === '(' && depth < MAX_DEPTH) {
      if (text[at + 2] === '(') {
        const end = balanced(text, at + 1, '(', ')');
        this.#piece('expansion', at, end, word);
        return end;
      }
      this.#piece('expansion', at, at + 2, word);
      const end = this.commands(at + 2, ')', depth + 1);
      if (text[end - 1] === ')' && end > at + 2) this.#piece('expansion', end - 1, end, word);
      return end;
    }
    if (c === '{') {
      const end = balanced(text, at + 1, '{', '}');
      this.#piece('expansion', at, end, word);
      return end;
    }
    const name = /^\$(?:\w+|[@*#?$!-])/.exec(text.slice(at, at + 256))?.[0] ?? '';
    this.#piece('expansion', at, at + name.length, word);
    return at + name.length;
  }
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** Behind the bracket that closes the one at `at`; quotes hide brackets. */
function balanced(text: string, at: number, open: string, close: string): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    const c = text[i];
    if (c === '\\') i++;
    else if (c === "'" || c === '"') {
      const end = text.indexOf(c, i + 1);
      if (end < 0) return text.length;
      i = end;
    } else if (c === open) depth++;
    else if (c === close && --depth === 0) return i + 1;
  }
  return text.length;
}
