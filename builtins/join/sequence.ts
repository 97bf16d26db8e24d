/** One input of join: runs of lines with the same key, and whether it is in order. */
import { type Awaitable, andThen } from '../../src/steps.js';
import type { LineReader } from '../kit/line-reader.js';
import { repeat } from '../kit/repeat.js';
import { type Line, type Separator, splitFields } from './fields.js';

export interface SequenceOptions {
  readonly separator: Separator;
  readonly field: number;
  readonly ignoreCase: boolean;
  /** Told of each line that is before the line above it. */
  readonly onDisorder: (number: number, line: Line) => void;
}

export class Sequence {
  /** The next line; undefined at the end, and before `start`. */
  current: Line | undefined;
  private number = 0;
  private previous: Line | undefined;
  private readonly reader: LineReader;
  private readonly options: SequenceOptions;

  constructor(reader: LineReader, options: SequenceOptions) {
    this.reader = reader;
    this.options = options;
  }

  advance(): Awaitable<Line | undefined> {
    return andThen(this.reader.next(), (text) => {
      this.previous = this.current;
      this.current = text === undefined ? undefined : this.parse(text);
      if (this.current === undefined) return undefined;
      this.number++;
      const { previous, current } = this;
      if (previous !== undefined && previous.key > current.key) this.options.onDisorder(this.number, current);
      return current;
    });
  }

  /** Leaves a heading, which is not in order with what follows. */
  begin(): Awaitable<Line | undefined> {
    this.current = undefined;
    return this.advance();
  }

  /** All lines with the key of the current one; the current one is then the first after them. */
  run(): Awaitable<readonly Line[]> {
    const lines: Line[] = [];
    const key = this.current?.key;
    return repeat<readonly Line[]>(() => {
      const { current } = this;
      if (current === undefined || current.key !== key) return lines;
      lines.push(current);
      return andThen(this.advance(), () => undefined);
    });
  }

  private parse(text: string): Line {
    const fields = splitFields(text, this.options.separator);
    const key = fields[this.options.field] ?? '';
    const folded = this.options.ignoreCase ? key.replace(/[a-z]+/g, (letters) => letters.toUpperCase()) : key;
    return { text, fields, key: folded };
  }
}
