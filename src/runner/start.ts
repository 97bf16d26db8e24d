/** A run, from its policy to its end: makes the scope, starts the first shell, waits for everything it started. */
import { builtins } from '../../builtins/index.js';
import type { HostFacts, KernelSource } from '../../builtins/kit/context.js';
import type { Builtin } from '../../builtins/kit/define.js';
import { type Outcome, statusOf } from '../../builtins/kit/outcome.js';
import type { AuditRequest, Effect, RefusedCommand, Trail } from '../audit.js';
import { isBrokenPipe, isFsError, isShellError, isSignalled, ShellError } from '../errors.js';
import {
  type Effect as FileEffect,
  type FileStore,
  type RemovalBudget,
  removalBudget,
  type StoreOptions,
} from '../files/files.js';
import { DescriptorTable } from '../io/descriptors.js';
import { DirtySinks } from '../io/file-stream.js';
import type { Programs } from '../io/programs.js';
import type { Description } from '../io/streams.js';
import { isLimitName, type LimitName } from '../limits.js';
import {
  type ExternalGrant,
  type Grants,
  PolicyError,
  type PolicyProblem,
  PROGRAM_DIRECTORIES,
} from '../policy/policy.js';
import type { Awaitable, Waiting } from '../steps.js';
import { similarNames } from '../text/similar-names.js';
import { isInside, partsOfTheShell } from './invoke.js';
import { setInitialVariables } from './nested-shell.js';
import type { Scope } from './scope.js';
import { SourceText } from './source.js';
import { ShellState } from './state.js';
import { Ticker } from './tick.js';
import { endShell } from './traps.js';
import { Variables } from './variables.js';

/** Ids of subshells and jobs are above every id the kernel gives out (proc(5), pid_max). */
const FIRST_VIRTUAL_PID = 4_194_305;
/** How long a stopped run may take to unwind before its caller gets its answer, in milliseconds. */
const UNWINDING = 100;

export interface RunSetup {
  readonly grants: Grants;
  readonly makeStore: (options: StoreOptions) => FileStore & { readonly warnings?: readonly string[] };
  /** Finds the programs of the host that the policy grants. Asked only when it grants one. */
  readonly findPrograms: (options: ProgramSearch) => Promise<Programs>;
  /** Whether the host has a program of that name: for the hint of a command that is not found. */
  readonly hostHas: (name: string, directories: readonly string[]) => Promise<boolean>;
  /** `timeZone`: the name of the host's own, where it can be told without Intl. */
  readonly host: HostFacts & KernelSource & { timeZone?(): string | undefined };
  /** Commands of the caller, by every name; they come before those inside. */
  readonly commands?: ReadonlyMap<string, Builtin> | undefined;
  readonly commandNotFound?: Scope['commandNotFound'];
  /** See `Scope.own`. */
  readonly own?: Scope['own'];
  /** See `Scope.topics`. */
  readonly topics?: Scope['topics'];
  readonly pid: number;
  readonly parentPid: number;
  /** Descriptors 0, 1, 2 and above; undefined is closed. The run takes over their use. */
  readonly descriptors: readonly (Description | undefined)[];
  readonly terminal: Description | undefined;
  /** Absolute path of the directory the shell starts in. */
  readonly cwd: string;
  readonly zero: string;
  readonly args: readonly string[];
  readonly onEffect: ((effect: Effect) => void) | undefined;
  readonly audit?: AuditRequest | undefined;
  /** Told of a warning that comes while the run goes on, at once. */
  readonly onWarning?: ((warning: string) => void) | undefined;
  /** Limits that were met and did not end the run: asked for when it has ended. */
  readonly limitsMet?: (() => readonly LimitName[]) | undefined;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number | undefined;
  /** Everything the descriptors keep goes out; what fails is told to the next who writes. */
  readonly flush: () => Waiting;
  /** Called once the run must stop: whatever waits outside of the Runner is to be woken. */
  readonly onStop?: (() => void) | undefined;
  /**
   * The run is one of a session: its shell is not ended, and the next run goes on with it. Its jobs are waited for, or left to
   * go on beside the runs that follow, on the budget of the run that started them.
   */
  readonly session?: { readonly previous: Run | undefined; readonly jobs: 'wait' | 'leave' } | undefined;
}

/** What the search for the granted programs goes by. */
export interface ProgramSearch {
  readonly wanted: readonly ExternalGrant[];
  readonly directories: readonly string[];
  /** Physical paths where scripts may write: what lies there is not to be started. */
  readonly writable: readonly string[];
  /** Told of each program that must not be started. */
  readonly refuse: (name: string, why: string) => void;
}

