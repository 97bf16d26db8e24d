/** Parameters whose value is made when it is asked for: `LINENO`, `RANDOM`, `SECONDS`, `FUNCNAME` ... (POSIX 2.5.3, bash). */
import { randomInt } from 'node:crypto';
import { parseInt64 } from '../text/int64.js';
import { commandText } from './command-text.js';
import { isSettable, OPTIONS, type OptionName, optionNames } from './options.js';
import { SHOPT, shoptNames } from './shopt.js';
import type { Call, ShellState } from './state.js';
import { processNumber } from './subshell-process.js';

/** The value of a name that no variable has; undefined when it is unset. */
export function dynamicValue(shell: ShellState, name: string): string | undefined {
  switch (name) {
    case '_':
      return shell.lastArgument;
    case 'LINENO':
      return String(shell.line);
    case 'BASH_COMMAND': {
      const command = shell.trapCommand ?? shell.command;
      return command === undefined ? undefined : commandText(command);
    }
    case 'RANDOM':
      return String(shell.random === undefined ? randomInt(32_768) : nextRandom(shell));
    case 'SRANDOM':
      return String(randomInt(2 ** 32));
    case 'SECONDS':
      return String(Math.floor((Date.now() - (shell.secondsFrom ?? shell.scope.startedAt)) / 1000));
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
    case 'DIRSTACK':
    case 'FUNCNAME':
    case 'BASH_SOURCE':
    case 'BASH_LINENO':
    case 'PIPESTATUS':
      return dynamicElements(shell, name)[0];
    default:
      return bashValues(shell, name)?.[0];
  }
}

/** As BASH_VERSINFO has them: the bash whose language this is, and at the end who speaks it. */
const BASH_VERSION = ['5', '2', '0', '1', 'rmsh'] as const;

/**
 * What tells a script that it may use the forms of bash, and where. With `set -o posix`, where those that change a POSIX script are off, there is
 * none of it. `SHELL` is not among them: it is the caller's, and comes with `--env`.
 */
function bashValues(shell: ShellState, name: string): readonly string[] | undefined {
  if ((shell.options & OPTIONS.posix.bit) !== 0) return undefined;
  const { host } = shell.scope;
  switch (name) {
    case 'BASH':
      return ['/bin/bash'];
    case 'BASH_VERSION': {
      const [major, minor, patch, build, status] = BASH_VERSION;
      return [`${major}.${minor}.${patch}(${build})-${status}`];
    }
    case 'BASH_VERSINFO':
      return [...BASH_VERSION, machineType(host.system())];
    case 'HOSTTYPE':
      return [host.system().machine];
    case 'MACHTYPE':
      return [machineType(host.system())];
    case 'OSTYPE':
      return [systemType(host.system().name)];
    case 'GROUPS':
      return [...new Set([host.gid, ...host.groups])].map(String);
    case 'SHELLOPTS':
      return [
        optionNames()
          .filter((option) => isSettable(option) && isOn(shell, option))
          .sort()
          .join(':'),
      ];
    case 'BASHOPTS':
      return [
        shoptNames()
          .filter((option) => (shell.shopt & SHOPT[option]) !== 0)
          .sort()
          .join(':'),
      ];
    default:
      return undefined;
  }
}

const isOn = ({ options }: ShellState, name: OptionName): boolean => (options & OPTIONS[name].bit) !== 0;

/** `linux-gnu`, `darwin`: what scripts compare OSTYPE with. */
function systemType(name: string): string {
  return name === 'Linux' ? 'linux-gnu' : name.toLowerCase();
}

function machineType({ name, machine }: { readonly name: string; readonly machine: string }): string {
  return `${machine}-${name === 'Linux' ? 'pc' : name === 'Darwin' ? 'apple' : 'unknown'}-${systemType(name)}`;
}

/** An assignment to one of them (bash): it sets where SECONDS counts from, seeds RANDOM, and changes nothing of the others. */
export function assignDynamic(shell: ShellState, name: string, value: string): void {
  // A loop over it (`for _ in ...`) has its value until the next command.
  if (name === '_') shell.lastArgument = value;
  if (name !== 'RANDOM' && name !== 'SECONDS') return;
  const number = Number(parseInt64(value) ?? 0);
  if (name === 'RANDOM') shell.random = { seed: Number(BigInt.asUintN(32, BigInt(number))), last: 0 };
  else shell.secondsFrom = Date.now() - number * 1000;
}

/** The same numbers after the same seed as bash 5.1 and later have: Park and Miller's generator, its halves folded to 15 bits. */
function nextRandom(shell: ShellState): number {
  let { seed } = shell.random ?? { seed: 1 };
  const last = shell.random?.last;
  let value: number;
  do {
    const from = seed === 0 ? 123_459_876 : seed;
    const next = (16_807 * (from % 127_773) - 2836 * Math.trunc(from / 127_773)) | 0;
    seed = next < 0 ? next + 0x7f_ff_ff_ff : next;
    value = ((seed >>> 16) ^ (seed & 0xff_ff)) & 0x7f_ff;
  } while (value === last);
  shell.random = { seed, last: value };
  return value;
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
      if (value === undefined) return [];
      return bashValues(shell, name) ?? [value];
    }
  }
}

/** The running calls, the innermost first. */
function callsOf(shell: ShellState): readonly Call[] {
  const calls: Call[] = [];
  for (let call = shell.calls; call !== undefined; call = call.caller) calls.push(call);
  return calls;
}
