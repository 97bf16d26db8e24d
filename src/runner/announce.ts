/** Commands on record: before they run, and when they are refused. */
import type { CommandEvent, Route } from '../audit.js';
import type { PolicyRule } from '../errors.js';
import type { Waiting } from '../steps.js';
import type { Target } from './invoke.js';
import type { ShellState } from './state.js';

/** Puts a command on record before it runs, and before its redirections are made. */
export function announce(shell: ShellState, target: Target, argv: readonly string[], route?: Route): Waiting {
  const { audit } = shell.scope;
  // What is refused is put on record as that.
  if (audit === undefined || target.kind === 'refused') return undefined;
  const { calls, source, line, process, subshellDepth } = shell;
  const event: CommandEvent = {
    event: 'command',
    argv,
    kind: target.kind,
    ...(target.kind === 'external' ? { program: target.program.path } : {}),
    route: route ?? source.route,
    ...(calls === undefined || shell.functionDepth === 0 ? {} : { function: calls.name }),
    source: source.name,
    line,
    pid: process.pid,
    subshell: subshellDepth,
  };
  // What was done before is on record before anything else is begun.
  const { pending } = audit;
  return pending === undefined ? audit.emit(event) : pending.then(() => audit.emit(event));
}

export function refuseCommand(shell: ShellState, argv: readonly string[], rule: PolicyRule): void {
  const command = argv[0] ?? '';
  const { name: source } = shell.source;
  shell.scope.refused({ action: 'run', argv, command, source, line: shell.line, outcome: 'refused', rule });
}
