/** Lines without a line editor: for `TERM=dumb`, and for `-i` on what is no terminal. The prompt goes to the error stream, as in sh. */
import type { Awaitable } from '../../steps.js';
import type { Line } from '../line-editor/editor.js';
import type { LineReader } from './repl.js';

export interface PlainReaderOptions {
  /** The next line of the input with its newline; undefined at the end. */
  readonly nextLine: () => Awaitable<string | undefined>;
  readonly say: (text: string) => void;
  readonly isIncomplete: (text: string) => boolean;
  /** Whether what is written echoes: then Ctrl-D leaves the cursor behind the prompt. */
  readonly terminal: boolean;
}

export class PlainReader implements LineReader {
  readonly #options: PlainReaderOptions;
  #wake: (line: Line) => void = () => {};
  /** The end came from outside. */
  #ended = false;
  /** A line that was asked for when an interrupt came: the next question is answered by it. */
  #pending: Promise<string | undefined> | undefined;

  constructor(options: PlainReaderOptions) {
    this.#options = options;
  }

  async read(prompt: string, continuation: string): Promise<Line> {
    const { nextLine, say, isIncomplete, terminal } = this.#options;
    let text = '';
    say(prompt);
    for (;;) {
      if (this.#ended) return { kind: 'end' };
      const woken = new Promise<Line>((resolve) => {
        this.#wake = resolve;
      });
      this.#pending ??= Promise.resolve(nextLine());
      const line = await Promise.race([this.#pending, woken]);
      if (typeof line === 'object') return line;
      this.#pending = undefined;
      if (line === undefined) {
        if (terminal) say('\n');
        if (text === '') return { kind: 'end' };
        break;
      }
      text += line;
      if (!isIncomplete(text.endsWith('\\\n') ? text.slice(0, -1) : text)) break;
      say(continuation);
    }
    return { kind: 'line', text: text.replace(/\n$/, '') };
  }

  end(): void {
    this.#ended = true;
    this.#wake({ kind: 'end' });
  }

  /** The terminal itself has dropped what was written of the line. */
  interrupt(): void {
    this.#options.say('\n');
    this.#wake({ kind: 'interrupted' });
  }
}
