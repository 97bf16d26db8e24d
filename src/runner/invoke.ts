/** Finding a command by its name (POSIX 2.9.1.4), asking the policy, and running it. */
import type { Builtin } from '../../builtins/kit/define.js';
import type { Outcome } from '../../builtins/kit/outcome.js';
import { shellBuiltins } from '../../builtins/shell/index.js';
import type { ExpandedAssignment, ShellBuiltin } from '../../builtins/shell/shell.js';
import { isName } from '../../grammar/index.js';
import type { Route } from '../audit.js';
import { FsError, isBrokenPipe, isFsError } from '../errors.js';
import type { Program } from '../io/programs.js';
import { allowsCommand, HOST_COMMANDS } from '../policy/policy.js';
import { type Awaitable, andThen } from '../steps.js';
import { dollarQuote, isPrintable } from '../text/quote.js';
import { watchBy } from '../text/work.js';
import { announce, refuseCommand } from './announce.js';
import { builtinShell } from './builtin-shell.js';
import { commandContext } from './context.js';
import { callFunction } from './functions.js';
import { runNestedShell } from './nested-shell.js';
import { runPath } from './script-files.js';
import type { ShellFunction, ShellState } from './state.js';
import { ownGroup } from './subshell-process.js';

/** What a name turned out to be. Found before redirections are made: whether a failed one ends the shell depends on it. */
export type Target =
  | { readonly kind: 'builtin'; readonly builtin: ShellBuiltin }
  | { readonly kind: 'function'; readonly target: ShellFunction }
  | { readonly kind: 'utility'; readonly load: Loader; loaded: Builtin | undefined }
  | { readonly kind: 'nested-shell' }
  | { readonly kind: 'external'; readonly program: Program }
  | { readonly kind: 'path' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'missing' };

type Loader = Builtin | (() => Awaitable<Builtin>);

const BUILTIN_TARGETS: ReadonlyMap<string, Target & { readonly kind: 'builtin' }> = new Map(
  shellBuiltins.flatMap((builtin) => builtin.names.map((name) => [name, { kind: 'builtin', builtin }])),
);
const UTILITY_TARGETS = new Map<Loader, Target>();
const NESTED: Target = { kind: 'nested-shell' };
const PATH: Target = { kind: 'path' };
const REFUSED: Target = { kind: 'refused' };
const MISSING: Target = { kind: 'missing' };

/** The shells a script may ask for: each is another Runner in this process. */
export const NESTED_SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash']);

/** Special built-ins, then functions, then everything else that is inside. */
export function findTarget(shell: ShellState, name: string): Target {
  const builtin = BUILTIN_TARGETS.get(name);
  if (builtin?.builtin.special === true) return builtin;
  if (!shell.functions.isEmpty) {
    const found = shell.functions.get(name);
    if (found !== undefined) return { kind: 'function', target: found };
  }
  return findUtility(shell, name);
}

/** The same without functions: for `command`, `xargs`, `find -exec`. */
export function findUtility(shell: ShellState, name: string): Target {
  const { grants, own } = shell.scope;
  const ownCommand = own?.get(name);
  if (ownCommand !== undefined) return utilityTarget(ownCommand);
  const builtin = BUILTIN_TARGETS.get(name);
  if (builtin !== undefined) {
    if (grants.allowedCommands === undefined || builtin.builtin.special) return builtin;
    return allowsCommand(grants, name) ? builtin : REFUSED;
  }
  if (NESTED_SHELLS.has(name)) return allowsCommand(grants, name) ? NESTED : REFUSED;
  const command = shell.scope.command(name);
  if (command !== undefined) {
    const canonical = typeof command === 'function' ? name : command.name;
    if (!allowsCommand(grants, name) && !allowsCommand(grants, canonical)) return REFUSED;
    return utilityTarget(command);
  }
  if (name.includes('/')) return PATH;
  const program = shell.scope.programs?.find(name);
  return program === undefined ? MISSING : { kind: 'external', program };
}

function utilityTarget(command: Loader): Target {
  let target = UTILITY_TARGETS.get(command);
  if (target === undefined) {
    target = { kind: 'utility', load: command, loaded: typeof command === 'function' ? undefined : command };
    UTILITY_TARGETS.set(command, target);
  }
  return target;
}

/** Whether a name means a command inside, however it is granted. */
export function isInside(shell: ShellState, name: string): boolean {
  return BUILTIN_TARGETS.has(name) || NESTED_SHELLS.has(name) || shell.scope.command(name) !== undefined;
}

