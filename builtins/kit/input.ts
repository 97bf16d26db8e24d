/** Reading operands: each is opened in turn, one that fails is reported and passed over, and the status tells. */
import { FsError, isFsError } from '../../src/errors.js';
import type { ByteSource } from '../../src/io/streams.js';
import { limitReached } from '../../src/limits.js';
import { type Awaitable, andThen, isPromise, type Waiting } from '../../src/steps.js';
import { SHORT_WORK, watched } from '../../src/text/work.js';
import type { BaseContext, OpenSource } from './context.js';
import { forEach, repeat } from './repeat.js';

export type InputContext = BaseContext & OpenSource;

/** An operand as bytes. `-` is the standard input. Throws FsError. */
export function openInput(context: InputContext, operand: string): ByteSource {
  if (operand !== '-') return context.openSource(operand);
  if (context.stdin === undefined) throw new FsError('EBADF', operand);
  return context.stdin;
}

/** For commands of util-linux, to which `-` is a file like any other. */
export function notStandardInput(operand: string): string {
  return operand === '-' ? './-' : operand;
}

/** Leaves an input: the standard input stays open, what is in it belongs to the next command. */
export function closeInput(context: InputContext, source: ByteSource): void {
  if (source !== context.stdin) source.close();
}

/** Reading one source failed: told apart from what `f` throws, which is none of the input's business. */
class ReadFailure extends FsError {
  constructor({ code, path, message }: FsError) {
    super(code, path, message);
  }
}

/** Whether an input was there and could not be read. GNU opens a directory, and then cannot read it. */
export function isReadFailure(error: FsError): boolean {
  return error instanceof ReadFailure || error.code === 'EISDIR';
}

/** More bytes, or false at the end; a tick for each chunk. Throws FsError. */
export function fill(context: BaseContext, source: ByteSource): Awaitable<boolean> {
  if (source.start < source.end) return true;
  const waiting = context.tick();
  return waiting === undefined ? fillNow(source) : waiting.then(() => fillNow(source));
}

function fillNow(source: ByteSource): Awaitable<boolean> {
  try {
    const more = source.fill();
    return isPromise(more) ? more.catch(readFailed) : more;
  } catch (error) {
    return readFailed(error);
  }
}

/** The end of the run, or of the job, goes up as it is: it is no failure of this input. */
function readFailed(error: unknown): never {
  throw isFsError(error) ? new ReadFailure(error) : error;
}

/**
 * Calls `f` with each operand opened, with the standard input when there are none. `f` answers true to stop. The status is
 * 1 when some operand could not be read.
 */
export function eachInput(
  context: InputContext,
  operands: readonly string[],
  f: (source: ByteSource, operand: string) => Awaitable<boolean | undefined>,
): Awaitable<number> {
  const names = operands.length === 0 ? ['-'] : operands;
  let status = 0;

  const one = (operand: string): Awaitable<boolean | undefined> => {
    let source: ByteSource;
    try {
      source = openInput(context, operand);
    } catch (error) {
      status = Math.max(status, context.failed(operand, error));
      return false;
    }
    const failed = (error: unknown): false => {
      closeInput(context, source);
      if (!(error instanceof ReadFailure)) throw error;
      status = Math.max(status, context.failed(operand, error));
      return false;
    };
    const done = (stop: boolean | undefined) => {
      closeInput(context, source);
      return stop;
    };
    try {
      const stop = f(source, operand);
      return isPromise(stop) ? stop.then(done, failed) : done(stop);
    } catch (error) {
      return failed(error);
    }
  };

  return andThen(forEach(names, one), () => status);
}

/**
 * Calls `f` with each chunk of each operand. `owned` chunks are the caller's to keep; others are only good until it returns
 * (or what it returned settles).
 */
