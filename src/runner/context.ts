/** What a utility is handed: made of the state of the shell that runs it, each part when it is first asked for. */

import type {
  CommandClock,
  Ended,
  FullContext,
  HostFacts,
  Invoke,
  KernelSource,
  Output,
  OutputFile,
} from '../../builtins/kit/context.js';
import { isFsError, type PolicyRule } from '../errors.js';
import type { Files, WriteOptions } from '../files/files.js';
import { createDescription } from '../io/descriptors.js';
import { fileFacts, fileSink, fileSource } from '../io/file-stream.js';
import { ForwardedSource } from '../io/forwarded-source.js';
import { NULL_FACTS, NULL_SINK, nullSource } from '../io/null.js';
import { NO_FACTS, outputOf, SinkOutput } from '../io/output.js';
import type { ByteSource, Description, StreamFacts } from '../io/streams.js';
import type { Limits } from '../limits.js';
import type { Awaitable, Look, Tick, Waiting } from '../steps.js';
import { refuseCommand } from './announce.js';
import { guardStreams } from './guarded-streams.js';
import { dispatch, findUtility } from './invoke.js';
import { ownDevice } from './redirections.js';
import { SignalGroup } from './signals.js';
import type { ShellState } from './state.js';
import { runForked } from './subshells.js';

export function commandContext(shell: ShellState, argv: readonly string[]): FullContext {
  return new CommandContext(shell, argv);
}

class CommandContext implements FullContext {
  readonly name: string;
  readonly #shell: ShellState;
  readonly #argv: readonly string[];
  #out: SinkOutput | undefined;
  #err: SinkOutput | undefined;
  #environment: ReadonlyMap<string, string> | undefined;

  constructor(shell: ShellState, argv: readonly string[]) {
    this.#shell = shell;
    this.#argv = argv;
    this.name = argv[0] as string;
  }

  get tick(): Tick {
    return this.#shell.tick;
  }

  get look(): Look {
    return this.#shell.look;
  }

  get limits(): Limits {
    return this.#shell.limits;
  }

  get umask(): number {
    return this.#shell.umask;
  }

  get remediation(): boolean {
    return this.#shell.scope.grants.mode === 'remediation';
  }

  // ----------------------------------------------------------------------------------------------------- streams

  get stdin(): ByteSource | undefined {
    return this.#shell.descriptors.stdin?.source;
  }

  get stdinFacts(): StreamFacts | undefined {
    return this.#shell.descriptors.stdin?.facts;
  }

  get out(): Output {
    this.#out ??= outputOf(this.#shell.descriptors.stdout);
    return this.#out;
  }

  get err(): Output {
    this.#err ??= outputOf(this.#shell.descriptors.stderr);
    return this.#err;
  }

  get source(): (descriptor: number) => ByteSource | undefined {
    const { descriptors } = this.#shell;
    return (descriptor) => descriptors.get(descriptor)?.source;
  }

  get sink(): (descriptor: number) => Output | undefined {
    const { descriptors } = this.#shell;
    return (descriptor) => {
      const description = descriptors.get(descriptor);
      return description?.sink === undefined ? undefined : outputOf(description);
    };
  }

  get complain(): (message: string) => void {
    const shell = this.#shell;
    const { name } = this;
    return (message) => shell.writeError(`${name}: ${message}\n`);
  }

  get refused(): (rule: PolicyRule) => void {
    const shell = this.#shell;
    const argv = this.#argv;
    return (rule) => refuseCommand(shell, argv, rule);
  }

  get failed(): (what: string, error: unknown) => 1 {
    const shell = this.#shell;
    const { name } = this;
    return (what, error) => {
      if (!isFsError(error)) throw error;
      shell.writeError(`${name}: ${what}: ${error.message}\n`);
      return 1;
    };
  }

  // ------------------------------------------------------------------------------------------------------- files

  get fs(): Files {
    return this.#shell.filesFor(this.name);
  }

  get openSource(): (path: string) => ByteSource {
    const shell = this.#shell;
    const { name } = this;
    return (path) => {
      const device = ownDevice(shell, path, true);
      if (device !== undefined) return new BorrowedSource(device);
      return fileSource(shell.filesFor(name).open(path), shell.scope.dirty, shell.tick);
    };
  }

  get openSink(): (path: string, options: WriteOptions) => OutputFile {
    const shell = this.#shell;
    const { name } = this;
    return (path, options) => {
      const device = ownDevice(shell, path, false);
      if (device !== undefined) return new BorrowedSink(device);
      const file = shell.filesFor(name).openWrite(path, options);
      return new SinkOutput(fileSink(file, shell.scope.dirty), fileFacts(file));
    };
  }

  // ------------------------------------------------------------------------------------------------------ others

  get environment(): ReadonlyMap<string, string> {
    if (this.#environment === undefined) {
      const environment = new Map<string, string>();
      for (const [name, variable] of this.#shell.variables.all()) {
        const value = variable.exportedValue;
        if (value !== undefined) environment.set(name, value);
      }
      this.#environment = environment;
    }
    return this.#environment;
  }

