/** Brace expansion (bash): which braces of a word make several words of it. */
import type { BraceSequence, Literal, Word, WordPart } from './ast.js';
import type { WordReader } from './words.js';

/** The word just read by `reader`, with its lists and sequences as parts. */
export function expandBraces(reader: WordReader, word: Word): Word {
  if (!reader.sawBrace || !reader.options.modes.braces) return word;
  const braces = new Braces(reader, word);
  const parts = braces.expanded();
  return parts === undefined ? word : { ...word, parts, literal: undefined };
}

/** A place in the word: in front of a character of a Literal, or of another part. */
interface Place {
  readonly part: number;
  readonly offset: number;
}

/** A brace, a comma, or the `..` of a sequence, in unquoted text. */
interface Mark extends Place {
  readonly sign: '{' | '}' | ',' | '..';
}

/** The text between two braces on one level; the word itself is one too, cut at each brace that closes nothing. */
interface Level {
  /** The mark that ends it, and the level that goes on after it. */
  closer: number;
  outer: Level | undefined;
  /** The last mark in it that makes a list or a sequence; -1: none. */
  lastSeparator: number;
}

/**
 * bash takes a `{` together with the first `}` on its level that a comma or `..` comes before, and passes over braces for which
 * there is none: `{a},b}` is `a}` and `b`, and in `{a{b,c}` the first brace is itself. Levels are found in one pass, and
 * what is found out about a place is remembered, so that a word of braces costs no more than its length.
 */
class Braces {
  readonly #reader: WordReader;
  readonly #word: Word;
  readonly #marks: Mark[] = [];
  /** For each opening brace the level that it opens. */
  readonly #levels = new Map<number, Level>();
  /** For each closing mark of a level: the mark that would close a brace which this one does not close. */
  readonly #known = new Map<number, number>();

  constructor(reader: WordReader, word: Word) {
    this.#reader = reader;
    this.#word = word;
    word.parts.forEach((part, index) => {
      if (part.kind === 'Literal') this.#collect(part.text, index);
    });
    this.#link();
  }

  /** The parts, or undefined when nothing is expanded. */
  expanded(): WordPart[] | undefined {
    const { parts } = this.#word;
    const result = this.#build(0, this.#marks.length, { part: 0, offset: 0 }, { part: parts.length, offset: 0 });
    return result.some((part) => part.kind === 'BraceList' || part.kind === 'BraceSequence')
      ? withTildes(result, true)
      : undefined;
  }

  #collect(text: string, part: number): void {
    for (let offset = 0; offset < text.length; offset++) {
      const sign = text.charAt(offset);
      if (sign === '{' || sign === '}' || sign === ',') this.#marks.push({ part, offset, sign });
      else if (sign === '.' && text.charAt(offset + 1) === '.' && text.charAt(offset + 2) !== '}') {
        this.#marks.push({ part, offset, sign: '..' });
      }
    }
  }

  /** Finds out which level each mark belongs to. */
  #link(): void {
    const newLevel = (outer: Level | undefined): Level => ({ closer: -1, outer, lastSeparator: -1 });
    let level = newLevel(undefined);
    const open: Level[] = [];
    this.#marks.forEach(({ sign }, index) => {
      if (sign === '{') {
        open.push(level);
        level = newLevel(undefined);
        this.#levels.set(index, level);
      } else if (sign === '}') {
        level.closer = index;
        level.outer = open.pop() ?? newLevel(undefined);
        level = level.outer;
      } else {
        level.lastSeparator = index;
      }
    });
  }

  /** The mark that closes the brace at mark `open`; -1: none. */
  #closing(open: number): number {
    let level = this.#levels.get(open);
    let after = open;
    let found = -1;
    const passed: number[] = [];
    while (level !== undefined && level.closer >= 0) {
      if (level.lastSeparator > after) {
        found = level.closer;
        break;
      }
      after = level.closer;
      const known = this.#known.get(after);
      if (known !== undefined) {
        found = known;
        break;
      }
      passed.push(after);
      level = level.outer;
    }
    for (const mark of passed) this.#known.set(mark, found);
    return found;
  }

  /** The parts between two places, where the marks from `first` up to `last` are. */
  #build(first: number, last: number, from: Place, to: Place): WordPart[] {
    const result: WordPart[] = [];
    let start = from;
    // what follows a brace is looked at as a text of its own
    let rest = from;
    for (let index = first; index < last; index++) {
      // `index` is below the number of marks, so there is one
      const mark = this.#marks[index]!;
      if (mark.sign !== '{' || this.#isEmptyPair(index, rest)) continue;
      const close = this.#closing(index);
      if (close < 0 || close >= last) continue;
      const part = this.#expansion(index, close);
      if (part !== undefined) {
        this.#slice(result, start, mark);
        result.push(part);
        start = this.#after(close);
      }
      rest = this.#after(close);
      index = close;
    }
    this.#slice(result, start, to);
    return result;
  }

  /** `{}` that starts a text. */
  #isEmptyPair(index: number, from: Place): boolean {
    const mark = this.#marks[index];
    const next = this.#marks[index + 1];
    if (mark?.part !== from.part || mark.offset !== from.offset) return false;
    return next?.sign === '}' && next.part === mark.part && next.offset === mark.offset + 1;
  }

  #expansion(open: number, close: number): WordPart | undefined {
    const reader = this.#reader;
    const start = this.#offset(open);
    const end = this.#offset(close) + 1;
    reader.spend(start);
    if (!this.#hasComma(open, close)) return this.#sequence(open, close, start, end);
    reader.enter(start);
    const items: WordPart[][] = [];
    let depth = 0;
    let first = open + 1;
    for (let index = first; index <= close; index++) {
      const sign = this.#marks[index]?.sign;
      if (index === close || (sign === ',' && depth === 0)) {
        reader.spend(start);
        // both are marks
        items.push(this.#build(first, index, this.#after(first - 1), this.#marks[index]!));
        first = index + 1;
      } else if (sign === '{') {
        depth++;
      } else if (sign === '}' && depth > 0) {
        depth--;
      }
    }
    reader.leave();
    return { kind: 'BraceList', start, end, items };
  }

  #hasComma(open: number, close: number): boolean {
    for (let index = open + 1; index < close; index++) if (this.#marks[index]?.sign === ',') return true;
    return false;
  }

  /** `{from..to}` and `{from..to..step}`, of numbers or of letters; undefined when it is neither. */
  #sequence(open: number, close: number, start: number, end: number): BraceSequence | undefined {
    const from = this.#marks[open];
    const to = this.#marks[close];
    const part = this.#word.parts[from?.part ?? -1];
    if (from === undefined || to?.part !== from.part || part?.kind !== 'Literal') return undefined;
    const sequence = sequenceOf(part.text.slice(from.offset + 1, to.offset));
    return sequence === undefined ? undefined : { kind: 'BraceSequence', start, end, ...sequence };
  }

  /** The place after a mark. */
  #after(index: number): Place {
    // only asked for marks that there are
    const { part, offset } = this.#marks[index]!;
    return { part, offset: offset + 1 };
  }

  /** Where a mark stands in the text of the script. */
  #offset(index: number): number {
    const mark = this.#marks[index];
    const part = this.#word.parts[mark?.part ?? 0];
    if (mark === undefined || part === undefined) return this.#word.start;
    return Math.min(part.start + mark.offset, part.end - 1);
  }

  /** Appends the parts between two places. */
  #slice(result: WordPart[], from: Place, to: Place): void {
    const { parts } = this.#word;
    for (let index = from.part; index <= to.part && index < parts.length; index++) {
      // `index` is below the number of parts, so there is one
      const part = parts[index]!;
      const first = index === from.part ? from.offset : 0;
      if (part.kind !== 'Literal') {
        if (index < to.part) result.push(part);
        continue;
      }
      const last = index === to.part ? to.offset : part.text.length;
      if (first >= last) continue;
      if (last - first === part.text.length) result.push(part);
      else result.push(piece(part, first, last));
    }
  }
}

