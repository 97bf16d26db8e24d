/** nproc: how many processors there are. */
import { type Awaitable, andThen } from '../src/steps.js';
import { gnuQuoteValue } from '../src/text/quote.js';
import { BadValue, defineBuiltin, usageFailure } from './kit/define.js';
import { parseInteger } from './kit/numbers.js';

export const nproc = defineBuiltin({
  name: 'nproc',
  summary: 'print how many processors may be used',
  needs: ['host', 'environment'],
  usage: 'nproc [OPTION]...',
  notes: 'OMP_NUM_THREADS and OMP_THREAD_LIMIT count, where they are set.',
  flags: {
    all: { long: 'all', help: 'print how many there are' },
    ignore: { long: 'ignore', value: 'N', parse: count, help: 'leave out N, if more are left' },
  },
  statuses: { 0: 'printed', 1: 'the options are wrong' },

  run(context): Awaitable<number> {
    const { flags, operands, host, environment } = context;
    const [extra] = operands;
    if (extra !== undefined) return usageFailure(context, `extra operand ${gnuQuoteValue(extra)}`);
    const { all, usable } = host.processors();
    let there = all;
    if (flags.all !== true) {
      const limit = threads(environment.get('OMP_THREAD_LIMIT')) || Number.POSITIVE_INFINITY;
      there = Math.min(threads(environment.get('OMP_NUM_THREADS')) || usable, limit);
    }
    const ignored = flags.ignore ?? 0;
    return andThen(context.out.write(`${ignored < there ? there - ignored : 1}\n`), () => 0);
  },
});

function count(text: string): number | BadValue {
  const value = parseInteger(text, {});
  if (value.kind !== 'value' || value.value < 0n) return new BadValue(`invalid number: ${gnuQuoteValue(text)}`);
  return Number(value.value);
}

/** A number, alone or the first of a list; 0 where there is none. */
function threads(text: string | undefined): number {
  const found = /^[ \t-\r]*([0-9]+)[ \t-\r]*(?:,.*)?$/s.exec(text ?? '');
  return Number(found?.[1] ?? 0);
}
