/** Asynchronous lists (POSIX 2.9.3.1): a fork of the state that goes on by itself, on the same budget. */

import type { Outcome } from '../../builtins/kit/outcome.js';
import { signalNumber } from '../../builtins/kit/signals.js';
import type { Statement } from '../../grammar/ast.js';
import { print } from '../../grammar/index.js';
import { createDescription } from '../io/descriptors.js';
import { NULL_FACTS, NULL_SINK, nullSource } from '../io/null.js';
import { limitReached } from '../limits.js';
import type { Awaitable } from '../steps.js';
import { runList, runStatement } from './lists.js';
import { OPTIONS } from './options.js';
import { withRedirections } from './redirections.js';
import { SignalGroup } from './signals.js';
import type { ShellState } from './state.js';
import { runForked } from './subshells.js';
import { traced } from './tracing-traps.js';

export interface Job {
  readonly number: number;
  /** Virtual: above every real process id. */
  readonly pid: number;
  readonly statement: Statement;
  readonly shell: ShellState;
  /** Undefined while it runs. */
  status: number | undefined;
  /** Settles when the job has ended; rejects only when the run is stopped. */
  readonly ended: Promise<number>;
}

/** What `wait -n` has waited for. */
export interface FirstEnded {
  readonly pid: number | undefined;
  readonly status: number;
}

/** Ended jobs whose status nobody has asked for: POSIX wants at least CHILD_MAX (25) remembered. */
const REMEMBERED = 1024;

const KEYBOARD_SIGNALS = ['INT', 'QUIT'] as const;

/** `statement &`: starts it, sets `$!`. */
export function startJob(shell: ShellState, statement: Statement): Awaitable<Outcome> {
  const { counters, limits } = shell.scope;
  const start = (): Awaitable<number> =>
    counters.runningJobs < limits.maxJobs ? launch(shell, statement) : launchWhenThereIsRoom(shell, statement);
  // the DEBUG action of a job that is one command is the shell's own
  return statement.kind === 'SimpleCommand' && shell.traps.size > 0 ? traced(shell, statement, start) : start();
}

/** So many turns a job that is done with its work needs to be over; one that still works or waits then has the place for good. */
const TURNS_FOR_ROOM = 100;

/** `while ...; do : & done` starts jobs faster than they can end: they get the time to, before the limit is met. */
async function launchWhenThereIsRoom(shell: ShellState, statement: Statement): Promise<number> {
  const { counters, limits, ticker } = shell.scope;
  for (let turns = 0; counters.runningJobs >= limits.maxJobs; turns++) {
    if (turns === TURNS_FOR_ROOM) throw limitReached('maxJobs', limits.maxJobs);
    await ticker.turn();
  }
  return launch(shell, statement);
}

function launch(shell: ShellState, statement: Statement): number {
  const { counters } = shell.scope;
  const child = shell.fork();
  if (statement.kind === 'SimpleCommand') child.debugged = statement;
  // A job must not take the input of the shell it left (POSIX 2.11): it reads from nothing.
  if ((shell.options & OPTIONS.monitor.bit) === 0) {
    child.descriptors.set(0, createDescription(nullSource(), NULL_SINK, NULL_FACTS));
    // Nor do the keys that stop the shell stop it (POSIX 2.11): it has to be told by another signal.
    for (const signal of KEYBOARD_SIGNALS) child.setTrap(signal, '');
  }
  const group = new SignalGroup();
  group.leader = child;
  group.direct = statement.kind === 'SimpleCommand';
  child.signals = group;
  const pid = counters.nextPid++;
  child.subshellPid = pid;
  counters.runningJobs += 1;
  // The job's first step waits for a turn of the shell that started it, as a new process would.
  const ended = Promise.resolve().then(() => runForked(child, (job) => runJob(job, statement)));
  const last = shell.jobs[shell.jobs.length - 1];
  const job: Job = {
    number: last === undefined ? 1 : last.number + 1,
    pid,
    statement,
    shell: child,
    status: undefined,
    ended: ended.then(
      (status) => {
        counters.runningJobs -= 1;
        job.status = status;
        return status;
      },
      (error: unknown) => {
        counters.runningJobs -= 1;
        job.status = 1;
        throw error;
      },
    ),
  };
  // Whoever waits for the job hears of its failure; so does the end of the run, which waits for all.
  job.ended.catch(() => {});
  shell.scope.jobs.add(job.ended);
  job.ended.then(
    () => shell.scope.jobs.delete(job.ended),
    () => {},
  );
  if (shell.jobs.length >= REMEMBERED) shell.jobs = shell.jobs.filter((known) => known.status === undefined);
  shell.jobs.push(job);
  shell.lastBackground = pid;
  if ((shell.options & OPTIONS.interactive.bit) !== 0) shell.writeError(`[${job.number}] ${pid}\n`);
  return 0;
}

