/**
 * Puts lines in order: multikey quicksort on pieces of six bytes. The six bytes of each line stand side by side as one number, so
 * that most comparisons are of numbers in a row, and no byte of a line is looked at twice. In pieces of work, so that a run
 * can be ended while it sorts.
 */
import type { Waiting } from '../../src/steps.js';
import type { Level } from './levels.js';

/** Bytes in one number: base 257, since the end of a line is below every byte; 257**6 is below 2**53. */
const PIECE = 6;
const BASE = 257;
const SMALL = 12;
/** Lines looked at between two ticks: a few milliseconds. */
const WORK = 100_000;

interface Range {
  readonly from: number;
  readonly to: number;
  readonly level: number;
  /** Bytes that are the same in the whole range. */
  readonly depth: number;
  /** The numbers of this range are there, and only to be put in order. */
  readonly filled: boolean;
}

export class Order {
  /** Line numbers in order. */
  readonly lines: Uint32Array;
  /** `same[i]`: line `i` of the order equals the one before on every level. Only kept when asked for. */
  readonly same: Uint8Array | undefined;
  private readonly piece: Float64Array;
  private readonly levels: readonly Level[];
  private readonly work: Range[] = [];
  /** Equal lines stay as they came. */
  private readonly stable: boolean;

  constructor(
    count: number,
    levels: readonly Level[],
    options: { readonly stable: boolean; readonly unique: boolean },
  ) {
    this.lines = new Uint32Array(count);
    for (let i = 0; i < count; i++) this.lines[i] = i;
    this.piece = new Float64Array(count);
    this.levels = levels;
    this.stable = options.stable || options.unique;
    this.same = options.unique ? new Uint8Array(count) : undefined;
    if (count > 1) this.work.push({ from: 0, to: count, level: 0, depth: 0, filled: false });
  }

  run(tick: () => Waiting): Waiting {
    let done = 0;
    for (let range = this.work.pop(); range !== undefined; range = this.work.pop()) {
      done += range.to - range.from;
      this.sort(range);
      if (done < WORK) continue;
      done = 0;
      const waiting = tick();
      if (waiting !== undefined) return waiting.then(() => this.run(tick));
    }
    return undefined;
  }

  private sort(range: Range): void {
    const { from, to } = range;
    const level = this.levels[range.level];
    if (level === undefined) {
      this.tie(from, to);
      return;
    }
    if (!range.filled) this.fill(level, range);
    if (to - from <= SMALL) {
      this.insertion(from, to);
      this.runs(range, from, to);
      return;
    }
    const pivot = this.pivot(from, to);
    const { piece, lines } = this;
    let low = from;
    let high = to - 1;
    for (let i = from; i <= high; ) {
      const value = piece[i] as number;
      if (value < pivot) swap(piece, lines, i++, low++);
      else if (value > pivot) swap(piece, lines, i, high--);
      else i++;
    }
    if (low - from > 1) this.work.push({ ...range, to: low, filled: true });
    if (to - high - 1 > 1) this.work.push({ ...range, from: high + 1, filled: true });
    this.equal(range, low, high + 1);
  }

  /** The middle of three, or of nine when there are many. */
  private pivot(from: number, to: number): number {
    const { piece } = this;
    const at = (fraction: number): number => piece[from + Math.floor((to - 1 - from) * fraction)] as number;
    if (to - from < 1000) return median(at(0), at(0.5), at(1));
    return median(
      median(at(0), at(0.13), at(0.27)),
      median(at(0.4), at(0.5), at(0.61)),
      median(at(0.73), at(0.87), at(1)),
    );
  }

  private insertion(from: number, to: number): void {
    const { piece, lines } = this;
    for (let i = from + 1; i < to; i++) {
      const value = piece[i] as number;
      const line = lines[i] as number;
      let j = i - 1;
      for (; j >= from && (piece[j] as number) > value; j--) {
        piece[j + 1] = piece[j] as number;
        lines[j + 1] = lines[j] as number;
      }
      piece[j + 1] = value;
      lines[j + 1] = line;
    }
  }

  /** Each run of equal numbers in a range that is in order. */
  private runs(range: Range, from: number, to: number): void {
    const { piece } = this;
    for (let start = from; start < to; ) {
      let end = start + 1;
      while (end < to && piece[end] === piece[start]) end++;
      if (end - start > 1) this.equal(range, start, end);
      start = end;
    }
  }

  /** Lines that are the same so far: the next six bytes decide, or the next level. */
  private equal(range: Range, from: number, to: number): void {
    if (to - from < 2) return;
    const level = this.levels[range.level] as Level; // `sort` saw it
    const ended = level.kind === 'numbers' || (this.piece[from] as number) % BASE === 0;
    if (ended) this.work.push({ from, to, level: range.level + 1, depth: 0, filled: false });
    else this.work.push({ from, to, level: range.level, depth: range.depth + PIECE, filled: false });
  }

  private tie(from: number, to: number): void {
    if (this.stable) this.lines.subarray(from, to).sort();
    this.same?.fill(1, from + 1, to);
  }

  private fill(level: Level, { from, to, depth }: Range): void {
    const { piece, lines } = this;
    const sign = level.reverse ? -1 : 1;
    if (level.kind === 'numbers') {
      const { values } = level;
      for (let i = from; i < to; i++) piece[i] = sign * (values[lines[i] as number] as number);
      return;
    }
    const { bytes, starts, ends } = level;
    for (let i = from; i < to; i++) {
      const line = lines[i] as number;
      const at = (starts[line] as number) + depth;
      const end = ends[line] as number;
      let value = 0;
      if (at + PIECE <= end) {
        const high =
          ((bytes[at] as number) * BASE + (bytes[at + 1] as number)) * BASE + (bytes[at + 2] as number) + ONES;
        const low =
          ((bytes[at + 3] as number) * BASE + (bytes[at + 4] as number)) * BASE + (bytes[at + 5] as number) + ONES;
        value = high * BASE_CUBED + low;
      } else {
        for (let k = at; k < at + PIECE; k++) value = value * BASE + (k < end ? (bytes[k] as number) + 1 : 0);
      }
      piece[i] = sign * value;
    }
  }
}

/** One more for each of three bytes. */
const ONES = BASE * BASE + BASE + 1;
const BASE_CUBED = BASE ** 3;

function swap(piece: Float64Array, lines: Uint32Array, i: number, j: number): void {
  const value = piece[i] as number;
  piece[i] = piece[j] as number;
  piece[j] = value;
  const line = lines[i] as number;
  lines[i] = lines[j] as number;
  lines[j] = line;
}

function median(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
