/** The expression of find as a tree, and its value for one file. */
import { type Awaitable, isPromise } from '../../src/steps.js';
import type { Entry } from '../kit/walk/entry.js';

/** What one test or action says of a file. */
export type Test = (entry: Entry) => Awaitable<boolean>;

export type Expression =
  | { readonly kind: 'test'; readonly test: Test }
  | { readonly kind: 'not'; readonly operand: Expression }
  /** `-a`: as long as they are true. `-o`: until one is true. `,`: all of them, and the last one's value. */
  | { readonly kind: 'all' | 'any' | 'each'; readonly items: readonly Expression[] };

/** `stopped` is asked between the parts: after `-quit` nothing more is evaluated. */
export function evaluate(expression: Expression, entry: Entry, stopped: () => boolean): Awaitable<boolean> {
  if (expression.kind === 'test') return expression.test(entry);
  if (expression.kind === 'not') {
    const value = evaluate(expression.operand, entry, stopped);
    return isPromise(value) ? value.then((is) => !is) : !value;
  }
  return evaluateFrom(expression, 0, entry, stopped);
}

function evaluateFrom(
  expression: Extract<Expression, { readonly items: unknown }>,
  from: number,
  entry: Entry,
  stopped: () => boolean,
): Awaitable<boolean> {
  const { kind, items } = expression;
  let value = true;
  for (let i = from; i < items.length; i++) {
    const next = evaluate(items[i] as Expression, entry, stopped);
    if (isPromise(next)) {
      return next.then((is) => (decided(kind, is) || stopped() ? is : rest(i + 1, is)));
    }
    value = next;
    if (decided(kind, value) || stopped()) break;
  }
  return value;

  function rest(index: number, is: boolean): Awaitable<boolean> {
    return index < items.length ? evaluateFrom(expression, index, entry, stopped) : is;
  }
}

function decided(kind: 'all' | 'any' | 'each', value: boolean): boolean {
  return kind === 'all' ? !value : kind === 'any' && value;
}
