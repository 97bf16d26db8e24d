/** The end of a shell, and its EXIT trap (POSIX 2.15 trap). */
import type { Outcome } from '../../builtins/kit/outcome.js';
import type { Awaitable } from '../steps.js';
import { evaluate } from './run.js';
import type { ShellState } from './state.js';

/** Runs the EXIT action, if there is one; the shell's status is `status`, unless the action itself exits with another. */
export function endShell(shell: ShellState, status: number): Awaitable<number> {
  const action = shell.traps.get('EXIT');
  if (action === undefined || action === '' || shell.exitTrapRun) return status;
  shell.exitTrapRun = true;
  shell.status = status;
  shell.loopDepth = 0;
  const outcome = evaluate(shell, action);
  const ended = (late: Outcome): number => (typeof late === 'object' && late.kind === 'exit' ? late.status : status);
  return outcome instanceof Promise ? outcome.then(ended) : ended(outcome);
}
