/** The Shell that the built-in utilities see, over a state. */
import type { Output } from '../../builtins/kit/context.js';
import { completion, type Outcome, statusOf } from '../../builtins/kit/outcome.js';
import { helpText } from '../../builtins/kit/usage.js';
import type {
  AttributeChanges,
  CommandKind,
  ExpandedAssignment,
  ExpandedElement,
  FunctionMark,
  JobView,
  ReadLine,
  Shell,
  VariableView,
} from '../../builtins/shell/shell.js';
import { isReservedWord, print } from '../../grammar/index.js';
import { evaluateText } from '../expansion/arithmetic.js';
import { ArithmeticError, ExpansionError, type PatternOption } from '../expansion/host.js';
import { expandPathname } from '../expansion/pathnames.js';
import type { Files } from '../files/files.js';
import { readLine } from '../io/line-reader.js';
import { outputOf } from '../io/output.js';
import type { ByteSource } from '../io/streams.js';
import { type Limits, limitReached } from '../limits.js';
import { type Awaitable, andThen, lastly, type Tick } from '../steps.js';
import { decode } from '../text/bytes.js';
import { assignArray, attributesOf, declarationOf, unsetElement } from './arrays.js';
import { expandArrayText } from './assignments.js';
import { nested } from './commands.js';
import { declareVariable } from './declare-variable.js';
import { dynamicValue } from './dynamic.js';
import { argumentBytes, makeLocal, makeOptionsLocal } from './functions.js';
import { givenKey } from './given-key.js';
import { policyText } from './help.js';
import { dispatch, findUtility, NESTED_SHELLS, searchPath, shellBuiltin } from './invoke.js';
import { type FirstEnded, type Job, jobText, waitForFirst, waitForJob, waitForJobs } from './jobs.js';
import { isSettable, OPTIONS, optionByLetter, optionNames } from './options.js';
import { evaluate, restoring, runText } from './run.js';
import { readScript } from './script-files.js';
import { isShopt, SHOPT, shoptNames } from './shopt.js';
import { SourceText } from './source.js';
import type { ShellState } from './state.js';
import { hideTraps, returnTrap } from './tracing-traps.js';

/** One view a state, made when a built-in first asks. */
export function builtinShell(state: ShellState): Shell {
  state.view ??= new BuiltinShell(state);
  return state.view;
}

/** Of a word in the list of a command that another one runs. */
const WORD_BYTES = 8;

class BuiltinShell implements Shell {
  readonly #state: ShellState;

  constructor(state: ShellState) {
    this.#state = state;
  }

  // ----------------------------------------------------------------------------------------------------- streams

