/** jq: take JSON apart and put it together, by the language of jq 1.6 but for what its help says is left out. */
import { isFsError } from '../src/errors.js';
import { limitReached } from '../src/limits.js';
import { type Awaitable, andThen, isPromise, type Waiting } from '../src/steps.js';
import { Evaluator } from './jq/evaluate.js';
import { Inputs } from './jq/inputs.js';
import { Break, type Env, Halt, PAUSE } from './jq/machine.js';
import { type JqOptions, readOptions, SWITCHES } from './jq/options.js';
import { parse } from './jq/parse.js';
import { SyntaxProblem } from './jq/problem.js';
import { JsonReader, ReadProblem } from './jq/read.js';
import type { Node } from './jq/tree.js';
import { JqError, type Json } from './jq/value.js';
import { write } from './jq/write.js';
import type { Context } from './kit/context.js';
import { defineBuiltin } from './kit/define.js';
import { closeInput, latin1, openInput } from './kit/input.js';
import { repeat } from './kit/repeat.js';

const USAGE = 2;
const COMPILE = 3;
/** Also of an input that is not JSON: so has jq 1.6. */
const NO_OUTPUT = 4;
const FAILED = 5;

type JqContext = Context<'read' | 'clock' | 'environment'>;

const options = SWITCHES.map(([letter, long, , help]) => `  -${letter}, --${long}`.padEnd(30) + help).join('\n');

export const jq = defineBuiltin({
  name: 'jq',
  summary: 'filter and change JSON',
  needs: ['read', 'clock', 'environment'],
  usage: 'jq [OPTION]... FILTER [FILE]...\njq [OPTION]... -f FILE [FILE]...',
  options: 'none',
  flags: {},
  notes: `${options}
      --tab, --indent N       indent by tabs, or by N blanks
      --arg NAME TEXT         $NAME is TEXT
      --argjson NAME JSON     $NAME is the value JSON
      --slurpfile NAME FILE   $NAME is the array of the values in FILE
      --rawfile NAME FILE     $NAME is the text of FILE
      --args, --jsonargs      the words after the filter are $ARGS.positional

Regular expressions (test, match, scan, splits, sub, gsub) are POSIX's extended ones, with \\d \\s \\w: the longest match
counts, and there are no lazy quantifiers, look-around or named groups. Left out are modules, ?//, $__prog_args, streaming, SQL-like
functions, getpath of dates (strftime, strptime, mktime, gmtime), input_line_number, ltrimstr's kin of later versions, and colours.`,
  statuses: {
    0: 'all went well',
    1: 'with -e, the last output was false or null',
    2: 'the options or a file are wrong',
    3: 'the filter is wrong',
    4: 'with -e, there was no output; or the input is not JSON',
    5: 'the filter raised an error',
  },

  run(context): Awaitable<number> {
    const read = readOptions(context.operands);
    if (typeof read === 'string') return misused(context, read);
    if (read.program === undefined) {
      if (read.fromFile || context.stdinFacts?.terminal === true) return misused(context, 'a FILTER is missing');
      read.program = '.';
    }
    return andThen(readFiles(context, read), (problem) => {
      if (problem !== undefined) {
        context.complain(problem);
        return USAGE;
      }
      const program = compile(context, read);
      return program === undefined ? COMPILE : new Run(context, read, program).all();
    });
  },
});

function misused(context: JqContext, message: string): Awaitable<number> {
  context.complain(message);
  return andThen(context.err.write('Use jq --help for help with command-line options.\n'), () => USAGE);
}

