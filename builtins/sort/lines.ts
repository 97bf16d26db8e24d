/** All lines of all inputs, in one buffer. */
import { limitReached } from '../../src/limits.js';
import { countDelimiters } from '../kit/line-end.js';

export interface Lines {
  readonly bytes: Buffer;
  readonly count: number;
  /** Line `i` is `bytes[starts[i]..ends[i])`; its delimiter is at `ends[i]`. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** What a line costs beside its bytes. */
const LINE_COST = 8;

export class LineStore {
  private bytes = Buffer.allocUnsafe(65_536);
  private length = 0;
  private count = 0;
  private readonly delimiter: number;
  /** Sorting holds everything in memory: this is how much (`maxVariableBytes`). */
  private readonly limit: number;

  constructor(delimiter: number, limit: number) {
    this.delimiter = delimiter;
    this.limit = limit;
  }

  push(chunk: Uint8Array): void {
    this.count += countDelimiters(chunk, 0, chunk.length, this.delimiter);
    this.reserve(chunk.length);
    this.bytes.set(chunk, this.length);
    this.length += chunk.length;
  }

  /** A file has ended: so has its last line. Answers how many lines there are. */
  endFile(): number {
    if (this.length > 0 && this.bytes[this.length - 1] !== this.delimiter) this.push(Uint8Array.of(this.delimiter));
    return this.count;
  }

  lines(): Lines {
    const starts = new Uint32Array(this.count);
    const ends = new Uint32Array(this.count);
    let from = 0;
    for (let i = 0; i < this.count; i++) {
      const end = this.bytes.indexOf(this.delimiter, from);
      starts[i] = from;
      ends[i] = end;
      from = end + 1;
    }
    return { bytes: this.bytes.subarray(0, this.length), count: this.count, starts, ends };
  }

  private reserve(more: number): void {
    if (this.length + more + this.count * LINE_COST > this.limit) throw limitReached('maxVariableBytes', this.limit);
    if (this.length + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + more));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}
