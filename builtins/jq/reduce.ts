/**
 * `reduce` that builds something up: `.[$k] = $v`, `.[$k] += 1`, `. + [$x]`. What it has made itself is changed in place, as
 * nobody else can have seen it: else a list of n items would be copied n times.
 */
import { limitReached } from '../../src/limits.js';
import type { Evaluator } from './evaluate.js';
import type { Env } from './machine.js';
import { add } from './operators.js';
import { type Owned, updatePath } from './paths.js';
import { isSimple } from './simple.js';
import type { Node } from './tree.js';
import { isArray, isObject, type Json } from './value.js';

/** Whether the update is of this kind: a path of plain steps, and a value in which `.` has no part. */
export function isAccumulation(update: Node): boolean {
  if (update.kind === 'binary') {
    return (
      update.operator === '+' && update.left.kind === 'identity' && isSimple(update.right) && !usesInput(update.right)
    );
  }
  return (
    update.kind === 'update' &&
    update.operator !== '|=' &&
    isPlainPath(update.left) &&
    isSimple(update.right) &&
    !usesInput(update.right)
  );
}

/** `.[$k].a` */
function isPlainPath(node: Node): boolean {
  if (node.kind === 'identity') return true;
  return node.kind === 'index' && isPlainPath(node.of) && isSimple(node.key) && !usesInput(node.key);
}

function usesInput(node: Node): boolean {
  switch (node.kind) {
    case 'literal':
    case 'variable':
      return false;
    case 'index':
      return usesInput(node.of) || usesInput(node.key);
    case 'slice':
      return [node.of, node.from, node.to].some((part) => part !== undefined && usesInput(part));
    case 'pipe':
      // The right side's input is what the left one makes.
      return usesInput(node.left);
    case 'binary':
      return usesInput(node.left) || usesInput(node.right);
    case 'array':
      return node.body !== undefined && usesInput(node.body);
    case 'object':
      return node.members.some(({ key, value }) => usesInput(key) || usesInput(value));
    case 'string':
      return node.parts.some((part) => typeof part !== 'string' && usesInput(part));
    default:
      return true;
  }
}

export function accumulate(evaluator: Evaluator, update: Node, before: Json, env: Env, owned: Owned): Json {
  const longest = evaluator.world.limits.maxStringBytes;
  if (update.kind === 'binary') return grown(before, evaluator.one(update.right, null, env), owned, longest);
  if (update.kind !== 'update' || update.operator === '|=') throw new Error('jq: this builds nothing up');
  const value = evaluator.one(update.right, null, env);
  const { operator } = update;
  const keys: Json[] = [];
  for (let node = update.left; node.kind === 'index'; node = node.of) keys.push(evaluator.one(node.key, null, env));
  return updatePath(
    before,
    keys.reverse(),
    (old) => (operator === '+=' ? grown(old, value, owned, longest) : evaluator.combined(operator, old, value)),
    owned,
  );
}

function grown(before: Json, more: Json, owned: Owned, longest: number): Json {
  if (isArray(before) && isArray(more) && owned.has(before)) {
    if (before.length + more.length > longest / 8) throw limitReached('maxStringBytes', longest);
    for (const item of more) (before as Json[]).push(item);
    return before;
  }
  if (isObject(before) && isObject(more) && owned.has(before)) {
    if (before.size + more.size > longest / 32) throw limitReached('maxStringBytes', longest);
    for (const [key, value] of more) (before as Map<string, Json>).set(key, value);
    return before;
  }
  const sum = add(before, more, longest);
  if (sum !== before && sum !== more && sum !== null && typeof sum === 'object') owned.add(sum);
  return sum;
}
