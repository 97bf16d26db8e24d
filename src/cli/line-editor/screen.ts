/** Where the characters of an edited text stand on a terminal, and what has to be sent to get them there. */
import { columnsOf } from '../../../builtins/kit/width.js';

/** A stretch of text, and how it looks: an SGR sequence's parameters (`1;31`), or nothing. */
export interface Span {
  readonly text: string;
  readonly style: string;
}

/** Everything that is shown while a line is edited. */
export interface View {
  /** Before the first line; may hold escape sequences. */
  readonly prompt: string;
  /** Before each further line of the text. */
  readonly continuation: string;
  /** The text, in pieces; their texts together are the text. */
  readonly spans: readonly Span[];
  /** In UTF-16 units. */
  readonly cursor: number;
  /** Behind the text: what it may become. */
  readonly suggestion: string;
  /** Lines below: the choices of a completion, the state of a search. */
  readonly below: readonly string[];
}

export interface Drawn {
  readonly output: string;
  /** Of the cursor, counted from the row that the prompt began in. */
  readonly row: number;
  /** Columns that are taken in each row above the cursor's. */
  readonly above: readonly number[];
  /** Of the cursor. */
  readonly column: number;
}

/**
 * The cursor's row once the terminal has become `columns` wide. What no longer fits a row goes on in the next one there, as in every
 * terminal but the oldest; each row of a drawing is a line of its own to it.
 */
export function rowWhenResized({ above, column }: Drawn, columns: number): number {
  const taken = above.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
  return taken + Math.floor(column / columns);
}

const GREY = '90';

/**
 * Draws `view` from the row that the cursor is in, `row` rows below where the last drawing began, on a terminal of `columns`.
 * What does not fit in `rows` is left out at the top, so that the cursor is always to be seen.
 */
export function draw(view: View, row: number, columns: number, rows: number, colour: boolean): Drawn {
  const page = new Page(columns, colour);
  page.write(view.prompt, '');
  let at = 0;
  for (const { text, style } of view.spans) {
    for (const character of text) {
      if (at === view.cursor) page.mark();
      at += character.length;
      if (character === '\n') {
        page.newLine();
        page.write(view.continuation, '');
      } else page.put(visible(character), style);
    }
  }
  if (view.cursor >= at) page.mark();
  // A suggestion of many lines is shown up to the first end of a line.
  const [first = '', ...others] = view.suggestion.split('\n');
  for (const character of first) page.put(visible(character), GREY);
  if (others.length > 0) page.put('…', GREY);
  for (const line of view.below) {
    page.newLine();
    page.write(line, '');
  }
  return page.show(row, rows);
}

/** Control characters, as a terminal's own echo shows them. */
function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return `^${String.fromCharCode(code + 64)}`;
  if (code === 0x7f) return '^?';
  return code >= 0xd800 && code <= 0xdfff ? '\ufffd' : character;
}

/** One CSI sequence, an OSC one up to its end, or one of few characters, as `tput sgr0` has. */
const ESCAPE = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]+[0-~]|[0-OQ-WYZc-~=>])/;

class Page {
  readonly #columns: number;
  readonly #colour: boolean;
  readonly #lines: string[] = [''];
  /** Columns that are taken in each line but the last. */
  readonly #widths: number[] = [];
  #column = 0;
  #style = '';
  #cursorRow = 0;
  #cursorColumn = 0;

  constructor(columns: number, colour: boolean) {
    this.#columns = columns;
    this.#colour = colour;
  }

  /** Text that may hold newlines and escape sequences. */
  write(text: string, style: string): void {
    for (let at = 0; at < text.length; ) {
      const sequence = text.charCodeAt(at) === 27 ? ESCAPE.exec(text.slice(at, at + 256)) : null;
      if (sequence !== null) {
        this.#add(sequence[0]);
        at += sequence[0].length;
        continue;
      }
      const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
      at += character.length;
      if (character === '\n') this.newLine();
      else this.put(visible(character), style);
    }
  }

  put(text: string, style: string): void {
    for (const character of text) {
      const width = columnsOf(character);
      if (this.#column + width > this.#columns) this.#wrap();
      this.#use(style);
      this.#add(character);
      this.#column += width;
    }
  }

  newLine(): void {
    this.#use('');
    this.#wrap();
  }

  /** The cursor belongs here. */
  mark(): void {
    this.#cursorRow = this.#lines.length - 1;
    this.#cursorColumn = this.#column;
    if (this.#cursorColumn === this.#columns) {
      this.#cursorRow += 1;
      this.#cursorColumn = 0;
    }
  }

  show(row: number, rows: number): Drawn {
    this.#use('');
    // The cursor behind a full row stands in the next one, which has to be there.
    while (this.#lines.length <= this.#cursorRow) {
      this.#lines.push('');
      this.#widths.push(this.#column);
    }
    const last = this.#lines.length - 1;
    const from = Math.max(0, Math.min(this.#cursorRow, last - rows + 1));
    const to = Math.min(last, from + rows - 1);
    const output = [
      row > 0 ? `\x1b[${row}A` : '',
      '\r\x1b[J',
      // A full row is ended by the terminal itself at its next character: a newline would be one too many for some.
      this.#lines.slice(from, to + 1).join('\r\n'),
      to > this.#cursorRow ? `\x1b[${to - this.#cursorRow}A` : '',
      '\r',
      this.#cursorColumn > 0 ? `\x1b[${this.#cursorColumn}C` : '',
    ];
    const above = this.#widths.slice(from, this.#cursorRow);
    return { output: output.join(''), row: this.#cursorRow - from, above, column: this.#cursorColumn };
  }

  #wrap(): void {
    this.#lines.push('');
    this.#widths.push(this.#column);
    this.#column = 0;
    if (this.#style !== '') this.#add(`\x1b[${this.#style}m`);
  }

  #use(style: string): void {
    if (style === this.#style || !this.#colour) return;
    this.#add(this.#style === '' ? `\x1b[${style}m` : style === '' ? '\x1b[0m' : `\x1b[0;${style}m`);
    this.#style = style;
  }

  #add(text: string): void {
    this.#lines[this.#lines.length - 1] += text;
  }
}
