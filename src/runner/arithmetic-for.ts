/** `for ((first; test; next))` (bash). */

import type { Completion, Outcome } from '../../builtins/kit/outcome.js';
import type { ArithmeticFor, ArithmeticText } from '../../grammar/ast.js';
import { evaluateExpansion } from '../expansion/arithmetic.js';
import { ExpansionError, ExpressionError } from '../expansion/host.js';
import { type Awaitable, andThen } from '../steps.js';
import type { Int } from '../text/int64.js';
import { atLoop } from './compound.js';
import { runList } from './lists.js';
import type { ShellState } from './state.js';
import { traceArithmetic } from './trace.js';
import { debugTrap } from './tracing-traps.js';

/** Turns that need not wait are run at once; the function is asynchronous for those that do, once a loop. */
export async function runArithmeticFor(shell: ShellState, node: ArithmeticFor): Promise<Outcome> {
  shell.loopDepth += 1;
  try {
    return await turns(shell, node);
  } catch (error) {
    // As for `((...))`: an expression that is wrong is a message and 1, and the script goes on.
    if (!(error instanceof ExpansionError)) throw error;
    shell.complain(error instanceof ExpressionError ? `((: ${error.message}` : error.message);
    return 1;
  } finally {
    shell.loopDepth -= 1;
  }
}

async function turns(shell: ShellState, node: ArithmeticFor): Promise<Outcome> {
  let last = 0;
  const first = await value(shell, node.first);
  if (typeof first === 'object') return first;
  for (;;) {
    const pause = shell.tick();
    if (pause !== undefined) await pause;
    if (node.test !== undefined) {
      const tested = value(shell, node.test);
      const test = tested instanceof Promise ? await tested : tested;
      if (test === 0) return last;
      if (typeof test === 'object') return test;
    }
    const result = runList(shell, node.body);
    const ended = result instanceof Promise ? await result : result;
    if (typeof ended === 'number') last = ended;
    else {
      const left = atLoop(ended);
      if (left !== undefined) return left;
      last = 0;
    }
    const stepped = value(shell, node.next);
    const next = stepped instanceof Promise ? await stepped : stepped;
    if (typeof next === 'object') return next;
  }
}

/** The value of an expression of the head; a completion when its DEBUG action ended the loop. */
function value(shell: ShellState, text: ArithmeticText | undefined): Awaitable<Int | Completion> {
  if (text === undefined) return 0;
  const evaluate = (): Awaitable<Int> => {
    if (shell.tracing) traceArithmetic(shell, text);
    return evaluateExpansion(shell, text);
  };
  const before = shell.traps.size === 0 ? undefined : debugTrap(shell, text);
  if (before === undefined) return evaluate();
  return andThen(
    before,
    (outcome): Awaitable<Int | Completion> => (typeof outcome === 'number' ? evaluate() : outcome),
  );
}
