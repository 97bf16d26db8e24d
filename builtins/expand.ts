/** expand: make blanks of tabs. */
import { type Limits, limitReached } from '../src/limits.js';
import { gnuQuoteIfNeeded } from '../src/text/quote.js';
import { BadValue, defineBuiltin } from './kit/define.js';
import { failingAs } from './kit/failing.js';
import { eachChunk } from './kit/input.js';
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
      repeat: true,
      help: 'where tab stops are, not every 8 columns',
    },
  },
  statuses: { 0: 'all files were read', 1: 'some file could not be read' },
  obsolete: (argument) => (/^-[0-9,]+$/.test(argument) ? ['-t', argument.slice(1)] : undefined),

  run(context) {
    const { flags, limits, out } = context;
    const tabs = parseTabs(flags.tabs ?? []);
    if (tabs instanceof BadValue) {
      context.complain(tabs.message);
      return 1;
    }
    const expander = new Expander(new TabStops(tabs), flags.initial === true, limits);
    return eachChunk(failingAs(context, gnuQuoteIfNeeded), context.operands, (chunk) => out.give(expander.take(chunk)));
  },
});

class Expander {
  private column = 0;
  /** Tabs are still made blanks on this line. */
  private converts = true;
  private readonly stops: TabStops;
  /** Only tabs before anything else. */
  private readonly initial: boolean;
  private readonly limits: Limits;

  constructor(stops: TabStops, initial: boolean, limits: Limits) {
    this.stops = stops;
    this.initial = initial;
    this.limits = limits;
  }

  take(chunk: Uint8Array): Uint8Array {
    const { stops, initial } = this;
    let out: Buffer = Buffer.allocUnsafe(chunk.length * 2);
    let length = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i] as number;
      if (byte < 8 || byte > 10) {
        this.column++;
        if (initial && byte !== 0x20) this.converts = false;
      } else if (byte === 10) {
        this.column = 0;
        this.converts = true;
        stops.newLine();
      } else if (this.converts && byte === 9) {
        const next = stops.after(this.column) ?? this.column + 1;
        const blanks = next - this.column;
        // Room for these, and for what is left of the chunk.
        out = withRoom(out, length, blanks + chunk.length - i, this.limits);
        out.fill(0x20, length, length + blanks);
        length += blanks;
        this.column = next;
        continue;
      } else if (this.converts) {
        if (this.column > 0) this.column--;
        stops.back();
        if (initial) this.converts = false;
      }
      out[length++] = byte;
    }
    return out.subarray(0, length);
  }
}

function withRoom(buffer: Buffer, length: number, more: number, { maxStringBytes }: Limits): Buffer {
  const size = length + more;
  if (size <= buffer.length) return buffer;
  if (size > maxStringBytes) throw limitReached('maxStringBytes', maxStringBytes);
  const larger = Buffer.allocUnsafe(Math.min(size * 2, maxStringBytes));
  buffer.copy(larger, 0, 0, length);
  return larger;
}
