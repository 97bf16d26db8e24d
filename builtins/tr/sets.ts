/** The strings of tr: characters, ranges, classes, equivalence classes and repeats, over bytes. */
import { decode, encode } from '../../src/text/bytes.js';
import { gnuQuoteValue } from '../../src/text/quote.js';
import { worked } from '../../src/text/work.js';

export type Element =
  | { readonly kind: 'character'; readonly byte: number }
  | { readonly kind: 'range'; readonly first: number; readonly last: number }
  | { readonly kind: 'class'; readonly name: string; readonly members: readonly number[] }
  | { readonly kind: 'equivalence'; readonly byte: number }
  /** `[x*5]`; 0 is `[x*]`: as often as the other string is long. */
  | { readonly kind: 'repeat'; readonly byte: number; readonly count: number };

/** A string tr refuses, with what it says. */
export class BadSet {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

const between = (low: number, high: number) => (byte: number) => byte >= low && byte <= high;
const isUpper = between(0x41, 0x5a);
const isLower = between(0x61, 0x7a);
const isDigit = between(0x30, 0x39);
const isGraph = between(0x21, 0x7e);
const isAlpha = (byte: number): boolean => isUpper(byte) || isLower(byte);
const isAlnum = (byte: number): boolean => isAlpha(byte) || isDigit(byte);

/** In a UTF-8 locale a byte beyond ASCII is in no class. */
const CLASSES: { readonly [name: string]: (byte: number) => boolean } = {
  alnum: isAlnum,
  alpha: isAlpha,
  blank: (byte) => byte === 0x20 || byte === 9,
  cntrl: (byte) => byte < 0x20 || byte === 0x7f,
  digit: isDigit,
  graph: isGraph,
  lower: isLower,
  print: between(0x20, 0x7e),
  punct: (byte) => isGraph(byte) && !isAlnum(byte),
  space: (byte) => byte === 0x20 || (byte >= 9 && byte <= 13),
  upper: isUpper,
  xdigit: (byte) => isDigit(byte) || between(0x41, 0x46)(byte) || between(0x61, 0x66)(byte),
};

const ALL_BYTES = Array.from({ length: 256 }, (_, byte) => byte);

interface Unit {
  readonly byte: number;
  /** Written with a backslash: it has no meaning of its own. */
  readonly escaped: boolean;
}

/** As many as there are bytes, however long the set. */
const PLAIN: readonly Unit[] = ALL_BYTES.map((byte) => ({ byte, escaped: false }));

const SHORT: { readonly [letter: string]: number } = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };

function readUnits(bytes: Uint8Array, warn: (message: string) => void): Unit[] {
  const units: Unit[] = [];
  for (let i = 0; i < bytes.length; i++) {
    worked(16);
    const byte = bytes[i] as number;
    if (byte !== 0x5c) {
      units.push(PLAIN[byte] as Unit);
      continue;
    }
    const next = bytes[i + 1];
    if (next === undefined) {
      warn('an unescaped backslash at end of string is not portable');
      units.push({ byte, escaped: false });
      continue;
    }
    i++;
    if (!isOctal(next)) {
      units.push({ byte: SHORT[String.fromCharCode(next)] ?? next, escaped: true });
      continue;
    }
    let digits = 1;
    while (digits < 3 && isOctal(bytes[i + digits])) digits++;
    const text = Buffer.from(bytes.subarray(i, i + digits)).toString('latin1');
    let value = Number.parseInt(text, 8);
    if (value > 255) {
      digits = 2;
      value = Number.parseInt(text.slice(0, 2), 8);
      warn(
        `the ambiguous octal escape \\${text} is being\n\tinterpreted as the 2-byte sequence \\0${text.slice(0, 2)}, ${text[2]}`,
      );
    }
    i += digits - 1;
    units.push({ byte: value, escaped: true });
  }
  return units;
}

/** As `PLAIN`. */
const CHARACTERS: readonly Element[] = ALL_BYTES.map((byte) => ({ kind: 'character', byte }));

function isOctal(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x37;
}

/** What a string says. Warnings are given even where it turns out to be wrong. */
export function parseSet(text: string, warn: (message: string) => void): readonly Element[] | BadSet {
  const parser = new SetParser(readUnits(encode(text), warn));
  return parser.parse() ?? parser.elements;
}

class SetParser {
  readonly elements: Element[] = [];
  private readonly units: readonly Unit[];
  private at = 0;
  /** Marks that close nothing any more: looking for them again and again would take the square of the set's length. */
  private readonly unclosed = new Set<string>();

  constructor(units: readonly Unit[]) {
    this.units = units;
  }

  parse(): BadSet | undefined {
    const { units } = this;
    while (this.at + 2 < units.length) {
      const done = this.is(this.at, '[') ? this.bracket() : false;
      if (done instanceof BadSet) return done;
      if (done) continue;
      if (this.is(this.at + 1, '-')) {
        const bad = this.range();
        if (bad !== undefined) return bad;
      } else this.character();
    }
    while (this.at < units.length) this.character();
    return undefined;
  }

  private is(index: number, character: string): boolean {
    const unit = this.units[index];
    return unit !== undefined && !unit.escaped && unit.byte === character.charCodeAt(0);
  }

  private byte(index: number): number {
    return (this.units[index] as Unit).byte;
  }

  private character(): void {
    worked(4);
    this.elements.push(CHARACTERS[this.byte(this.at++)] as Element);
  }

  private range(): BadSet | undefined {
    const first = this.byte(this.at);
    const last = this.byte(this.at + 2);
    if (last < first) {
      const shown = `${printable(first)}-${printable(last)}`;
      return new BadSet(`range-endpoints of '${shown}' are in reverse collating sequence order`);
    }
    this.elements.push({ kind: 'range', first, last });
    this.at += 3;
    return undefined;
  }

