/** `for ((first; test; next))` (bash). */

import type { Outcome } from '../../builtins/kit/outcome.js';
import type { ArithmeticFor, ArithmeticText } from '../../grammar/ast.js';
import { evaluateExpansion } from '../expansion/arithmetic.js';
import { ExpansionError } from '../expansion/host.js';
import type { Awaitable } from '../steps.js';
import type { Int } from '../text/int64.js';
import { atLoop } from './compound.js';
import { runList } from './lists.js';
import type { ShellState } from './state.js';

/** Turns that need not wait are run at once; the function is asynchronous for those that do, once a loop. */
export async function runArithmeticFor(shell: ShellState, node: ArithmeticFor): Promise<Outcome> {
  shell.loopDepth += 1;
  try {
    return await turns(shell, node);
  } catch (error) {
    // As for `((...))`: an expression that is wrong is a message and 1, and the script goes on.
    if (!(error instanceof ExpansionError)) throw error;
    shell.complain(error.message);
    return 1;
  } finally {
    shell.loopDepth -= 1;
  }
}

async function turns(shell: ShellState, node: ArithmeticFor): Promise<Outcome> {
  let last = 0;
  const first = value(shell, node.first);
  if (first instanceof Promise) await first;
  for (;;) {
    const pause = shell.tick();
    if (pause !== undefined) await pause;
    if (node.test !== undefined) {
      const test = value(shell, node.test);
      if ((test instanceof Promise ? await test : test) === 0) return last;
    }
    const result = runList(shell, node.body);
    const ended = result instanceof Promise ? await result : result;
    if (typeof ended === 'number') last = ended;
    else {
      const left = atLoop(ended);
      if (left !== undefined) return left;
      last = 0;
    }
    const next = value(shell, node.next);
    if (next instanceof Promise) await next;
  }
}

function value(shell: ShellState, text: ArithmeticText | undefined): Awaitable<Int> {
  return text === undefined ? 0 : evaluateExpansion(shell, text);
}
