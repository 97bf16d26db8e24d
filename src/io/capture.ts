/** Sinks that keep what is written: for `$( )`, as a shell string, and for the caller of the library, as bytes. */
import { type LimitName, limitReached } from '../limits.js';
import type { Waiting } from '../steps.js';
import { byteLength, decode, encode } from '../text/bytes.js';
import { Batch, CHUNK_BYTES, NO_BYTES } from './batch.js';
import { ByteBuilder } from './byte-builder.js';
import type { ByteSink } from './streams.js';

export interface StringCapture extends ByteSink {
  /** Everything written, as a shell string; the capture is empty again. */
  take(): string;
  /** Settles when the last descriptor that writes here is closed; undefined when it is already. */
  whenClosed(): Waiting;
}

/** More than `limitBytes` ends the run: the limit is the row `limitName` of the limits table. */
export function stringCapture(limitBytes: number, limitName: LimitName = 'maxStringBytes'): StringCapture {
  return new ShellStringCapture(limitBytes, limitName);
}

class ShellStringCapture implements StringCapture {
  /** Written since the last bytes; all there is as long as nobody writes bytes. */
  #text = '';
  /** Bytes cannot be decoded as they come: a character may be split between two writes. */
  #bytes: ByteBuilder | undefined;
  readonly #limit: number;
  readonly #limitName: LimitName;
  #closed = false;
  #wake: (() => void) | undefined;

  constructor(limit: number, limitName: LimitName) {
    this.#limit = limit;
    this.#limitName = limitName;
  }

  writeText(text: string): Waiting {
    this.#text += text;
    if (this.#text.length > this.#limit) this.#refuse();
    return undefined;
  }

  write(data: Uint8Array): Waiting {
    this.#bytes ??= new ByteBuilder();
    this.#textToBytes(this.#bytes);
    if (this.#bytes.length + data.length > this.#limit) this.#refuse();
    this.#bytes.append(data);
    return undefined;
  }

  give(data: Uint8Array): Waiting {
    return this.write(data);
  }

  flush(): Waiting {
    return undefined;
  }

  close(): Waiting {
    this.#closed = true;
    this.#wake?.();
    return undefined;
  }

  whenClosed(): Waiting {
    if (this.#closed) return undefined;
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  take(): string {
    const text = this.#text;
    if (this.#bytes === undefined) {
      this.#text = '';
      // Half a character in one write and half in the next: two strings of invalid bytes that are one character together.
      return text.isWellFormed() ? text : decode(encode(text));
    }
    this.#textToBytes(this.#bytes);
    const bytes = this.#bytes;
    this.#bytes = undefined;
    return decode(bytes.view());
  }

  #textToBytes(bytes: ByteBuilder): void {
    if (this.#text === '') return;
    bytes.append(encode(this.#text));
    this.#text = '';
  }

  #refuse(): never {
    throw limitReached(this.#limitName, this.#limit);
  }
}

export interface ByteCapture extends ByteSink {
  /** What was written, as much of it as the limit allows. */
  bytes(): Uint8Array;
  /** How much was written, kept or not. */
  readonly total: number;
  /** Whether some of it was not kept. */
  readonly truncated: boolean;
}

/** Keeps `limitBytes` and counts the rest: output that is too long is cut, visibly, and does not end the run. */
export function byteCapture(limitBytes: number): ByteCapture {
  return new LimitedByteCapture(limitBytes);
}

class LimitedByteCapture implements ByteCapture {
  readonly #batch = new Batch();
  readonly #kept = new ByteBuilder();
  readonly #limit: number;
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get total(): number {
    this.#settle();
    return this.#total;
  }

  get truncated(): boolean {
    return this.total > this.#limit;
  }

  bytes(): Uint8Array {
    this.#settle();
    return this.#kept.view();
  }

  writeText(text: string): Waiting {
    if (this.#total >= this.#limit) {
      this.#total += byteLength(text);
      return undefined;
    }
    this.#batch.text += text;
    if (this.#batch.size >= CHUNK_BYTES) this.#settle();
    return undefined;
  }

  write(data: Uint8Array): Waiting {
    this.#settle();
    this.#keep(data);
    return undefined;
  }

  give(data: Uint8Array): Waiting {
    return this.write(data);
  }

  flush(): Waiting {
    return undefined;
  }

  close(): Waiting {
    return undefined;
  }

  #settle(): void {
    if (this.#batch.size > 0) this.#keep(this.#batch.take());
  }

  #keep(data: Uint8Array): void {
    const room = Math.max(0, this.#limit - this.#total);
    this.#total += data.length;
    this.#kept.append(room === 0 ? NO_BYTES : data.length <= room ? data : data.subarray(0, room));
  }
}
