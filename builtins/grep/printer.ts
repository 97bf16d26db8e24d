/** What grep prints of a line: its name, number and offset before it, its matches marked or alone. */
import { isUtf8 } from 'node:buffer';
import type { Regex } from '../../src/text/regex/index.js';

export interface PrintOptions {
  /** -n */
  readonly numbers: boolean;
  /** -b */
  readonly offsets: boolean;
  /** -o */
  readonly onlyMatching: boolean;
  readonly invert: boolean;
  readonly color: boolean;
  /** -Z: NUL after a file name. */
  readonly nameEnd: string;
  readonly eol: string;
  /** Lines that are not UTF-8 are printed, too (-a). */
  readonly anyBytes: boolean;
  /** What stands between groups of lines; undefined: nothing, not even a newline. */
  readonly between: string | undefined;
}

/** Select Graphic Rendition, and erase to the end of the line: GNU's default colours. */
const MATCH = '01;31';
const NAME = '35';
const NUMBER = '32';
const SEPARATOR = '36';

export class Printer {
  /** A line was held back because it is not text. */
  heldBack = false;
  /** The last line was. */
  held = false;
  /** Lines have been printed, of this file or one before. */
  used = false;
  private readonly options: PrintOptions;
  private readonly regex: Regex | undefined;

  constructor(options: PrintOptions, regex: Regex | undefined) {
    this.options = options;
    this.regex = regex;
  }

  /** Nothing stands before or inside a selected line: whole stretches may be printed as they are. */
  get plain(): boolean {
    const { numbers, offsets, onlyMatching, color } = this.options;
    return !numbers && !offsets && !onlyMatching && !color;
  }

  /** Line numbers are printed. */
  get numbers(): boolean {
    return this.options.numbers;
  }

  paint(color: string, text: string): string {
    return this.options.color && text !== '' ? `\x1b[${color}m\x1b[K${text}\x1b[m\x1b[K` : text;
  }

  /** A file name as it stands before lines and counts; `after` separates it from what follows. */
  fileName(name: string, after: string): string {
    const shown = this.paint(NAME, name);
    return shown + (this.options.nameEnd === '\0' ? '\0' : this.paint(SEPARATOR, after));
  }

  groupSeparator(): string {
    const { between } = this.options;
    return between === undefined ? '' : `${this.paint(SEPARATOR, between)}\n`;
  }

  /** A selected or (`selected` false) context line, which starts `offset` bytes into its file. */
  line(name: string | undefined, line: string, number: number, offset: number, selected: boolean): string {
    const { invert, onlyMatching, color, eol } = this.options;
    const separator = selected ? ':' : '-';
    const matching = selected !== invert;
    this.held = false;
    if (!onlyMatching) {
      const head = this.head(name, line, number, offset, separator);
      if (head === undefined) return '';
      return head + (color && matching ? this.marked(line) : line) + eol;
    }
    let text = '';
    if (!matching) return text;
    this.eachMatch(line, (from, to) => {
      const part = line.slice(from, to);
      const head = this.head(name, part, number, offset + from, separator);
      if (head !== undefined) text += head + this.paint(MATCH, part) + eol;
    });
    return text;
  }

  /** What stands before `shown`; undefined when that may not be printed. */
  private head(
    name: string | undefined,
    shown: string,
    number: number,
    offset: number,
    separator: string,
  ): string | undefined {
    if (!this.options.anyBytes && !isText(shown)) {
      this.heldBack = true;
      this.held = true;
      return undefined;
    }
    let head = name === undefined ? '' : this.fileName(name, separator);
    if (this.options.numbers) head += this.paint(NUMBER, String(number)) + this.paint(SEPARATOR, separator);
    if (this.options.offsets) head += this.paint(NUMBER, String(offset)) + this.paint(SEPARATOR, separator);
    return head;
  }

  private marked(line: string): string {
    let text = '';
    let done = 0;
    this.eachMatch(line, (from, to) => {
      text += line.slice(done, from) + this.paint(MATCH, line.slice(from, to));
      done = to;
    });
    return text + line.slice(done);
  }

  /** Matches that are not empty. */
  private eachMatch(line: string, f: (from: number, to: number) => void): void {
    if (this.regex === undefined) return;
    for (let at = 0; at < line.length; ) {
      const spans = this.regex.exec(line, at, true);
      if (spans === null) return;
      const [from = 0, to = 0] = spans;
      if (from === to) {
        at = to + 1;
        continue;
      }
      f(from, to);
      at = to;
    }
  }
}

/** Whether a byte string is UTF-8. */
export function isText(line: string): boolean {
  return /^[\x00-\x7f]*$/.test(line) || isUtf8(Buffer.from(line, 'latin1'));
}
