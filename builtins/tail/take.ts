/** The ends of streams, and of files that can be read from the end. */
import type { OpenFile } from '../../src/files/files.js';
import type { ByteSource } from '../../src/io/streams.js';
import { type Awaitable, andThen, type Look, type Waiting } from '../../src/steps.js';
import { ChunkQueue } from '../kit/chunk-queue.js';
import type { BaseContext } from '../kit/context.js';
import { chunksOf } from '../kit/input.js';
import { afterDelimiters } from '../kit/line-end.js';

export interface TailAmount {
  readonly unit: 'bytes' | 'lines';
  readonly count: number;
  /** `+N`: from line or byte N on. */
  readonly fromStart: boolean;
}

export function tailOf(
  context: BaseContext,
  source: ByteSource,
  amount: TailAmount,
  delimiter: number,
): Awaitable<boolean> {
  if (amount.fromStart) return fromStart(context, source, amount, delimiter);
  const { unit, count } = amount;
  const kept = new ChunkQueue(context.limits, unit === 'lines' ? delimiter : undefined);
  const read = chunksOf(context, source, (chunk): Waiting => {
    kept.push(chunk);
    // A last line without an end may be one of those to print: one delimiter more than needed stays.
    if (unit === 'bytes') while (kept.size - kept.firstSize >= count && kept.size > 0) kept.shift();
    else while (kept.delimiters - kept.firstDelimiters > count) kept.shift();
    return undefined;
  });
  return andThen(read, (): Awaitable<boolean> => {
    if (unit === 'bytes') kept.dropBytes(kept.size - count);
    else {
      const open = kept.size > 0 && kept.lastByte !== delimiter ? 1 : 0;
      if (count === 0) kept.dropBytes(kept.size);
      else kept.dropLines(Math.max(0, kept.delimiters + open - count));
    }
    return andThen(kept.drain(context.out), () => false);
  });
}

/** Prints from the `count`th line or byte on. */
function fromStart(
  context: BaseContext,
  source: ByteSource,
  { unit, count }: TailAmount,
  delimiter: number,
): Awaitable<boolean> {
  let skip = Math.max(0, count - 1);
  return chunksOf(context, source, (chunk, owned) => {
    if (skip === 0) return owned ? context.out.give(chunk) : context.out.write(chunk);
    let from: number;
    if (unit === 'bytes') {
      from = Math.min(skip, chunk.length);
      skip -= from;
    } else {
      const { index, seen } = afterDelimiters(chunk, 0, chunk.length, delimiter, skip);
      skip -= seen;
      from = index < 0 ? chunk.length : index;
    }
    return from === chunk.length ? undefined : context.out.write(chunk.subarray(from));
  });
}

const BLOCK = 65_536;

/** Where in a file its last lines or bytes begin, reading no more of it than those. */
export function tailPosition(file: OpenFile, size: number, amount: TailAmount, delimiter: number, look: Look): number {
  const { unit, count } = amount;
  if (unit === 'bytes') return Math.max(0, amount.fromStart ? Math.min(size, count - 1) : size - count);
  if (count === 0) return size;
  const block = new Uint8Array(BLOCK);
  let left = count;
  for (let end = size; end > 0; ) {
    look();
    const start = Math.max(0, end - BLOCK);
    const length = file.read(block.subarray(0, end - start), start);
    if (length < end - start) return start; // it has become shorter
    // The delimiter that ends the file ends a line that is wanted.
    let at = end === size && block[length - 1] === delimiter ? length - 1 : length;
    while (at > 0) {
      at = block.lastIndexOf(delimiter, at - 1);
      if (at < 0) break;
      if (--left === 0) return start + at + 1;
    }
    end = start;
  }
  return 0;
}
