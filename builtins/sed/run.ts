/** Runs a script: one cycle for each line (POSIX `sed`, "Description"). */
import { type Awaitable, andThen, isPromise, type Waiting } from '../../src/steps.js';
import type { Regex } from '../../src/text/regex/index.js';
import { watchBy } from '../../src/text/work.js';
import type { BaseContext } from '../kit/context.js';
import { repeat } from '../kit/repeat.js';
import { type Action, type Address, type Command, type Script, SedError, type Substitution } from './commands.js';
import type { Inputs } from './inputs.js';
import { visibleLine } from './list-line.js';
import { type ManyLines, manyLines } from './many-lines.js';
import type { Files, LineOutput } from './outputs.js';
import { checkLength, type Line } from './reader.js';
import { substitute } from './substitute.js';

export interface RunOptions {
  readonly quiet: boolean;
  readonly delimiter: string;
  /** Where `l` folds. */
  readonly width: number;
}

/** What the runner needs of the outside. */
export interface World {
  readonly context: BaseContext;
  readonly inputs: Inputs;
  readonly files: Files;
  /** The standard output, or the file that is edited in place. */
  output(): LineOutput;
  /** All of a file for `r`; empty when it cannot be read. */
  readFile(name: string): Awaitable<string>;
  /** The next line of a file for `R`. */
  readLine(name: string): Awaitable<Line | undefined>;
}

/** How a cycle, or a step of one, ended: `again` keeps the pattern space (`D`). */
type End = { readonly status: number } | 'next' | 'again';

type Queued =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file' | 'line'; readonly file: string };

export class Runner {
  private readonly world: World;
  private readonly commands: readonly Command[];
  private readonly options: RunOptions;
  private space = '';
  private ended = true;
  private hold = '';
  private holdEnded = true;
  private lineNumber = 0;
  private replaced = false;
  private lastRegex: Regex | undefined;
  private queue: Queued[] = [];
  /** For each command with two addresses: inside its range, and the line it ends at. */
  private readonly active: boolean[];
  private readonly rangeEnd: number[];
  /** A range that began at a line number and is over does not begin again. */
  private readonly over: boolean[];
  private readonly manyLines: ManyLines | undefined;

  constructor(script: Script, world: World, options: RunOptions) {
    this.commands = script.commands;
    this.world = world;
    this.options = options;
    this.active = this.commands.map(startsActive);
    this.rangeEnd = this.commands.map(() => 0);
    this.over = this.commands.map(startsActive);
    const { quiet, delimiter } = options;
    this.manyLines = quiet || delimiter !== '\n' ? undefined : manyLines(script, world.context.limits.maxStringBytes);
  }

  /** For -s and -i: another file is another stream, and nothing is held over from the last. */
  reset(): void {
    this.lineNumber = 0;
    this.hold = '';
    this.holdEnded = true;
    this.commands.forEach((command, i) => {
      this.active[i] = startsActive(command);
      this.over[i] = startsActive(command);
    });
  }

  /** Answers the exit status that the script chose, 0 otherwise. */
  run(): Awaitable<number> {
    let again = false;
    const turn = (): Awaitable<number | undefined> =>
      andThen(this.cycle(), (end) => {
        again = end === 'again';
        return typeof end === 'object' ? end.status : undefined;
      });
    const next = (): Awaitable<number | undefined> => {
      const ready = again ? andThen(this.flushQueue(), () => true) : this.readLine();
      return andThen(ready, (there) => {
        if (!there) return 0;
        const waiting = this.world.context.tick();
        return waiting === undefined ? turn() : waiting.then(turn);
      });
    };
    const { manyLines } = this;
    if (manyLines === undefined) return repeat<number>(next);
    return repeat<number>(() =>
      andThen(this.world.inputs.wholeLines(), (lines) =>
        lines === undefined ? next() : this.takeMany(lines, manyLines),
      ),
    );
  }

