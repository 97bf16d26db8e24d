/** Lists, AND-OR lists and negation (POSIX 2.9.2, 2.9.3), and what `set -e` makes of a failure. */

import { completion, type Outcome, statusOf } from '../../builtins/kit/outcome.js';
import type { AndOr, Command, List, ListItem, Pipeline, Statement } from '../../grammar/ast.js';
import type { Awaitable } from '../steps.js';
import { runCommand, runCompound } from './commands.js';
import { startJob } from './jobs.js';
import { OPTIONS } from './options.js';
import { runStages } from './pipelines.js';
import { evaluate } from './run.js';
import type { ShellState } from './state.js';
import { timed } from './timed.js';

/** Runs a list: the outcome of its last item; 0 for an empty one. Leaves `$?` set. */
export function runList(shell: ShellState, list: List): Awaitable<Outcome> {
  const { items } = list;
  let outcome: Outcome = 0;
  for (let i = 0; i < items.length; i++) {
    const result = runItem(shell, items[i] as ListItem);
    if (typeof result === 'number') {
      shell.status = result;
      outcome = result;
    } else if (result instanceof Promise) {
      return finishList(shell, items, i, result);
    } else {
      // what was before a `return` is what the RETURN trap sees
      if (result.kind !== 'return') shell.status = result.status;
      return result;
    }
  }
  return outcome;
}

/** The rest of a list, one of whose items had to wait. */
async function finishList(
  shell: ShellState,
  items: readonly ListItem[],
  index: number,
  pending: Promise<Outcome>,
): Promise<Outcome> {
  let outcome = await pending;
  for (let i = index; ; ) {
    if (typeof outcome === 'number' || outcome.kind !== 'return') shell.status = statusOf(outcome);
    if (typeof outcome !== 'number') return outcome;
    i += 1;
    if (i >= items.length) return outcome;
    const result = runItem(shell, items[i] as ListItem);
    outcome = typeof result === 'number' ? result : await result;
  }
}

function runItem(shell: ShellState, item: ListItem): Awaitable<Outcome> {
  return item.background ? startJob(shell, item.statement) : runStatement(shell, item.statement);
}

export function runStatement(shell: ShellState, statement: Statement): Awaitable<Outcome> {
  switch (statement.kind) {
    case 'AndOr':
      return runAndOr(shell, statement);
    case 'Pipeline':
      return runPipeline(shell, statement);
    case 'SimpleCommand':
    case 'ArithmeticCommand':
    case 'Conditional':
    case 'Subshell': {
      // a trap that the command itself sets is not for its own failure
      const trapped = shell.traps.size > 0 && shell.traps.has('ERR');
      const outcome = runCommand(shell, statement);
      // One that has to wait may still ask for it.
      if (outcome instanceof Promise) {
        return outcome.then((late) => {
          shell.pipeStatus = undefined;
          return afterFailure(shell, late, trapped);
        });
      }
      shell.pipeStatus = undefined;
      return outcome === 0 ? 0 : afterFailure(shell, outcome, trapped);
    }
    case 'FunctionDefinition':
      return runCommand(shell, statement);
    default:
      // A compound command fails because of a command in it, which has met `set -e` already, or is exempt; or of its own redirections.
      return runCompound(shell, statement, afterFailure);
  }
}

/** `set -e`: a command that failed ends the shell, unless it stands where its status is asked for (POSIX 2.15 set). */
export function afterFailure(
  shell: ShellState,
  outcome: Outcome,
  trapped = shell.traps.has('ERR'),
): Awaitable<Outcome> {
  if (typeof outcome !== 'number' || outcome === 0 || shell.errexitIgnored > 0) return outcome;
  const ending = (shell.options & OPTIONS.errexit.bit) === 0 ? outcome : completion('exit', outcome);
  return trapped ? runErrorTrap(shell, outcome, ending) : ending;
}

