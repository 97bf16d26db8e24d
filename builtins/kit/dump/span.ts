/** Bytes of all operands as one stream, from an offset on and no more than a count. */
import { isFsError } from '../../../src/errors.js';
import { type Awaitable, andThen, type Waiting } from '../../../src/steps.js';
import { chunksOf, eachInput, type InputContext, isReadFailure } from '../input.js';

export interface Span {
  readonly skip: number;
  /** Undefined: to the end. */
  readonly count: number | undefined;
}

export interface SpanResult {
  readonly status: number;
  /** Bytes that were to be skipped, and are not there. */
  readonly missing: number;
  /** How many inputs could be opened. */
  readonly opened: number;
  /** How many could not even be opened. */
  readonly unopened: number;
}

export function eachByteSpan(
  input: InputContext,
  operands: readonly string[],
  { skip, count }: Span,
  take: (chunk: Uint8Array) => Waiting,
): Awaitable<SpanResult> {
  let toSkip = skip;
  let opened = 0;
  let left = count ?? Number.POSITIVE_INFINITY;
  // A directory can be opened, and then not be read.
  let directories = 0;
  let unopened = 0;
  const counting: InputContext = Object.create(input, {
    failed: {
      value(operand: string, error: unknown) {
        if (isFsError(error) && error.code === 'EISDIR') directories++;
        else if (isFsError(error) && !isReadFailure(error)) unopened++;
        return input.failed(operand, error);
      },
    },
  });
  const status = eachInput(counting, operands, (source) => {
    opened++;
    if (left === 0) return true;
    const read = chunksOf(input, source, (chunk) => {
      const from = Math.min(toSkip, chunk.length);
      toSkip -= from;
      const part = chunk.subarray(from, from + Math.min(left, chunk.length - from));
      left -= part.length;
      return part.length === 0 ? undefined : take(part);
    });
    return andThen(read, () => false);
  });
  return andThen(status, (result) => ({
    status: result,
    missing: toSkip,
    opened: opened + directories,
    unopened,
  }));
}
