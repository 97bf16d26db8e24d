/** Subshells and command substitution (POSIX 2.6.3, 2.13): a forked state, run in the same process. */

import { type Outcome, statusOf } from '../../builtins/kit/outcome.js';
import type { CommandSubstitution, List, Redirection } from '../../grammar/ast.js';
import { isBrokenPipe, isShellError, isSignalled, ShellError } from '../errors.js';
import { stringCapture } from '../io/capture.js';
import { createDescription } from '../io/descriptors.js';
import { NO_FACTS } from '../io/output.js';
import type { ByteSink, ByteSource } from '../io/streams.js';
import { limitReached } from '../limits.js';
import { type Awaitable, andThen, type Waiting } from '../steps.js';
import { nested } from './commands.js';
import { runList } from './lists.js';
import { OPTIONS } from './options.js';
import { withRedirections, writeFailed } from './redirections.js';
import { SHOPT } from './shopt.js';
import { SourceText } from './source.js';
import type { ShellState } from './state.js';
import { endShell } from './traps.js';

/** Runs `body` in `child` to its end: the EXIT trap, its status, its descriptors closed. */
export function runForked(child: ShellState, body: (child: ShellState) => Awaitable<Outcome>): Awaitable<number> {
  let outcome: Awaitable<Outcome>;
  try {
    outcome = nested(() => body(child));
  } catch (error) {
    return finish(child, () => broken(child, error));
  }
  if (outcome instanceof Promise) {
    return outcome.then(
      (late) => finish(child, () => statusOf(late)),
      (error: unknown) => finish(child, () => broken(child, error)),
    );
  }
  // As most end: no signal to take, no EXIT action, nothing to wait for. `finish` does the same, with all that may come up.
  if (typeof outcome === 'number' && child.traps.size === 0 && child.signals.isQuiet) {
    try {
      const waiting = child.endFork();
      if (waiting === undefined) return outcome;
      const status = outcome;
      return waiting.then(
        () => status,
        (error: unknown) => closeFailed(child, error),
      );
    } catch (error) {
      return closeFailed(child, error);
    }
  }
  const status = statusOf(outcome);
  return finish(child, () => status);
}

function finish(child: ShellState, statusAtEnd: () => number): Awaitable<number> {
  let status: Awaitable<number>;
  try {
    // A signal that ends the group gives each of its shells its status, whatever it was doing.
    status = endShell(child, child.signals.fatalFor(child) ?? statusAtEnd());
  } catch (error) {
    return close(child, () => broken(child, error));
  }
  if (status instanceof Promise) {
    return status.then(
      (late) => close(child, () => late),
      (error: unknown) => close(child, () => broken(child, error)),
    );
  }
  const ended = status;
  return close(child, () => ended);
}

/** Closes the fork's descriptors, whatever `statusAtEnd` throws; what they still held may not fit any more. */
function close(child: ShellState, statusAtEnd: () => number): Awaitable<number> {
  let waiting: Waiting;
  let failure: unknown;
  try {
    waiting = child.endFork();
  } catch (error) {
    failure = error;
  }
  const status = statusAtEnd();
  if (failure !== undefined) return closeFailed(child, failure);
  return waiting === undefined
    ? status
    : waiting.then(
        () => status,
        (error: unknown) => closeFailed(child, error),
      );
}

function closeFailed(child: ShellState, error: unknown): number {
  return isBrokenPipe(error) ? 141 : statusOf(writeFailed(child, error));
}

/**
 * A reader that has left ends the shell that wrote to it, as SIGPIPE would. Anything else ends the run: the stages and jobs that go on
 * elsewhere must not wait for each other while it is on its way up.
 */
function broken(child: ShellState, error: unknown): number {
  if (isBrokenPipe(error)) return 141;
  // Its status is that of the signal: `finish` knows it.
  if (isSignalled(error)) return child.signals.fatalFor(child) ?? 1;
  child.scope.ticker.stop(isShellError(error) ? error : new ShellError('bug', String(error)));
  throw error;
}

/** `( list )` */
export function runSubshell(shell: ShellState, body: List): Awaitable<Outcome> {
  return runForked(shell.fork(), (child) => runList(child, body));
}

/** `$( list )`: what the list prints, without the newlines at its end. */
export function substitute(shell: ShellState, node: CommandSubstitution): Awaitable<string> {
  const { counters, limits } = shell.scope;
  if (counters.callDepth >= limits.maxCallDepth) throw limitReached('maxCallDepth', limits.maxCallDepth);
  const capture = stringCapture(limits.maxStringBytes);
  const child = shell.fork();
  child.descriptors.set(1, createDescription(undefined, capture, NO_FACTS));
  child.traceDepth += 1;
  if ((shell.shopt & SHOPT.inherit_errexit) === 0) child.options &= ~OPTIONS.errexit.bit;
  if (node.text !== undefined) {
    child.source = new SourceText(shell.source.name, node.text, shell.source.lineOf(node.start), shell.source.route);
    child.offset = 0;
  }
  counters.callDepth += 1;
  let status: Awaitable<number>;
  try {
    const input = onlyInput(node.body);
    status = runForked(child, (inner) =>
      input === undefined
        ? runList(inner, node.body)
        : withRedirections(inner, input, () => copyInput(inner.descriptors.stdin?.source, capture)),
    );
  } catch (error) {
    counters.callDepth -= 1;
    throw error;
  }
  const done = (late: number): Awaitable<string> => {
    counters.callDepth -= 1;
    shell.substitutionStatus = late;
    // A job that the list left behind still writes.
    const waiting = capture.whenClosed();
    return waiting === undefined ? trimNewlines(capture.take()) : waiting.then(() => trimNewlines(capture.take()));
  };
  if (status instanceof Promise) {
    return status.then(done, (error: unknown) => {
      counters.callDepth -= 1;
      throw error;
    });
  }
  return andThen(status, done);
}

/** `$(<file)`: the file's content, as in bash; POSIX leaves a redirection alone in `$( )` open. */
function onlyInput({ items }: List): readonly Redirection[] | undefined {
  const statement = items.length === 1 && items[0]?.background === false ? items[0].statement : undefined;
  if (statement?.kind !== 'SimpleCommand' || statement.words.length + statement.assignments.length > 0)
    return undefined;
  const [only, second] = statement.redirections;
  if (second !== undefined || only?.kind !== 'FileRedirection' || only.operator !== '<') return undefined;
  return (only.descriptor ?? 0) === 0 ? statement.redirections : undefined;
}

async function copyInput(source: ByteSource | undefined, sink: ByteSink): Promise<number> {
  while (source !== undefined) {
    if (source.start === source.end && !(await source.fill())) break;
    await sink.write(source.buffer.subarray(source.start, source.end));
    source.start = source.end;
  }
  return 0;
}

/** NUL cannot be in a shell string: bash drops it, and so do we. */
function trimNewlines(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 10) end -= 1;
  const trimmed = end === text.length ? text : text.slice(0, end);
  return trimmed.includes('\0') ? trimmed.replaceAll('\0', '') : trimmed;
}
