/** Simple commands (POSIX 2.9.1): words, then redirections, then assignments, then the command itself. */

import type { Outcome } from '../../builtins/kit/outcome.js';
import type { ExpandedAssignment } from '../../builtins/shell/shell.js';
import type { Assignment, SimpleCommand } from '../../grammar/ast.js';
import { evaluateExpansion } from '../expansion/arithmetic.js';
import { ExpansionError } from '../expansion/host.js';
import { expandString } from '../expansion/words.js';
import { type Awaitable, andThen, rescue, type Waiting } from '../steps.js';
import { announce } from './announce.js';
import { assignExpanded, expandAssignment, expandDeclaration, expandedText } from './assignments.js';
import { expansionFailed } from './commands.js';
import { compareIntegers } from './comparison.js';
import { expandCommand } from './declarations.js';
import { type Declared, findTarget, runTarget, type Target } from './invoke.js';
import { isNotRun } from './options.js';
import { takeBack } from './process-substitution.js';
import { endsShell, withRedirections } from './redirections.js';
import { takeSignals } from './signals.js';
import type { ShellState } from './state.js';
import { assignmentText, trace, traceCommand } from './trace.js';
import { debugTrap } from './tracing-traps.js';
import { Variable } from './variables.js';

export function runSimple(shell: ShellState, node: SimpleCommand): Awaitable<Outcome> {
  shell.offset = node.start;
  const pause = shell.scope.ticker.command();
  if (pause !== undefined) return pause.then(() => runNow(shell, node));
  return runNow(shell, node);
}

function runNow(shell: ShellState, node: SimpleCommand): Awaitable<Outcome> {
  // `set -n; rm x`: the rest of the line is read and not run either.
  if (isNotRun(shell)) return 0;
  if (shell.signals.concerns(shell)) {
    const taken = takeSignals(shell);
    if (taken !== undefined) return taken instanceof Promise ? taken.then((o) => o ?? runNow(shell, node)) : taken;
  }
  if (shell.traps.size > 0) {
    const traced = debugTrap(shell, node);
    if (traced !== undefined) {
      return andThen(traced, (outcome) => (typeof outcome === 'number' ? runTraced(shell, node) : outcome));
    }
  } else if (shell.trapCommand === undefined) shell.command = node;
  return runTraced(shell, node);
}

function runTraced(shell: ShellState, node: SimpleCommand): Awaitable<Outcome> {
  const lent = shell.lent.length;
  let outcome: Awaitable<Outcome>;
  try {
    outcome = start(shell, node);
  } catch (error) {
    takeBack(shell, lent);
    return expansionFailed(shell, error);
  }
  if (outcome instanceof Promise) {
    return outcome.catch((error: unknown) => expansionFailed(shell, error)).finally(() => takeBack(shell, lent));
  }
  if (shell.lent.length > lent) takeBack(shell, lent);
  return outcome;
}

function start(shell: ShellState, node: SimpleCommand): Awaitable<Outcome> {
  shell.substitutionStatus = -1;
  if (node.words.length === 0) return runWithoutName(shell, node);
  // Nothing of a comparison that is not made as a command would be on record.
  const compared = shell.scope.audit === undefined ? compareIntegers(shell, node) : undefined;
  if (compared !== undefined) return compared;
  const argv: string[] = [];
  if (node.declared.length > 0) {
    return andThen(expandDeclaration(shell, node, argv), (declared) => runExpanded(shell, node, argv, declared));
  }
  const waiting = expandCommand(shell, node.words, argv);
  return waiting === undefined
    ? runExpanded(shell, node, argv, undefined)
    : waiting.then(() => runExpanded(shell, node, argv, undefined));
}