/** The program and variables that are in files. Answers what is wrong. */
function readFiles(context: JqContext, options: JqOptions): Awaitable<string | undefined> {
  const wanted: { file: string; what: string; use: (text: string) => string | undefined }[] = [];
  for (const { name, file, raw } of options.variableFiles) {
    wanted.push({
      file,
      what: `Bad JSON in --${raw ? 'rawfile' : 'slurpfile'} ${name} ${file}`,
      use: (text) => {
        const value = raw ? Buffer.from(text, 'latin1').toString('utf8') : valuesOf(text);
        if (value instanceof ReadProblem) return `Bad JSON in --slurpfile ${name} ${file}: ${value.message}`;
        options.variables.set(name, value);
        return undefined;
      },
    });
  }
  if (options.fromFile) {
    wanted.push({
      file: options.program ?? '',
      what: 'error',
      use: (text) => {
        options.program = Buffer.from(text, 'latin1').toString('utf8');
        return undefined;
      },
    });
  }
  let next = 0;
  const problem = repeat<string | false>(() => {
    const one = wanted[next++];
    if (one === undefined) return false;
    return andThen(contentOf(context, one.file), (text) =>
      typeof text === 'string' ? one.use(text) : `${one.what}: Could not open ${one.file}: ${text.message}`,
    );
  });
  return andThen(problem, (found) => (found === false ? undefined : found));
}

function valuesOf(text: string): readonly Json[] | ReadProblem {
  const reader = new JsonReader();
  reader.feed(text);
  const values: Json[] = [];
  for (;;) {
    const read = reader.read();
    const value = read === undefined ? reader.end() : read;
    if (value instanceof ReadProblem) return value;
    if (value === undefined) return values;
    values.push(value);
  }
}

function contentOf(context: JqContext, file: string): Awaitable<string | Error> {
  const failed = (error: unknown): Error => {
    if (!isFsError(error)) throw error;
    return error;
  };
  try {
    const source = openInput(context, file);
    let text = '';
    const { maxStringBytes } = context.limits;
    const whole = repeat<string>(() =>
      andThen(source.fill(), (more) => {
        if (!more) return text;
        text += latin1(source.buffer, source.start, source.end);
        source.start = source.end;
        if (text.length > maxStringBytes) throw limitReached('maxStringBytes', maxStringBytes);
        return undefined;
      }),
    );
    const done = andThen(whole, (all) => {
      closeInput(context, source);
      return all;
    });
    return isPromise(done) ? done.catch(failed) : done;
  } catch (error) {
    return failed(error);
  }
}

function compile(context: JqContext, { program = '', variables }: JqOptions): Node | undefined {
  try {
    return parse(program, [...variables.keys(), 'ARGS'], context.limits.maxNesting);
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    const line = program.slice(0, error.offset).split('\n').length;
    context.complain(`error: ${error.message} at <top-level>, line ${line}:\n${program}`);
    context.complain('1 compile error');
    return undefined;
  }
}

const goOn = (status: number | false): number | undefined => (status === false ? undefined : status);

class Run {
  private readonly context: JqContext;
  private readonly options: JqOptions;
  private readonly program: Node;
  private readonly inputs: Inputs;
  private readonly evaluator: Evaluator;
  private readonly env: Env;
  private readonly reports: string[] = [];
  /** What a program asked for in the middle of its work. */
  private wantsInput = false;
  private status = 0;
  private began = false;
  /** Of the last output, for `-e`. */
  private last: 'none' | 'false' | 'true' = 'none';

  constructor(context: JqContext, options: JqOptions, program: Node) {
    this.context = context;
    this.options = options;
    this.program = program;
    this.inputs = new Inputs(context, options.files, options);
    this.evaluator = new Evaluator({
      limits: context.limits,
      look: context.look,
      takeInput: () => this.takeInput(),
      inputName: () => this.inputs.inputName,
      environment: context.environment,
      now: () => Number(context.clock.now() / 1000n) / 1e6,
      report: (line) => this.reports.push(line),
    });
    const named = new Map(options.variables);
    const given = new Map<string, Json>([...named]);
    given.set(
      'ARGS',
      new Map<string, Json>([
        ['positional', options.positional],
        ['named', named],
      ]),
    );
    this.env = [...given].reduce<Env>(
      (next, [name, value]) => ({ kind: 'value', key: `$${name}`, value, next }),
      undefined,
    );
  }

