/** Searches one source. */

import { type FsError, isFsError } from '../../src/errors.js';
import type { ByteSource } from '../../src/io/streams.js';
import { type Awaitable, andThen, isPromise, type Tick } from '../../src/steps.js';
import { bytesFinder } from '../../src/text/find-bytes.js';
import type { Regex } from '../../src/text/regex/index.js';
import type { BaseContext } from '../kit/context.js';
import { latin1 } from '../kit/input.js';
import type { LineWriter } from '../kit/output.js';
import { repeat } from '../kit/repeat.js';
import { eachStretch, type Passing, type Stretch } from './lines.js';
import { isText, type Printer } from './printer.js';

export interface SearchOptions {
  readonly regex: Regex | undefined;
  readonly invert: boolean;
  readonly eol: string;
  /** Selected lines after which a file is left. */
  readonly maxCount: number;
  /** Lines of context; -1: none was asked for, and no separator either. */
  readonly before: number;
  readonly after: number;
  /** Nothing is printed, one selected line tells all (-q -l -L). */
  readonly existence: boolean;
  /** Selected lines are counted and not printed (-c). */
  readonly counting: boolean;
  /** What a NUL makes of a file: nothing (-a), one that does not match (-I), or one of which nothing is shown. */
  readonly binary: 'text' | 'skip' | 'binary';
}

export interface SearchResult {
  readonly count: number;
  /** Lines were selected that were not printed because they are no text. */
  readonly binaryMatches: boolean;
  /** Why the rest could not be read. */
  readonly error?: FsError;
}

export function search(
  context: BaseContext,
  source: ByteSource,
  name: string | undefined,
  options: SearchOptions,
  printer: Printer,
  out: LineWriter,
): Awaitable<SearchResult> {
  const one = new Search(context.tick, name, options, printer, out);
  if (options.maxCount === 0) return one.result();
  const failed = (error: unknown): SearchResult => {
    if (!isFsError(error)) throw error;
    return { ...one.result(), error };
  };
  try {
    const read = eachStretch(
      context,
      source,
      options.eol,
      (buffer, start, end) => one.zap(buffer, start, end),
      (stretch) => one.stretch(stretch),
      one.passing(),
    );
    return isPromise(read) ? read.then(() => one.result(), failed) : one.result();
  } catch (error) {
    return failed(error);
  }
}

class Search {
  private count = 0;
  private readonly tick: Tick;
  private readonly name: string | undefined;
  private readonly options: SearchOptions;
  private readonly printer: Printer;
  private readonly out: LineWriter;
  /** Nothing more is printed: the file is binary, or only its existence or a count matters. */
  private quiet: boolean;
  private sawNul = false;
  private binaryMatches = false;
  private done = false;
  /** Enough was selected; only trailing context is still printed. */
  private closing = false;

  /** The number of the line at `countedTo` in the stretch in hand. */
  private lineNumber = 1;
  private countedTo = 0;
  /** Bytes of the file before the stretch in hand. */
  private offset = 0;
  private collected = '';

  /** Lines that may become leading context. */
  private waiting: { readonly line: string; readonly number: number; readonly offset: number }[] = [];
  /** Lines of trailing context still to print. */
  private trailing = 0;
  /** A line was passed over since the last that was printed, or that was in another file. */
  private gap = true;

  constructor(tick: Tick, name: string | undefined, options: SearchOptions, printer: Printer, out: LineWriter) {
    this.tick = tick;
    this.name = name;
    this.options = options;
    this.printer = printer;
    this.out = out;
    this.quiet = options.existence || options.counting;
    printer.heldBack = false;
  }

  /** Where only lines with certain bytes in them can be selected, and nobody asks for the others, those need no look. */
  passing(): Passing | undefined {
    const { regex, invert, eol, before, binary } = this.options;
    if (regex === undefined || regex.literal === '' || invert || eol !== '\n' || before > 0) return undefined;
    if (this.printer.numbers) return undefined;
    const find = bytesFinder(Buffer.from(regex.literal, 'latin1'));
    return {
      find: (bytes) => {
        if (this.trailing > 0 || this.done) return 0;
        const found = find(bytes, 0);
        const nul = binary === 'text' ? -1 : bytes.indexOf(0);
        return nul >= 0 && (found < 0 || nul < found) ? nul : found;
      },
      passed: (count) => {
        this.offset += count;
        this.gap = true;
      },
    };
  }

