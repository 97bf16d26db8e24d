/** `[[ expression ]]` and `(( expression ))` (bash, Conditional Constructs). */

import type { Outcome } from '../../builtins/kit/outcome.js';
import { evaluateTest, TestError } from '../../builtins/shell/test-expression.js';
import type { ArithmeticCommand, Conditional, ConditionalExpression } from '../../grammar/ast.js';
import { evaluateExpansion, evaluateText } from '../expansion/arithmetic.js';
import { ExpansionError, ExpressionError } from '../expansion/host.js';
import { expandPattern, expandString, joinEscaped } from '../expansion/words.js';
import { type Awaitable, andThen } from '../steps.js';
import { compareBytes, fromByteString, toByteString } from '../text/bytes.js';
import type { Int } from '../text/int64.js';
import type * as RegexModule from '../text/regex/index.js';
import { assignArray } from './arrays.js';
import { builtinShell } from './builtin-shell.js';
import { matchesText } from './compound.js';
import { SHOPT } from './shopt.js';
import type { ShellState } from './state.js';
import { traceArithmetic, traceTest } from './trace.js';
import { traced } from './tracing-traps.js';

/** 0: it holds; 1: it does not; 2: it is no expression (a regular expression that is wrong). */
export function runConditional(shell: ShellState, node: Conditional): Awaitable<Outcome> {
  const run = () => failing(shell, false, () => andThen(evaluate(shell, node.expression), (holds) => (holds ? 0 : 1)));
  return counted(shell, () => traced(shell, node, run));
}

/** `((...))`: 0 when the value is not 0. An expression that is wrong is a message and 1; the script goes on. */
export function runArithmeticCommand(shell: ShellState, node: ArithmeticCommand): Awaitable<Outcome> {
  const run = () =>
    failing(shell, true, () => {
      if (shell.tracing) traceArithmetic(shell, node.text);
      return andThen(evaluateExpansion(shell, node.text), (value) => (value === 0 ? 1 : 0));
    });
  return counted(shell, () => traced(shell, node, run));
}

/** Each counts as a command does: a loop of nothing else must meet the same end. */
function counted(shell: ShellState, run: () => Awaitable<Outcome>): Awaitable<Outcome> {
  const pause = shell.scope.ticker.command();
  return pause === undefined ? run() : pause.then(run);
}

/** `arithmetic`: any expression that is wrong is only a status, as in `((1/0))`. */
function failing(shell: ShellState, arithmetic: boolean, run: () => Awaitable<number>): Awaitable<number> {
  const failed = (error: unknown): number => {
    if (!(error instanceof WrongExpression) && !(error instanceof ExpansionError && arithmetic)) throw error;
    shell.complain(error instanceof ExpressionError ? `((: ${error.message}` : error.message);
    return error.status;
  };
  try {
    const outcome = run();
    return outcome instanceof Promise ? outcome.catch(failed) : outcome;
  } catch (error) {
    return failed(error);
  }
}

class WrongExpression extends Error {
  readonly status: number;
  constructor(message: string, status = 2) {
    super(message);
    this.status = status;
  }
}

/** `negated`: a `!` stands before it, which `set -x` shows with the test. */
function evaluate(shell: ShellState, node: ConditionalExpression, negated = false): Awaitable<boolean> {
  switch (node.kind) {
    case 'Group':
      return evaluate(shell, node.operand);
    case 'Not':
      return andThen(evaluate(shell, node.operand, !negated), (value) => !value);
    case 'And':
      return andThen(evaluate(shell, node.left), (value) => (value ? evaluate(shell, node.right) : false));
    case 'Or':
      return andThen(evaluate(shell, node.left), (value) => (value ? true : evaluate(shell, node.right)));
    case 'UnaryTest':
      return andThen(expandString(shell, node.operand), (operand) => {
        if (shell.tracing) traceTest(shell, negated, [node.operator ?? '-n', operand]);
        return unary(shell, node.operator, operand);
      });
    case 'BinaryTest':
      return andThen(expandString(shell, node.left), (left) =>
        andThen(expandRight(shell, node), (right) => {
          if (shell.tracing) traceTest(shell, negated, [left, node.operator, right]);
          return binary(shell, left, node.operator, right);
        }),
      );
  }
}