/** `( list ) &` is one process, not two: a trap that the list sets is the job's. */
function runJob(job: ShellState, statement: Statement): Awaitable<Outcome> {
  if (statement.kind !== 'Subshell') return runStatement(job, statement);
  return withRedirections(job, statement.redirections, () => runList(job, statement.body));
}

export function jobText(job: Job): string {
  return print(job.statement).trimEnd();
}

/** Waits for one job. A job that was waited for is no job any more, but its status can be asked for again, as in bash and dash. A signal ends the waiting (POSIX XCU wait). */
export function waitForJob(shell: ShellState, pid: number): Promise<number> | undefined {
  const job = shell.jobs.find((known) => known.pid === pid);
  if (job === undefined) {
    const status = shell.waitedFor?.get(pid);
    return status === undefined ? undefined : Promise.resolve(status);
  }
  return unlessSignalled(shell, job.ended).then((status) => {
    if (status === undefined) return signalStatus(shell);
    waited(shell, job, status);
    return status;
  });
}

function waited(shell: ShellState, job: Job, status: number): void {
  shell.jobs = shell.jobs.filter((known) => known !== job);
  shell.waitedFor ??= new Map();
  if (shell.waitedFor.size >= REMEMBERED) shell.waitedFor.clear();
  shell.waitedFor.set(job.pid, status);
}

/** Waits for the first of these jobs to end, one that has ended already included; undefined when none of them is a job. A signal ends the waiting, and has no `pid`. */
export function waitForFirst(shell: ShellState, pids: readonly number[] | undefined): Promise<FirstEnded> | undefined {
  const jobs = pids === undefined ? shell.jobs : shell.jobs.filter(({ pid }) => pids.includes(pid));
  if (jobs.length === 0) return undefined;
  const over = jobs.find((job) => job.status !== undefined);
  const first = over === undefined ? Promise.race(jobs.map((job) => job.ended.then(() => job))) : Promise.resolve(over);
  return unlessSignalled(shell, first).then((job) => {
    if (job === undefined) return { pid: undefined, status: signalStatus(shell) };
    const status = job.status ?? 0;
    waited(shell, job, status);
    return { pid: job.pid, status };
  });
}

/** Waits for all jobs: 0, or 128 and more when a signal came first. */
export async function waitForJobs(shell: ShellState): Promise<number> {
  while (shell.jobs.length > 0) {
    const waited = shell.jobs;
    const all = await unlessSignalled(shell, Promise.all(waited.map((job) => job.ended)));
    if (all === undefined) return signalStatus(shell);
    shell.jobs = shell.jobs.filter((job) => !waited.includes(job));
  }
  return 0;
}

/** What `ended` gives, or undefined when a signal comes first. */
async function unlessSignalled<T>(shell: ShellState, ended: Promise<T>): Promise<T | undefined> {
  const signal = shell.signals.next();
  try {
    return await Promise.race([ended, signal.came.then(() => undefined)]);
  } finally {
    signal.forget();
  }
}

function signalStatus(shell: ShellState): number {
  const { signals } = shell;
  return signals.fatalFor(shell) ?? 128 + signalNumber(signals.pending[0] ?? '');
}
