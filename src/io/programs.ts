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
  /**
   * Starts a program: before this returns it has its directory and its open files. Rejects with FsError when it cannot be executed.
   * The pipes' other ends are the program's alone from then on.
   */
  start(program: Program, request: StartRequest): Promise<RunningProgram>;
  /** Ends what still runs, and settles when nothing does. Nothing can be started any more. */
  end(): Promise<void>;
}