  result(): SearchResult {
    const { existence, counting, binary } = this.options;
    const hidden = (this.printer.heldBack && binary !== 'skip') || this.binaryMatches;
    return { count: this.count, binaryMatches: hidden && !existence && !counting };
  }

  /** A chunk with a NUL is not text: from there on nothing is printed, and NULs end lines, too (GNU). */
  zap(buffer: Uint8Array, start: number, end: number): string {
    const { eol, binary } = this.options;
    const chunk = latin1(buffer, start, end);
    if (eol === '\0' || binary === 'text' || !chunk.includes('\0')) return chunk;
    if (!this.sawNul) {
      this.sawNul = true;
      this.quiet = true;
      this.done = binary === 'skip';
    }
    // Byte by byte: a file may be nothing but NULs, and a string costs a piece for each.
    const bytes = buffer.slice(start, end);
    for (let i = 0; i < bytes.length; i++) if (bytes[i] === 0) bytes[i] = 10;
    return latin1(bytes, 0, bytes.length);
  }

  /** Answers how much of the stretch was used when no more is wanted. */
  stretch({ text, ended }: Stretch): Awaitable<number | undefined> {
    if (this.done) return 0;
    this.countedTo = 0;
    const byLine = this.options.regex?.hasReferences === true || this.options.eol === '\0';
    return andThen(byLine ? this.byLine(text) : this.byMatch(text), (used) => this.searched(text, ended, used));
  }

  private searched(text: string, ended: boolean, used: number): Awaitable<number | undefined> {
    const { collected } = this;
    this.collected = '';
    if (!this.done) {
      this.countLines(text, text.length);
      if (ended) this.lineNumber++;
      this.offset += text.length + 1;
    }
    return andThen(this.out.write(collected) as Awaitable<void>, () => (this.done ? used : undefined));
  }

  /** Jumps from one line that matches to the next. Answers where it stopped. */
  private byMatch(text: string): number {
    const { regex, invert } = this.options;
    for (let from = 0; from <= text.length; ) {
      const at = regex === undefined ? -1 : regex.nextLine(text, from, text.length);
      const start = at < 0 ? text.length + 1 : at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
      if (from < start) {
        const stop = invert ? this.selectRange(text, from, start - 1) : this.passRange(text, from, start - 1);
        if (stop >= 0) return stop;
      }
      if (at < 0) break;
      const newline = text.indexOf('\n', at);
      const end = newline < 0 ? text.length : newline;
      if (invert ? this.pass(text, start, end) : this.select(text, start, end)) return end + 1;
      from = end + 1;
    }
    return text.length;
  }

  /** Line by line: where NUL ends lines, and with back-references, of which each line may take long. */
  private byLine(text: string): Awaitable<number> {
    const { regex, invert, eol } = this.options;
    const slow = regex?.hasReferences === true;
    let from = 0;
    return repeat<number>(() => {
      while (from <= text.length) {
        const found = text.indexOf(eol, from);
        const end = found < 0 ? text.length : found;
        const matches = regex?.test(text.slice(from, end)) === true;
        const start = from;
        from = end + 1;
        if (matches !== invert ? this.select(text, start, end) : this.pass(text, start, end)) return from;
        const waiting = slow ? this.tick() : undefined;
        if (waiting !== undefined) return waiting.then(() => undefined);
      }
      return text.length;
    });
  }

  /** Nothing is to be seen but the lines themselves: stretches of them may be printed as they are. */
  private get plain(): boolean {
    const { before, after, maxCount } = this.options;
    const whole = maxCount === Number.POSITIVE_INFINITY && before < 0 && after < 0;
    return whole && !this.quiet && this.printer.plain && this.name === undefined;
  }

  /** All lines from `from` to `end`, where the last one ends. Answers where it stopped, or -1. */
  private selectRange(text: string, from: number, end: number): number {
    if (this.plain) {
      const range = text.slice(from, end);
      if (isText(range)) {
        this.count++;
        this.collected += `${range}\n`;
        return -1;
      }
    }
    return eachLine(text, from, end, (start, stop) => this.select(text, start, stop));
  }

