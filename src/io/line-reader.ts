/**
 * Takes one line from a source and leaves every byte after it to the next reader. For `read`, `mapfile` and the script
 * reader.
 */
import { type LimitName, limitReached } from '../limits.js';
import type { Awaitable } from '../steps.js';
import { decode } from '../text/bytes.js';
import { NO_BYTES } from './batch.js';
import { ByteBuilder } from './byte-builder.js';
import type { ByteSource } from './streams.js';

export const NEWLINE = 0x0a;

/** A line without its delimiter. */
export interface Line<Content> {
  readonly content: Content;
  /** Whether the delimiter was there; false only for what stands at the end of the input. */
  readonly terminated: boolean;
}

/** The next line as a shell string; undefined at the end of the input. A line of more than `limitBytes` ends the run. */
export function readLine(
  source: ByteSource,
  delimiter: number = NEWLINE,
  limitBytes: number = Number.POSITIVE_INFINITY,
  limitName: LimitName = 'maxStringBytes',
): Awaitable<Line<string> | undefined> {
  const { buffer, start, end } = source;
  const at = start < end ? buffer.indexOf(delimiter, start) : -1;
  if (at >= 0 && at < end && at - start <= limitBytes) {
    source.start = at + 1;
    return { content: decodeRange(buffer, start, at), terminated: true };
  }
  const line = gather(source, new Pieces(delimiter, limitBytes, limitName));
  return line instanceof Promise ? line.then(decoded) : decoded(line);
}

/** The same as bytes, which are the caller's to keep. */
export function readLineBytes(
  source: ByteSource,
  delimiter: number = NEWLINE,
  limitBytes: number = Number.POSITIVE_INFINITY,
): Awaitable<Line<Uint8Array> | undefined> {
  return gather(source, new Pieces(delimiter, limitBytes, 'maxStringBytes'));
}

function decoded(line: Line<Uint8Array> | undefined): Line<string> | undefined {
  return line && { content: decode(line.content), terminated: line.terminated };
}

/** A Buffer's decoder of a range: a third faster than `toString`, and undocumented, so we do without where it is missing. */
type RangeDecoder = Uint8Array & { utf8Slice?(start: number, end: number): string };

/**
 * Buffer's decoder is right unless it met an invalid byte; then it says so by a U+FFFD. (One that stood in the input costs a
 * second look.)
 */
function decodeRange(buffer: RangeDecoder, start: number, end: number): string {
  if (buffer.utf8Slice !== undefined) {
    const text = buffer.utf8Slice(start, end);
    if (!text.includes('\ufffd')) return text;
  }
  return decode(buffer.subarray(start, end));
}

/** The line's pieces: most lines have one, and a line that ends in a later buffer is put together once. */
function gather(source: ByteSource, pieces: Pieces): Awaitable<Line<Uint8Array> | undefined> {
  for (;;) {
    if (pieces.takeFrom(source)) return pieces.line(true);
    const more = source.fill();
    if (more instanceof Promise) return gatherLater(source, pieces, more);
    if (!more) return pieces.line(false);
  }
}

async function gatherLater(
  source: ByteSource,
  pieces: Pieces,
  filling: Promise<boolean>,
): Promise<Line<Uint8Array> | undefined> {
  for (let more: Awaitable<boolean> = filling; ; more = source.fill()) {
    if (!(more instanceof Promise ? await more : more)) return pieces.line(false);
    if (pieces.takeFrom(source)) return pieces.line(true);
  }
}

class Pieces {
  #builder: ByteBuilder | undefined;
  readonly #delimiter: number;
  readonly #limit: number;
  readonly #limitName: LimitName;

  constructor(delimiter: number, limit: number, limitName: LimitName) {
    this.#delimiter = delimiter;
    this.#limit = limit;
    this.#limitName = limitName;
  }

  /** Takes what the source holds up to the delimiter and answers whether that was there. */
  takeFrom(source: ByteSource): boolean {
    const { buffer, start, end } = source;
    if (start === end) return false; // somebody who shares the source was quicker
    const at = buffer.indexOf(this.#delimiter, start);
    const found = at >= 0 && at < end;
    const stop = found ? at : end;
    this.#builder ??= new ByteBuilder(Math.max(64, stop - start));
    if (this.#builder.length + (stop - start) > this.#limit) {
      throw limitReached(this.#limitName, this.#limit);
    }
    this.#builder.append(buffer, start, stop);
    source.start = found ? stop + 1 : stop;
    return found;
  }

  line(terminated: boolean): Line<Uint8Array> | undefined {
    const content = this.#builder?.view() ?? NO_BYTES;
    return terminated || content.length > 0 ? { content, terminated } : undefined;
  }
}
