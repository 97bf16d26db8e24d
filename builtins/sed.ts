/** sed: edit a stream of lines. */
import { type FsError, isFsError } from '../src/errors.js';
import type { ByteSource } from '../src/io/streams.js';
import { type Awaitable, andThen, isPromise, rescue } from '../src/steps.js';
import { toByteString } from '../src/text/bytes.js';
import { isRegexTooCostly } from '../src/text/regex/index.js';
import type { Context } from './kit/context.js';
import { BadValue, defineBuiltin, type Flags, type Parsed, tryHelp } from './kit/define.js';
import { closeInput, isReadFailure, openInput } from './kit/input.js';
import { forEach } from './kit/repeat.js';
import { readWhole } from './kit/whole-file.js';
import { type Script, SedError } from './sed/commands.js';
import { InPlaceEdit, whyNotEdit } from './sed/in-place.js';
import { Inputs } from './sed/inputs.js';
import { Files, LineOutput, unheld } from './sed/outputs.js';
import { parseScript, type ScriptSource } from './sed/parse.js';
import { LineReader } from './sed/reader.js';
import { Runner, type World } from './sed/run.js';

const FLAGS = {
  quiet: { short: 'n', long: ['quiet', 'silent'], help: 'do not print each line at the end of its cycle' },
  expression: { short: 'e', long: 'expression', value: 'SCRIPT', repeat: true, help: 'run these commands' },
  file: { short: 'f', long: 'file', value: 'SCRIPT-FILE', repeat: true, help: 'run the commands in SCRIPT-FILE' },
  inPlace: {
    short: 'i',
    long: 'in-place',
    value: 'SUFFIX',
    optional: true,
    help: 'edit files; keep the original as FILESUFFIX',
  },
  width: { short: 'l', long: 'line-length', value: 'N', parse: lineLength, help: 'fold the lines of l at N columns' },
  extended: { short: 'Er', long: 'regexp-extended', help: 'use extended regular expressions' },
  separate: { short: 's', long: 'separate', help: 'files are separate, not one stream' },
  unbuffered: { short: 'u', long: 'unbuffered', help: 'hold no line back: each goes out as it is made' },
  zero: { short: 'z', long: 'null-data', help: 'lines end with NUL' },
} as const satisfies Flags;

type SedContext = Context<'read' | 'write' | 'remove'> & Parsed<typeof FLAGS>;

export const sed = defineBuiltin({
  name: 'sed',
  summary: 'edit a stream of lines',
  usage: 'sed [OPTION]... SCRIPT [FILE]...\nsed [OPTION]... -e SCRIPT... [FILE]...',
  notes: 'The e command and the e flag of s are refused. w and -i need remediation mode.',
  // `remove` only for a file of its own that an edit in place could not finish.
  needs: ['read', 'write', 'remove'],
  flags: FLAGS,
  unknownOptionHint: (option) =>
    option === '--posix' ? "sed: GNU's extensions cannot be switched off: leave the option out" : undefined,
  usageHint,
  statuses: {
    0: 'all went well',
    1: 'the script is wrong',
    2: 'an input could not be read',
    4: 'an output could not be written',
  },

  run(context) {
    return andThen(readScripts(context), (read) => {
      if (typeof read === 'number') return read;
      let script: Script;
      try {
        script = parseScript(read.sources, {
          extended: context.flags.extended === true,
          zero: context.flags.zero === true,
          look: context.look,
        });
      } catch (error) {
        if (!(error instanceof SedError)) throw error;
        context.complain(error.message);
        return error.status;
      }
      return new Job(context, script, read.files).run();
    });
  },
});

/** GNU sed goes on with all of its help. */
function usageHint(): string {
  return `Usage: sed [OPTION]... {script-only-if-no-other-script} [input-file]...\n${tryHelp('sed')}`;
}

