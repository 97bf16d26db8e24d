/** Functions (POSIX 2.9.5). */

import type { Outcome } from '../../builtins/kit/outcome.js';
import type { CompoundCommand, FunctionDefinition } from '../../grammar/ast.js';
import { limitReached } from '../limits.js';
import { type Awaitable, andThen } from '../steps.js';
import { nested, runCompound } from './commands.js';
import type { LocalFrame, ShellFunction, ShellState } from './state.js';
import { hideTraps, returnTrap, traced } from './tracing-traps.js';
import { Variable } from './variables.js';

export function defineFunction(shell: ShellState, node: FunctionDefinition): number {
  const before = shell.functions.get(node.name);
  if (before?.readonly === true) {
    shell.complain(`${node.name}: readonly function`);
    return 1;
  }
  shell.setFunction(node.name, {
    body: node.body,
    source: shell.source,
    exported: before?.exported === true,
    traced: before?.traced === true,
    readonly: false,
  });
  countTexts(shell);
  return 0;
}

/**
 * A function's body holds on to all of the text it was read from, which counts as a variable does. All texts are looked at once in so many
 * bytes of new ones: a script of ten thousand functions has but one text.
 */
function countTexts(shell: ShellState): void {
  const { counters, limits } = shell.scope;
  if (counters.definedIn === shell.source) return;
  counters.definedIn = shell.source;
  counters.definedBytes += shell.source.text.length;
  if (counters.definedBytes * 8 < limits.maxVariableBytes) return;
  counters.definedBytes = 0;
  let bytes = 0;
  for (const source of new Set([...shell.functions.values.values()].map(({ source }) => source)))
    bytes += source.text.length;
  if (bytes > limits.maxVariableBytes) throw limitReached('maxVariableBytes', limits.maxVariableBytes);
}

/** Calls a function: its own positional parameters, and variables that `local` makes; the rest is the caller's. */
export function callFunction(
  shell: ShellState,
  name: string,
  target: ShellFunction,
  args: readonly string[],
): Awaitable<Outcome> {
  const { counters, limits } = shell.scope;
  if (counters.callDepth >= limits.maxCallDepth) throw limitReached('maxCallDepth', limits.maxCallDepth);
  const { parameters, source, offset, loopDepth, calls } = shell;
  // What is held by all calls that are going on: each level of a recursion could hold the longest string there may be.
  const held = argumentBytes(args);
  if (counters.argumentBytes + held > limits.maxVariableBytes) {
    throw limitReached('maxVariableBytes', limits.maxVariableBytes);
  }
  counters.argumentBytes += held;
  counters.callDepth += 1;
  shell.signals.direct = false;
  shell.args = args;
  shell.source = target.source;
  shell.functionDepth += 1;
  shell.calls = { name, source, offset, caller: calls };
  shell.loopDepth = 0;
  shell.locals.push(NO_LOCALS);
  const unhide = hideTraps(shell, 'function', target.traced);
  const leave = () => {
    unhide?.();
    counters.callDepth -= 1;
    counters.argumentBytes -= held;
    shell.parameters = parameters;
    shell.source = source;
    shell.offset = offset;
    shell.functionDepth -= 1;
    shell.calls = calls;
    shell.loopDepth = loopDepth;
    shell.lastArgument = args.at(-1) ?? name;
    const frame = shell.locals.pop();
    if (frame !== undefined && frame !== NO_LOCALS) {
      for (const [name, saved] of frame) {
        if (name === OPTIONS_AS_LOCAL)
          shell.options = saved?.int as number; // makeOptionsLocal has put a number there
        else shell.variables.putBack(name, saved);
      }
    }
  };
  let outcome: Awaitable<Outcome>;
  try {
    outcome = nested(() => runTraced(shell, target.body));
  } catch (error) {
    leave();
    throw error;
  }
  if (outcome instanceof Promise) {
    return outcome.then(
      (late) => {
        leave();
        return returned(late);
      },
      (error: unknown) => {
        leave();
        throw error;
      },
    );
  }
  leave();
  return returned(outcome);
}

/** The body between the DEBUG and RETURN traps that it has. */
function runTraced(shell: ShellState, body: CompoundCommand): Awaitable<Outcome> {
  const run = (): Awaitable<Outcome> => andThen(runCompound(shell, body), (outcome) => afterBody(shell, outcome));
  return shell.traps.size === 0 || shell.command === undefined ? run() : traced(shell, shell.command, run);
}

function afterBody(shell: ShellState, outcome: Outcome): Awaitable<Outcome> {
  if (shell.traps.size === 0 || (typeof outcome === 'object' && outcome.kind !== 'return')) return outcome;
  return andThen(returnTrap(shell) ?? 0, (after) => (typeof after === 'number' ? outcome : after));
}

/**
 * UTF-16 units of the arguments that are long. The short ones are bounded by their number, and `f "$@"` in each level of a deep recursion
 * hands on the same few strings.
 */
export function argumentBytes(args: readonly string[]): number {
  let bytes = 0;
  for (const { length } of args) if (length >= LONG_ARGUMENT) bytes += length;
  return bytes;
}

const LONG_ARGUMENT = 65_536;

/** Most functions have no `local`: their frames are this one, which nobody writes to. */
const NO_LOCALS: LocalFrame = new Map();

/** Gives the running function its own `name`; what it had is put back when the function ends. */
export function makeLocal(shell: ShellState, name: string): boolean {
  if (shell.locals.length === 0) return false;
  const frame = ownFrame(shell);
  if (frame.has(name)) return true;
  const before = shell.variables.raw(name);
  frame.set(name, before);
  shell.variables.restore(name, undefined);
  const variable = shell.variables.ownRaw(name);
  if (before !== undefined) variable.exported = before.exported;
  return true;
}

/** In a frame, for `local -`: a name that no variable has, and the options as an integer. */
const OPTIONS_AS_LOCAL = '-';

/** `local -` (bash): the options of `set` are as they were when the running function has ended. */
export function makeOptionsLocal(shell: ShellState): void {
  if (shell.locals.length === 0) return;
  const frame = ownFrame(shell);
  if (frame.has(OPTIONS_AS_LOCAL)) return;
  const saved = new Variable(OPTIONS_AS_LOCAL, undefined);
  saved.int = shell.options;
  frame.set(OPTIONS_AS_LOCAL, saved);
}

function ownFrame(shell: ShellState): LocalFrame {
  const top = shell.locals.length - 1;
  let frame = shell.locals[top];
  if (frame === undefined || frame === NO_LOCALS) {
    frame = new Map();
    shell.locals[top] = frame;
  }
  return frame;
}

function returned(outcome: Outcome): Outcome {
  if (typeof outcome === 'number') return outcome;
  // A loop outside of the function is not the function's to leave.
  return outcome.kind === 'return' || outcome.kind === 'break' || outcome.kind === 'continue'
    ? outcome.status
    : outcome;
}
