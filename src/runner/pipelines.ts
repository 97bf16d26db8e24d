/** Pipelines (POSIX 2.9.2): every stage is a fork of the state, and all run at the same time over bounded pipes. */

import { type Outcome, statusOf } from '../../builtins/kit/outcome.js';
import type { Command, FileRedirection, Pipeline } from '../../grammar/ast.js';
import { createDescription } from '../io/descriptors.js';
import { NO_FACTS } from '../io/output.js';
import { createPipe } from '../io/pipe.js';
import type { ByteSource } from '../io/streams.js';
import { type Awaitable, andThen, type Waiting } from '../steps.js';
import { nested, runCommand } from './commands.js';
import { runStatement } from './lists.js';
import { OPTIONS } from './options.js';
import { SHOPT } from './shopt.js';
import type { ShellState } from './state.js';
import { runForked } from './subshells.js';
import { debugTrap } from './tracing-traps.js';

/** Runs `a | b | c`: the status of the last, or with `pipefail` of the last that failed. */
export function runStages(shell: ShellState, node: Pipeline): Awaitable<Outcome> {
  return shell.traps.has('DEBUG') ? traceStages(shell, node, 0) : startStages(shell, node);
}

/** The DEBUG action of a stage that is one command is the shell's own, and not that of the fork it runs in. */
function traceStages(shell: ShellState, node: Pipeline, from: number): Awaitable<Outcome> {
  for (let i = from; i < node.commands.length; i++) {
    const command = node.commands[i] as Command;
    if (command.kind !== 'SimpleCommand') continue;
    shell.offset = command.start;
    const traced = debugTrap(shell, command);
    if (traced === undefined) continue;
    return andThen(traced, (outcome) => (typeof outcome === 'number' ? traceStages(shell, node, i + 1) : outcome));
  }
  return startStages(shell, node);
}

function startStages(shell: ShellState, node: Pipeline): Awaitable<Outcome> {
  const { commands, both } = node;
  const statuses: Awaitable<Outcome>[] = [];
  const forks = commands.length - (isLastHere(shell) ? 1 : 0);
  let source: ByteSource | undefined;
  let waits = false;
  try {
    for (let i = 0; i < forks; i++) {
      const command = both[i] === true ? withErrors(commands[i] as Command) : (commands[i] as Command);
      const child = shell.fork();
      if (command.kind === 'SimpleCommand') child.debugged = command;
      if (source !== undefined) child.descriptors.set(0, createDescription(source, undefined, NO_FACTS));
      source = undefined;
      if (i < commands.length - 1) {
        const pipe = createPipe(shell.tick);
        source = pipe.source;
        child.descriptors.set(1, createDescription(undefined, pipe.sink, NO_FACTS));
      }
      // The failure of a stage that is one command is the pipeline's: `set -e` and ERR are asked there.
      const run = command.kind === 'SimpleCommand' ? runCommand : runStatement;
      const status = runForked(child, (stage) => run(stage, command));
      if (status instanceof Promise) waits = true;
      statuses.push(status);
    }
    if (source !== undefined) {
      const outcome = runHere(shell, commands[forks] as Command, source);
      if (outcome instanceof Promise) waits = true;
      statuses.push(outcome);
    }
  } catch (error) {
    // The stages that run already are ended by what ended this one; nobody waits for their word.
    source?.close();
    for (const status of statuses) if (status instanceof Promise) status.catch(() => {});
    throw error;
  }
  if (waits) return settle(shell, statuses);
  return pipelineOutcome(shell, statuses as Outcome[]);
}

/** Waits for all stages, also when one of them ends the run: none may be left without its end. */
async function settle(shell: ShellState, statuses: readonly Awaitable<Outcome>[]): Promise<Outcome> {
  const results = await Promise.allSettled(statuses);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return pipelineOutcome(
    shell,
    results.map((result) => (result.status === 'fulfilled' ? result.value : 1)),
  );
}

/** `shopt -s lastpipe` (bash): the last stage is run by the shell itself, and what it sets stays; not with `set -m`. */
function isLastHere({ shopt, options }: ShellState): boolean {
  return (shopt & SHOPT.lastpipe) !== 0 && (options & OPTIONS.monitor.bit) === 0;
}

/** Runs the last stage in `shell`, whose standard input the pipe is meanwhile: closed at its end, so that the stages before it end too. */
function runHere(shell: ShellState, command: Command, source: ByteSource): Awaitable<Outcome> {
  const before = shell.descriptors.exchange(0, createDescription(source, undefined, NO_FACTS));
  const back = (): Waiting => shell.descriptors.exchange(0, before)?.release();
  let outcome: Awaitable<Outcome>;
  try {
    outcome = nested(() => runCommand(shell, command));
  } catch (error) {
    back();
    throw error;
  }
  if (outcome instanceof Promise) return outcome.finally(back);
  const ended = outcome;
  return andThen(back(), () => ended);
}

const DUPLICATE_ERRORS: FileRedirection = {
  kind: 'FileRedirection',
  start: 0,
  end: 0,
  descriptor: 2,
  operator: '>&',
  target: { kind: 'Word', start: 0, end: 0, parts: [], literal: '1' },
};

const errorsToo = new WeakMap<Command, Command>();

/** `|&` (bash): as if the command had one more redirection, `2>&1`, after its own. */
function withErrors(command: Command): Command {
  if (command.kind === 'FunctionDefinition') return command;
  let changed = errorsToo.get(command);
  if (changed === undefined) {
    changed = { ...command, redirections: [...command.redirections, DUPLICATE_ERRORS] };
    errorsToo.set(command, changed);
  }
  return changed;
}

function pipelineOutcome(shell: ShellState, outcomes: readonly Outcome[]): Outcome {
  const statuses = outcomes.map(statusOf);
  shell.pipeStatus = statuses;
  // `exit`, `return` and `break` in a last stage that was run here.
  const last = outcomes[outcomes.length - 1] as Outcome;
  if (typeof last === 'object') return last;
  if ((shell.options & OPTIONS.pipefail.bit) !== 0) {
    for (let i = statuses.length - 1; i >= 0; i--) if (statuses[i] !== 0) return statuses[i] as number;
    return 0;
  }
  return statuses[statuses.length - 1] as number;
}
