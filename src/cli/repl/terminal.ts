/** The terminal under the line editor: keys from descriptor 0, drawings to descriptor 2. */
import { EventEmitter } from 'node:events';
import type { OnReadOpts, SocketConstructorOpts } from 'node:net';
import { emitKeypressEvents, type Interface } from 'node:readline';
import { ReadStream, WriteStream } from 'node:tty';
import type { Terminal } from '../line-editor/editor.js';
import type { Key } from '../line-editor/keys.js';

/** Bracketed paste: what is pasted is marked as such. */
const PASTE_ON = '\x1b[?2004h';
const PASTE_OFF = '\x1b[?2004l';

/** How long after an escape a key may still go on, in milliseconds: longer, and it was the key itself. */
const ESCAPE_MS = 50;

const END_OF_INPUT = 4;
const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

interface Listener {
  onKey(text: string | undefined, key: Key): void;
  onEnd(): void;
}

export class HostTerminal implements Terminal {
  readonly colour: boolean;
  /** What `emitKeypressEvents` takes for a stream. */
  readonly #keys = new EventEmitter();
  /** With a buffer of its own, so that a pause is one: else a stream of Node takes what comes next, which is a command's. */
  readonly #input = new ReadStream(0, this.#readInto(Buffer.alloc(4096)));
  readonly #output = new WriteStream(2);
  #listener: Listener | undefined;
  /** Bytes that came with a line and are behind it: what is run next may read them, and what it leaves is the next line's. */
  #ahead: Uint8Array = new Uint8Array();
  #ended = false;
  #size: { readonly columns: number; readonly rows: number } | undefined;

  constructor(colour: boolean) {
    this.colour = colour;
    this.#input.pause();
    emitKeypressEvents(this.#keys as NodeJS.ReadableStream, { escapeCodeTimeout: ESCAPE_MS } as unknown as Interface);
    this.#keys.on('keypress', (text: string | undefined, key: Key) => {
      this.#listener?.onKey(text, key);
    });
    const end = (): void => {
      this.#ended = true;
      this.#listener?.onEnd();
    };
    this.#input.on('end', end).on('error', end).on('close', end);
    this.#output.on('error', () => {});
  }

  /** As `net.Socket` takes it; the types of Node have it for one that connects only. */
  #readInto(buffer: Buffer): SocketConstructorOpts {
    const onread: OnReadOpts = {
      buffer,
      callback: (length) => {
        this.#press(Buffer.from(buffer.subarray(0, length)));
        return true;
      },
    };
    return { onread } as SocketConstructorOpts;
  }

  /** Byte by byte: a line ends in the middle of what has come. */
  #press(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at++) {
      if (this.#listener === undefined) {
        this.#ahead = Buffer.concat([this.#ahead, bytes.subarray(at)]);
        return;
      }
      this.#keys.emit('data', bytes.subarray(at, at + 1));
    }
  }

  /** What was typed ahead, as the terminal would hand it to a command: up to the end of a line, or of the input (Ctrl-D). */
  takeAhead(buffer: Uint8Array): number | undefined {
    const bytes = this.#ahead;
    if (bytes.length === 0) return undefined;
    if (bytes[0] === END_OF_INPUT) {
      this.#ahead = bytes.subarray(1);
      return 0;
    }
    let length = 0;
    while (length < bytes.length && length < buffer.length && bytes[length] !== END_OF_INPUT) {
      buffer[length] = bytes[length] === CARRIAGE_RETURN ? NEWLINE : (bytes[length] as number);
      length++;
      if (buffer[length - 1] === NEWLINE) break;
    }
    this.#ahead = bytes.subarray(length);
    return length;
  }

  get columns(): number {
    return this.#sized().columns;
  }

  get rows(): number {
    return this.#sized().rows;
  }

  /** Asked for anew after each SIGWINCH: a stream of Node learns its size when it is made. */
  #sized(): { readonly columns: number; readonly rows: number } {
    this.#size ??= askedSize();
    return this.#size;
  }

  write(text: string): void {
    this.#output.write(text);
  }

  listen(onKey: (text: string | undefined, key: Key) => void, onResize: () => void, onEnd: () => void): () => void {
    const resized = (): void => {
      this.#size = undefined;
      onResize();
    };
    // After a stop the terminal is as the shell outside wanted it.
    const continued = (): void => {
      this.#setRaw(true);
      this.write(PASTE_ON);
      onResize();
    };
    this.#size = undefined;
    process.on('SIGWINCH', resized).on('SIGCONT', continued);
    this.#setRaw(true);
    this.write(PASTE_ON);
    let listening = true;
    this.#listener = { onKey, onEnd };
    this.#input.resume();
    setImmediate(() => {
      const ahead = this.#ahead;
      this.#ahead = new Uint8Array();
      this.#press(ahead);
      if (listening && this.#ended) onEnd();
    });
    return () => {
      listening = false;
      this.#listener = undefined;
      process.off('SIGWINCH', resized).off('SIGCONT', continued);
      this.#input.pause();
      this.#setRaw(false);
      this.write(PASTE_OFF);
    };
  }

  /** A terminal that is gone takes no mode: it has ended. */
  #setRaw(raw: boolean): void {
    if (this.#ended) return;
    try {
      this.#input.setRawMode(raw);
    } catch {
      this.#ended = true;
    }
  }
}

function askedSize(): { readonly columns: number; readonly rows: number } {
  let probe: WriteStream;
  try {
    probe = new WriteStream(2);
  } catch {
    // The terminal is gone.
    return { columns: 80, rows: 24 };
  }
  probe.on('error', () => {});
  const size = { columns: probe.columns || 80, rows: probe.rows || 24 };
  // It has opened the terminal for itself; where it has not, the descriptor is not its to close.
  const handle: unknown = Reflect.get(probe, '_handle');
  if (typeof handle === 'object' && handle !== null && 'fd' in handle && handle.fd !== 2) probe.destroy();
  return size;
}
