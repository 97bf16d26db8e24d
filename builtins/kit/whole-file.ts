/** A whole file at once: scripts and lists of patterns. */
import { type FsError, isFsError } from '../../src/errors.js';
import { limitReached } from '../../src/limits.js';
import { type Awaitable, isPromise } from '../../src/steps.js';
import { chunksOf, closeInput, type InputContext, latin1, openInput } from './input.js';

/** All bytes of an operand as a byte string, or why it cannot be read. At most `maxStringBytes`. */
export function readWhole(context: InputContext, name: string): Awaitable<string | FsError> {
  const { maxStringBytes } = context.limits;
  let content = '';
  const failed = (error: unknown): FsError => {
    if (isFsError(error)) return error;
    throw error;
  };
  try {
    const source = openInput(context, name);
    const done = (): string => {
      closeInput(context, source);
      return content;
    };
    const broken = (error: unknown): FsError => {
      closeInput(context, source);
      return failed(error);
    };
    try {
      const read = chunksOf(context, source, (chunk) => {
        content += latin1(chunk, 0, chunk.length);
        if (content.length > maxStringBytes) throw limitReached('maxStringBytes', maxStringBytes);
        return undefined;
      });
      return isPromise(read) ? read.then(done, broken) : done();
    } catch (error) {
      return broken(error);
    }
  } catch (error) {
    return failed(error);
  }
}