  /** `[:class:]`, `[=c=]` or `[c*n]`; false when the `[` stands for itself. */
  private bracket(): boolean | BadSet {
    for (const mark of [':', '=']) {
      if (!this.is(this.at + 1, mark)) continue;
      const close = this.closing(this.at + 2, mark);
      if (close < 0) break;
      const done = this.named(mark, this.at + 2, close);
      if (done !== false) return done;
      break;
    }
    return this.repeat();
  }

  private closing(from: number, mark: string): number {
    if (this.unclosed.has(mark)) return -1;
    for (let i = from; i + 1 < this.units.length; i++) if (this.is(i, mark) && this.is(i + 1, ']')) return i;
    this.unclosed.add(mark);
    return -1;
  }

  private named(mark: string, from: number, close: number): boolean | BadSet {
    const bytes = Buffer.from(this.units.slice(from, close).map(({ byte }) => byte));
    if (bytes.length === 0) {
      return new BadSet(
        mark === ':' ? "missing character class name '[::]'" : "missing equivalence class character '[==]'",
      );
    }
    const name = bytes.toString('latin1');
    const members = mark === ':' && Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined;
    if (members !== undefined) {
      this.elements.push({ kind: 'class', name, members: ALL_BYTES.filter(members) });
    } else if (mark === '=' && bytes.length === 1) {
      this.elements.push({ kind: 'equivalence', byte: bytes[0] as number });
    } else if (this.looksRepeated(from)) return false;
    else if (mark === ':') return new BadSet(`invalid character class ${gnuQuoteValue(decode(bytes))}`);
    else return new BadSet(`${decode(bytes)}: equivalence class operand must be a single character`);
    this.at = close + 2;
    return true;
  }

  /** `*`, digits and `]`: what `[:*5]` goes on with. */
  private looksRepeated(from: number): boolean {
    if (!this.is(from, '*')) return false;
    let i = from + 1;
    while (i < this.units.length && isDigit(this.byte(i))) i++;
    return this.is(i, ']');
  }

  private repeat(): boolean | BadSet {
    if (!this.is(this.at + 2, '*')) return false;
    let close = this.at + 3;
    while (close < this.units.length && !(this.units[close] as Unit).escaped && !this.is(close, ']')) close++;
    if (!this.is(close, ']')) return false;
    const digits = this.units.slice(this.at + 3, close).map(({ byte }) => String.fromCharCode(byte));
    const text = digits.join('');
    const octal = text.startsWith('0');
    const count = text === '' ? 0 : Number.parseInt(text, octal ? 8 : 10);
    if (!(octal ? /^[0-7]*$/ : /^[0-9]*$/).test(text) || count > Number.MAX_SAFE_INTEGER) {
      return new BadSet(`invalid repeat count ${gnuQuoteValue(text)} in [c*n] construct`);
    }
    this.elements.push({ kind: 'repeat', byte: this.byte(this.at + 1), count });
    this.at = close + 1;
    return true;
  }
}

function printable(byte: number): string {
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
}

export function elementLength(element: Element): number {
  if (element.kind === 'range') return element.last - element.first + 1;
  if (element.kind === 'class') return element.members.length;
  return element.kind === 'repeat' ? element.count : 1;
}

export function setLength(elements: readonly Element[]): number {
  return elements.reduce((length, element) => length + elementLength(element), 0);
}

/** `upper` or `lower`: classes that may stand opposite each other. */
export function caseClass(element: Element | undefined): 'upper' | 'lower' | undefined {
  if (element?.kind !== 'class') return undefined;
  return element.name === 'upper' || element.name === 'lower' ? element.name : undefined;
}

/** Goes through the bytes of a set one by one. */
export class Cursor {
  private readonly elements: readonly Element[];
  private index = 0;
  private within = 0;

  constructor(elements: readonly Element[]) {
    this.elements = elements;
  }

  /** The element the next byte is from, if that is its first one. */
  get fresh(): Element | undefined {
    this.settle();
    return this.within === 0 ? this.elements[this.index] : undefined;
  }

  /** Undefined at the end. */
  next(): number | undefined {
    this.settle();
    const element = this.elements[this.index];
    if (element === undefined) return undefined;
    const at = this.within++;
    if (element.kind === 'range') return element.first + at;
    return element.kind === 'class' ? element.members[at] : element.byte;
  }

  /** How many of the next bytes are the one that `next` gave last. */
  get same(): number {
    const element = this.elements[this.index];
    return element?.kind === 'repeat' ? element.count - this.within : 0;
  }

  skip(count: number): void {
    this.within += count;
  }

  skipElement(): void {
    this.index++;
    this.within = 0;
  }

  private settle(): void {
    for (;;) {
      const element = this.elements[this.index];
      if (element === undefined || this.within < elementLength(element)) return;
      this.skipElement();
    }
  }
}

/** Passes over pairs that say the same as the one before: `[a*1000000000]` opposite `[b*]`. */
export function skipSame(a: Cursor, b: Cursor): void {
  const count = Math.min(a.same, b.same);
  a.skip(count);
  b.skip(count);
}

/** Which bytes are in a set, as 0 and 1. */
export function membership(elements: readonly Element[], complement: boolean): Uint8Array {
  const members = new Uint8Array(256).fill(complement ? 1 : 0);
  const mark = complement ? 0 : 1;
  for (const element of elements) {
    if (element.kind === 'range') members.fill(mark, element.first, element.last + 1);
    else if (element.kind === 'class') for (const byte of element.members) members[byte] = mark;
    else members[element.byte] = mark;
  }
  return members;
}
