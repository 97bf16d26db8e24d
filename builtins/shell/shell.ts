/** The shell as its own built-in utilities see it: what `cd`, `set`, `trap`, `eval` change. The Runner implements it. */
import type { Files } from '../../src/files/files.js';
import type { ByteSource } from '../../src/io/streams.js';
import type { Limits } from '../../src/limits.js';
import type { Awaitable, Tick } from '../../src/steps.js';
import type { Output } from '../kit/context.js';
import type { Outcome } from '../kit/outcome.js';

/** A variable as `export -p`, `set` and `readonly -p` print it. */
export interface VariableView {
  readonly name: string;
  readonly value: string | undefined;
  readonly exported: boolean;
  readonly readonly: boolean;
}

/** One element of `( ... )`, expanded. */
export interface ExpandedElement {
  readonly subscript: string | undefined;
  readonly append: boolean;
  readonly value: string;
}

/** An assignment whose words are expanded; an argument of `declare`, `local`, `export` ... that looks like one. */
export interface ExpandedAssignment {
  readonly name: string;
  readonly subscript: string | undefined;
  readonly append: boolean;
  /** Undefined: a name alone. */
  readonly value: string | readonly ExpandedElement[] | undefined;
}

/** What `declare` may change of a variable; undefined leaves it. */
export interface AttributeChanges {
  readonly array?: 'indexed' | 'associative' | undefined;
  readonly exported?: boolean | undefined;
  readonly readonly?: boolean | undefined;
  readonly integer?: boolean | undefined;
  readonly folding?: 'lower' | 'upper' | 'none' | undefined;
  /** `-n`: the value is the name of the variable that is meant. */
  readonly reference?: boolean | undefined;
}

/** What `declare -f` may say of a function. */
export type FunctionMark = 'exported' | 'readonly' | 'traced';

/** A line, and whether its delimiter was there. */
export interface ReadLine {
  readonly content: string;
  readonly terminated: boolean;
}

export interface Shell {
  // ---- streams
  readonly out: Output;
  readonly err: Output;
  source(descriptor: number): ByteSource | undefined;
  /** The next line of a source, without its delimiter; undefined at the end. A line beyond `maxStringBytes` ends the run. */
  readLine(source: ByteSource, delimiter: number): Awaitable<ReadLine | undefined>;
  /** What `step` gives, or undefined when it takes longer than that; then it goes on by itself. */
  within<T>(step: Promise<T>, milliseconds: number): Promise<T | undefined>;
  isTerminal(descriptor: number): boolean;
  isPipe(descriptor: number): boolean;
  /** Prints `NAME: line N: message` on the error stream. */
  complain(message: string): void;
  readonly tick: Tick;
  readonly limits: Limits;

