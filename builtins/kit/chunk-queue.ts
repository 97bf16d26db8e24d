/** The last bytes of a stream, kept in blocks: what head and tail must hold until they know what follows. */
import { type Limits, limitReached } from '../../src/limits.js';
import type { Waiting } from '../../src/steps.js';
import type { Output } from './context.js';
import { afterDelimiters, countDelimiters } from './line-end.js';

const BLOCK = 65_536;

interface Block {
  readonly bytes: Uint8Array;
  length: number;
  delimiters: number;
}

export class ChunkQueue {
  /** Bytes in all blocks. */
  size = 0;
  /** Delimiters in all blocks. */
  delimiters = 0;
  private blocks: Block[] = [];
  /** Blocks before this one are gone. */
  private first = 0;
  private readonly spare: Uint8Array[] = [];
  /** The byte that is counted; undefined: none is. */
  private readonly delimiter: number | undefined;
  /** More than this ends the run (`maxVariableBytes`): an endless line must not fill the host's memory. */
  private readonly limit: number;

  constructor({ maxVariableBytes }: Limits, delimiter?: number) {
    this.limit = maxVariableBytes;
    this.delimiter = delimiter;
  }

  /** Copies `chunk` to the end. */
  push(chunk: Uint8Array): void {
    for (let from = 0; from < chunk.length; ) {
      let block = this.blocks.length > this.first ? (this.blocks[this.blocks.length - 1] as Block) : undefined;
      if (block === undefined || block.length === BLOCK) {
        block = { bytes: this.spare.pop() ?? new Uint8Array(BLOCK), length: 0, delimiters: 0 };
        this.blocks.push(block);
      }
      const count = Math.min(BLOCK - block.length, chunk.length - from);
      const part = chunk.subarray(from, from + count);
      block.bytes.set(part, block.length);
      block.length += count;
      from += count;
      this.size += count;
      if (this.size > this.limit) throw limitReached('maxVariableBytes', this.limit);
      if (this.delimiter === undefined) continue;
      const found = countDelimiters(part, 0, count, this.delimiter);
      block.delimiters += found;
      this.delimiters += found;
    }
  }

  get firstSize(): number {
    return this.blocks[this.first]?.length ?? 0;
  }

  get firstDelimiters(): number {
    return this.blocks[this.first]?.delimiters ?? 0;
  }

  get lastByte(): number | undefined {
    const last = this.blocks.length > this.first ? this.blocks[this.blocks.length - 1] : undefined;
    return last?.bytes[last.length - 1];
  }

  /** Forgets the first block; its bytes are good until the next `push`. */
  shift(): Uint8Array {
    const block = this.blocks[this.first] as Block; // the caller saw that there is one
    this.first++;
    this.size -= block.length;
    this.delimiters -= block.delimiters;
    if (this.spare.length < 4) this.spare.push(block.bytes);
    if (this.first > 1024 && this.first * 2 > this.blocks.length) {
      this.blocks = this.blocks.slice(this.first);
      this.first = 0;
    }
    return block.bytes.subarray(0, block.length);
  }

  /** Forgets the first `count` bytes. */
  dropBytes(count: number): void {
    let left = count;
    while (left > 0 && this.firstSize <= left && this.size > 0) left -= this.shift().length;
    const block = this.blocks[this.first];
    if (left > 0 && block !== undefined) this.keepFrom(block, left, 0);
  }

  /** Forgets everything up to the `count`th delimiter, with it. */
  dropLines(count: number): void {
    let left = count;
    while (left > 0 && this.size > 0 && this.firstDelimiters < left) {
      left -= this.firstDelimiters;
      this.shift();
    }
    const block = this.blocks[this.first];
    if (left === 0 || block === undefined || this.delimiter === undefined) return;
    const { index } = afterDelimiters(block.bytes, 0, block.length, this.delimiter, left);
    if (index > 0) this.keepFrom(block, index, left);
  }

  private keepFrom(block: Block, index: number, delimiters: number): void {
    block.bytes.copyWithin(0, index, block.length);
    block.length -= index;
    block.delimiters -= delimiters;
    this.size -= index;
    this.delimiters -= delimiters;
  }

  /** Writes all that is left; the queue is empty after. */
  drain(out: Output): Waiting {
    return this.drainBytes(out, this.size);
  }

  /** Writes the first `count` bytes. */
  drainBytes(out: Output, count: number): Waiting {
    let left = count;
    while (left > 0 && this.size > 0) {
      const part = this.firstSize <= left ? this.shift() : this.head(left);
      left -= part.length;
      const waiting = out.write(part);
      if (waiting === undefined) continue;
      const rest = left;
      return waiting.then(() => this.drainBytes(out, rest));
    }
    return undefined;
  }

  /** Writes the first `count` lines. */
  drainLines(out: Output, count: number): Waiting {
    let bytes = 0;
    let left = count;
    for (let i = this.first; i < this.blocks.length && left > 0; i++) {
      const block = this.blocks[i] as Block;
      if (block.delimiters < left || this.delimiter === undefined) {
        bytes += block.length;
        left -= block.delimiters;
      } else {
        bytes += afterDelimiters(block.bytes, 0, block.length, this.delimiter, left).index;
        left = 0;
      }
    }
    return this.drainBytes(out, bytes);
  }

  private head(count: number): Uint8Array {
    return (this.blocks[this.first] as Block).bytes.subarray(0, count);
  }
}
