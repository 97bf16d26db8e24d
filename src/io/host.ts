/** The process's own descriptors as sources and sinks. */
import { BROKEN_PIPE, FsError, isBrokenPipe } from '../errors.js';
import type { Awaitable, Waiting } from '../steps.js';
import { Batch, CHUNK_BYTES, LARGE_BYTES, NO_BYTES } from './batch.js';
import { createDescription } from './descriptors.js';
import type { HostDescriptor, HostPort, HostReader, HostWriter } from './host-port-types.js';
import type { ByteSink, ByteSource, Description } from './streams.js';

/** What this process inherited. Made once; every run of the process shares it. */
export interface HostStreams {
  /**
   * The description of the process's descriptor `fd`, with one use for the caller: the same at every call. Undefined where
   * nothing is open. Of the numbers above 2 only those that are known to be inherited may be asked for: Node has its own.
   */
  description(fd: number): Description | undefined;
  /** Everything kept goes out, in the order it was written. What fails is told to the next who writes there. */
  flush(): Waiting;
  /**
   * Before another program uses the descriptors, and at the end: the offset of a file that we read from stands where our
   * readers stopped, not where we have read ahead to. What the other program reads of it we do not read again.
   */
  settle(): void;
  /** Pending reads answer the end of file, pending writes are broken, and nothing keeps the process alive. */
  abort(): void;
}

export function hostStreams(port: HostPort): HostStreams {
  return new ProcessStreams(port);
}

class ProcessStreams implements HostStreams {
  readonly #port: HostPort;
  readonly #descriptions = new Map<number, Description>();
  readonly #sources: HostSource[] = [];
  readonly #sinks: HostSink[] = [];
  readonly #lanes = new Map<string, Lane>();
  readonly #orders = new Map<string, Order>();

  constructor(port: HostPort) {
    this.#port = port;
  }

  description(fd: number): Description | undefined {
    const known = this.#descriptions.get(fd);
    if (known !== undefined) return known.retain();
    const host = this.#port.inspect(fd);
    if (host === undefined) return undefined;
    const description = createDescription(
      host.readable ? this.#source(fd, host) : undefined,
      host.writable ? this.#sink(fd, host) : undefined,
      { terminal: host.kind === 'terminal', file: host.kind === 'file' ? host.identity : undefined },
    );
    this.#descriptions.set(fd, description);
    return description.retain(); // one use is ours: the process keeps its descriptors whatever a script closes
  }

  #source(fd: number, host: HostDescriptor): HostSource {
    const source =
      host.kind === 'file' ? new HostFileSource(this.#port, fd) : new HostStreamSource(this.#port, fd, host);
    this.#sources.push(source);
    return source;
  }

