/** Processes from what proc(5) says of each: `/proc/PID/stat` and `/proc/PID/status`. */
import type { KernelFacts, ProcessTexts } from '../../../src/files/host.js';
import { type Awaitable, andThen, type Tick } from '../../../src/steps.js';
import { forEach } from '../repeat.js';

/** Clock ticks in a second: USER_HZ, which the kernel shows to everybody as 100. */
export const HERTZ = 100;

export interface Process {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  readonly sid: number;
  /** Device number of the controlling terminal, 0 for none. */
  readonly tty: number;
  /** Process group in the foreground of that terminal, -1 for none. */
  readonly foreground: number;
  /** Its name, of at most 15 bytes; the kernel's own threads may have longer ones. */
  readonly comm: string;
  /** `R`, `S`, `D`, `Z`, `T` ... */
  readonly state: string;
  /** Processor time in clock ticks, user and system. */
  readonly ticks: number;
  readonly priority: number;
  readonly nice: number;
  readonly threads: number;
  /** Clock ticks between the start of the host and its own. */
  readonly started: number;
  /** KiB. */
  readonly virtual: number;
  readonly resident: number;
  readonly locked: number;
  readonly uid: number;
  readonly realUid: number;
  readonly gid: number;
  readonly realGid: number;
}

/** Undefined when a text is not what proc(5) says. */
export function parseProcess({ pid, stat, status }: ProcessTexts): Process | undefined {
  // The name may hold blanks and parentheses: it goes from the first to the last of them.
  const open = stat.indexOf('(');
  const close = stat.lastIndexOf(')');
  if (open < 0 || close < open) return undefined;
  const fields = stat.slice(close + 2).split(' ');
  if (fields.length < 22) return undefined;
  // Numbered as proc(5) numbers them, from 1; the state is the third.
  const field = (number: number): number => Number(fields[number - 3]);
  const [realUid = 0, uid = 0] = ids(status, 'Uid');
  const [realGid = 0, gid = 0] = ids(status, 'Gid');
  return {
    pid,
    ppid: field(4),
    pgid: field(5),
    sid: field(6),
    tty: field(7),
    foreground: field(8),
    comm: stat.slice(open + 1, close),
    state: fields[0] ?? '?',
    ticks: field(14) + field(15),
    priority: field(18),
    nice: field(19),
    threads: field(20),
    started: field(22),
    virtual: Math.floor(field(23) / 1024),
    resident: kibibytes(status, 'VmRSS'),
    locked: kibibytes(status, 'VmLck'),
    uid,
    realUid,
    gid,
    realGid,
  };
}

function ids(status: string, name: string): readonly number[] {
  const found = new RegExp(`^${name}:\\s*([0-9]+)\\s+([0-9]+)`, 'm').exec(status);
  return found === null ? [] : [Number(found[1]), Number(found[2])];
}

/** 0 for what a thread of the kernel does not have. */
function kibibytes(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s*([0-9]+)`, 'm').exec(status)?.[1] ?? 0);
}

/** All processes that can be seen, by their numbers. One that ends meanwhile is left out. */
export function allProcesses(kernel: KernelFacts, tick: Tick): Awaitable<readonly Process[]> {
  const found: Process[] = [];
  const add = (pid: number): false => {
    const texts = kernel.process(pid);
    const process = texts === undefined ? undefined : parseProcess(texts);
    if (process !== undefined) found.push(process);
    return false;
  };
  const all = forEach(kernel.processes(), (pid) => {
    const waiting = tick();
    return waiting === undefined ? add(pid) : waiting.then(() => add(pid));
  });
  return andThen(all, () => found);
}

/** A name for the screen: what could move the cursor is a question mark, as procps has it. */
export function printable(comm: string): string {
  return comm.replace(/[\u0000-\u001f\u007f-\u009f\udc80-\udcff]/g, '?');
}
