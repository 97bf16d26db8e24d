/** Names of the pieces: `xaa`, `xab` ..., and longer ones where no length was asked for. */

const ALPHABETS = {
  letters: 'abcdefghijklmnopqrstuvwxyz',
  decimal: '0123456789',
  hexadecimal: '0123456789abcdef',
} as const;

/** Letters no name of a file can have: with more of them the system's answer is the same. */
const TOO_LONG = 5000;

export type Alphabet = keyof typeof ALPHABETS;

export interface NameRules {
  readonly prefix: string;
  readonly suffix: string;
  readonly alphabet: Alphabet;
  /** Undefined: two, and more when they are used up. */
  readonly length: number | undefined;
  /** Digits of the first suffix; then none is longer than the others. */
  readonly from?: string | undefined;
  /** How many pieces there will be, where that is known. */
  readonly count?: number | undefined;
}

/** The least length that is enough for `count` names. */
export function neededLength({ alphabet, from, count }: NameRules): number {
  if (count === undefined) return 0;
  const start = Number(from ?? 0);
  const end = count - 1 + (from !== undefined && start < count ? start : 0);
  return Math.max(1, end.toString(ALPHABETS[alphabet].length).length);
}

export class PieceNames {
  private prefix: string;
  private readonly suffix: string;
  private readonly alphabet: string;
  private readonly widens: boolean;
  private indices: number[];
  private begun = false;

  constructor(rules: NameRules) {
    const { prefix, suffix, alphabet, length, from, count } = rules;
    this.prefix = prefix;
    this.suffix = suffix;
    this.alphabet = ALPHABETS[alphabet];
    this.widens = length === undefined && from === undefined && count === undefined;
    const wanted = Math.min(length ?? Math.max(2, neededLength(rules)), TOO_LONG);
    this.indices = new Array<number>(wanted).fill(0);
    const digits = [...(from ?? '')].map((digit) => this.alphabet.indexOf(digit));
    this.indices.splice(this.indices.length - digits.length, digits.length, ...digits);
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
