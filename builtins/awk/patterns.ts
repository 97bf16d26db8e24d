/** Regular expressions as awk writes them: EREs with the escapes of strings, in brackets too. */

import type { Look } from '../../src/steps.js';
import { fromByteString } from '../../src/text/bytes.js';
import { compileRegex, type Regex, RegexError } from '../../src/text/regex/index.js';
import { AwkError } from './tree.js';

const LETTERS: ReadonlyMap<string, string> = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
]);

/** One escape: `at` is the index after the backslash. Undefined when it is none of awk's. */
export function readEscape(text: string, at: number): { readonly text: string; readonly end: number } | undefined {
  const letter = text[at];
  if (letter === undefined) return undefined;
  const plain = LETTERS.get(letter);
  if (plain !== undefined) return { text: plain, end: at + 1 };
  if (letter < '0' || letter > '7') return undefined;
  let end = at;
  let code = 0;
  for (; end < at + 3; end++) {
    const digit = text.charCodeAt(end) - 0x30;
    if (!(digit >= 0 && digit <= 7)) break;
    code = code * 8 + digit;
  }
  return { text: String.fromCharCode(code & 0xff), end };
}

const SPECIAL = '\\^$.[]()|*+?{}';
/** What GNU's regular expressions have and awk's have too; `\y` is their `\b`. */
const GNU = "wWsS<>`'B";

/** The same expression in the words of the engine. A byte string in, a shell string out. */
function translate(source: string): string {
  let out = '';
  /** At the start of an expression, where `*` is itself. */
  let start = true;
  for (let i = 0; i < source.length; ) {
    const unit = source[i] as string;
    if (unit === '\\') {
      const [text, end] = translateEscape(source, i + 1);
      out += text;
      i = end;
    } else if (unit === '[') {
      const [text, end] = translateBracket(source, i);
      out += text;
      i = end;
    } else {
      out += start && '*+?{'.includes(unit) ? `\\${unit}` : unit;
      i++;
      if (unit === '(' || unit === '|' || (unit === '^' && start)) {
        start = true;
        continue;
      }
    }
    start = false;
  }
  return fromByteString(out);
}

function translateEscape(source: string, at: number): [string, number] {
  const known = readEscape(source, at);
  if (known !== undefined) return [quoted(known.text), known.end];
  const letter = source[at];
  if (letter === undefined) return ['\\\\', at];
  if (letter === 'y') return ['\\b', at + 1];
  return [GNU.includes(letter) ? `\\${letter}` : quoted(letter), at + 1];
}

function quoted(text: string): string {
  return SPECIAL.includes(text) ? `\\${text}` : text;
}

/** From `[` on. A backslash in brackets is an escape to awk, and itself to everybody else. */
function translateBracket(source: string, open: number): [string, number] {
  let out = '[';
  let i = open + 1;
  if (source[i] === '^') {
    out += '^';
    i++;
  }
  for (let first = true; i < source.length; first = false) {
    const unit = source[i] as string;
    if (unit === ']' && !first) return [`${out}]`, i + 1];
    if (unit === '[' && ':.='.includes(source[i + 1] ?? ' ')) {
      const close = source.indexOf(`${source[i + 1]}]`, i + 2);
      if (close > 0) {
        out += source.slice(i, close + 2);
        i = close + 2;
        continue;
      }
    }
    if (unit !== '\\') {
      out += unit;
      i++;
      continue;
    }
    const known = readEscape(source, i + 1);
    const member = known?.text ?? source[i + 1] ?? '\\';
    out += '\\]^-['.includes(member) ? `[.${member}.]` : member;
    i = known?.end ?? i + 2;
  }
  return [out, i];
}

/** Throws AwkError when it is no regular expression. */
export function compilePattern(source: string): Regex {
  const regex = compileRegex(translate(source), { syntax: 'extended', dialect: 'grep' });
  if (!(regex instanceof RegexError)) return regex;
  throw new AwkError(`invalid regexp: ${regex.message}: /${fromByteString(source)}/`);
}

const REMEMBERED = 200;

/** Patterns that are strings: the last ones are kept. */
export class PatternCache {
  private readonly known = new Map<string, Regex>();
  private readonly look: Look;

  constructor(look: Look) {
    this.look = look;
  }

  /** One that stands in the program: the program knows of no run. */
  own(regex: Regex): Regex {
    return regex.under(this.look);
  }

  get(source: string): Regex {
    let regex = this.known.get(source);
    if (regex === undefined) {
      regex = compilePattern(source).under(this.look);
      if (this.known.size >= REMEMBERED) this.known.clear();
      this.known.set(source, regex);
    }
    return regex;
  }
}
