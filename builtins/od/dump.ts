/** Lines of a dump: an address, then the bytes once for each type. */
import { LongText } from '../../src/text/work.js';
import { type DumpType, printable } from '../kit/dump/types.js';

export interface DumpStyle {
  readonly types: readonly DumpType[];
  /** Bytes of a line. */
  readonly width: number;
  readonly address: (offset: number) => string;
  /** `-v`: lines that are the same as the one before are printed, too. */
  readonly all: boolean;
}

export class Dump {
  private offset: number;
  private readonly line: Buffer;
  private length = 0;
  private before: Buffer | undefined;
  private starred = false;
  private readonly style: DumpStyle;
  private readonly blank: string;

  constructor(style: DumpStyle, start: number) {
    this.style = style;
    this.offset = start;
    this.line = Buffer.alloc(style.width);
    this.blank = ' '.repeat(style.address(0).length);
  }

  take(chunk: Uint8Array): string {
    const { width } = this.style;
    let out = '';
    for (let at = 0; at < chunk.length; ) {
      const count = Math.min(width - this.length, chunk.length - at);
      this.line.set(chunk.subarray(at, at + count), this.length);
      this.length += count;
      at += count;
      if (this.length === width) out += this.full();
    }
    return out;
  }

  end(): string {
    let out = '';
    if (this.length > 0) {
      this.line.fill(0, this.length);
      out = this.shown(this.length);
      this.offset += this.length;
    }
    const address = this.style.address(this.offset);
    return address === '' ? out : `${out}${address}\n`;
  }

  private full(): string {
    let out = '';
    if (!this.style.all && this.before?.equals(this.line)) {
      if (!this.starred) out = '*\n';
      this.starred = true;
    } else {
      out = this.shown(this.length);
      this.starred = false;
      this.before = Buffer.from(this.line);
    }
    this.offset += this.length;
    this.length = 0;
    return out;
  }

  /** Types of different widths are spread so that their bytes stand below each other. */
  private shown(length: number): string {
    const { types, width, address } = this.style;
    const columns = Math.max(...types.map((type) => (width / type.size) * (type.width + 1)));
    const out = new LongText();
    for (const [i, type] of types.entries()) {
      const fields = width / type.size;
      out.add(i === 0 ? address(this.offset) : this.blank);
      const padding = columns - fields * (type.width + 1);
      let left = padding;
      const count = Math.ceil(length / type.size);
      for (let field = 0; field < count; field++) {
        const next = Math.floor((padding * (fields - field - 1)) / fields);
        out.add(` ${type.show(this.line, field * type.size).padStart(left - next + type.width)}`);
        left = next;
      }
      if (type.characters) {
        const missing = (fields - count) * (type.width + 1) + Math.floor((padding * (fields - count)) / fields);
        out.add(`${' '.repeat(missing)}  >${printable(this.line.subarray(0, length))}<`);
      }
      out.add('\n');
    }
    return out.text();
  }
}
