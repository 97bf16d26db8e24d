/** Parameters whose value is made when it is asked for: `LINENO`, `RANDOM`, `SECONDS`, `FUNCNAME` ... (POSIX 2.5.3, bash). */
import { randomInt } from 'node:crypto';
import { commandText } from './command-text.js';
import type { Call, ShellState } from './state.js';
import { processNumber } from './subshell-process.js';

/** The value of a name that no variable has; undefined when it is unset. */
export function dynamicValue(shell: ShellState, name: string): string | undefined {
  switch (name) {
    case 'LINENO':
      return String(shell.line);
    case 'BASH_COMMAND': {
      const command = shell.trapCommand ?? shell.command;
      return command === undefined ? undefined : commandText(command);
    }
    case 'RANDOM':
      return String(randomInt(32_768));
    case 'SRANDOM':
      return String(randomInt(2 ** 32));
    case 'SECONDS':
      return String(Math.floor((Date.now() - shell.scope.startedAt) / 1000));
    case 'EPOCHSECONDS':
      return String(Math.floor(Date.now() / 1000));
    case 'EPOCHREALTIME':
      return (Date.now() / 1000).toFixed(6);
    case 'UID':
    case 'EUID':
      return String(shell.scope.host.uid);
    case 'HOSTNAME':
      return shell.scope.host.hostName();
    case 'BASHPID':
      return String(processNumber(shell));
    case 'BASH_SUBSHELL':
      return String(shell.subshellDepth);
    case 'SHELLOPTS':
    case 'BASHOPTS':
      return undefined;
    case 'DIRSTACK':
    case 'FUNCNAME':
    case 'BASH_SOURCE':
    case 'BASH_LINENO':
    case 'PIPESTATUS':
      return dynamicElements(shell, name)[0];
    default:
      return undefined;
  }
}

/** The elements of an array that no variable has; a plain name has its one value. */
export function dynamicElements(shell: ShellState, name: string): readonly string[] {
  switch (name) {
    case 'PIPESTATUS':
      return (shell.pipeStatus ?? [shell.status]).map(String);
    case 'FUNCNAME': {
      const names = callsOf(shell).map((call) => call.name);
      return names.length === 0 ? [] : [...names, 'main'];
    }
    case 'DIRSTACK':
      return [shell.logicalCwd, ...shell.directoryStack];
    case 'BASH_SOURCE':
      return [shell.source.name, ...callsOf(shell).map((call) => call.source.name)];
    case 'BASH_LINENO':
      return [...callsOf(shell).map((call) => String(call.source.lineOf(call.offset))), '0'];
    default: {
      const value = dynamicValue(shell, name);
      return value === undefined ? [] : [value];
    }
  }
}

/** The running calls, the innermost first. */
function callsOf(shell: ShellState): readonly Call[] {
  const calls: Call[] = [];
  for (let call = shell.calls; call !== undefined; call = call.caller) calls.push(call);
  return calls;
}
