/** Programs of the host, as the Runner knows them: found when the run begins, started with three open files, ended with the run. */
import type { OpenFile } from '../files/files.js';
import type { Awaitable } from '../steps.js';
import type { HostReader } from './host-port-types.js';

/** A program that the policy grants and that was found. */
export interface Program {
  /** What a script calls it. */
  readonly name: string;
  /** Where it was found, which may be a symbolic link. */
  readonly path: string;
  /** The caller says that it changes nothing. */
  readonly readOnly: boolean;
}

/** What a program gets as its descriptor 0, 1 or 2. Two that are the same object are the same open file. */
export type Connection =
  /** `/dev/null` */
  | { readonly kind: 'null' }
  /** A descriptor of this process. */
  | { readonly kind: 'host'; readonly fd: number }
  /** A file that the script has open. */
  | { readonly kind: 'file'; readonly file: OpenFile }
  | { readonly kind: 'pipe'; readonly pipe: InputPipe | OutputPipe };

/** A pipe that a program reads. */
export interface InputPipe {
  /** Puts bytes of `data` in, from `at` on, and says how many: 0 once the pipe is closed. */
  write(data: Uint8Array, at: number): Awaitable<number>;
  /** Nothing more comes: the reader sees the end. What is in the pipe can still be taken back. */
  end(): void;
  /** What nobody has read of it, once its reader is gone. The pipe is closed. */
  takeBack(): Uint8Array;
}

/** A pipe that a program writes to. `wait` and `read` as for any descriptor of the host; closing it breaks the pipe. */
export interface OutputPipe {
  openReader(buffer: Uint8Array): HostReader;
  close(): void;
}

export interface StartRequest {
  /** The words as they were typed; the first is the program's own name for itself. */
  readonly argv: readonly string[];
  /** All of its variables. */
  readonly environment: ReadonlyMap<string, string>;
  /** Where it starts, absolute. */
  readonly directory: string;
  /** Bits that files it makes do not get, on top of the caller's own. */
  readonly umask: number;
  readonly stdin: Connection;
  readonly stdout: Connection;
  readonly stderr: Connection;
}

/** How a program ended: by itself, with a status, or by a signal (`TERM`). */
export type ProgramEnd = { readonly status: number } | { readonly signal: string };

/** A program that runs, the leader of a process group (and session) of its own. */
export interface RunningProgram {
  /** Never rejects. */
  readonly ended: Promise<ProgramEnd>;
  /** Sends a signal (`TERM`, `KILL`) to the whole group. */
  signal(name: string): void;
  /** Ends the group: `TERM`, and `KILL` for what is still there a second later. */
  terminate(): void;
}

/** One call of a program that the caller of the library answers for. */
export interface ExternalCall {
  /** The words as the script gave them, expanded; the first is the name of the program. */
  readonly argv: readonly string[];
  /** The exported variables, and no others. */
  readonly environment: Readonly<Record<string, string>>;
  /** The directory of the shell, absolute and without symbolic links. It may lie outside of every root where the caller put it there. */
  readonly cwd: string;
  /** Standard input. What is not taken is left for the next command. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Prints; wait for the promise before the next. It rejects once the reader has left, and after `signal`: let that through. */
  readonly stdout: (data: string | Uint8Array) => Promise<void>;
  /** The same on the error stream. */
  readonly stderr: (data: string | Uint8Array) => Promise<void>;
  /** Aborted when the run, or the job, is ended: the script goes on, or ends, without an answer. Aborted also after the answer. */
  readonly signal: AbortSignal;
}

/**
 * Does what a program of the host would do, and answers its status, 0 to 255. What it throws is printed on the error stream of the script,
 * and the status is 126. What it does is not confined: the policy decides which names get here, and no more.
 */
export type ExternalHandler = (call: ExternalCall) => number | Promise<number>;

/** The programs of one run. */
export interface Programs {
  readonly all: readonly Program[];
  /** What the caller should know: programs that were not found. */
  readonly warnings: readonly string[];
  find(name: string): Program | undefined;
  /** By the absolute path where it was found. */
  findPath(path: string): Program | undefined;
  inputPipe(): InputPipe;
  outputPipe(): OutputPipe;
  /** The caller answers for all of them: nothing is started. */
  readonly answer?: ExternalHandler;
  /**
   * Starts a program: before this returns it has its directory and its open files. Rejects with FsError when it cannot be executed.
   * The pipes' other ends are the program's alone from then on.
   */
  start(program: Program, request: StartRequest): Promise<RunningProgram>;
  /** Ends what still runs, and settles when nothing does. Nothing can be started any more. */
  end(): Promise<void>;
}
