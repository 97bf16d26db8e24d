/** `read -n`, `-N` and `-t`: characters as they come, as many as are wanted, until there is no more time. */
import type { ByteSource } from '../../src/io/streams.js';
import { limitReached } from '../../src/limits.js';
import type { Awaitable } from '../../src/steps.js';
import { decode, sequenceLength } from '../../src/text/bytes.js';
import type { Shell } from './shell.js';

/** The status of a `read` whose time was up: 128 and SIGALRM, which is how bash notices. */
export const TIMED_OUT = 128 + 14;

export interface Wanted {
  /** What ends the line; undefined: nothing does. */
  readonly delimiter: number | undefined;
  /** Otherwise a backslash quotes the character after it, and takes a newline away. */
  readonly raw: boolean;
  /** Characters, their backslashes not counted. */
  readonly count: number;
  /** When it is too late, on `performance.now()`'s clock. */
  readonly until: number | undefined;
}

export interface Gathered {
  /** With its backslashes, but without continuations. */
  readonly text: string;
  /** `complete`: the delimiter was met, or there are as many as were wanted. */
  readonly end: 'complete' | 'input' | 'timeout';
}

const NEWLINE = 0x0a;
const BACKSLASH = 0x5c;

/** The characters so far. A character of several bytes may have come in part only. */
class Characters {
  #bytes: Buffer = Buffer.allocUnsafe(64);
  #length = 0;
  /** Bytes of a character of which more must come: they are the last of `#bytes`. */
  #partial = 0;
  #quoted = false;
  #count = 0;
  readonly #wanted: Wanted;
  readonly #limit: number;

  constructor(wanted: Wanted, limit: number) {
    this.#wanted = wanted;
    this.#limit = limit;
  }

  get enough(): boolean {
    return this.#count >= this.#wanted.count;
  }

  get text(): string {
    return decode(this.#bytes.subarray(0, this.#length));
  }

  /** Takes from the source; true when there is enough, or the delimiter came. */
  takeFrom(source: ByteSource): boolean {
    while (source.start < source.end) {
      if (this.enough) return true;
      const byte = source.buffer[source.start] as number;
      // A byte that cannot belong to the character begun makes its bytes characters each; it is not taken before they are counted.
      if (this.#partial > 0 && !this.#continues(byte)) {
        this.#count += this.#partial;
        this.#partial = 0;
        continue;
      }
      source.start += 1;
      if (this.#take(byte)) return true;
    }
    return this.enough;
  }

  /** True when the byte is the delimiter. */
  #take(byte: number): boolean {
    const { delimiter, raw } = this.#wanted;
    if (this.#partial > 0 || byte >= 0x80) {
      this.#quoted = false;
      this.#append(byte);
      this.#partial += 1;
      const from = this.#length - this.#partial;
      const done = sequenceLength(this.#bytes.subarray(0, this.#length), from) === this.#partial;
      if (done || !mayBegin(this.#bytes[from] as number)) {
        this.#count += 1;
        this.#partial = 0;
      }
      return false;
    }
    if (this.#quoted) {
      this.#quoted = false;
      if (byte === NEWLINE) this.#length -= 1;
      else if (byte !== 0) this.#character(byte);
      return false;
    }
    if (byte === delimiter) return true;
    if (byte === 0) return false; // a value holds none
    if (byte === BACKSLASH && !raw) {
      this.#quoted = true;
      this.#append(byte);
    } else this.#character(byte);
    return false;
  }

  #character(byte: number): void {
    this.#append(byte);
    this.#count += 1;
  }

  #continues(byte: number): boolean {
    return (byte & 0xc0) === 0x80 && this.#partial < 4;
  }

  #append(byte: number): void {
    if (this.#length === this.#bytes.length) {
      if (this.#length >= this.#limit) throw limitReached('maxStringBytes', this.#limit);
      const larger = Buffer.allocUnsafe(this.#bytes.length * 2);
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }
}

/** Whether a byte is the first of a character of several. */
function mayBegin(byte: number): boolean {
  return byte >= 0xc2 && byte <= 0xf4;
}

/** Leaves every byte after what was wanted to the next reader. */
export function readCharacters(shell: Shell, source: ByteSource, wanted: Wanted): Awaitable<Gathered> {
  const characters = new Characters(wanted, shell.limits.maxStringBytes);
  if (characters.enough) return { text: '', end: 'complete' };
  while (!characters.takeFrom(source)) {
    const pause = shell.tick();
    const more = pause === undefined ? source.fill() : pause.then(() => source.fill());
    if (more instanceof Promise) return later(shell, source, wanted, characters, more);
    if (!more) return { text: characters.text, end: 'input' };
    // An input that never makes anybody wait may still never end.
    if (isLate(wanted)) return { text: characters.text, end: 'timeout' };
  }
  return { text: characters.text, end: 'complete' };
}

function isLate({ until }: Wanted): boolean {
  return until !== undefined && performance.now() >= until;
}

async function later(
  shell: Shell,
  source: ByteSource,
  wanted: Wanted,
  characters: Characters,
  filling: Promise<boolean>,
): Promise<Gathered> {
  const { until } = wanted;
  for (let more: Awaitable<boolean> = filling; ; more = source.fill()) {
    if (more instanceof Promise) {
      const came = until === undefined ? await more : await shell.within(more, Math.max(0, until - performance.now()));
      if (came === undefined) return { text: characters.text, end: 'timeout' };
      if (!came) return { text: characters.text, end: 'input' };
    } else if (!more) return { text: characters.text, end: 'input' };
    if (characters.takeFrom(source)) return { text: characters.text, end: 'complete' };
    if (isLate(wanted)) return { text: characters.text, end: 'timeout' };
    const pause = shell.tick();
    if (pause !== undefined) await pause;
  }
}

/** `read -t 0`: whether a reader would not have to wait, be it for bytes or for the end. Nothing is taken. */
export function hasInput(shell: Shell, source: ByteSource): Awaitable<boolean> {
  if (source.start < source.end) return true;
  const more = source.fill();
  return more instanceof Promise ? shell.within(more, 0).then((came) => came !== undefined) : true;
}