  get out(): Output {
    return outputOf(this.#state.descriptors.stdout);
  }
  get err(): Output {
    return outputOf(this.#state.descriptors.stderr);
  }
  source(descriptor: number): ByteSource | undefined {
    return this.#state.descriptors.get(descriptor)?.source;
  }
  readLine(source: ByteSource, delimiter: number): Awaitable<ReadLine | undefined> {
    return readLine(source, delimiter, this.#state.limits.maxStringBytes);
  }
  async within<T>(step: Promise<T>, milliseconds: number): Promise<T | undefined> {
    const waiting = this.#state.scope.ticker.sleep(milliseconds);
    try {
      return await Promise.race([step, waiting.done.then(() => undefined)]);
    } finally {
      waiting.cancel();
      // Whoever asks the same source again hears of its failure.
      step.catch(() => {});
    }
  }
  isTerminal(descriptor: number): boolean {
    return this.#state.descriptors.get(descriptor)?.facts.terminal === true;
  }
  isPipe(descriptor: number): boolean {
    const facts = this.#state.descriptors.get(descriptor)?.facts;
    if (facts === undefined) return false;
    return facts.pipe ?? (facts.origin === undefined && facts.file === undefined && !facts.terminal);
  }
  complain(message: string): void {
    this.#state.complain(message);
  }
  get tick(): Tick {
    return this.#state.tick;
  }
  get limits(): Limits {
    return this.#state.limits;
  }

  // --------------------------------------------------------------------------------------------------- variables

  parameter(name: string): string | undefined {
    return this.#state.parameter(name);
  }
  variables(): VariableView[] {
    return [...this.#state.variables.all().values()].filter(
      (variable) => variable.isSet || variable.exported || variable.readonly,
    );
  }
  variable(name: string): VariableView | undefined {
    return this.#state.variables.get(name);
  }
  setVariable(name: string, value: string): boolean {
    if (this.#refuseReadonly(name)) return false;
    this.#state.assign(name, value);
    return true;
  }
  mark(name: string, how: 'exported' | 'readonly', on: boolean): void {
    this.#state.variables.own(name)[how] = on;
  }
  isSet(text: string): boolean {
    const open = text.indexOf('[');
    if (open < 0 || !text.endsWith(']')) return this.#state.parameter(text) !== undefined;
    const subscript = text.slice(open + 1, -1);
    const name = text.slice(0, open);
    if (subscript === '@' || subscript === '*') return this.#state.elements(name).length > 0;
    return this.#state.element(name, subscript) !== undefined;
  }
  isReference(name: string): boolean {
    return this.#state.variables.raw(name)?.reference === true;
  }
  unsetVariable(name: string): boolean {
    if (this.#state.variables.get(name)?.readonly === true) {
      this.#state.complain(`unset: ${name}: cannot unset: readonly variable`);
      return false;
    }
    const target = this.#state.variables.targetOf(name);
    this.#state.variables.unset(target);
    // One whose value is made when it is asked for, and that nobody has assigned to, is no variable yet.
    if (dynamicValue(this.#state, target) !== undefined) this.#state.variables.restore(target, undefined);
    return true;
  }
  unsetReference(name: string): boolean {
    const variable = this.#state.variables.raw(name);
    if (variable?.readonly === true) {
      this.#state.complain(`unset: ${name}: cannot unset: readonly variable`);
      return false;
    }
    if (variable?.reference === true) this.#state.variables.unset(name);
    return true;
  }
  elements(name: string): readonly string[] {
    return this.#state.elements(name);
  }
  setArray(name: string, values: readonly string[]): boolean {
    return this.#attempt(() =>
      assignArray(
        this.#state,
        name,
        values.map((value) => ({ subscript: undefined, append: false, value })),
        false,
      ),
    );
  }
  setElement(name: string, subscript: string, value: string): boolean {
    return this.#attempt(() => this.#state.assignElement(name, subscript, value));
  }
  unsetElement(name: string, subscript: string): boolean {
    return this.#attempt(() => unsetElement(this.#state, name, givenKey(this.#state, name, subscript)), 'unset: ');
  }
  declare(assignment: ExpandedAssignment, changes: AttributeChanges, command: string): boolean {
    return this.#attempt(() => declareVariable(this.#state, assignment, changes, command));
  }
  declareGlobal(assignment: ExpandedAssignment, changes: AttributeChanges, command: string): boolean {
    const { locals, variables } = this.#state;
    const { name } = assignment;
    // The outermost function that has one of its own keeps what lies outside of all functions.
    const frame = locals.find((one) => one.has(name));
    if (frame === undefined) return this.declare(assignment, changes, command);
    const own = variables.raw(name);
    variables.restore(name, frame.get(name));
    try {
      return this.declare(assignment, changes, command);
    } finally {
      frame.set(name, variables.raw(name));
      variables.restore(name, own);
    }
  }
  /** Of the very name: a reference is shown as one. */
  declaration(name: string): string | undefined {
    const variable = this.#state.variables.raw(name);
    return variable === undefined || variable.gone ? undefined : declarationOf(variable);
  }
  arrayElements(text: string): Awaitable<readonly ExpandedElement[] | undefined> {
    return expandArrayText(this.#state, text);
  }
  attributes(name: string): string {
    return attributesOf(this.#state.variables.raw(name));
  }
  arithmetic(text: string, command: string): number | bigint | undefined {
    let value: number | bigint | undefined;
    this.#attempt(() => {
      value = evaluateText(this.#state, text);
    }, `${command}: `);
    return value;
  }
  /** Runs what may throw an ExpansionError: then a message, and false. An expression that is assigned and is none ends the script. */
  #attempt(change: () => void, prefix = ''): boolean {
    try {
      change();
      return true;
    } catch (error) {
      if (!(error instanceof ExpansionError) || (error instanceof ArithmeticError && prefix === '')) throw error;
      this.#state.complain(prefix + error.message);
      return false;
    }
  }
  get shoptNames(): readonly string[] {
    return shoptNames();
  }
  shopt(name: string): boolean {
    return isShopt(name) && (this.#state.shopt & SHOPT[name]) !== 0;
  }
  setShopt(name: string, on: boolean): void {
    if (!isShopt(name)) return;
    this.#state.shopt = on ? this.#state.shopt | SHOPT[name] : this.#state.shopt & ~SHOPT[name];
  }
  get optionPlace(): number {
    return this.#state.variables.get('OPTIND')?.place ?? 0;
  }
  setOptionIndex(index: number, place: number): boolean {
    if (!this.setVariable('OPTIND', String(index))) return false;
    this.#state.variables.own('OPTIND').place = place;
    return true;
  }
  get localNames(): readonly string[] {
    return [...(this.#state.locals.at(-1)?.keys() ?? [])].filter((name) => name !== '-');
  }
  makeLocal(name: string): boolean {
    return makeLocal(this.#state, name);
  }
  makeOptionsLocal(): void {
    makeOptionsLocal(this.#state);
  }
  #refuseReadonly(name: string): boolean {
    if (this.#state.variables.get(name)?.readonly !== true) return false;
    this.#state.complain(`${name}: readonly variable`);
    return true;
  }

  // --------------------------------------------------------------------------------- parameters, functions, options

  positional(): readonly string[] {
    return this.#state.args;
  }
  setPositional(args: readonly string[]): void {
    const { maxVariableBytes } = this.#state.limits;
    if (argumentBytes(args) > maxVariableBytes) throw limitReached('maxVariableBytes', maxVariableBytes);
    this.#state.args = args;
  }
  shift(count: number): boolean {
    const { parameters } = this.#state;
    if (count > parameters.length) return false;
    this.#state.parameters = parameters.shifted(count);
    return true;
  }
  hasFunction(name: string): boolean {
    return this.#state.functions.get(name) !== undefined;
  }
  unsetFunction(name: string): boolean {
    if (this.#state.functions.get(name)?.readonly === true) {
      this.#state.complain(`unset: ${name}: cannot unset: readonly function`);
      return false;
    }
    this.#state.setFunction(name, undefined);
    return true;
  }
  functionAttributes(name: string): string {
    const found = this.#state.functions.get(name);
    if (found === undefined) return '';
    return `${found.readonly ? 'r' : ''}${found.traced ? 't' : ''}${found.exported ? 'x' : ''}`;
  }
  markFunction(name: string, how: FunctionMark, on: boolean): boolean {
    const found = this.#state.functions.get(name);
    if (found === undefined) return false;
    if (how === 'readonly' && found.readonly && !on) {
      this.#state.complain(`${name}: readonly function`);
      return false;
    }
    this.#state.setFunction(name, { ...found, [how]: on });
    return true;
  }
  functionNames(): readonly string[] {
    return this.#state.functions.names();
  }
  functionText(name: string): string | undefined {
    const found = this.#state.functions.get(name);
    return found === undefined ? undefined : `${name}() ${print(found.body).trimEnd()}`;
  }
  aliasNames(): readonly string[] {
    return this.#state.aliases.names();
  }
  alias(name: string): string | undefined {
    return this.#state.aliases.get(name);
  }
  setAlias(name: string, value: string | undefined): void {
    const { aliases, variables } = this.#state;
    variables.charge((value?.length ?? 0) - (aliases.get(name)?.length ?? 0));
    aliases.set(name, value);
  }
  option(name: string): boolean {
    return isSettable(name) && (this.#state.options & OPTIONS[name].bit) !== 0;
  }
  setOption(name: string, on: boolean): boolean {
    if (!isSettable(name)) return false;
    const { bit } = OPTIONS[name];
    // one line editor at a time
    const other = name === 'vi' ? OPTIONS.emacs.bit : name === 'emacs' ? OPTIONS.vi.bit : 0;
    this.#state.options = on ? (this.#state.options & ~other) | bit : this.#state.options & ~bit;
    // As bash does: POSIX's `$( )` has `set -e` of the shell around it.
    if (name === 'posix' && on) this.#state.shopt |= SHOPT.inherit_errexit;
    return true;
  }
  optionByLetter(letter: string): string | undefined {
    const name = optionByLetter(letter);
    return name === 'interactive' ? undefined : name;
  }
  get optionNames(): readonly string[] {
    return optionNames()
      .filter((name) => name !== 'interactive')
      .sort();
  }

  // ------------------------------------------------------------------------------------------------ where we are

  get status(): number {
    return this.#state.status;
  }
  get loopDepth(): number {
    return this.#state.loopDepth;
  }
  get inFunction(): boolean {
    return this.#state.functionDepth > 0;
  }
  get inDotScript(): boolean {
    return this.#state.dotDepth > 0;
  }
  get logicalCwd(): string {
    return this.#state.logicalCwd;
  }
  get physicalCwd(): string {
    return this.#state.physicalCwd;
  }
  changeDirectory(path: string, physical: boolean): void {
    const resolved = this.#state.fs.resolveDirectory(path);
    this.#state.physicalCwd = resolved;
    this.#state.logicalCwd = physical ? resolved : path;
  }
  get directoryStack(): readonly string[] {
    return this.#state.directoryStack;
  }
  set directoryStack(paths: readonly string[]) {
    this.#state.directoryStack = paths;
  }
  get umask(): number {
    return this.#state.umask;
  }
  set umask(mask: number) {
    this.#state.umask = mask;
  }
  get fs(): Files {
    return this.#state.fs;
  }

  // ----------------------------------------------------------------------------------------------------- running

  pathnames(pattern: string): Awaitable<readonly string[]> {
    const state = this.#state;
    const { patternNesting, ignoredPathnames, limits, tick, fs } = state;
    const found: string[] = [];
    // What nothing matches is told as none, and is no error.
    const patternOption = (name: PatternOption): boolean =>
      name === 'nullglob' || (name !== 'failglob' && state.patternOption(name));
    const host = { patternOption, patternNesting, ignoredPathnames, limits, tick, fs };
    const waiting = expandPathname(host, pattern, '', found);
    return waiting === undefined ? found : waiting.then(() => found);
  }

  evaluate(text: string): Awaitable<Outcome> {
    return evaluate(this.#state, text, 'eval');
  }

  runFile(path: string, args: readonly string[] | undefined): Awaitable<Outcome> {
    const state = this.#state;
    const text = decode(readScript(state, path));
    const { source, offset, parameters } = state;
    if (args !== undefined) state.args = args;
    state.dotDepth += 1;
    const unhide = hideTraps(state, 'file');
    const back = () => {
      unhide?.();
      state.source = source;
      state.offset = offset;
      state.dotDepth -= 1;
      if (args !== undefined) state.parameters = parameters;
    };
    const { command } = state;
    const run = () => runText(state, new SourceText(path, text, 1, '.'));
    const outcome = restoring(state, back, () =>
      andThen(run(), (late) => {
        if (typeof late === 'object' && late.kind !== 'return') return late;
        state.command = command;
        return andThen(returnTrap(state) ?? 0, (after) => (typeof after === 'number' ? late : after));
      }),
    );
    return andThen(outcome, (late) => (typeof late === 'object' && late.kind === 'return' ? late.status : late));
  }

  runCommand(
    by: string,
    argv: readonly string[],
    declared?: ReadonlyMap<number, ExpandedAssignment>,
  ): Awaitable<Outcome> {
    const state = this.#state;
    const { counters, limits } = state.scope;
    // Each of `command command command ...` holds the words that follow it.
    const held = argv.length * WORD_BYTES;
    if (counters.argumentBytes + held > limits.maxVariableBytes) {
      throw limitReached('maxVariableBytes', limits.maxVariableBytes);
    }
    state.look();
    counters.argumentBytes += held;
    return lastly(
      () => nested(() => dispatch(state, findUtility(state, argv[0] as string), argv, by, declared)),
      () => {
        counters.argumentBytes -= held;
      },
    );
  }

  describeCommand(name: string): CommandKind | undefined {
    return this.commandKinds(name)[0];
  }
  commandKinds(name: string): readonly CommandKind[] {
    const kinds: CommandKind[] = [];
    if (isReservedWord(name)) kinds.push('reserved word');
    if (this.shopt('expand_aliases') && this.alias(name) !== undefined) kinds.push('alias');
    const builtin = shellBuiltin(name);
    if (builtin?.special === true) kinds.push('special built-in');
    if (this.#state.functions.get(name) !== undefined) kinds.push('function');
    if (builtin?.special === false) kinds.push('built-in');
    if (NESTED_SHELLS.has(name) || this.#state.scope.command(name) !== undefined) kinds.push('command');
    return kinds;
  }
  findScript(name: string): string | undefined {
    if (!name.includes('/')) return searchPath(this.#state, name);
    const { fs } = this.#state;
    return fs.tryStat(name)?.kind === 'file' && fs.access(name, 'execute') ? name : undefined;
  }

  programPath(name: string): string | undefined {
    const { programs } = this.#state.scope;
    return (name.includes('/') ? programs?.findPath(name) : programs?.find(name))?.path;
  }

  keepRedirections(): void {
    this.#state.redirectionsKept = true;
  }

  get exitStatus(): number {
    return this.#state.trapStatus ?? this.#state.status;
  }

  execute(argv: readonly string[]): Awaitable<Outcome> {
    // A process that is replaced runs no EXIT trap.
    this.#state.setTrap('EXIT', undefined);
    return andThen(this.runCommand('exec', argv), (outcome) => completion('exit', statusOf(outcome)));
  }

  // ---------------------------------------------------------------------------------------------- traps and jobs

  setTrap(condition: string, action: string | undefined): void {
    this.#state.inheritedTraps = undefined;
    if (this.#state.process.ignored?.has(condition) === true) return;
    this.#state.setTrap(condition, action);
  }
  traps(): { readonly condition: string; readonly action: string }[] {
    const all = new Map([...(this.#state.inheritedTraps ?? []), ...this.#state.traps]);
    return [...all].map(([condition, action]) => ({ condition, action }));
  }
  waitFor(pid: number): Awaitable<number> | undefined {
    return waitForJob(this.#state, pid);
  }
  waitForFirst(pids: readonly number[] | undefined): Promise<FirstEnded> | undefined {
    return waitForFirst(this.#state, pids);
  }
  waitForAll(): Awaitable<number> {
    return this.#state.jobs.length === 0 ? 0 : waitForJobs(this.#state);
  }
  jobs(): JobView[] {
    const { jobs, outerJobs } = this.#state;
    return (jobs.length === 0 ? outerJobs : jobs).map((job) => ({
      number: job.number,
      pid: job.pid,
      text: jobText(job),
      status: job.status,
    }));
  }
  forgetJob(pid: number): void {
    this.#state.jobs = this.#state.jobs.filter((job) => job.pid !== pid);
  }
  get pid(): number {
    return this.#state.process.pid;
  }
  sendSignal(pid: number, signal: string): boolean {
    const state = this.#state;
    const known = (job: Job): boolean => job.pid === pid;
    const job = state.jobs.find(known) ?? state.outerJobs.find(known);
    if (job !== undefined) {
      if (job.status === undefined && signal !== '') job.shell.signals.deliver(signal, true);
      return true;
    }
    const process = state.scope.processes.get(pid);
    if (process === undefined) return false;
    if (signal !== '') (process.main ?? state).signals.deliver(signal, false);
    return true;
  }
  get startedAt(): number {
    return this.#state.scope.startedAt;
  }

  get timeZone(): string {
    return this.#state.scope.timeZone;
  }
  times(): { readonly user: number; readonly system: number } {
    const { user, system } = process.cpuUsage();
    return { user: user / 1e6, system: system / 1e6 };
  }

  // -------------------------------------------------------------------------------------------------------- help

  get policyText(): () => string {
    return () => policyText(this.#state.scope);
  }
  get commandNames(): () => readonly string[] {
    return () => this.#state.scope.commandNames;
  }
  get topics() {
    return this.#state.scope.topics;
  }
  comesBefore(name: string): boolean {
    return this.#state.scope.own?.has(name) === true;
  }
  isAllowed(name: string): boolean {
    return findUtility(this.#state, name).kind !== 'refused';
  }
  async commandHelp(name: string): Promise<string | undefined> {
    const found = this.#state.scope.command(name);
    if (found === undefined) return undefined;
    const command = typeof found === 'function' ? await found() : found;
    return helpText(command.definition);
  }
}