  get clock(): CommandClock {
    const shell = this.#shell;
    return {
      now: () => BigInt(Date.now()) * 1_000_000n,
      get timeZone() {
        return shell.variables.get('TZ')?.value ?? shell.scope.timeZone;
      },
      sleep: (milliseconds) => sleep(shell, milliseconds),
      timer: (milliseconds) => shell.scope.ticker.sleep(milliseconds),
    };
  }

  get host(): HostFacts {
    return this.#shell.scope.host;
  }

  get kernel(): KernelSource['kernel'] {
    return this.#shell.scope.host.kernel;
  }

  get invoke(): Invoke {
    const shell = this.#shell;
    const { name } = this;
    const start = (...[argv, options = {}]: Parameters<Invoke>): Awaitable<Ended> => {
      const child = shell.fork();
      if (options.stdin === 'null') child.descriptors.set(0, createDescription(nullSource(), NULL_SINK, NULL_FACTS));
      else if (options.stdin !== undefined) {
        child.descriptors.set(0, createDescription(options.stdin, undefined, NO_FACTS));
      }
      if (options.environment !== undefined) replaceEnvironment(child, options.environment);
      if (options.cwd !== undefined) {
        const path = options.cwd.startsWith('/') ? options.cwd : `${shell.logicalCwd}/${options.cwd}`;
        try {
          child.physicalCwd = shell.filesFor(name).resolveDirectory(path);
          child.logicalCwd = child.physicalCwd;
        } catch (error) {
          child.endFork();
          throw error;
        }
      }
      const leave = options.onStart === undefined ? undefined : ownGroup(shell, child, options.onStart);
      const status = runForked(child, (inner) => {
        const target = findUtility(inner, argv[0] ?? '');
        // Special built-ins are part of the shell's language: no program of that name exists.
        const special = target.kind === 'builtin' && target.builtin.special;
        return dispatch(inner, special ? { kind: 'missing' } : target, argv, name);
      });
      if (!(status instanceof Promise)) {
        leave?.();
        return new InvokedEnd(shell, child, status);
      }
      const ended = status.then((late) => new InvokedEnd(shell, child, late));
      return leave === undefined ? ended : ended.finally(leave);
    };
    return (argv, options = {}) => {
      // What xargs and find run are commands as any other: they are counted.
      const pause = shell.scope.ticker.command();
      return pause === undefined ? start(argv, options) : pause.then(() => start(argv, options));
    };
  }
}

class InvokedEnd implements Ended {
  readonly status: number;
  readonly way: Ended['way'];
  readonly #invoker: ShellState;

  constructor(invoker: ShellState, child: ShellState, status: number) {
    this.#invoker = invoker;
    this.status = status;
    this.way = child.signals.fatalFor(child) === undefined ? child.ending : 'signalled';
  }

  asOwn(): number {
    this.#invoker.ending = this.way === 'signalled' ? 'signalled' : 'exited';
    return this.status;
  }
}

/** `child` gets signals of its own; those that end the shell that invokes it reach it too. Answers what ends that. */
function ownGroup(shell: ShellState, child: ShellState, onStart: (send: (signal: string) => void) => void): () => void {
  const group = new SignalGroup();
  group.leader = child;
  group.direct = true;
  child.signals = group;
  const leave = shell.signals.adopt(group);
  guardStreams(child);
  onStart((signal) => group.deliver(signal, true));
  return leave;
}

/** Ends early when a signal ends the shell that sleeps, or the run. */
async function sleep(shell: ShellState, milliseconds: number): Promise<void> {
  const { ticker } = shell.scope;
  if (shell.signals.fatalFor(shell) !== undefined) return;
  const signal = shell.signals.next();
  const waiting = ticker.sleep(milliseconds);
  try {
    await Promise.race([waiting.done, signal.came]);
  } finally {
    signal.forget();
    waiting.cancel();
  }
}

function replaceEnvironment(child: ShellState, environment: ReadonlyMap<string, string>): void {
  for (const [name, variable] of child.variables.all()) {
    if (variable.exported && !environment.has(name)) child.variables.own(name).exported = false;
  }
  for (const [name, value] of environment) {
    child.variables.restore(name, undefined);
    child.variables.setText(child.variables.own(name), value);
    child.variables.own(name).exported = true;
  }
}

/** `/dev/stdin` as an operand: the descriptor's own bytes, and closing it leaves the descriptor open. */
class BorrowedSource extends ForwardedSource {
  readonly #description: Description;

  constructor(description: Description) {
    // ownDevice answers only descriptions that can be read, when asked for reading.
    super(description.source ?? nullSource());
    this.#description = description;
  }

  close(): void {
    this.#description.release();
  }
}

/** `/dev/stdout` as an operand of `tee`: closing it gives back only what was borrowed. */
class BorrowedSink implements OutputFile {
  readonly #description: Description;
  readonly #output: SinkOutput;

  constructor(description: Description) {
    this.#description = description;
    this.#output = outputOf(description);
  }

  get facts(): StreamFacts {
    return this.#description.facts;
  }
  write(data: string | Uint8Array): Waiting {
    return this.#output.write(data);
  }
  give(data: Uint8Array): Waiting {
    return this.#output.give(data);
  }
  flush(): Waiting {
    return this.#output.flush();
  }
  close(): Waiting {
    return this.#description.release();
  }
}
