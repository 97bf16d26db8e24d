/** `${x/p/r}` `${x//p/r}` `${x/#p/r}` `${x/%p/r}` (bash): each match, as long as can be, is replaced. */
import { firstIndexOf } from '../text/index-of.js';
import { compilePattern } from '../text/pattern.js';
import { LongText, mapParts } from '../text/work.js';

/** UTF-16 units: a longer text is not changed in one go. */
const AT_ONCE = 1 << 16;

/** What stands in place of a match. */
export type Replacement = (match: string) => string;

/** Quoted text in a replacement is itself: see `replacementOf`. */
export function escapeReplacement(text: string): string {
  return /[\\&]/.test(text) ? text.replace(/[\\&]/g, '\\$&') : text;
}

/** The replacement that a text describes: `&` is the match, `\&` and `\\` the characters; any other backslash stays. */
export function replacementOf(text: string): Replacement {
  if (!/[\\&]/.test(text)) return () => text;
  const pieces: string[] = [''];
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string;
    const next = text[i + 1];
    if (character === '&') pieces.push('');
    else if (character === '\\' && (next === '&' || next === '\\')) {
      pieces[pieces.length - 1] += next;
      i += 1;
    } else pieces[pieces.length - 1] += character;
  }
  return (match) => pieces.join(match);
}

export function replaceMatches(
  text: string,
  pattern: string,
  replacement: Replacement,
  how: { readonly all: boolean; readonly anchor: 'start' | 'end' | undefined },
  options: { readonly ignoreCase: boolean; readonly nesting: number },
): string {
  const { ignoreCase, nesting } = options;
  // An empty pattern matches only where it is anchored.
  if (pattern === '') {
    if (how.anchor === undefined) return text;
    return how.anchor === 'start' ? replacement('') + text : text + replacement('');
  }
  const compiled = compilePattern(ignoreCase ? foldCase(pattern) : pattern, nesting);
  // What is matched may be folded; what stays is the text as it was.
  const looked = ignoreCase ? foldCase(text) : text;
  if (how.anchor === 'start') {
    const end = compiled.longestPrefix(looked);
    return end < 0 ? text : replacement(text.slice(0, end)) + text.slice(end);
  }
  if (how.anchor === 'end') {
    const start = compiled.longestSuffix(looked);
    return start < 0 ? text : text.slice(0, start) + replacement(text.slice(start));
  }
  if (compiled.literal !== undefined && !ignoreCase) {
    const instead = replacement(compiled.literal);
    if (how.all) {
      return text.length <= AT_ONCE
        ? text.replaceAll(compiled.literal, () => instead)
        : replaceLiteral(text, compiled.literal, instead);
    }
    const at = text.indexOf(compiled.literal);
    return at < 0 ? text : text.slice(0, at) + instead + text.slice(at + compiled.literal.length);
  }
  const out = new LongText();
  let from = 0;
  for (const { start, end } of compiled.matchesIn(looked, how.all)) {
    out.add(text.slice(from, start) + replacement(text.slice(start, end)));
    from = end;
  }
  return out.text(text.slice(from));
}

function replaceLiteral(text: string, literal: string, instead: string): string {
  const out = new LongText();
  let from = 0;
  for (let at = firstIndexOf(text, literal, 0); at >= 0; at = firstIndexOf(text, literal, from)) {
    out.add(text.slice(from, at) + instead);
    from = at + literal.length;
  }
  return out.text(text.slice(from));
}

/** Lower case where that is as long: places in the folded text are places in the text. */
function foldCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return mapParts(text, (part) => {
    let out = '';
    for (const character of part) {
      const folded = character.toLowerCase();
      out += folded.length === character.length ? folded : character;
    }
    return out;
  });
}