/** Whether nothing else can be called so: a built-in of the shell, or a shell inside. */
export function isPartOfTheShell(name: string): boolean {
  return BUILTIN_TARGETS.has(name) || NESTED_SHELLS.has(name);
}

/** What can be called so and is part of the shell. */
export function partsOfTheShell(): Iterable<string> {
  return [...BUILTIN_TARGETS.keys(), ...NESTED_SHELLS];
}

/** The special and regular built-ins of the shell, by name. */
export function shellBuiltin(name: string): ShellBuiltin | undefined {
  return BUILTIN_TARGETS.get(name)?.builtin;
}

/** Arguments of `declare` and its like that are assignments, by their place in the words. */
export type Declared = ReadonlyMap<number, ExpandedAssignment>;

/** Runs a command that another one, `route`, asks for: on record first. */
export function dispatch(
  shell: ShellState,
  target: Target,
  argv: readonly string[],
  route: Route,
  declared?: Declared,
): Awaitable<Outcome> {
  return andThen(announce(shell, target, argv, route), () => runTarget(shell, target, argv, declared));
}

/** Runs a command that has been announced. */
export function runTarget(
  shell: ShellState,
  target: Target,
  argv: readonly string[],
  declared?: Declared,
): Awaitable<Outcome> {
  shell.ending = 'exited';
  switch (target.kind) {
    case 'builtin':
      return runBuiltin(shell, target.builtin, argv, declared);
    case 'function':
      return callFunction(shell, argv[0] as string, target.target, argv.slice(1));
    case 'utility':
      return runUtility(shell, target, argv);
    case 'nested-shell':
      return runNestedShell(shell, argv);
    case 'external':
      return import('./external.js').then(({ runExternal }) => runExternal(shell, target.program, argv));
    case 'path':
      return runPath(shell, argv[0] as string, argv);
    case 'refused':
      refuseCommand(shell, argv, 'command');
      shell.complain(`${argv[0]}: not allowed by the policy${howToAllow(argv[0] as string)}`);
      shell.ending = 'not run';
      return 126;
    case 'missing':
      return notFound(shell, argv);
  }
}

function howToAllow(name: string): string {
  return HOST_COMMANDS.has(name) ? ' (--allow-host grants it)' : ` (--allow-command ${name} grants it)`;
}

/** A write of a built-in that the device refuses. Its broken pipe is the shell's own, and goes on up where SIGPIPE ends a shell. */
function runBuiltin(
  shell: ShellState,
  builtin: ShellBuiltin,
  argv: readonly string[],
  declared: Declared | undefined,
): Awaitable<Outcome> {
  let outcome: Awaitable<Outcome>;
  const before = watchBy(shell.look);
  try {
    outcome = builtin.run(builtinShell(shell), argv, declared);
  } catch (error) {
    return builtinFailed(shell, argv, error);
  } finally {
    watchBy(before);
  }
  return outcome instanceof Promise ? outcome.catch((error: unknown) => builtinFailed(shell, argv, error)) : outcome;
}

function builtinFailed(shell: ShellState, argv: readonly string[], error: unknown): Outcome {
  const action = isBrokenPipe(error) ? shell.traps.get('PIPE') : undefined;
  const failure = action === undefined ? error : new FsError('EPIPE', '');
  if (!isFsError(failure)) throw failure;
  shell.complain(`${argv[0]}: write error: ${failure.message}`);
  if (action !== undefined) ownGroup(shell).deliver('PIPE', false);
  return 1;
}

function runUtility(
  shell: ShellState,
  target: Target & { readonly kind: 'utility' },
  argv: readonly string[],
): Awaitable<Outcome> {
  if (target.loaded !== undefined) return runLoaded(shell, target.loaded, argv);
  const loaded = typeof target.load === 'function' ? target.load() : target.load;
  const run = (command: Builtin): Awaitable<Outcome> => {
    target.loaded = command;
    return runLoaded(shell, command, argv);
  };
  return loaded instanceof Promise ? loaded.then(run) : run(loaded);
}

function runLoaded(shell: ShellState, command: Builtin, argv: readonly string[]): Awaitable<Outcome> {
  let status: Awaitable<number>;
  const before = watchBy(shell.look);
  try {
    status = command.invoke(commandContext(shell, argv), argv);
  } catch (error) {
    return utilityFailed(shell, argv, error);
  } finally {
    watchBy(before);
  }
  return status instanceof Promise ? status.catch((error: unknown) => utilityFailed(shell, argv, error)) : status;
}

