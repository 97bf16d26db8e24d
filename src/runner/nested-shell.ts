/** `sh`, `bash`, `dash`: another shell in this process, with a state of its own and the run's own scope. */
import type { Outcome } from '../../builtins/kit/outcome.js';
import { isFsError } from '../errors.js';
import { type Awaitable, andThen } from '../steps.js';
import { decode } from '../text/bytes.js';
import { guardStreams } from './guarded-streams.js';
import { isSettable, OPTIONS, type OptionName, optionByLetter } from './options.js';
import { restoring, runText } from './run.js';
import { readScript } from './script-files.js';
import { runStream } from './script-stream.js';
import { SharedTable } from './shared-table.js';
import { SourceText } from './source.js';
import { type ShellFunction, ShellState } from './state.js';
import { runForked } from './subshells.js';
import { Variables } from './variables.js';

/** A shell as a new process would start: exported variables and descriptors are all it has of the one that started it. */
export function freshShell(parent: ShellState, zero: string, args: readonly string[]): ShellState {
  const variables = new Variables(parent.limits.maxVariableBytes);
  for (const [name, variable] of parent.variables.all()) {
    const value = variable.exportedValue;
    if (value === undefined) continue;
    const copy = variables.own(name);
    variables.setText(copy, value);
    copy.exported = true;
  }
  const functions = new SharedTable<ShellFunction>();
  for (const name of parent.functions.names()) {
    const known = parent.functions.get(name);
    if (known?.exported === true) functions.set(name, { ...known, readonly: false });
  }
  const ignored = new Set(parent.process.ignored);
  for (const [condition, action] of parent.traps) if (action === '' && condition !== 'EXIT') ignored.add(condition);
  const process = {
    pid: parent.scope.counters.nextPid++,
    parentPid: parent.process.pid,
    main: undefined as ShellState | undefined,
    ignored,
  };
  const shell = new ShellState(
    parent.scope,
    process,
    variables,
    parent.descriptors.fork(),
    new SourceText(zero, '', 1, 'sh'),
  );
  process.main = shell;
  parent.scope.processes.set(process.pid, process);
  shell.signals.leader = shell;
  const leave = parent.signals.adopt(shell.signals);
  const handBack = parent.signals.handOver(parent, (signal) => shell.signals.deliver(signal, true));
  shell.leaveGroup = () => {
    leave();
    handBack();
    parent.scope.processes.delete(process.pid);
  };
  if (parent.signals.guarded) guardStreams(shell);
  shell.zero = zero;
  shell.args = args;
  shell.logicalCwd = parent.logicalCwd;
  shell.physicalCwd = parent.physicalCwd;
  shell.umask = parent.umask;
  shell.functions = functions;
  for (const condition of ignored) shell.setTrap(condition, '');
  setInitialVariables(shell);
  return shell;
}

/** What a shell sets when it starts (POSIX 2.5.3), and `ALLOWED_PATHS`. */
export function setInitialVariables(shell: ShellState): void {
  const initial: [string, string][] = [
    ['IFS', ' \t\n'],
    ['OPTIND', '1'],
    ['PPID', String(shell.process.parentPid)],
    ['PS1', shell.scope.grants.mode === 'remediation' ? 'rmsh# ' : 'rmsh$ '],
    ['PS2', '> '],
    ['PS4', '+ '],
    ['PWD', shell.logicalCwd],
  ];
  for (const [name, value] of initial) shell.assign(name, value);
  if (shell.variables.get('PATH')?.value === undefined) shell.assign('PATH', '/usr/bin:/bin');
  shell.assign('ALLOWED_PATHS', shell.scope.store.roots.map(({ path }) => path).join(':'));
  // They were exported by whoever set them, or not at all.
  shell.variables.own('PWD').exported = true;
}

interface Invocation {
  readonly settings: readonly { readonly name: OptionName; readonly on: boolean }[];
  readonly commands: boolean;
  readonly stdin: boolean;
  readonly operands: readonly string[];
  readonly problem: string | undefined;
}