/** The parts of the script in their order, and the operands that are left; a status when that failed. */
function readScripts(context: SedContext): Awaitable<{ sources: ScriptSource[]; files: readonly string[] } | number> {
  const { given, operands } = context;
  const parts = given.filter(({ flag }) => flag === 'expression' || flag === 'file');
  if (parts.length === 0) {
    const [script, ...files] = operands;
    if (script === undefined) {
      return andThen(context.err.write(usageHint()) as Awaitable<void>, () => 1);
    }
    return { sources: [{ text: toByteString(script), file: undefined }], files };
  }
  const sources: ScriptSource[] = [];
  let status = 0;
  const each = forEach(parts, ({ flag, value }) => {
    const text = String(value);
    if (flag === 'expression') {
      sources.push({ text: toByteString(text), file: undefined });
      return false;
    }
    return andThen(readWhole(context, text), (content) => {
      if (typeof content !== 'string') {
        context.complain(`couldn't open file ${text}: ${content.message}`);
        status = 4;
        return true;
      }
      sources.push({ text: content, file: text });
      return false;
    });
  });
  return andThen(each, () => (status === 0 ? { sources, files: operands } : status));
}

/** A file of `R`: both undefined where it cannot be opened. */
interface FileLines {
  readonly source: ByteSource | undefined;
  readonly reader: LineReader | undefined;
}

class Job implements World {
  readonly context: SedContext;
  readonly inputs: Inputs;
  readonly files = new Files();
  private readonly script: Script;
  private readonly delimiter: string;
  private readonly standard: LineOutput;
  /** Suffix of the original's other name; undefined: nothing is edited in place. */
  private readonly suffix: string | undefined;
  private readonly runner: Runner;
  private readonly readers = new Map<string, FileLines>();
  private edit: InPlaceEdit | undefined;
  private status = 0;

  constructor(context: SedContext, script: Script, files: readonly string[]) {
    this.context = context;
    this.script = script;
    const { flags } = context;
    this.delimiter = flags.zero === true ? '\0' : '\n';
    this.standard = new LineOutput(flags.unbuffered ? unheld(context.out) : context.out, this.delimiter);
    this.suffix = flags.inPlace === true ? '' : flags.inPlace;
    const separate = flags.separate === true || this.suffix !== undefined;
    this.inputs = new Inputs(
      context,
      files.length === 0 ? ['-'] : files,
      { delimiter: this.delimiter, separate },
      {
        opened: (name) => this.opened(name, separate),
        closed: () => this.closed(),
        failed: (name, error) => this.unreadable(name, error),
      },
    );
    this.runner = new Runner(script, this, {
      quiet: script.quiet || flags.quiet === true,
      delimiter: this.delimiter,
      width: flags.width ?? 70,
    });
  }

  run(): Awaitable<number> {
    if (!this.openFiles()) return 4;
    const { closed } = this.context.out.facts;
    const done = (status: number): Awaitable<number> =>
      andThen(this.finish(), () => (closed === true ? this.withoutOutput() : status || this.status));
    const failed = (error: unknown): Awaitable<number> => {
      this.inputs.stop();
      this.closeReaders();
      // What the files of `w` were given before goes to them all the same.
      const lost = (another: unknown): void => {
        if (!isFsError(another)) throw another;
      };
      return andThen(this.edit?.abandon(), () =>
        andThen(
          rescue(() => this.files.flush(), lost),
          () =>
            andThen(
              rescue(() => this.files.close(), lost),
              () => this.failure(error),
            ),
        ),
      );
    };
    try {
      const ran = this.runner.run();
      if (isPromise(ran)) return ran.then(done).catch(failed);
      const finished = done(ran);
      return isPromise(finished) ? finished.catch(failed) : finished;
    } catch (error) {
      return failed(error);
    }
  }

