/** ps: what processes there are (procps). Of another process nobody sees the arguments here: where they would stand is the name. */
import { type Awaitable, andThen } from '../src/steps.js';
import type { Context } from './kit/context.js';
import { defineBuiltin, type Flags, type Parsed, usageFailure } from './kit/define.js';
import { parseMemory } from './kit/host/memory.js';
import { allProcesses, type Process } from './kit/host/process.js';
import { COLUMNS, layOut, type Moment, type ShownColumn } from './ps/columns.js';
import { sortKeys, sortProcesses } from './ps/order.js';
import { PsError, type Selection, selectionOf } from './ps/selection.js';

const FLAGS = {
  every: { short: 'eA', help: 'all processes' },
  full: { short: 'f', help: 'more columns' },
  pids: { short: 'p', long: 'pid', value: 'PID,...', repeat: true, help: 'these processes' },
  parents: { long: 'ppid', value: 'PID,...', repeat: true, help: 'children of these' },
  names: { short: 'C', value: 'NAME,...', repeat: true, help: 'processes of these names' },
  users: { short: 'u', long: 'user', value: 'USER,...', repeat: true, help: 'processes of these users' },
  columns: { short: 'o', long: 'format', value: 'COLUMN[=HEADING],...', repeat: true, help: 'these columns' },
  sort: { long: 'sort', value: '[-]COLUMN,...', repeat: true, help: 'in the order of these, - for the largest first' },
  bare: { long: ['no-headers', 'no-heading'], help: 'without headings' },
} as const satisfies Flags;

export type PsContext = Context<'kernel' | 'host' | 'clock'> & Parsed<typeof FLAGS>;

const FORMATS = {
  short: 'pid,tname=TTY,time,ucmd=CMD',
  full: 'euser=UID,pid,ppid,c,stime,tname=TTY,time,ucmd=CMD',
  bsd: 'pid,tname=TTY,stat,bsdtime=TIME,args',
  user: 'user,pid,pcpu,pmem,vsz,rss,tname=TTY,stat,start_time,bsdtime=TIME,args',
};

export const ps = defineBuiltin({
  name: 'ps',
  summary: 'list processes',
  needs: ['kernel', 'host', 'clock'],
  usage: 'ps [OPTION]...\nps aux',
  notes: `The letters a, x, u, w, h and o are known without a dash too, as in 'ps aux' and 'ps axo pid,comm'. The arguments of processes are
not shown: in the columns CMD and COMMAND (cmd, args, command) stands the name alone.
Columns: ${Object.keys(COLUMNS).join(' ')}`,
  flags: FLAGS,
  statuses: { 0: 'there are such processes', 1: 'there are none, or the options are wrong' },
  unknownOptionHint: (option) => HINTS[option],

  run(context): Awaitable<number> {
    const selection = selectionOf(context, context.host);
    if (selection instanceof PsError) return usageFailure(context, selection.message);
    const columns = shownColumns(context, selection);
    if (columns instanceof PsError) return usageFailure(context, columns.message);
    const keys = sortKeys(context.flags.sort ?? []);
    if (keys instanceof PsError) return usageFailure(context, keys.message);
    return andThen(context.kernel(), (kernel) =>
      andThen(allProcesses(kernel, context.tick), (processes) => {
        const moment = momentOf(context, (name) => kernel.text(name) ?? '');
        const self = processes.find(({ pid }) => pid === kernel.self);
        const shown = sortProcesses(
          processes.filter((process) => selection.includes(process, self)),
          keys,
          moment,
        );
        const bare = context.flags.bare === true || selection.bare || columns.every(({ heading }) => heading === '');
        const lines = bare
          ? []
          : [
              layOut(
                columns,
                moment,
                columns.map(({ heading }) => heading),
                true,
              ),
            ];
        for (const process of shown) lines.push(layOut(columns, moment, cellsOf(process, columns, moment)));
        const status = shown.length === 0 ? 1 : 0;
        return lines.length === 0 ? status : andThen(context.out.write(`${lines.join('\n')}\n`), () => status);
      }),
    );
  },
});

const HINTS: Readonly<Record<string, string>> = {
  '-a': "ps: for all processes write 'ps -e', or 'ps aux' without a dash",
  '-x': "ps: for all processes write 'ps -e', or 'ps aux' without a dash",
  '--forest': "ps: no tree is drawn: 'ps -eo pid,ppid,comm' has the parents",
};

function momentOf({ host, clock }: PsContext, text: (name: 'meminfo' | 'pid_max' | 'stat') => string): Moment {
  const { uptime } = host.load();
  const now = Number(clock.now() / 1_000_000n) / 1000;
  const booted = /^btime ([0-9]+)$/m.exec(text('stat'))?.[1];
  return {
    host,
    uptime,
    booted: booted === undefined ? Math.floor(now - uptime) : Number(booted),
    now,
    timeZone: clock.timeZone,
    memory: parseMemory(text('meminfo')).total,
    pidWidth: `${(Number(text('pid_max')) || 4_194_304) - 1}`.length,
  };
}

function cellsOf(process: Process, columns: readonly ShownColumn[], moment: Moment): string[] {
  return columns.map(({ column }) => column.text(process, moment));
}

function shownColumns({ flags }: PsContext, selection: Selection): readonly ShownColumn[] | PsError {
  const lists = [...(flags.columns ?? []), ...selection.columns];
  if (lists.length > 0) return parseColumns(lists);
  const format = flags.full ? 'full' : selection.format;
  return parseColumns([FORMATS[format]]);
}

/** `pid,comm:20=NAME`: names, each with a width and a heading of its own where they are given. */
function parseColumns(lists: readonly string[]): readonly ShownColumn[] | PsError {
  const shown: ShownColumn[] = [];
  for (const list of lists) {
    if (list === '') return new PsError('format specification must follow -o');
    for (const word of list.split(/[, \t]/)) {
      const equals = word.indexOf('=');
      const [name = '', width] = (equals < 0 ? word : word.slice(0, equals)).split(':');
      if (name === '') return new PsError('improper format list');
      const column = Object.hasOwn(COLUMNS, name) ? COLUMNS[name] : undefined;
      if (column === undefined) return new PsError(`unknown user-defined format specifier "${name}"`);
      if (width !== undefined && !/^[1-9][0-9]{0,3}$/.test(width)) return new PsError('improper format list');
      const heading = equals < 0 ? column.heading : word.slice(equals + 1);
      shown.push({ column, heading, width: width === undefined ? undefined : Number(width) });
    }
  }
  return shown;
}
