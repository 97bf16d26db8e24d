/** A source that is another one, but for what a class of its own does otherwise: the unread bytes are shared. */
import type { Awaitable } from '../steps.js';
import type { ByteSource } from './streams.js';

export abstract class ForwardedSource implements ByteSource {
  protected readonly source: ByteSource;

  constructor(source: ByteSource) {
    this.source = source;
  }

  get buffer(): Uint8Array {
    return this.source.buffer;
  }
  set buffer(buffer: Uint8Array) {
    this.source.buffer = buffer;
  }
  get start(): number {
    return this.source.start;
  }
  set start(start: number) {
    this.source.start = start;
  }
  get end(): number {
    return this.source.end;
  }
  set end(end: number) {
    this.source.end = end;
  }
  get owned(): boolean {
    return this.source.owned;
  }
  fill(): Awaitable<boolean> {
    return this.source.fill();
  }
  lend(): boolean {
    return this.source.lend?.() ?? false;
  }
  abstract close(): void;
}
