/** Which expressions may have to wait: those that read, close, or call a function, whose loops may run long. */
import { ungroup } from './parse-expression.js';
import type { Expression, Target } from './tree.js';

/** The same node over other operands. Operands are given in the order in which they are worked out: a value before its target. */
export function mapOperands(node: Expression, f: (operand: Expression) => Expression): Expression {
  switch (node.kind) {
    case 'number':
    case 'string':
    case 'regex':
    case 'variable':
    case 'array':
      return node;
    case 'element':
    case 'field':
      return mapTarget(node, f);
    case 'assign': {
      const value = f(node.value);
      return { ...node, target: mapTarget(node.target, f), value };
    }
    case 'step':
      return { ...node, target: mapTarget(node.target, f) };
    case 'arithmetic':
    case 'compare':
    case 'and':
    case 'or':
      return { ...node, left: f(node.left), right: f(node.right) };
    case 'concat':
      return { ...node, parts: node.parts.map(f) };
    case 'match':
      return { ...node, left: f(node.left), pattern: mapPattern(node.pattern, f) };
    case 'in':
      return { ...node, keys: node.keys.map(f) };
    case 'choice':
      return { ...node, test: f(node.test), yes: f(node.yes), no: f(node.no) };
    case 'unary':
      return { ...node, operand: f(node.operand) };
    case 'group':
      return { ...node, items: node.items.map(f) };
    case 'call':
      return { ...node, arguments: node.arguments.map(f) };
    case 'builtin':
      return { ...node, arguments: mapArguments(node, f) };
    case 'getline':
      return {
        ...node,
        file: node.file === undefined ? undefined : f(node.file),
        target: node.target === undefined ? undefined : mapTarget(node.target, f),
      };
  }
}

function mapTarget(target: Target, f: (operand: Expression) => Expression): Target {
  switch (target.kind) {
    case 'variable':
      return target;
    case 'element':
      return { ...target, keys: target.keys.map(f) };
    case 'field':
      return { ...target, index: f(target.index) };
  }
}

/** A regular expression where one is asked for is no operand. */
function mapPattern(pattern: Expression, f: (operand: Expression) => Expression): Expression {
  return pattern.kind === 'regex' ? pattern : f(pattern);
}

function mapArguments(
  node: Extract<Expression, { kind: 'builtin' }>,
  f: (operand: Expression) => Expression,
): readonly Expression[] {
  const given = node.arguments;
  switch (node.name) {
    case 'match':
      return given.map((one, i) => (i === 1 ? mapPattern(one, f) : f(one)));
    case 'split':
      return given.map((one, i) => (i === 1 ? one : i === 2 ? mapPattern(one, f) : f(one)));
    case 'sub':
    case 'gsub':
      return given.map((one, i) =>
        i === 0 ? mapPattern(one, f) : i === 2 ? mapTarget(ungroup(one) as Target, f) : f(one),
      );
    default:
      return given.map((one) => (one.kind === 'array' ? one : f(one)));
  }
}

const known = new WeakMap<Expression, boolean>();

export function mayWait(node: Expression): boolean {
  const before = known.get(node);
  if (before !== undefined) return before;
  let waits =
    node.kind === 'call' ||
    node.kind === 'getline' ||
    (node.kind === 'builtin' && (node.name === 'close' || node.name === 'fflush'));
  if (!waits) {
    mapOperands(node, (operand) => {
      waits ||= mayWait(operand);
      return operand;
    });
  }
  known.set(node, waits);
  return waits;
}
