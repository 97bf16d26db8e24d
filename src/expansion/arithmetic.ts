/** Arithmetic expansion (POSIX 2.6.4): `$((expression))` over signed 64-bit integers. */
import type {
  Arithmetic,
  ArithmeticExpansion,
  ArithmeticSubscript,
  BinaryOperator,
  Word,
  WordPart,
} from '../../grammar/ast.js';
import type { Awaitable } from '../steps.js';
import type { Int } from '../text/int64.js';
import * as int64 from '../text/int64.js';
import { ArithmeticError, type ExpansionHost, ExpressionError } from './host.js';
import { joinParts } from './words.js';

/** A variable whose value is an expression that names a variable ... is followed this far. */
const MAX_INDIRECTION = 256;
/** And so many such values in all for one variable of an expression: with `a=b+b b=c+c ...` each level doubles the work. */
const MAX_FOLLOWED = 20_000;

/** How many values are being followed now, and how many were since the first of them. Nothing here waits, so one count will do. */
let following = 0;
let followed = 0;

/** The value of `$((...))` as text. */
export function expandArithmetic(host: ExpansionHost, node: ArithmeticExpansion): Awaitable<string> {
  const value = evaluateExpansion(host, node);
  return typeof value === 'object' ? value.then(int64.format) : String(value);
}

/** The value of `$((...))`. */
export function evaluateExpansion(
  host: ExpansionHost,
  node: Pick<ArithmeticExpansion, 'parts' | 'expression'>,
): Awaitable<Int> {
  const { expression } = node;
  if (expression !== undefined) {
    const names = parameterNames(expression);
    if (names === undefined) return evaluateParts(host, node.parts);
    if (names.length === 0) return evaluate(host, expression, NO_VALUES);
    const values = parameterValues(host, names);
    if (values !== undefined) return evaluate(host, expression, { names, values });
  }
  return evaluateParts(host, node.parts);
}

function evaluateParts(host: ExpansionHost, parts: readonly WordPart[]): Awaitable<Int> {
  const text = joinParts(host, parts, true);
  return typeof text === 'string' ? evaluateText(host, text) : text.then((late) => evaluateText(host, late));
}

/** The value of a word that is an expression: `${x:offset}`, `a[subscript]`. */
export function evaluateWord(host: ExpansionHost, word: Word): Awaitable<Int> {
  const text = word.literal ?? joinParts(host, word.parts, true);
  return typeof text === 'string' ? evaluateText(host, text) : text.then((late) => evaluateText(host, late));
}

/** Parses and evaluates text that is already expanded. An empty expression is 0. */
export function evaluateText(host: ExpansionHost, text: string, depth = 0): Int {
  if (depth > MAX_INDIRECTION) throw recursion(text);
  return evaluate(host, parsed(host, text), NO_VALUES, depth);
}

const cache = new Map<string, Arithmetic>();
const CACHE_SIZE = 512;

function parsed(host: ExpansionHost, text: string): Arithmetic {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const result = host.parseArithmetic(text);
  if (typeof result === 'string') throw new ExpressionError(`${shown(text.trimStart())}: ${result}`);
  if (cache.size >= CACHE_SIZE) cache.clear();
  cache.set(text, result);
  return result;
}

