/** lsof: which files processes hold open, deleted ones too, whose space is still taken. */
import { isFsError } from '../src/errors.js';
import type { HeldFile, HeldStat } from '../src/files/host.js';
import { type Awaitable, andThen } from '../src/steps.js';
import type { Context } from './kit/context.js';
import { defineBuiltin, type Flags, type Parsed, usageFailure } from './kit/define.js';
import { majorOf, minorOf } from './kit/device.js';
import { type Process, parseProcess, printable } from './kit/host/process.js';
import { forEach } from './kit/repeat.js';
import { type FileOperand, type Selection, selectionOf } from './lsof/selection.js';

const FLAGS = {
  every: { short: 'a', help: 'only what fits all that is asked for; else anything that is' },
  names: { short: 'c', value: 'NAME', repeat: true, help: 'of processes whose name begins so' },
  numbers: { short: 'l', help: 'users by number' },
  noHosts: { short: 'n', help: 'no names of hosts: they are never looked up' },
  noPorts: { short: 'P', help: 'no names of ports: they are never looked up' },
  pids: { short: 'p', value: 'PID,...', repeat: true, help: 'of these processes' },
  terse: { short: 't', help: 'print only the numbers of the processes' },
  users: { short: 'u', value: 'USER,...', repeat: true, help: 'of the processes of these users' },
} as const satisfies Flags;

type LsofContext = Context<'kernel' | 'host' | 'read'> & Parsed<typeof FLAGS>;

const DELETED = ' (deleted)';

export const lsof = defineBuiltin({
  name: 'lsof',
  summary: 'print which files processes hold open, deleted ones too',
  needs: ['kernel', 'host', 'read'],
  usage: 'lsof [OPTION]... [+L1] [FILE]...',
  notes: `+LN shows only files that have fewer than N names: +L1 those that were deleted and still take space.
Names outside the roots are '(restricted)'. The files of other users' processes are for root to see. Sockets are
the business of 'ss -p'; mapped files are not shown.`,
  flags: FLAGS,
  statuses: { 0: 'there are such files', 1: 'there are none, or the words are wrong' },
  unknownOptionHint: (option) =>
    option === '-i' || option === '-U' ? "lsof: for sockets write 'ss -tunap'" : undefined,

  run(context): Awaitable<number> {
    const { tick, out } = context;
    const words = readOperands(context);
    if (typeof words === 'number') return words;
    const selection = selectionOf({ flags: context.flags, ...words }, context.host);
    if (typeof selection === 'string') return usageFailure(context, selection);
    return andThen(context.kernel(), (kernel) => {
      const rows: Row[] = [];
      const look = (pid: number): false => {
        const texts = kernel.process(pid);
        const process = texts === undefined ? undefined : parseProcess(texts);
        if (process === undefined || !selection.mayWant(process)) return false;
        rows.push(...rowsOf(process, kernel.heldFiles(pid) ?? [], selection));
        return false;
      };
      const all = forEach(kernel.processes(), (pid) => andThen(tick(), () => look(pid)));
      return andThen(all, () => {
        if (rows.length === 0) return 1;
        const text = context.flags.terse
          ? `${[...new Set(rows.map(({ process }) => process.pid))].join('\n')}\n`
          : table(context, rows, words.links !== undefined);
        return andThen(out.write(text), () => 0);
      });
    });
  },
});

interface Operands {
  readonly files: readonly FileOperand[];
  readonly links: number | undefined;
}

/** Options with a plus are operands to getopt. */
function readOperands(context: LsofContext): Operands | number {
  const files: FileOperand[] = [];
  let links: number | undefined;
  let status = 0;
  for (const word of context.operands) {
    const count = /^\+L([0-9]*)$/.exec(word)?.[1];
    if (count !== undefined) links = count === '' ? Number.POSITIVE_INFINITY : Number(count);
    else if (word.startsWith('+')) {
      context.complain(`'${word}' is not supported`);
      status = 1;
    } else {
      try {
        const { dev, ino } = context.fs.stat(word);
        files.push({ dev, ino });
      } catch (error) {
        status = context.failed(`status error on ${word}`, error);
      }
    }
  }
  return status === 0 ? { files, links } : status;
}

