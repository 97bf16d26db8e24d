/** `rand` and `srand`: the same numbers in every run, until the program asks for others. */
export class Random {
  /** What `srand` was last given. */
  seed = 0;
  private state = 0;

  start(seed: number): void {
    this.seed = seed;
    this.state = Math.imul(Math.trunc(seed) ^ (Math.trunc(seed / 2 ** 32) | 0), 0x9e3779b1) | 0;
  }

  /** At least 0, less than 1. */
  next(): number {
    return (this.bits() * 2 ** 21 + (this.bits() >>> 11)) / 2 ** 53;
  }

  /** 32 bits: a counter, well mixed. */
  private bits(): number {
    this.state = (this.state + 0x9e3779b9) | 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  }
}