function runExpanded(
  shell: ShellState,
  node: SimpleCommand,
  argv: string[],
  declared: Declared | undefined,
): Awaitable<Outcome> {
  if (argv.length === 0) return runWithoutName(shell, node);
  shell.lastArgument = argv[argv.length - 1] as string;
  const target = findTarget(shell, argv[0] as string);
  if (shell.scope.audit !== undefined) {
    const waiting = announce(shell, target, argv);
    if (waiting !== undefined) return waiting.then(() => runFound(shell, node, argv, target, declared));
  }
  return runFound(shell, node, argv, target, declared);
}

function runFound(
  shell: ShellState,
  node: SimpleCommand,
  argv: readonly string[],
  target: Target,
  declared: Declared | undefined,
): Awaitable<Outcome> {
  if (node.redirections.length === 0) return assignAndRun(shell, node, argv, target, declared);
  return withRedirections(
    shell,
    node.redirections,
    () => failingHere(shell, () => assignAndRun(shell, node, argv, target, declared)),
    target.kind === 'builtin' && target.builtin.special ? endsShell : undefined,
  );
}

// -------------------------------------------------------------------------------------------- without a command name

/** Assignments and redirections alone. The status is that of the last command substitution, if there was one. */
function runWithoutName(shell: ShellState, node: SimpleCommand): Awaitable<Outcome> {
  if (node.redirections.length === 0) return assignAll(shell, node.assignments);
  return withRedirections(shell, node.redirections, () => failingHere(shell, () => assignAll(shell, node.assignments)));
}

/** What cannot be assigned is said while the redirections are still there: `x=$((1/0)) 2>/dev/null` is quiet. */
function failingHere(shell: ShellState, run: () => Awaitable<Outcome>): Awaitable<Outcome> {
  return rescue(run, (error: unknown) => expansionFailed(shell, error));
}

function assignAll(shell: ShellState, assignments: readonly Assignment[]): Awaitable<Outcome> {
  const waiting = assignFrom(shell, assignments, 0);
  return waiting === undefined ? assignmentStatus(shell) : waiting.then(() => assignmentStatus(shell));
}

function assignmentStatus(shell: ShellState): number {
  shell.lastArgument = '';
  return Math.max(shell.substitutionStatus, 0);
}

function assignFrom(shell: ShellState, assignments: readonly Assignment[], from: number): Waiting {
  for (let i = from; i < assignments.length; i++) {
    const waiting = assign(shell, assignments[i] as Assignment);
    if (waiting !== undefined) return waiting.then(() => assignFrom(shell, assignments, i + 1));
  }
  return undefined;
}

function assign(shell: ShellState, assignment: Assignment): Waiting {
  const { name, value, subscript, append } = assignment;
  if (value.kind === 'ArrayLiteral' || subscript !== undefined || append) {
    const expanded = expandAssignment(shell, assignment);
    return expanded instanceof Promise
      ? expanded.then((late) => storeExpanded(shell, late))
      : storeExpanded(shell, expanded);
  }
  // `i=$((i+1))` keeps the integer and makes no text of it; the plain path below stores the same value as text.
  if (value.parts.length === 1 && !shell.tracing) {
    const part = value.parts[0];
    if (part !== undefined && part.kind === 'ArithmeticExpansion') {
      const integer = evaluateExpansion(shell, part);
      if (!(integer instanceof Promise)) {
        shell.assignInteger(name, integer);
        return undefined;
      }
      return integer.then((late) => shell.assignInteger(name, late));
    }
  }
  const text = expandString(shell, value);
  if (typeof text !== 'string') return text.then((late) => store(shell, name, late));
  return store(shell, name, text);
}

function storeExpanded(shell: ShellState, assignment: ExpandedAssignment): undefined {
  assignExpanded(shell, assignment);
  if (shell.tracing) trace(shell, [expandedText(assignment)]);
  return undefined;
}

function store(shell: ShellState, name: string, text: string): undefined {
  shell.assign(name, text);
  if (shell.tracing) trace(shell, [assignmentText(name, text)]);
  return undefined;
}

// ------------------------------------------------------------------------------------------------- with a command

