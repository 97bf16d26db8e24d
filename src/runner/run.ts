/** Running a text: complete command by complete command, as sh does, so that an error on line 90 does not stop lines 1 to 89. */

import { completion, type Outcome } from '../../builtins/kit/outcome.js';
import { formatProblem, type ParseOptions, ScriptParser } from '../../grammar/index.js';
import { type Limits, limitReached } from '../limits.js';
import { type Awaitable, lastly } from '../steps.js';
import { nested } from './commands.js';
import { runList } from './lists.js';
import { isNotRun, OPTIONS } from './options.js';
import { SHOPT } from './shopt.js';
import { SourceText } from './source.js';
import type { ShellState } from './state.js';

/** Runs every complete command of `source`; the outcome of the last. A syntax error ends the shell with status 2. */
export function runText(shell: ShellState, source: SourceText): Awaitable<Outcome> {
  if (source.text.length > shell.limits.maxScriptBytes) {
    throw limitReached('maxScriptBytes', shell.limits.maxScriptBytes);
  }
  const parser = new ScriptParser(source.text, parseLimits(shell.limits));
  shell.source = source;
  return runCommands(shell, source, parser, 0);
}

function runCommands(shell: ShellState, source: SourceText, parser: ScriptParser, status: number): Awaitable<Outcome> {
  let last = status;
  for (;;) {
    const outcome = runNext(shell, source, parser);
    if (outcome === undefined) return last;
    if (outcome instanceof Promise) return laterCommands(shell, source, parser, outcome);
    const ended = discarded(shell, outcome);
    if (typeof ended !== 'number') return ended;
    last = ended;
  }
}

async function laterCommands(
  shell: ShellState,
  source: SourceText,
  parser: ScriptParser,
  pending: Promise<Outcome>,
): Promise<Outcome> {
  let outcome = discarded(shell, await pending);
  for (;;) {
    if (typeof outcome !== 'number') return outcome;
    const next = runNext(shell, source, parser);
    if (next === undefined) return outcome;
    outcome = discarded(shell, await next);
  }
}

/** What is left of a complete command that was discarded is its status; a subshell ends with it. */
function discarded(shell: ShellState, outcome: Outcome): Outcome {
  if (typeof outcome === 'number' || outcome.kind !== 'discard' || shell.subshellDepth > 0) return outcome;
  shell.status = outcome.status;
  return (shell.options & OPTIONS.errexit.bit) === 0 ? outcome.status : completion('exit', outcome.status);
}

/** What the shell's options, and its aliases, say of the next complete command. */
export function setModes(shell: ShellState, { modes }: ScriptParser): void {
  modes.posix = (shell.options & OPTIONS.posix.bit) !== 0;
  modes.braces = !modes.posix && (shell.options & OPTIONS.braceexpand.bit) !== 0;
  modes.extendedPatterns = (shell.shopt & SHOPT.extglob) !== 0;
  const substitutes = (shell.shopt & SHOPT.expand_aliases) !== 0 && !shell.aliases.isEmpty;
  modes.aliases = substitutes ? shell.aliases.values : undefined;
}

/** `set -v`: what was read, comments and empty lines too; its last line is ended where the text did not. */
function showInput(shell: ShellState, read: string): void {
  if (read !== '') shell.writeError(read.endsWith('\n') ? read : `${read}\n`);
}

/** Parses and runs the next complete command; undefined at the end. */
function runNext(shell: ShellState, source: SourceText, parser: ScriptParser): Awaitable<Outcome> | undefined {
  setModes(shell, parser);
  const { position } = parser;
  const result = parser.next();
  if ((shell.options & OPTIONS.verbose.bit) !== 0) showInput(shell, source.text.slice(position, parser.position));
  switch (result.kind) {
    case 'end':
      return undefined;
    case 'command': {
      if (isNotRun(shell)) return 0;
      return runList(shell, result.command.list);
    }
    default:
      shell.writeError(formatProblem(source.name, source.text, result.problem));
      // The script itself that nests too deep has a mistake, as any other; a text that it has made meets a limit.
      if (result.problem.kind === 'nesting' && !isScriptItself(shell)) {
        throw limitReached('maxNesting', shell.limits.maxNesting);
      }
      if (result.problem.kind === 'length') throw limitReached('maxWords', shell.limits.maxWords);
      shell.status = 2;
      // In `eval` and `.` it is an error of theirs, which `command eval` makes a mere status, as bash and dash do.
      return completion('builtin error', 2);
  }
}

function isScriptItself(shell: ShellState): boolean {
  const { counters, pid } = shell.scope;
  return counters.callDepth === 0 && shell.process.pid === pid && shell.subshellDepth === 0;
}

export function parseLimits({ maxNesting, maxWords }: Limits): ParseOptions {
  return { maxNesting, maxParts: maxWords };
}

/** Runs text in this shell, where it stands: `eval`, trap actions. Its lines count from the line it is run at. */
export function evaluate(shell: ShellState, text: string, route: 'eval' | 'trap'): Awaitable<Outcome> {
  const { source, offset, trapCommand } = shell;
  if (route === 'trap') shell.trapCommand = trapCommand ?? shell.command;
  const back = () => {
    shell.source = source;
    shell.offset = offset;
    shell.trapCommand = trapCommand;
  };
  return restoring(shell, back, () => runText(shell, new SourceText(source.name, text, shell.line, route)));
}

/** Counts a level of depth while `run` runs, and calls `back` at its end, however it ends. */
export function restoring(shell: ShellState, back: () => void, run: () => Awaitable<Outcome>): Awaitable<Outcome> {
  const { counters, limits } = shell.scope;
  if (counters.callDepth >= limits.maxCallDepth) throw limitReached('maxCallDepth', limits.maxCallDepth);
  counters.callDepth += 1;
  shell.traceDepth += 1;
  shell.signals.direct = false;
  return lastly(
    () => nested(run),
    () => {
      counters.callDepth -= 1;
      shell.traceDepth -= 1;
      back();
    },
  );
}