/** `sh [-abCefhmnuvx] [-o NAME] [-c | -s] ...`, as POSIX sh reads it. */
function readInvocation(words: readonly string[]): Invocation {
  const settings: { name: OptionName; on: boolean }[] = [];
  let commands = false;
  let stdin = false;
  let i = 0;
  const end = (problem?: string): Invocation => ({ settings, commands, stdin, operands: words.slice(i), problem });
  for (; i < words.length; i++) {
    const word = words[i] as string;
    if (word === '--' || word === '-') {
      i += 1;
      break;
    }
    if (word.length < 2 || (word[0] !== '-' && word[0] !== '+')) break;
    if (word.startsWith('--')) return end(`${word}: invalid option`);
    const on = word[0] === '-';
    for (const letter of word.slice(1)) {
      if (letter === 'c') commands = true;
      else if (letter === 's') stdin = true;
      else if (letter === 'o') {
        i += 1;
        const name = words[i] ?? '';
        if (!isSettable(name)) return end(`${name}: invalid option name`);
        settings.push({ name, on });
      } else {
        const name = optionByLetter(letter);
        if (name === undefined || name === 'interactive') return end(`-${letter}: invalid option`);
        settings.push({ name, on });
      }
    }
  }
  return end();
}

/** Runs `argv` as `sh` would. */
export function runNestedShell(parent: ShellState, argv: readonly string[]): Awaitable<Outcome> {
  const name = argv[0] as string;
  const { settings, commands, stdin, operands, problem } = readInvocation(argv.slice(1));
  if (problem !== undefined) {
    parent.writeError(`${name}: ${problem}\n`);
    return 2;
  }
  if (commands) {
    const [text, zero, ...args] = operands;
    if (text === undefined) {
      parent.writeError(`${name}: -c: option requires an argument\n`);
      return 2;
    }
    return runNestedScript(parent, zero ?? name, zero ?? name, text, args, settings);
  }
  const path = operands[0];
  if (stdin || path === undefined) {
    const shell = freshShell(parent, name, operands);
    applySettings(shell, settings);
    const source = shell.descriptors.stdin?.source;
    return runProcess(parent, shell, (inner) => (source === undefined ? 0 : runStream(inner, source)));
  }
  let text: string;
  try {
    text = decode(readScript(parent, path));
  } catch (error) {
    if (!isFsError(error)) throw error;
    parent.writeError(`${name}: ${path}: ${error.message}\n`);
    return error.code === 'ENOENT' || error.code === 'ENOTDIR' ? 127 : 126;
  }
  return runNestedScript(parent, path, path, text, operands.slice(1), settings);
}

export function runNestedScript(
  parent: ShellState,
  zero: string,
  sourceName: string,
  text: string,
  args: readonly string[],
  settings: Invocation['settings'],
): Awaitable<Outcome> {
  const shell = freshShell(parent, zero, args);
  applySettings(shell, settings);
  return runProcess(parent, shell, (inner) => runText(inner, new SourceText(sourceName, text, 1, 'sh')));
}

/** Runs `shell` to its end. A signal ends it as it would end a process, which who started it is told. */
function runProcess(
  parent: ShellState,
  shell: ShellState,
  body: (inner: ShellState) => Awaitable<Outcome>,
): Awaitable<Outcome> {
  const run = (): Awaitable<number> =>
    andThen(runForked(shell, body), (status) => {
      if (shell.signals.fatalFor(shell) !== undefined) parent.ending = 'signalled';
      return status;
    });
  return deeper(parent, run);
}

/** A script that runs itself is a recursion as any other. */
function deeper(parent: ShellState, run: () => Awaitable<Outcome>): Awaitable<Outcome> {
  return restoring(parent, () => {}, run);
}

function applySettings(shell: ShellState, settings: Invocation['settings']): void {
  for (const { name, on } of settings) {
    const { bit } = OPTIONS[name];
    shell.options = on ? shell.options | bit : shell.options & ~bit;
  }
}
