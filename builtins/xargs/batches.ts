/** Command lines, filled with arguments and run when they are full, one at a time or several at once. */

import { type Awaitable, andThen, isPromise } from '../../src/steps.js';
import { byteLength } from '../../src/text/bytes.js';
import { gnuQuote, needsGnuQuotes } from '../../src/text/quote.js';
import type { Context, Ended } from '../kit/context.js';

export interface BatchOptions {
  /** The command and its first arguments. */
  readonly command: readonly string[];
  /** Of all words, with the byte that ends each. */
  readonly maxBytes: number;
  readonly maxArguments: number | undefined;
  /** A line that does not fit is an error. */
  readonly exact: boolean;
  /** When something is wrong with the input, what is collected is not run first. */
  readonly strict: boolean;
  /** How many commands may run at once. */
  readonly parallel: number;
  /** Commands are printed on the error stream. */
  readonly verbose: boolean;
  /** Commands share our standard input, which is not what the arguments are read from. */
  readonly sharesInput: boolean;
}

export class Batches {
  /** Set once: no more is run, and this is the status. */
  fatal: number | undefined;
  ran = false;
  private failed = false;
  private readonly context: Context<'invoke'>;
  private readonly options: BatchOptions;
  private readonly fixedBytes: number;
  private args: string[] = [];
  private bytes: number;
  private readonly running = new Set<Promise<unknown>>();

  constructor(context: Context<'invoke'>, options: BatchOptions) {
    this.context = context;
    this.options = options;
    this.fixedBytes = sizeOf(options.command);
    this.bytes = this.fixedBytes;
  }

  get empty(): boolean {
    return this.args.length === 0;
  }

  /** Whether an argument fits a line of its own, behind the command or alone. */
  fits(argument: string, behind: boolean): boolean {
    return (behind ? this.fixedBytes : 0) + byteLength(argument) + 1 <= this.options.maxBytes;
  }

  add(argument: string): Awaitable<unknown> {
    const { maxBytes, maxArguments, exact } = this.options;
    const size = byteLength(argument) + 1;
    if (this.bytes + size > maxBytes && !this.empty) {
      if (exact) return this.stop('argument list too long');
      return andThen(this.flush(), () => (this.fatal === undefined ? this.add(argument) : undefined));
    }
    this.args.push(argument);
    this.bytes += size;
    return this.args.length === maxArguments ? this.flush() : undefined;
  }

  /** Runs what is collected, if only the command itself. */
  flush(): Awaitable<unknown> {
    const argv = [...this.options.command, ...this.args];
    this.args = [];
    this.bytes = this.fixedBytes;
    return this.run(argv);
  }

  /** The input cannot be read further: runs what is collected, where that is allowed, and ends everything. */
  giveUp(message: string): Awaitable<unknown> {
    return andThen(this.empty || this.options.strict ? undefined : this.flush(), () => {
      if (this.fatal === undefined) this.stop(message);
    });
  }

  /** A command line that is complete as it is. */
  runWhole(argv: readonly string[]): Awaitable<unknown> {
    const { maxBytes } = this.options;
    let bytes = 0;
    for (let i = 0; i < argv.length; i++) {
      const size = byteLength(argv[i] as string) + 1;
      if (i > 0 && size >= maxBytes) return this.stop('command too long');
      bytes += size;
      if (bytes > maxBytes) return this.stop('argument list too long');
    }
    return this.run(argv);
  }

  /** Ends everything with a message and status 1. */
  stop(message: string): undefined {
    this.context.complain(message);
    this.fatal ??= 1;
  }

  /** Waits for what still runs; the status of it all. */
  finish(): Awaitable<number> {
    const status = () => this.fatal ?? (this.failed ? 123 : 0);
    return this.running.size === 0 ? status() : Promise.all(this.running).then(status);
  }

  private run(argv: readonly string[]): Awaitable<unknown> {
    if (this.fatal !== undefined) return undefined;
    this.ran = true;
    return andThen(this.print(argv), () => andThen(this.context.tick(), () => this.start(argv)));
  }

  private print(argv: readonly string[]): Awaitable<unknown> {
    if (!this.options.verbose) return undefined;
    return this.context.err.write(`${argv.map((word) => (needsGnuQuotes(word) ? gnuQuote(word) : word)).join(' ')}\n`);
  }

  private start(argv: readonly string[]): Awaitable<unknown> {
    const ending = this.context.invoke(argv, this.options.sharesInput ? {} : { stdin: 'null' });
    if (!isPromise(ending)) return this.ended(argv, ending);
    const { parallel } = this.options;
    if (parallel === 1) return ending.then((is) => this.ended(argv, is));
    const one: Promise<unknown> = ending.then((is) => this.ended(argv, is)).finally(() => this.running.delete(one));
    this.running.add(one);
    return this.running.size < parallel ? undefined : Promise.race(this.running);
  }

  private ended(argv: readonly string[], { status, way }: Ended): undefined {
    if (status === 0) return;
    const name = argv[0] ?? '';
    if (way === 'not run') this.fatal ??= status;
    else if (way === 'signalled') this.abort(125, `${name}: terminated by signal ${status - 128}`);
    else if (status === 255) this.abort(124, `${name}: exited with status 255; aborting`);
    else this.failed = true;
  }

  private abort(status: number, message: string): void {
    this.context.complain(message);
    this.fatal ??= status;
  }
}

export function sizeOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + byteLength(word) + 1, 0);
}
