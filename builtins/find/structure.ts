/** Operators and parentheses of find (POSIX XCU find, OPERANDS), by precedence: `!`, `-a`, `-o`, `,`. */
import { limitReached } from '../../src/limits.js';
import type { Expression } from './expression.js';
import { BadExpression } from './search.js';

export type Token =
  | { readonly kind: 'test'; readonly text: string; readonly expression: Expression }
  | {
      readonly kind: 'open' | 'close' | 'not' | 'and' | 'or' | 'comma';
      readonly text: string;
      /** Put there by us, around an expression without an action. */
      readonly artificial?: true;
    };

const OPERATORS: ReadonlyMap<string, Exclude<Token['kind'], 'test'>> = new Map([
  ['(', 'open'],
  [')', 'close'],
  ['!', 'not'],
  ['-not', 'not'],
  ['-a', 'and'],
  ['-and', 'and'],
  ['-o', 'or'],
  ['-or', 'or'],
  [',', 'comma'],
]);

export function operatorOf(word: string): Token | undefined {
  const kind = OPERATORS.get(word);
  return kind === undefined ? undefined : { kind, text: word };
}

/** `( tokens ) -print`, as POSIX has it: parentheses of the tokens that do not match meet these. */
export function withPrint(tokens: readonly Token[], print: Expression): readonly Token[] {
  return [
    { kind: 'open', text: '(', artificial: true },
    ...tokens,
    { kind: 'close', text: ')', artificial: true },
    { kind: 'test', text: '-print', expression: print },
  ];
}

/** The tree of all tokens. `maxNesting` bounds the parentheses, since this recurses. */
export function structure(tokens: readonly Token[], maxNesting: number): Expression {
  const reader = new Reader(tokens, maxNesting);
  const expression = reader.list();
  const left = reader.peek();
  if (left !== undefined) throw new BadExpression("you have too many ')'");
  return expression;
}

class Reader {
  private readonly tokens: readonly Token[];
  private readonly maxNesting: number;
  private next = 0;
  private depth: number;

  constructor(tokens: readonly Token[], maxNesting: number) {
    this.tokens = tokens;
    this.maxNesting = maxNesting;
    // The pair that is ours is not the script's.
    const first = tokens[0];
    this.depth = first?.kind === 'open' && first.artificial === true ? -1 : 0;
  }

  peek(): Token | undefined {
    return this.tokens[this.next];
  }

  /** `a , b`. */
  list(): Expression {
    return this.chain('each', 'comma', () => this.chain('any', 'or', () => this.conjunction()));
  }

  private chain(kind: 'each' | 'any', operator: Token['kind'], operand: () => Expression): Expression {
    const first = operand();
    if (this.peek()?.kind !== operator) return first;
    const items = [first];
    while (this.peek()?.kind === operator) {
      this.next++;
      items.push(operand());
    }
    return { kind, items };
  }

  /** `a b`, `a -a b`: the operator may be left out. */
  private conjunction(): Expression {
    const first = this.operand();
    const items = [first];
    for (;;) {
      const kind = this.peek()?.kind;
      if (kind === undefined || kind === 'close' || kind === 'or' || kind === 'comma') break;
      if (kind === 'and') this.next++;
      items.push(this.operand());
    }
    return items.length === 1 ? first : { kind: 'all', items };
  }

  private operand(): Expression {
    const before = this.tokens[this.next - 1];
    const token = this.tokens[this.next++];
    switch (token?.kind) {
      case 'test':
        return token.expression;
      case 'not':
        return this.negation();
      case 'open':
        return this.group();
      case 'close':
      case undefined:
        throw missingOperand(before, token);
      default:
        throw new BadExpression(
          `invalid expression; you have used a binary operator '${token.text}' with nothing before it.`,
        );
    }
  }

  private negation(): Expression {
    let negative = true;
    while (this.peek()?.kind === 'not') {
      this.next++;
      negative = !negative;
    }
    const operand = this.operand();
    return negative ? { kind: 'not', operand } : operand;
  }

  private group(): Expression {
    if (++this.depth > this.maxNesting) throw limitReached('maxNesting', this.maxNesting);
    const next = this.peek();
    if (next === undefined || (next.kind === 'close' && next.artificial)) {
      throw new BadExpression(
        "invalid expression; expected to find a ')' but didn't see one. Perhaps you need an extra predicate after '('",
      );
    }
    if (next.kind === 'close') {
      throw new BadExpression('invalid expression; empty parentheses are not allowed.');
    }
    const inner = this.list();
    if (this.peek()?.kind !== 'close') {
      throw new BadExpression("invalid expression; I was expecting to find a ')' somewhere but did not see one.");
    }
    this.next++;
    this.depth--;
    return inner;
  }
}

function missingOperand(before: Token | undefined, token: Token | undefined): BadExpression {
  if (token === undefined || before === undefined) return new BadExpression('invalid expression');
  if (token.kind === 'close' && token.artificial) {
    return new BadExpression(`expected an expression after '${before.text}'`);
  }
  return before.kind === 'open' || before.kind === 'close' || before.kind === 'test'
    ? new BadExpression("invalid expression; you have too many ')'")
    : new BadExpression(`expected an expression between '${before.text}' and ')'`);
}
