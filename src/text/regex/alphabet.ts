/**
 * The symbols of a program, sorted into classes whose members it cannot tell apart: what a DFA has columns for. Texts are byte
 * strings; symbols are decoded from their UTF-8 as they are met.
 */
import { isWordCharacter } from '../classes.js';
import type { Program } from './program.js';
import { isInvalid } from './sets.js';

/** What stands beside a position, as far as assertions ask. */
export const Beside = {
  /** Nothing: an end of the text. */
  edge: 0,
  newline: 1,
  word: 2,
  other: 3,
} as const;

/** Classes 0 to 3 are no symbols but `Beside` itself: the end of what is scanned, with what stands beyond it. */
export const BOUNDARIES = 4;

/** In `ofByte`: the byte starts (or continues) a sequence that has to be decoded. */
export const DECODE = 0xffff;

/**
 * What a newline in the text is: a character, one at which `^` and `$` match, too, or no part of any text: the end of a line.
 * `apart`: `.` and `[^a]` do not match it, as for `anchor`, but it is NUL at which `^` and `$` match (sed's flag M with -z).
 */
export type NewlineRole = 'character' | 'anchor' | 'apart' | 'end';

export class Alphabet {
  /** Class of each byte, or DECODE. */
  readonly ofByte = new Uint16Array(256);
  /** `Beside` of each class. */
  readonly beside: number[] = [Beside.edge, Beside.newline, Beside.word, Beside.other];
  /** For each class, which sets hold it. */
  readonly accepts: Uint8Array[] = [];
  private readonly classes = new Map<string, number>();
  /** Classes of symbols above ASCII by symbol >> 8, filled when met; 0 is not known yet. */
  private readonly pages = new Map<number, Uint16Array>();
  private readonly program: Program;
  private readonly asksWord: boolean;
  private readonly asksNewline: boolean;
  /** At which `^` and `$` match. */
  private readonly mark: number;

  constructor(program: Program, newline: NewlineRole) {
    this.program = program;
    this.asksWord = program.assertions.some((what) => /word/i.test(what));
    this.mark = newline === 'apart' ? 0 : 10;
    this.asksNewline =
      (newline === 'anchor' || newline === 'apart') && program.assertions.some((what) => /line/.test(what));
    const none = new Uint8Array(program.sets.length);
    for (let i = 0; i < BOUNDARIES; i++) this.accepts.push(none);
    for (let byte = 0; byte < 128; byte++) this.ofByte[byte] = this.classify(byte);
    if (newline === 'end') this.ofByte[10] = Beside.edge;
    // When no set tells characters above ASCII apart, a sequence is so many bytes of one class and need not be decoded.
    const bytewise = !this.asksWord && program.sets.every((set) => set.ascii);
    this.ofByte.fill(bytewise ? this.classify(0x80) : DECODE, 128);
  }

  /** Number of classes; it grows as new kinds of symbols are met. */
  get size(): number {
    return this.accepts.length;
  }

  classOf(symbol: number): number {
    if (symbol < 128) return this.ofByte[symbol] as number;
    let page = this.pages.get(symbol >> 8);
    if (page === undefined) {
      page = new Uint16Array(256);
      this.pages.set(symbol >> 8, page);
    }
    let known = page[symbol & 255] as number;
    if (known === 0) {
      known = this.classify(symbol);
      page[symbol & 255] = known;
    }
    return known;
  }

  private classify(symbol: number): number {
    const { sets } = this.program;
    const accepts = new Uint8Array(sets.length);
    for (let i = 0; i < sets.length; i++) if (sets[i]?.has(symbol)) accepts[i] = 1;
    const beside = this.besideSymbol(symbol);
    const key = `${beside}${accepts.join('')}`;
    let known = this.classes.get(key);
    if (known === undefined) {
      known = this.accepts.push(accepts) - 1;
      this.beside.push(beside);
      this.classes.set(key, known);
    }
    return known;
  }

  private besideSymbol(symbol: number): number {
    if (this.asksNewline && symbol === this.mark) return Beside.newline;
    return this.asksWord && !isInvalid(symbol) && isWordCharacter(symbol) ? Beside.word : Beside.other;
  }

  /** `Beside` for what ends at `i` in the text that starts at `start`. */
  before(text: string, i: number, start: number): number {
    if (i <= start) return Beside.edge;
    return this.asksWord || this.asksNewline ? this.besideSymbol(symbolBefore(text, i, start) & SYMBOL) : Beside.other;
  }

  /** `Beside` for what starts at `i` in the text that ends at `end`. */
  after(text: string, i: number, end: number): number {
    if (i >= end) return Beside.edge;
    return this.asksWord || this.asksNewline ? this.besideSymbol(symbolAt(text, i, end) & SYMBOL) : Beside.other;
  }
}

/** `symbolAt` and `symbolBefore` answer the symbol and, above these bits, how many bytes it takes. */
export const SYMBOL = 0x1fffff;
export const LENGTH_SHIFT = 21;
const ONE = 1 << LENGTH_SHIFT;

/** The symbol that starts at `i`; bytes from `end` on do not count. */
export function symbolAt(text: string, i: number, end: number): number {
  const lead = text.charCodeAt(i);
  if (lead < 0x80) return lead | ONE;
  const length = lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1;
  if (length === 1 || i + length > end) return (0xdc00 + lead) | ONE;
  let symbol = lead & (0xff >> (length + 1));
  for (let k = 1; k < length; k++) {
    const byte = text.charCodeAt(i + k);
    if ((byte & 0xc0) !== 0x80) return (0xdc00 + lead) | ONE;
    symbol = (symbol << 6) | (byte & 0x3f);
  }
  // Overlong forms, surrogates, and what is above U+10FFFF.
  if (length === 3 && (symbol < 0x800 || (symbol & ~0x7ff) === 0xd800)) return (0xdc00 + lead) | ONE;
  if (length === 4 && (symbol < 0x10000 || symbol > 0x10ffff)) return (0xdc00 + lead) | ONE;
  return symbol | (length << LENGTH_SHIFT);
}

/** The symbol that ends at `i`; bytes before `start` do not count. */
export function symbolBefore(text: string, i: number, start: number): number {
  const last = text.charCodeAt(i - 1);
  if (last < 0x80) return last | ONE;
  if (last < 0xc0) {
    for (let from = i - 2; from >= start && from >= i - 4; from--) {
      const byte = text.charCodeAt(from);
      if ((byte & 0xc0) === 0x80) continue;
      const symbol = byte < 0xc0 ? 0 : symbolAt(text, from, i);
      if (symbol >> LENGTH_SHIFT === i - from) return symbol;
      break;
    }
  }
  return (0xdc00 + last) | ONE;
}
