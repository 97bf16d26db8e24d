/** A source in pieces that can be asked for exact numbers of bytes, and given some back. */
import type { ByteSource } from '../../../src/io/streams.js';

/** zlib makes at most a thousand times as much of a piece. */
const PIECE = 16_384;

export class Feed {
  private held: Buffer = Buffer.alloc(0);
  private readonly source: ByteSource;
  /** Bytes that were taken and not given back. */
  taken = 0;

  constructor(source: ByteSource) {
    this.source = source;
  }

  /** The next bytes, a copy; empty at the end. */
  async piece(): Promise<Buffer> {
    if (this.held.length > 0) {
      const held = this.held;
      this.held = Buffer.alloc(0);
      this.taken += held.length;
      return held;
    }
    const { source } = this;
    if (source.start === source.end && !(await source.fill())) return Buffer.alloc(0);
    const end = Math.min(source.end, source.start + PIECE);
    const piece = Buffer.from(source.buffer.subarray(source.start, end));
    source.start = end;
    this.taken += piece.length;
    return piece;
  }

  giveBack(bytes: Buffer): void {
    this.taken -= bytes.length;
    this.held = Buffer.concat([bytes, this.held]);
  }

  /** Exactly `count` bytes, or fewer at the end. */
  async take(count: number): Promise<Buffer> {
    let taken: Buffer = Buffer.alloc(0);
    while (taken.length < count) {
      const piece = await this.piece();
      if (piece.length === 0) break;
      taken = Buffer.concat([taken, piece]);
    }
    if (taken.length > count) this.giveBack(taken.subarray(count));
    return taken.subarray(0, count);
  }

  /** Bytes up to a NUL are passed over; false when there is none. */
  async skipText(): Promise<boolean> {
    for (;;) {
      const piece = await this.piece();
      if (piece.length === 0) return false;
      const end = piece.indexOf(0);
      if (end < 0) continue;
      this.giveBack(piece.subarray(end + 1));
      return true;
    }
  }
}
