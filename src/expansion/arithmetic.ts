/** Arithmetic expansion (POSIX 2.6.4): `$((expression))` over signed 64-bit integers. */
import type { Arithmetic, ArithmeticExpansion, BinaryOperator } from '../../grammar/ast.js';
import type { Awaitable } from '../steps.js';
import type { Int } from '../text/int64.js';
import * as int64 from '../text/int64.js';
import { ExpansionError, type ExpansionHost } from './host.js';
import { joinParts } from './words.js';

/** A variable whose value is an expression that names a variable ... is followed this far. */
const MAX_INDIRECTION = 256;

/** The value of `$((...))` as text. */
export function expandArithmetic(host: ExpansionHost, node: ArithmeticExpansion): Awaitable<string> {
  const value = evaluateExpansion(host, node);
  return typeof value === 'object' ? value.then(int64.format) : String(value);
}

/** The value of `$((...))`. */
export function evaluateExpansion(host: ExpansionHost, node: ArithmeticExpansion): Awaitable<Int> {
  const { expression } = node;
  if (expression !== undefined) {
    const names = parameterNames(expression);
    if (names.length === 0) return evaluate(host, expression, NO_VALUES);
    const values = parameterValues(host, names);
    if (values !== undefined) return evaluate(host, expression, { names, values });
  }
  const text = joinParts(host, node.parts, true);
  return typeof text === 'string' ? evaluateText(host, text) : text.then((late) => evaluateText(host, late));
}

/** Parses and evaluates text that is already expanded. An empty expression is 0. */
export function evaluateText(host: ExpansionHost, text: string, depth = 0): Int {
  if (depth > MAX_INDIRECTION) throw new ExpansionError(`${text}: expression recursion level exceeded`);
  return evaluate(host, parsed(host, text), NO_VALUES, depth);
}

const cache = new Map<string, Arithmetic>();
const CACHE_SIZE = 512;

function parsed(host: ExpansionHost, text: string): Arithmetic {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const result = host.parseArithmetic(text);
  if (typeof result === 'string') throw new ExpansionError(`${text.trim()}: ${result}`);
  if (cache.size >= CACHE_SIZE) cache.clear();
  cache.set(text, result);
  return result;
}

// ---------------------------------------------------------------------------------- parameters in a parsed expression

/** The values that `$x` had when the expansion began: `$((x=5, $x))` uses the old one, as text replacement would. */
interface ParameterValues {
  readonly names: readonly string[];
  readonly values: readonly Int[];
}

const NO_VALUES: ParameterValues = { names: [], values: [] };
const namesOf = new WeakMap<Arithmetic, readonly string[]>();

function parameterNames(expression: Arithmetic): readonly string[] {
  let names = namesOf.get(expression);
  if (names === undefined) {
    const found: string[] = [];
    collectNames(expression, found);
    names = found;
    namesOf.set(expression, names);
  }
  return names;
}

function collectNames(node: Arithmetic, names: string[]): void {
  switch (node.kind) {
    case 'Parameter':
      if (!names.includes(node.name)) names.push(node.name);
      break;
    case 'Unary':
      collectNames(node.operand, names);
      break;
    case 'Binary':
    case 'Logical':
    case 'Comma':
      collectNames(node.left, names);
      collectNames(node.right, names);
      break;
    case 'Conditional':
      collectNames(node.test, names);
      collectNames(node.then, names);
      collectNames(node.otherwise, names);
      break;
    case 'Assignment':
      collectNames(node.value, names);
      break;
    default:
      break;
  }
}

/** The parameters' values, when all are plain numbers, which stand for themselves; undefined sends the text to the parser. */
function parameterValues(host: ExpansionHost, names: readonly string[]): readonly Int[] | undefined {
  const values: Int[] = [];
  for (const name of names) {
    let value = host.integer(name);
    if (value === undefined) {
      const text = host.parameter(name);
      if (text === undefined || !isPlainNumber(text)) return undefined;
      value = int64.parseInt64(text);
      if (value === undefined) return undefined;
    }
    values.push(value);
  }
  return values;
}

