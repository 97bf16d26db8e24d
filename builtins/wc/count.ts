/** Lines, words, characters and columns of a stream of bytes. */
import { sequenceLength } from '../../src/text/bytes.js';
import { isPrintableCharacter } from '../../src/text/quote.js';
import { countDelimiters } from '../kit/line-end.js';
import { columnsOf } from '../kit/width.js';

export interface Wanted {
  readonly lines: boolean;
  readonly words: boolean;
  readonly characters: boolean;
  readonly bytes: boolean;
  readonly longest: boolean;
}

/** What a byte means to words. */
const WORD = 0;
const BLANK = 1;
/** Controls: neither part of a word nor between words. */
const IGNORED = 2;
const LEAD = 3;

const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80) return LEAD;
  if (byte === 0x20 || (byte >= 9 && byte <= 13)) return BLANK;
  return byte > 0x20 && byte < 0x7f ? WORD : IGNORED;
});

export class Counter {
  lines = 0;
  words = 0;
  characters = 0;
  bytes = 0;
  longest = 0;
  private inWord = 0;
  private column = 0;
  /** The beginning of a character whose end is in a chunk to come. */
  private rest: Uint8Array = new Uint8Array();
  private readonly wanted: Wanted;

  constructor(wanted: Wanted) {
    this.wanted = wanted;
  }

  take(chunk: Uint8Array): void {
    const { lines, words, characters, longest } = this.wanted;
    this.bytes += chunk.length;
    if (words || characters || longest) this.takeText(chunk);
    else if (lines) this.lines += countDelimiters(chunk, 0, chunk.length, 10);
  }

  end(): void {
    if (this.rest.length > 0) {
      const rest = this.rest;
      this.rest = new Uint8Array();
      this.scan(rest, true);
    }
    this.words += this.inWord;
    this.inWord = 0;
    this.endLine();
  }

  private takeText(chunk: Uint8Array): void {
    let from = chunk;
    if (this.rest.length > 0) {
      from = Buffer.concat([this.rest, chunk]);
      this.rest = new Uint8Array();
    }
    if (this.wanted.longest) this.scan(from, false);
    else this.scanWords(from);
  }

  /** Words and lines: most bytes are ASCII, and this loop is all that is done to them. */
  private scanWords(bytes: Uint8Array): void {
    let inWord = this.inWord;
    let words = 0;
    let lines = 0;
    let other = 0; // bytes that are not a character of their own
    const length = bytes.length;
    for (let i = 0; i < length; i++) {
      const byte = bytes[i] as number;
      const kind = KINDS[byte] as number;
      if (kind === WORD) inWord = 1;
      else if (kind === BLANK) {
        words += inWord;
        inWord = 0;
        if (byte === 10) lines++;
      } else if (kind === LEAD) {
        const size = sequenceLength(bytes, i);
        if (size === 0) {
          if (isBegun(bytes, i)) {
            this.rest = bytes.slice(i);
            other += length - i;
            break;
          }
          other++;
          continue;
        }
        other += size - 1;
        const meaning = meaningOf(bytes, i, size);
        if (meaning === WORD) inWord = 1;
        else if (meaning === BLANK) {
          words += inWord;
          inWord = 0;
        }
        i += size - 1;
      }
    }
    this.inWord = inWord;
    this.words += words;
    this.lines += lines;
    this.characters += length - other;
  }

  /** Everything, columns too; `last`: what is cut off at the end is no character. */
  private scan(bytes: Uint8Array, last: boolean): void {
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i] as number;
      const size = byte < 0x80 ? 1 : sequenceLength(bytes, i);
      if (size === 0) {
        if (last || !isBegun(bytes, i)) continue;
        this.rest = bytes.slice(i);
        return;
      }
      this.characters++;
      const meaning = size === 1 ? (KINDS[byte] as number) : meaningOf(bytes, i, size);
      if (meaning === WORD) this.inWord = 1;
      else if (meaning === BLANK) {
        this.words += this.inWord;
        this.inWord = 0;
      }
      if (size === 1) this.advance(byte);
      else this.column += columnsOf(characterAt(bytes, i, size));
      i += size - 1;
    }
  }

  private advance(byte: number): void {
    if (byte === 10) {
      this.lines++;
      this.endLine();
    } else if (byte === 12 || byte === 13) this.endLine();
    else if (byte === 9) this.column += 8 - (this.column % 8);
    else if (byte >= 0x20 && byte < 0x7f) this.column++;
  }

  private endLine(): void {
    if (this.column > this.longest) this.longest = this.column;
    this.column = 0;
  }
}

/** Whether the bytes from `i` to the end may be the beginning of a character. */
function isBegun(bytes: Uint8Array, i: number): boolean {
  const lead = bytes[i] as number;
  const needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  const there = bytes.length - i;
  if (lead < 0xc2 || lead > 0xf4 || there >= needed) return false;
  // Complete it with each of the two extremes: valid with one of them means that it is not wrong yet.
  const low = Uint8Array.from({ length: needed }, (_, k) => (k < there ? (bytes[i + k] as number) : 0x80));
  const high = Uint8Array.from({ length: needed }, (_, k) => (k < there ? (bytes[i + k] as number) : 0xbf));
  return sequenceLength(low, 0) > 0 || sequenceLength(high, 0) > 0;
}

function characterAt(bytes: Uint8Array, i: number, size: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + i, size).toString('utf8');
}

/** Spaces beyond ASCII that separate words: glibc's and those that do not break. */
const SPACES = new Set(
  '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u2060\u3000',
);

function meaningOf(bytes: Uint8Array, i: number, size: number): number {
  const character = characterAt(bytes, i, size);
  if (!isPrintableCharacter(character)) return IGNORED;
  return SPACES.has(character) ? BLANK : WORD;
}
