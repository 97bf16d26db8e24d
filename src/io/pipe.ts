/**
 * The one kind of pipe between stages: a bounded queue of byte chunks. Both ends are synchronous as long as there are bytes,
 * or room; only who has to wait gets a promise. Chunks go through it without being copied.
 */
import { BROKEN_PIPE, FsError } from '../errors.js';
import type { Awaitable, Tick, Waiting } from '../steps.js';
import { Batch, CHUNK_BYTES, cutAt, LARGE_BYTES, NO_BYTES } from './batch.js';
import { Signal } from './signal.js';
import type { ByteSink, ByteSource } from './streams.js';

export interface Pipe {
  readonly source: ByteSource;
  readonly sink: ByteSink;
}

const DEFAULT_CAPACITY = 1024 * 1024;

/** `tick` is called for each chunk that is read, so that two stages which only wake each other starve no timer. */
export function createPipe(tick?: Tick, capacity: number = DEFAULT_CAPACITY): Pipe {
  const queue = new Queue(capacity);
  return { source: new PipeSource(queue, tick), sink: new PipeSink(queue) };
}

/** What both ends share. */
class Queue {
  /** Written last, not yet a chunk. */
  readonly batch = new Batch();
  readonly arrival = new Signal();
  readonly room = new Signal();
  readonly capacity: number;
  /** What is larger than this goes in piece by piece. */
  readonly largest: number;
  readerLeft = false;
  writerLeft = false;
  /** Whole chunks; those before `#head` are gone. */
  #chunks: Uint8Array[] = [];
  #head = 0;
  #bytes = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.largest = Math.max(capacity, CHUNK_BYTES);
  }

  get size(): number {
    return this.#bytes + this.batch.size;
  }

  /** What is gathered becomes a chunk. */
  seal(): void {
    if (this.batch.size > 0) this.#push(this.batch.take());
  }

  /** `data` is the pipe's from now on. */
  add(data: Uint8Array): void {
    this.seal();
    this.#push(data);
  }

  #push(data: Uint8Array): void {
    this.#chunks.push(data);
    this.#bytes += data.length;
  }

  /** The oldest chunk; asked only when `size` is not 0. */
  take(): Uint8Array {
    const chunk = this.#chunks[this.#head];
    if (chunk === undefined) {
      const rest = this.batch.take();
      this.room.raise();
      return rest;
    }
    this.#chunks[this.#head++] = NO_BYTES;
    if (this.#head === this.#chunks.length) {
      this.#chunks = [];
      this.#head = 0;
    }
    this.#bytes -= chunk.length;
    // Not at the first free byte: each change of sides costs a turn of the microtask queue.
    if (this.size <= this.capacity / 2) this.room.raise();
    return chunk;
  }

  abandon(): void {
    this.readerLeft = true;
    this.#chunks = [];
    this.#head = 0;
    this.#bytes = 0;
    this.batch.clear();
    this.arrival.raise();
    this.room.raise();
  }
}

class PipeSource implements ByteSource {
  buffer: Uint8Array = NO_BYTES;
  start = 0;
  end = 0;
  readonly owned = true;
  readonly #queue: Queue;
  readonly #tick: Tick | undefined;

  constructor(queue: Queue, tick: Tick | undefined) {
    this.#queue = queue;
    this.#tick = tick;
  }

  fill(): Awaitable<boolean> {
    if (this.start < this.end) return true;
    const queue = this.#queue;
    if (queue.size === 0) return queue.writerLeft || queue.readerLeft ? false : this.#fillLater();
    const turn = this.#tick?.();
    if (turn !== undefined) return this.#fillAfter(turn);
    return this.#take();
  }

  #take(): true {
    const chunk = this.#queue.take();
    this.buffer = chunk;
    this.start = 0;
    this.end = chunk.length;
    return true;
  }

  async #fillAfter(turn: Promise<void>): Promise<boolean> {
    await turn;
    return this.#fillLater();
  }

  /** Several may wait here (two commands that share a descriptor): each looks again when it is woken. */
  async #fillLater(): Promise<boolean> {
    const queue = this.#queue;
    while (this.start === this.end) {
      if (queue.size > 0) return this.#take();
      if (queue.writerLeft || queue.readerLeft) return false;
      await queue.arrival.wait();
      const turn = this.#tick?.();
      if (turn !== undefined) await turn;
    }
    return true;
  }

  close(): void {
    this.start = this.end;
    this.#queue.abandon();
  }
}

class PipeSink implements ByteSink {
  readonly #queue: Queue;

  constructor(queue: Queue) {
    this.#queue = queue;
  }

  writeText(text: string): Waiting {
    const queue = this.#open();
    if (text.length > queue.largest) return this.#pieces(queue, text);
    if (text === '') return undefined;
    queue.batch.text += text;
    if (queue.batch.size >= CHUNK_BYTES) queue.seal();
    return this.#written(queue);
  }

  write(data: Uint8Array): Waiting {
    const queue = this.#open();
    if (data.length > queue.largest) return this.#pieces(queue, data);
    if (data.length === 0) return undefined;
    if (data.length < LARGE_BYTES) {
      queue.batch.addBytes(data);
      if (queue.batch.size >= CHUNK_BYTES) queue.seal();
    } else {
      queue.add(Buffer.from(data));
    }
    return this.#written(queue);
  }

  give(data: Uint8Array): Waiting {
    if (data.length < SMALL_GIFT) return this.write(data);
    const queue = this.#open();
    queue.add(data);
    return this.#written(queue);
  }

  /** Nothing is held back from the reader. */
  flush(): Waiting {
    return undefined;
  }

  close(): Waiting {
    this.#queue.writerLeft = true;
    this.#queue.arrival.raise();
    this.#queue.room.raise();
    return undefined;
  }

  #open(): Queue {
    const queue = this.#queue;
    if (queue.readerLeft) throw BROKEN_PIPE;
    if (queue.writerLeft) throw new FsError('EBADF', '');
    return queue;
  }

  #written(queue: Queue): Waiting {
    queue.arrival.raise();
    return queue.size < queue.capacity ? undefined : this.#roomLater(queue);
  }

  async #roomLater(queue: Queue): Promise<void> {
    while (queue.size >= queue.capacity && !queue.readerLeft && !queue.writerLeft) await queue.room.wait();
    if (queue.readerLeft) throw BROKEN_PIPE;
  }

  /** More than the pipe holds goes in as the reader takes it out, so that no second copy of all of it is made. */
  async #pieces(queue: Queue, data: string | Uint8Array): Promise<void> {
    for (let at = 0; at < data.length; ) {
      const turn =
        typeof data === 'string'
          ? this.writeText(data.slice(at, (at = cutAt(data, at, CHUNK_BYTES))))
          : this.write(data.subarray(at, (at = Math.min(data.length, at + CHUNK_BYTES))));
      if (turn !== undefined) await turn;
      if (queue.writerLeft) return;
    }
  }
}

/** A gift this small is cheaper to copy than to queue: its reader is asked once a chunk, not once a line. */
const SMALL_GIFT = 512;
