/** A source as stretches of whole lines: what is searched at once is as much as came at once. */

import type { ByteSource } from '../../src/io/streams.js';
import { limitReached } from '../../src/limits.js';
import { type Awaitable, andThen, type Waiting } from '../../src/steps.js';
import type { BaseContext } from '../kit/context.js';
import { fill } from '../kit/input.js';
import { repeat } from '../kit/repeat.js';

/** More than this of a chunk is searched between two ticks only if it is one line. */
const MOST = 256 * 1024;

export interface Stretch {
  /** Whole lines, without the end of the last. */
  readonly text: string;
  /** The last line has no end: it is the end of the file. */
  readonly ended: boolean;
}

/** When a line is of interest, so much is looked at with it: where all lines are, a call for each would cost too much. */
const LEAST = 4096;

/** Bytes that hold nothing of interest are passed over. */
export interface Passing {
  /** Where the first byte of interest is; -1: there is none. */
  readonly find: (bytes: Buffer) => number;
  readonly passed: (count: number) => void;
}

/**
 * Calls `f` with each stretch. `f` answers how many bytes of it were used when it wants no more, else undefined; what was not used goes
 * back to the source, where that is still possible. `change` makes a byte string of each chunk; what `passing` lets by never becomes one.
 */
export function eachStretch(
  context: BaseContext,
  source: ByteSource,
  eol: string,
  change: (buffer: Uint8Array, start: number, end: number) => string,
  f: (stretch: Stretch) => Awaitable<number | undefined>,
  passing?: Passing,
): Awaitable<void> {
  /** The beginning of a line whose end has not come yet: joined once, whatever the number of chunks. */
  let begun: string[] = [];
  let length = 0;

  const giveBack = (count: number): void => {
    if (count > 0 && count <= source.start) source.start -= count;
  };
  const take = (more: boolean): Awaitable<true | undefined> => {
    if (!more) {
      const last = begun.join('');
      begun = [];
      return last === '' ? true : andThen(f({ text: last, ended: false }), () => true as const);
    }
    let end = Math.min(source.end, source.start + MOST);
    if (passing !== undefined) {
      const bytes = Buffer.from(source.buffer.buffer, source.buffer.byteOffset + source.start, end - source.start);
      const found = passing.find(bytes);
      const lines = found === 0 ? 0 : bytes.lastIndexOf(10, found < 0 ? undefined : found - 1) + 1;
      if (lines > 0 && length === 0) {
        source.start += lines;
        passing.passed(lines);
        return undefined;
      }
      // A line that has begun before may be of interest as a whole.
      const newline = bytes.indexOf(10, lines > 0 ? 0 : Math.max(found, LEAST));
      if (newline >= 0 && (lines > 0 || found >= 0)) end = source.start + newline + 1;
    }
    const chunk = change(source.buffer, source.start, end);
    source.start = end;
    const cut = chunk.lastIndexOf(eol);
    if (cut < 0) {
      begun.push(chunk);
      length += chunk.length;
      if (length > context.limits.maxStringBytes) throw limitReached('maxStringBytes', context.limits.maxStringBytes);
      return undefined;
    }
    length = chunk.length - cut - 1;
    begun.push(chunk.slice(0, cut));
    const before = begun.length === 1 ? 0 : begun.reduce((sum, part) => sum + part.length, 0) - cut;
    const text = begun.join('');
    begun = cut + 1 < chunk.length ? [chunk.slice(cut + 1)] : [];
    return andThen(f({ text, ended: true }), (used) => {
      if (used === undefined) return undefined;
      giveBack(Math.min(chunk.length, before + chunk.length - used));
      return true;
    });
  };
  return andThen(
    repeat<true>(() => andThen(fill(context, source), take)),
    () => undefined,
  ) as Waiting as Awaitable<void>;
}
