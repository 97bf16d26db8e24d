/** comm: compare two files of sorted lines. */
import { type Awaitable, andThen } from '../src/steps.js';
import { toByteString } from '../src/text/bytes.js';
import { gnuQuoteIfNeeded, gnuQuoteValue } from '../src/text/quote.js';
import { defineBuiltin, usageFailure } from './kit/define.js';
import { lastOf, sameAgain } from './kit/given.js';
import { LineReader, withSources } from './kit/line-reader.js';
import { type LineWriter, lineWriter } from './kit/output.js';
import { repeat } from './kit/repeat.js';

type Checking = 'always' | 'never' | 'unpaired';

export const comm = defineBuiltin({
  name: 'comm',
  summary: 'compare two files of sorted lines',
  needs: ['read'],
  usage: 'comm [OPTION]... FILE1 FILE2',
  notes: 'Three columns: lines only in FILE1, lines only in FILE2, lines in both.',
  flags: {
    first: { short: '1', help: 'leave out column 1' },
    second: { short: '2', help: 'leave out column 2' },
    both: { short: '3', help: 'leave out column 3' },
    check: { long: 'check-order', help: 'check that the files are sorted, even if all lines are in both' },
    nocheck: { long: 'nocheck-order', help: 'do not check that the files are sorted' },
    delimiter: {
      long: 'output-delimiter',
      value: 'STR',
      repeat: true,
      help: 'print STR before columns 2 and 3, not a tab',
    },
    total: { long: 'total', help: 'print how many lines are in each column' },
    zero: { short: 'z', long: 'zero-terminated', help: 'lines end with NUL' },
  },
  conflict: sameAgain({ delimiter: 'multiple output delimiters specified' }),
  statuses: { 0: 'compared', 1: 'a file could not be read or is not sorted' },

  run(context) {
    const { flags, given, operands } = context;
    const last = operands[operands.length - 1];
    if (last === undefined) return usageFailure(context, 'missing operand');
    if (operands.length < 2) return usageFailure(context, `missing operand after ${gnuQuoteValue(last)}`);
    const extra = operands[2];
    if (extra !== undefined) return usageFailure(context, `extra operand ${gnuQuoteValue(extra)}`);
    const order = lastOf(given, ['check', 'nocheck'])?.flag;
    const end = flags.zero === true ? '\0' : '\n';
    const separator = flags.delimiter === undefined ? '\t' : toByteString(flags.delimiter[0] ?? '') || '\0';
    const indents = [
      '',
      flags.first === true ? '' : separator,
      (flags.first === true ? '' : separator) + (flags.second === true ? '' : separator),
    ];
    const shown = [flags.first !== true, flags.second !== true, flags.both !== true];
    const checking: Checking = order === 'check' ? 'always' : order === 'nocheck' ? 'never' : 'unpaired';
    const out = lineWriter(context.out);

    return withSources(context, operands, gnuQuoteIfNeeded, (sources) => {
      const readers = sources.map((source) => new LineReader(context, source, end.charCodeAt(0)));
      const comparison = new Comparison(readers, checking, (column, line) =>
        shown[column] === true ? out.write(`${indents[column]}${line}${end}`) : undefined,
      );
      return andThen(
        comparison.run((message) => context.complain(message)),
        () => {
          const [first, second, both] = comparison.totals;
          // Printed as a C string, which a NUL ends.
          const gap = separator === '\0' ? '' : separator;
          const total = `${first}${gap}${second}${gap}${both}${gap}total${end}`;
          const counted = flags.total === true && !comparison.stopped ? out.write(total) : undefined;
          return andThen(counted, () => finish(out, comparison, (message) => context.complain(message)));
        },
      );
    });
  },
});

function finish(out: LineWriter, comparison: Comparison, complain: (message: string) => void): Awaitable<number> {
  return andThen(out.end(), () => {
    if (!comparison.stopped && comparison.disordered) complain('input is not in sorted order');
    return comparison.disordered ? 1 : 0;
  });
}

class Comparison {
  readonly totals: [number, number, number] = [0, 0, 0];
  /** Of each file, the line in hand and the two before it. */
  private readonly lines: (string | undefined)[][] = [[], []];
  private readonly warned = [false, false];
  private unpaired = false;
  /** Ended at a line out of order. */
  stopped = false;
  private readonly readers: readonly LineReader[];
  private readonly checking: Checking;
  private readonly print: (column: 0 | 1 | 2, line: string) => Awaitable<void>;

  constructor(
    readers: readonly LineReader[],
    checking: Checking,
    print: (column: 0 | 1 | 2, line: string) => Awaitable<void>,
  ) {
    this.readers = readers;
    this.checking = checking;
    this.print = print;
  }

  get disordered(): boolean {
    return this.warned.includes(true);
  }

  run(complain: (message: string) => void): Awaitable<true> {
    const step = (): Awaitable<true | undefined> => {
      if (this.stopped) return true;
      const a = this.lines[0]?.[0];
      const b = this.lines[1]?.[0];
      if (a === undefined && b === undefined) return true;
      const order = a === undefined ? 1 : b === undefined ? -1 : a < b ? -1 : a > b ? 1 : 0;
      const column = order === 0 ? 2 : order < 0 ? 0 : 1;
      this.totals[column]++;
      if (order !== 0) this.unpaired = true;
      const printed = this.print(column, (order <= 0 ? a : b) ?? '');
      const forward = (): Awaitable<undefined> =>
        andThen(order <= 0 ? this.advance(0, complain) : undefined, () =>
          order >= 0 && !this.stopped ? this.advance(1, complain) : undefined,
        );
      return andThen(printed, forward);
    };
    return andThen(this.advance(0, complain), () => andThen(this.advance(1, complain), () => repeat<true>(step)));
  }

  private advance(file: 0 | 1, complain: (message: string) => void): Awaitable<undefined> {
    const lines = this.lines[file] as (string | undefined)[];
    return andThen((this.readers[file] as LineReader).next(), (line) => {
      const [previous, before] = lines;
      lines.unshift(line);
      lines.length = Math.min(lines.length, 3);
      // At the end of a file the last two lines may have been read before anything was unpaired.
      if (line !== undefined) this.check(file, previous, line, complain);
      else this.check(file, before, previous, complain);
      return undefined;
    });
  }

  private check(file: 0 | 1, a: string | undefined, b: string | undefined, complain: (message: string) => void): void {
    if (a === undefined || b === undefined || this.warned[file] || a <= b) return;
    if (this.checking === 'never' || (this.checking === 'unpaired' && !this.unpaired)) return;
    this.warned[file] = true;
    complain(`file ${file + 1} is not in sorted order`);
    if (this.checking === 'always') this.stopped = true;
  }
}