export interface RunEnd {
  /** 0 to 255. */
  readonly status: number;
  readonly kind: 'exited' | 'aborted' | 'timeout' | 'limit' | 'audit';
  /** Why a run that did not exit by itself ended. */
  readonly message: string | undefined;
  readonly budget: RemovalBudget;
  /** The shell has ended: always, but in a session only when a script ended it (`exit`, `set -e`). */
  readonly over: boolean;
}

let namedZone: string | undefined;

/** As the library of Node names it. Asking costs as much as a small script, and the answer stays. */
function hostTimeZone(host: RunSetup['host']): string {
  // Intl knows names alone: of the host's `TZ=UTC0` it answers undefined, of `TZ=CET-1CEST` UTC.
  const { TZ } = process.env;
  if (TZ !== undefined) return TZ;
  namedZone ??= host.timeZone?.() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return namedZone;
}

const byName = new Map<string, Builtin>();
for (const builtin of builtins) for (const name of [builtin.name, ...builtin.aliases]) byName.set(name, builtin);

/** A run that has been made but has not begun: its first shell, to be given something to do. */
export class Run {
  readonly shell: ShellState;
  readonly scope: Scope;
  /** What the caller should know; complete once the run has begun, or `findPrograms` was waited for. */
  readonly warnings: string[] = [];
  readonly #setup: RunSetup;
  readonly #ticker: Ticker;
  readonly #audit: Trail | undefined;
  readonly #limitsMet: LimitName[] = [];
  readonly #stopListening: () => void;
  /** Settles when nothing of the run is at work any more, its jobs excepted: the next run of a session waits for it. */
  unwound: Promise<unknown> = Promise.resolve();
  #programs: Programs | undefined;

