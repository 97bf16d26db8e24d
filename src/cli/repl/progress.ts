/** While a command works and says nothing, a line on the terminal that says so; gone before anything else is written there. */
import type { HostReader, HostWriter } from '../../io/host-port-types.js';
import type { Terminal } from '../line-editor/editor.js';

/** Milliseconds of silence before the line is shown, and between two of its changes. */
const SILENCE = 1000;
const PERIOD = 200;

const NEWLINE = 10;

export class ProgressLine {
  readonly #terminal: Terminal;
  #shown = false;
  /** Somebody reads the terminal: it waits, it does not work. */
  #reading = 0;
  /** What was written last has ended its line. */
  #atStart = true;
  /** When something was written last, in milliseconds. */
  #since = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** A command begins; what this answers is called at its end. */
  show(): () => void {
    this.#since = performance.now();
    this.#atStart = true;
    const timer = setInterval(() => this.#step(performance.now()), PERIOD);
    return () => {
      clearInterval(timer);
      this.erase();
    };
  }

  #step(now: number): void {
    if (this.#reading > 0 || !this.#atStart || now - this.#since < SILENCE) return;
    const text = `… ${Math.floor((now - this.#since) / 1000)} s, Ctrl-C ends it`;
    this.#terminal.write(`\r\x1b[K${this.#terminal.colour ? `\x1b[90m${text}\x1b[0m` : text}`);
    this.#shown = true;
  }

  erase(): void {
    if (!this.#shown) return;
    this.#shown = false;
    this.#terminal.write('\r\x1b[K');
  }

  /** The writer, which has the terminal for itself. */
  before(writer: HostWriter): HostWriter {
    const clear = (data: Uint8Array): void => {
      this.erase();
      if (data.length > 0) this.#atStart = data[data.length - 1] === NEWLINE;
      this.#since = performance.now();
    };
    return {
      write: (data, at) => {
        clear(data);
        return writer.write(data, at);
      },
      drain: (data) => {
        clear(data);
        return writer.drain(data);
      },
      close: () => writer.close(),
    };
  }

  whileReading(reader: HostReader): HostReader {
    return {
      read: () => reader.read(),
      wait: async () => {
        this.erase();
        this.#reading += 1;
        try {
          return await reader.wait();
        } finally {
          this.#reading -= 1;
        }
      },
      close: () => reader.close(),
    };
  }
}
