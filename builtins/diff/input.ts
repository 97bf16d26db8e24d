/** The bytes of two files: all of them for a comparison by lines, or as they come for one by bytes. */
import type { ByteSource } from '../../src/io/streams.js';
import { limitReached } from '../../src/limits.js';
import { type Awaitable, andThen } from '../../src/steps.js';
import type { BaseContext } from '../kit/context.js';
import { repeat } from '../kit/repeat.js';

/** Takes the bytes of a source; what was looked at beforehand is still to be taken. */
export class Input {
  /** Bytes in hand. */
  bytes: Uint8Array = new Uint8Array();
  private size = 0;
  private readonly context: BaseContext;
  private readonly source: ByteSource | undefined;

  /** Undefined: no bytes. */
  constructor(context: BaseContext, source: ByteSource | undefined) {
    this.context = context;
    this.source = source;
  }

  /** Holds at least `count` bytes, or all there are; `most` bounds what is held. */
  hold(count: number, most: number): Awaitable<true> {
    return repeat<true>(() => {
      if (this.size >= count) return true;
      return andThen(this.more(), (more) => {
        if (!more) return true;
        if (this.size > most) {
          const { maxVariableBytes } = this.context.limits;
          throw limitReached('maxVariableBytes', maxVariableBytes);
        }
        return undefined;
      });
    });
  }

  /** Forgets the first `count` bytes. */
  drop(count: number): void {
    this.size -= count;
    this.bytes = this.size > 0 ? this.bytes.subarray(count) : new Uint8Array(this.bytes.buffer, 0, 0);
  }

  /** More bytes in hand; false at the end. */
  more(): Awaitable<boolean> {
    const { source, context } = this;
    if (source === undefined) return false;
    const fill = (): Awaitable<boolean> => source.start < source.end || source.fill();
    return andThen(andThen(context.tick(), fill), (more) => {
      if (more) this.append(source.buffer.subarray(source.start, source.end));
      source.start = source.end;
      return more;
    });
  }

  private append(chunk: Uint8Array): void {
    const { buffer, byteOffset } = this.bytes;
    const size = this.size + chunk.length;
    let room = new Uint8Array(buffer, byteOffset);
    if (room.length < size) {
      room = new Uint8Array(size < 65_536 ? size : size * 2);
      room.set(this.bytes);
    }
    room.set(chunk, this.size);
    this.size = size;
    this.bytes = room.subarray(0, size);
  }
}

/** Whether two inputs are the same, byte by byte. */
export function sameBytes(a: Input, b: Input): Awaitable<boolean> {
  return repeat<boolean>(() =>
    andThen(a.bytes.length > 0 || a.more(), (moreA) =>
      andThen(b.bytes.length > 0 || b.more(), (moreB): boolean | undefined => {
        if (!moreA || !moreB) return moreA === moreB;
        const count = Math.min(a.bytes.length, b.bytes.length);
        if (Buffer.compare(a.bytes.subarray(0, count), b.bytes.subarray(0, count)) !== 0) return false;
        a.drop(count);
        b.drop(count);
        return undefined;
      }),
    ),
  );
}
