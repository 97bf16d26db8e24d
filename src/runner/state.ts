/**
 * The state of one shell: what a subshell gets a copy of. Everything the copies share is in its `scope`.
 */
import type { Shell } from '../../builtins/shell/shell.js';
import type { Arithmetic, CommandSubstitution, CompoundCommand, ProcessSubstitution } from '../../grammar/ast.js';
import { decodeDollarQuoted, isProblem, parseArithmetic, rightOperand } from '../../grammar/index.js';
import { SIGNALLED } from '../errors.js';
import { evaluateText } from '../expansion/arithmetic.js';
import { ExpansionError, type ExpansionHost, type PatternOption } from '../expansion/host.js';
import { FieldSeparators } from '../expansion/splitting.js';
import type { Files } from '../files/files.js';
import type { DescriptorTable } from '../io/descriptors.js';
import { type Limits, limitReached } from '../limits.js';
import type { Awaitable, Look, Tick, Waiting } from '../steps.js';
import type { Int } from '../text/int64.js';
import * as arrays from './arrays.js';
import type { RunningCommand } from './command-text.js';
import { assignDynamic, dynamicElements, dynamicValue } from './dynamic.js';
import type { Job } from './jobs.js';
import { INITIAL_OPTIONS, OPTIONS, optionLetters } from './options.js';
import { Positional } from './positional.js';
import { substituteProcess } from './process-substitution.js';
import { expandPrompt } from './prompt.js';
import type { Scope } from './scope.js';
import { SharedTable } from './shared-table.js';
import { INITIAL_SHOPT, SHOPT } from './shopt.js';
import { SignalGroup } from './signals.js';
import type { SourceText } from './source.js';
import { substitute } from './subshells.js';
import { canonicalInteger, type Variable, type Variables } from './variables.js';

/** A function: its body, and the text that body stands in (for `$LINENO` and messages). */
export interface ShellFunction {
  readonly body: CompoundCommand;
  readonly source: SourceText;
  /** `export -f`: a nested shell has it too. */
  readonly exported: boolean;
  readonly readonly: boolean;
  /** `declare -ft`: it has the DEBUG and RETURN traps of its caller. */
  readonly traced: boolean;
}

/** A process as scripts see it: the run itself, or a nested `sh`. Its subshells share it, and so its `$$`. */
export interface VirtualProcess {
  readonly pid: number;
  readonly parentPid: number;
  /** The shell that is the process, not one of its subshells: it takes the signals. */
  main: ShellState | undefined;
  /** Signals that were ignored when a nested `sh` began: it can neither trap nor reset them (POSIX 2.15 trap). */
  readonly ignored?: ReadonlySet<string>;
}

/** A function that is running, or a file run by `.`: for `FUNCNAME`, `BASH_SOURCE`, `BASH_LINENO`. */
export interface Call {
  readonly name: string;
  /** Where it was called. */
  readonly source: SourceText;
  readonly offset: number;
  readonly caller: Call | undefined;
}

/** Undoes what a function call did to variables. */
export type LocalFrame = Map<string, Variable | undefined>;

const NO_TRAPS: ReadonlyMap<string, string> = new Map();
const NO_PARAMETERS = new Positional([]);
const DEFAULT_SEPARATORS = new FieldSeparators(undefined);

export class ShellState implements ExpansionHost {
  readonly scope: Scope;
  readonly limits: Limits;
  readonly process: VirtualProcess;
  readonly variables: Variables;
  descriptors: DescriptorTable;

  functions: SharedTable<ShellFunction>;
  aliases: SharedTable<string>;
  options: number = INITIAL_OPTIONS;
  logicalCwd = '/';
  physicalCwd = '/';
  /** What `pushd` put below the working directory, the next to go to first. */
  directoryStack: readonly string[] = [];
  umask = 0o022;
  /** Actions by condition (`EXIT`, `TERM`); `` ignores. Changed by `setTrap` alone: most shells share the empty one. */
  traps = NO_TRAPS;
  /** In a subshell: the parent's traps, which `trap` lists until one is set (POSIX 2.15 trap). */
  inheritedTraps: ReadonlyMap<string, string> | undefined = undefined;
  jobs: Job[] = [];
  /** `$BASHPID` of a subshell, once somebody has asked; a job's is its `$!`. */
  subshellPid: number | undefined = undefined;
  /** In a subshell: the jobs of the shells around it. It can signal them, and `$(jobs -p)` lists them; it cannot wait for them. */
  outerJobs: readonly Job[] = [];
  /** The statuses of jobs that were waited for, by process id. */
  waitedFor: Map<number, number> | undefined = undefined;

