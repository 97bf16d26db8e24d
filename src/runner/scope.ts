/** What a whole run shares, made once and frozen: policy, budget, limits, clock. State is copied at a subshell; Scope is shared. */

import type { HostFacts, KernelSource } from '../../builtins/kit/context.js';
import type { Builtin } from '../../builtins/kit/define.js';
import type { Audit, RefusedCommand } from '../audit.js';
import type { FileStore, RemovalBudget } from '../files/files.js';
import type { DirtySinks } from '../io/file-stream.js';
import type { Programs } from '../io/programs.js';
import type { Description } from '../io/streams.js';
import type { Limits } from '../limits.js';
import type { Grants } from '../policy/policy.js';
import type { Awaitable, Tick, Waiting } from '../steps.js';
import type { SourceText } from './source.js';
import type { VirtualProcess } from './state.js';
import type { Ticker } from './tick.js';

export interface Topics {
  /** Undefined: there is no such topic. */
  topicText(name: string): string | undefined;
  topicList(): string;
}

export interface Scope {
  readonly grants: Grants;
  readonly limits: Limits;
  readonly store: FileStore;
  readonly budget: RemovalBudget;
  /** The programs of the host that are granted; undefined: none. */
  readonly programs: Programs | undefined;
  /** Whether there is a program of that name that could be granted. */
  hostHas(name: string): Promise<boolean>;
  /** What still takes a program's output, though the program may have ended: nothing of it is left when the run ends. */
  readonly outlived: Set<{ abandon(): void }>;
  /** Where the caller put the first shell. */
  readonly startDirectory: string;
  readonly ticker: Ticker;
  readonly tick: Tick;
  /** Who keeps a record of what is done; undefined: nobody. */
  readonly audit: Audit | undefined;
  /** A command was refused before it did anything: for the record, and for the effects of the result. */
  refused(command: RefusedCommand): void;
  /** Sinks of files that still hold bytes: written out before anybody looks at the disk. */
  readonly dirty: DirtySinks;
  readonly host: HostFacts & KernelSource;
  /** The host's time zone, for when `$TZ` is not set. */
  readonly timeZone: string;
  /** When the run, or the session, began, in milliseconds since 1970: `$SECONDS` counts from there. */
  readonly startedAt: number;
  /** The process's own numbers: `$$` of the first shell, and `$PPID`. */
  readonly pid: number;
  readonly parentPid: number;
  /**
   * Commands of the program that runs the shell, as those of the prompt. They touch nothing, are there whatever the policy allows, and
   * come before a built-in of the same name.
   */
  readonly own: ReadonlyMap<string, Builtin> | undefined;
  /** What `help` explains besides commands. */
  readonly topics: (() => Promise<Topics>) | undefined;
  /** The commands inside, by every name. */
  command(name: string): Builtin | (() => Awaitable<Builtin>) | undefined;
  readonly commandNames: readonly string[];
  /** The caller's answer to a command that is not there: its status; undefined where it has none. */
  readonly commandNotFound: ((argv: readonly string[]) => Awaitable<number | undefined>) | undefined;
  /** A descriptor of the host by number, for `/dev/tty`. */
  readonly terminal: Description | undefined;
  /** The run's first shell and its nested ones, by `$$`: they take the signals that `kill` sends. */
  readonly processes: Map<number, VirtualProcess>;
  /** The ends of the jobs that run: the run waits for them. */
  readonly jobs: Set<Promise<number>>;
  /** Of those that are process substitutions, our end of the pipe. */
  readonly substitutions: WeakMap<Promise<number>, Description>;
  readonly counters: {
    /** Virtual process ids, above every real one. */
    nextPid: number;
    /** Depth of functions, `eval`, `.` and substitutions, over all shells of the run. */
    callDepth: number;
    /** UTF-16 units of the long arguments of the function calls that are going on, over all shells of the run. */
    argumentBytes: number;
    /** UTF-16 units of texts that functions were defined in since the last time that all of them were counted. */
    definedBytes: number;
    /** The last of these texts. */
    definedIn: SourceText | undefined;
    runningJobs: number;
  };
  flushAll(): Waiting;
}
