/** A subshell as the process it would be elsewhere: with a number, and signals of its own. Few are ever asked for either. */
import { SignalGroup } from './signals.js';
import type { ShellState } from './state.js';

/** `$BASHPID`. A subshell that is asked for it can be signalled by it from then on, until it ends. */
export function processNumber(shell: ShellState): number {
  if (shell.subshellDepth === 0) return shell.process.pid;
  const { counters, processes } = shell.scope;
  shell.subshellPid ??= counters.nextPid++;
  const pid = shell.subshellPid;
  if (processes.has(pid)) return pid;
  ownGroup(shell);
  processes.set(pid, { ...shell.process, pid, parentPid: shell.process.pid, main: shell });
  whenOver(shell, () => processes.delete(pid));
  return pid;
}

/** The group of signals that `shell` leads; one that is new to it ends with the group it was in. */
export function ownGroup(shell: ShellState): SignalGroup {
  if (shell.signals.leader === shell) return shell.signals;
  const group = new SignalGroup();
  group.leader = shell;
  group.guarded = shell.signals.guarded;
  whenOver(shell, shell.signals.adopt(group));
  shell.signals = group;
  return group;
}

function whenOver(shell: ShellState, step: () => void): void {
  const { leaveGroup } = shell;
  shell.leaveGroup = () => {
    step();
    leaveGroup?.();
  };
}
