/** free: how much memory there is, and how much of it is used (procps). */
import { type Awaitable, andThen } from '../src/steps.js';
import type { Context } from './kit/context.js';
import { BadValue, defineBuiltin, type Flags, type Parsed } from './kit/define.js';
import { type Memory, parseMemory } from './kit/host/memory.js';
import { formatFixed } from './kit/number-format.js';
import { repeat } from './kit/repeat.js';

const FLAGS = {
  bytes: { short: 'b', long: 'bytes', help: 'in bytes' },
  kilo: { long: 'kilo', help: 'in kilobytes of 1000 bytes' },
  mega: { long: 'mega', help: 'in megabytes' },
  giga: { long: 'giga', help: 'in gigabytes' },
  tera: { long: 'tera', help: 'in terabytes' },
  kibi: { short: 'k', long: 'kibi', help: 'in kibibytes of 1024 bytes (default)' },
  mebi: { short: 'm', long: 'mebi', help: 'in mebibytes' },
  gibi: { short: 'g', long: 'gibi', help: 'in gibibytes' },
  tebi: { long: 'tebi', help: 'in tebibytes' },
  human: { short: 'h', long: 'human', help: 'sizes like 1.5Gi' },
  si: { long: 'si', help: 'with powers of 1000' },
  total: { short: 't', long: 'total', help: 'a line with the sum of memory and swap' },
  wide: { short: 'w', long: 'wide', help: 'buffers and cache in columns of their own' },
  seconds: { short: 's', long: 'seconds', value: 'N', parse: seconds, help: 'print again every N seconds' },
  count: { short: 'c', long: 'count', value: 'N', parse: count, help: 'print N times, then end' },
} as const satisfies Flags;

/** Powers, of 1000 or of 1024. */
const UNITS = {
  bytes: [1, 0],
  kilo: [1000, 1],
  mega: [1000, 2],
  giga: [1000, 3],
  tera: [1000, 4],
  kibi: [1024, 1],
  mebi: [1024, 2],
  gibi: [1024, 3],
  tebi: [1024, 4],
} as const;

export const free = defineBuiltin({
  name: 'free',
  summary: 'print how much memory is used and free',
  needs: ['kernel', 'clock'],
  usage: 'free [OPTION]...',
  notes: 'With -s but not -c it goes on until the run ends.',
  flags: FLAGS,
  statuses: { 0: 'printed', 1: 'the options are wrong, or the kernel tells nothing of memory' },

  run(context): Awaitable<number> {
    const { flags, operands, out, clock } = context;
    const [extra] = operands;
    if (extra !== undefined) {
      context.complain(`extra operand '${extra}'`);
      return 1;
    }
    const units = (Object.keys(UNITS) as (keyof typeof UNITS)[]).filter((unit) => flags[unit] === true);
    if (units.length > 1) {
      context.complain("Multiple unit options don't make sense.");
      return 1;
    }
    const size = sizeWriter(flags.human === true, flags.si === true, units[0]);
    const pause = flags.seconds ?? 1;
    const times = flags.count ?? (flags.seconds === undefined ? 1 : Number.POSITIVE_INFINITY);
    let printed = 0;
    return repeat(() => {
      const again = (): Awaitable<number | undefined> => {
        if (++printed >= times) return 0;
        return andThen(out.write('\n'), () =>
          andThen(out.flush(), () => clock.sleep(pause * 1000).then(() => undefined)),
        );
      };
      return andThen(context.kernel(), (kernel) => {
        const text = kernel.text('meminfo');
        if (text === undefined) {
          context.complain('the kernel tells nothing of its memory');
          return 1;
        }
        return andThen(out.write(table(context, parseMemory(text), size)), again);
      });
    });
  },
});

type FreeContext = Context<'kernel' | 'clock'> & Parsed<typeof FLAGS>;

function table({ flags }: FreeContext, memory: Memory, size: (kibibytes: number) => string): string {
  const { total, free: unused, used, shared, buffers, cached, available, swapTotal, swapFree } = memory;
  const row = (label: string, ...figures: readonly number[]) =>
    `${label.padEnd(9)}${figures.map((figure) => size(figure).padStart(11)).join(' ')}\n`;
  const wide = flags.wide === true;
  const headings = ['total', 'used', 'free', 'shared', ...(wide ? ['buffers', 'cache'] : ['buff/cache']), 'available'];
  let text = `${' '.repeat(9)}${headings.map((heading) => heading.padStart(11)).join(' ')}\n`;
  const caches = wide ? [buffers, cached] : [buffers + cached];
  text += row('Mem:', total, used, unused, shared, ...caches, available);
  text += row('Swap:', swapTotal, swapTotal - swapFree, swapFree);
  if (flags.total === true) {
    text += row('Total:', total + swapTotal, used + swapTotal - swapFree, unused + swapFree);
  }
  return text;
}

function sizeWriter(human: boolean, si: boolean, unit: keyof typeof UNITS | undefined): (kibibytes: number) => string {
  if (human) return (kibibytes) => humanSize(kibibytes * 1024, si);
  const [base, power] = unit === undefined ? [si ? 1000 : 1024, 1] : UNITS[unit];
  const divisor = (si && base === 1024 ? 1000 : base) ** power;
  return (kibibytes) => `${Math.trunc((kibibytes * 1024) / divisor)}`;
}

/** As much of it as four characters show, five with the `i` of a binary prefix. */
function humanSize(bytes: number, si: boolean): string {
  const base = si ? 1000 : 1024;
  const widest = si ? 4 : 5;
  if (`${bytes}B`.length <= 4) return `${bytes}B`;
  let scaled = bytes;
  let text = '';
  for (const letter of 'KMGTPEZY') {
    scaled /= base;
    const unit = si ? letter : `${letter}i`;
    for (const figure of [formatFixed(scaled, 1), `${Math.trunc(scaled)}`]) {
      text = figure + unit;
      if (text.length <= widest) return text;
    }
  }
  return text;
}

function seconds(text: string): number | BadValue {
  const value = /^(?:[0-9]+\.?[0-9]*|\.[0-9]+)$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(value)) return new BadValue(`seconds argument failed: '${text}': Invalid argument`);
  return value > 0 ? value : new BadValue(`seconds argument \`${text}' is not positive number`);
}

function count(text: string): number | BadValue {
  const value = Number(text);
  if (!/^[0-9]+$/.test(text)) return new BadValue(`failed to parse count argument: '${text}'`);
  if (value >= 1 && value < 2 ** 31) return value;
  return new BadValue(`failed to parse count argument: '${text}': Numerical result out of range`);
}
