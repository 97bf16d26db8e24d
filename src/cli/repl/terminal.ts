/** The terminal under the line editor: keys from descriptor 0, drawings to descriptor 2. */
import { emitKeypressEvents } from 'node:readline';
import { ReadStream, WriteStream } from 'node:tty';
import type { Terminal } from '../line-editor/editor.js';
import type { Key } from '../line-editor/keys.js';

/** Bracketed paste: what is pasted is marked as such. */
const PASTE_ON = '\x1b[?2004h';
const PASTE_OFF = '\x1b[?2004l';

/** How long after an escape a key may still go on, in milliseconds: longer, and it was the key itself. */
const ESCAPE_MS = 50;

interface Listener {
  onKey(text: string | undefined, key: Key): void;
  onEnd(): void;
}

export class HostTerminal implements Terminal {
  readonly colour: boolean;
  readonly #input = new ReadStream(0);
  readonly #output = new WriteStream(2);
  #listener: Listener | undefined;
  /** Keys that came before somebody asked for them: typed ahead, or more than one line at a time. */
  readonly #ahead: [string | undefined, Key][] = [];
  #ended = false;
  #size: { readonly columns: number; readonly rows: number } | undefined;

  constructor(colour: boolean) {
    this.colour = colour;
    this.#input.pause();
    emitKeypressEvents(this.#input, { escapeCodeTimeout: ESCAPE_MS } as never);
    this.#input.on('keypress', (text: string | undefined, key: Key) => {
      if (this.#listener === undefined) this.#ahead.push([text, key]);
      else this.#listener.onKey(text, key);
    });
    const end = (): void => {
      this.#ended = true;
      this.#listener?.onEnd();
    };
    this.#input.on('end', end).on('error', end).on('close', end);
    this.#output.on('error', () => {});
    this.#input.pause();
  }

  get columns(): number {
    return this.#sized().columns;
  }

  get rows(): number {
    return this.#sized().rows;
  }

  /** Asked for anew after each SIGWINCH: a stream of Node learns its size when it is made. */
  #sized(): { readonly columns: number; readonly rows: number } {
    if (this.#size === undefined) {
      const probe = new WriteStream(2);
      probe.on('error', () => {});
      this.#size = { columns: probe.columns || 80, rows: probe.rows || 24 };
      // It has opened the terminal for itself; where it has not, the descriptor is not its to close.
      const handle: unknown = Reflect.get(probe, '_handle');
      if (typeof handle === 'object' && handle !== null && 'fd' in handle && handle.fd !== 2) probe.destroy();
    }
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
      this.#input.setRawMode(true);
      this.write(PASTE_ON);
      onResize();
    };
    this.#size = undefined;
    process.on('SIGWINCH', resized).on('SIGCONT', continued);
    this.#input.setRawMode(true);
    this.write(PASTE_ON);
    let listening = true;
    this.#listener = { onKey, onEnd };
    this.#input.resume();
    setImmediate(() => {
      while (listening) {
        const key = this.#ahead.shift();
        if (key === undefined) break;
        onKey(...key);
      }
      if (listening && this.#ended) onEnd();
    });
    return () => {
      listening = false;
      this.#listener = undefined;
      process.off('SIGWINCH', resized).off('SIGCONT', continued);
      this.#input.pause();
      if (!this.#ended) this.#input.setRawMode(false);
      this.write(PASTE_OFF);
    };
  }
}
