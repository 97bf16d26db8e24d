/** Running a program of the host: what it is given, what becomes of its streams, and how it ends. */
import type { Outcome } from '../../builtins/kit/outcome.js';
import { conditionName, signalNumber } from '../../builtins/kit/signals.js';
import { isFsError } from '../errors.js';
import type { Connection, InputPipe, Program, Programs, RunningProgram, StartRequest } from '../io/programs.js';
import type { Description } from '../io/streams.js';
import { refuseCommand } from './announce.js';
import { Drain, Feed } from './external-streams.js';
import type { ShellState } from './state.js';

/** Runs `program` with the words as they are. 126: it is granted and cannot be executed; 127: it is not there any more. */
export async function runExternal(shell: ShellState, program: Program, argv: readonly string[]): Promise<Outcome> {
  const { programs } = shell.scope;
  const name = argv[0] as string;
  const refuse = (why: string, status = 126): number => {
    shell.complain(`${name}: ${why}`);
    shell.ending = 'not run';
    return status;
  };
  if (programs === undefined) return refuse('command not found', 127);
  const environment = environmentOf(shell);
  const problem = whyNot(shell, program, argv, environment);
  if (problem !== undefined) return refuse(problem);
  await shell.scope.flushAll();
  shell.tick();
  if (programs.answer !== undefined) {
    const { runAnswered } = await import('./answered.js');
    return runAnswered(shell, programs.answer, argv, environment);
  }
  let streams: Streams;
  try {
    streams = connect(shell, programs);
  } catch (error) {
    if (!isFsError(error)) throw error;
    return refuse(error.message);
  }
  let running: RunningProgram;
  try {
    running = await start(shell, programs, program, { argv, environment, umask: shell.umask, ...streams });
  } catch (error) {
    streams.abandon();
    if (!isFsError(error)) throw error;
    return refuse(error.message, error.code === 'ENOENT' || error.code === 'ENOTDIR' ? 127 : 126);
  }
  return await attend(shell, running, streams);
}

/** The exported variables, as any command gets them. */
function environmentOf(shell: ShellState): ReadonlyMap<string, string> {
  const environment = new Map<string, string>();
  for (const [name, variable] of shell.variables.all()) {
    const value = variable.exportedValue;
    if (value !== undefined) environment.set(name, value);
  }
  return environment;
}

/** What stands against running it, before anything is done. */
function whyNot(
  shell: ShellState,
  program: Program,
  argv: readonly string[],
  environment: ReadonlyMap<string, string>,
): string | undefined {
  const { grants } = shell.scope;
  if (grants.mode === 'read-only' && !program.readOnly) {
    refuseCommand(shell, argv, 'mode');
    return `remediation mode required: a program of the host is not confined ('${program.name}:ro' grants one that changes nothing)`;
  }
  if (argv.some((word) => !word.isWellFormed())) return 'cannot be given an argument that is not UTF-8';
  for (const [name, value] of environment) {
    if (!name.isWellFormed() || !value.isWellFormed())
      return `cannot be given the variable '${name}', which is not UTF-8`;
    // The loader would run code of the script's own in any program, whatever it is.
    if (name.startsWith('LD_') && grants.env.get(name) !== value) {
      refuseCommand(shell, argv, 'command');
      return `cannot be given the variable '${name}': only the policy may set it`;
    }
  }
  if (shell.lent.some((descriptor) => argv.includes(`/dev/fd/${descriptor}`))) {
    return 'cannot be given a process substitution: it has no descriptors but 0, 1 and 2';
  }
  return undefined;
}

function start(
  shell: ShellState,
  programs: Programs,
  program: Program,
  request: Omit<StartRequest, 'directory'>,
): Promise<RunningProgram> {
  const { scope, physicalCwd } = shell;
  const begin = (directory: string) => programs.start(program, { ...request, directory });
  try {
    return scope.store.inDirectory(physicalCwd, begin);
  } catch (error) {
    // Only the caller can have put the shell outside of the roots: where it started. There the caller's own word counts.
    if (isFsError(error) && error.code === 'EACCES' && physicalCwd === scope.startDirectory) return begin(physicalCwd);
    throw error;
  }
}

