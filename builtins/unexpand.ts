/** unexpand: make tabs of blanks. */
import { andThen } from '../src/steps.js';
import { gnuQuoteIfNeeded } from '../src/text/quote.js';
import { BadValue, defineBuiltin } from './kit/define.js';
import { failingAs } from './kit/failing.js';
import { eachChunk } from './kit/input.js';
import { lineWriter } from './kit/output.js';
import { parseTabs, TabStops } from './kit/tab-stops.js';

export const unexpand = defineBuiltin({
  name: 'unexpand',
  summary: 'make tabs of blanks',
  needs: ['read'],
  usage: 'unexpand [OPTION]... [FILE]...',
  notes: 'LIST is as for expand. -t means -a, too, unless --first-only is given.',
  flags: {
    all: { short: 'a', long: 'all', help: 'all blanks, not only those before anything else on the line' },
    first: { long: 'first-only', help: 'only blanks before anything else on the line' },
    tabs: {
      short: 't',
      long: 'tabs',
      value: 'LIST',
      repeat: true,
      help: 'where tab stops are, not every 8 columns',
    },
  },
  statuses: { 0: 'all files were read', 1: 'some file could not be read' },

  run(context) {
    const { flags } = context;
    const tabs = parseTabs(flags.tabs ?? []);
    if (tabs instanceof BadValue) {
      context.complain(tabs.message);
      return 1;
    }
    const out = lineWriter(context.out);
    const all = flags.first !== true && (flags.all === true || flags.tabs !== undefined);
    const squeezer = new Squeezer(new TabStops(tabs), all);
    const status = eachChunk(failingAs(context, gnuQuoteIfNeeded), context.operands, (chunk) => {
      let text = '';
      for (const byte of chunk) text += squeezer.take(byte);
      return out.write(text);
    });
    return andThen(status, (result) => andThen(out.write(squeezer.end()), () => andThen(out.end(), () => result)));
  },
});

class Squeezer {
  private column = 0;
  private converts = true;
  /** Blanks that may become a tab. */
  private pending = '';
  /** One blank stands just before a tab stop: it stays a blank unless more follow. */
  private oneBeforeStop = false;
  private afterBlank = true;
  private readonly stops: TabStops;
  private readonly all: boolean;

  constructor(stops: TabStops, all: boolean) {
    this.stops = stops;
    this.all = all;
  }

  take(byte: number): string {
    let text = '';
    let written = byte;
    if (this.converts) {
      const blank = byte === 0x20 || byte === 9;
      const stop = blank ? this.stops.after(this.column) : undefined;
      if (blank && stop === undefined) this.converts = false;
      else if (byte === 9 && stop !== undefined) {
        this.column = stop;
        if (this.pending !== '') this.pending = `\t${this.pending.slice(1)}`;
        this.keepOne();
      } else if (blank) {
        this.column++;
        const atStop = this.column === stop;
        if (!(this.afterBlank && atStop)) {
          if (atStop) this.oneBeforeStop = true;
          this.pending += ' ';
          this.afterBlank = true;
          return '';
        }
        written = 9;
        this.pending = `\t${this.pending.slice(1)}`;
        this.keepOne();
      } else if (byte === 8) {
        if (this.column > 0) this.column--;
        this.stops.back();
      } else this.column++;
      text = this.flush();
      this.afterBlank = blank;
      if (!this.all && !blank) this.converts = false;
    }
    if (byte === 10) this.newLine();
    return text + String.fromCharCode(written);
  }

  end(): string {
    return this.flush();
  }

  /** A tab takes the place of the blanks, but for a single one just before the stop before. */
  private keepOne(): void {
    this.pending = this.oneBeforeStop ? this.pending.slice(0, 1) : '';
  }

  private flush(): string {
    if (this.pending === '') return '';
    const several = this.pending.length > 1 && this.oneBeforeStop;
    const text = several ? `\t${this.pending.slice(1)}` : this.pending;
    this.pending = '';
    this.oneBeforeStop = false;
    return text;
  }

  private newLine(): void {
    this.column = 0;
    this.converts = true;
    this.oneBeforeStop = false;
    this.afterBlank = true;
    this.pending = '';
    this.stops.newLine();
  }
}
