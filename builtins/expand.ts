/** expand: make blanks of tabs. */
import { andThen } from '../src/steps.js';
import { gnuQuoteIfNeeded } from '../src/text/quote.js';
import { defineBuiltin } from './kit/define.js';
import { failingAs } from './kit/failing.js';
import { eachChunk, latin1 } from './kit/input.js';
import { lineWriter } from './kit/output.js';
import { parseTabs, TabStops } from './kit/tab-stops.js';

export const expand = defineBuiltin({
  name: 'expand',
  summary: 'make blanks of tabs',
  needs: ['read'],
  usage: 'expand [OPTION]... [FILE]...',
  notes:
    'LIST is one distance, or columns in ascending order; the last may be /N (then at multiples of N) or +N (then N further each).',
  flags: {
    initial: { short: 'i', long: 'initial', help: 'only tabs before anything else on the line' },
    tabs: {
      short: 't',
      long: 'tabs',
      value: 'LIST',
      parse: parseTabs,
      help: 'where tab stops are, not every 8 columns',
    },
  },
  statuses: { 0: 'all files were read', 1: 'some file could not be read' },
  obsolete: (argument) => (/^-[0-9,]+$/.test(argument) ? ['-t', argument.slice(1)] : undefined),

  run(context) {
    const { flags } = context;
    const out = lineWriter(context.out);
    const stops = new TabStops(flags.tabs);
    const initial = flags.initial === true;
    let column = 0;
    let converts = true;

    /** Of a backspace, a tab or a newline; all other bytes stay as they are. */
    const convert = (byte: number): string => {
      if (byte === 10) {
        column = 0;
        converts = true;
        stops.newLine();
        return '\n';
      }
      if (!converts) return String.fromCharCode(byte);
      if (byte === 9) {
        const next = stops.after(column) ?? column + 1;
        const blanks = ' '.repeat(next - column);
        column = next;
        return blanks;
      }
      if (column > 0) column--;
      stops.back();
      if (initial) converts = false;
      return '\b';
    };
    const status = eachChunk(failingAs(context, gnuQuoteIfNeeded), context.operands, (chunk) => {
      let text = '';
      let from = 0;
      for (let i = 0; i < chunk.length; i++) {
        const byte = chunk[i] as number;
        if (byte < 8 || byte > 10) {
          column++;
          if (initial && byte !== 0x20) converts = false;
          continue;
        }
        text += latin1(chunk, from, i) + convert(byte);
        from = i + 1;
      }
      return out.write(text + latin1(chunk, from, chunk.length));
    });
    return andThen(status, (result) => andThen(out.end(), () => result));
  },
});
