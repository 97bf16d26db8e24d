/** Where sed writes: the standard output or the file edited in place, and the files of `w`. */
import type { Awaitable, Waiting } from '../../src/steps.js';
import { andThen } from '../../src/steps.js';
import type { Output, OutputFile } from '../kit/context.js';
import { finishEach } from '../kit/finish.js';
import { type LineWriter, lineWriter } from '../kit/output.js';

/** Adds the newline that the last line of an input lacked, once something follows it. */
export class LineOutput {
  private readonly writer: LineWriter;
  private readonly delimiter: string;
  private missing = false;

  constructor(output: Output | LineWriter, delimiter: string) {
    this.writer = 'facts' in output ? lineWriter(output) : output;
    this.delimiter = delimiter;
  }

  /** Another way to the same place: `w /dev/stdout` knows nothing of what the standard output still lacks. */
  beside(): LineOutput {
    return new LineOutput(this.writer, this.delimiter);
  }

  line(text: string, ended: boolean): Waiting {
    const before = this.missing ? this.delimiter : '';
    this.missing = !ended;
    return this.writer.write(ended ? before + text + this.delimiter : before + text);
  }

  /** Text with its own newlines. */
  text(text: string): Waiting {
    if (text === '') return undefined;
    const before = this.missing ? this.delimiter : '';
    this.missing = false;
    return this.writer.write(before + text);
  }

  /** Whole lines, with their ends; they stay the caller's once what it returns is waited for. */
  lines(bytes: Uint8Array): Waiting {
    const before = this.missing ? this.writer.write(this.delimiter) : undefined;
    this.missing = false;
    return before === undefined ? this.writer.writeBytes(bytes) : before.then(() => this.writer.writeBytes(bytes));
  }

  /** What `q` does: the newline is not left out. */
  complete(): Waiting {
    if (!this.missing) return undefined;
    this.missing = false;
    return this.writer.write(this.delimiter);
  }

  end(): Waiting {
    return this.writer.end();
  }
}

/** Every write goes out at once (`-u`). */
export function unheld(output: Output): LineWriter {
  const writer = lineWriter(output);
  const end = (): Waiting =>
    andThen(writer.end() as Awaitable<void>, () => output.flush() as Awaitable<void>) as Waiting;
  return {
    write: (bytes) => andThen(writer.write(bytes) as Awaitable<void>, end) as Waiting,
    writeBytes: (bytes) => andThen(writer.writeBytes(bytes) as Awaitable<void>, end) as Waiting,
    end,
  };
}

/** The files of `w`, `W` and the flag `w` of `s`, by name; each is opened once, before the first line is read. */
export class Files {
  private readonly outputs = new Map<string, LineOutput>();
  private readonly opened: OutputFile[] = [];

  add(name: string, output: LineOutput): void {
    this.outputs.set(name, output);
  }

  has(name: string): boolean {
    return this.outputs.has(name);
  }

  open(name: string, file: OutputFile, delimiter: string): void {
    this.opened.push(file);
    this.outputs.set(name, new LineOutput(file, delimiter));
  }

  get(name: string): LineOutput {
    return this.outputs.get(name) as LineOutput; // opened before the script ran
  }

  /** What was collected goes out: before a file is read, and at the end. */
  flush(): Awaitable<void> {
    return finishEach([...this.outputs.values()], (output) => output.end());
  }

  close(): Awaitable<void> {
    return finishEach(this.opened, (file) => file.close());
  }
}