function isPlainNumber(text: string): boolean {
  let i = text.charCodeAt(0) === 45 ? 1 : 0;
  if (i === text.length) return false;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 48 || code > 57) return false;
  }
  return true;
}

// ------------------------------------------------------------------------------------------------------- evaluation

function evaluate(host: ExpansionHost, node: Arithmetic, parameters: ParameterValues, depth = 0): Int {
  switch (node.kind) {
    case 'Number':
      return node.value;
    case 'Variable':
      return variable(host, node.name, depth);
    case 'Parameter':
      return parameters.values[parameters.names.indexOf(node.name)] as Int;
    case 'Binary':
      return binary(
        node.operator,
        evaluate(host, node.left, parameters, depth),
        evaluate(host, node.right, parameters, depth),
      );
    case 'Unary': {
      const operand = evaluate(host, node.operand, parameters, depth);
      switch (node.operator) {
        case '-':
          return int64.neg(operand);
        case '+':
          return operand;
        case '!':
          return operand === 0 ? 1 : 0;
        case '~':
          return int64.not(operand);
      }
      break;
    }
    case 'Logical': {
      const left = evaluate(host, node.left, parameters, depth) !== 0;
      if (left === (node.operator === '||')) return left ? 1 : 0;
      return evaluate(host, node.right, parameters, depth) !== 0 ? 1 : 0;
    }
    case 'Conditional':
      return evaluate(host, node.test, parameters, depth) !== 0
        ? evaluate(host, node.then, parameters, depth)
        : evaluate(host, node.otherwise, parameters, depth);
    case 'Assignment': {
      const value = evaluate(host, node.value, parameters, depth);
      const result =
        node.operator === undefined ? value : binary(node.operator, variable(host, node.name, depth), value);
      host.assignInteger(node.name, result);
      return result;
    }
    case 'Increment': {
      const before = variable(host, node.name, depth);
      const after = int64.add(before, node.by);
      host.assignInteger(node.name, after);
      return node.prefix ? after : before;
    }
    case 'Comma':
      evaluate(host, node.left, parameters, depth);
      return evaluate(host, node.right, parameters, depth);
  }
  throw new ExpansionError('arithmetic syntax error');
}

/** The integer value of a variable: an unset or empty one is 0, and any other text is itself an expression (as in bash). */
function variable(host: ExpansionHost, name: string, depth: number): Int {
  const known = host.integer(name);
  if (known !== undefined) return known;
  const text = host.parameter(name);
  if (text === undefined) {
    if (host.nounset) throw new ExpansionError(`${name}: unbound variable`);
    return 0;
  }
  const value = int64.parseInt64(text);
  if (value !== undefined) return value;
  return text.trim() === '' ? 0 : evaluateText(host, text, depth + 1);
}

function binary(operator: BinaryOperator, left: Int, right: Int): Int {
  switch (operator) {
    case '+':
      return int64.add(left, right);
    case '-':
      return int64.sub(left, right);
    case '*':
      return int64.mul(left, right);
    case '/':
      if (right === 0) throw new ExpansionError('division by 0');
      return int64.div(left, right);
    case '%':
      if (right === 0) throw new ExpansionError('division by 0');
      return int64.rem(left, right);
    case '**':
      if (right < 0) throw new ExpansionError('exponent less than 0');
      return int64.pow(left, right);
    case '<<':
      return int64.shl(left, right);
    case '>>':
      return int64.shr(left, right);
    case '&':
      return int64.and(left, right);
    case '|':
      return int64.or(left, right);
    case '^':
      return int64.xor(left, right);
    case '<':
      return left < right ? 1 : 0;
    case '<=':
      return left <= right ? 1 : 0;
    case '>':
      return left > right ? 1 : 0;
    case '>=':
      return left >= right ? 1 : 0;
    case '==':
      return left === right ? 1 : 0;
    case '!=':
      return left !== right ? 1 : 0;
  }
}
