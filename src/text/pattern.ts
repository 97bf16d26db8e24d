/**
 * Pattern matching notation (POSIX 2.14.1) for `case`, `${x#p}` and, component by component, pathname expansion: no character is
 * special to a match, not `/` and not a leading dot.
 *
 * No pattern takes more than pattern times text: between stars each run of characters is found at its first (or last) place, and
 * what was found is never given back.
 */
import { opensGroup, parseExtended } from './extended-parse.js';
import { ExtendedPattern } from './extended-pattern.js';
import { firstIndexOf, lastIndexOf } from './index-of.js';
import { accepts, parsePattern, type Run, type Single } from './pattern-parse.js';
import { LongText, worked } from './work.js';

export interface Pattern {
  /** The text, when the pattern can match only that one. */
  readonly literal: string | undefined;
  /** The whole of `text`. */
  matches(text: string): boolean;
  /** The end of the shortest, or longest, part at the start that matches: a UTF-16 index, or -1. `${x#p}` and `${x##p}`. */
  shortestPrefix(text: string): number;
  longestPrefix(text: string): number;
  /** The start of the shortest, or longest, part at the end that matches, or -1. `${x%p}` and `${x%%p}`. */
  shortestSuffix(text: string): number;
  longestSuffix(text: string): number;
  /** Where it matches inside `text`, each match as long as can be: the first, or all that do not overlap. `${x/p/r}`. */
  matchesIn(text: string, all: boolean): { readonly start: number; readonly end: number }[];
  /** For a name that begins with a dot: the whole of it, and the dot is one that the pattern names. Only of extended patterns. */
  matchesHidden?(name: string): boolean;
}

const CACHE_SIZE = 256;
/** Patterns longer than this are not worth the memory of keeping them. */
const CACHED_LENGTH = 1024;
const cache = new Map<string, Pattern>();

/**
 * The pattern that `text` denotes. A backslash makes the next character itself; see `escapePattern` for quoted text. `nesting`:
 * how deep `@(a|b)` and its like may stand in each other; with 0 there are none. What is deeper is the limit `maxNesting`.
 */
export function compilePattern(text: string, nesting = 0): Pattern {
  const mayHaveGroups = nesting > 0 && text.includes('(');
  const key = mayHaveGroups ? `\0${nesting}\0${text}` : text;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const items = mayHaveGroups ? parseExtended(text, nesting) : undefined;
  const pattern =
    items === undefined
      ? new RunPattern(standsForItself(text) ? text : parsePattern(text))
      : new ExtendedPattern(items);
  if (text.length <= CACHED_LENGTH) {
    // The oldest goes: a loop over more patterns than fit gains nothing from any choice.
    if (cache.size >= CACHE_SIZE) for (const oldest of cache.keys()) if (cache.delete(oldest)) break;
    cache.set(key, pattern);
  }
  return pattern;
}

const SPECIAL = /[*?[\]\\!^@+(|)-]/;

/** Text as a pattern that matches only itself: what the caller does to quoted parts of a word. */
export function escapePattern(text: string): string {
  // Most text has nothing to escape, and a search costs a tenth of a replacement.
  return SPECIAL.test(text) ? text.replace(/[*?[\]\\!^@+(|)-]/g, '\\$&') : text;
}

/**
 * Whether `text` (quoted characters escaped) has an active `*`, `?` or `[`, or what opens an extended pattern: whether pathname
 * expansion must look at a directory.
 */
export function hasPatternCharacters(text: string, extended = false): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x2a || unit === 0x3f || unit === 0x5b || (extended && opensGroup(text, i))) return true;
    if (unit === 0x5c) i++;
  }
  return false;
}

/** Text without its escaping backslashes: what a pattern stands for when nothing matched it. */
export function unescapePattern(text: string): string {
  return text.includes('\\') ? text.replace(/\\(.)/gs, '$1') : text;
}

/** A run between stars, ready to be looked for. */
interface Piece {
  readonly singles: Run;
  /** Its text when it is only ordinary characters: found by indexOf. */
  readonly literal: string | undefined;
}

class RunPattern implements Pattern {
  readonly literal: string | undefined;
  private readonly pieces: readonly Piece[];
  private readonly first: Piece;
  private readonly last: Piece;

  /** A text is one that stands for itself alone. */
  constructor(runs: readonly Run[] | string) {
    this.pieces = typeof runs === 'string' ? [{ singles: [], literal: runs }] : runs.map(pieceOf);
    this.first = this.pieces[0] as Piece; // a pattern has at least one run
    this.last = this.pieces[this.pieces.length - 1] as Piece;
    this.literal = this.pieces.length === 1 ? this.first.literal : undefined;
  }

  matches(text: string): boolean {
    if (this.literal !== undefined) return this.literal === text;
    const start = endAt(this.first, text, 0);
    if (start < 0) return false;
    if (this.pieces.length === 1) return start === text.length;
    const end = startAt(this.last, text, text.length);
    if (end < start) return false;
    const middle = this.middleForward(text, start, end);
    return middle >= 0 && middle <= end;
  }

  shortestPrefix(text: string): number {
    const at = this.forwardToLast(text);
    if (at < 0 || this.pieces.length === 1) return at;
    const found = findFirst(this.last, text, at, text.length);
    return found < 0 ? -1 : endAt(this.last, text, found);
  }

  longestPrefix(text: string): number {
    const at = this.forwardToLast(text);
    if (at < 0 || this.pieces.length === 1) return at;
    return findLast(this.last, text, at, text.length);
  }

