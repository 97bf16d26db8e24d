/** The positional parameters (POSIX 2.5.1). They do not change: `set` and `shift` put others in their place. */

export class Positional {
  /** All there were when they were set; `shift` passes over the first of them, since copying would make a loop of it quadratic. */
  readonly #words: readonly string[];
  readonly #from: number;
  #rest: readonly string[] | undefined;

  constructor(words: readonly string[], from = 0) {
    this.#words = words;
    this.#from = from;
    this.#rest = from === 0 ? words : undefined;
  }

  /** `$#` */
  get length(): number {
    return this.#words.length - this.#from;
  }

  /** `$1` is 1. */
  at(number: number): string | undefined {
    return this.#words[this.#from + number - 1];
  }

  /** `$@` */
  get words(): readonly string[] {
    this.#rest ??= this.#words.slice(this.#from);
    return this.#rest;
  }

  shifted(count: number): Positional {
    return new Positional(this.#words, this.#from + count);
  }
}
