/**
 * Backslash escapes: in a printf format, in an argument of `%b`, and in `echo -e`. They agree on most letters and differ in
 * octals, in quotes, and in whether `\c` ends the output.
 */
import { decode, encode } from '../../src/text/bytes.js';

export type EscapeDialect = 'format' | 'argument' | 'echo';

export interface Expanded {
  readonly text: string;
  /** A `\c` was met: nothing more may be printed. */
  readonly stop: boolean;
  /** What bash complains about (`missing hex digit for \x`). */
  readonly errors: readonly string[];
}

const LETTERS: ReadonlyMap<string, string> = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['e', '\x1b'],
  ['E', '\x1b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['\\', '\\'],
]);

const NO_ERRORS: readonly string[] = [];

/** A byte as a unit of a shell string. Two of them may be one character: `canonical` puts them together. */
export function byteUnit(byte: number): string {
  return String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte);
}

/** Expands all escapes of `text`. */
export function expandEscapes(text: string, dialect: EscapeDialect): Expanded {
  let next = text.indexOf('\\');
  if (next < 0) return { text, stop: false, errors: NO_ERRORS };
  let out = '';
  let from = 0;
  const errors: string[] = [];
  while (next >= 0) {
    out += text.slice(from, next);
    const read = readEscape(text, next + 1, dialect);
    if (read.error !== undefined) errors.push(read.error);
    if (read.stop) return { text: out, stop: true, errors };
    out += read.text;
    from = read.end;
    next = text.indexOf('\\', from);
  }
  return { text: out + text.slice(from), stop: false, errors };
}

interface Escape {
  readonly text: string;
  /** Index of what follows. */
  readonly end: number;
  readonly stop?: boolean;
  readonly error?: string;
}

/** One escape; `at` is the index after the backslash. What is none stands for itself. */
export function readEscape(text: string, at: number, dialect: EscapeDialect): Escape {
  const letter = text[at] ?? '';
  const plain = LETTERS.get(letter);
  if (plain !== undefined) return { text: plain, end: at + 1 };
  if (letter >= '0' && letter <= '7' && letter.length === 1) return readOctal(text, at, dialect);
  if (letter === 'x') return readHex(text, at, dialect);
  if (letter === 'u' || letter === 'U') return readUnicode(text, at, dialect);
  if (letter === 'c' && dialect !== 'format') return { text: '', end: at + 1, stop: true };
  if (dialect === 'format' && (letter === "'" || letter === '"' || letter === '?'))
    return { text: letter, end: at + 1 };
  return { text: '\\', end: at };
}

/** `\nnn` in a format; `\0nnn`, and `\nnn` too, in an argument; only `\0nnn` for echo. */
function readOctal(text: string, at: number, dialect: EscapeDialect): Escape {
  const zero = text[at] === '0';
  if (dialect === 'echo' && !zero) return { text: '\\', end: at };
  const end = digitsEnd(text, at, zero && dialect !== 'format' ? 4 : 3, 8);
  return { text: byteUnit(Number.parseInt(text.slice(at, end), 8) & 0xff), end };
}

function readHex(text: string, at: number, dialect: EscapeDialect): Escape {
  const end = digitsEnd(text, at + 1, 2, 16);
  if (end === at + 1) return missingDigit('missing hex digit for \\x', at, dialect);
  return { text: byteUnit(Number.parseInt(text.slice(at + 1, end), 16)), end };
}

function readUnicode(text: string, at: number, dialect: EscapeDialect): Escape {
  const letter = text[at] as string; // the caller saw it
  const end = digitsEnd(text, at + 1, letter === 'u' ? 4 : 8, 16);
  if (end === at + 1) return missingDigit(`missing unicode digit for \\${letter}`, at, dialect);
  return { text: codePoint(Number.parseInt(text.slice(at + 1, end), 16)), end };
}

function missingDigit(error: string, at: number, dialect: EscapeDialect): Escape {
  return dialect === 'echo' ? { text: '\\', end: at } : { text: '\\', end: at, error };
}

function digitsEnd(text: string, from: number, most: number, base: number): number {
  let end = from;
  while (end < from + most && isDigit(text.charCodeAt(end), base)) end++;
  return end;
}

function isDigit(unit: number, base: number): boolean {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30 < base;
  return base === 16 && ((unit >= 0x41 && unit <= 0x46) || (unit >= 0x61 && unit <= 0x66));
}

/** A code point, in UTF-8 as it was before RFC 3629: surrogates and numbers above U+10FFFF are bytes too, as bash writes them. */
function codePoint(value: number): string {
  if (value < 0xd800 || (value > 0xdfff && value <= 0x10ffff)) return String.fromCodePoint(value);
  if (value > 0x7fffffff) return '';
  const length = value <= 0xffff ? 3 : value <= 0x1fffff ? 4 : value <= 0x3ffffff ? 5 : 6;
  let out = '';
  for (let i = length - 1, rest = value; i >= 0; i--) {
    const lead = (0xff00 >> length) & 0xff;
    out = byteUnit(i === 0 ? lead | rest : 0x80 | (rest & 0x3f)) + out;
    rest = Math.floor(rest / 64);
  }
  return out;
}

/** The one form of a shell string in which bytes that make a character are that character. */
export function canonical(text: string): string {
  return text.isWellFormed() ? text : decode(encode(text));
}
