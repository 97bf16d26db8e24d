/** Reading from the process's own descriptors. */
import type { Awaitable } from '../steps.js';
import { CHUNK_BYTES, NO_BYTES } from './batch.js';
import type { HostDescriptor, HostPort, HostReader } from './host-port-types.js';
import type { ByteSource } from './streams.js';

export interface HostSource extends ByteSource {
  settle(): void;
}

/** A regular file: read where our readers are, while the descriptor's own offset, which others share, stays behind. */
export class HostFileSource implements HostSource {
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

  lend(): boolean {
    this.settle();
    return true;
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
export class HostStreamSource implements HostSource {
  buffer: Uint8Array = NO_BYTES;
  start = 0;
  end = 0;
  readonly owned = false;
  readonly #port: HostPort;
  readonly #fd: number;
  readonly #host: HostDescriptor;
  /** Opened when somebody reads, and again after an end of file: a terminal may give more. */
  #reader: HostReader | undefined;
  /** What the reader fills: `buffer`, as long as nobody has put bytes back. */
  #filled: Uint8Array = NO_BYTES;
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
    if (this.#filled.length === 0) this.#filled = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    this.#reader ??= this.#port.openReader(this.#fd, this.#host.kind, this.#filled);
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
    this.buffer = this.#filled;
    this.start = 0;
    this.end = length;
    return length > 0;
  }

  #leave(): void {
    this.#reader?.close();
    this.#reader = undefined;
  }

  settle(): void {}

  lend(): boolean {
    return this.start === this.end && this.#pending === undefined;
  }

  close(): void {
    this.#closed = true;
    this.start = this.end;
    this.#leave();
  }
}
