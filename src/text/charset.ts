/** A set of characters, as a bracket expression denotes it (POSIX XBD 9.3.5): ranges of code points and classes, perhaps negated. */
import { type CharacterClass, inClass } from './classes.js';

export class CharacterSet {
  /** Membership of ASCII, before negation: nearly all questions are about it. */
  private readonly ascii = new Uint8Array(128);
  /** Pairs low, high above ASCII. */
  private readonly ranges: number[] = [];
  private readonly classes: CharacterClass[] = [];
  negated = false;

  add(c: number): this {
    return this.addRange(c, c);
  }

  /** `low` above `high` adds nothing. */
  addRange(low: number, high: number): this {
    for (let c = low; c <= high && c < 128; c++) this.ascii[c] = 1;
    if (high >= 128 && low <= high) this.ranges.push(Math.max(low, 128), high);
    return this;
  }

  addClass(name: CharacterClass): this {
    for (let c = 0; c < 128; c++) if (inClass(name, c)) this.ascii[c] = 1;
    this.classes.push(name);
    return this;
  }

  has(c: number): boolean {
    return this.holds(c) !== this.negated;
  }

  /** Nothing above ASCII was added. (Every class but `digit` and `xdigit` has members there.) */
  get isAscii(): boolean {
    return this.ranges.length === 0 && this.classes.every((name) => name === 'digit' || name === 'xdigit');
  }

  private holds(c: number): boolean {
    if (c < 128) return this.ascii[c] === 1;
    const { ranges } = this;
    for (let i = 0; i < ranges.length; i += 2) {
      if (c >= (ranges[i] as number) && c <= (ranges[i + 1] as number)) return true;
    }
    for (const name of this.classes) if (inClass(name, c)) return true;
    return false;
  }
}
