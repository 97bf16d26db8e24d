/** fold: break lines so that none is wider than WIDTH. */
import { limitReached } from '../src/limits.js';
import { andThen } from '../src/steps.js';
import { gnuQuoteIfNeeded } from '../src/text/quote.js';
import { defineBuiltin } from './kit/define.js';
import { failingAs } from './kit/failing.js';
import { chunksOf, eachInput, latin1 } from './kit/input.js';
import { wholeNumber } from './kit/numbers.js';

export const fold = defineBuiltin({
  name: 'fold',
  summary: 'break long lines',
  needs: ['read'],
  usage: 'fold [OPTION]... [FILE]...',
  notes: 'With no FILE, or when FILE is -, read standard input.',
  flags: {
    bytes: { short: 'b', long: 'bytes', help: 'count bytes, not columns' },
    spaces: { short: 's', long: 'spaces', help: 'break at blanks' },
    width: {
      short: 'w',
      long: 'width',
      value: 'WIDTH',
      parse: wholeNumber('invalid number of columns', { min: 1 }),
      help: 'use WIDTH columns, not 80',
    },
  },
  statuses: { 0: 'all files were read', 1: 'some file could not be read' },
  obsolete: (argument) => (/^-[0-9]+$/.test(argument) ? ['-w', argument.slice(1)] : undefined),

  run(context) {
    const { flags, out, limits } = context;
    const style = { width: flags.width ?? 80, bytes: flags.bytes === true, spaces: flags.spaces === true };
    return eachInput(failingAs(context, gnuQuoteIfNeeded), context.operands, (source) => {
      const folder = new Folder(style);
      const read = chunksOf(context, source, (chunk) => {
        const text = folder.take(chunk);
        if (folder.held > limits.maxVariableBytes) throw limitReached('maxVariableBytes', limits.maxVariableBytes);
        return text === '' ? undefined : out.give(Buffer.from(text, 'latin1'));
      });
      return andThen(read, () => andThen(out.give(Buffer.from(folder.end(), 'latin1')), () => false));
    });
  },
});

interface FoldStyle {
  readonly width: number;
  readonly bytes: boolean;
  readonly spaces: boolean;
}

class Folder {
  /** The line so far that is not printed. */
  private line = '';
  private column = 0;
  private readonly style: FoldStyle;

  constructor(style: FoldStyle) {
    this.style = style;
  }

  get held(): number {
    return this.line.length;
  }

  take(chunk: Uint8Array): string {
    let out = '';
    for (let i = 0; i < chunk.length; ) {
      // As many plain bytes as the line has room for, at once.
      const most = Math.min(chunk.length, i + this.style.width - this.column);
      let end = i;
      while (end < most && isPlain(chunk[end] as number)) end++;
      if (end > i) {
        this.line += latin1(chunk, i, end);
        this.column += end - i;
        i = end;
        continue;
      }
      const byte = chunk[i++] as number;
      if (byte === 10) {
        out += `${this.line}\n`;
        this.line = '';
        this.column = 0;
      } else out += this.add(byte, String.fromCharCode(byte));
    }
    return out;
  }

  end(): string {
    const rest = this.line;
    this.line = '';
    return rest;
  }

  /** Adds a byte; answers what had to be printed to make room for it. */
  private add(byte: number, unit: string): string {
    let out = '';
    for (;;) {
      const after = this.advance(this.column, byte);
      if (after <= this.style.width || this.line === '') {
        this.column = after;
        this.line += unit;
        return out;
      }
      const blank = this.style.spaces ? Math.max(this.line.lastIndexOf(' '), this.line.lastIndexOf('\t')) : -1;
      const cut = blank < 0 ? this.line.length : blank + 1;
      out += `${this.line.slice(0, cut)}\n`;
      this.line = this.line.slice(cut);
      this.column = 0;
      for (let i = 0; i < this.line.length; i++) this.column = this.advance(this.column, this.line.charCodeAt(i));
    }
  }

  private advance(column: number, byte: number): number {
    if (this.style.bytes) return column + 1;
    if (byte === 8) return Math.max(0, column - 1);
    if (byte === 13) return 0;
    return byte === 9 ? column + 8 - (column % 8) : column + 1;
  }
}

/** A byte that takes one column, and does nothing else. */
function isPlain(byte: number): boolean {
  return byte > 13 || byte < 8;
}
