/** The expressions of expr: words in, a string out. Integers have any size. */
import { limitReached } from '../../src/limits.js';
import type { Look } from '../../src/steps.js';
import { codePoints, compareBytes, decode, sliceCodePoints, toByteString } from '../../src/text/bytes.js';
import { gnuQuoteValue } from '../../src/text/quote.js';
import { compileRegex, isRegexTooCostly, RegexError } from '../../src/text/regex/index.js';
import { worked } from '../../src/text/work.js';

/** What is wrong with an expression, in GNU's words. */
export class ExprError {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** How the evaluator leaves: caught in `evaluate`, nowhere else. */
class Problem extends Error {}

export function evaluate(words: readonly string[], maxNesting: number, look: Look): string | ExprError {
  try {
    return new Evaluator(words, maxNesting, look).whole();
  } catch (error) {
    if (error instanceof Problem) return new ExprError(error.message);
    if (isRegexTooCostly(error)) return new ExprError(error.message);
    throw error;
  }
}

/** Empty, or nothing but zeros, with or without a minus. */
export function isNull(value: string): boolean {
  return value === '' || /^-?0+$/.test(value);
}

function isInteger(value: string): boolean {
  return /^-?[0-9]+$/.test(value);
}

/** Arithmetic takes more than the digits' number in time, and is one stretch. */
const MAX_DIGITS = 100_000;

/** `look`: see steps.ts. */
type Binary = (left: string, right: string, look: Look) => string;

const truth = (value: boolean): string => (value ? '1' : '0');

/** Both integers: by value, digit by digit, for there may be millions of them; else by bytes. */
function compare(left: string, right: string): number {
  if (!isInteger(left) || !isInteger(right)) return compareBytes(left, right);
  const negative = left.startsWith('-');
  const a = left.replace(/^-?0*/, '');
  const b = right.replace(/^-?0*/, '');
  if (a === '' && b === '') return 0;
  if (negative !== right.startsWith('-')) {
    return negative ? -1 : 1;
  }
  const order = a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
  return negative ? -order : order;
}

function arithmetic(operation: (a: bigint, b: bigint) => bigint): Binary {
  return (left, right) => {
    if (!isInteger(left) || !isInteger(right)) throw new Problem('non-integer argument');
    if (left.length > MAX_DIGITS || right.length > MAX_DIGITS) {
      throw new Problem(`integers of more than ${MAX_DIGITS} digits are not supported`);
    }
    return String(operation(BigInt(left), BigInt(right)));
  };
}

function divided(operation: (a: bigint, b: bigint) => bigint): Binary {
  return arithmetic((a, b) => {
    if (b === 0n) throw new Problem('division by zero');
    return operation(a, b);
  });
}

/** Operators from the weakest to the strongest, after `|` and `&`. */
const LEVELS: readonly ReadonlyMap<string, Binary>[] = [
  new Map<string, Binary>([
    ['<', (a, b) => truth(compare(a, b) < 0)],
    ['<=', (a, b) => truth(compare(a, b) <= 0)],
    ['=', (a, b) => truth(compare(a, b) === 0)],
    ['==', (a, b) => truth(compare(a, b) === 0)],
    ['!=', (a, b) => truth(compare(a, b) !== 0)],
    ['>=', (a, b) => truth(compare(a, b) >= 0)],
    ['>', (a, b) => truth(compare(a, b) > 0)],
  ]),
  new Map([
    ['+', arithmetic((a, b) => a + b)],
    ['-', arithmetic((a, b) => a - b)],
  ]),
  new Map([
    ['*', arithmetic((a, b) => a * b)],
    ['/', divided((a, b) => a / b)],
    ['%', divided((a, b) => a % b)],
  ]),
  new Map([[':', match]]),
];

class Evaluator {
  private readonly words: readonly string[];
  private readonly maxNesting: number;
  private readonly look: Look;
  private at = 0;
  private depth = 0;

  constructor(words: readonly string[], maxNesting: number, look: Look) {
    this.words = words;
    this.maxNesting = maxNesting;
    this.look = look;
  }

  whole(): string {
    const value = this.or(true);
    const rest = this.words[this.at];
    if (rest !== undefined) throw new Problem(`syntax error: unexpected argument ${gnuQuoteValue(rest)}`);
    return value;
  }

