/** Cutting a text into fields (POSIX awk, "Regular Expressions" and FS). */
import type { Regex } from '../../src/text/regex/index.js';
import { characters } from './characters.js';
import type { PatternCache } from './patterns.js';

export type Separator =
  /** Runs of blanks and newlines; those at the ends do not count. */
  | { readonly kind: 'blank' }
  | { readonly kind: 'character'; readonly character: string }
  | { readonly kind: 'regex'; readonly regex: Regex }
  /** Each character is a field. */
  | { readonly kind: 'each' };

export const BLANK: Separator = { kind: 'blank' };

/** What a string means as a separator. */
export function separatorOf(text: string, patterns: PatternCache): Separator {
  if (text === ' ') return BLANK;
  if (text === '') return { kind: 'each' };
  if (text.length === 1 || text === '\\\\') return { kind: 'character', character: text[0] as string };
  return { kind: 'regex', regex: patterns.get(text) };
}

/** The same where a newline, too, separates: records that are paragraphs. */
export function orNewline(text: string, patterns: PatternCache): Separator {
  if (text === ' ' || text === '') return separatorOf(text, patterns);
  const source = text.length === 1 ? (text === '\\' ? '\\\\' : `[${text === '^' ? '\\^' : text}]`) : text;
  return { kind: 'regex', regex: patterns.get(`(${source})|\n`) };
}

/**
 * Appends the fields of text[from..] to `into`, until there are `enough`; answers where to go on, -1 when all were found. With
 * more than `most` it stops: the caller makes an error of that.
 */
export function splitInto(
  text: string,
  from: number,
  separator: Separator,
  into: string[],
  enough: number,
  most: number,
): number {
  switch (separator.kind) {
    case 'blank':
      return splitBlank(text, from, into, Math.min(enough, most + 1));
    case 'character':
      return splitCharacter(text, from, separator.character, into, Math.min(enough, most + 1));
    case 'regex':
      splitRegex(text, separator.regex, into, most);
      return -1;
    case 'each':
      for (const character of characters(text, most + 1 - into.length)) into.push(character);
      return -1;
  }
}

function splitBlank(text: string, from: number, into: string[], enough: number): number {
  const { length } = text;
  let i = from;
  while (into.length < enough) {
    let unit = 0;
    for (; i < length; i++) {
      unit = text.charCodeAt(i);
      if (unit !== 0x20 && unit !== 9 && unit !== 10) break;
    }
    if (i >= length) return -1;
    const start = i;
    for (i++; i < length; i++) {
      unit = text.charCodeAt(i);
      if (unit === 0x20 || unit === 9 || unit === 10) break;
    }
    into.push(text.slice(start, i));
  }
  return i;
}

/** One of the fields that `BLANK` makes, counted from 1; empty when there are fewer. */
export function blankField(text: string, index: number): string {
  const { length } = text;
  let i = 0;
  for (let n = index; ; n--) {
    let unit = 0;
    for (; i < length; i++) {
      unit = text.charCodeAt(i);
      if (unit !== 0x20 && unit !== 9 && unit !== 10) break;
    }
    if (i >= length) return '';
    const start = i;
    for (i++; i < length; i++) {
      unit = text.charCodeAt(i);
      if (unit === 0x20 || unit === 9 || unit === 10) break;
    }
    if (n === 1) return text.slice(start, i);
  }
}

function splitCharacter(text: string, from: number, character: string, into: string[], enough: number): number {
  if (text === '') return -1;
  let start = from;
  while (into.length < enough) {
    const end = text.indexOf(character, start);
    if (end < 0) {
      into.push(text.slice(start));
      return -1;
    }
    into.push(text.slice(start, end));
    start = end + 1;
  }
  return start;
}

function splitRegex(text: string, regex: Regex, into: string[], most: number): void {
  if (text === '') return;
  let start = 0;
  for (let from = 0; from <= text.length && into.length <= most; ) {
    const match = regex.exec(text, from, true);
    if (match === null) break;
    const [begin = 0, end = 0] = match;
    // A match of nothing separates nothing.
    if (begin === end) {
      from = end + 1;
      continue;
    }
    into.push(text.slice(start, begin));
    start = end;
    from = end;
  }
  into.push(text.slice(start));
}
