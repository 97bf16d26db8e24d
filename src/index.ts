/**
 * rmsh as a library.
 *
 * ```ts
 * const shell = createShell({ mode: 'remediation', allowedPaths: ['/var/log/app:rw'] });
 * const result = await shell.run('rm -v /var/log/app/*.old');
 * ```
 */
import { resolve } from 'node:path';
import { builtins } from '../builtins/index.js';
import type { Builtin } from '../builtins/kit/define.js';
import type { AuditRequest, Effect } from './audit.js';
import { type CheckResult, check as checkGrants } from './check/index.js';
import type { MemoryFs } from './files/memory.js';
import { byteCapture } from './io/capture.js';
import { createDescription } from './io/descriptors.js';
import { NO_FACTS } from './io/output.js';
import type { ExternalHandler } from './io/programs.js';
import type { ByteSink, ByteSource } from './io/streams.js';
import { tee } from './io/tee.js';
import { bytesSource, iterableSource, textSource } from './io/text-source.js';
import { type LimitName, limitReached } from './limits.js';
import { intersectGrants } from './policy/intersect.js';
import { type Grants, grantsOf, ownCopy, type Policy } from './policy/policy.js';
import {
  checkOptions,
  RUN_KEYS,
  type RunOptions,
  SESSION_KEYS,
  SESSION_RUN_KEYS,
  type SessionOptions,
  SHELL_KEYS,
} from './run-options.js';
import { answeredPrograms } from './runner/answered-programs.js';
import { isPartOfTheShell } from './runner/invoke.js';
import { runText } from './runner/run.js';
import { SourceText } from './runner/source.js';
import { Run } from './runner/start.js';
import { hostFacts } from './sandbox/host-facts.js';
import { physicalPath } from './sandbox/host-files.js';
import { sandboxStore } from './sandbox/store.js';
import type { Waiting } from './steps.js';
import { decode, encode } from './text/bytes.js';
import { VERSION } from './version.js';

export {
  BadValue,
  type Builtin,
  type Definition,
  type Flag,
  type FlagValues,
} from '../builtins/kit/define.js';
export type { AuditEvent, AuditRecord, Effect } from './audit.js';
export type { CheckedCommand, CheckResult } from './check/index.js';
export { defineBuiltin } from './define-builtin.js';
export { FsError, type FsErrorCode, ShellError, type ShellErrorCode } from './errors.js';
export type { ExternalCall, ExternalHandler } from './io/programs.js';
export { LIMITS, type LimitName, type Limits } from './limits.js';
export { type AllowedPath, type Policy, PolicyError, parsePolicy } from './policy/policy.js';
export type { RunOptions, SessionOptions } from './run-options.js';
export { quote } from './text/quote.js';
export { unquote } from './unquote.js';
export { VERSION } from './version.js';

/** How a run ended, and what it printed and did. */
export interface RunResult {
  /** 0 to 255, as a shell reports it: 124 for a timeout, 130 for an abort. */
  readonly exitCode: number;
  /**
   * How the run ended. `exited`: by itself, whatever its status. `aborted`: by `signal`. `timeout`: its time was over (exit code 124). `limit`: one of
   * the limits was reached. `audit`: a listener of `onEvent` did not take an event, and the policy does not say to go on. In all but the
   * first, `message` says more, and what was printed until then is here.
   */
  readonly status: 'exited' | 'aborted' | 'timeout' | 'limit' | 'audit';
  /** What was printed, decoded: each byte that is not UTF-8 is a lone surrogate U+DC80 to U+DCFF. */
  readonly stdout: string;
  /** The same of the error stream. */
  readonly stderr: string;
  /** The same as it was printed. */
  readonly stdoutBytes: Uint8Array;
  /** The error stream as it was printed. */
  readonly stderrBytes: Uint8Array;
  /** Whether output was longer than `maxCapturedBytes`: the rest was not kept. */
  readonly truncated: boolean;
  /** Files removed, and how many more could have been. */
  readonly removals: { readonly made: number; readonly left: number };
  /** What was read, written, removed and refused, in order: the first 10,000 of them. */
  readonly effects: readonly Effect[];
  /** What the caller should know: roots that could not be opened, a weaker level of the sandbox, events that were not taken. */
  readonly warnings: readonly string[];
  /** Why a run that did not exit by itself ended, or that output was cut. */
  readonly message?: string;
}

/** Runs scripts under one policy. */
export interface Shell {
  /**
   * Runs a script to its end. Each run starts afresh: variables, directory, and the removal budget. Rejects only on a bug, with what a
   * listener of the caller throws, and with what a command of the caller throws that is neither a BadValue nor an FsError.
   */
  run(script: string, options?: RunOptions): Promise<RunResult>;
  /**
   * A shell that goes on from one script to the next, as at a prompt: variables, functions, options, traps, directory and what
   * `exec` opened stay. Each `run` is a run with limits, time and a removal budget of its own, and waits for its jobs.
   */
  session(options?: SessionOptions): Session;
}

