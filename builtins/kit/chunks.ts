/** Chunks of an input that may be left before its end. */
import type { ByteSource } from '../../src/io/streams.js';
import { type Awaitable, andThen } from '../../src/steps.js';
import type { BaseContext } from './context.js';
import { fill } from './input.js';
import { repeat } from './repeat.js';

/** Calls `f` with each chunk until it answers true. Throws FsError where it cannot be read. */
export function chunksUntil(
  context: BaseContext,
  source: ByteSource,
  f: (chunk: Uint8Array) => Awaitable<boolean | undefined>,
): Awaitable<boolean> {
  const take = (more: boolean): Awaitable<boolean | undefined> => {
    if (!more) return false;
    const chunk = source.buffer.subarray(source.start, source.end);
    source.start = source.end;
    return andThen(f(chunk), (stop) => (stop === true ? true : undefined));
  };
  return repeat<boolean>(() => andThen(fill(context, source), take));
}
