/** Compound commands (POSIX 2.9.4): `if`, `for`, `while`, `until`, `case`. */

import { type Completion, completion, type Outcome } from '../../builtins/kit/outcome.js';
import type { Case, CaseItem, For, If, List, While, Word } from '../../grammar/ast.js';
import { expandPattern, expandString, expandWords } from '../expansion/words.js';
import type { Awaitable } from '../steps.js';
import { compilePattern } from '../text/pattern.js';
import { SHORT_WORK, watched } from '../text/work.js';
import { runList } from './lists.js';
import { SHOPT } from './shopt.js';
import type { ShellState } from './state.js';
import { traceCompound } from './trace.js';
import { traced } from './tracing-traps.js';

/** Runs a list whose failure is an answer: `set -e` does not apply in it. */
function runCondition(shell: ShellState, list: List): Awaitable<Outcome> {
  shell.errexitIgnored += 1;
  let outcome: Awaitable<Outcome>;
  try {
    outcome = runList(shell, list);
  } catch (error) {
    shell.errexitIgnored -= 1;
    throw error;
  }
  if (outcome instanceof Promise) {
    return outcome.finally(() => {
      shell.errexitIgnored -= 1;
    });
  }
  shell.errexitIgnored -= 1;
  return outcome;
}

/** `if`: 0 when no clause was taken. */
export function runIf(shell: ShellState, node: If, from = 0): Awaitable<Outcome> {
  for (let i = from; i < node.clauses.length; i++) {
    const clause = node.clauses[i] as If['clauses'][number];
    const condition = runCondition(shell, clause.condition);
    if (condition === 0) return runList(shell, clause.body);
    if (typeof condition !== 'number') {
      if (!(condition instanceof Promise)) return condition;
      return condition.then((late) => {
        if (late === 0) return runList(shell, clause.body);
        return typeof late === 'number' ? runIf(shell, node, i + 1) : late;
      });
    }
  }
  return node.otherwise === undefined ? 0 : runList(shell, node.otherwise);
}

/**
 * What a completion means to the loop it reaches: undefined goes on with the next turn, a number ends the loop with that
 * status, a completion leaves the loop too.
 */
export function atLoop(outcome: Completion): Outcome | undefined {
  if (outcome.kind === 'break')
    return outcome.levels > 1 ? completion('break', outcome.status, outcome.levels - 1) : outcome.status;
  if (outcome.kind === 'continue') {
    return outcome.levels > 1 ? completion('continue', outcome.status, outcome.levels - 1) : undefined;
  }
  return outcome;
}

/** `while` and `until`. The status of the last body run, 0 when there was none. */
export function runWhile(shell: ShellState, node: While): Awaitable<Outcome> {
  shell.loopDepth += 1;
  let outcome: Awaitable<Outcome>;
  try {
    outcome = whileTurns(shell, node);
  } catch (error) {
    shell.loopDepth -= 1;
    throw error;
  }
  if (outcome instanceof Promise) {
    return outcome.finally(() => {
      shell.loopDepth -= 1;
    });
  }
  shell.loopDepth -= 1;
  return outcome;
}

function whileTurns(shell: ShellState, node: While): Awaitable<Outcome> {
  const { until, condition, body } = node;
  let last = 0;
  for (;;) {
    // A turn may run no command at all: `while case x in x) ;; esac; do ((i++)); done`.
    const pause = shell.tick();
    if (pause !== undefined) return pause.then(() => whileLater(shell, node, last, undefined, undefined));
    const test = runCondition(shell, condition);
    if (typeof test !== 'number') {
      if (test instanceof Promise) return whileLater(shell, node, last, test, undefined);
      const left = atLoop(test);
      if (left !== undefined) return left;
      continue;
    }
    if ((test === 0) === until) return last;
    const result = runList(shell, body);
    if (typeof result === 'number') {
      last = result;
      continue;
    }
    if (result instanceof Promise) return whileLater(shell, node, last, undefined, result);
    const left = atLoop(result);
    if (left !== undefined) return left;
    last = 0;
  }
}

