/** Writing to the process's own descriptors. */
import { BROKEN_PIPE, FsError, isBrokenPipe } from '../errors.js';
import type { Waiting } from '../steps.js';
import { Batch, CHUNK_BYTES, LARGE_BYTES } from './batch.js';
import type { HostDescriptor, HostPort, HostWriter } from './host-port-types.js';
import type { IdleFlush } from './idle-flush.js';
import type { ByteSink } from './streams.js';

/** Sinks on one and the same pipe, terminal or file, through whatever descriptors: one writes at a time, in order. */
export interface Lane {
  /** Settles, and never fails, when what has been sent so far is out. Undefined: it is. */
  tail: Promise<void> | undefined;
}

/** Sinks of which at most one keeps bytes, so that what a person sees (on 1 and 2) comes in the order it was written. */
export interface Order {
  keeper: HostSink | undefined;
  readonly idle: IdleFlush;
}

export class HostSink implements ByteSink {
  readonly #port: HostPort;
  readonly #fd: number;
  readonly #host: HostDescriptor;
  readonly #lane: Lane;
  readonly #order: Order;
  readonly #batch = new Batch();
  #writer: HostWriter | undefined;
  /** Thrown at everybody who writes, for ever. */
  #broken = false;
  #closed = false;
  /** A write that failed behind its writer's back: told to the next one, once. */
  #failure: { readonly error: unknown } | undefined;
  /** A flush that waits for its turn, for all who ask meanwhile. */
  #flushing: Promise<void> | undefined;

  constructor(port: HostPort, fd: number, host: HostDescriptor, lane: Lane, order: Order) {
    this.#port = port;
    this.#fd = fd;
    this.#host = host;
    this.#lane = lane;
    this.#order = order;
  }

  writeText(text: string): Waiting {
    if (text === '') return undefined;
    const turn = this.#order.keeper === this ? undefined : this.#enter();
    this.#batch.text += text;
    return this.#batch.size < CHUNK_BYTES ? turn : this.#sent(this.#send());
  }

  write(data: Uint8Array): Waiting {
    if (data.length === 0) return undefined;
    const turn = this.#order.keeper === this ? undefined : this.#enter();
    if (data.length < LARGE_BYTES) {
      this.#batch.addBytes(data);
      return this.#batch.size < CHUNK_BYTES ? turn : this.#sent(this.#send());
    }
    this.#send();
    return this.#sent(this.#put(data));
  }

  /** No better than `write`, whose data need not be kept: the writer waits until they are out. */
  give(data: Uint8Array): Waiting {
    return this.write(data);
  }

  flush(): Waiting {
    return this.#sent(this.#flushInTurn());
  }

  /** A failure is kept for who writes here next. */
  flushQuietly(): Waiting {
    return this.#flushInTurn();
  }

  close(): Waiting {
    if (this.#closed) return undefined;
    const turn = this.#flushInTurn();
    this.#closed = true;
    if (turn === undefined) return this.#finish();
    return turn.then(() => this.#finish());
  }

  /** A write that waits for its reader is broken; a sink whose reader keeps up stays as it is. */
  interrupt(): void {
    if (this.#lane.tail !== undefined) this.abort();
  }

  /** What is kept is lost. */
  abort(): void {
    this.#batch.clear();
    this.#broken = true;
    this.#leaveOrder();
    this.#writer?.close();
    this.#writer = undefined;
  }

  #finish(): undefined {
    this.#writer?.close();
    this.#writer = undefined;
    this.#throwFailure();
  }

  /** Before the first bytes that are kept: nothing that was written elsewhere before may come out after them. */
  #enter(): Waiting {
    if (this.#closed) throw new FsError('EBADF', '');
    this.#throwFailure();
    const other = this.#order.keeper;
    this.#order.keeper = this;
    this.#order.idle.schedule();
    if (other === undefined) return undefined;
    const turn = other.#put(other.#batch.take());
    // Only where the same reader is slow for both must we wait for it too.
    return other.#lane === this.#lane ? turn : undefined;
  }

  #leaveOrder(): void {
    if (this.#order.keeper === this) this.#order.keeper = undefined;
  }

  /** While the lane is busy, what is kept stays in the batch, where it is bounded: whoever asks for a flush need not wait for it. */
  #flushInTurn(): Waiting {
    if (this.#lane.tail === undefined) return this.#send();
    if (this.#batch.size === 0) return this.#lane.tail;
    this.#flushing ??= this.#lane.tail.then(() => {
      this.#flushing = undefined;
      return this.#flushInTurn();
    });
    return this.#flushing;
  }

  /** What is kept goes into the lane. Like all below it neither throws nor rejects: it leaves a failure behind. */
  #send(): Waiting {
    this.#leaveOrder();
    return this.#put(this.#batch.take());
  }

  #put(data: Uint8Array): Waiting {
    const lane = this.#lane;
    if (data.length === 0) return lane.tail;
    const turn = lane.tail === undefined ? this.#out(data) : lane.tail.then(() => this.#out(data));
    if (turn === undefined) return undefined;
    const tail = turn.then(() => {
      if (lane.tail === tail) lane.tail = undefined;
    });
    lane.tail = tail;
    return tail;
  }

  #out(data: Uint8Array): Waiting {
    if (this.#broken) return undefined;
    try {
      this.#writer ??= this.#port.openWriter(this.#fd, this.#host.kind);
      for (let at = 0; at < data.length; ) {
        const length = this.#writer.write(data, at);
        if (length === undefined) {
          return this.#writer.drain(at === 0 ? data : data.subarray(at)).catch((error: unknown) => this.#fail(error));
        }
        at += length;
      }
    } catch (error) {
      this.#fail(error);
    }
    return undefined;
  }

  #fail(error: unknown): void {
    if (isBrokenPipe(error)) this.#broken = true;
    else this.#failure ??= { error };
  }

  #sent(turn: Waiting): Waiting {
    if (turn === undefined) return this.#throwFailure();
    return turn.then(() => this.#throwFailure());
  }

  #throwFailure(): undefined {
    if (this.#broken) throw BROKEN_PIPE;
    const failure = this.#failure;
    if (failure === undefined) return undefined;
    this.#failure = undefined;
    throw failure.error;
  }
}