  shortestSuffix(text: string): number {
    const at = this.backwardToFirst(text);
    if (at < 0 || this.pieces.length === 1) return at;
    const found = findLast(this.first, text, 0, at);
    return found < 0 ? -1 : startAt(this.first, text, found);
  }

  longestSuffix(text: string): number {
    const at = this.backwardToFirst(text);
    if (at < 0 || this.pieces.length === 1) return at;
    return findFirst(this.first, text, 0, at);
  }

  matchesIn(text: string, all: boolean): { readonly start: number; readonly end: number }[] {
    const found: { start: number; end: number }[] = [];
    let at = 0;
    do {
      const start = findFirst(this.first, text, at, text.length);
      if (start < 0) break;
      let end = endAt(this.first, text, start);
      if (this.pieces.length > 1) {
        // What is missing after the first place of a run is missing after every later one.
        const middle = this.middleForward(text, end, text.length);
        end = middle < 0 ? -1 : findLast(this.last, text, middle, text.length);
        if (end < 0) break;
      }
      // Nothing is no match, unless there is nothing else.
      if (end > start || text === '') found.push({ start, end });
      at = end > start ? end : start + 1;
    } while (all && at < text.length);
    return found;
  }

  /** Where the last run may begin at the earliest; for a pattern without stars, where it ends. */
  private forwardToLast(text: string): number {
    const start = endAt(this.first, text, 0);
    return start < 0 || this.pieces.length === 1 ? start : this.middleForward(text, start, text.length);
  }

  /** Where the first run must end at the latest; for a pattern without stars, where it starts. */
  private backwardToFirst(text: string): number {
    let at = startAt(this.last, text, text.length);
    for (let i = this.pieces.length - 2; i > 0 && at >= 0; i--) {
      const piece = this.pieces[i] as Piece;
      const end = findLast(piece, text, 0, at);
      at = end < 0 ? -1 : startAt(piece, text, end);
    }
    return at;
  }

  /** The end of the runs between the first and the last, each at its first place from `start` on; -1 when one is missing. */
  private middleForward(text: string, start: number, end: number): number {
    let at = start;
    for (let i = 1; i < this.pieces.length - 1; i++) {
      const piece = this.pieces[i] as Piece;
      const found = findFirst(piece, text, at, end);
      if (found < 0) return -1;
      at = endAt(piece, text, found);
    }
    return at;
  }
}

/** Whether nothing in a pattern means anything but itself; see `literalOf` for the surrogates. */
function standsForItself(text: string): boolean {
  return !/[*?[\\\ud800-\udfff]/.test(text);
}

function pieceOf(singles: Run): Piece {
  return { singles, literal: literalOf(singles) };
}

/** Lone surrogates are left out: as text they might be found inside a pair. */
function literalOf(singles: Run): string | undefined {
  const text = new LongText();
  for (const single of singles) {
    if (typeof single !== 'number' || (single & ~0x7ff) === 0xd800) return undefined;
    text.add(String.fromCodePoint(single));
  }
  return text.text();
}

/** The end of the run when it stands at `start`, or -1. */
function endAt(piece: Piece, text: string, start: number): number {
  if (piece.literal !== undefined) return text.startsWith(piece.literal, start) ? start + piece.literal.length : -1;
  let i = start;
  for (const single of piece.singles) {
    const c = text.codePointAt(i);
    if (c === undefined || !accepts(single, c)) return -1;
    i += c > 0xffff ? 2 : 1;
  }
  return i;
}

/** The start of the run when it ends at `end`, or -1. */
function startAt(piece: Piece, text: string, end: number): number {
  if (piece.literal !== undefined) return text.endsWith(piece.literal, end) ? end - piece.literal.length : -1;
  let i = end;
  for (let n = piece.singles.length - 1; n >= 0; n--) {
    if (i === 0) return -1;
    i = before(text, i);
    if (!accepts(piece.singles[n] as Single, text.codePointAt(i) as number)) return -1;
  }
  return i;
}

/** The index of the character that ends at `i`. */
function before(text: string, i: number): number {
  return i > 1 && (text.charCodeAt(i - 1) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 2) & 0xfc00) === 0xd800
    ? i - 2
    : i - 1;
}

/** The first start of the run within `[from, to]`, or -1. */
function findFirst(piece: Piece, text: string, from: number, to: number): number {
  if (piece.literal !== undefined) {
    const found = firstIndexOf(text, piece.literal, from);
    return found < 0 || found + piece.literal.length > to ? -1 : found;
  }
  for (let i = from; i + piece.singles.length <= to; ) {
    worked(piece.singles.length);
    const end = endAt(piece, text, i);
    if (end >= 0) return end <= to ? i : -1;
    i += (text.codePointAt(i) as number) > 0xffff ? 2 : 1;
  }
  return -1;
}

/** The last end of the run within `[from, to]`, or -1. */
function findLast(piece: Piece, text: string, from: number, to: number): number {
  if (piece.literal !== undefined) {
    const start = to - piece.literal.length;
    const found = start < from ? -1 : lastIndexOf(text, piece.literal, start);
    return found < from ? -1 : found + piece.literal.length;
  }
  for (let i = to; i - piece.singles.length >= from; i = before(text, i)) {
    worked(piece.singles.length);
    const start = startAt(piece, text, i);
    if (start >= 0) return start >= from ? i : -1;
  }
  return -1;
}
