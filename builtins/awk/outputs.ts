/** Where a program prints: the standard output, the error stream, and files it names. */
import { isFsError } from '../../src/errors.js';
import { type Awaitable, andThen, rescue, type Waiting } from '../../src/steps.js';
import { fromByteString } from '../../src/text/bytes.js';
import type { BaseContext, OpenSink, Output, OutputFile } from '../kit/context.js';
import { finishEach } from '../kit/finish.js';
import { AwkError } from './tree.js';

const ENOUGH = 48 * 1024;

/** Collects what is printed. Writing never waits: what the output said to wait for is `pending`, and waited for between statements. */
export class Writer {
  private collected = '';
  private readonly output: Output;
  private readonly wait: (waiting: Promise<void>) => void;
  /** Nothing is kept back: the error stream, a terminal. */
  private readonly atOnce: boolean;

  constructor(output: Output, wait: (waiting: Promise<void>) => void, atOnce: boolean) {
    this.output = output;
    this.wait = wait;
    this.atOnce = atOnce;
  }

  write(text: string): void {
    this.collected += text;
    if (this.atOnce || this.collected.length >= ENOUGH) this.send();
  }

  send(): void {
    if (this.collected === '') return;
    const bytes = Buffer.from(this.collected, 'latin1');
    this.collected = '';
    const waiting = this.output.give(bytes);
    if (waiting !== undefined) this.wait(waiting);
  }

  flush(): void {
    this.send();
    const waiting = this.output.flush();
    if (waiting !== undefined) this.wait(waiting);
  }
}

export class Outputs {
  readonly standard: Writer;
  private readonly context: BaseContext & OpenSink;
  private readonly files = new Map<string, { readonly writer: Writer; readonly file: OutputFile | undefined }>();
  /** All that were ever opened. */
  private readonly opened = new Set<string>();
  private waiting: Waiting;

  constructor(context: BaseContext & OpenSink) {
    this.context = context;
    this.standard = this.writer(context.out, context.out.facts.terminal);
    this.files.set('/dev/stdout', { writer: this.standard, file: undefined });
    this.files.set('/dev/stderr', { writer: this.writer(context.err, true), file: undefined });
  }

  private writer(output: Output, atOnce: boolean): Writer {
    return new Writer(output, (waiting) => this.wait(waiting), atOnce);
  }

  wait(waiting: Promise<void>): void {
    this.waiting = this.waiting === undefined ? waiting : this.waiting.then(() => waiting);
    // It is waited for later; until then nobody would have seen it fail.
    this.waiting.catch(() => {});
  }

  /** What has to be waited for before more is printed. */
  pending(): Waiting {
    const { waiting } = this;
    this.waiting = undefined;
    return waiting;
  }

  /** `>` cuts a file when it is opened, and only then. */
  open(name: string, append: boolean): Writer {
    const known = this.files.get(name);
    if (known !== undefined) return known.writer;
    if (name === '') throw new AwkError("expression for `>' redirection has null string value");
    if (this.files.size >= this.context.limits.maxDescriptors) {
      throw new AwkError(`cannot redirect to \`${fromByteString(name)}': Too many open files`);
    }
    try {
      const file = this.context.openSink(fromByteString(name), append ? { append: true } : { truncate: true });
      const writer = this.writer(file, false);
      this.files.set(name, { writer, file });
      this.opened.add(fromByteString(name));
      return writer;
    } catch (error) {
      if (!isFsError(error)) throw error;
      throw new AwkError(`cannot redirect to \`${fromByteString(name)}': ${error.message}`);
    }
  }

  /** False when there is no such file. */
  close(name: string): Awaitable<boolean> {
    const open = this.files.get(name);
    if (open === undefined) return false;
    open.writer.send();
    const { file } = open;
    if (file === undefined) return true;
    this.files.delete(name);
    return andThen(this.pending() as Awaitable<void>, () => andThen(file.close() as Awaitable<void>, () => true));
  }

  /** Without a name: everything. */
  flush(name: string | undefined): Awaitable<boolean> {
    if (name === undefined) for (const { writer } of this.files.values()) writer.flush();
    else {
      const open = this.files.get(name);
      if (open === undefined) return false;
      open.writer.flush();
    }
    return andThen(this.pending() as Awaitable<void>, () => true);
  }

  /** Whether the program opened a file of this name. */
  names(path: string): boolean {
    return this.opened.has(path);
  }

  /** Everything out and closed; also after an error. */
  finish(): Awaitable<void> {
    const all = [...this.files.values()];
    const send = ({ writer }: (typeof all)[number]): Waiting => {
      writer.send();
      return this.pending();
    };
    return andThen(
      rescue(
        () => finishEach(all, send),
        (error) => ({ error }),
      ),
      (problem) =>
        andThen(
          finishEach(all, ({ file }) => file?.close() ?? undefined),
          () => {
            this.files.clear();
            if (problem !== undefined) throw problem.error;
          },
        ),
    );
  }
}