function assignAndRun(
  shell: ShellState,
  node: SimpleCommand,
  argv: readonly string[],
  target: Target,
  declared: Declared | undefined,
): Awaitable<Outcome> {
  if (node.assignments.length === 0) {
    if (shell.tracing) traceCommand(shell, [], argv);
    return runHere(shell, node, argv, target, declared);
  }
  if (target.kind === 'builtin' && target.builtin.special) {
    const waiting = assignFrom(shell, node.assignments, 0);
    const run = () => {
      // What takes the shell's place is given them.
      if (argv[0] === 'exec') for (const { name } of node.assignments) shell.variables.own(name).exported = true;
      if (shell.tracing) traceCommand(shell, [], argv);
      return runHere(shell, node, argv, target, declared);
    };
    return waiting === undefined ? run() : waiting.then(run);
  }
  return runWithVariables(shell, node, argv, target);
}

function runHere(
  shell: ShellState,
  node: SimpleCommand,
  argv: readonly string[],
  target: Target,
  declared?: Declared,
): Awaitable<Outcome> {
  const outcome = runTarget(shell, target, argv, declared);
  // An `exec` without redirections of its own keeps none of those of the group or eval it stands in.
  if (node.redirections.length === 0) shell.redirectionsKept = false;
  return outcome;
}

/** `a=1 cmd`: the variables are exported to the command, and are as they were when it has ended. */
function runWithVariables(
  shell: ShellState,
  node: SimpleCommand,
  argv: readonly string[],
  target: Target,
): Awaitable<Outcome> {
  const { assignments } = node;
  const saved: Replaced[] = [];
  const putBack = () => {
    // The last first: a name that is assigned to twice has what it had before both.
    for (let i = saved.length - 1; i >= 0; i--) {
      const { name, before } = saved[i] as Replaced;
      shell.variables.putBack(name, before);
    }
  };
  const run = (): Awaitable<Outcome> => {
    if (shell.tracing) {
      const values = assignments.map(({ name }) => assignmentText(name, shell.variables.get(name)?.value ?? ''));
      traceCommand(shell, values, argv);
    }
    return runHere(shell, node, argv, target);
  };
  let outcome: Awaitable<Outcome>;
  try {
    const waiting = assignTemporary(shell, assignments, 0, saved);
    outcome = waiting === undefined ? run() : waiting.then(run);
  } catch (error) {
    putBack();
    throw error;
  }
  if (outcome instanceof Promise) return outcome.finally(putBack);
  putBack();
  return outcome;
}

function assignTemporary(
  shell: ShellState,
  assignments: readonly Assignment[],
  from: number,
  saved: Replaced[],
): Waiting {
  for (let i = from; i < assignments.length; i++) {
    const { name, value, append } = assignments[i] as Assignment;
    if (value.kind === 'ArrayLiteral')
      throw new ExpansionError(`${name}: cannot assign list to a variable of a command`);
    const text = andThen(expandString(shell, value), (late) => (append ? (shell.parameter(name) ?? '') + late : late));
    if (typeof text !== 'string') {
      return text.then((late) => {
        setTemporary(shell, name, late, saved);
        return assignTemporary(shell, assignments, i + 1, saved);
      });
    }
    setTemporary(shell, name, text, saved);
  }
  return undefined;
}

/** A variable that another stands in for while a command runs. */
interface Replaced {
  readonly name: string;
  readonly before: Variable | undefined;
}

function setTemporary(shell: ShellState, called: string, text: string, saved: Replaced[]): void {
  const name = shell.variables.targetOf(called);
  const before = shell.variables.get(name);
  // Lets assign say so: the variable is still the readonly one.
  if (before?.readonly === true) shell.assign(name, text);
  const variable = new Variable(name, undefined);
  variable.exported = true;
  shell.variables.setText(variable, text);
  shell.variables.restore(name, variable);
  saved.push({ name, before });
}
