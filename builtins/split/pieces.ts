/** The files split makes, one after the other. */
import { isFsError } from '../../src/errors.js';
import { type Awaitable, andThen } from '../../src/steps.js';
import { gnuQuote, gnuQuoteIfNeeded } from '../../src/text/quote.js';
import type { BaseContext, OpenSink, OutputFile } from '../kit/context.js';
import type { PieceNames } from './names.js';

export class Pieces {
  /** Why there can be no more. */
  failure: string | undefined;
  private readonly context: BaseContext & OpenSink;
  private readonly names: PieceNames;
  /** As the operand is written: no piece may take its place. */
  private readonly input: string;
  private readonly verbose: boolean;
  private readonly opened: OutputFile[] = [];

  constructor(context: BaseContext & OpenSink, names: PieceNames, input: string, verbose: boolean) {
    this.context = context;
    this.names = names;
    this.input = input;
    this.verbose = verbose;
  }

  /** The next piece; undefined when there can be none, and `failure` says why. */
  open(): OutputFile | undefined {
    const name = this.names.next();
    if (name === undefined) return this.fail('output file suffixes exhausted');
    if (name === this.input) return this.fail(`${gnuQuote(name)} would overwrite input; aborting`);
    if (this.opened.length >= this.context.limits.maxDescriptors) {
      return this.fail(`${gnuQuoteIfNeeded(name)}: Too many open files`);
    }
    let piece: OutputFile;
    try {
      piece = this.context.openSink(name, { truncate: true });
    } catch (error) {
      if (!isFsError(error)) throw error;
      return this.fail(`${gnuQuoteIfNeeded(name)}: ${error.message}`);
    }
    this.opened.push(piece);
    if (this.verbose) void this.context.out.write(`creating file ${gnuQuote(name)}\n`);
    return piece;
  }

  private fail(why: string): undefined {
    this.failure = why;
  }

  /** Closes what is open. */
  close(): void {
    for (const piece of this.opened.splice(0)) void piece.close();
  }
}

/** Pieces of which one is open at a time. */
export class Sequence {
  readonly pieces: Pieces;
  private readonly context: BaseContext;
  private piece: OutputFile | undefined;

  constructor(context: BaseContext, pieces: Pieces) {
    this.context = context;
    this.pieces = pieces;
  }

  get failed(): boolean {
    return this.pieces.failure !== undefined;
  }

  /** What is written next begins a new piece. */
  cut(): void {
    this.pieces.close();
    this.piece = undefined;
  }

  /** Into the piece in hand, or a new one. */
  write(bytes: Uint8Array): Awaitable<void> {
    if (this.piece !== undefined) return this.piece.write(bytes);
    // A chunk may be thousands of pieces: each is a file.
    return andThen(this.context.tick() as Awaitable<void>, () => {
      this.piece = this.pieces.open();
      return bytes.length === 0 ? undefined : this.piece?.write(bytes);
    });
  }
}