/** Goes on with a loop one of whose turns had to wait; the turns that need not wait are run as before. */
async function whileLater(
  shell: ShellState,
  node: While,
  status: number,
  pendingTest: Promise<Outcome> | undefined,
  pendingBody: Promise<Outcome> | undefined,
): Promise<Outcome> {
  const { until, condition, body } = node;
  let last = status;
  let test: Awaitable<Outcome> | undefined = pendingTest;
  let result: Awaitable<Outcome> | undefined = pendingBody;
  for (;;) {
    if (result === undefined) {
      // Not while the test is under way: a tick that throws would leave it to end with nobody there to hear of it.
      if (test === undefined) {
        const pause = shell.tick();
        if (pause !== undefined) await pause;
        test = runCondition(shell, condition);
      }
      const answer: Outcome = typeof test === 'number' ? test : await test;
      test = undefined;
      if (typeof answer !== 'number') {
        const left = atLoop(answer);
        if (left !== undefined) return left;
        continue;
      }
      if ((answer === 0) === until) return last;
      result = runList(shell, body);
    }
    const ended: Outcome = typeof result === 'number' ? result : await result;
    result = undefined;
    if (typeof ended === 'number') last = ended;
    else {
      const left = atLoop(ended);
      if (left !== undefined) return left;
      last = 0;
    }
  }
}

/** `for name in words`. The words are expanded once, before the first turn. */
export function runFor(shell: ShellState, node: For): Awaitable<Outcome> {
  if (node.words === undefined) return forFields(shell, node, shell.positional());
  const fields: string[] = [];
  const waiting = expandWords(shell, node.words, fields);
  return waiting === undefined ? forFields(shell, node, fields) : waiting.then(() => forFields(shell, node, fields));
}

function forFields(shell: ShellState, node: For, fields: readonly string[]): Awaitable<Outcome> {
  shell.loopDepth += 1;
  let outcome: Awaitable<Outcome>;
  try {
    outcome = forTurns(shell, node, fields, 0, 0);
  } catch (error) {
    shell.loopDepth -= 1;
    throw error;
  }
  if (outcome instanceof Promise) {
    return outcome.finally(() => {
      shell.loopDepth -= 1;
    });
  }
  shell.loopDepth -= 1;
  return outcome;
}

function forTurns(
  shell: ShellState,
  node: For,
  fields: readonly string[],
  from: number,
  status: number,
): Awaitable<Outcome> {
  let last = status;
  for (let i = from; i < fields.length; i++) {
    const pause = shell.tick();
    if (pause !== undefined) return forAfter(shell, node, fields, i, last, pause);
    const result = forTurn(shell, node, fields[i] as string);
    if (typeof result === 'number') last = result;
    else if (result instanceof Promise) return forLater(shell, node, fields, i, last, result);
    else {
      const left = atLoop(result);
      if (left !== undefined) return left;
      last = 0;
    }
  }
  return last;
}

async function forAfter(
  shell: ShellState,
  node: For,
  fields: readonly string[],
  from: number,
  status: number,
  pause: Promise<void>,
): Promise<Outcome> {
  await pause;
  return forLater(shell, node, fields, from, status);
}

function forTurn(shell: ShellState, node: For, field: string): Awaitable<Outcome> {
  const turn = (): Awaitable<Outcome> => {
    // A reference stands for each name in turn.
    if (shell.referenceTarget(node.name) === undefined) shell.assign(node.name, field);
    else shell.variables.setText(shell.variables.ownRaw(node.name), field);
    if (shell.tracing) traceCompound(shell, node);
    return runList(shell, node.body);
  };
  return shell.traps.size === 0 ? turn() : traced(shell, node, turn);
}