  /** `$0` and the positional parameters. */
  zero = 'rmsh';
  parameters: Positional;
  /** `$?` */
  status = 0;
  /** `$!` */
  lastBackground: number | undefined = undefined;
  /** Status of the last command substitution of this command, for `x=$(false)`; -1: there was none. */
  substitutionStatus = -1;
  /** How many texts are being run, each within the one before, for `set -x`. */
  traceDepth = 0;
  /** How many prompts are being expanded, each within the one before. */
  promptDepth = 0;
  /** For `\\!` and `\\#` of a prompt: what the next line will be in the history, and of this shell. */
  historyNumber = 1;
  commandNumber = 1;

  /** Where we are in which text. */
  source: SourceText;
  offset = 0;
  /** How many places that ask for a status we are in: `set -e` does not apply. */
  errexitIgnored = 0;
  loopDepth = 0;
  functionDepth = 0;
  dotDepth = 0;
  subshellDepth = 0;
  locals: LocalFrame[] = [];
  /** The innermost call. */
  calls: Call | undefined = undefined;
  /** `PIPESTATUS` of the last pipeline; undefined: the last command was none, and its status is all. */
  pipeStatus: readonly number[] | undefined = undefined;
  /** `$RANDOM` once it was seeded, and the number it gave last; a subshell has numbers of its own. */
  random: { readonly seed: number; readonly last: number } | undefined = undefined;
  /** `$_`: the last word of the command before. */
  lastArgument = '';
  /** The time at which `$SECONDS` was 0, in milliseconds, where that was set. */
  secondsFrom: number | undefined = undefined;
  /** Options of `shopt`, as bits. */
  shopt: number = INITIAL_SHOPT;
  /** Descriptors of `<( )` and `>( )` that the command being run was given. */
  lent: number[] = [];
  /** Set by `exec` without a command: the redirections of this command stay. */
  redirectionsKept = false;
  /** Who gets the signals that are meant for this shell: shared with its subshells. */
  signals: SignalGroup;
  /** For a nested shell: its group no longer ends with the group of the shell that started it. */
  leaveGroup: (() => void) | undefined = undefined;
  /** How the utility that was run last ended: for who ran it in a shell of its own. */
  ending: 'exited' | 'not run' | 'signalled' = 'exited';
  exitTrapRun = false;
  /** The ERR trap is running: a failure in it does not run it again. */
  inErrorTrap = false;
  /** Likewise for DEBUG and RETURN. */
  inDebugTrap = false;
  inReturnTrap = false;
  /** `$BASH_COMMAND`; in a trap's action it stays that of the command the trap was run for. */
  command: RunningCommand | undefined = undefined;
  trapCommand: RunningCommand | undefined = undefined;
  /** The DEBUG action has been run for this command, before the shell was forked for it. */
  debugged: RunningCommand | undefined = undefined;
  /** In a trap's action: what `$?` was before it, which an `exit` without a status takes (POSIX 2.15 exit). */
  trapStatus: number | undefined = undefined;

  /** What the built-ins see of this shell, made when the first of them is called. */
  view: Shell | undefined = undefined;

  #tick: Tick | undefined = undefined;
  #separators = DEFAULT_SEPARATORS;
  #files: Files | undefined = undefined;
  #filesCommand = '';
  #filesCwd = '';

  constructor(
    scope: Scope,
    process: VirtualProcess,
    variables: Variables,
    descriptors: DescriptorTable,
    source: SourceText,
    parent?: ShellState,
  ) {
    this.scope = scope;
    this.limits = scope.limits;
    this.functions = parent === undefined ? new SharedTable() : parent.functions.fork();
    this.aliases = parent === undefined ? new SharedTable() : parent.aliases.fork();
    this.parameters = parent === undefined ? NO_PARAMETERS : parent.parameters;
    this.signals = parent === undefined ? new SignalGroup() : parent.signals;
    this.process = process;
    this.variables = variables;
    this.descriptors = descriptors;
    this.source = source;
  }

