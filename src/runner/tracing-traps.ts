/** `trap ... DEBUG` and `trap ... RETURN` (bash): before each command, and when a function or a file of `.` has ended. */
import type { Outcome } from '../../builtins/kit/outcome.js';
import { type Awaitable, andThen, lastly } from '../steps.js';
import type { RunningCommand } from './command-text.js';
import { OPTIONS } from './options.js';
import { evaluate } from './run.js';
import type { ShellState } from './state.js';

/** Runs the DEBUG action before `command`; undefined when there is none. A completion takes the command's place. */
export function debugTrap(shell: ShellState, command: RunningCommand): Awaitable<Outcome> | undefined {
  if (shell.trapCommand === undefined) shell.command = command;
  const action = shell.traps.get('DEBUG');
  if (action === undefined || action === '' || shell.inDebugTrap) return undefined;
  if (shell.debugged === command) {
    shell.debugged = undefined;
    return undefined;
  }
  shell.inDebugTrap = true;
  shell.offset = command.start;
  return lastly(
    () => keepingStatus(shell, action),
    () => {
      shell.inDebugTrap = false;
    },
  );
}

/** Runs what `run` does after the DEBUG action, if there is one. */
export function traced(shell: ShellState, command: RunningCommand, run: () => Awaitable<Outcome>): Awaitable<Outcome> {
  const before = debugTrap(shell, command);
  if (before === undefined) return run();
  return andThen(before, (outcome) => (typeof outcome === 'number' ? run() : outcome));
}

/** Runs the RETURN action; undefined when there is none. */
export function returnTrap(shell: ShellState): Awaitable<Outcome> | undefined {
  const action = shell.traps.get('RETURN');
  if (action === undefined || action === '' || shell.inReturnTrap) return undefined;
  shell.inReturnTrap = true;
  return lastly(
    () => keepingStatus(shell, action),
    () => {
      shell.inReturnTrap = false;
    },
  );
}

/** Runs an action after which `$?` is what it was before. */
function keepingStatus(shell: ShellState, action: string): Awaitable<Outcome> {
  const { status, trapStatus, pipeStatus } = shell;
  shell.trapStatus = status;
  return lastly(
    () => evaluate(shell, action, 'trap'),
    () => {
      shell.status = status;
      shell.trapStatus = trapStatus;
      shell.pipeStatus = pipeStatus;
    },
  );
}

/** Traps that a function, or with `files` a file of `.`, does not have unless an option says so, and which option. */
const INHERITED = [
  { condition: 'DEBUG', option: OPTIONS.functrace.bit, files: true },
  { condition: 'RETURN', option: OPTIONS.functrace.bit, files: false },
  { condition: 'ERR', option: OPTIONS.errtrace.bit, files: false },
] as const;

/** Takes away the traps that are not inherited, until what is returned is called; undefined when there are none. */
export function hideTraps(shell: ShellState, what: 'function' | 'file', traced = false): (() => void) | undefined {
  if (shell.traps.size === 0) return undefined;
  let hidden: Map<string, string> | undefined;
  for (const { condition, option, files } of INHERITED) {
    const action = shell.traps.get(condition);
    if (
      action === undefined ||
      (shell.options & option) !== 0 ||
      (traced && option === OPTIONS.functrace.bit) ||
      (what === 'file' && !files)
    )
      continue;
    hidden ??= new Map();
    hidden.set(condition, action);
    shell.setTrap(condition, undefined);
  }
  if (hidden === undefined) return undefined;
  const back = hidden;
  return () => {
    // one that was set meanwhile stays
    for (const [condition, action] of back) if (!shell.traps.has(condition)) shell.setTrap(condition, action);
  };
}