interface Row {
  readonly process: Process;
  readonly file: HeldFile;
}

function rowsOf(process: Process, held: readonly HeldFile[], selection: Selection): readonly Row[] {
  return held.filter((file) => selection.wants(process, file)).map((file) => ({ process, file }));
}

function table(context: LsofContext, rows: readonly Row[], withLinks: boolean): string {
  const { host, flags } = context;
  const userOf = ({ uid }: Process): string => (flags.numbers ? undefined : host.userName(uid)) ?? `${uid}`;
  const lines = rows.map(({ process, file }) => [
    printable(process.comm).slice(0, 9),
    `${process.pid}`,
    userOf(process),
    placeOf(file),
    typeOf(file.stat),
    deviceOf(file.stat),
    sizeOf(file),
    ...(withLinks ? [`${file.stat?.nlink ?? ''}`] : []),
    `${file.stat?.ino ?? ''}`,
    nameOf(context, file),
  ]);
  lines.unshift([
    'COMMAND',
    'PID',
    'USER',
    'FD  ',
    'TYPE',
    'DEVICE',
    'SIZE/OFF',
    ...(withLinks ? ['NLINK'] : []),
    'NODE',
    'NAME',
  ]);
  const widths = lines[0]?.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0))) ?? [];
  return lines
    .map((line) => {
      const cells = line.map((cell, i) => {
        if (i === 0) return cell.padEnd(widths[i] ?? 0);
        return i === line.length - 1 ? cell : cell.padStart(widths[i] ?? 0);
      });
      return `${cells.join(' ')}\n`;
    })
    .join('');
}

/** ` cwd  `, `   7w `: the number, how it is open, and room for a lock. */
function placeOf({ place, flags }: HeldFile): string {
  const access = flags === undefined ? ' ' : (['r', 'w', 'u'][flags & 3] ?? ' ');
  return `${place.padStart(4)}${access} `;
}

const TYPES = {
  file: 'REG',
  directory: 'DIR',
  symlink: 'LINK',
  fifo: 'FIFO',
  socket: 'sock',
  block: 'BLK',
  character: 'CHR',
} as const;

function typeOf(stat: HeldStat | undefined): string {
  if (stat === undefined) return 'unknown';
  return stat.kind === undefined ? 'a_inode' : TYPES[stat.kind];
}

function deviceOf(stat: HeldStat | undefined): string {
  if (stat === undefined) return '';
  const device = stat.kind === 'block' || stat.kind === 'character' ? stat.rdev : stat.dev;
  return `${majorOf(device)},${minorOf(device)}`;
}

/** The size of a file or directory, the offset in what has none. */
function sizeOf({ stat, position }: HeldFile): string {
  if (stat?.kind === 'file' || stat?.kind === 'directory') return `${stat.size}`;
  return position === undefined ? '' : `0t${position}`;
}

/** What is no path is shown as it is. A path only where it lies in a root. */
function nameOf({ fs }: LsofContext, { link }: HeldFile): string {
  if (!link.startsWith('/')) return link.replace(/^(?:anon_inode:|(pipe|socket):\[[0-9]+\]$)/, '$1');
  const isDeleted = link.endsWith(DELETED);
  const path = isDeleted ? link.slice(0, -DELETED.length) : link;
  return `${isInRoot(fs, path) ? printable(path) : '(restricted)'}${isDeleted ? DELETED : ''}`;
}

/** A path outside every root is refused as text; one inside is looked for, and may be missing. */
function isInRoot(fs: LsofContext['fs'], path: string): boolean {
  try {
    fs.lstat(path);
    return true;
  } catch (error) {
    if (!isFsError(error)) throw error;
    return error.code === 'ENOENT' || error.code === 'ENOTDIR';
  }
}