function piece(part: Literal, first: number, last: number): Literal {
  // line continuations in it make the offsets less than exact
  const start = Math.min(part.start + first, part.end);
  const end = last === part.text.length ? part.end : Math.min(part.start + last, part.end);
  return { kind: 'Literal', start, end, text: part.text.slice(first, last) };
}

const NUMBERS = /^([+-]?\d{1,15})\.\.([+-]?\d{1,15})(?:\.\.([+-]?\d{1,15}))?$/;
const LETTERS = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.([+-]?\d{1,15}))?$/;

function sequenceOf(text: string): Pick<BraceSequence, 'letters' | 'from' | 'to' | 'step' | 'width'> | undefined {
  const numbers = NUMBERS.exec(text);
  const match = numbers ?? LETTERS.exec(text);
  if (match === null) return undefined;
  const [, first = '', last = '', by = '1'] = match;
  const value = (term: string): number => (numbers === null ? term.charCodeAt(0) : Number(term) + 0);
  const from = value(first);
  const to = value(last);
  const size = Math.abs(Number(by)) || 1;
  const filled = numbers !== null && [first, last].some((term) => /^-?0\d/.test(term));
  const width = filled ? Math.max(first.length, last.length) : 0;
  return { letters: numbers === null, from, to, step: from > to ? -size : size, width };
}

/** Items at the start of a word may start with a tilde prefix, as tildes are looked for after braces are expanded. */
function withTildes(parts: readonly WordPart[], endsWord: boolean): WordPart[] {
  const [first, ...rest] = parts;
  if (first?.kind !== 'BraceList') return [...parts];
  const next = rest[0];
  const ends = next === undefined ? endsWord : next.kind === 'Literal' && next.text.startsWith('/');
  const items = first.items.map((item) => {
    const [start, ...others] = item;
    if (start?.kind === 'BraceList') return withTildes(item, ends);
    if (start?.kind !== 'Literal') return item;
    const tilde = /^~([A-Za-z0-9._+-]*)(?=(\/)|$)/.exec(start.text);
    if (tilde === null || (tilde[2] === undefined && !(others.length === 0 && ends))) return item;
    const end = Math.min(start.start + tilde[0].length, start.end);
    const prefix: WordPart = { kind: 'TildePrefix', start: start.start, end, user: tilde[1] ?? '' };
    const text = start.text.slice(tilde[0].length);
    return text === ''
      ? [prefix, ...others]
      : [prefix, { kind: 'Literal' as const, start: end, end: start.end, text }, ...others];
  });
  return [{ ...first, items }, ...rest];
}
