/** Sources of what is already there (here-documents, the standard input of a library call) or comes from the caller. */
import type { Awaitable } from '../steps.js';
import { encode } from '../text/bytes.js';
import { NO_BYTES } from './batch.js';
import type { ByteSource } from './streams.js';

/** A shell string, encoded when somebody reads it. */
export function textSource(text: string): ByteSource {
  return new FixedSource(text, true);
}

/** Bytes that stay the caller's. */
export function bytesSource(bytes: Uint8Array): ByteSource {
  return new FixedSource(bytes, false);
}

class FixedSource implements ByteSource {
  buffer: Uint8Array = NO_BYTES;
  start = 0;
  end = 0;
  readonly owned: boolean;
  #rest: string | Uint8Array;

  constructor(content: string | Uint8Array, owned: boolean) {
    this.#rest = content;
    this.owned = owned;
  }

  fill(): boolean {
    if (this.start < this.end) return true;
    if (this.#rest.length === 0) return false;
    this.buffer = typeof this.#rest === 'string' ? encode(this.#rest) : this.#rest;
    this.#rest = '';
    this.start = 0;
    this.end = this.buffer.length;
    return true;
  }

  close(): void {
    this.#rest = '';
    this.start = this.end;
  }
}

/** Chunks as the caller makes them. They stay the caller's, who may use one buffer for all. */
export function iterableSource(chunks: AsyncIterable<Uint8Array>): ByteSource {
  return new IterableSource(chunks);
}

class IterableSource implements ByteSource {
  buffer: Uint8Array = NO_BYTES;
  start = 0;
  end = 0;
  readonly owned = false;
  readonly #chunks: AsyncIterable<Uint8Array>;
  #iterator: AsyncIterator<Uint8Array> | undefined;
  #pending: Promise<boolean> | undefined;
  #ended = false;
  /** Ends the pending `fill` when the reader leaves: the caller's iterator may never answer. */
  #leave: (() => void) | undefined;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks;
  }

  fill(): Awaitable<boolean> {
    if (this.start < this.end) return true;
    if (this.#ended) return false;
    this.#pending ??= this.#next().finally(() => {
      this.#pending = undefined;
      this.#leave = undefined;
    });
    return this.#pending;
  }

  async #next(): Promise<boolean> {
    this.#iterator ??= this.#chunks[Symbol.asyncIterator]();
    const left = new Promise<undefined>((resolve) => {
      this.#leave = () => resolve(undefined);
    });
    for (;;) {
      const next = await Promise.race([this.#iterator.next(), left]);
      if (this.#ended || next === undefined || next.done === true) {
        this.#ended = true;
        return false;
      }
      if (next.value.length === 0) continue;
      this.buffer = next.value;
      this.start = 0;
      this.end = next.value.length;
      return true;
    }
  }

  close(): void {
    this.start = this.end;
    if (this.#ended) return;
    this.#ended = true;
    this.#leave?.();
    void this.#cleanUp();
  }

  /** What the caller's clean-up has to say comes too late for anybody to hear. */
  async #cleanUp(): Promise<void> {
    try {
      await this.#iterator?.return?.();
    } catch {}
  }
}
