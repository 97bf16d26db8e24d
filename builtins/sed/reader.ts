/** Lines of one source, asked for one at a time; and whether there are more, without taking any. */
import type { ByteSource } from '../../src/io/streams.js';
import { limitReached } from '../../src/limits.js';
import { type Awaitable, andThen } from '../../src/steps.js';
import type { BaseContext } from '../kit/context.js';
import { fill, latin1 } from '../kit/input.js';
import { repeat } from '../kit/repeat.js';

export interface Line {
  readonly text: string;
  /** False for a last line that has no delimiter. */
  readonly ended: boolean;
}

/** What a script holds is one string: it may not grow without end. */
export function checkLength({ limits }: BaseContext, length: number): void {
  if (length > limits.maxStringBytes) throw limitReached('maxStringBytes', limits.maxStringBytes);
}

export class LineReader {
  private readonly context: BaseContext;
  private readonly source: ByteSource;
  private readonly delimiter: string;
  /** The chunk in hand: what the source's buffer held from `base` on. */
  private buffer: Uint8Array;
  private base = 0;
  private text = '';
  private from = 0;

  constructor(context: BaseContext, source: ByteSource, delimiter: string) {
    this.context = context;
    this.source = source;
    this.delimiter = delimiter;
    this.buffer = source.buffer;
  }

  /** Undefined at the end. */
  next(): Awaitable<Line | undefined> {
    const end = this.text.indexOf(this.delimiter, this.from);
    if (end >= 0) return this.cut(end, '');
    let begun = this.rest();
    return andThen(
      repeat<Line | 'end'>(() =>
        andThen(this.load(), (more) => {
          if (!more) return begun === '' ? 'end' : { text: begun, ended: false };
          const found = this.text.indexOf(this.delimiter, this.from);
          if (found >= 0) return this.cut(found, begun);
          begun += this.rest();
          checkLength(this.context, begun.length);
          return undefined;
        }),
      ),
      (line) => (line === 'end' ? undefined : line),
    );
  }

  /**
   * The bytes of as many whole lines as came at once, good until the next call. Undefined: what is in hand, or what is left at the end,
   * is for `next`.
   */
  wholeLines(): Awaitable<Buffer | undefined> {
    if (this.from < this.text.length) return undefined;
    const { source } = this;
    /** The beginning of a line whose end has not come yet. */
    const begun: Buffer[] = [];
    let length = 0;
    return andThen(
      repeat<Buffer | 'none'>(() =>
        andThen(fill(this.context, source), (more) => {
          if (!more) {
            this.unread(Buffer.concat(begun));
            return 'none';
          }
          const chunk = Buffer.from(
            source.buffer.buffer,
            source.buffer.byteOffset + source.start,
            source.end - source.start,
          );
          const mark = this.delimiter.charCodeAt(0);
          // What began before is joined with no more than its end: the rest need not be copied.
          const end = (length > 0 ? chunk.indexOf(mark) : chunk.lastIndexOf(mark)) + 1;
          source.start += end > 0 ? end : chunk.length;
          if (end > 0) return length > 0 ? Buffer.concat([...begun, chunk.subarray(0, end)]) : chunk.subarray(0, end);
          begun.push(Buffer.from(chunk));
          length += chunk.length;
          checkLength(this.context, length);
          return undefined;
        }),
      ),
      (lines) => (lines === 'none' ? undefined : lines),
    );
  }

  /** These bytes are what `next` reads first; nothing else is in hand. */
  unread(bytes: Buffer): void {
    this.buffer = bytes;
    this.base = 0;
    this.text = bytes.toString('latin1');
    this.from = 0;
  }

  hasMore(): Awaitable<boolean> {
    return this.from < this.text.length ? true : this.load();
  }

  /** What was not asked for goes back to the source, unless somebody else has read on. */
  giveBack(): void {
    const { source } = this;
    const untouched = source.buffer === this.buffer && source.start === source.end;
    if (untouched && this.base + this.text.length === source.end) source.start = this.base + this.from;
  }

  private cut(end: number, begun: string): Line {
    const text = begun + this.text.slice(this.from, end);
    this.from = end + 1;
    return { text, ended: true };
  }

  private rest(): string {
    const rest = this.text.slice(this.from);
    this.from = this.text.length;
    return rest;
  }

  private load(): Awaitable<boolean> {
    return andThen(fill(this.context, this.source), (more) => {
      if (!more) return false;
      const { source } = this;
      this.buffer = source.buffer;
      this.base = source.start;
      this.text = latin1(source.buffer, source.start, source.end);
      this.from = 0;
      source.start = source.end;
      return true;
    });
  }
}
