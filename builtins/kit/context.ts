/** What a command is given: exactly what it declared to need, and the three streams. */
import type { PolicyRule } from '../../src/errors.js';
import type { Files, ListFiles, ReadFiles, RemoveFiles, WriteFiles, WriteOptions } from '../../src/files/files.js';
import type { KernelFacts } from '../../src/files/host.js';
import type { ByteSource, StreamFacts } from '../../src/io/streams.js';
import type { Limits } from '../../src/limits.js';
import type { Awaitable, Look, Tick, Waiting } from '../../src/steps.js';
import type { Outcome } from './outcome.js';

/**
 * What a command may need. Whatever is not named is not there, and the type says so.
 *
 * - `read` `list` `write` `remove`: the parts of `fs`
 * - `invoke`: run another command through the same policy, with the same budget
 * - `environment`: the exported variables
 * - `clock`: the time, the time zone, and waiting
 * - `host`: users and groups, host name, system figures
 * - `kernel`: processes, memory, network: for commands of the policy's host table alone
 */
export type Need = 'read' | 'list' | 'write' | 'remove' | 'invoke' | 'environment' | 'clock' | 'host' | 'kernel';

/** The output side of a descriptor. */
export interface Output {
  readonly facts: StreamFacts;
  /** A shell string or bytes (copied where they must be kept). Wait for what it returns, when it returns something. */
  write(data: string | Uint8Array): Waiting;
  /** Bytes handed over: the caller will not touch them again. */
  give(data: Uint8Array): Waiting;
  flush(): Waiting;
}

/** Descriptors of one command. A write whose reader has left throws BROKEN_PIPE, which ends the command with 141. */
export interface StandardStreams {
  /** Undefined when descriptor 0 is closed or not open for reading. */
  readonly stdin: ByteSource | undefined;
  readonly stdinFacts: StreamFacts | undefined;
  readonly out: Output;
  readonly err: Output;
  /** Descriptor `n` for reading or writing, for operands `/dev/stdin`, `/dev/fd/N` and `read -u`. Undefined when it is closed. */
  source(descriptor: number): ByteSource | undefined;
  sink(descriptor: number): Output | undefined;
}

/** How a command ended that another one ran. */
export interface Ended {
  readonly status: number;
  /** `not run`: it was not found (127) or may not be run (126), which has been said. `signalled`: the status is 128 and the signal. */
  readonly way: 'exited' | 'not run' | 'signalled';
  /** The status, for who ends as its command ended, a signal included, as if that had taken its place. */
  asOwn(): number;
}

/** Runs another command: a utility the policy allows, a builtin, never a function. */
export type Invoke = (
  argv: readonly string[],
  options?: {
    /** Undefined: the caller's own. `'null'`: empty. */
    readonly stdin?: ByteSource | 'null';
    /** Undefined: the caller's. Otherwise exactly these variables. */
    readonly environment?: ReadonlyMap<string, string>;
    readonly cwd?: string;
    /** Called before the command begins with a way to send it signals: `send('TERM')`. It need not end of them. */
    readonly onStart?: (send: (signal: string) => void) => void;
  },
) => Awaitable<Ended>;

/** A file opened for writing. */
export interface OutputFile extends Output {
  close(): Waiting;
}

/** Opening by name, with the interpreter's own names (`/dev/stdin`, `/dev/fd/N`, `/dev/null` ...) understood. Throws FsError. */
export interface OpenSource {
  openSource(path: string): ByteSource;
}
export interface OpenSink {
  openSink(path: string, options: WriteOptions): OutputFile;
}

/** `chmod +x` and `mkdir -m +x` leave out what the umask takes; everything else is done where files are made. */
export interface Umask {
  readonly umask: number;
}

export interface CommandClock {
  /** Nanoseconds since 1970. */
  now(): bigint;
  /** IANA name or POSIX TZ text in force (`$TZ`, else the host's). */
  readonly timeZone: string;
  /** Waits; ends early only when the run ends. */
  sleep(milliseconds: number): Promise<void>;
  /** The same for who may stop waiting; `done` rejects when the run ends. */
  timer(milliseconds: number): { readonly done: Promise<void>; readonly cancel: () => void };
}

/** A user as passwd(5) and group(5) know one. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  /** All groups, that of `gid` first. */
  readonly groups: readonly number[];
}

export interface HostFacts {
  userName(uid: number): string | undefined;
  groupName(gid: number): string | undefined;
  userId(name: string): number | undefined;
  groupId(name: string): number | undefined;
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
  readonly realUid: number;
  readonly realGid: number;
  account(name: string): Account | undefined;
  hostName(): string;
  /** uname(2), without the host name. */
  system(): { readonly name: string; readonly release: string; readonly version: string; readonly machine: string };
  /** Processors there are, and those this process may use. */
  processors(): { readonly all: number; readonly usable: number };
  load(): {
    /** Seconds since the host was started. */
    readonly uptime: number;
    /** Over one, five and fifteen minutes. */
    readonly averages: readonly [number, number, number];
    /** Logins that utmp(5) knows. */
    readonly logins: number;
  };
  /** Mounted file systems inside or around the roots, as /proc/self/mountinfo tells. */
  mounts(): readonly {
    readonly source: string;
    readonly target: string;
    readonly type: string;
    readonly dev: bigint;
  }[];
}

/** Processes, memory, network: what only commands that the policy grants by name, or by `allowHost`, may look at. */
export interface KernelSource {
  kernel(): Awaitable<KernelFacts>;
}

/** What every command has. */
export interface BaseContext extends StandardStreams {
  /** The name it was called by (`[` or `test`). */
  readonly name: string;
  readonly tick: Tick;
  readonly look: Look;
  readonly limits: Limits;
  /** Prints `NAME: message` and a newline on the error stream. */
  complain(message: string): void;
  /** Puts on record that the policy refuses the command as a whole, by this rule. It says why itself. */
  refused(rule: PolicyRule): void;
  /** Prints `NAME: MESSAGE: what the error says`; answers 1, the status of a command that goes on (0 where a command takes it for none). `error` is a caught FsError; anything else is thrown again. */
  failed(what: string, error: unknown): 0 | 1;
}

type Part<N extends Need, Wanted extends Need, Type> = Wanted extends N ? Type : unknown;

export type FilesFor<N extends Need> = Part<N, 'read', ReadFiles> &
  Part<N, 'list', ListFiles> &
  Part<N, 'write', WriteFiles> &
  Part<N, 'remove', RemoveFiles>;

/** The context of a command that declared `N`. */
export type Context<N extends Need> = BaseContext & { readonly fs: FilesFor<N> } & Part<N, 'read', OpenSource> &
  Part<N, 'write', OpenSink & Umask> &
  Part<N, 'invoke', { readonly invoke: Invoke }> &
  Part<N, 'environment', { readonly environment: ReadonlyMap<string, string> }> &
  Part<N, 'clock', { readonly clock: CommandClock }> &
  Part<N, 'host', { readonly host: HostFacts }> &
  Part<N, 'kernel', KernelSource>;

/** Everything, as the Runner makes it; `defineBuiltin` shows a command only its part. */
export interface FullContext extends BaseContext, OpenSource, OpenSink, Umask, KernelSource {
  readonly fs: Files;
  readonly invoke: Invoke;
  readonly environment: ReadonlyMap<string, string>;
  readonly clock: CommandClock;
  readonly host: HostFacts;
  /** True where file names may be changed: the policy's mode is remediation. */
  readonly remediation: boolean;
}

export type CommandResult = Awaitable<Outcome>;
