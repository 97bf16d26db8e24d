/** The words after a primary, taken one by one. */
import type { Test } from './expression.js';
import { BadExpression, type Search } from './search.js';

/** Reads its arguments and answers the test it stands for. Throws BadExpression. */
export type Primary = (args: Arguments, search: Search) => Test;

export type Primaries = { readonly [name: string]: Primary };

/** An option: true of every file. */
export const always: Test = () => true;

export class Arguments {
  /** The primary that is being read. */
  name = '';
  private readonly words: readonly string[];
  private at: number;

  constructor(words: readonly string[], from: number) {
    this.words = words;
    this.at = from;
  }
  next(): string | undefined {
    return this.words[this.at++];
  }
  hasMore(): boolean {
    return this.at < this.words.length;
  }
  /** The primary's argument. */
  take(): string {
    const word = this.next();
    if (word === undefined) throw this.missing();
    return word;
  }
  missing(): BadExpression {
    return new BadExpression(`missing argument to \`${this.name}'`);
  }
  invalid(word: string): BadExpression {
    return new BadExpression(`invalid argument \`${word}' to \`${this.name}'`);
  }
}

/** `+n`, `-n`, `n`. */
export interface Comparison {
  readonly sign: '+' | '-' | '=';
  readonly text: string;
}

export function comparison(word: string): Comparison {
  const sign = word[0] === '+' ? '+' : word[0] === '-' ? '-' : '=';
  return { sign, text: sign === '=' ? word : word.slice(1) };
}

export function holds(sign: Comparison['sign'], value: bigint, than: bigint): boolean {
  return sign === '=' ? value === than : sign === '+' ? value > than : value < than;
}

/** An argument that is a whole number to compare with. */
export function takeNumber(args: Arguments): (value: bigint) => boolean {
  if (!args.hasMore()) throw args.invalid(args.name); // so GNU says it
  const word = args.take();
  const { sign, text } = comparison(word);
  if (!/^[0-9]+$/.test(text)) throw args.invalid(word);
  const number = BigInt(text.slice(0, 40));
  return (value) => holds(sign, value, number);
}
