/** Lines asked for one at a time, from several inputs at once (comm, paste, join). */
import { isFsError } from '../../src/errors.js';
import type { ByteSource } from '../../src/io/streams.js';
import { limitReached } from '../../src/limits.js';
import { type Awaitable, andThen, isPromise, lastly } from '../../src/steps.js';
import type { BaseContext } from './context.js';
import { closeInput, fill, type InputContext, isReadFailure, latin1, openInput } from './input.js';

export class LineReader {
  private readonly context: BaseContext;
  private readonly source: ByteSource;
  private readonly mark: string;
  private text = '';
  private from = 0;
  private done = false;

  constructor(context: BaseContext, source: ByteSource, delimiter: number) {
    this.context = context;
    this.source = source;
    this.mark = String.fromCharCode(delimiter);
  }

  /** The next line without its delimiter, as a byte string; undefined after the last. */
  next(): Awaitable<string | undefined> {
    return this.nextAfter('');
  }

  private nextAfter(begun: string): Awaitable<string | undefined> {
    let line = begun;
    for (;;) {
      const end = this.text.indexOf(this.mark, this.from);
      if (end >= 0) {
        line += this.text.slice(this.from, end);
        this.from = end + 1;
        return line;
      }
      line += this.text.slice(this.from);
      const limit = this.context.limits.maxVariableBytes;
      if (line.length > limit) throw limitReached('maxVariableBytes', limit);
      this.text = '';
      this.from = 0;
      const more = this.load();
      if (isPromise(more)) {
        const before = line;
        return more.then((there) => (there ? this.nextAfter(before) : this.last(before)));
      }
      if (!more) return this.last(line);
    }
  }

  private last(line: string): string | undefined {
    this.done = true;
    return line === '' ? undefined : line;
  }

  private load(): Awaitable<boolean> {
    if (this.done) return false;
    const { source } = this;
    // One that cannot be read is not asked again.
    this.done = true;
    return andThen(fill(this.context, source), (more) => {
      this.done = !more;
      if (more) {
        this.text = latin1(source.buffer, source.start, source.end);
        source.start = source.end;
      }
      return more;
    });
  }
}

/**
 * Opens every operand, runs `work` with their sources, and closes them. What cannot be opened or read is complained about as
 * `describe` says (`reading`: it was there, and could not be read), and ends the command with `failure`.
 */
export function withSources(
  context: InputContext,
  operands: readonly string[],
  describe: (operand: string, reading: boolean) => string,
  work: (sources: readonly ByteSource[]) => Awaitable<number>,
  failure = 1,
): Awaitable<number> {
  const sources: ByteSource[] = [];
  const failed = (error: unknown): number => {
    if (!isFsError(error)) throw error;
    context.complain(`${describe(error.path, isReadFailure(error))}: ${error.message}`);
    return failure;
  };
  const run = (): Awaitable<number> => {
    try {
      for (const operand of operands) sources.push(openInput(context, operand));
      const result = work(sources);
      return isPromise(result) ? result.catch(failed) : result;
    } catch (error) {
      return failed(error);
    }
  };
  return lastly(run, () => {
    for (const source of sources) closeInput(context, source);
  });
}
