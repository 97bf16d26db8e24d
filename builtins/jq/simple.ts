/** Which nodes have exactly one value and never wait: they are worked out without a generator. */
import { VALUE_FUNCTIONS } from './functions.js';
import type { Node } from './tree.js';

export function isSimple(node: Node): boolean {
  node.simple ??= worked(node);
  return node.simple;
}

function worked(node: Node): boolean {
  switch (node.kind) {
    case 'identity':
    case 'literal':
    case 'variable':
    case 'format':
      return true;
    case 'index':
      return isSimple(node.of) && isSimple(node.key);
    case 'slice':
      return [node.of, node.from, node.to].every((part) => part === undefined || isSimple(part));
    case 'pipe':
    case 'binary':
    case 'and':
    case 'or':
      return isSimple(node.left) && isSimple(node.right);
    case 'negate':
      return isSimple(node.of);
    case 'if':
      return isSimple(node.test) && isSimple(node.then) && isSimple(node.otherwise);
    case 'array':
      return node.body === undefined || isSimple(node.body);
    case 'object':
      return node.members.every(({ key, value }) => isSimple(key) && isSimple(value));
    case 'string':
      return node.parts.every((part) => typeof part === 'string' || isSimple(part));
    case 'call':
      return node.target === 'native' && Object.hasOwn(VALUE_FUNCTIONS, node.key) && node.arguments.every(isSimple);
    default:
      return false;
  }
}