/** `trap ... ERR` (bash): runs where `set -e` would end the shell, before it does; in functions only with `set -E`. */
function runErrorTrap(shell: ShellState, status: number, ending: Outcome): Awaitable<Outcome> {
  const action = shell.traps.get('ERR') ?? '';
  if (action === '' || shell.inErrorTrap) return ending;
  shell.inErrorTrap = true;
  shell.status = status;
  const { pipeStatus } = shell;
  const done = (late: Outcome): Outcome => {
    shell.inErrorTrap = false;
    shell.pipeStatus = pipeStatus;
    shell.status = status;
    return typeof late === 'number' ? ending : late;
  };
  const outcome = evaluate(shell, action, 'trap');
  return outcome instanceof Promise ? outcome.then(done) : done(outcome);
}

/** `a && b || c`. All but the last command may fail without ending a `set -e` shell. */
function runAndOr(shell: ShellState, node: AndOr): Awaitable<Outcome> {
  shell.errexitIgnored += 1;
  let outcome: Awaitable<Outcome>;
  try {
    outcome = runStatement(shell, node.first);
  } catch (error) {
    shell.errexitIgnored -= 1;
    throw error;
  }
  const last = node.rest.length - 1;
  for (let i = 0; i <= last; i++) {
    if (typeof outcome !== 'number') {
      if (outcome instanceof Promise) return finishAndOr(shell, node, i, outcome);
      break;
    }
    shell.status = outcome;
    const { operator, statement } = node.rest[i] as AndOr['rest'][number];
    if ((outcome === 0) !== (operator === '&&')) continue;
    if (i === last) {
      shell.errexitIgnored -= 1;
      return runStatement(shell, statement);
    }
    try {
      outcome = runStatement(shell, statement);
    } catch (error) {
      shell.errexitIgnored -= 1;
      throw error;
    }
  }
  shell.errexitIgnored -= 1;
  return outcome;
}

async function finishAndOr(shell: ShellState, node: AndOr, index: number, pending: Promise<Outcome>): Promise<Outcome> {
  let ignoring = true;
  try {
    let outcome = await pending;
    for (let i = index; i < node.rest.length && typeof outcome === 'number'; i++) {
      shell.status = outcome;
      const { operator, statement } = node.rest[i] as AndOr['rest'][number];
      if ((outcome === 0) !== (operator === '&&')) continue;
      if (i === node.rest.length - 1) {
        ignoring = false;
        shell.errexitIgnored -= 1;
      }
      outcome = await runStatement(shell, statement);
    }
    return outcome;
  } finally {
    if (ignoring) shell.errexitIgnored -= 1;
  }
}

function runPipeline(shell: ShellState, node: Pipeline): Awaitable<Outcome> {
  return node.timed === 'no' ? runUntimed(shell, node) : timed(shell, node.timed, () => runUntimed(shell, node));
}

function runUntimed(shell: ShellState, node: Pipeline): Awaitable<Outcome> {
  if (node.commands.length === 0) return node.negated ? 1 : 0;
  if (!node.negated) {
    if (node.commands.length === 1) return runStatement(shell, node.commands[0] as Command);
    const outcome = runStages(shell, node);
    return outcome instanceof Promise
      ? outcome.then((late) => afterFailure(shell, late))
      : afterFailure(shell, outcome);
  }
  shell.errexitIgnored += 1;
  let outcome: Awaitable<Outcome>;
  try {
    outcome = node.commands.length === 1 ? runStatement(shell, node.commands[0] as Command) : runStages(shell, node);
  } catch (error) {
    shell.errexitIgnored -= 1;
    throw error;
  }
  if (outcome instanceof Promise) {
    return outcome
      .finally(() => {
        shell.errexitIgnored -= 1;
      })
      .then((late) => negate(shell, late));
  }
  shell.errexitIgnored -= 1;
  return negate(shell, outcome);
}

/** In `$PIPESTATUS` it is not negated. */
function negate(shell: ShellState, outcome: Outcome): Outcome {
  if (typeof outcome !== 'number') return outcome;
  shell.pipeStatus ??= [outcome];
  return outcome === 0 ? 1 : 0;
}