async function forLater(
  shell: ShellState,
  node: For,
  fields: readonly string[],
  from: number,
  status: number,
  pending?: Promise<Outcome>,
): Promise<Outcome> {
  let last = status;
  let result: Awaitable<Outcome> | undefined = pending;
  for (let i = from; i < fields.length; i++) {
    if (result === undefined) {
      const pause = shell.tick();
      if (pause !== undefined) await pause;
      result = forTurn(shell, node, fields[i] as string);
    }
    const ended: Outcome = typeof result === 'number' ? result : await result;
    result = undefined;
    if (typeof ended === 'number') last = ended;
    else {
      const left = atLoop(ended);
      if (left !== undefined) return left;
      last = 0;
    }
  }
  return last;
}

/** `case`: the list of the first item one of whose patterns matches; 0 when none does. */
export function runCase(shell: ShellState, node: Case): Awaitable<Outcome> {
  return shell.traps.size === 0 ? chooseItem(shell, node) : traced(shell, node, () => chooseItem(shell, node));
}

function chooseItem(shell: ShellState, node: Case): Awaitable<Outcome> {
  if (shell.tracing) traceCompound(shell, node);
  const word = expandString(shell, node.word);
  return typeof word === 'string'
    ? matchItems(shell, node, word, 0, 0, 0)
    : word.then((late) => matchItems(shell, node, late, 0, 0, 0));
}

/** `none`: the status when nothing matches: 0, or that of the item before, after `;;&`. */
function matchItems(
  shell: ShellState,
  node: Case,
  word: string,
  item: number,
  pattern: number,
  none: number,
): Awaitable<Outcome> {
  let firstPattern = pattern;
  for (let i = item; i < node.items.length; i++) {
    const { patterns } = node.items[i] as CaseItem;
    for (let p = firstPattern; p < patterns.length; p++) {
      const matched = matchesPattern(shell, word, patterns[p] as Word);
      if (matched === true) return runItems(shell, node, word, i);
      if (matched !== false) {
        return matched.then((late) =>
          late ? runItems(shell, node, word, i) : matchItems(shell, node, word, i, p + 1, none),
        );
      }
    }
    firstPattern = 0;
  }
  return none;
}

/** Whether the whole of `word` matches. */
export function matchesText(shell: ShellState, pattern: string, word: string, nesting: number): boolean {
  return word.length < SHORT_WORK && pattern.length < SHORT_WORK
    ? compilePattern(pattern, nesting).matches(word)
    : watched(shell.look, () => compilePattern(pattern, nesting).matches(word));
}

function matchesPattern(shell: ShellState, word: string, pattern: Word): Awaitable<boolean> {
  const fold = (shell.shopt & SHOPT.nocasematch) !== 0;
  const nesting = shell.patternNesting;
  if (!fold) {
    if (pattern.literal !== undefined) return pattern.literal === word;
    const part = pattern.parts[0];
    // `*.log)`: the pattern is the text itself.
    if (pattern.parts.length === 1 && part?.kind === 'Literal') return matchesText(shell, part.text, word, nesting);
  }
  const matches = (text: string): boolean =>
    fold
      ? matchesText(shell, text.toLowerCase(), word.toLowerCase(), nesting)
      : matchesText(shell, text, word, nesting);
  const text = expandPattern(shell, pattern.parts);
  return typeof text === 'string' ? matches(text) : text.then(matches);
}

/** Runs an item's list, and those it falls through to with `;&`. */
function runItems(shell: ShellState, node: Case, word: string, index: number): Awaitable<Outcome> {
  const { body, terminator } = node.items[index] as CaseItem;
  const outcome = runList(shell, body);
  if (terminator === ';;' || index + 1 >= node.items.length) return outcome;
  const goOn = (status: number): Awaitable<Outcome> => {
    if (terminator === ';&') return runItems(shell, node, word, index + 1);
    return matchItems(shell, node, word, index + 1, 0, status);
  };
  if (typeof outcome === 'number') return goOn(outcome);
  if (!(outcome instanceof Promise)) return outcome;
  return outcome.then((late) => (typeof late === 'number' ? goOn(late) : late));
}
