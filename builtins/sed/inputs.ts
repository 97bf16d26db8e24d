/** The lines of all operands, one after the other, and whether one is the last. */
import { type FsError, isFsError } from '../../src/errors.js';
import type { ByteSource } from '../../src/io/streams.js';
import { type Awaitable, andThen, isPromise } from '../../src/steps.js';
import { closeInput, type InputContext, openInput } from '../kit/input.js';
import { repeat } from '../kit/repeat.js';
import { type Line, LineReader } from './reader.js';

export interface InputHooks {
  /** A file was opened (for -s and -i: a new stream begins). May refuse it by answering false. */
  readonly opened: (name: string) => boolean;
  /** All lines of a file were read and asked about. */
  readonly closed: () => Awaitable<void>;
  /** A file could not be read. */
  readonly failed: (name: string, error: FsError) => void;
}

export class Inputs {
  /** As `F` prints it. */
  name = '-';
  private readonly context: InputContext;
  private readonly files: readonly string[];
  private readonly delimiter: string;
  private readonly separate: boolean;
  private readonly hooks: InputHooks;
  private index = 0;
  private source: ByteSource | undefined;
  private reader: LineReader | undefined;
  /** Opened to see whether it has anything; its turn is next. */
  private ahead: { readonly name: string; readonly source: ByteSource; readonly reader: LineReader } | undefined;

  constructor(
    context: InputContext,
    files: readonly string[],
    options: { readonly delimiter: string; readonly separate: boolean },
    hooks: InputHooks,
  ) {
    this.context = context;
    this.files = files;
    this.delimiter = options.delimiter;
    this.separate = options.separate;
    this.hooks = hooks;
  }

  /** As `LineReader.wholeLines`, of the input that is being read, or of the next one. */
  wholeLines(): Awaitable<Buffer | undefined> {
    if (this.reader === undefined) this.open();
    const { reader } = this;
    return reader === undefined ? undefined : this.guard(() => reader.wholeLines(), undefined);
  }

  /** These lines are to be read after all, by `next`. */
  unread(lines: Buffer): void {
    this.reader?.unread(lines);
  }

  next(): Awaitable<Line | undefined> {
    return andThen(
      repeat<Line | 'end'>(() => {
        if (this.reader === undefined && !this.open()) return 'end';
        const { reader } = this;
        if (reader === undefined) return undefined; // the hooks refused it
        return andThen(
          this.guard(() => reader.next(), undefined),
          (line) => line ?? andThen(this.leave(), () => undefined),
        );
      }),
      (line) => (line === 'end' ? undefined : line),
    );
  }

  /** Whether the line in hand is the last: of its file where files are separate, else of all. */
  isLast(): Awaitable<boolean> {
    const { reader } = this;
    const more = reader === undefined ? false : this.guard(() => reader.hasMore(), false);
    return andThen(more, (has) => {
      if (has) return false;
      return this.separate || andThen(this.laterData(), (data) => !data);
    });
  }

  /** What was read too far goes back: what follows in a script reads on from there. */
  stop(): Awaitable<void> {
    this.reader?.giveBack();
    if (this.source !== undefined) closeInput(this.context, this.source);
    if (this.ahead !== undefined) closeInput(this.context, this.ahead.source);
    this.reader = undefined;
    this.source = undefined;
    this.ahead = undefined;
    this.index = this.files.length;
  }

  private laterData(): Awaitable<boolean> {
    return repeat<boolean>(() => {
      if (this.ahead === undefined) {
        const name = this.files[this.index];
        if (name === undefined) return false;
        this.index++;
        const source = this.openSource(name);
        if (source === undefined) return undefined;
        this.ahead = { name, source, reader: new LineReader(this.context, source, this.delimiter) };
      }
      const { reader, source, name } = this.ahead;
      return andThen(
        this.guard(() => reader.hasMore(), false, name),
        (has) => {
          if (has) return true;
          closeInput(this.context, source);
          this.ahead = undefined;
          return undefined;
        },
      );
    });
  }

  /** False when there is none left. */
  private open(): boolean {
    if (this.ahead !== undefined) {
      const { name, source, reader } = this.ahead;
      this.ahead = undefined;
      this.begin(name, source, reader);
      return true;
    }
    const name = this.files[this.index];
    if (name === undefined) return false;
    this.index++;
    const source = this.openSource(name);
    if (source !== undefined) this.begin(name, source, new LineReader(this.context, source, this.delimiter));
    return true;
  }

  private begin(name: string, source: ByteSource, reader: LineReader): void {
    if (!this.hooks.opened(name)) {
      closeInput(this.context, source);
      return;
    }
    this.name = name;
    this.source = source;
    this.reader = reader;
  }

  private openSource(name: string): ByteSource | undefined {
    try {
      return openInput(this.context, name);
    } catch (error) {
      if (!isFsError(error)) throw error;
      this.hooks.failed(name, error);
      return undefined;
    }
  }

  private leave(): Awaitable<void> {
    if (this.source !== undefined) closeInput(this.context, this.source);
    this.source = undefined;
    this.reader = undefined;
    return this.hooks.closed();
  }

  /** A read that fails is reported and is the end of its file. */
  private guard<T>(read: () => Awaitable<T>, atEnd: T, name = this.name): Awaitable<T> {
    const failed = (error: unknown): T => {
      if (!isFsError(error)) throw error;
      this.hooks.failed(name, error);
      return atEnd;
    };
    try {
      const result = read();
      return isPromise(result) ? result.catch(failed) : result;
    } catch (error) {
      return failed(error);
    }
  }
}
