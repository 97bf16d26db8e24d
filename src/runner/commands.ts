/** Commands by their kind, and the hop that keeps the JavaScript stack short. */

import { completion, type Outcome } from '../../builtins/kit/outcome.js';
import type { Command, CompoundCommand } from '../../grammar/ast.js';
import { ExpansionError, NoMatch } from '../expansion/host.js';
import { type Awaitable, andThen } from '../steps.js';
import { runArithmeticFor } from './arithmetic-for.js';
import { runCase, runFor, runIf, runWhile } from './compound.js';
import { runArithmeticCommand, runConditional } from './conditional.js';
import { defineFunction } from './functions.js';
import { runList } from './lists.js';
import { isNotRun } from './options.js';
import { takeBack } from './process-substitution.js';
import { withRedirections } from './redirections.js';
import { runSelect } from './select.js';
import { runSimple } from './simple.js';
import type { ShellState } from './state.js';
import { runSubshell } from './subshells.js';

/**
 * Steps nested this deep go on from a fresh stack. A level of shell recursion is about ten frames; Node's default stack holds
 * some ten thousand. (Measured: see test/runner/recursion.test.ts, which recurses through every kind of command.)
 */
const STEPS_BEFORE_HOP = 120;

let depth = 0;

/** Runs `step`, from the bottom of the stack when it is nested too deep. */
export function nested<T>(step: () => Awaitable<T>): Awaitable<T> {
  if (depth >= STEPS_BEFORE_HOP) return hop(step);
  depth += 1;
  try {
    return step();
  } finally {
    depth -= 1;
  }
}

/** A continuation starts with an empty stack, whatever the depth was where the promise was made. */
async function hop<T>(step: () => Awaitable<T>): Promise<T> {
  await undefined;
  return nested(step);
}

export function runCommand(shell: ShellState, command: Command): Awaitable<Outcome> {
  switch (command.kind) {
    case 'SimpleCommand':
      return runSimple(shell, command);
    case 'FunctionDefinition':
      return defineFunction(shell, command);
    default:
      return runCompound(shell, command);
  }
}

/**
 * A compound command with its redirections; an expansion that fails in its own words ends the shell. `failed`: what a redirection that cannot
 * be made comes to, or a file that cannot be closed: no command inside has met `set -e` for it.
 */
export function runCompound(
  shell: ShellState,
  command: CompoundCommand,
  failed?: (shell: ShellState, outcome: Outcome) => Awaitable<Outcome>,
): Awaitable<Outcome> {
  // A loop would wait for ever for the status of a condition that is not run.
  if (isNotRun(shell)) return 0;
  return nested(() => {
    if (command.redirections.length === 0) return compoundBody(shell, command);
    const lent = shell.lent.length;
    let ended: Outcome | undefined;
    const outcome = withRedirections(shell, command.redirections, () => {
      // `done < <(list)`: the redirection has its own use of the descriptor by now.
      takeBack(shell, lent);
      return andThen(compoundBody(shell, command), (late) => {
        ended = late;
        return late;
      });
    });
    if (failed === undefined) return outcome;
    return andThen(outcome, (late) => (late === ended ? late : failed(shell, late)));
  });
}

function compoundBody(shell: ShellState, command: CompoundCommand): Awaitable<Outcome> {
  try {
    const outcome = compound(shell, command);
    return outcome instanceof Promise ? outcome.catch((error: unknown) => expansionFailed(shell, error)) : outcome;
  } catch (error) {
    return expansionFailed(shell, error);
  }
}

function compound(shell: ShellState, command: CompoundCommand): Awaitable<Outcome> {
  switch (command.kind) {
    case 'BraceGroup':
      return runList(shell, command.body);
    case 'Subshell':
      if (shell.trapCommand === undefined) shell.command = command;
      return runSubshell(shell, command.body);
    case 'If':
      return runIf(shell, command);
    case 'For':
      return runFor(shell, command);
    case 'While':
      return runWhile(shell, command);
    case 'Case':
      return runCase(shell, command);
    case 'ArithmeticFor':
      return runArithmeticFor(shell, command);
    case 'Select':
      return runSelect(shell, command);
    case 'ArithmeticCommand':
      return runArithmeticCommand(shell, command);
    case 'Conditional':
      return runConditional(shell, command);
  }
}

/** An expansion error prints its message and ends the shell it happens in (POSIX 2.8.1). Anything else goes on up. */
export function expansionFailed(shell: ShellState, error: unknown): Outcome {
  if (!(error instanceof ExpansionError)) throw error;
  shell.complain(error.message);
  return completion(error instanceof NoMatch ? 'discard' : 'error', error.status);
}