interface Streams {
  readonly stdin: Connection;
  readonly stdout: Connection;
  readonly stderr: Connection;
  readonly feed: Feed | undefined;
  readonly drains: readonly Drain[];
  abandon(): void;
}

/** Open files go to the program as they are; what is only here goes through a pipe. */
function connect(shell: ShellState, programs: Programs): Streams {
  const drains: Drain[] = [];
  let feed: Feed | undefined;
  const abandon = (): void => {
    feed?.abandon();
    for (const drain of drains) drain.abandon();
  };
  const outputs = new Map<Description | undefined, Connection>();
  const output = (description: Description | undefined): Connection => {
    const known = outputs.get(description);
    if (known !== undefined) return known;
    const connection = lent(description) ?? drained(description);
    outputs.set(description, connection);
    return connection;
  };
  const drained = (description: Description | undefined): Connection => {
    if (description?.sink === undefined) return { kind: 'null' };
    const pipe = programs.outputPipe();
    drains.push(new Drain(shell, pipe, description, description.sink));
    return { kind: 'pipe', pipe };
  };
  const input = (description: Description | undefined): Connection => {
    const connection = lent(description);
    if (connection !== undefined) return connection;
    if (description?.source === undefined) return { kind: 'null' };
    const pipe: InputPipe = programs.inputPipe();
    feed = new Feed(shell, pipe, description.source);
    return { kind: 'pipe', pipe };
  };
  try {
    const { stdin, stdout, stderr } = shell.descriptors;
    return { stdin: input(stdin), stdout: output(stdout), stderr: output(stderr), feed, drains, abandon };
  } catch (error) {
    abandon();
    throw error;
  }
}

/** The open file itself, with its offset where our reader stopped; undefined: it must not be had, or there is none. */
function lent(description: Description | undefined): Connection | undefined {
  const origin = description?.facts.origin;
  if (origin === undefined || origin.kind === 'null') return origin;
  if (description?.source?.lend !== undefined && !description.source.lend()) return undefined;
  return origin;
}

/** Waits for the program, and for what it has written to be where it belongs. */
export async function attend(
  shell: ShellState,
  running: RunningProgram,
  { feed, drains }: Pick<Streams, 'feed' | 'drains'>,
): Promise<Outcome> {
  const { ticker } = shell.scope;
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const forget = ticker.onStop(() => {
    running.terminate();
    stop();
  });
  const handBack = shell.signals.handOver(shell, (signal) => running.signal(signal));
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown): void => {
    failure ??= { error };
    running.terminate();
  };
  feed?.begin();
  for (const drain of drains) drain.begin(fail);
  try {
    const end = await ending(shell, running);
    await feed?.finish();
    const signalled = shell.signals.fatalFor(shell) !== undefined;
    for (const drain of drains) if (!signalled) await Promise.race([drain.emptied(), stopped]);
    if (ticker.stopped !== undefined || signalled) for (const drain of drains) drain.abandon();
    ticker.check();
    if (failure !== undefined) throw failure.error;
    if ('status' in end) return end.status;
    shell.ending = 'signalled';
    return 128 + signalNumber(end.signal);
  } finally {
    forget();
    handBack();
  }
}

/** A signal that ends our shell ends the program too, with that signal first. */
async function ending(shell: ShellState, running: RunningProgram) {
  let told = false;
  for (;;) {
    const fatal = shell.signals.fatalFor(shell);
    if (fatal !== undefined && !told) {
      told = true;
      const name = conditionName(String(fatal - 128));
      if (name !== undefined) running.signal(name);
      running.terminate();
    }
    const signal = told ? undefined : shell.signals.next();
    const end = await (signal === undefined
      ? running.ended
      : Promise.race([running.ended, signal.came.then(() => undefined)]));
    signal?.forget();
    if (end !== undefined) return end;
  }
}