/** An expression as a message shows it. */
function shown(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function recursion(text: string): ExpressionError {
  return new ExpressionError(`${shown(text)}: expression recursion level exceeded (error token is "${shown(text)}")`);
}

// ---------------------------------------------------------------------------------- parameters in a parsed expression

/** The values that `$x` had when the expansion began: `$((x=5, $x))` uses the old one, as text replacement would. */
interface ParameterValues {
  readonly names: readonly string[];
  readonly values: readonly Int[];
}

const NO_VALUES: ParameterValues = { names: [], values: [] };
/** The names of the parameters in an expression; null for one that must be evaluated as text. */
const namesOf = new WeakMap<Arithmetic, readonly string[] | null>();

/** Undefined: a `$` stands in a subscript, and may be a part of a key, which only the expanded text tells. */
function parameterNames(expression: Arithmetic): readonly string[] | undefined {
  let names = namesOf.get(expression);
  if (names === undefined) {
    const found: string[] = [];
    names = collectNames(expression, found) ? found : null;
    namesOf.set(expression, names);
  }
  return names ?? undefined;
}

/** Adds the names in `node`; false when they are not all it takes. */
function collectNames(node: Arithmetic, names: string[]): boolean {
  switch (node.kind) {
    case 'Parameter':
      if (!names.includes(node.name)) names.push(node.name);
      return true;
    case 'Unary':
      return collectNames(node.operand, names);
    case 'Binary':
    case 'Logical':
    case 'Comma':
      return collectNames(node.left, names) && collectNames(node.right, names);
    case 'Conditional':
      return collectNames(node.test, names) && collectNames(node.then, names) && collectNames(node.otherwise, names);
    case 'Assignment':
      return isPlainSubscript(node.subscript) && collectNames(node.value, names);
    case 'Variable':
    case 'Increment':
      return isPlainSubscript(node.subscript);
    case 'Number':
      return true;
  }
}

function isPlainSubscript(subscript: ArithmeticSubscript | undefined): boolean {
  return subscript === undefined || !subscript.text.includes('$');
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
      if (node.subscript !== undefined)
        return element(host, node.name, keyOf(host, node.name, node.subscript, parameters, depth), depth);
      return variable(host, node.name, depth);
    case 'Parameter':
      return parameters.values[parameters.names.indexOf(node.name)] as Int;
    case 'Binary':
      return binary(
        host,
        node.operator,
        evaluate(host, node.left, parameters, depth),
        evaluate(host, node.right, parameters, depth),
        node,
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
      if (node.subscript !== undefined) {
        const key = keyOf(host, node.name, node.subscript, parameters, depth);
        const value = evaluate(host, node.value, parameters, depth);
        const before = node.operator === undefined ? 0 : element(host, node.name, key, depth);
        const result = node.operator === undefined ? value : binary(host, node.operator, before, value, node);
        host.assignElement(node.name, key, int64.format(result));
        return result;
      }
      const value = evaluate(host, node.value, parameters, depth);
      const before = node.operator === undefined ? 0 : variable(host, node.name, depth);
      const result = node.operator === undefined ? value : binary(host, node.operator, before, value, node);
      host.assignInteger(node.name, result);
      return result;
    }
    case 'Increment': {
      if (node.subscript !== undefined) {
        const key = keyOf(host, node.name, node.subscript, parameters, depth);
        const before = element(host, node.name, key, depth);
        const after = int64.add(before, node.by);
        host.assignElement(node.name, key, int64.format(after));
        return node.prefix ? after : before;
      }
      const before = variable(host, node.name, depth);
      const after = int64.add(before, node.by);
      host.assignInteger(node.name, after);
      return node.prefix ? after : before;
    }
    case 'Comma':
      evaluate(host, node.left, parameters, depth);
      return evaluate(host, node.right, parameters, depth);
  }
  throw new ArithmeticError('arithmetic syntax error');
}

/** The subscript of `a[i]` as `host` takes it: a number for an indexed array, the text itself for an associative one. */
function keyOf(
  host: ExpansionHost,
  name: string,
  subscript: ArithmeticSubscript,
  parameters: ParameterValues,
  depth: number,
): string {
  if (host.isAssociative(name)) return subscript.text;
  if (subscript.expression === undefined) {
    throw new ArithmeticError(`${name}[${subscript.text}]: bad array subscript`);
  }
  return int64.format(evaluate(host, subscript.expression, parameters, depth));
}

function element(host: ExpansionHost, name: string, key: string, depth: number): Int {
  return integerOf(host, `${name}[${key}]`, host.element(name, key), depth);
}

/** The integer value of a variable: an unset or empty one is 0, and any other text is itself an expression (as in bash). */
function variable(host: ExpansionHost, name: string, depth: number): Int {
  const known = host.integer(name);
  if (known !== undefined) return known;
  return integerOf(host, name, host.parameter(name), depth);
}

function integerOf(host: ExpansionHost, name: string, text: string | undefined, depth: number): Int {
  if (text === undefined) {
    if (host.nounset) throw new ArithmeticError(`${name}: unbound variable`);
    return 0;
  }
  const value = int64.parseInt64(text);
  if (value !== undefined) return value;
  return text.trim() === '' ? 0 : follow(host, text, depth);
}

function follow(host: ExpansionHost, text: string, depth: number): Int {
  if (following === 0) followed = 0;
  if (++followed > MAX_FOLLOWED || following > MAX_INDIRECTION) {
    throw recursion(text);
  }
  following++;
  try {
    return evaluateText(host, text, depth + 1);
  } finally {
    following--;
  }
}

/** What is wrong with the right operand of an operation. */
function failed(host: ExpansionHost, node: Arithmetic, what: string): ExpressionError {
  const { text, offset } = host.rightOperand(node) ?? { text: '', offset: 0 };
  return new ExpressionError(`${shown(text.trimStart())}: ${what} (error token is "${shown(text.slice(offset))}")`);
}

function binary(host: ExpansionHost, operator: BinaryOperator, left: Int, right: Int, node: Arithmetic): Int {
  switch (operator) {
    case '+':
      return int64.add(left, right);
    case '-':
      return int64.sub(left, right);
    case '*':
      return int64.mul(left, right);
    case '/':
      if (right === 0) throw failed(host, node, 'division by 0');
      return int64.div(left, right);
    case '%':
      if (right === 0) throw failed(host, node, 'division by 0');
      return int64.rem(left, right);
    case '**':
      if (right < 0) throw failed(host, node, 'exponent less than 0');
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