  #sink(fd: number, host: HostDescriptor): HostSink {
    const order = host.kind === 'file' || host.kind === 'device' ? host.identity : 'seen together';
    const sink = new HostSink(
      this.#port,
      fd,
      host,
      made(this.#lanes, host.identity, () => ({ tail: undefined })),
      made(this.#orders, order, () => ({ keeper: undefined })),
    );
    this.#sinks.push(sink);
    return sink;
  }

  flush(): Waiting {
    const waiting: Promise<void>[] = [];
    for (const sink of this.#sinks) {
      const turn = sink.flushQuietly();
      if (turn !== undefined) waiting.push(turn);
    }
    return waiting.length === 0 ? undefined : Promise.all(waiting).then(() => undefined);
  }

  settle(): void {
    for (const source of this.#sources) source.settle();
  }

  abort(): void {
    for (const sink of this.#sinks) sink.abort();
    for (const source of this.#sources) source.close();
  }
}

function made<V>(map: Map<string, V>, key: string, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

interface HostSource extends ByteSource {
  settle(): void;
}

/** A regular file: read where our readers are, while the descriptor's own offset, which others share, stays behind. */
class HostFileSource implements HostSource {
  buffer: Uint8Array = NO_BYTES;
  start = 0;
  end = 0;
  readonly owned = false;
  readonly #port: HostPort;
  readonly #fd: number;
  /** Of `end`. Undefined: where the descriptor is; null: unknown to the host, so that reading moves the descriptor's. */
  #position: number | null | undefined;
  #closed = false;

  constructor(port: HostPort, fd: number) {
    this.#port = port;
    this.#fd = fd;
  }

  fill(): boolean {
    if (this.start < this.end) return true;
    if (this.#closed) return false;
    if (this.#position === undefined) this.#position = this.#port.offset(this.#fd) ?? null;
    if (this.buffer.length === 0) this.buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    this.start = 0;
    this.end = 0;
    this.end = this.#port.readFile(this.#fd, this.buffer, this.#position);
    if (this.#position !== null) this.#position += this.end;
    return this.end > 0;
  }

  /** Node has no lseek: the offset is moved by reading up to the place once more. */
  settle(): void {
    if (typeof this.#position !== 'number') return;
    let behind = this.#position - (this.end - this.start) - (this.#port.offset(this.#fd) ?? this.#position);
    this.start = this.end;
    this.#position = undefined;
    const scratch = behind > 0 ? Buffer.allocUnsafeSlow(Math.min(behind, SKIP_BYTES)) : NO_BYTES;
    while (behind > 0) {
      const skipped = this.#port.readFile(this.#fd, scratch.subarray(0, Math.min(behind, scratch.length)), null);
      if (skipped === 0) return; // somebody has cut the file
      behind -= skipped;
    }
  }

  close(): void {
    if (this.#closed) return;
    this.settle();
    this.#closed = true;
  }
}

const SKIP_BYTES = 1024 * 1024;

/** Everything else: the bytes come when they come. */
class HostStreamSource implements HostSource {
  buffer: Uint8Array = NO_BYTES;
  start = 0;
  end = 0;
  readonly owned = false;
  readonly #port: HostPort;
  readonly #fd: number;
  readonly #host: HostDescriptor;
  /** Opened when somebody reads, and again after an end of file: a terminal may give more. */
  #reader: HostReader | undefined;
  #pending: Promise<boolean> | undefined;
  #closed = false;

  constructor(port: HostPort, fd: number, host: HostDescriptor) {
    this.#port = port;
    this.#fd = fd;
    this.#host = host;
  }

  fill(): Awaitable<boolean> {
    if (this.start < this.end) return true;
    if (this.#pending !== undefined) return this.#pending;
    if (this.#closed) return false;
    if (this.buffer.length === 0) this.buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    this.#reader ??= this.#port.openReader(this.#fd, this.#host.kind, this.buffer);
    const length = this.#reader.read();
    return length === undefined ? this.#later(this.#reader) : this.#arrived(length);
  }

  /** One for all who wait. What comes is in the shared buffer even if nobody waits any more (`read -t`). */
  #later(reader: HostReader): Promise<boolean> {
    const pending = reader.wait().then(
      (length) => {
        this.#pending = undefined;
        return this.#arrived(length);
      },
      (error: unknown) => {
        this.#pending = undefined;
        this.#leave();
        throw error;
      },
    );
    this.#pending = pending;
    return pending;
  }

  #arrived(length: number): boolean {
    if (length === 0) this.#leave();
    if (this.#closed) return false;
    this.start = 0;
    this.end = length;
    return length > 0;
  }

  #leave(): void {
    this.#reader?.close();
    this.#reader = undefined;
  }

  settle(): void {}

  close(): void {
    this.#closed = true;
    this.start = this.end;
    this.#leave();
  }
}

/** Sinks on one and the same pipe, terminal or file, through whatever descriptors: one writes at a time, in order. */
interface Lane {
  /** Settles, and never fails, when what has been sent so far is out. Undefined: it is. */
  tail: Promise<void> | undefined;
}

/** Sinks of which at most one keeps bytes, so that what a person sees (on 1 and 2) comes in the order it was written. */
interface Order {
  keeper: HostSink | undefined;
}

class HostSink implements ByteSink {
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
