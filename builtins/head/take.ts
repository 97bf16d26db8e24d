/** The beginnings of a stream. What is not printed stays in the source, for the next command. */
import type { ByteSource } from '../../src/io/streams.js';
import { type Awaitable, andThen, type Waiting } from '../../src/steps.js';
import { ChunkQueue } from '../kit/chunk-queue.js';
import type { BaseContext } from '../kit/context.js';
import { chunksOf, fill } from '../kit/input.js';
import { afterDelimiters } from '../kit/line-end.js';
import { repeat } from '../kit/repeat.js';

/** Prints from the source as long as `take` answers how much of it; -1 means all of what is there, and more. */
function printWhile(context: BaseContext, source: ByteSource, take: () => number): Awaitable<false> {
  return repeat<false>(() =>
    andThen(fill(context, source), (more): Awaitable<false | undefined> => {
      if (!more) return false;
      const end = take();
      const chunk = source.buffer.subarray(source.start, end < 0 ? source.end : end);
      source.start += chunk.length;
      const waiting = context.out.write(chunk);
      const done = end < 0 ? undefined : false;
      return waiting === undefined ? done : waiting.then(() => done);
    }),
  );
}

export function headLines(
  context: BaseContext,
  source: ByteSource,
  delimiter: number,
  count: number,
): Awaitable<false> {
  let left = count;
  if (left === 0) return false;
  return printWhile(context, source, () => {
    const { index, seen } = afterDelimiters(source.buffer, source.start, source.end, delimiter, left);
    left -= seen;
    return index;
  });
}

export function headBytes(context: BaseContext, source: ByteSource, count: number): Awaitable<false> {
  let left = count;
  if (left === 0) return false;
  return printWhile(context, source, () => {
    const there = source.end - source.start;
    const taken = Math.min(left, there);
    left -= taken;
    return left === 0 ? source.start + taken : -1;
  });
}

export function withoutLastBytes(context: BaseContext, source: ByteSource, count: number): Awaitable<false> {
  const kept = new ChunkQueue(context.limits);
  const read = chunksOf(context, source, (chunk) => {
    kept.push(chunk);
    return drainWhile(kept, context, () => kept.size - kept.firstSize >= count);
  });
  return andThen(read, () => andThen(kept.drainBytes(context.out, kept.size - count), () => false as const));
}

export function withoutLastLines(
  context: BaseContext,
  source: ByteSource,
  delimiter: number,
  count: number,
): Awaitable<false> {
  const kept = new ChunkQueue(context.limits, delimiter);
  const read = chunksOf(context, source, (chunk) => {
    kept.push(chunk);
    return drainWhile(kept, context, () => kept.delimiters - kept.firstDelimiters > count);
  });
  return andThen(read, (): Awaitable<false> => {
    const open = kept.size > 0 && kept.lastByte !== delimiter ? 1 : 0;
    if (count === 0) return andThen(kept.drain(context.out), () => false as const);
    return andThen(kept.drainLines(context.out, kept.delimiters + open - count), () => false as const);
  });
}

/** Prints whole blocks from the front. */
function drainWhile(kept: ChunkQueue, context: BaseContext, test: () => boolean): Waiting {
  while (kept.size > 0 && test()) {
    const waiting = context.out.write(kept.shift());
    if (waiting !== undefined) return waiting.then(() => drainWhile(kept, context, test));
  }
  return undefined;
}
