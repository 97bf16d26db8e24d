/** Reads extended patterns (bash, ksh): `?(a|b)` `*(a|b)` `+(a|b)` `@(a|b)` `!(a|b)` among the rest of the notation. */
import { limitReached } from '../limits.js';
import { parseBracket, type Single } from './pattern-parse.js';

/** A list of alternatives, and how many of them stand there in a row: `!` is anything but one of them. */
export interface Group {
  readonly operator: '?' | '*' | '+' | '@' | '!';
  readonly alternatives: readonly Items[];
}

/** What stands in a row; `star` is `*`. */
export type Items = readonly (Single | 'star' | Group)[];

const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const OPEN = 0x28;
const CLOSE = 0x29;
const BAR = 0x7c;
const STAR = 0x2a;
const QUESTION = 0x3f;

/** `?` `*` `+` `@` `!`, before a parenthesis. */
export function opensGroup(text: string, i: number): boolean {
  if (text.charCodeAt(i + 1) !== OPEN) return false;
  const operator = text.charCodeAt(i);
  return operator === STAR || operator === QUESTION || operator === 0x2b || operator === 0x40 || operator === 0x21;
}

/** Undefined when there is no group in it: then it is a pattern like any other. Groups deeper than `nesting` meet a limit. */
export function parseExtended(text: string, nesting: number): Items | undefined {
  const closers = findClosers(text);
  return closers.size === 0 ? undefined : new Parser(text, closers, nesting).items(text.length, 0);
}

/** Where each group closes, by the place of its operator. One that never closes is none, and its characters are themselves. */
function findClosers(text: string): ReadonlyMap<number, number> {
  const closers = new Map<number, number>();
  const open: number[] = [];
  const lastClose = text.lastIndexOf(']');
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === BACKSLASH) i++;
    else if (unit === OPEN_BRACKET && i < lastClose) i = (parseBracket(text, i)?.end ?? i + 1) - 1;
    else if (opensGroup(text, i)) open.push(i++);
    else if (unit === OPEN) open.push(-1);
    else if (unit === CLOSE) {
      const opened = open.pop() ?? -1;
      if (opened >= 0) closers.set(opened, i);
    }
  }
  return closers;
}

class Parser {
  readonly #text: string;
  readonly #closers: ReadonlyMap<number, number>;
  readonly #lastClose: number;
  readonly #nesting: number;
  #at = 0;

  constructor(text: string, closers: ReadonlyMap<number, number>, nesting: number) {
    this.#text = text;
    this.#nesting = nesting;
    this.#closers = closers;
    this.#lastClose = text.lastIndexOf(']');
  }

  /** Up to `end`, and inside a group up to the next of its alternatives. */
  items(end: number, depth: number): Items {
    const text = this.#text;
    const items: (Single | 'star' | Group)[] = [];
    // parentheses that are themselves: in them a bar is, too
    let plain = 0;
    while (this.#at < end) {
      const unit = text.charCodeAt(this.#at);
      const close = this.#closers.get(this.#at);
      if (close !== undefined) {
        items.push(this.#group(close, depth + 1));
        continue;
      }
      if (unit === BAR && depth > 0 && plain === 0) break;
      if (unit === OPEN) plain++;
      else if (unit === CLOSE) plain--;
      items.push(this.#single(unit));
    }
    return items;
  }

  #group(close: number, depth: number): Group {
    if (depth > this.#nesting) throw limitReached('maxNesting', this.#nesting);
    const operator = this.#text.charAt(this.#at) as Group['operator'];
    const alternatives: Items[] = [];
    this.#at += 1;
    while (this.#at < close) {
      // over the parenthesis, or the bar
      this.#at += 1;
      alternatives.push(this.items(close, depth));
    }
    this.#at = close + 1;
    return { operator, alternatives };
  }

  #single(unit: number): Single | 'star' {
    const text = this.#text;
    if (unit === STAR || unit === QUESTION) {
      this.#at++;
      return unit === STAR ? 'star' : 'any';
    }
    const bracket = unit === OPEN_BRACKET && this.#at < this.#lastClose ? parseBracket(text, this.#at) : undefined;
    if (bracket !== undefined) {
      this.#at = bracket.end;
      return bracket.set;
    }
    if (unit === BACKSLASH && this.#at + 1 < text.length) this.#at++;
    const c = text.codePointAt(this.#at) ?? 0;
    this.#at += c > 0xffff ? 2 : 1;
    return c;
  }
}
