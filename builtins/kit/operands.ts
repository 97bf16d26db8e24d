/** Commands that do the same to each operand. */
import { type Awaitable, andThen } from '../../src/steps.js';
import type { BaseContext } from './context.js';
import { forEach } from './repeat.js';

/** Calls `f` with each operand, a tick before each; the status is the largest that `f` answers. */
export function eachOperand(
  context: Pick<BaseContext, 'tick'>,
  operands: readonly string[],
  f: (operand: string) => Awaitable<number>,
): Awaitable<number> {
  let status = 0;
  const one = (operand: string): Awaitable<undefined> =>
    andThen(f(operand), (answer) => {
      status = Math.max(status, answer);
      return undefined;
    });
  return andThen(
    forEach(operands, (operand) => andThen(context.tick(), () => one(operand))),
    () => status,
  );
}