  /** `active`: false where the value does not matter, and nothing may go wrong. */
  private or(active: boolean): string {
    let left = this.and(active);
    while (this.take('|')) {
      const right = this.and(active && isNull(left));
      if (isNull(left)) left = isNull(right) ? '0' : right;
    }
    return left;
  }

  private and(active: boolean): string {
    let left = this.binary(0, active);
    while (this.take('&')) {
      const right = this.binary(0, active && !isNull(left));
      if (isNull(left) || isNull(right)) left = '0';
    }
    return left;
  }

  private binary(level: number, active: boolean): string {
    const operators = LEVELS[level];
    if (operators === undefined) return this.keyword(active);
    let left = this.binary(level + 1, active);
    for (;;) {
      const operator = operators.get(this.words[this.at] ?? '');
      if (operator === undefined) return left;
      this.at++;
      const right = this.binary(level + 1, active);
      if (active) left = operator(left, right, this.look);
    }
  }

  private keyword(active: boolean): string {
    if (this.take('+')) return this.word();
    if (this.take('length')) return String(codePoints(this.operand(active)));
    if (this.take('match')) {
      const text = this.operand(active);
      const pattern = this.operand(active);
      return active ? match(text, pattern, this.look) : text;
    }
    if (this.take('index')) {
      const text = this.operand(active);
      return String(indexOfAny(text, new Set(this.operand(active))));
    }
    if (this.take('substr')) {
      const text = this.operand(active);
      const from = this.operand(active);
      const length = this.operand(active);
      return substring(text, from, length);
    }
    return this.primary(active);
  }

  /** What follows a keyword: perhaps another one. */
  private operand(active: boolean): string {
    this.deeper();
    const value = this.keyword(active);
    this.depth--;
    return value;
  }

  private primary(active: boolean): string {
    if (!this.take('(')) {
      if (this.words[this.at] === ')') throw new Problem(`syntax error: unexpected ')'`);
      return this.word();
    }
    this.deeper();
    const value = this.or(active);
    this.depth--;
    const next = this.words[this.at];
    if (next === undefined) throw new Problem(`syntax error: expecting ')' after ${this.previous()}`);
    if (!this.take(')')) throw new Problem(`syntax error: expecting ')' instead of ${gnuQuoteValue(next)}`);
    return value;
  }

  private deeper(): void {
    if (++this.depth > this.maxNesting) throw limitReached('maxNesting', this.maxNesting);
  }

  private take(word: string): boolean {
    if (this.words[this.at] !== word) return false;
    this.at++;
    return true;
  }

  private word(): string {
    const word = this.words[this.at];
    if (word === undefined) throw new Problem(`syntax error: missing argument after ${this.previous()}`);
    this.at++;
    return word;
  }

  private previous(): string {
    return gnuQuoteValue(this.words[this.at - 1] ?? '');
  }
}

/** At the start of the text: the first group of the pattern, or how many characters match. */
function match(text: string, pattern: string, look: Look): string {
  const regex = compileRegex(pattern, { syntax: 'basic', look });
  if (regex instanceof RegexError) throw new Problem(regex.message);
  const bytes = toByteString(text);
  const spans = regex.exec(bytes);
  const found = spans !== null && spans[0] === 0;
  const part = (pair: number): string => {
    const start = spans?.[2 * pair] ?? -1;
    return start < 0 ? '' : decode(Buffer.from(bytes.slice(start, spans?.[2 * pair + 1]), 'latin1'));
  };
  if (regex.groups > 0) return found ? part(1) : '';
  return found ? String(codePoints(part(0))) : '0';
}

/** The place of the first of these characters, counted from 1; 0 where there is none. */
function indexOfAny(text: string, wanted: ReadonlySet<string>): number {
  let at = 0;
  for (const character of text) {
    at++;
    worked(1);
    if (wanted.has(character)) return at;
  }
  return 0;
}

/** Characters `from`, counted from 1, and on. Nothing where a number is none or not positive. */
function substring(text: string, from: string, length: string): string {
  if (!isInteger(from) || !isInteger(length)) return '';
  const start = Number(from);
  const count = Number(length);
  return start < 1 || count < 1 ? '' : sliceCodePoints(text, start - 1, start - 1 + count);
}
