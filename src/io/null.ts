/** The devices that are the interpreter's own: /dev/null, /dev/zero, /dev/full and /dev/urandom. */
import { FsError } from '../errors.js';
import type { Awaitable, Tick, Waiting } from '../steps.js';
import { CHUNK_BYTES, NO_BYTES } from './batch.js';
import type { ByteSink, ByteSource, StreamFacts } from './streams.js';

/** Of `/dev/null`, whichever way it is used. */
export const NULL_FACTS: StreamFacts = { terminal: false, file: undefined, origin: { kind: 'null' } };

/** Always at its end. */
export function nullSource(): ByteSource {
  return { buffer: NO_BYTES, start: 0, end: 0, owned: true, fill: () => false, close: () => undefined };
}

/** NUL bytes without an end. */
export function zeroSource(tick?: Tick): ByteSource {
  return new DeviceSource(() => undefined, tick);
}

/** Random bytes without an end. */
export function randomSource(tick?: Tick): ByteSource {
  return new DeviceSource((buffer) => void globalThis.crypto.getRandomValues(buffer), tick);
}

/** The first `fill` is small: `head -c 16 /dev/urandom` is what most want. */
const FIRST_FILL = 1024;

class DeviceSource implements ByteSource {
  buffer: Uint8Array = NO_BYTES;
  start = 0;
  end = 0;
  readonly owned = false;
  readonly #generate: (buffer: Uint8Array) => void;
  readonly #tick: Tick | undefined;

  constructor(generate: (buffer: Uint8Array) => void, tick: Tick | undefined) {
    this.#generate = generate;
    this.#tick = tick;
  }

  fill(): Awaitable<boolean> {
    if (this.start < this.end) return true;
    const turn = this.#tick?.();
    return turn === undefined ? this.#more() : turn.then(() => this.#more());
  }

  #more(): boolean {
    if (this.start < this.end) return true;
    if (this.buffer.length < CHUNK_BYTES) {
      this.buffer = Buffer.alloc(this.buffer.length === 0 ? FIRST_FILL : CHUNK_BYTES);
    }
    this.#generate(this.buffer);
    this.start = 0;
    this.end = this.buffer.length;
    return true;
  }

  close(): void {
    this.start = this.end;
  }
}

const nothing = (): Waiting => undefined;

/** Takes everything and keeps nothing. Without state: one serves all. */
export const NULL_SINK: ByteSink = Object.freeze({
  writeText: nothing,
  write: nothing,
  give: nothing,
  flush: nothing,
  close: nothing,
});

function full(): never {
  throw new FsError('ENOSPC', '/dev/full');
}

/** Has no room for a single byte. */
export const FULL_SINK: ByteSink = Object.freeze({
  writeText: (text: string) => (text === '' ? undefined : full()),
  write: (data: Uint8Array) => (data.length === 0 ? undefined : full()),
  give: (data: Uint8Array) => (data.length === 0 ? undefined : full()),
  flush: nothing,
  close: nothing,
});