  private passRange(text: string, from: number, end: number): number {
    if (this.quiet) return -1;
    let at = from;
    if (this.trailing > 0) {
      let shown = 0;
      const most = this.trailing;
      const stop = eachLine(text, from, end, (start, lineEnd) => {
        at = lineEnd + 1;
        return this.pass(text, start, lineEnd) || ++shown === most;
      });
      if (this.done) return stop;
      if (at > end) return -1;
    }
    // Of the rest only the last lines matter.
    let first = end + 1;
    for (let n = this.options.before; n > 0 && first > at; n--) first = lineStart(text, first - 1, at);
    if (first > at) {
      this.gap = true;
      this.waiting = [];
    }
    return first > end ? -1 : eachLine(text, first, end, (start, lineEnd) => this.pass(text, start, lineEnd));
  }

  /** A line that is selected. True: no more is wanted. */
  private select(text: string, from: number, end: number): boolean {
    if (this.closing) return this.pass(text, from, end);
    this.count++;
    const { existence, counting, maxCount, after } = this.options;
    if (existence || (this.quiet && !counting)) {
      this.binaryMatches = this.quiet;
      this.done = true;
      return true;
    }
    if (!this.quiet) {
      this.print(text, from, end);
      this.trailing = Math.max(after, 0);
    }
    if (this.count < maxCount) return false;
    this.closing = this.trailing > 0;
    this.done = !this.closing;
    return this.done;
  }

  private print(text: string, from: number, end: number): void {
    const { before, after } = this.options;
    if ((before >= 0 || after >= 0) && this.printer.used && this.gap) this.collected += this.printer.groupSeparator();
    for (const { line, number, offset } of this.waiting) {
      this.collected += this.printer.line(this.name, line, number, offset, false);
    }
    this.waiting = [];
    this.countLines(text, from);
    this.show(text.slice(from, end), from, true);
  }

  /** A line that is no text is held back: it is as one that was passed over. */
  private show(line: string, from: number, selected: boolean): void {
    this.collected += this.printer.line(this.name, line, this.lineNumber, this.offset + from, selected);
    if (this.printer.held) this.keep(line, from);
    else {
      this.gap = false;
      this.printer.used = true;
    }
  }

  /** A line that is not selected. True: no more is wanted. */
  private pass(text: string, from: number, end: number): boolean {
    if (this.quiet) return false;
    const { before } = this.options;
    if (this.trailing > 0) {
      this.trailing--;
      this.countLines(text, from);
      this.show(text.slice(from, end), from, false);
      this.done = this.closing && this.trailing === 0;
      return this.done;
    }
    if (before > 0) {
      this.countLines(text, from);
      this.keep(text.slice(from, end), from);
    } else this.gap = true;
    return false;
  }

  /** For leading context, where some is wanted. */
  private keep(line: string, from: number): void {
    const { before } = this.options;
    if (before <= 0) {
      this.gap = true;
      return;
    }
    if (this.waiting.length >= before) {
      this.waiting.shift();
      this.gap = true;
    }
    this.waiting.push({ line, number: this.lineNumber, offset: this.offset + from });
  }

  /** Moves the line number on to the line at `to`, where anybody will see it. */
  private countLines(text: string, to: number): void {
    if (!this.printer.numbers) return;
    const { eol } = this.options;
    for (let at = text.indexOf(eol, this.countedTo); at >= 0 && at < to; at = text.indexOf(eol, at + 1)) {
      this.lineNumber++;
      this.countedTo = at + 1;
    }
  }
}

/** Calls `f` with start and end of each line of text[from, end]; answers where `f` stopped, or -1. */
function eachLine(text: string, from: number, end: number, f: (start: number, end: number) => boolean): number {
  for (let start = from; start <= end; ) {
    const newline = text.indexOf('\n', start);
    const lineEnd = newline < 0 || newline > end ? end : newline;
    if (f(start, lineEnd)) return lineEnd + 1;
    start = lineEnd + 1;
  }
  return -1;
}

/** The start, not before `least`, of the line that ends at `end`. */
function lineStart(text: string, end: number, least: number): number {
  return end <= least ? least : Math.max(least, text.lastIndexOf('\n', end - 1) + 1);
}
