/**
 * A line editor for a terminal: keys in, lines out. It draws nothing but what it is given to draw, and reads a terminal only
 * while a line is asked for: between two lines the terminal is the commands'.
 */
import { LineBuffer } from './buffer.js';
import { type Choice, choicesBelow, commonStart } from './choices.js';
import type { History } from './history.js';
import { type Action, bindingOf, type Key } from './keys.js';
import { type Drawn, draw, rowWhenResized, type Span } from './screen.js';

/** The terminal, as far as the editor needs it. */
export interface Terminal {
  readonly columns: number;
  readonly rows: number;
  readonly colour: boolean;
  write(text: string): void;
  /** Keys go to `onKey`, raw, until the function that this answers is called. */
  listen(onKey: (text: string | undefined, key: Key) => void, onResize: () => void, onEnd: () => void): () => void;
}

/** Part of a text, and what it may become. */
export interface Completion {
  /** Of the part, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly choices: readonly Choice[];
}

/** What the editor asks about the text. */
export interface Language {
  /** Whether the text is to go on in another line. */
  isIncomplete(text: string): boolean;
  highlight(text: string): readonly Span[];
  complete(text: string, cursor: number): Completion;
}

export type Line =
  | { readonly kind: 'line'; readonly text: string }
  /** Ctrl-C: the line is dropped. */
  | { readonly kind: 'interrupted' }
  /** Ctrl-D on an empty line. */
  | { readonly kind: 'end' }
  /** The terminal is gone. */
  | { readonly kind: 'lost' };

interface Search {
  query: string;
  /** Where the entry that is shown stands; the number of entries, when none does. */
  at: number;
  readonly before: { readonly text: string; readonly cursor: number };
}

export class LineEditor {
  readonly #terminal: Terminal;
  readonly #language: Language;
  readonly #history: History;
  readonly #buffer = new LineBuffer();
  #prompt = '';
  #continuation = '';
  /** Of the cursor, below the row of the prompt. */
  #row = 0;
  /** What the terminal shows of the line; undefined: nothing yet. */
  #drawn: Drawn | undefined;
  #below: readonly string[] = [];
  #search: Search | undefined;
  /** What is being pasted: shown when it is whole. */
  #pasted: string | undefined;
  #drawing: NodeJS.Immediate | undefined;
  /** Between two lines nothing is drawn. */
  #reading = false;
  #finish: (line: Line) => void = () => {};

  constructor(terminal: Terminal, language: Language, history: History) {
    this.#terminal = terminal;
    this.#language = language;
    this.#history = history;
  }

  /** The next line, which may be one of many lines: it goes on until it is complete. */
  read(prompt: string, continuation: string): Promise<Line> {
    this.#prompt = prompt;
    this.#continuation = continuation;
    this.#row = 0;
    this.#drawn = undefined;
    this.#buffer.replace('');
    this.#history.reset();
    return new Promise((resolve) => {
      const stop = this.#terminal.listen(
        (text, key) => this.#press(text, key),
        () => this.#resized(),
        () => this.#finish({ kind: 'lost' }),
      );
      this.#finish = (line) => {
        this.#finish = () => {};
        this.#reading = false;
        clearImmediate(this.#drawing);
        this.#drawing = undefined;
        this.#below = [];
        this.#search = undefined;
        // The line stays as it was entered: without a suggestion, and the cursor behind it.
        this.#buffer.toEnd();
        this.#drawNow(false);
        this.#terminal.write(line.kind === 'interrupted' ? '^C\r\n' : '\r\n');
        stop();
        resolve(line);
      };
      this.#reading = true;
      this.#terminal.write(this.#freshLine());
      this.#drawNow(true);
    });
  }