/** A utility is a process of its own to a script: a broken pipe ends it, and not the shell that ran it. */
function utilityFailed(shell: ShellState, argv: readonly string[], error: unknown): number {
  // It inherits a SIGPIPE that is ignored, not one with an action.
  const failure = isBrokenPipe(error) && shell.traps.get('PIPE') === '' ? new FsError('EPIPE', '') : error;
  if (isBrokenPipe(failure)) {
    shell.ending = 'signalled';
    return 141;
  }
  if (!isFsError(failure)) throw failure;
  shell.writeError(`${argv[0]}: write error: ${failure.message}\n`);
  return 1;
}

/** Wrappers that change how a program runs, which has no meaning here. */
const WRAPPERS: ReadonlySet<string> = new Set(['sudo', 'doas', 'nice', 'ionice', 'nohup', 'setsid']);

function notFound(shell: ShellState, argv: readonly string[]): Awaitable<Outcome> {
  const name = argv[0] as string;
  const script = searchPath(shell, name);
  if (script !== undefined) return runPath(shell, script, argv);
  const { commandNotFound } = shell.scope;
  if (commandNotFound === undefined) return reportMissing(shell, argv);
  return andThen(commandNotFound(argv), (status) => status ?? reportMissing(shell, argv));
}

function reportMissing(shell: ShellState, argv: readonly string[]): Awaitable<Outcome> {
  const name = argv[0] as string;
  shell.ending = 'not run';
  let hint = '';
  if (name.endsWith('\r')) {
    shell.complain(`${name.slice(0, -1)}: command not found: the line ends in CR LF, and the CR is part of the name`);
    return 127;
  }
  const meant = misspelled(argv);
  if (meant !== undefined) hint = ` (${meant})`;
  else if (WRAPPERS.has(name)) hint = ` (rmsh runs commands as they are: leave out '${name}')`;
  else if (shell.scope.grants.external.has(name)) hint = ' (it is granted, but was not there when the run began)';
  else if (mayBeProgram(name)) return hintAtGrant(shell, argv);
  shell.complain(`${shown(name)}: command not found${hint}`);
  return 127;
}

/** A name that would not show is quoted, as bash does. */
function shown(name: string): string {
  return isPrintable(name) ? name : dollarQuote(name);
}

/** What well-known slips end in: `[-f x ]`, `x = 1`, `$x=1`. */
function misspelled(argv: readonly string[]): string | undefined {
  const name = argv[0] as string;
  const next = argv[1] ?? '';
  if (name.length > 1 && name.startsWith('[')) {
    return `a blank is missing after '${name.startsWith('[[') ? '[[' : '['}'`;
  }
  if (next.startsWith('=') && next !== '==' && isName(name)) return "an assignment has no blanks around its '='";
  if (name.length > 1 && name.startsWith('=')) return "an assignment begins with a name, without '$'";
  return name === 'elseif' || name === 'elsif' ? "'elif' is meant" : undefined;
}

/** Names that no file can have are asked of nobody. */
function mayBeProgram(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && name.length < 256 && !name.includes('/');
}

/** The policy is the reason where the host has such a program. */
async function hintAtGrant(shell: ShellState, argv: readonly string[]): Promise<number> {
  const name = argv[0] as string;
  const there = await shell.scope.hostHas(name);
  if (there) refuseCommand(shell, argv, 'command');
  const hint = there ? ` (a program of the host: --allow-external ${name} grants it)` : '';
  shell.complain(`${shown(name)}: command not found${hint}`);
  return 127;
}

/** A script in a directory of `$PATH` that lies in a root. The system's own directories hold nothing that could be run. */
export function searchPath(shell: ShellState, name: string): string | undefined {
  if (name === '') return undefined;
  const path = shell.variables.get('PATH')?.value;
  if (path === undefined || path === '/usr/bin:/bin') return undefined;
  for (const directory of path.split(':')) {
    if (directory === '/bin' || directory === '/usr/bin') continue;
    const candidate = `${directory === '' ? '.' : directory}/${name}`;
    if (shell.fs.tryStat(candidate)?.kind === 'file' && shell.fs.access(candidate, 'execute')) return candidate;
  }
  return undefined;
}
