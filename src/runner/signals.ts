/** Signals that a script sends with `kill`, or the host sends to the command line: taken at the next command. */
import { completion, type Outcome } from '../../builtins/kit/outcome.js';
import { signalNumber } from '../../builtins/kit/signals.js';
import type { Awaitable } from '../steps.js';
import { evaluate } from './run.js';
import type { ShellState } from './state.js';

/** Signals whose default is to do nothing. */
const HARMLESS = new Set(['CHLD', 'CONT', 'URG', 'WINCH']);

/**
 * Takes the signals that have come: a trap's action is run, an ignored one is dropped, and any other ends the shell with 128 and
 * its number. Undefined: go on.
 */
export function takeSignals(shell: ShellState): Awaitable<Outcome | undefined> {
  for (;;) {
    const signal = shell.pendingSignals.shift();
    if (signal === undefined) return undefined;
    const action = signal === 'KILL' || signal === 'STOP' ? undefined : shell.traps.get(signal);
    if (action === '') continue;
    if (action === undefined) {
      if (HARMLESS.has(signal)) continue;
      return completion('exit', 128 + signalNumber(signal));
    }
    const status = shell.status;
    const outcome = evaluate(shell, action);
    if (outcome instanceof Promise) {
      return outcome.then((late) => {
        if (typeof late !== 'number') return late;
        shell.status = status;
        return takeSignals(shell);
      });
    }
    if (typeof outcome !== 'number') return outcome;
    shell.status = status;
  }
}