  /** A copy for a subshell (POSIX 2.13). `endFork` when it has ended. */
  fork(): ShellState {
    const child = new ShellState(
      this.scope,
      this.process,
      this.variables.fork(),
      this.descriptors.fork(),
      this.source,
      this,
    );
    child.options = this.options;
    child.logicalCwd = this.logicalCwd;
    child.physicalCwd = this.physicalCwd;
    child.directoryStack = this.directoryStack;
    child.umask = this.umask;
    child.inheritTraps(this);
    child.zero = this.zero;
    child.calls = this.calls;
    // The function goes on in the subshell: what it makes its own there is its own there. An empty frame is nobody's to write to.
    const frame = this.locals.at(-1);
    if (frame !== undefined) child.locals = [frame.size === 0 ? frame : new Map(frame)];
    child.shopt = this.shopt;
    child.secondsFrom = this.secondsFrom;
    child.lastArgument = this.lastArgument;
    child.traceDepth = this.traceDepth;
    child.status = this.status;
    child.pipeStatus = this.pipeStatus;
    child.lastBackground = this.lastBackground;
    child.offset = this.offset;
    child.errexitIgnored = this.errexitIgnored;
    child.loopDepth = this.loopDepth;
    child.functionDepth = this.functionDepth;
    child.dotDepth = this.dotDepth;
    child.command = this.command;
    child.trapCommand = this.trapCommand;
    child.inDebugTrap = this.inDebugTrap;
    child.inReturnTrap = this.inReturnTrap;
    child.subshellDepth = this.subshellDepth + 1;
    if (this.jobs.length > 0) child.outerJobs = [...this.outerJobs, ...this.jobs];
    else child.outerJobs = this.outerJobs;
    return child;
  }

  /** This shell in the next run of a session: everything it has set and opened, under the new run's scope. */
  continueIn(scope: Scope, process: VirtualProcess): ShellState {
    const next = new ShellState(scope, process, this.variables, this.descriptors, this.source);
    next.functions = this.functions;
    next.aliases = this.aliases;
    next.options = this.options;
    next.shopt = this.shopt;
    next.random = this.random;
    next.secondsFrom = this.secondsFrom;
    next.lastArgument = this.lastArgument;
    next.logicalCwd = this.logicalCwd;
    next.physicalCwd = this.physicalCwd;
    next.directoryStack = this.directoryStack;
    next.umask = this.umask;
    next.traps = this.traps;
    next.jobs = this.jobs;
    next.waitedFor = this.waitedFor;
    next.zero = this.zero;
    next.parameters = this.parameters;
    next.status = this.status;
    next.pipeStatus = this.pipeStatus;
    next.lastBackground = this.lastBackground;
    next.historyNumber = this.historyNumber;
    next.commandNumber = this.commandNumber;
    return next;
  }

  /** Traps that ignore stay; actions are reset, but still listed (POSIX 2.13). */
  private inheritTraps(parent: ShellState): void {
    if (parent.traps.size === 0) {
      this.inheritedTraps = parent.inheritedTraps;
      return;
    }
    for (const [condition, action] of parent.traps) if (action === '') this.setTrap(condition, action);
    const inherited = [
      ...((this.options & OPTIONS.errtrace.bit) === 0 ? [] : ['ERR']),
      ...((this.options & OPTIONS.functrace.bit) === 0 ? [] : ['DEBUG', 'RETURN']),
    ];
    for (const condition of inherited) {
      const action = parent.traps.get(condition);
      if (action !== undefined) this.setTrap(condition, action);
    }
    this.inheritedTraps = parent.traps;
  }

  /** Undefined takes the action away. */
  setTrap(condition: string, action: string | undefined): void {
    const traps = new Map(this.traps);
    if (action === undefined) traps.delete(condition);
    else traps.set(condition, action);
    this.traps = traps;
  }

