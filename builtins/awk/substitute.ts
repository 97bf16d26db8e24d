/** `sub` and `gsub`. */
import type { Regex } from '../../src/text/regex/index.js';
import { characterLength } from './characters.js';

/** Texts with the match between each two: `&` is the match, `\&` an ampersand, `\\` a backslash (POSIX). */
export function parseReplacement(text: string): readonly string[] {
  const parts: string[] = [];
  let part = '';
  for (let i = 0; i < text.length; i++) {
    const unit = text[i] as string;
    const next = text[i + 1];
    if (unit === '\\' && (next === '&' || next === '\\')) {
      part += next;
      i++;
    } else if (unit === '&') {
      parts.push(part);
      part = '';
    } else part += unit;
  }
  parts.push(part);
  return parts;
}

export interface Substituted {
  readonly text: string;
  readonly count: number;
}

/** `check` is told how long the result has become. */
export function substitute(
  regex: Regex,
  replacement: readonly string[],
  text: string,
  all: boolean,
  check: (length: number) => void,
): Substituted {
  let out = '';
  let count = 0;
  let copied = 0;
  let afterMatch = -1;
  for (let from = 0; from <= text.length; ) {
    const match = regex.exec(text, from, true);
    if (match === null) break;
    const [start = 0, end = 0] = match;
    if (start !== end || start !== afterMatch) {
      out += text.slice(copied, start) + replacement.join(text.slice(start, end));
      check(out.length);
      copied = end;
      count++;
      if (!all) break;
    }
    afterMatch = end;
    if (end > start) from = end;
    else if (end < text.length) from = end + characterLength(text, end);
    else break;
  }
  return count === 0 ? { text, count } : { text: out + text.slice(copied), count };
}
