/** Bytes that are put together piece by piece: it doubles as it grows, so that a long line costs linear time. */
export class ByteBuilder {
  #buffer: Buffer;
  length = 0;

  constructor(room = 256) {
    this.#buffer = Buffer.allocUnsafe(room);
  }

  /** Copies `data[start..end)`. */
  append(data: Uint8Array, start = 0, end: number = data.length): void {
    const added = end - start;
    const needed = this.length + added;
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#buffer.length));
      larger.set(this.#buffer.subarray(0, this.length));
      this.#buffer = larger;
    }
    this.#buffer.set(added === data.length ? data : data.subarray(start, end), this.length);
    this.length = needed;
  }

  /** What there is so far. Later appends do not change it. */
  view(): Buffer {
    return this.#buffer.subarray(0, this.length);
  }
}
