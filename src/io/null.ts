/** The devices that are the interpreter's own: /dev/null, /dev/zero, /dev/full and /dev/urandom. */
import { FsError } from '../errors.js';
import type { Waiting } from '../steps.js';
import { CHUNK_BYTES, NO_BYTES } from './batch.js';
import type { ByteSink, ByteSource } from './streams.js';

/** Always at its end. */
export function nullSource(): ByteSource {
  return { buffer: NO_BYTES, start: 0, end: 0, owned: true, fill: () => false, close: () => undefined };
}

/** NUL bytes without an end. */
export function zeroSource(): ByteSource {
  return new DeviceSource(() => undefined);
}

/** Random bytes without an end. */
export function randomSource(): ByteSource {
  return new DeviceSource((buffer) => void globalThis.crypto.getRandomValues(buffer));
}

/** The first `fill` is small: `head -c 16 /dev/urandom` is what most want. */
const FIRST_FILL = 1024;

class DeviceSource implements ByteSource {
  buffer: Uint8Array = NO_BYTES;
  start = 0;
  end = 0;
  readonly owned = false;
  readonly #generate: (buffer: Uint8Array) => void;

  constructor(generate: (buffer: Uint8Array) => void) {
    this.#generate = generate;
  }

  fill(): boolean {
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