  /** A command at work notices not only the end of the run, but also a signal that ends its shell. */
  get tick(): Tick {
    this.#tick ??= () => {
      if (this.signals.fatalFor(this) !== undefined) throw SIGNALLED;
      // What was announced and could not be waited for on the spot is waited for before anything else is done.
      return this.scope.audit?.pending ?? this.scope.tick();
    };
    return this.#tick;
  }

  /** As `tick`, for what cannot wait. */
  get look(): Look {
    return this.scope.ticker.look;
  }

  /** The subshell is over: its descriptors are closed, its variables no longer seen. */
  endFork(): Waiting {
    this.leaveGroup?.();
    this.variables.release();
    this.functions.release();
    this.aliases.release();
    return this.descriptors.closeAll();
  }

  // ------------------------------------------------------------------------------------------------- parameters

  parameter(name: string): string | undefined {
    const first = name.charCodeAt(0);
    if ((first | 32) >= 97 || first === 95) {
      const variable = this.variables.get(name);
      return variable === undefined || variable.dynamic ? dynamicValue(this, name) : variable.value;
    }
    if (name.length === 1) {
      if (first >= 49 && first <= 57) return this.parameters.at(first - 48);
      switch (name) {
        case '?':
          return String(this.status);
        case '#':
          return String(this.parameters.length);
        case '$':
          return String(this.process.pid);
        case '!':
          return this.lastBackground === undefined ? undefined : String(this.lastBackground);
        case '-':
          return optionLetters(this.options);
        case '0':
          return this.zero;
        case '@':
        case '*':
          return this.parameters.length === 0 ? undefined : this.args.join(name === '@' ? ' ' : this.separators.joiner);
      }
    }
    const index = Number(name);
    return index === 0 ? this.zero : this.parameters.at(index);
  }

  positional(): readonly string[] {
    return this.parameters.words;
  }

  get args(): readonly string[] {
    return this.parameters.words;
  }

  set args(words: readonly string[]) {
    this.parameters = new Positional(words);
  }

  integer(name: string): Int | undefined {
    const first = name.charCodeAt(0);
    if (first >= 49 && first <= 57) {
      const text = this.parameter(name);
      return text === undefined ? undefined : canonicalInteger(text);
    }
    if (first === 35) return this.parameters.length;
    const variable = this.variables.get(name);
    if (variable === undefined) return undefined;
    if (variable.int === undefined && variable.text !== undefined) variable.int = canonicalInteger(variable.text);
    return variable.int;
  }

  elements(name: string): readonly string[] {
    const variable = this.variables.get(name);
    return variable === undefined || variable.dynamic ? dynamicElements(this, name) : arrays.elementsOf(variable);
  }

  keys(name: string): readonly string[] {
    const variable = this.variables.get(name);
    return variable === undefined || variable.dynamic
      ? Object.keys(dynamicElements(this, name))
      : arrays.keysOf(variable);
  }

  element(name: string, subscript: string): string | undefined {
    const variable = this.variables.get(name);
    if (variable !== undefined && !variable.dynamic) return arrays.elementOf(this, variable, subscript);
    return dynamicElements(this, name).at(Number(evaluateText(this, subscript)));
  }

  isAssociative(name: string): boolean {
    return this.variables.get(name)?.array instanceof Map;
  }

  assignElement(name: string, subscript: string, value: string): void {
    arrays.assignElement(this, name, subscript, value);
  }

  referenceTarget(name: string): string | undefined {
    const variable = this.variables.raw(name);
    return variable?.reference === true ? this.variables.targetOf(name) : undefined;
  }

  variableNames(prefix: string): readonly string[] {
    const names: string[] = [];
    for (const [name, variable] of this.variables.all())
      if (name.startsWith(prefix) && variable.isSet) names.push(name);
    return names.sort();
  }

  attributes(name: string): string {
    return arrays.attributesOf(this.variables.get(name));
  }

  declaration(name: string): string {
    const variable = this.variables.get(name);
    return variable === undefined ? '' : arrays.declarationOf(variable);
  }

  unescape(text: string): string {
    return decodeDollarQuoted(text);
  }

  prompt(text: string): Awaitable<string> {
    return expandPrompt(this, text);
  }

  processSubstitution(node: ProcessSubstitution): string {
    return substituteProcess(this, node);
  }

  assign(name: string, value: string): void {
    const variable = this.variables.own(name);
    if (variable.readonly) throw new ExpansionError(`${variable.name}: readonly variable`);
    if (variable.dynamic) assignDynamic(this, name, value);
    else this.variables.setText(variable, this.fitted(variable, value));
    if ((this.options & OPTIONS.allexport.bit) !== 0) variable.exported = true;
  }

  assignInteger(name: string, value: Int): void {
    const variable = this.variables.own(name);
    if (variable.readonly) throw new ExpansionError(`${variable.name}: readonly variable`);
    if (variable.dynamic) assignDynamic(this, name, String(value));
    else this.variables.setInteger(variable, value);
    if ((this.options & OPTIONS.allexport.bit) !== 0) variable.exported = true;
  }

  /** A value as the variable's attributes make it: evaluated (`declare -i`), or in one case (`-l`, `-u`). */
  fitted(variable: Variable, value: string): string {
    if (variable.integer) return String(evaluateText(this, value));
    if (variable.folding === undefined) return value;
    return variable.folding === 'lower' ? value.toLowerCase() : value.toUpperCase();
  }

  get separators(): FieldSeparators {
    const ifs = this.variables.get('IFS')?.value;
    if (ifs !== this.#separators.source) this.#separators = new FieldSeparators(ifs);
    return this.#separators;
  }

  get noglob(): boolean {
    return (this.options & OPTIONS.noglob.bit) !== 0;
  }

  patternOption(name: PatternOption): boolean {
    return (this.shopt & SHOPT[name]) !== 0;
  }

  get ignoredPathnames(): string | undefined {
    return this.variables.get('GLOBIGNORE')?.value || undefined;
  }

  get patternNesting(): number {
    return (this.shopt & SHOPT.extglob) === 0 ? 0 : this.limits.maxNesting;
  }

  get nounset(): boolean {
    return (this.options & OPTIONS.nounset.bit) !== 0;
  }

  get tracing(): boolean {
    return (this.options & OPTIONS.xtrace.bit) !== 0;
  }

  home(user: string): string | undefined {
    if (user === '') return this.variables.get('HOME')?.value;
    if (user === '+') return this.variables.get('PWD')?.value;
    if (user === '-') return this.variables.get('OLDPWD')?.value;
    return undefined;
  }

  parseArithmetic(text: string): Arithmetic | string {
    const result = parseArithmetic(text, { maxNesting: this.limits.maxNesting });
    if (!isProblem(result)) return result;
    if (result.kind === 'nesting') throw limitReached('maxNesting', this.limits.maxNesting);
    return result.message;
  }

  rightOperand(node: Arithmetic): { readonly text: string; readonly offset: number } | undefined {
    return rightOperand(node);
  }

  substitute(node: CommandSubstitution): Awaitable<string> {
    return substitute(this, node);
  }

  // ------------------------------------------------------------------------------------------------------- files

  /** The files as the shell itself asks for them: redirections, pathname expansion, `.`. */
  get fs(): Files {
    return this.filesFor('');
  }

  /** The files as `command` asks for them; the same object while nothing it is bound to changes. */
  filesFor(command: string): Files {
    if (this.#files !== undefined && this.#filesCommand === command && this.#filesCwd === this.physicalCwd) {
      return this.#files;
    }
    const shell = this;
    this.#filesCommand = command;
    this.#filesCwd = this.physicalCwd;
    this.#files = this.scope.store.for({
      get logicalCwd() {
        return shell.logicalCwd;
      },
      get physicalCwd() {
        return shell.physicalCwd;
      },
      get umask() {
        return shell.umask;
      },
      command,
      get source() {
        return shell.source.name;
      },
      get line() {
        return shell.line;
      },
    });
    return this.#files;
  }

  // ---------------------------------------------------------------------------------------------------- messages

  /** Line of the command that is being run, 1-based. */
  get line(): number {
    return this.source.lineOf(this.offset);
  }

  /** `NAME: line N: message` on the error stream. */
  complain(message: string): void {
    this.writeError(`${this.source.name}: line ${this.line}: ${message}\n`);
  }

  /** Text for the error stream. A stream that is closed or broken takes nothing, as in any shell. */
  writeError(text: string): void {
    try {
      const waiting = this.descriptors.get(2)?.sink?.writeText(text);
      if (waiting !== undefined) waiting.catch(() => {});
    } catch {
      // Nobody is left to be told.
    }
  }

  setFunction(name: string, value: ShellFunction | undefined): void {
    this.functions.set(name, value);
  }
}
