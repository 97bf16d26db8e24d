/** vmstat: processes, memory, swapping and processor time, since the host was started and then for each interval (procps). */
import { type Awaitable, andThen } from '../src/steps.js';
import { BadValue, defineBuiltin, type Flags, usageFailure } from './kit/define.js';
import { figuresOf, type Memory, parseMemory } from './kit/host/memory.js';
import { HERTZ } from './kit/host/process.js';
import { repeat } from './kit/repeat.js';

const UNITS: Readonly<Record<string, number>> = { k: 1000, K: 1024, m: 1_000_000, M: 1_048_576 };
/** Lines after which the headings are printed again, where there is no terminal to say. */
const PAGE = 22;

const FLAGS = {
  active: { short: 'a', long: 'active', help: 'inactive and active memory, not buffers and cache' },
  once: { short: 'n', long: 'one-header', help: 'print the headings only once' },
  unit: { short: 'S', long: 'unit', value: 'UNIT', parse: unit, help: 'memory in k (1000), K (1024), m or M bytes' },
  skip: { short: 'y', long: 'no-first', help: 'leave out the line of averages since the start' },
} as const satisfies Flags;

export const vmstat = defineBuiltin({
  name: 'vmstat',
  summary: 'print how busy memory, disks and processors are',
  needs: ['kernel', 'clock'],
  usage: 'vmstat [OPTION]... [DELAY COUNT]',
  notes:
    'The first line is the average since the host was started. DELAY is in seconds; COUNT has to be given with it.',
  flags: FLAGS,
  statuses: { 0: 'printed', 1: 'the options or operands are wrong' },

  run(context): Awaitable<number> {
    const { flags, operands, out, clock } = context;
    const [delayWord, countWord, extra] = operands;
    if (extra !== undefined) return usageFailure(context, `extra operand '${extra}'`);
    const wrong = [delayWord, countWord].find((word) => word !== undefined && !/^[0-9]{1,9}$/.test(word));
    if (wrong !== undefined) {
      context.complain(`failed to parse argument: '${wrong}'`);
      return 1;
    }
    if (delayWord !== undefined && countWord === undefined) {
      return usageFailure(context, `say how often: 'vmstat ${delayWord} COUNT'`);
    }
    const delay = Number(delayWord ?? 1);
    if (delay === 0) {
      context.complain('delay must be positive integer');
      return 1;
    }
    const times = Number(countWord ?? 1);
    const page = flags.once === true ? Number.POSITIVE_INFINITY : PAGE;
    let before: Sample | undefined;
    let printed = 0;
    const wait = (): Promise<undefined> => clock.sleep(delay * 1000).then(() => undefined);
    return repeat(() =>
      andThen(context.kernel(), (kernel) => {
        const sample = takeSample((name) => kernel.text(name) ?? '');
        if (flags.skip === true && before === undefined) {
          before = sample;
          return wait();
        }
        const text =
          (printed % page === 0 ? headings(flags.active === true) : '') +
          line(sample, before, delay, flags.unit ?? 1024, flags.active === true);
        before = sample;
        return andThen(out.write(text), () => (++printed >= times ? 0 : andThen(out.flush(), wait)));
      }),
    );
  },
});

function unit(text: string): number | BadValue {
  return UNITS[text] ?? new BadValue('-S requires k, K, m or M (default is KiB)');
}

/** Counters since the start of the host; memory as it is. */
interface Sample {
  readonly memory: Memory;
  readonly running: number;
  readonly blocked: number;
  readonly counters: Counters;
}

interface Counters {
  /** KiB, from and to swap and disks. */
  readonly swapIn: number;
  readonly swapOut: number;
  readonly diskIn: number;
  readonly diskOut: number;
  readonly interrupts: number;
  readonly switches: number;
  /** Clock ticks of all processors. */
  readonly user: number;
  readonly system: number;
  readonly idle: number;
  readonly waiting: number;
  readonly stolen: number;
}

const PAGE_KIB = 4;

/** proc(5): stat, vmstat, meminfo. */
function takeSample(text: (name: 'stat' | 'vmstat' | 'meminfo') => string): Sample {
  const stat = new Map(
    text('stat')
      .split('\n')
      .map((row) => {
        const [name = '', ...values] = row.split(/ +/);
        return [name, values.map(Number)] as const;
      }),
  );
  const paging = figuresOf(text('vmstat'));
  const [user = 0, nice = 0, system = 0, idle = 0, waiting = 0, hard = 0, soft = 0, stolen = 0] = stat.get('cpu') ?? [];
  const first = (name: string): number => stat.get(name)?.[0] ?? 0;
  const paged = (name: string): number => paging.get(name) ?? 0;
  return {
    memory: parseMemory(text('meminfo')),
    running: first('procs_running'),
    blocked: first('procs_blocked'),
    counters: {
      swapIn: paged('pswpin') * PAGE_KIB,
      swapOut: paged('pswpout') * PAGE_KIB,
      diskIn: paged('pgpgin'),
      diskOut: paged('pgpgout'),
      interrupts: first('intr'),
      switches: first('ctxt'),
      user: user + nice,
      system: system + hard + soft,
      idle,
      waiting,
      stolen,
    },
  };
}

function headings(active: boolean): string {
  const kinds = active ? ' inact active' : '  buff  cache';
  return `procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free ${kinds}   si   so    bi    bo   in   cs us sy id wa st
`;
}

/** The first line is of all the time since the start, counted by the processors' ticks; another of `delay` seconds. */
function line(sample: Sample, before: Sample | undefined, delay: number, unitBytes: number, active: boolean): string {
  const { memory, counters } = sample;
  const grown = (name: keyof Counters): number => Math.max(0, counters[name] - (before?.counters[name] ?? 0));
  const ticks = Math.max(1, grown('user') + grown('system') + grown('idle') + grown('waiting') + grown('stolen'));
  const rate = (name: keyof Counters): number =>
    before === undefined
      ? Math.floor((grown(name) * HERTZ + Math.floor(ticks / 2)) / ticks)
      : Math.floor((grown(name) + Math.floor(delay / 2)) / delay);
  const percent = (name: keyof Counters): number => Math.floor((100 * grown(name) + Math.floor(ticks / 2)) / ticks);
  const size = (kibibytes: number): number => Math.floor((kibibytes * 1024) / unitBytes);
  const figures: readonly (readonly [width: number, figure: number])[] = [
    [2, sample.running],
    [2, sample.blocked],
    [6, size(memory.swapTotal - memory.swapFree)],
    [6, size(memory.free)],
    [6, size(active ? memory.inactive : memory.buffers)],
    [6, size(active ? memory.active : memory.cached)],
    [4, rate('swapIn')],
    [4, rate('swapOut')],
    [5, rate('diskIn')],
    [5, rate('diskOut')],
    [4, rate('interrupts')],
    [4, rate('switches')],
    [2, percent('user')],
    [2, percent('system')],
    [2, percent('idle')],
    [2, percent('waiting')],
    [2, percent('stolen')],
  ];
  return `${figures.map(([width, figure]) => `${figure}`.padStart(width)).join(' ')}\n`;
}