export function eachChunk(
  context: InputContext,
  operands: readonly string[],
  f: (chunk: Uint8Array, owned: boolean, operand: string) => Waiting,
): Awaitable<number> {
  return eachInput(context, operands, (source, operand) =>
    andThen(
      chunksOf(context, source, (chunk, owned) => f(chunk, owned, operand)),
      () => false,
    ),
  );
}

/** Calls `f` with all that is left of one source. Throws FsError where it cannot be read. */
export function chunksOf(
  context: BaseContext,
  source: ByteSource,
  f: (chunk: Uint8Array, owned: boolean) => Waiting,
): Awaitable<boolean> {
  const take = (more: boolean): Awaitable<false | undefined> => {
    if (!more) return false;
    const chunk = source.buffer.subarray(source.start, source.end);
    source.start = source.end;
    const waiting = f(chunk, source.owned);
    return waiting === undefined ? undefined : waiting.then(() => undefined);
  };
  return repeat(() => andThen(fill(context, source), take));
}

/** A line is a byte string without its delimiter; `ended` is false for a last line that has none. True stops. */
export type OnLine = (line: string, ended: boolean, operand: string) => Awaitable<boolean | undefined>;

/** Calls `f` with each line of each operand, delimited by the byte `delimiter`. Linear, whatever the lines' lengths, up to `maxStringBytes`. */
export function eachLine(
  context: InputContext,
  operands: readonly string[],
  delimiter: number,
  f: OnLine,
): Awaitable<number> {
  return eachInput(context, operands, (source, operand) =>
    linesOf(context, source, delimiter, (line, ended) => f(line, ended, operand)),
  );
}

/**
 * Calls `f` with each line of one source; answers true when `f` stopped, and what it did not see stays in the source. Throws
 * FsError where it cannot be read.
 */
export function linesOf(
  context: BaseContext,
  source: ByteSource,
  delimiter: number,
  f: (line: string, ended: boolean) => Awaitable<boolean | undefined>,
): Awaitable<boolean> {
  const mark = String.fromCharCode(delimiter);
  /** The chunk in hand: `text` is what `buffer` holds from `base` on, and `from` is where the next line begins in it. */
  let buffer = source.buffer;
  let base = 0;
  let text = '';
  let from = 0;
  /** The beginning of a line whose end is in a chunk to come. */
  let begun = '';

  function take(line: string, ended: boolean): Awaitable<boolean | undefined> {
    return line.length < SHORT_WORK ? f(line, ended) : watched(context.look, () => f(line, ended));
  }

  function load(more: boolean): Awaitable<boolean | undefined> {
    if (!more) return begun === '' ? false : andThen(take(begun, false), (stop) => stop === true);
    buffer = source.buffer;
    base = source.start;
    text = latin1(buffer, base, source.end);
    from = 0;
    source.start = source.end;
    return undefined;
  }

  /** True when `f` stops: what was not looked at is given back, unless somebody else has read on from the source. */
  function after(stop: boolean | undefined): true | undefined {
    if (stop !== true) return undefined;
    if (source.buffer === buffer && source.start === source.end && base + text.length === source.end) {
      source.start = base + from;
    }
    return true;
  }

  return repeat<boolean>(() => {
    for (let end = text.indexOf(mark, from); end >= 0; end = text.indexOf(mark, from)) {
      const line = begun === '' ? text.slice(from, end) : begun + text.slice(from, end);
      begun = '';
      from = end + 1;
      const stop = take(line, true);
      if (isPromise(stop)) return stop.then(after);
      if (stop === true) return after(stop);
    }
    if (from < text.length) begun += from === 0 ? text : text.slice(from);
    const { maxStringBytes } = context.limits;
    if (begun.length > maxStringBytes) throw limitReached('maxStringBytes', maxStringBytes);
    text = '';
    from = 0;
    return andThen(fill(context, source), load);
  });
}

/** Bytes as a byte string. */
export function latin1(buffer: Uint8Array, start: number, end: number): string {
  return Buffer.from(buffer.buffer, buffer.byteOffset + start, end - start).toString('latin1');
}