  /** The status of what ended the run before its time. */
  private failure(error: unknown): number {
    if (error instanceof SedError) {
      this.context.complain(error.message);
      return error.status;
    }
    if (isFsError(error) && error.path === '' && this.context.out.facts.closed === true) return this.withoutOutput();
    if (!isRegexTooCostly(error) && !isFsError(error)) throw error;
    const { message } = error;
    const own = isFsError(error) && (this.suffix !== undefined || this.files.has(error.path));
    this.context.complain(
      !isFsError(error)
        ? message
        : own
          ? `couldn't write ${error.path}: ${message}`
          : `couldn't flush stdout: ${message}`,
    );
    return 4;
  }

  /** GNU sed minds a standard output that is closed when it ends, whether or not there was anything to print. */
  private withoutOutput(): number {
    this.context.complain("couldn't close stdout: Bad file descriptor");
    return 4;
  }

  output(): LineOutput {
    return this.edit?.output ?? this.standard;
  }

  readFile(name: string): Awaitable<string> {
    return andThen(readWhole(this.context, name === '/dev/stdin' ? '-' : name), (content) =>
      typeof content === 'string' ? content : '',
    );
  }

  readLine(name: string) {
    if (!this.readers.has(name)) this.readers.set(name, this.openReader(name));
    return this.readers.get(name)?.reader?.next();
  }

  private openReader(name: string): FileLines {
    try {
      const source = openInput(this.context, name);
      return { source, reader: new LineReader(this.context, source, this.delimiter) };
    } catch (error) {
      if (!isFsError(error)) throw error;
      return { source: undefined, reader: undefined };
    }
  }

  /** The files of `R` are read from their start again. */
  private closeReaders(): void {
    for (const { source } of this.readers.values()) if (source !== undefined) closeInput(this.context, source);
    this.readers.clear();
  }

  /** All files of `w` are made before the first line is read (POSIX). */
  private openFiles(): boolean {
    this.files.add('/dev/stdout', this.standard.beside());
    this.files.add('/dev/stderr', new LineOutput(this.context.err, this.delimiter));
    for (const { action } of this.script.commands) {
      const name =
        action.kind === 'w' || action.kind === 'W'
          ? action.file
          : action.kind === 's'
            ? action.substitution.file
            : undefined;
      if (name === undefined || this.files.has(name)) continue;
      try {
        this.files.open(name, this.context.openSink(name, { truncate: true }), this.delimiter);
      } catch (error) {
        if (!isFsError(error)) throw error;
        this.context.complain(`couldn't open file ${name}: ${error.message}`);
        return false;
      }
    }
    return true;
  }

  private opened(name: string, separate: boolean): boolean {
    if (separate) {
      this.runner.reset();
      this.closeReaders();
    }
    if (this.suffix === undefined || name === '-') return true;
    let why = whyNotEdit(this.context, name);
    if (why === undefined) {
      try {
        this.edit = new InPlaceEdit(this.context, name, this.delimiter);
        return true;
      } catch (error) {
        if (!isFsError(error)) throw error;
        why = error.message;
      }
    }
    throw new SedError(`couldn't edit ${name}: ${why}`, 4);
  }

  private closed(): Awaitable<void> {
    const { edit } = this;
    this.edit = undefined;
    return edit === undefined ? undefined : edit.finish(this.suffix ?? '');
  }

  /** GNU opens a directory and then cannot read it, which ends everything. */
  private unreadable(name: string, error: FsError): void {
    if (isReadFailure(error)) {
      const edit = `couldn't edit ${name}: not a regular file`;
      throw new SedError(
        this.suffix === undefined ? `read error on ${name === '-' ? 'stdin' : name}: ${error.message}` : edit,
        4,
      );
    }
    this.context.complain(`can't read ${name}: ${error.message}`);
    this.status = 2;
  }

  private finish(): Awaitable<void> {
    this.inputs.stop();
    this.closeReaders();
    return andThen(this.closed(), () =>
      andThen(this.files.flush(), () => andThen(this.standard.end() as Awaitable<void>, () => this.files.close())),
    );
  }
}

function lineLength(text: string): number | BadValue {
  return /^[0-9]+$/.test(text) ? Number(text) : new BadValue(`invalid line length: ${text}`);
}