  private takeMany(lines: Buffer, change: ManyLines): Awaitable<undefined> {
    const changed = change(lines);
    if (changed === undefined) {
      this.world.inputs.unread(lines);
      return undefined;
    }
    return andThen(this.output.lines(changed) as Awaitable<void>, () => undefined);
  }

  /** The next line into the pattern space (with `append` after what is there); false at the end. */
  private readLine(append = false): Awaitable<boolean> {
    const read = (): Awaitable<boolean> =>
      andThen(this.world.inputs.next(), (line) => {
        if (line === undefined) return false;
        this.space = append ? this.space + this.options.delimiter + line.text : line.text;
        this.check(this.space.length);
        this.ended = line.ended;
        this.lineNumber++;
        if (!append) this.replaced = false;
        return true;
      });
    return this.queue.length === 0 ? read() : andThen(this.flushQueue(), read);
  }

  private cycle(): Awaitable<End> {
    let pc = 0;
    const take = (result: number | End): End | undefined => {
      if (typeof result !== 'number') return result;
      pc = result;
      return undefined;
    };
    return repeat<End>(() => {
      const before = watchBy(this.world.context.look);
      try {
        for (;;) {
          const result = this.step(pc);
          if (isPromise(result)) return result.then(take);
          if (typeof result !== 'number') return result;
          pc = result;
        }
      } finally {
        watchBy(before);
      }
    });
  }

  /** One command: answers the index of the next, or how the cycle ended. */
  private step(pc: number): Awaitable<number | End> {
    const command = this.commands[pc];
    if (command === undefined) return andThen(this.autoPrint(), () => 'next' as const);
    const selected = this.selected(command, pc);
    if (isPromise(selected)) return selected.then((is) => this.perform(command, pc, is));
    return this.perform(command, pc, selected);
  }

  private perform({ action, where }: Command, pc: number, selected: boolean): Awaitable<number | End> {
    if (selected === where.negated) return action.kind === '{' ? action.end : pc + 1;
    return this.act(action, pc);
  }

  private act(action: Action, pc: number): Awaitable<number | End> {
    const next = pc + 1;
    const { delimiter } = this.options;
    switch (action.kind) {
      case '{':
      case '}':
      case ':':
        return next;
      case '=':
        return after(this.output.line(`${this.lineNumber}`, true), next);
      case 'a':
        this.queue.push({ kind: 'text', text: action.text });
        return next;
      case 'i':
        return after(this.textLine(action.text), next);
      case 'c':
        return this.active[pc] === true && this.commands[pc]?.where.negated === false
          ? 'next'
          : after(this.textLine(action.text), 'next');
      case 'd':
        return 'next';
      case 'D':
        return this.deleteFirstLine();
      case 'F':
        return after(this.output.line(this.world.inputs.name, true), next);
      case 'g':
        this.space = this.hold;
        this.ended = this.holdEnded;
        return next;
      case 'G':
        this.space += delimiter + this.hold;
        this.check(this.space.length);
        this.ended = this.holdEnded;
        return next;
      case 'h':
        this.hold = this.space;
        this.holdEnded = this.ended;
        return next;
      case 'H':
        this.hold += delimiter + this.space;
        this.check(this.hold.length);
        this.holdEnded = this.ended;
        return next;
      case 'x':
        [this.space, this.hold] = [this.hold, this.space];
        [this.ended, this.holdEnded] = [this.holdEnded, this.ended];
        return next;
      case 'z':
        this.space = '';
        return next;
      case 'l':
        return after(
          this.output.line(visibleLine(this.space, action.width ?? this.options.width, delimiter), true),
          next,
        );
      case 'n':
        return this.nextLine(next);
      case 'N':
        return this.appendLine(next);
      case 'p':
        return after(this.output.line(this.space, this.ended), next);
      case 'P':
        return after(this.printFirstLine(this.output), next);
      case 'q':
        return this.quit(action.status);
      case 'Q':
        return { status: action.status };
      case 'r':
        this.queue.push({ kind: 'file', file: action.file });
        return next;
      case 'R':
        this.queue.push({ kind: 'line', file: action.file });
        return next;
      case 'w':
        return after(this.world.files.get(action.file).line(this.space, this.ended), next);
      case 'W':
        return after(this.printFirstLine(this.world.files.get(action.file)), next);
      case 's':
        return this.substitute(action.substitution, next);
      case 'y':
        this.space = action.map(this.space);
        return next;
      case 'b':
        return this.jump(pc, action.target);
      case 't': {
        const { replaced } = this;
        this.replaced = false;
        return replaced ? this.jump(pc, action.target) : next;
      }
      case 'T': {
        const { replaced } = this;
        this.replaced = false;
        return replaced ? next : this.jump(pc, action.target);
      }
    }
  }

