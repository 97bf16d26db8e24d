/** The columns of ps: their names, headings and widths (procps), and what stands in them. */
import type { HostFacts } from '../kit/context.js';
import { HERTZ, type Process, printable } from '../kit/host/process.js';
import { strftime } from '../kit/strftime.js';

/** What a column is made from, beside the process itself. */
export interface Moment {
  readonly host: Pick<HostFacts, 'userName' | 'groupName'>;
  /** Seconds since the host was started. */
  readonly uptime: number;
  /** When that was, in seconds since 1970. */
  readonly booted: number;
  /** Seconds since 1970. */
  readonly now: number;
  readonly timeZone: string;
  /** KiB. */
  readonly memory: number;
  /** Columns that the highest process number takes. */
  readonly pidWidth: number;
}

export interface Column {
  readonly heading: string;
  /** `pid`: as wide as the highest process number. */
  readonly width: number | 'pid';
  readonly right: boolean;
  readonly text: (process: Process, moment: Moment) => string;
  /** What `--sort` goes by, where it is not the text. */
  readonly order?: (process: Process, moment: Moment) => number | string;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function numeric(heading: string, width: number | 'pid', of: (process: Process, moment: Moment) => number): Column {
  return { heading, width, right: true, text: (process, moment) => `${of(process, moment)}`, order: of };
}

function words(heading: string, width: number, text: Column['text']): Column {
  return { heading, width, right: false, text };
}

function userColumn(heading: string, of: (process: Process) => number): Column {
  return words(heading, 8, (process, { host }) => fitting(host.userName(of(process)) ?? `${of(process)}`));
}

function groupColumn(heading: string, of: (process: Process) => number): Column {
  return words(heading, 8, (process, { host }) => fitting(host.groupName(of(process)) ?? `${of(process)}`));
}

/** A name that is too long is cut, and says so. */
function fitting(name: string): string {
  return name.length > 8 ? `${name.slice(0, 7)}+` : name;
}

const processorSeconds = ({ ticks }: Process): number => Math.floor(ticks / HERTZ);

function elapsed(process: Process, { uptime }: Moment): number {
  return Math.max(0, uptime - process.started / HERTZ);
}

/** In tenths of a percent, of the time it has lived. */
function processorShare(process: Process, moment: Moment): number {
  const seconds = Math.floor(elapsed(process, moment));
  return seconds === 0 ? 0 : Math.floor((process.ticks * 1000) / HERTZ / seconds);
}

const memoryShare = ({ resident }: Process, { memory }: Moment): number =>
  memory === 0 ? 0 : Math.min(999, Math.floor((resident * 1000) / memory));

const two = (number: number): string => `${number}`.padStart(2, '0');

/** `[DD-]hh:mm:ss` */
function longTime(seconds: number): string {
  const days = Math.floor(seconds / DAY);
  return `${days === 0 ? '' : `${two(days)}-`}${clockTime(seconds % DAY)}`;
}

function clockTime(seconds: number): string {
  return `${two(Math.floor(seconds / HOUR))}:${two(Math.floor(seconds / MINUTE) % 60)}:${two(seconds % 60)}`;
}

/** `[[DD-]hh:]mm:ss` */
function elapsedTime(seconds: number): string {
  if (seconds >= HOUR) return longTime(seconds);
  return `${two(Math.floor(seconds / MINUTE))}:${two(seconds % 60)}`;
}

const startOf = (process: Process, { booted }: Moment): number => booted + Math.floor(process.started / HERTZ);

function date(format: string, seconds: number, { timeZone }: Moment): string {
  return strftime(format, { seconds, nanoseconds: undefined }, timeZone) ?? '';
}

/** `HH:MM` of today, `MmmDD` of this year, else the year. */
function startTime(process: Process, moment: Moment): string {
  const start = startOf(process, moment);
  const [year, day] = date('%Y %j', start, moment).split(' ');
  const [thisYear, today] = date('%Y %j', moment.now, moment).split(' ');
  if (year !== thisYear) return date('%Y', start, moment);
  return date(day === today ? '%H:%M' : '%b%d', start, moment);
}

/** terminals(4): by the number of the device. */
function terminalName({ tty }: Process): string {
  const major = (tty >>> 8) & 0xfff;
  const minor = (tty & 0xff) | ((tty >>> 12) & 0xfff00);
  if (tty === 0) return '?';
  if (major >= 136 && major <= 143) return `pts/${minor + (major - 136) * 256}`;
  if (major === 4) return minor < 64 ? `tty${minor}` : `ttyS${minor - 64}`;
  if (major === 5 && minor === 1) return 'console';
  return major === 204 && minor >= 64 ? `ttyAMA${minor - 64}` : '?';
}

/** The state and what else is known of it: `Ss+`. */
function fullState(process: Process): string {
  const { state, nice, locked, sid, pid, threads, foreground, pgid } = process;
  let text = state;
  if (nice < 0) text += '<';
  if (nice > 0) text += 'N';
  if (locked > 0) text += 'L';
  if (sid === pid) text += 's';
  if (threads > 1) text += 'l';
  return foreground === pgid ? `${text}+` : text;
}

const name = (heading: string, width: number): Column =>
  words(heading, width, ({ comm, state }) => printable(comm) + (state === 'Z' ? ' <defunct>' : ''));

const percentage = (heading: string, tenths: (process: Process, moment: Moment) => number): Column => ({
  heading,
  width: 4,
  right: true,
  text: (process, moment) => {
    const share = tenths(process, moment);
    return share > 999 ? `${Math.floor(share / 10)}` : `${Math.floor(share / 10)}.${share % 10}`;
  },
  order: tenths,
});

const TTY = words('TT', 8, terminalName);
const STATE = words('S', 1, ({ state }) => state);
const TIME: Column = {
  heading: 'TIME',
  width: 8,
  right: true,
  text: (process) => longTime(processorSeconds(process)),
  order: processorSeconds,
};
const START: Column = { heading: 'STIME', width: 5, right: true, text: startTime, order: ({ started }) => started };
const PCPU = percentage('%CPU', processorShare);
const PMEM = percentage('%MEM', memoryShare);
const RSS = numeric('RSS', 5, ({ resident }) => resident);
const VSZ = numeric('VSZ', 6, ({ virtual }) => virtual);
const PGID = numeric('PGID', 'pid', ({ pgid }) => pgid);
const SID = numeric('SID', 'pid', ({ sid }) => sid);
const USER = userColumn('USER', ({ uid }) => uid);
const COMMAND = name('COMMAND', 15);

/** By the names that `-o` and `--sort` know. */
export const COLUMNS: Readonly<Record<string, Column>> = {
  pid: numeric('PID', 'pid', ({ pid }) => pid),
  ppid: numeric('PPID', 'pid', ({ ppid }) => ppid),
  pgid: PGID,
  pgrp: { ...PGID, heading: 'PGRP' },
  sid: SID,
  sess: { ...SID, heading: 'SESS' },
  tpgid: numeric('TPGID', 'pid', ({ foreground }) => foreground),
  uid: numeric('UID', 5, ({ uid }) => uid),
  euid: numeric('EUID', 5, ({ uid }) => uid),
  ruid: numeric('RUID', 5, ({ realUid }) => realUid),
  gid: numeric('GID', 5, ({ gid }) => gid),
  egid: numeric('EGID', 5, ({ gid }) => gid),
  rgid: numeric('RGID', 5, ({ realGid }) => realGid),
  user: USER,
  uname: USER,
  euser: { ...USER, heading: 'EUSER' },
  ruser: userColumn('RUSER', ({ realUid }) => realUid),
  group: groupColumn('GROUP', ({ gid }) => gid),
  egroup: groupColumn('EGROUP', ({ gid }) => gid),
  rgroup: groupColumn('RGROUP', ({ realGid }) => realGid),
  state: STATE,
  s: STATE,
  stat: words('STAT', 4, fullState),
  tty: TTY,
  tt: TTY,
  tname: { ...TTY, heading: 'TTY' },
  stime: START,
  start_time: { ...START, heading: 'START' },
  start: {
    heading: 'STARTED',
    width: 8,
    right: true,
    text: (process, moment) => {
      const start = startOf(process, moment);
      return date(moment.now - start >= DAY ? '  %b %d' : '%H:%M:%S', start, moment);
    },
    order: ({ started }) => started,
  },
  lstart: {
    heading: 'STARTED',
    width: 24,
    right: true,
    text: (process, moment) => date('%a %b %e %H:%M:%S %Y', startOf(process, moment), moment),
    order: ({ started }) => started,
  },
  time: TIME,
  cputime: TIME,
  bsdtime: {
    ...TIME,
    width: 6,
    text: (process) => {
      const seconds = processorSeconds(process);
      return `${Math.floor(seconds / MINUTE)}:${two(seconds % MINUTE)}`.padStart(6);
    },
  },
  etime: {
    heading: 'ELAPSED',
    width: 11,
    right: true,
    text: (process, moment) => elapsedTime(Math.floor(elapsed(process, moment))),
    order: elapsed,
  },
  etimes: numeric('ELAPSED', 7, (process, moment) => Math.floor(elapsed(process, moment))),
  comm: COMMAND,
  ucmd: { ...COMMAND, heading: 'CMD' },
  ucomm: COMMAND,
  cmd: name('CMD', 27),
  args: name('COMMAND', 27),
  command: name('COMMAND', 27),
  rss: RSS,
  rssize: RSS,
  rsz: { ...RSS, heading: 'RSZ' },
  vsz: VSZ,
  vsize: VSZ,
  pmem: PMEM,
  '%mem': PMEM,
  pcpu: PCPU,
  '%cpu': PCPU,
  c: numeric('C', 2, (process, moment) => Math.min(99, Math.floor(processorShare(process, moment) / 10))),
  ni: numeric('NI', 3, ({ nice }) => nice),
  nice: numeric('NI', 3, ({ nice }) => nice),
  pri: numeric('PRI', 3, ({ priority }) => 39 - priority),
  nlwp: numeric('NLWP', 4, ({ threads }) => threads),
  thcount: numeric('THCNT', 5, ({ threads }) => threads),
};

export interface ShownColumn {
  readonly column: Column;
  readonly heading: string;
  /** Where one was asked for. */
  readonly width: number | undefined;
}

/** Lays out a row as procps does: what is too wide pushes the next columns on, as far as they have no room of their own. */
export function layOut(
  columns: readonly ShownColumn[],
  moment: Moment,
  cells: readonly string[],
  headings = false,
): string {
  let line = '';
  /** Where the column would begin if none had been too wide. */
  let due = 0;
  columns.forEach(({ column, heading, width: asked }, i) => {
    const own = column.width === 'pid' ? moment.pidWidth : column.width;
    const width = asked ?? Math.max(own, heading.length);
    const whole = cells[i] ?? '';
    const isCut = !column.right && !headings && i < columns.length - 1;
    const cell = isCut ? whole.slice(0, width) : whole;
    const begin = column.right ? due + width - cell.length : due;
    line += ' '.repeat(Math.max(i === 0 ? 0 : 1, begin - line.length)) + cell;
    due += width + 1;
  });
  return line;
}
