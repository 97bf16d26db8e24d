/** Names of the pieces: `xaa`, `xab` ..., and longer ones where no length was asked for. */

export class PieceNames {
  private prefix: string;
  private readonly suffix: string;
  private readonly alphabet: string;
  private readonly widens: boolean;
  private indices: number[];
  private begun = false;

  constructor(options: {
    readonly prefix: string;
    readonly suffix: string;
    readonly numeric: boolean;
    /** Undefined: two, and more when they are used up. */
    readonly length: number | undefined;
  }) {
    this.prefix = options.prefix;
    this.suffix = options.suffix;
    this.alphabet = options.numeric ? '0123456789' : 'abcdefghijklmnopqrstuvwxyz';
    this.widens = options.length === undefined;
    this.indices = new Array<number>(options.length ?? 2).fill(0);
  }

  /** Undefined when there are no more. */
  next(): string | undefined {
    if (this.begun && !this.advance()) return undefined;
    this.begun = true;
    return this.prefix + this.indices.map((index) => this.alphabet[index]).join('') + this.suffix;
  }

  private advance(): boolean {
    for (let i = this.indices.length - 1; i >= 0; i--) {
      const index = (this.indices[i] as number) + 1;
      // Names that begin with the last letter are kept for longer ones, so that all stay in order.
      if (this.widens && i === 0 && index === this.alphabet.length - 1) {
        this.prefix += this.alphabet[index];
        this.indices = new Array<number>(this.indices.length + 1).fill(0);
        return true;
      }
      this.indices[i] = index % this.alphabet.length;
      if (index < this.alphabet.length) return true;
    }
    return false;
  }
}
