/** Expressions back to text. */
import type { Arithmetic, ArithmeticSubscript } from './ast.js';

/** An expression, in parentheses wherever one operator meets another. */
export function printArithmetic(node: Arithmetic): string {
  switch (node.kind) {
    case 'Number':
      // there are no negative constants, and the least integer is only written as one that wraps around
      return node.value < 0 ? (BigInt(node.value) + 2n ** 64n).toString() : node.value.toString();
    case 'Variable':
      return variableText(node);
    case 'Parameter':
      return `\${${node.name}}`;
    case 'Unary':
      return `${node.operator} ${operandText(node.operand)}`;
    case 'Binary':
    case 'Logical':
      return `${operandText(node.left)} ${node.operator} ${operandText(node.right)}`;
    case 'Conditional':
      return `${operandText(node.test)} ? ${operandText(node.then)} : ${operandText(node.otherwise)}`;
    case 'Assignment':
      return `${variableText(node)} ${node.operator ?? ''}= ${operandText(node.value)}`;
    case 'Increment': {
      const sign = node.by === 1 ? '++' : '--';
      return node.prefix ? sign + variableText(node) : variableText(node) + sign;
    }
    case 'Comma':
      return `${operandText(node.left)}, ${operandText(node.right)}`;
  }
}

function operandText(node: Arithmetic): string {
  const simple = node.kind === 'Number' || node.kind === 'Variable' || node.kind === 'Parameter';
  return simple ? printArithmetic(node) : `(${printArithmetic(node)})`;
}

function variableText({ name, subscript }: { name: string; subscript: ArithmeticSubscript | undefined }): string {
  return subscript === undefined ? name : `${name}[${subscript.text}]`;
}