/** A shell that goes on from script to script. */
export interface Session {
  /** Runs a script in the shell as the one before left it; at once, or when that has ended. Rejects when the session is over. */
  run(script: string, options?: Omit<RunOptions, keyof SessionOptions>): Promise<RunResult>;
  /** Whether the shell has ended: by `exit` or another end of a script, or by `end`. */
  readonly over: boolean;
  /** Ends the shell: its EXIT trap is run, what it opened is closed. The result is the trap's. */
  end(options?: Omit<RunOptions, keyof SessionOptions>): Promise<RunResult>;
}

/**
 * What a policy says of a script without running it: each command is refused, allowed or unknown. What is called refused is refused
 * whenever it is reached, what is called allowed is not refused by the policy; paths are judged by what lies there now, seen from
 * `cwd` (default: the process's directory). Throws PolicyError when the policy is not one.
 */
export function check(
  script: string,
  policy: Policy,
  options: { readonly cwd?: string | undefined } = {},
): CheckResult {
  if (typeof script !== 'string') throw new TypeError('check: the script must be a string');
  return checkGrants(script, grantsOf(policy), options.cwd ?? process.cwd());
}

/**
 * The policy that allows what `a` and `b` both allow, and nothing else: the less of each grant, the lower of each limit. Roots are compared
 * as the directories that they lead to now. Throws PolicyError when one of the two is no policy.
 */
export function intersectPolicies(a: Policy, b: Policy): Policy {
  return intersectGrants(grantsOf(a), grantsOf(b), physicalPath);
}

const MAX_EFFECTS = 10_000;

/** What a shell has besides its policy. */
export interface ShellOptions {
  /**
   * Commands of the host program, made with `defineBuiltin`; one with the name of a command inside takes its place. They are subject
   * to `allowedCommands` as any other.
   */
  readonly builtins?: readonly Builtin[] | undefined;
  /** Files in memory (`rmsh/memory`) instead of those of the machine. */
  readonly files?: MemoryFs | undefined;
  /**
   * Asked for a command that is not there; answers its status, or undefined for the usual message and 127. What is in `argv`
   * was expanded already.
   */
  readonly commandNotFound?: CommandNotFound | undefined;
  /**
   * Called for each program of the host that the policy grants (`external`) and a script runs, instead of starting it. Nothing is
   * looked for on the host, and no program is ever started. Names that are not granted do not get here, and in read-only mode only those
   * that are granted with `:ro`. On record it is an `external`, as it would be otherwise.
   */
  readonly external?: ExternalHandler | undefined;
}

/** See `ShellOptions.commandNotFound`. */
export type CommandNotFound = (argv: readonly string[]) => number | undefined | Promise<number | undefined>;

/** A command that is inside, by its name: to call from one that takes its place (`invoke`). */
export function builtin(name: string): Builtin | undefined {
  return builtins.find((one) => one.name === name || one.aliases.includes(name));
}

/** A shell under a policy. Throws PolicyError when the policy is not one, and TypeError for options that are none. */
export function createShell(given: Policy, options: ShellOptions = {}): Shell {
  const policy = ownCopy(given);
  // Looked at now, so that a wrong policy is found where it is written.
  grantsOf(policy);
  checkOptions('createShell', options, SHELL_KEYS);
  const host: Host = { policy, commands: hostCommands(options.builtins ?? []), ...options };
  return {
    run: async (script, options = {}) => {
      checkOptions('run', options, RUN_KEYS);
      return (await run(host, script, options)).result;
    },
    session: (options = {}) => {
      checkOptions('session', options, SESSION_KEYS);
      return new ShellSession(host, options);
    },
  };
}

interface Host extends ShellOptions {
  readonly policy: Policy;
  readonly commands: ReadonlyMap<string, Builtin>;
}

function hostCommands(given: readonly Builtin[]): ReadonlyMap<string, Builtin> {
  const commands = new Map<string, Builtin>();
  for (const command of given) {
    for (const name of [command.name, ...command.aliases]) {
      if (isPartOfTheShell(name))
        throw new TypeError(`createShell: '${name}' is part of the shell, and stays what it is`);
      commands.set(name, command);
    }
  }
  return commands;
}

class ShellSession implements Session {
  readonly #host: Host;
  readonly #options: SessionOptions;
  #previous: Run | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #over = false;

  constructor(host: Host, options: SessionOptions) {
    this.#host = host;
    this.#options = options;
  }

  get over(): boolean {
    return this.#over;
  }

  async run(script: string, options: Omit<RunOptions, keyof SessionOptions> = {}): Promise<RunResult> {
    checkOptions('run of a session', options, SESSION_RUN_KEYS);
    const result = this.#last.then(() => this.#run(script, options));
    this.#last = result.catch(() => {});
    return result;
  }