  constructor(setup: RunSetup) {
    const { grants } = setup;
    const previous = setup.session?.previous;
    const budget = removalBudget(grants.limits.maxRemovalsPerRun);
    // Files that `exec` opened may hold bytes from one run of a session to the next.
    const dirty = previous?.scope.dirty ?? new DirtySinks();
    this.#setup = setup;
    this.#ticker = new Ticker({
      maxCommands: grants.limits.maxCommands,
      timeoutMs: setup.timeoutMs ?? grants.timeoutMs,
      beforeTurn: () => this.flushAll(),
    });
    const audit = setup.audit?.begin({
      onFailure: grants.audit.onFailure,
      stop: (reason) => this.#ticker.stop(reason),
      onStop: (wake) => this.#ticker.onStop(wake),
      stopped: () => this.#ticker.stopped,
      warn: (warning, ends) => {
        this.warnings.push(warning);
        if (!ends) setup.onWarning?.(warning);
      },
    });
    this.#audit = audit;
    const { onEffect } = setup;
    const store = setup.makeStore({
      mode: grants.mode,
      roots: grants.allowedPaths.map(({ path, access }) => ({ path, writable: access === 'rw' })),
      budget,
      beforeAccess: () => {
        // What a command was reading ends when a run is stopped: that end must not be taken for the end of its input, and acted on.
        this.#ticker.check();
        dirty.flushAll();
      },
      ...(onEffect === undefined && audit === undefined ? {} : { onEffect: (effect) => this.#tell(effect) }),
      ...(audit === undefined ? {} : { onIntent: (intent) => audit.emit({ event: 'intent', ...intent }) }),
    });
    this.warnings.push(...(store.warnings ?? []));
    const programs = () => this.#programs;
    this.scope = {
      grants,
      limits: grants.limits,
      store,
      budget,
      get programs() {
        return programs();
      },
      hostHas: (name) => setup.hostHas(name, PROGRAM_DIRECTORIES),
      outlived: new Set(),
      startDirectory: setup.cwd,
      ticker: this.#ticker,
      tick: this.#ticker.tick,
      audit,
      refused: (command) => this.#tell(command),
      dirty,
      host: setup.host,
      get timeZone() {
        return hostTimeZone(setup.host);
      },
      startedAt: previous?.scope.startedAt ?? Date.now(),
      pid: setup.pid,
      parentPid: setup.parentPid,
      own: setup.own,
      topics: setup.topics,
      command: (name) => setup.own?.get(name) ?? setup.commands?.get(name) ?? byName.get(name),
      get commandNames() {
        return [
          ...new Set([
            ...builtins.map(({ name }) => name),
            ...(setup.commands?.keys() ?? []),
            ...(setup.own?.keys() ?? []),
          ]),
        ];
      },
      commandNotFound: setup.commandNotFound,
      terminal: setup.terminal,
      processes: new Map(),
      jobs: new Set(),
      substitutions: new WeakMap(),
      counters: {
        nextPid: previous?.scope.counters.nextPid ?? FIRST_VIRTUAL_PID,
        callDepth: 0,
        argumentBytes: 0,
        definedBytes: 0,
        definedIn: undefined,
        runningJobs: 0,
      },
      flushAll: () => this.flushAll(),
    };
    this.shell = previous === undefined ? this.#firstShell() : this.#sameShell(previous);
    if (previous === undefined) this.#lookForMisspelled();
    const abort = () => this.#ticker.stop(new ShellError('aborted', 'aborted'));
    if (setup.signal?.aborted === true) abort();
    setup.signal?.addEventListener('abort', abort);
    this.#stopListening = () => setup.signal?.removeEventListener('abort', abort);
  }

  #firstShell(): ShellState {
    const { grants, descriptors, cwd, zero, args, pid, parentPid } = this.#setup;
    const table = new DescriptorTable(grants.limits.maxDescriptors);
    descriptors.forEach((description, number) => {
      if (description !== undefined) table.set(number, description);
    });
    const process = { pid, parentPid, main: undefined as ShellState | undefined };
    const variables = new Variables(grants.limits.maxVariableBytes);
    const shell = new ShellState(this.scope, process, variables, table, new SourceText(zero, ''));
    process.main = shell;
    this.scope.processes.set(process.pid, process);
    shell.signals.leader = shell;
    shell.zero = zero;
    shell.args = args;
    shell.logicalCwd = cwd;
    shell.physicalCwd = cwd;
    try {
      shell.physicalCwd = this.scope.store.resolveDirectory(cwd);
    } catch (error) {
      // Outside of every root the directory is only text: what is relative to it will be refused.
      if (!isFsError(error)) throw error;
    }
    for (const [name, value] of grants.env) {
      variables.setText(variables.own(name), value);
      variables.own(name).exported = true;
    }
    setInitialVariables(shell);
    return shell;
  }

  /** A name that is none of a command grants nothing: the caller meant another. */
  #lookForMisspelled(): void {
    const { grants } = this.#setup;
    for (const name of grants.allowedCommands ?? []) {
      if (isInside(this.shell, name) || grants.external.has(name)) continue;
      const like = similarNames(name, [...partsOfTheShell(), ...this.scope.commandNames]);
      const meant = like.length === 0 ? '' : ` (${like.join(' or ')}?)`;
      this.warnings.push(`allowedCommands '${name}': there is no command of that name${meant}`);
    }
  }

  /** The shell of the run before, in this run: what it was given from outside it is given anew. */
  #sameShell(previous: Run): ShellState {
    const given = previous.#setup.descriptors;
    const process = {
      pid: this.#setup.pid,
      parentPid: this.#setup.parentPid,
      main: undefined as ShellState | undefined,
    };
    const shell = previous.shell.continueIn(this.scope, process);
    process.main = shell;
    this.scope.processes.set(process.pid, process);
    shell.signals.leader = shell;
    for (const [number, description] of [...shell.descriptors.entries()]) {
      const place = given.indexOf(description);
      if (place < 0) continue;
      const next = this.#setup.descriptors[place];
      const closing =
        next === undefined ? shell.descriptors.close(number) : shell.descriptors.set(number, next.retain());
      closing?.catch(() => {});
    }
    // The table has its own use of each; the caller's goes with it.
    for (const description of this.#setup.descriptors) description?.release()?.catch(() => {});
    return shell;
  }

  /** Something was done, or refused: the result has it first, for it is so, whether or not it can be recorded. */
  #tell(effect: FileEffect | RefusedCommand): void {
    this.#setup.onEffect?.(effect);
    if (this.#audit === undefined) return;
    // Done and failed are what files come to; a command alone is only ever refused.
    if (effect.outcome === 'refused') void this.#audit.emit({ event: 'refusal', ...effect });
    else void this.#audit.emit({ event: 'outcome', ...effect });
  }

  /** Everything printed so far goes out: files first, then the streams of the host. */
  flushAll(): Waiting {
    this.scope.dirty.flushAll();
    return this.#setup.flush();
  }

  /** Stops the run from outside. */
  stop(reason: ShellError): void {
    this.#ticker.stop(reason);
  }

  /**
   * What Ctrl-C does at a prompt: the signal goes to everything in the foreground, and the session goes on. A trap of the shell
   * has its action run.
   */
  interrupt(signal: string): void {
    this.#interrupted = !this.shell.traps.has(signal);
    this.shell.signals.deliver(signal, true);
  }

  #interrupted = false;

  /** Before the script begins: what it may start is what is there now. Throws PolicyError for a program it could change. */
  async findPrograms(): Promise<void> {
    const { grants, findPrograms } = this.#setup;
    if (grants.external.size === 0 || this.#programs !== undefined) return;
    const problems: PolicyProblem[] = [];
    this.#programs = await findPrograms({
      // A name that means a command inside starts nothing else, by its path neither, unless the path itself is granted.
      wanted: [...grants.external.values()].filter(
        ({ name, path }) => path !== undefined || !isInside(this.shell, name),
      ),
      directories: PROGRAM_DIRECTORIES,
      writable: this.scope.store.roots.filter(({ writable }) => writable).map(({ path }) => path),
      refuse: (name, why) => problems.push({ key: `external '${name}'`, message: why }),
    });
    this.warnings.push(...this.#programs.warnings);
    for (const name of grants.external.keys()) {
      if (isInside(this.shell, name)) this.warnings.push(`external '${name}': the name means the command inside`);
    }
    if (problems.length === 0) return;
    await this.#programs.end();
    this.scope.store.close();
    this.#stopListening();
    this.#ticker.end();
    throw new PolicyError(problems);
  }

  /** Nothing that the run has started goes on after it. */
  async #endPrograms(): Promise<void> {
    await this.#programs?.end();
    for (const drain of this.scope.outlived) drain.abandon();
  }

  /** Runs `main` in the first shell to the end of everything it started. */
  async execute(main: (shell: ShellState) => Awaitable<Outcome>): Promise<RunEnd> {
    await this.findPrograms();
    let forget = () => {};
    const stopped = new Promise<undefined>((resolve) => {
      forget = this.#ticker.onStop(() => {
        this.#setup.onStop?.();
        setTimeout(() => {
          if (this.#programs === undefined) resolve(undefined);
          else void this.#endPrograms().then(() => resolve(undefined));
        }, UNWINDING);
      });
    });
    const finished = this.#finish(main);
    this.unwound = finished.catch(() => {});
    try {
      const end = await Promise.race([finished, stopped]);
      if (end !== undefined) return await this.#recorded(end);
      // Something did not come back: its promise is left behind, and the caller has the answer in time.
      finished.catch(() => {});
      return await this.#recorded(this.#ended(this.#ticker.stopped));
    } finally {
      forget();
      this.#stopListening();
      // A job that is left behind still has its deadline.
      if (this.scope.jobs.size === 0) this.#ticker.end();
    }
  }

  async #finish(main: (shell: ShellState) => Awaitable<Outcome>): Promise<RunEnd> {
    let end: RunEnd;
    try {
      end = await this.#toTheEnd(main);
    } catch (error) {
      end = this.#ended(error);
      // Jobs that still run end with the run.
      if (isShellError(error)) this.#ticker.stop(error);
      await Promise.allSettled(this.scope.jobs);
      await this.#endPrograms();
    }
    try {
      const status = end.over ? await this.#closed(end.status) : end.status;
      if (status !== end.status) end = this.#exited(status);
    } finally {
      this.#release();
    }
    return end;
  }

  /** Closes what the first shell holds open; the status, or what is wrong with the last bytes that were written where that is 0. */
  async #closed(status: number): Promise<number> {
    try {
      const closing = this.shell.descriptors.closeAll();
      if (closing !== undefined) await closing;
      return status;
    } catch (error) {
      if (!isBrokenPipe(error) && !isFsError(error) && !isShellError(error)) throw error;
      return status === 0 ? (isBrokenPipe(error) ? 141 : 1) : status;
    }
  }

  /** Waits for the jobs; in a session not for what a descriptor of the shell leads to, which ends with the session. */
  async #allJobs(): Promise<void> {
    for (;;) {
      const open = new Set([...this.shell.descriptors.entries()].map(([, description]) => description));
      const waited = [...this.scope.jobs].filter((job) => {
        const end = this.scope.substitutions.get(job);
        return end === undefined || !open.has(end);
      });
      if (waited.length === 0) return;
      await Promise.all(waited);
    }
  }

  /** Jobs that were left behind still need what the run holds. */
  #release(): void {
    if (this.scope.jobs.size === 0) {
      this.scope.store.close();
      return;
    }
    Promise.allSettled(this.scope.jobs).then(async () => {
      await this.#endPrograms();
      this.scope.store.close();
      this.#ticker.end();
    });
  }

  async #toTheEnd(main: (shell: ShellState) => Awaitable<Outcome>): Promise<RunEnd> {
    let outcome: Outcome;
    let over = this.#setup.session === undefined;
    try {
      if (this.#audit !== undefined) await this.#recordStart(this.#audit);
      this.#ticker.check();
      outcome = await main(this.shell);
      over ||= typeof outcome === 'object' && outcome.kind === 'exit' && !this.#interrupted;
    } catch (error) {
      outcome = this.#endedBy(error);
      over ||= !this.#interrupted;
    }
    // What an interrupt has ended may look as if it had come to its own end, as a command whose input is over.
    let status = (over ? undefined : this.shell.signals.fatalFor(this.shell)) ?? statusOf(outcome);
    try {
      // What reads from the shell, as in `exec > >(sed ...)`, hears of its end before anybody waits for it.
      if (over) status = await this.#closed(await endShell(this.shell, status));
      else this.shell.status = status;
      if (over || this.#setup.session?.jobs === 'wait') await this.#allJobs();
      if (this.#programs !== undefined && this.scope.jobs.size === 0) await this.#endPrograms();
      await this.flushAll();
    } catch (error) {
      status = this.#endedBy(error);
    }
    this.#ticker.check();
    return { ...this.#exited(status), over };
  }

  async #recordStart(audit: Trail): Promise<void> {
    const { grants, zero, args, pid, cwd, audit: request } = this.#setup;
    if (request === undefined) return;
    const { store } = this.scope;
    await audit.emit({
      event: 'run-start',
      ...request.about,
      level: store.level,
      mode: grants.mode,
      roots: store.roots.map(({ path, writable }) => ({ path, access: writable ? 'rw' : 'ro' })),
      limits: grants.limits,
      argv: [zero, ...args],
      cwd,
      pid,
    });
  }

  /** The end as the record has it; a record that cannot be ended is a failure of the run. */
  async #recorded(end: RunEnd): Promise<RunEnd> {
    const audit = this.#audit;
    if (audit === undefined) return end;
    const { status, kind, message, budget } = end;
    const { limits } = this.scope;
    try {
      for (const limit of [...this.#limitsMet, ...(this.#setup.limitsMet?.() ?? [])]) {
        void audit.emit({ event: 'limit', limit, value: limits[limit] });
      }
      const failure = await audit.end({
        event: 'run-end',
        status,
        kind,
        ...(message === undefined ? {} : { message }),
        removals: { made: budget.used, left: budget.limit - budget.used },
        counts: audit.counts,
      });
      return failure === undefined || kind !== 'exited' ? end : this.#ended(failure);
    } catch (error) {
      // It has failed before, and said so.
      if (!isShellError(error)) throw error;
      return kind === 'exited' ? this.#ended(error) : end;
    }
  }

  /** The status of a first shell that what it did has ended; what ends the run goes on up. */
  #endedBy(error: unknown): number {
    if (isBrokenPipe(error)) return 141;
    if (isSignalled(error)) return this.shell.signals.fatalFor(this.shell) ?? 1;
    throw error;
  }

  #exited(status: number): RunEnd {
    return { status, kind: 'exited', message: undefined, budget: this.scope.budget, over: true };
  }

  /** A run that was stopped: what the error says, and the status that goes with it. */
  #ended(error: unknown): RunEnd {
    if (isFsError(error)) return { ...this.#exited(1), message: `write error: ${error.message}` };
    if (!isShellError(error)) throw error;
    const { budget } = this.scope;
    const over = this.#setup.session === undefined;
    switch (error.code) {
      case 'timeout':
        return { status: 124, kind: 'timeout', message: error.message, budget, over };
      case 'aborted':
        return { status: 130, kind: 'aborted', message: error.message, budget, over };
      case 'bug':
        throw error;
      case 'audit':
        return { status: 1, kind: 'audit', message: error.message, budget, over };
      default:
        if (error.limit !== undefined && isLimitName(error.limit)) this.#limitsMet.push(error.limit);
        return { status: 1, kind: 'limit', message: error.message, budget, over };
    }
  }
}