  // ---- variables
  parameter(name: string): string | undefined;
  variables(): VariableView[];
  variable(name: string): VariableView | undefined;
  /** False, and a message, when the variable is readonly. */
  setVariable(name: string, value: string): boolean;
  /** Marks a variable; it need not have a value. */
  mark(name: string, how: FunctionMark, on: boolean): void;
  /** Whether a parameter, or an element of an array (`a[1]`, `a[@]`), has a value. */
  isSet(text: string): boolean;
  /** Whether a variable is a reference to another (`declare -n`). */
  isReference(name: string): boolean;
  /** False, and a message, when the variable is readonly. */
  unsetVariable(name: string): boolean;
  /** The same for a reference itself, and not for what it stands for; anything else stays. */
  unsetReference(name: string): boolean;
  /** The elements of an array in order, or the one value of another variable. */
  elements(name: string): readonly string[];
  /** Makes `name` an indexed array of these. False, and a message, when it is readonly. */
  setArray(name: string, values: readonly string[]): boolean;
  /** `name[subscript]=value`. False, and a message, when that cannot be. */
  setElement(name: string, subscript: string, value: string): boolean;
  /** Takes an element away; false, and a message, when that cannot be. */
  unsetElement(name: string, subscript: string): boolean;
  /** Changes attributes, then assigns. False, and a message of `command`, when that cannot be. */
  declare(assignment: ExpandedAssignment, changes: AttributeChanges, command: string): boolean;
  /** The same for the variable outside of all functions, whatever is local under its name. */
  declareGlobal(assignment: ExpandedAssignment, changes: AttributeChanges, command: string): boolean;
  /** `declare -ax name=...`; undefined when there is no such variable. */
  declaration(name: string): string | undefined;
  /**
   * The elements that a text like `(a "b c" [5]=d)` stands for, expanded as they would be if the script had them there (`declare -a x='(a b)'`);
   * undefined, and a message, when it is no such list.
   */
  arrayElements(text: string): Awaitable<readonly ExpandedElement[] | undefined>;
  /** The letters of `declare` it has. */
  attributes(name: string): string;
  /** The value of an arithmetic expression; undefined, and a message of `command`, when it is wrong. */
  arithmetic(text: string, command: string): number | bigint | undefined;
  /** `shopt`. */
  readonly shoptNames: readonly string[];
  shopt(name: string): boolean;
  setShopt(name: string, on: boolean): void;
  /** Where in a word like `-abc` getopts is: it is kept with OPTIND, and 0 once OPTIND was set by anyone else. */
  readonly optionPlace: number;
  /** Sets OPTIND with that place; false, and a message, when it is readonly. */
  setOptionIndex(index: number, place: number): boolean;
  /** Gives the running function a variable of its own; false outside of functions. */
  makeLocal(name: string): boolean;
  /** Gives the running function options of its own: `local -`. */
  makeOptionsLocal(): void;
  /** The variables that the running function has of its own. */
  readonly localNames: readonly string[];

  // ---- parameters, functions, options
  positional(): readonly string[];
  setPositional(args: readonly string[]): void;
  /** Drops the first `count` parameters; false when there are fewer. */
  shift(count: number): boolean;
  hasFunction(name: string): boolean;
  /** False, and a message, when it is readonly. */
  unsetFunction(name: string): boolean;
  /** The letters of `declare` it has: `r`, `t`, `x`. */
  functionAttributes(name: string): string;
  /** False when there is no such function, and, with a message, when it is readonly and would no longer be. */
  markFunction(name: string, how: FunctionMark, on: boolean): boolean;
  functionNames(): readonly string[];
  functionText(name: string): string | undefined;
  /** Sorted. */
  aliasNames(): readonly string[];
  alias(name: string): string | undefined;
  /** Undefined takes it away. */
  setAlias(name: string, value: string | undefined): void;
  option(name: string): boolean;
  /** False when there is no such option. */
  setOption(name: string, on: boolean): boolean;
  optionByLetter(letter: string): string | undefined;
  readonly optionNames: readonly string[];

  // ---- where we are
  readonly status: number;
  readonly loopDepth: number;
  readonly inFunction: boolean;
  readonly inDotScript: boolean;
  readonly logicalCwd: string;
  readonly physicalCwd: string;
  /** Goes to `path`, an absolute path without `.` and `..`; throws FsError. `physical` also makes the name physical. */
  changeDirectory(path: string, physical: boolean): void;
  /** What `pushd` put below the working directory, the next to go to first. */
  directoryStack: readonly string[];
  umask: number;
  readonly fs: Files;