  private quit(status: number): Awaitable<End> {
    const printed: Awaitable<void> = this.autoPrint();
    return andThen(printed, () =>
      andThen(this.output.complete() as Awaitable<void>, () => andThen(this.flushQueue(), () => ({ status }))),
    );
  }

  private readonly check = (length: number): void => checkLength(this.world.context, length);

  private get output(): LineOutput {
    return this.world.output();
  }

  /** A loop in a script may have no end: only jumps back make one. */
  private jump(pc: number, target: number): Awaitable<number> {
    return target > pc ? target : after(this.world.context.tick(), target);
  }

  private autoPrint(): Waiting {
    return this.options.quiet ? undefined : this.output.line(this.space, this.ended);
  }

  /** Text of `i` and `c`, which ends as lines do. */
  private textLine(text: string): Waiting {
    return text === '' ? undefined : this.output.line(text.slice(0, -1), true);
  }

  private printFirstLine(output: LineOutput): Waiting {
    const end = this.space.indexOf(this.options.delimiter);
    return end < 0 ? output.line(this.space, this.ended) : output.line(this.space.slice(0, end), true);
  }

  private deleteFirstLine(): End {
    const end = this.space.indexOf(this.options.delimiter);
    if (end < 0) return 'next';
    this.space = this.space.slice(end + 1);
    return 'again';
  }

  /** `n`: without a next line the script ends here. */
  private nextLine(next: number): Awaitable<number | End> {
    return andThen(this.world.inputs.isLast(), (last) => {
      const printed = andThen(this.autoPrint() as Awaitable<void>, () => undefined);
      return andThen(printed, () => (last ? 'next' : andThen(this.readLine(), (there) => (there ? next : 'next'))));
    });
  }

  /** `N`: without a next line GNU sed prints the pattern space. */
  private appendLine(next: number): Awaitable<number | End> {
    return andThen(this.world.inputs.isLast(), (last) => {
      if (last) return after(this.autoPrint(), 'next' as const);
      return andThen(this.readLine(true), (there) => (there ? next : 'next'));
    });
  }

  private substitute(substitution: Substitution, next: number): Awaitable<number> {
    const result = substitute(this.regex(substitution.regex), substitution, this.space, this.check);
    if (result === undefined) return next;
    this.space = result;
    this.replaced = true;
    const { print, file } = substitution;
    if (!print && file === undefined) return next;
    const printed = print ? this.output.line(this.space, this.ended) : undefined;
    if (file === undefined) return after(printed, next);
    return andThen(printed as Awaitable<void>, () =>
      after(this.world.files.get(file).line(this.space, this.ended), next),
    );
  }

  /** An empty regular expression is the last one that was used. */
  private regex(own: Regex | undefined): Regex {
    const regex = own ?? this.lastRegex;
    if (regex === undefined) throw new SedError('-e expression #1, char 0: no previous regular expression');
    this.lastRegex = regex;
    return regex;
  }

