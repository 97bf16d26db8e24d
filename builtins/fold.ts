/** fold: break lines so that none is wider than WIDTH. */
import { limitReached } from '../src/limits.js';
import { andThen } from '../src/steps.js';
import { gnuQuoteIfNeeded } from '../src/text/quote.js';
import { defineBuiltin } from './kit/define.js';
import { failingAs } from './kit/failing.js';
import { chunksOf, eachInput } from './kit/input.js';
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
        const bytes = folder.take(chunk);
        if (folder.held > limits.maxStringBytes) throw limitReached('maxStringBytes', limits.maxStringBytes);
        return bytes.length === 0 ? undefined : out.give(bytes);
      });
      return andThen(read, () => andThen(out.give(folder.end()), () => false));
    });
  },
});

interface FoldStyle {
  readonly width: number;
  readonly bytes: boolean;
  readonly spaces: boolean;
}

class Folder {
  /** The line so far, where it may still be broken at a blank; otherwise it is out already. */
  private kept: Uint8Array = new Uint8Array();
  /** The line has bytes. */
  private begun = false;
  private column = 0;
  private readonly style: FoldStyle;

  constructor(style: FoldStyle) {
    this.style = style;
  }

  get held(): number {
    return this.kept.length;
  }

  take(chunk: Uint8Array): Uint8Array {
    const { width, spaces } = this.style;
    // A break for each byte is the most there can be.
    const out = Buffer.allocUnsafe(2 * (this.kept.length + chunk.length));
    out.set(this.kept);
    let length = this.kept.length;
    let start = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i] as number;
      if (isPlain(byte) && this.column < width) {
        out[length++] = byte;
        this.column++;
        this.begun = true;
      } else if (byte === 10) {
        out[length++] = 10;
        start = length;
        this.column = 0;
        this.begun = false;
      } else {
        let after = this.advance(this.column, byte);
        while (after > width && this.begun) {
          const blank = spaces ? lastBlank(out, start, length) : -1;
          const cut = blank < 0 ? length : blank + 1;
          out.copyWithin(cut + 1, cut, length++);
          out[cut] = 10;
          start = cut + 1;
          this.column = 0;
          for (let k = start; k < length; k++) this.column = this.advance(this.column, out[k] as number);
          this.begun = length > start;
          after = this.advance(this.column, byte);
        }
        out[length++] = byte;
        this.column = after;
        this.begun = true;
      }
    }
    if (!spaces) return out.subarray(0, length);
    this.kept = Uint8Array.from(out.subarray(start, length));
    return out.subarray(0, start);
  }

  end(): Uint8Array {
    return this.kept;
  }

  private advance(column: number, byte: number): number {
    if (this.style.bytes) return column + 1;
    if (byte === 8) return Math.max(0, column - 1);
    if (byte === 13) return 0;
    return byte === 9 ? column + 8 - (column % 8) : column + 1;
  }
}

function lastBlank(bytes: Uint8Array, from: number, to: number): number {
  for (let i = to - 1; i >= from; i--) if (bytes[i] === 0x20 || bytes[i] === 9) return i;
  return -1;
}

/** A byte that takes one column, and does nothing else. */
function isPlain(byte: number): boolean {
  return byte > 13 || byte < 8;
}
