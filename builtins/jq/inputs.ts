/** The inputs of a program: values, lines, or all of them as one, from the standard input or files. */
import { isFsError } from '../../src/errors.js';
import type { ByteSource } from '../../src/io/streams.js';
import { limitReached } from '../../src/limits.js';
import { isPromise, type Waiting } from '../../src/steps.js';
import { closeInput, type InputContext, latin1, openInput } from '../kit/input.js';
import { PAUSE, type Pause } from './machine.js';
import { JsonReader, ReadProblem } from './read.js';
import type { Json } from './value.js';

export interface InputStyle {
  /** Lines as strings. */
  readonly raw: boolean;
  /** All inputs in one list; raw: in one string. */
  readonly slurp: boolean;
}

export class Inputs {
  /** A file could not be opened or read: the others are gone through all the same. */
  failed = false;
  private readonly context: InputContext;
  private readonly names: readonly string[];
  private readonly style: InputStyle;
  private nextName = 0;
  private source: ByteSource | undefined;
  private name: string | undefined;
  private reader = new JsonReader();
  private ended = false;
  private read = false;
  private readonly slurped: Json[] = [];
  /** What was slurped has been handed out. */
  private isOver = false;
  private atEnd = false;
  /** Bytes read since the last value was handed out. */
  private pending = 0;
  /** Of raw lines: what has no end yet. */
  private rest = '';
  private rawLines = 0;
  /** Of the files before this one. */
  private linesBefore = 0;

  constructor(context: InputContext, names: readonly string[], style: InputStyle) {
    this.context = context;
    this.names = names.length === 0 ? ['-'] : names;
    this.style = style;
  }

  /** `<stdin>:3` */
  get place(): string {
    if (!this.read) return '<unknown>';
    const name = this.name === undefined || this.name === '-' ? '<stdin>' : this.name;
    return `${name}:${this.style.raw ? this.rawLines : this.reader.lines - this.linesBefore}`;
  }

  get inputName(): Json {
    if (!this.read || this.name === undefined) return null;
    return this.name === '-' ? '<stdin>' : this.name;
  }

  /** The next one; PAUSE: `fetch` first. */
  take(): Json | undefined | Pause | ReadProblem {
    if (!this.style.slurp) {
      const value = this.one();
      if (value !== PAUSE) this.pending = 0;
      return value;
    }
    if (this.isOver) return undefined;
    if (this.style.raw) {
      if (!this.ended) return PAUSE;
      this.isOver = true;
      return decoded(this.rest);
    }
    for (let value = this.one(); value !== undefined; value = this.one()) {
      if (value === PAUSE || value instanceof ReadProblem) return value;
      this.slurped.push(value);
    }
    this.isOver = true;
    return this.slurped.splice(0);
  }

  private one(): Json | undefined | Pause | ReadProblem {
    if (this.style.raw) return this.line();
    const value = this.reader.read();
    if (value !== undefined) return value;
    if (!this.ended) return PAUSE;
    // Asked again after the end: there is no file any more.
    if (this.atEnd) this.read = false;
    this.atEnd = true;
    return this.reader.end();
  }

  private line(): Json | undefined | Pause {
    const newline = this.rest.indexOf('\n');
    if (newline < 0 && !this.ended) return PAUSE;
    if (newline < 0) {
      const { rest } = this;
      this.rest = '';
      return rest === '' ? undefined : decoded(rest);
    }
    const line = this.rest.slice(0, newline);
    this.rest = this.rest.slice(newline + 1);
    this.rawLines++;
    return decoded(line);
  }

  /** Reads on. */
  fetch(): Waiting {
    this.read = true;
    if (this.ended) return undefined;
    if (this.source === undefined && !this.open()) return undefined;
    const { source } = this;
    if (source === undefined) return undefined;
    if (source.start < source.end) return this.feed(source);
    try {
      const more = source.fill();
      const use = (there: boolean): undefined => (there ? this.feed(source) : this.leave(source));
      return isPromise(more) ? more.catch((error: unknown) => this.cannotRead(error)).then(use) : use(more);
    } catch (error) {
      return this.cannotRead(error) ? undefined : this.leave(source);
    }
  }

  /** Until it is known how many lines were begun. */
  finishLine(): Waiting {
    if (this.style.raw || this.ended || !this.read || !this.reader.isInsideLine || this.source === undefined)
      return undefined;
    const waiting = this.fetch();
    return waiting === undefined ? this.finishLine() : waiting.then(() => this.finishLine());
  }

  /** False when there is nothing left to open. */
  private open(): boolean {
    const name = this.names[this.nextName++];
    if (name === undefined) {
      this.ended = true;
      return false;
    }
    try {
      this.source = openInput(this.context, name);
      this.name = name;
      this.linesBefore = this.reader.lines;
      return true;
    } catch (error) {
      if (!isFsError(error)) throw error;
      this.context.complain(`error: Could not open file ${name}: ${error.message}`);
      this.failed = true;
      return false;
    }
  }

  private cannotRead(error: unknown): false {
    if (!isFsError(error)) throw error;
    this.context.complain(`error: ${this.name ?? '-'}: ${error.message}`);
    this.failed = true;
    return false;
  }

  private feed(source: ByteSource): undefined {
    const text = latin1(source.buffer, source.start, source.end);
    source.start = source.end;
    if (this.style.raw) this.rest += text;
    else this.reader.feed(text);
    this.pending += text.length;
    const { maxStringBytes } = this.context.limits;
    if (this.pending > maxStringBytes) throw limitReached('maxStringBytes', maxStringBytes);
    return undefined;
  }

  private leave(source: ByteSource): undefined {
    closeInput(this.context, source);
    this.source = undefined;
    if (this.nextName >= this.names.length) this.ended = true;
    return undefined;
  }

  close(): void {
    if (this.source !== undefined) closeInput(this.context, this.source);
  }
}

function decoded(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