  private selected({ where }: Command, pc: number): Awaitable<boolean> {
    const { first, second } = where;
    if (first === undefined) return true;
    if (second === undefined) return this.matches(first);
    if (this.active[pc] === true) return this.inRange(second, pc);
    if (first.kind === 'line') return this.startAtLine(first.line, second, pc);
    return andThen(this.matches(first), (is) => is && this.startRange(second, pc));
  }

  private matches(address: Address): Awaitable<boolean> {
    switch (address.kind) {
      case 'line':
        return this.lineNumber === address.line;
      case 'step':
        return this.lineNumber >= address.first && (this.lineNumber - address.first) % address.step === 0;
      case 'last':
        return this.world.inputs.isLast();
      case 'regex':
        return this.regex(address.regex).test(this.space);
      default:
        return false; // `+N` and `~N` only end ranges
    }
  }

  /** A range begins at its line or, when that was not looked at, later; but not after its end. */
  private startAtLine(line: number, second: Address, pc: number): boolean {
    if (this.over[pc] === true || this.lineNumber < line) return false;
    this.over[pc] = true;
    if (second.kind === 'line' && this.lineNumber > second.line && this.lineNumber !== line) return false;
    return this.startRange(second, pc);
  }

  /** The line that starts a range is in it; whether more are. */
  private startRange(second: Address, pc: number): true {
    const end = this.endLine(second);
    this.rangeEnd[pc] = end;
    this.active[pc] = end > this.lineNumber;
    return true;
  }

  private endLine(second: Address): number {
    switch (second.kind) {
      case 'line':
        return second.line;
      case 'plus':
        return this.lineNumber + second.count;
      case 'multiple':
        return second.of === 0 ? 0 : this.lineNumber + second.of - (this.lineNumber % second.of);
      case 'step':
        // The first of its lines that is not before this one, which it may be itself.
        return Math.max(second.first, this.lineNumber + modulo(second.first - this.lineNumber, second.step));
      default:
        return Number.POSITIVE_INFINITY;
    }
  }

  private inRange(second: Address, pc: number): Awaitable<boolean> {
    if (second.kind === 'line' || second.kind === 'plus' || second.kind === 'multiple') {
      const end = this.rangeEnd[pc] as number;
      this.active[pc] = this.lineNumber < end;
      // Where `n` or `N` has passed over the end, the line that shows it is in a range of `+N` or `~N` still, as GNU's is.
      return second.kind !== 'line' || this.lineNumber <= end;
    }
    return andThen(this.matches(second), (is) => {
      this.active[pc] = !is;
      return true;
    });
  }

  /** What `a`, `r` and `R` left to print when the cycle is over. */
  private flushQueue(): Awaitable<void> {
    const queued = this.queue;
    if (queued.length === 0) return undefined;
    this.queue = [];
    let i = 0;
    return andThen(
      repeat<true>(() => {
        const one = queued[i++];
        return one === undefined ? true : (this.print(one) as Awaitable<undefined>);
      }),
      () => undefined,
    );
  }

  private print(one: Queued): Awaitable<void> {
    if (one.kind === 'text') return this.output.text(one.text) as Awaitable<void>;
    if (one.kind === 'file') {
      return andThen(this.world.readFile(one.file), (text) => this.output.text(text) as Awaitable<void>);
    }
    return andThen(this.world.readLine(one.file), (line) =>
      // As it stands in the file: a last line without an end gets none.
      line === undefined
        ? undefined
        : (this.output.text(line.ended ? line.text + this.options.delimiter : line.text) as Awaitable<void>),
    );
  }
}

/** `0,/re/` is inside its range before the first line. */
function startsActive({ where: { first, second } }: Command): boolean {
  return first?.kind === 'line' && first.line === 0 && second !== undefined;
}

function after<T>(waiting: Waiting, value: T): Awaitable<T> {
  return waiting === undefined ? value : waiting.then(() => value);
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
