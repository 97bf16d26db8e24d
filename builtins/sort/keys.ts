/** What sort compares lines by: `-k`, and the options that say how. */
import { gnuQuoteValue } from '../../src/text/quote.js';
import { BadValue } from '../kit/define.js';

/** How two texts are compared; `text` is by bytes. */
export type Comparison = 'text' | 'numeric' | 'general' | 'human' | 'month' | 'version' | 'random';

export interface Ordering {
  comparison: Comparison;
  /** `-d` or `-i`: which bytes count. */
  ignore: 'dictionary' | 'unprintable' | undefined;
  fold: boolean;
  reverse: boolean;
  /** `-b` at the start and at the end of the key. */
  blanksAtStart: boolean;
  blanksAtEnd: boolean;
  /** Letters of comparisons asked for, as GNU names them when they exclude each other. */
  asked: string;
}

export interface SortKey extends Ordering {
  /** Fields and characters to skip, from 0. */
  readonly startField: number;
  readonly startCharacter: number;
  /** Undefined: to the end of the line. `endCharacter` 0: to the end of the field. */
  readonly endField: number | undefined;
  readonly endCharacter: number;
}

export function plainOrdering(): Ordering {
  return {
    comparison: 'text',
    ignore: undefined,
    fold: false,
    reverse: false,
    blanksAtStart: false,
    blanksAtEnd: false,
    asked: '',
  };
}

/** Nothing said but, perhaps, the direction: such a key takes the global options. */
export function isDefault(ordering: Ordering): boolean {
  return (
    ordering.comparison === 'text' &&
    ordering.ignore === undefined &&
    !ordering.fold &&
    !ordering.blanksAtStart &&
    !ordering.blanksAtEnd
  );
}

const COMPARISONS: { readonly [letter: string]: Comparison } = {
  n: 'numeric',
  g: 'general',
  h: 'human',
  M: 'month',
  V: 'version',
  R: 'random',
};

/** Applies one letter; false when it is none of them. */
export function applyLetter(ordering: Ordering, letter: string, where: 'start' | 'end' | 'both'): boolean {
  const comparison = COMPARISONS[letter];
  if (comparison !== undefined) {
    // -R and -V may stand together: then it is -R.
    if (ordering.comparison !== 'random') ordering.comparison = comparison;
    ordering.asked += letter;
  } else if (letter === 'b') {
    if (where !== 'end') ordering.blanksAtStart = true;
    if (where !== 'start') ordering.blanksAtEnd = true;
  } else if (letter === 'd') ordering.ignore = 'dictionary';
  else if (letter === 'i') ordering.ignore ??= 'unprintable';
  else if (letter === 'f') ordering.fold = true;
  else if (letter === 'r') ordering.reverse = true;
  else return false;
  return true;
}

/** The letters that exclude each other, as in `options '-nR' are incompatible`; undefined when they do not. */
export function incompatible(ordering: Ordering): string | undefined {
  const kinds = new Set(ordering.asked);
  // -V, -R and -d or -i are one choice to GNU: they may stand together, but not with another.
  const together = kinds.has('V') || kinds.has('R') || ordering.ignore !== undefined ? 1 : 0;
  const others = [...'nghM'].filter((letter) => kinds.has(letter)).length;
  if (others + together <= 1) return undefined;
  const shown = [...'dfghiMnRV'].filter((letter) => {
    if (letter === 'd') return ordering.ignore === 'dictionary';
    if (letter === 'i') return ordering.ignore === 'unprintable';
    return letter === 'f' ? ordering.fold : kinds.has(letter);
  });
  return shown.join('');
}

/** `F[.C][OPTS][,F[.C][OPTS]]` */
export function parseKey(text: string): SortKey | BadValue {
  const ordering = plainOrdering();
  const reader = new KeyReader(text);
  const start = reader.position('invalid number at field start', true);
  if (start instanceof BadValue) return start;
  reader.letters(ordering, 'start');
  let endField: number | undefined;
  let endCharacter = 0;
  if (reader.skip(',')) {
    const end = reader.position("invalid number after ','", false);
    if (end instanceof BadValue) return end;
    endField = end.field - 1;
    endCharacter = end.character;
    reader.letters(ordering, 'end');
  }
  if (!reader.done) return reader.bad('stray character in field spec');
  return { ...ordering, startField: start.field - 1, startCharacter: start.character - 1, endField, endCharacter };
}

class KeyReader {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  skip(unit: string): boolean {
    if (this.text[this.at] !== unit) return false;
    this.at++;
    return true;
  }

  /** A field and, after a dot, a character. The start counts characters from 1; the end may have 0. */
  position(what: string, start: boolean): { field: number; character: number } | BadValue {
    const field = this.count(what);
    if (field instanceof BadValue) return field;
    if (field === 0) return this.bad('field number is zero');
    if (!this.skip('.')) return { field, character: start ? 1 : 0 };
    const character = this.count("invalid number after '.'");
    if (character instanceof BadValue) return character;
    if (character === 0 && start) return this.bad('character offset is zero');
    return { field, character };
  }

  letters(ordering: Ordering, where: 'start' | 'end'): void {
    while (!this.done && applyLetter(ordering, this.text[this.at] as string, where)) this.at++;
  }

  bad(what: string): BadValue {
    return new BadValue(`${what}: invalid field specification ${gnuQuoteValue(this.text)}`);
  }

  private count(what: string): number | BadValue {
    const from = this.at;
    while (isDigit(this.text.charCodeAt(this.at))) this.at++;
    if (this.at === from)
      return new BadValue(`${what}: invalid count at start of ${gnuQuoteValue(this.text.slice(from))}`);
    return Math.min(Number(this.text.slice(from, this.at)), Number.MAX_SAFE_INTEGER);
  }
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** Where fields are: between separators, or at the changes from not blank to blank (`separator` undefined). */
export class Fields {
  private readonly bytes: Uint8Array;
  private readonly separator: number | undefined;

  constructor(bytes: Uint8Array, separator: number | undefined) {
    this.bytes = bytes;
    this.separator = separator;
  }

  /** Where the key begins in the line `[from..to)`. */
  start(key: SortKey, from: number, to: number): number {
    let at = this.skipFields(from, to, key.startField, true);
    if (key.blanksAtStart) at = this.skipBlanks(at, to);
    return Math.min(to, at + key.startCharacter);
  }

  /** Where it ends; perhaps before its start: then it is empty. */
  end(key: SortKey, from: number, to: number): number {
    if (key.endField === undefined) return to;
    const inside = key.endCharacter > 0;
    let at = this.skipFields(from, to, key.endField + (inside ? 0 : 1), inside);
    if (!inside) return at;
    if (key.blanksAtEnd) at = this.skipBlanks(at, to);
    return Math.min(to, at + key.endCharacter);
  }

  /** Past `count` fields. `after`: past the separator of the last one too. */
  private skipFields(from: number, to: number, count: number, after: boolean): number {
    const { bytes, separator } = this;
    let at = from;
    for (let left = count; left > 0 && at < to; left--) {
      if (separator === undefined) {
        at = this.skipBlanks(at, to);
        while (at < to && !isBlank(bytes[at] as number)) at++;
      } else {
        while (at < to && bytes[at] !== separator) at++;
        if (at < to && (left > 1 || after)) at++;
      }
    }
    return at;
  }

  skipBlanks(from: number, to: number): number {
    let at = from;
    while (at < to && isBlank(this.bytes[at] as number)) at++;
    return at;
  }
}

/** Blanks and, where lines end with NUL, newlines. */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 9 || byte === 10;
}