  all(): Awaitable<number> {
    const done = this.options.nullInput
      ? andThen(this.on(null), (status) => (status === false ? this.end() : status))
      : this.each();
    return isPromise(done) ? done.finally(() => this.inputs.close()) : this.closed(done);
  }

  private closed(status: number): number {
    this.inputs.close();
    return status;
  }

  private end(): number {
    if (this.status !== 0) return this.status;
    if (this.inputs.failed) return USAGE;
    if (!this.options.exitStatus) return 0;
    if (!this.began || this.last === 'true') return 0;
    return this.last === 'false' ? 1 : NO_OUTPUT;
  }

  private each(): Awaitable<number> {
    return repeat<number>(() => {
      const input = this.inputs.take();
      if (input === PAUSE) return andThen(this.inputs.fetch(), () => this.turn());
      if (input === undefined) return this.end();
      if (input instanceof ReadProblem) {
        this.unreadable(input);
        return this.end();
      }
      return andThen(this.on(input), goOn);
    });
  }

  private unreadable(problem: ReadProblem): void {
    this.context.err.write(`parse error: ${problem.message}\n`);
    this.status = NO_OUTPUT;
  }

  private takeInput(): ReturnType<Evaluator['world']['takeInput']> {
    const input = this.inputs.take();
    if (input === PAUSE) this.wantsInput = true;
    if (input instanceof ReadProblem) throw input;
    return input;
  }

  /** The program on one input. A status is the end of all; false, of this input. */
  private on(input: Json): Awaitable<number | false> {
    const flow = this.evaluator.run(this.program, input, this.env);
    this.status = 0;
    this.began = true;
    return repeat<number | false>(() => {
      let step: ReturnType<typeof flow.next>;
      try {
        step = flow.next();
        if (step.done === true) return andThen(this.report(), () => false as const);
        if (step.value !== PAUSE) {
          const text = this.text(step.value);
          this.last = step.value === null || step.value === false ? 'false' : 'true';
          return andThen(this.report(), () => andThen(this.context.out.write(text), () => this.turn()));
        }
      } catch (thrown) {
        return andThen(this.report(), () => this.ended(thrown));
      }
      return andThen(this.report(), () => {
        if (!this.wantsInput) return this.turn();
        this.wantsInput = false;
        return andThen(this.inputs.fetch(), () => this.turn());
      });
    });
  }

  private text(value: Json): string {
    const { rawOutput, joined, compact, indent, sort, ascii } = this.options;
    const end = joined ? '' : '\n';
    if (rawOutput && typeof value === 'string' && !ascii) return value + end;
    return write(value, { indent: compact ? undefined : indent, sort, ascii }) + end;
  }

  private turn(): Awaitable<undefined> {
    const waiting = this.context.tick();
    return waiting === undefined ? undefined : waiting.then(() => undefined);
  }

  private report(): Waiting {
    if (this.reports.length === 0) return undefined;
    return this.context.err.write(`${this.reports.splice(0).join('\n')}\n`);
  }

  /** The program has raised an error, or stopped. False: the next input. */
  private ended(thrown: unknown): Awaitable<number | false> {
    if (thrown instanceof Halt) {
      return andThen(thrown.message === '' ? undefined : this.context.err.write(thrown.message), () => thrown.status);
    }
    if (thrown instanceof ReadProblem) {
      this.unreadable(thrown);
      return this.end();
    }
    return andThen(this.inputs.finishLine(), () => {
      this.status = FAILED;
      this.context.complain(this.problem(thrown));
      return false;
    });
  }

  private problem(thrown: unknown): string {
    const where = `error (at ${this.inputs.place})`;
    if (thrown instanceof Break) return `${where}: break`;
    // The stack of JavaScript is what recursion and nested values run out of.
    if (thrown instanceof RangeError) return `${where}: the filter recurses too deep, or a value is nested too deep`;
    if (!(thrown instanceof JqError)) throw thrown;
    const { value } = thrown;
    return typeof value === 'string' ? `${where}: ${value}` : `${where} (not a string): ${write(value)}`;
  }
}