  /**
   * What a command printed last may not have ended its line. A mark and a line of blanks end where the next line begins if it did
   * not, and are drawn over if it did: nothing has to be asked of the terminal.
   */
  #freshLine(): string {
    const { columns, colour } = this.#terminal;
    return `${colour ? '\x1b[7m%\x1b[0m' : '%'}${' '.repeat(Math.max(0, columns - 1))}\r`;
  }

  /** The line ends as with Ctrl-D. */
  end(): void {
    this.#finish({ kind: 'end' });
  }

  /** The line is dropped. The key Ctrl-C does the same; this is for a signal from elsewhere. */
  interrupt(): void {
    this.#finish({ kind: 'interrupted' });
  }

  #press(text: string | undefined, key: Key): void {
    if (this.#pasted !== undefined) {
      this.#paste(text, key);
      return;
    }
    if (this.#search !== undefined && this.#searchKey(this.#search, text, key)) return;
    this.#below = [];
    const binding = bindingOf(key);
    if (typeof binding === 'function') binding(this.#buffer);
    else if (binding !== undefined) this.#act(binding);
    else if (text !== undefined && isTyped(text, key)) this.#buffer.insert(text);
    this.#draw();
  }

  #act(action: Action): void {
    const buffer = this.#buffer;
    switch (action) {
      case 'accept':
        this.#accept();
        return;
      case 'newline':
        buffer.insert('\n');
        return;
      case 'complete':
        this.#complete();
        return;
      case 'previous':
        if (!buffer.up()) this.#recall(this.#history.previous(buffer.text));
        return;
      case 'next':
        if (!buffer.down()) this.#recall(this.#history.next(buffer.text));
        return;
      case 'first':
        this.#recall(this.#history.entries[0]);
        return;
      case 'last':
        this.#recall(this.#history.entries.at(-1));
        return;
      case 'search':
        this.#beginSearch();
        return;
      case 'clear':
        this.#terminal.write('\x1b[H\x1b[2J');
        this.#row = 0;
        this.#drawn = undefined;
        return;
      case 'interrupt':
        this.#finish({ kind: 'interrupted' });
        return;
      case 'end or delete':
        if (buffer.text === '') this.#finish({ kind: 'end' });
        else buffer.deleteRight();
        return;
      case 'forward':
        if (!buffer.right()) this.#takeSuggestion(() => undefined);
        return;
      case 'forward word':
        if (!buffer.wordRight()) this.#takeSuggestion((rest) => /^[^\p{L}\p{N}]*[\p{L}\p{N}]+/u.exec(rest)?.[0]);
        return;
      case 'end of line':
        if (!buffer.end()) this.#takeSuggestion(() => undefined);
        return;
      case 'paste':
        this.#pasted = '';
        return;
      case 'cancel':
        return;
    }
  }

  #accept(): void {
    const { text } = this.#buffer;
    if (this.#language.isIncomplete(text)) {
      this.#buffer.toEnd();
      this.#buffer.insert('\n');
    } else this.#finish({ kind: 'line', text });
  }

  #recall(entry: string | undefined): void {
    if (entry === undefined) this.#bell();
    else this.#buffer.replace(entry);
  }

  #bell(): void {
    this.#terminal.write('\x07');
  }

  /** All that is suggested, or what `part` answers of it. */
  #takeSuggestion(part: (rest: string) => string | undefined): void {
    const rest = this.#suggestion();
    if (rest !== '') this.#buffer.insert(part(rest) ?? rest);
  }

  #suggestion(): string {
    const { text, cursor } = this.#buffer;
    if (cursor !== text.length || this.#search !== undefined || this.#below.length > 0) return '';
    return this.#history.suggestion(text)?.slice(text.length) ?? '';
  }

  // --------------------------------------------------------------------------------------------------- paste

  /** Bracketed paste: what comes is text, whatever keys it would be. */
  #paste(text: string | undefined, key: Key): void {
    if (key.name === 'paste-end') {
      this.#buffer.insert((this.#pasted ?? '').replace(/\r\n?/g, '\n'));
      this.#pasted = undefined;
      this.#draw();
    } else this.#pasted += text ?? key.sequence ?? '';
  }

  // ---------------------------------------------------------------------------------------------- completion

  #complete(): void {
    const { text, cursor } = this.#buffer;
    const { start, end, choices } = this.#language.complete(text, cursor);
    const [only, second] = choices;
    if (only === undefined) {
      this.#bell();
      return;
    }
    if (second === undefined) {
      this.#buffer.splice(start, end, only.text + only.suffix);
      return;
    }
    const common = commonStart(choices);
    if (common.length > end - start) this.#buffer.splice(start, end, common);
    else this.#below = choicesBelow(choices, this.#terminal.columns, this.#terminal.rows - 2);
  }

  // -------------------------------------------------------------------------------------------------- search

  #beginSearch(): void {
    const { text, cursor } = this.#buffer;
    this.#search = { query: '', at: this.#history.entries.length, before: { text, cursor } };
    this.#showSearch(this.#search, true);
  }

  /** Whether the key was one of the search; any other ends it, and does what it does. */
  #searchKey(search: Search, text: string | undefined, key: Key): boolean {
    const binding = bindingOf(key);
    if (binding === 'search') this.#find(search, search.at);
    else if (key.name === 'backspace') {
      search.query = search.query.slice(0, -1);
      this.#find(search, this.#history.entries.length);
    } else if (binding === 'interrupt' || (binding === 'cancel' && key.name !== 'escape')) {
      this.#buffer.replace(search.before.text, search.before.cursor);
      this.#search = undefined;
      this.#below = [];
    } else if (binding === undefined && text !== undefined && isTyped(text, key)) {
      search.query += text;
      this.#find(search, search.at + 1);
    } else {
      this.#search = undefined;
      return false;
    }
    this.#draw();
    return true;
  }

  #find(search: Search, before: number): void {
    const found = search.query === '' ? undefined : this.#history.search(search.query, before);
    if (found !== undefined) {
      search.at = found.at;
      this.#buffer.replace(found.entry);
    } else this.#bell();
    this.#showSearch(search, found !== undefined || search.query === '');
  }

  #showSearch(search: Search, found: boolean): void {
    this.#below = [`${found ? '' : 'nothing else '}in the history: ${search.query}_`];
  }

  // ------------------------------------------------------------------------------------------------- drawing

  /** Once for all keys that have come. */
  #draw(): void {
    if (!this.#reading) return;
    this.#drawing ??= setImmediate(() => {
      this.#drawing = undefined;
      this.#drawNow(true);
    });
  }

  #resized(): void {
    if (this.#drawn !== undefined) this.#row = rowWhenResized(this.#drawn, this.#terminal.columns);
    this.#draw();
  }

  #drawNow(whole: boolean): void {
    const { columns, rows, colour } = this.#terminal;
    const drawn = draw(
      {
        prompt: this.#prompt,
        continuation: this.#continuation,
        spans: this.#language.highlight(this.#buffer.text),
        cursor: this.#buffer.cursor,
        suggestion: whole && colour ? this.#suggestion() : '',
        below: this.#below,
      },
      this.#row,
      columns,
      rows,
      colour,
    );
    this.#drawn = drawn;
    this.#row = drawn.row;
    this.#terminal.write(drawn.output);
  }
}

/** A character, not a key that nobody has bound. */
function isTyped(text: string, key: Key): boolean {
  if (key.ctrl === true || key.meta === true) return false;
  return text !== '' && !/[\x00-\x1f\x7f]/.test(text);
}
