/** Records of one source, asked for one at a time. */
import type { ByteSource } from '../../src/io/streams.js';
import { limitReached } from '../../src/limits.js';
import { type Awaitable, andThen, isPromise } from '../../src/steps.js';
import type { Regex } from '../../src/text/regex/index.js';
import type { BaseContext } from '../kit/context.js';
import { latin1 } from '../kit/input.js';
import { repeat } from '../kit/repeat.js';
import type { PatternCache } from './patterns.js';

export type RecordEnd =
  | { readonly kind: 'character'; readonly character: string }
  /** Empty lines; those before the first record and after the last are nothing. */
  | { readonly kind: 'paragraph' }
  | { readonly kind: 'regex'; readonly regex: Regex };

/** What a value of RS means. */
export function recordEnd(text: string, patterns: PatternCache): RecordEnd {
  if (text === '') return { kind: 'paragraph' };
  if (text.length === 1) return { kind: 'character', character: text };
  return { kind: 'regex', regex: patterns.get(text) };
}

export class RecordReader {
  private readonly context: BaseContext;
  private readonly source: ByteSource;
  /** Before a read that has to wait: what was printed should be seen. */
  private readonly beforeWait: () => void;
  /** The chunk in hand: what the source's buffer held from `base` on. */
  private buffer: Uint8Array;
  private base = 0;
  private chunk = 0;
  private text = '';
  private from = 0;

  constructor(context: BaseContext, source: ByteSource, beforeWait: () => void) {
    this.context = context;
    this.source = source;
    this.beforeWait = beforeWait;
    this.buffer = source.buffer;
  }

  /** Undefined at the end. */
  next(end: RecordEnd): Awaitable<string | undefined> {
    if (end.kind === 'character') {
      const { from } = this;
      const found = this.text.indexOf(end.character, from);
      if (found < 0) return this.across(end.character);
      this.from = found + 1;
      return this.text.slice(from, found);
    }
    return end.kind === 'paragraph' ? this.paragraph() : this.separated((last) => this.findRegex(end.regex, last));
  }

  /** What was not asked for goes back to the source, unless somebody else has read on. */
  giveBack(): void {
    const { source } = this;
    const left = this.text.length - this.from;
    const untouched = source.buffer === this.buffer && source.start === source.end;
    if (untouched && left <= this.chunk && this.base + this.chunk === source.end) source.start = source.end - left;
  }

  /** A record that ends in a later chunk. */
  private across(mark: string): Awaitable<string | undefined> {
    let begun = this.rest();
    const step = (more: boolean): string | 'end' | undefined => {
      if (!more) return begun === '' ? 'end' : `r${begun}`;
      const found = this.text.indexOf(mark);
      if (found >= 0) {
        this.from = found + 1;
        return `r${begun}${this.text.slice(0, found)}`;
      }
      begun += this.rest();
      this.check(begun.length);
      return undefined;
    };
    return andThen(
      repeat<string>(() => andThen(this.load(''), step)),
      (record) => (record === 'end' ? undefined : record.slice(1)),
    );
  }

  private paragraph(): Awaitable<string | undefined> {
    const found = this.separated((last) => {
      while (this.text.charCodeAt(this.from) === 10) this.from++;
      const at = this.text.indexOf('\n\n', this.from);
      if (at >= 0) return [at, at + 2];
      if (!last) return undefined;
      const { length } = this.text;
      return this.text.charCodeAt(length - 1) === 10 && length > this.from ? [length - 1, length] : undefined;
    });
    return found;
  }

  private findRegex(regex: Regex, last: boolean): readonly [number, number] | undefined {
    for (let from = this.from; ; ) {
      const match = regex.exec(this.text, from, true);
      if (match === null) return undefined;
      const [start = 0, end = 0] = match;
      // A match that goes to the end of what is known may go on.
      if (!last && end === this.text.length) return undefined;
      if (end > start) return [start, end];
      from = end + 1;
      if (from > this.text.length) return undefined;
    }
  }

  /** `find` looks for the end of the record from `from` on; `last` says that no more text follows. */
  private separated(find: (last: boolean) => readonly [number, number] | undefined): Awaitable<string | undefined> {
    let last = false;
    const cut = (): string | undefined => {
      const found = this.from < this.text.length || last ? find(last) : undefined;
      if (found !== undefined) {
        const record = this.text.slice(this.from, found[0]);
        this.from = found[1];
        return `r${record}`;
      }
      if (!last) return undefined;
      const record = this.rest();
      return record === '' ? 'end' : `r${record}`;
    };
    const first = cut();
    if (first !== undefined) return first.slice(1);
    /** Looked through once; again only when it has doubled, so that all of it costs no more than twice. */
    let known = this.text.length - this.from;
    const step = (more: boolean): string | undefined => {
      last = !more;
      const length = this.text.length - this.from;
      this.check(length);
      if (!last && length < known * 2 && known > 65_536) return undefined;
      known = length;
      return cut();
    };
    return andThen(
      repeat<string>(() => andThen(this.load(this.rest()), step)),
      (record) => (record === 'end' ? undefined : record.slice(1)),
    );
  }

  private check(length: number): void {
    const { maxStringBytes } = this.context.limits;
    if (length > maxStringBytes) throw limitReached('maxStringBytes', maxStringBytes);
  }

  private rest(): string {
    const rest = this.from === 0 ? this.text : this.text.slice(this.from);
    this.text = '';
    this.from = 0;
    return rest;
  }

  /** The next chunk after `before`; at the end `before` alone, and false. */
  private load(before: string): Awaitable<boolean> {
    this.text = before;
    this.from = 0;
    const { source } = this;
    if (source.start < source.end) return this.take(true);
    const fill = (): Awaitable<boolean> => {
      const more = source.fill();
      if (isPromise(more)) this.beforeWait();
      return more;
    };
    return andThen(andThen(this.context.tick(), fill), (more) => this.take(more));
  }

  private take(more: boolean): boolean {
    if (!more) return false;
    const { source } = this;
    this.buffer = source.buffer;
    this.base = source.start;
    this.chunk = source.end - source.start;
    const text = latin1(source.buffer, source.start, source.end);
    this.text = this.text === '' ? text : this.text + text;
    source.start = source.end;
    return true;
  }
}
