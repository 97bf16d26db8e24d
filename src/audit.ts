/**
 * What a run does, as events: one definition for the audit file, for `onEvent`, and for the effects of a result.
 *
 * The order is that in which things were asked for, over all pipelines and jobs of a run. A change has an `intent` before it is
 * made and an `outcome`, or a `refusal`, after it; what only reads has an outcome. Names are as in the shell: each byte that is
 * not UTF-8 is a lone surrogate U+DC80 to U+DCFF, which JSON writes as `\udc80` to `\udcff`.
 */
import type { PolicyRule, ShellError } from './errors.js';
import type { Effect as FileEffect, FileStore, Intent } from './files/files.js';
import type { LimitName, Limits } from './limits.js';
import type { Waiting } from './steps.js';

/** The text a command stands in, or the command that runs it. */
export type Route =
  | 'script'
  | 'eval'
  | 'trap'
  /** A file run by `.` */
  | '.'
  /** `sh`, `bash`, `dash`, with or without `-c`, and scripts that are run by their path. */
  | 'sh'
  /** `/bin/rm` for the rm inside. */
  | 'path'
  /** Otherwise the name of the command that ran it: `xargs`, `find`, `env`, `command`, `exec` ... */
  | (string & {});

export interface RunStart {
  readonly event: 'run-start';
  readonly rmsh: string;
  /** SHA-256 of the policy with everything filled in, as JSON with sorted keys and no blanks. */
  readonly policy: string;
  /** SHA-256 of the script's bytes; not there for one that is read from standard input as it runs. */
  readonly script?: string;
  readonly level: FileStore['level'];
  readonly mode: 'read-only' | 'remediation';
  readonly roots: readonly { readonly path: string; readonly access: 'ro' | 'rw' }[];
  readonly limits: Limits;
  /** `$0` and the arguments. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly pid: number;
  readonly uid: number;
}

export interface CommandEvent {
  readonly event: 'command';
  /** As fields, after every expansion. */
  readonly argv: readonly string[];
  /** What the name turned out to be. `missing`: status 127. */
  readonly kind: 'builtin' | 'function' | 'utility' | 'nested-shell' | 'path' | 'external' | 'missing';
  /** The file that is started, where `kind` is `external`. */
  readonly program?: string;
  readonly route: Route;
  /** The function it stands in. */
  readonly function?: string;
  readonly source: string;
  readonly line: number;
  /** `$$` of its shell, and how many subshells deep it is. */
  readonly pid: number;
  readonly subshell: number;
}

/** A command that was refused as a whole, before it did anything. */
export interface RefusedCommand {
  readonly action: 'run';
  /** Its words, expanded; the first is its name. */
  readonly argv: readonly string[];
  /** Its name, as the script called it. */
  readonly command: string;
  /** The script it stands in: its name, or that of the file that was sourced. */
  readonly source: string;
  /** In `source`, counted from 1. */
  readonly line: number;
  readonly outcome: 'refused';
  /** Of the policy: which rule refused it. */
  readonly rule: PolicyRule;
}

/** What a run did to files or tried to, and the commands it was refused. */
export type Effect = FileEffect | RefusedCommand;

export interface LimitEvent {
  readonly event: 'limit';
  readonly limit: LimitName;
  readonly value: number;
}

export interface RunEnd {
  readonly event: 'run-end';
  /** `$?` to whoever started it. */
  readonly status: number;
  readonly kind: 'exited' | 'aborted' | 'timeout' | 'limit' | 'audit';
  readonly message?: string;
  readonly removals: { readonly made: number; readonly left: number };
  /** How many there were of each other event. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * What a run does, as it does it: its start, each command, what is about to change, what came of it, what was refused, each
 * limit that was met, its end.
 */
export type AuditEvent =
  | RunStart
  | CommandEvent
  | ({ readonly event: 'intent' } & Intent)
  | ({ readonly event: 'outcome' } & FileEffect)
  | ({ readonly event: 'refusal' } & Effect)
  | LimitEvent
  | RunEnd;

/** An event with its place among the others. */
export type AuditRecord = {
  /** 1, 2, 3 ...: of the run; of the file where it is kept in one. */
  readonly seq: number;
  /** ISO 8601, milliseconds, UTC. */
  readonly time: string;
  /** The same for all events of a run, and no other's. */
  readonly run: string;
} & AuditEvent;

/** Who takes the records. */
export interface AuditSink {
  readonly run: string;
  /**
   * Takes a record. `durable`: something is lost after it, and it must be where it lasts before that. What it throws, or a promise
   * it answers rejects with, is a failure of the sink; while a promise is pending the run waits.
   */
  take(record: AuditRecord, durable: boolean): unknown;
}

/** The run's audit trail, as the Runner sees it. */
export interface Audit {
  /** Hands an event on. Throws the ShellError that ends the run when it cannot be, and the policy wants the run to end then. */
  emit(event: AuditEvent): Waiting;
  /** What the run has to wait for before it does anything else. */
  readonly pending: Waiting;
}

/** A trail as the run that makes it has it. */
export interface Trail extends Audit {
  /** How many events there were of each kind so far. */
  readonly counts: Readonly<Record<string, number>>;
  /**
   * The end of the run, and the last event but those of jobs that a session leaves at work. Answers what the run has failed
   * of, where the policy wants that.
   */
  end(event: RunEnd): Promise<ShellError | undefined>;
}

/** What a trail needs of its run. */
export interface TrailOptions {
  readonly onFailure: 'end' | 'continue';
  /** Ends the run. */
  readonly stop: (reason: ShellError) => void;
  /** Calls `wake` when the run is stopped, for whatever reason; answers how to take that back. */
  readonly onStop: (wake: () => void) => () => void;
  readonly stopped: () => ShellError | undefined;
  /** Says that the sink has failed; `ends`: the run ends with the same message. */
  readonly warn: (message: string, ends: boolean) => void;
}

/** An audit trail that somebody asks for: how to begin one, and what only he can say of the run. */
export interface AuditRequest {
  readonly about: Pick<RunStart, 'rmsh' | 'policy' | 'script' | 'uid'>;
  begin(options: TrailOptions): Trail;
}
