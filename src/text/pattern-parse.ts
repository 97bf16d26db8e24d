/** Reads pattern matching notation (POSIX 2.14.1) into what is matched: stars, and between them runs of single characters. */
import { CharacterSet } from './charset.js';
import { isCharacterClass } from './classes.js';
import { worked } from './work.js';

/** What matches one character: that one (its code point), any, or one of a set. */
export type Single = number | 'any' | CharacterSet;

/**
 * A pattern is runs separated by `*`: `a*b` is two runs, `*` two empty ones. Each character of a run takes exactly one code point
 * (an invalid byte counts as one).
 */
export type Run = readonly Single[];

export function accepts(single: Single, c: number): boolean {
  return typeof single === 'number' ? single === c : single === 'any' || single.has(c);
}

const STAR = 0x2a;
const QUESTION = 0x3f;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const BACKSLASH = 0x5c;
const DASH = 0x2d;

export function parsePattern(text: string): Run[] {
  const runs: Single[][] = [];
  let run: Single[] = [];
  const lastClose = text.lastIndexOf(']');
  for (let i = 0; i < text.length; ) {
    worked(1);
    const c = codePoint(text, i);
    if (c === STAR) {
      // Stars side by side are one, or the empty run between them would be searched for.
      if (run.length > 0 || runs.length === 0) runs.push(run);
      run = [];
      i++;
    } else if (c === QUESTION) {
      run.push('any');
      i++;
    } else if (c === BACKSLASH && i + 1 < text.length) {
      const quoted = codePoint(text, i + 1);
      run.push(quoted);
      i += 1 + width(quoted);
    } else {
      // Without a `]` to come it need not be tried: many unclosed `[` stay linear.
      const bracket = c === OPEN && i < lastClose ? parseBracket(text, i) : undefined;
      run.push(bracket === undefined ? c : bracket.set);
      i = bracket === undefined ? i + width(c) : bracket.end;
    }
  }
  runs.push(run);
  return runs;
}

function codePoint(text: string, i: number): number {
  return text.codePointAt(i) ?? 0;
}

function width(c: number): number {
  return c > 0xffff ? 2 : 1;
}

/** Undefined when the bracket is never closed: then `[` is itself. A backslash quotes inside, too (POSIX 2.14.1 since 2024). */
export function parseBracket(text: string, open: number): { set: CharacterSet; end: number } | undefined {
  const set = new CharacterSet();
  let i = open + 1;
  if (text[i] === '!' || text[i] === '^') {
    set.negated = true;
    i++;
  }
  for (let first = true; ; first = false) {
    if (i >= text.length) return undefined;
    if (text.charCodeAt(i) === CLOSE && !first) return { set, end: i + 1 };
    const item = bracketItem(text, i);
    i = item.end;
    if (item.low === undefined) {
      if (isCharacterClass(item.name)) set.addClass(item.name);
      continue;
    }
    let high = item.low;
    if (text.charCodeAt(i) === DASH && i + 1 < text.length && text.charCodeAt(i + 1) !== CLOSE) {
      const upper = bracketItem(text, i + 1);
      if (upper.low !== undefined) {
        high = upper.low;
        i = upper.end;
      }
    }
    addRange(set, item.low, high);
  }
}

/** Invalid bytes (U+DC80 to U+DCFF) stand outside the order of characters: a range of characters does not run across them. */
function addRange(set: CharacterSet, low: number, high: number): void {
  const across = low < 0xdc00 && high > 0xdfff;
  if (across) set.addRange(low, 0xdbff).addRange(0xe000, high);
  else set.addRange(low, high);
}

type BracketItem =
  | { readonly low: number; readonly end: number }
  /** `[:name:]`: a name that is no class matches nothing. */
  | { readonly low: undefined; readonly name: string; readonly end: number };

function bracketItem(text: string, i: number): BracketItem {
  const c = codePoint(text, i);
  if (c === OPEN) {
    const special = bracketSpecial(text, i);
    if (special !== undefined) return special;
  }
  if (c === BACKSLASH && i + 1 < text.length) {
    const quoted = codePoint(text, i + 1);
    return { low: quoted, end: i + 1 + width(quoted) };
  }
  return { low: c, end: i + width(c) };
}

/** `[:class:]`, `[=x=]` and `[.x.]` at `i`. In C.UTF-8 each character is its own equivalence class and collating element. */
function bracketSpecial(text: string, i: number): BracketItem | undefined {
  const kind = text[i + 1];
  if (kind !== ':' && kind !== '=' && kind !== '.') return undefined;
  const end = text.indexOf(`${kind}]`, i + 2);
  if (end < 0) return undefined;
  const name = text.slice(i + 2, end);
  if (kind === ':') return /^[a-z]+$/.test(name) ? { low: undefined, name, end: end + 2 } : undefined;
  const c = name.codePointAt(0);
  if (c === undefined || width(c) !== name.length) return undefined;
  return { low: c, end: end + 2 };
}