  end(options: Omit<RunOptions, keyof SessionOptions> = {}): Promise<RunResult> {
    return this.run('exit', options);
  }

  async #run(script: string, options: RunOptions): Promise<RunResult> {
    if (this.#over) throw new Error('the session is over');
    // A run that was stopped may have answered before all of it had come to an end.
    await this.#previous?.unwound;
    const ended = await run(this.#host, script, { ...options, ...this.#options }, { previous: this.#previous });
    this.#previous = ended.run;
    this.#over = ended.over;
    return ended.result;
  }
}

async function run(
  host: Host,
  script: string,
  options: RunOptions,
  session?: { readonly previous: Run | undefined },
): Promise<{ readonly result: RunResult; readonly run: Run; readonly over: boolean }> {
  if (typeof script !== 'string') throw new TypeError('run: the script must be a string');
  const { policy, files } = host;
  const grants = grantsOf({ ...policy, env: { ...policy.env, ...options.environment } });
  const name = options.name ?? 'rmsh';
  const limit = grants.limits.maxCapturedBytes;
  const stdout = byteCapture(limit);
  const stderr = byteCapture(limit);
  const out = sinkOf(stdout, options.onStdout);
  const err = sinkOf(stderr, options.onStderr);
  const effects: Effect[] = [];
  const stdin = sourceOf(options.stdin);
  const audit = options.onEvent && (await auditOf(options.onEvent, grants, script));
  const started = new Run({
    grants,
    makeStore: (store) => files?.store(store) ?? sandboxStore(store),
    commands: host.commands,
    commandNotFound: host.commandNotFound,
    findPrograms: async (search) => {
      if (host.external !== undefined) return answeredPrograms(search, host.external);
      return (await import('./sandbox/programs.js')).hostPrograms(search);
    },
    hostHas: async (name, directories) => (await import('./sandbox/find-program.js')).hostHas(name, directories),
    host: hostFacts(),
    pid: process.pid,
    parentPid: process.ppid,
    descriptors: [
      createDescription(stdin, undefined, NO_FACTS),
      createDescription(undefined, out, NO_FACTS),
      createDescription(undefined, err, NO_FACTS),
    ],
    terminal: undefined,
    cwd: files === undefined ? resolve(options.cwd ?? process.cwd()) : resolve('/', options.cwd ?? ''),
    zero: name,
    args: options.args ?? [],
    onEffect: (effect) => {
      if (effects.length < MAX_EFFECTS) effects.push(effect);
    },
    audit,
    limitsMet: (): readonly LimitName[] => (stdout.truncated || stderr.truncated ? ['maxCapturedBytes'] : []),
    signal: options.signal,
    timeoutMs: options.timeoutMs,
    flush: () => both(out.flush(), err.flush()),
    onStop: () => stdin.close(),
    ...(session === undefined ? undefined : { session: { ...session, jobs: 'wait' as const } }),
  });
  const end = await started.execute((shell) => {
    if (script.length > shell.limits.maxScriptBytes) throw limitReached('maxScriptBytes', shell.limits.maxScriptBytes);
    return runText(shell, new SourceText(name, script));
  });
  const truncated = stdout.truncated || stderr.truncated;
  const message =
    end.message ?? (truncated ? `output beyond maxCapturedBytes (${limit} bytes) was not kept` : undefined);
  const stdoutBytes = stdout.bytes();
  const stderrBytes = stderr.bytes();
  const result: RunResult = {
    exitCode: end.status,
    status: end.kind,
    stdout: decode(stdoutBytes),
    stderr: decode(stderrBytes),
    stdoutBytes,
    stderrBytes,
    truncated,
    removals: { made: end.budget.used, left: end.budget.limit - end.budget.used },
    effects,
    warnings: started.warnings,
    ...(message === undefined ? {} : { message }),
  };
  return { result, run: started, over: end.over };
}

async function auditOf(
  listener: NonNullable<RunOptions['onEvent']>,
  grants: Grants,
  script: string,
): Promise<AuditRequest> {
  const { auditRequest, listenerSink } = await import('./audit/request.js');
  return auditRequest(listenerSink(listener), { version: VERSION, grants, script: encode(script) });
}

function both(first: Waiting, second: Waiting): Waiting {
  if (first === undefined) return second;
  return second === undefined ? first : Promise.all([first, second]).then(() => undefined);
}

function sourceOf(stdin: RunOptions['stdin']): ByteSource {
  if (stdin === undefined) return textSource('');
  if (typeof stdin === 'string') return textSource(stdin);
  if (stdin instanceof Uint8Array) return bytesSource(stdin);
  if (typeof stdin !== 'object' || !(Symbol.asyncIterator in stdin)) {
    throw new TypeError('run: stdin must be a string, bytes, or an async iterable of bytes');
  }
  return iterableSource(stdin);
}

function sinkOf(capture: ByteSink, listener: RunOptions['onStdout']): ByteSink {
  return listener === undefined ? capture : tee(capture, listener);
}
