/** The end of a shell, and its EXIT trap (POSIX 2.15 trap). */
import { type Outcome, statusOf } from '../../builtins/kit/outcome.js';
import { type Awaitable, andThen } from '../steps.js';
import { evaluate } from './run.js';
import { SignalGroup, takeSignals } from './signals.js';
import type { ShellState } from './state.js';

/** What SIGKILL leaves: nothing can be done about it. */
const KILLED = 128 + 9;

/** Runs the EXIT action, if there is one; the shell's status is `status`, unless the action itself exits with another. */
export function endShell(shell: ShellState, status: number): Awaitable<number> {
  return andThen(lastSignals(shell, status), (late) => exitTrap(shell, late));
}

function exitTrap(shell: ShellState, status: number): Awaitable<number> {
  const action = shell.traps.get('EXIT');
  if (action === undefined || action === '' || shell.exitTrapRun) return status;
  const fatal = shell.signals.fatalFor(shell);
  if (fatal === KILLED) return status;
  // A signal that ends the shell lets the action run (as in bash, mksh and ksh: scripts clean up in it), so it has to be over.
  if (fatal !== undefined) {
    shell.signals = new SignalGroup();
    shell.signals.leader = shell;
  }
  shell.exitTrapRun = true;
  shell.status = status;
  shell.trapStatus = status;
  shell.loopDepth = 0;
  const ended = (outcome: Outcome): Awaitable<number> =>
    lastSignals(shell, typeof outcome === 'object' && outcome.kind === 'exit' ? outcome.status : status);
  return andThen(evaluate(shell, action, 'trap'), ended);
}

/** Signals that the last command sent, and no other comes to take: `sh -c 'kill $$'` ends with 143. */
function lastSignals(shell: ShellState, status: number): Awaitable<number> {
  if (!shell.signals.concerns(shell)) return status;
  return andThen(takeSignals(shell), (outcome) => (outcome === undefined ? status : statusOf(outcome)));
}