  // ---- running
  /** The files that a pattern matches, sorted; none where it matches none. */
  pathnames(pattern: string): Awaitable<readonly string[]>;
  /** Parses and runs text in this shell (`eval`, a trap action). */
  evaluate(text: string): Awaitable<Outcome>;
  /** Runs a file in this shell (`.`), with other positional parameters where `args` is given. Throws FsError. */
  runFile(path: string, args: readonly string[] | undefined): Awaitable<Outcome>;
  /** Runs words as a command would be run, but never a function. `by`: who asks, for the record. `declared`: those of them that are assignments. */
  runCommand(
    by: string,
    argv: readonly string[],
    declared?: ReadonlyMap<number, ExpandedAssignment>,
  ): Awaitable<Outcome>;
  /** What a name is: for `command -v`, `type`. */
  describeCommand(name: string): CommandKind | undefined;
  /** Everything a name is, what is run first: for `type -a`. */
  commandKinds(name: string): readonly CommandKind[];
  /** The executable file a name finds: itself when it has a slash, else through `$PATH`; only scripts inside the roots. */
  findScript(name: string): string | undefined;
  /** Where the program of the host is that a name means; undefined: it means none. */
  programPath(name: string): string | undefined;
  /** `exec` without a command: the redirections of this command stay. */
  keepRedirections(): void;
  /** The status that `exit` takes when it is given none: `$?`, and in a trap's action what `$?` was before it. */
  readonly exitStatus: number;
  /** `exec CMD`: runs it and ends the shell with its status. */
  execute(argv: readonly string[]): Awaitable<Outcome>;

  // ---- traps and jobs
  /** Undefined removes the action; `` ignores. */
  setTrap(condition: string, action: string | undefined): void;
  traps(): readonly { readonly condition: string; readonly action: string }[];
  /** Waits for a job by its process id; undefined when there is none such. */
  waitFor(pid: number): Awaitable<number> | undefined;
  /** Waits for the first job to end, of all or of those with these process ids; undefined when there is none. No `pid`: a signal ended the waiting. */
  waitForFirst(
    pids: readonly number[] | undefined,
  ): Promise<{ readonly pid: number | undefined; readonly status: number }> | undefined;
  /** 0, or 128 and more when a signal ended the waiting. */
  waitForAll(): Awaitable<number>;
  jobs(): readonly JobView[];
  /** The shell no longer knows of a job, which goes on. */
  forgetJob(pid: number): void;
  /** `$$` */
  readonly pid: number;
  /** Sends a signal to this shell or one of its jobs; false when there is no such process. */
  sendSignal(pid: number, signal: string): boolean;
  /** The host's time zone, for when `$TZ` is not set. */
  readonly timeZone: string;
  /** When the run began, in milliseconds since 1970. */
  readonly startedAt: number;
  /** User and system time of the process, in seconds. */
  times(): { readonly user: number; readonly system: number };

  // ---- help
  readonly policyText: () => string;
  /** What `NAME --help` prints, for a command that is no part of the shell. */
  commandHelp(name: string): Awaitable<string | undefined>;
  readonly commandNames: () => readonly string[];
  /** What is explained besides commands; undefined where the program that runs the shell has nothing of the kind. */
  readonly topics: (() => Promise<{ topicText(name: string): string | undefined; topicList(): string }>) | undefined;
  /** Whether a command of the program that runs the shell comes before a built-in of that name. */
  comesBefore(name: string): boolean;
  /** Whether the policy lets a command that is inside run. */
  isAllowed(name: string): boolean;
}

export interface JobView {
  readonly number: number;
  readonly pid: number;
  readonly text: string;
  /** Undefined while it runs. */
  readonly status: number | undefined;
}

export type CommandKind = 'reserved word' | 'alias' | 'function' | 'special built-in' | 'built-in' | 'command';

/** A utility that is part of the shell. `argv[0]` is its name. */
export interface ShellBuiltin {
  /** Its name first, then others it is found by. */
  readonly names: readonly string[];
  /** POSIX 2.15: assignments before it persist, and its errors end a script. */
  readonly special: boolean;
  readonly summary: string;
  readonly usage: string;
  /** `declared`: for `declare` and its like, the arguments that are assignments, by their place in `argv`. */
  run(shell: Shell, argv: readonly string[], declared?: ReadonlyMap<number, ExpandedAssignment>): Awaitable<Outcome>;
}