function unary(shell: ShellState, operator: string | undefined, operand: string): boolean {
  if (operator === undefined) return operand !== '';
  const value = evaluateTest(builtinShell(shell), [operator, operand]);
  if (value instanceof TestError) throw new WrongExpression(`[[: ${value.message}`);
  return value;
}

/** What the left side is compared with: a pattern, a regular expression, or plain text. */
function expandRight(
  shell: ShellState,
  { operator, right }: Extract<ConditionalExpression, { kind: 'BinaryTest' }>,
): Awaitable<string> {
  switch (operator) {
    case '=':
    case '==':
    case '!=':
      return expandPattern(shell, right.parts);
    case '=~':
      return joinEscaped(shell, right.parts, escapeRegex, 0, '');
    default:
      return expandString(shell, right);
  }
}

function binary(shell: ShellState, left: string, operator: string, right: string): Awaitable<boolean> {
  switch (operator) {
    case '=':
    case '==':
    case '!=': {
      const fold = (shell.shopt & SHOPT.nocasematch) !== 0;
      const matches = fold
        ? matchesText(shell, right.toLowerCase(), left.toLowerCase(), shell.limits.maxNesting)
        : matchesText(shell, right, left, shell.limits.maxNesting);
      return matches === (operator !== '!=');
    }
    case '=~':
      return andThen(regexEngine(), (engine) => matchRegex(shell, engine, left, right));
    case '<':
      return compareBytes(left, right) < 0;
    case '>':
      return compareBytes(left, right) > 0;
    case '-eq':
    case '-ne':
    case '-lt':
    case '-le':
    case '-gt':
    case '-ge':
      return compareNumbers(shell, left, operator, right);
    default: {
      const value = evaluateTest(builtinShell(shell), [left, operator, right]);
      if (value instanceof TestError) throw new WrongExpression(`[[: ${value.message}`);
      return value;
    }
  }
}

/** Both sides are arithmetic. What is none is a message and 1, and does not end the script as an expansion would. */
function compareNumbers(shell: ShellState, left: string, operator: string, right: string): boolean {
  let a: Int;
  let b: Int;
  try {
    a = evaluateText(shell, left);
    b = evaluateText(shell, right);
  } catch (error) {
    if (!(error instanceof ExpansionError)) throw error;
    throw new WrongExpression(`[[: ${error.message}`, 1);
  }
  switch (operator) {
    case '-eq':
      return a === b;
    case '-ne':
      return a !== b;
    case '-lt':
      return a < b;
    case '-le':
      return a <= b;
    case '-gt':
      return a > b;
    default:
      return a >= b;
  }
}

/** Quoted text in a regular expression is itself. */
function escapeRegex(text: string): string {
  return text.replace(/[.[\]\\*^$+?{}()|]/g, '\\$&');
}

let loaded: typeof RegexModule | undefined;

/** The engine is as big as the rest of the Runner: it is read when a script first matches. */
function regexEngine(): Awaitable<typeof RegexModule> {
  if (loaded !== undefined) return loaded;
  return import('../text/regex/index.js').then((engine) => {
    loaded = engine;
    return engine;
  });
}

/** `=~`: an ERE, in linear time. Sets `BASH_REMATCH`. */
function matchRegex(shell: ShellState, engine: typeof RegexModule, text: string, pattern: string): boolean {
  const regex = engine.compileRegex(pattern, {
    syntax: 'extended',
    ignoreCase: (shell.shopt & SHOPT.nocasematch) !== 0,
    look: shell.look,
  });
  if (regex instanceof engine.RegexError) throw new WrongExpression(`[[: ${pattern}: ${regex.message}`);
  const line = toByteString(text);
  const groups = regex.exec(line, 0);
  const elements: { subscript: undefined; append: false; value: string }[] = [];
  if (groups !== null) {
    for (let i = 0; i < groups.length; i += 2) {
      const start = groups[i] as number;
      const value = start < 0 ? '' : fromByteString(line.slice(start, groups[i + 1]));
      elements.push({ subscript: undefined, append: false, value });
    }
  }
  assignArray(shell, 'BASH_REMATCH', elements, false);
  return groups !== null;
}
