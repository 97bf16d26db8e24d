/**
 * Options as getopt_long(3) of GNU reads them: words in, options and operands out. Pure, because the command line of rmsh
 * reads its own arguments by it too.
 */
import { decode, encode } from '../../src/text/bytes.js';

/** One option as getopt sees it. */
export interface OptionShape {
  /** What `GivenOption.key` will say. */
  readonly key: string;
  /** Letters that mean it. */
  readonly short: string;
  /** Names without dashes that mean it. */
  readonly long: readonly string[];
  /** `optional`: only `--long=value` and `-xvalue` give one. */
  readonly argument: 'none' | 'required' | 'optional';
}

export interface GivenOption {
  readonly key: string;
  /** `-n` or `--lines`, in full. */
  readonly spelled: string;
  /** Undefined for a switch, and where an optional argument was left out. */
  readonly text: string | undefined;
  /** How many operands stand before it. */
  readonly operandsBefore: number;
}

export interface GetoptError {
  readonly kind: 'unknown' | 'ambiguous' | 'unwanted-argument' | 'missing-argument';
  /** The option: `-x`, or `--foo` as it was written (without `=value`). */
  readonly option: string;
  /** GNU's words, without `NAME: `. */
  readonly message: string;
}

export interface GetoptResult {
  /** In the order they were given, as far as the first error. */
  readonly given: readonly GivenOption[];
  readonly operands: readonly string[];
  /** The words that are no operands, as they were written, with their arguments and `--`. */
  readonly optionWords: readonly string[];
  readonly error: GetoptError | undefined;
}

export interface GetoptRules {
  /** `permute`: options anywhere; `leading`: they end at the first operand. */
  readonly order: 'permute' | 'leading';
  /** What to read in place of `-5` or `+5`; `index` counts words from 1. Undefined: nothing special. */
  readonly obsolete?: ((word: string, index: number) => readonly string[] | undefined) | undefined;
}

export function getopt(words: readonly string[], shapes: readonly OptionShape[], rules: GetoptRules): GetoptResult {
  const reading = new Reading(words, shapes, rules);
  const error = reading.read();
  const { given, operands, optionWords } = reading;
  return { given, operands, optionWords, error };
}

class Reading {
  readonly given: GivenOption[] = [];
  readonly operands: string[] = [];
  readonly optionWords: string[] = [];
  private readonly words: readonly string[];
  private readonly shapes: readonly OptionShape[];
  private readonly rules: GetoptRules;
  private next = 0;

  constructor(words: readonly string[], shapes: readonly OptionShape[], rules: GetoptRules) {
    this.words = words;
    this.shapes = shapes;
    this.rules = rules;
  }

  read(): GetoptError | undefined {
    while (this.next < this.words.length) {
      const at = this.next;
      const word = this.words[this.next++] as string;
      if (word === '--') {
        this.optionWords.push(word);
        break;
      }
      const instead = startsWithNumber(word) ? this.rules.obsolete?.(word, this.next) : undefined;
      if (instead !== undefined) {
        const error = this.readInstead(instead);
        if (error !== undefined) return error;
        this.optionWords.push(word);
      } else if (word.length < 2 || word[0] !== '-') {
        this.operands.push(word);
        if (this.rules.order === 'leading') break;
      } else {
        const error = word[1] === '-' ? this.readLong(word) : this.readCluster(word);
        if (error !== undefined) return error;
        this.optionWords.push(...this.words.slice(at, this.next));
      }
    }
    for (; this.next < this.words.length; this.next++) this.operands.push(this.words[this.next] as string);
    return undefined;
  }

  private readInstead(words: readonly string[]): GetoptError | undefined {
    const inner = getopt(words, this.shapes, { order: 'permute' });
    this.given.push(...inner.given);
    this.operands.push(...inner.operands);
    return inner.error;
  }

  private give(key: string, spelled: string, text: string | undefined): void {
    this.given.push({ key, spelled, text, operandsBefore: this.operands.length });
  }

  /** `-abc`, `-ovalue`, `-o value`. */
  private readCluster(word: string): GetoptError | undefined {
    for (let i = 1; i < word.length; i++) {
      const letter = word[i] as string;
      const shape = this.shapes.find(({ short }) => short.includes(letter));
      if (shape === undefined) return unknownLetter(word, i);
      const spelled = `-${letter}`;
      if (shape.argument === 'none') {
        this.give(shape.key, spelled, undefined);
        continue;
      }
      let text: string | undefined;
      if (i + 1 < word.length) text = word.slice(i + 1);
      else if (shape.argument === 'required') {
        if (this.next >= this.words.length) {
          const message = `option requires an argument -- '${letter}'`;
          return { kind: 'missing-argument', option: spelled, message };
        }
        text = this.words[this.next++];
      }
      this.give(shape.key, spelled, text);
      return undefined;
    }
    return undefined;
  }

  /** `--name`, `--name=value`, `--name value`, and any unambiguous beginning of a name. */
  private readLong(word: string): GetoptError | undefined {
    const equals = word.indexOf('=');
    const written = equals < 0 ? word.slice(2) : word.slice(2, equals);
    const found = findLong(written, this.shapes);
    if (found.length === 0) {
      return { kind: 'unknown', option: `--${written}`, message: `unrecognized option '${word}'` };
    }
    const first = found[0] as LongMatch;
    if (found.length > 1) {
      const possibilities = found.map(({ name }) => ` '--${name}'`).join('');
      const message = `option '${word}' is ambiguous; possibilities:${possibilities}`;
      return { kind: 'ambiguous', option: `--${written}`, message };
    }
    const { shape } = first;
    const spelled = `--${first.name}`;
    let text = equals < 0 ? undefined : word.slice(equals + 1);
    if (shape.argument === 'none' && text !== undefined) {
      return { kind: 'unwanted-argument', option: spelled, message: `option '${spelled}' doesn't allow an argument` };
    }
    if (shape.argument === 'required' && text === undefined) {
      if (this.next >= this.words.length) {
        return { kind: 'missing-argument', option: spelled, message: `option '${spelled}' requires an argument` };
      }
      text = this.words[this.next++];
    }
    this.give(shape.key, spelled, text);
    return undefined;
  }
}

interface LongMatch {
  readonly name: string;
  readonly shape: OptionShape;
}

/** The option of that very name, else the options whose names begin so; two names of one option are no ambiguity. */
function findLong(written: string, shapes: readonly OptionShape[]): readonly LongMatch[] {
  const found: LongMatch[] = [];
  for (const shape of shapes) {
    for (const name of shape.long) {
      if (name === written) return [{ name, shape }];
      if (name.startsWith(written) && found[0]?.shape !== shape) found.push({ name, shape });
    }
  }
  return found;
}

/** GNU reads bytes: of a character of several it complains about the first. */
function unknownLetter(word: string, index: number): GetoptError {
  const character = String.fromCodePoint(word.codePointAt(index) as number); // index < length
  const letter = decode(encode(character).subarray(0, 1));
  return { kind: 'unknown', option: `-${letter}`, message: `invalid option -- '${letter}'` };
}

function startsWithNumber(word: string): boolean {
  const sign = word.charCodeAt(0);
  if (sign !== 0x2d && sign !== 0x2b) return false;
  const digit = word.charCodeAt(1);
  return digit >= 0x30 && digit <= 0x39;
}
