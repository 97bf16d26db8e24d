/** Runs a program: each node on one input gives any number of values. */

import { watched } from '../../src/text/work.js';
import { PathEvaluator } from './evaluate-paths.js';
import { format } from './formats.js';
import { valueFunction } from './functions.js';
import {
  Break,
  type Env,
  type Flow,
  type Frame,
  listed,
  lookUp,
  PAUSE,
  Pacer,
  type Pause,
  type World,
} from './machine.js';
import { NativeCalls } from './native-calls.js';
import { apply } from './operators.js';
import { deletePaths, getIndex, getPath, getSlice, iterationProblem, updatePath } from './paths.js';
import { accumulate, isAccumulation } from './reduce.js';
import { isSimple } from './simple.js';
import { type BinaryOperator, EMPTY, type Node, type Pattern } from './tree.js';
import { fail, isArray, isObject, isTrue, JqError, type Json, typeOf } from './value.js';
import { described } from './write.js';

type Call = Extract<Node, { kind: 'call' }>;

export class Evaluator {
  readonly world: World;
  readonly pacer: Pacer;
  readonly located: PathEvaluator;
  readonly longest: number;
  private readonly natives: NativeCalls;

  constructor(world: World) {
    this.world = world;
    this.pacer = new Pacer(world.limits);
    this.located = new PathEvaluator(this);
    this.natives = new NativeCalls(this);
    this.longest = world.limits.maxStringBytes;
  }

  /** What a function of values makes of these. */
  valueOf(key: string, input: Json, given: readonly Json[]): Json {
    const { look } = this.world;
    return watched(look, () => valueFunction(key)(input, given, this.longest, look));
  }

  /** The one value of a simple node, at once. */
  one(node: Node, input: Json, env: Env): Json {
    switch (node.kind) {
      case 'identity':
        return input;
      case 'literal':
        return node.value;
      case 'variable':
        return this.variable(node.name, env);
      case 'index':
        return getIndex(this.one(node.of, input, env), this.one(node.key, input, env));
      case 'slice': {
        const from = node.from === undefined ? null : this.one(node.from, input, env);
        const to = node.to === undefined ? null : this.one(node.to, input, env);
        return getSlice(this.one(node.of, input, env), from, to);
      }
      case 'pipe':
        return this.one(node.right, this.one(node.left, input, env), env);
      case 'binary': {
        const right = this.one(node.right, input, env);
        return this.operate(node.operator, this.one(node.left, input, env), right);
      }
      case 'negate':
        return negated(this.one(node.of, input, env));
      case 'and':
        return isTrue(this.one(node.left, input, env)) && isTrue(this.one(node.right, input, env));
      case 'or':
        return isTrue(this.one(node.left, input, env)) || isTrue(this.one(node.right, input, env));
      case 'if':
        return this.one(isTrue(this.one(node.test, input, env)) ? node.then : node.otherwise, input, env);
      case 'array':
        return node.body === undefined ? [] : [this.one(node.body, input, env)];
      case 'object': {
        const object = new Map<string, Json>();
        for (const { key, value } of node.members) {
          const name = keyOf(this.one(key, input, env));
          object.set(name, this.one(value, input, env));
        }
        return object;
      }
      case 'string':
        return this.checked(
          node.parts
            .map((part) =>
              typeof part === 'string' ? part : format(node.format ?? 'text', this.one(part, input, env)),
            )
            .join(''),
        );
      case 'format':
        return watched(this.world.look, () => format(node.name, input));
      case 'call': {
        const given = node.arguments.map((argument) => this.one(argument, input, env));
        return this.valueOf(node.key, input, given);
      }
      default:
        throw new Error(`jq: ${node.kind} is not simple`);
    }
  }

  private checked(text: string): string {
    return text.length > this.longest ? fail('a string is longer than the limit maxStringBytes allows') : text;
  }

  variable(name: string, env: Env): Json {
    if (name === 'ENV') return this.environment();
    const frame = lookUp(env, `$${name}`);
    return frame.kind === 'value' ? frame.value : null;
  }

  environment(): Json {
    return new Map(this.world.environment);
  }

  *run(node: Node, input: Json, env: Env): Flow {
    if (isSimple(node)) {
      yield this.one(node, input, env);
      return;
    }
    switch (node.kind) {
      case 'index':
        for (const of of this.run(node.of, input, env)) {
          if (of === PAUSE) yield of;
          else for (const key of this.run(node.key, input, env)) yield key === PAUSE ? key : getIndex(of, key);
        }
        return;
      case 'slice':
        yield* this.slices(node, input, env);
        return;
      case 'iterate':
        for (const of of this.run(node.of, input, env)) {
          if (of === PAUSE) yield of;
          else yield* this.items(of);
        }
        return;
      case 'pipe':
        for (const left of this.run(node.left, input, env)) {
          if (left === PAUSE) yield left;
          else if (isSimple(node.right)) yield this.one(node.right, left, env);
          else yield* this.run(node.right, left, env);
        }
        return;
      case 'comma':
        yield* this.run(node.left, input, env);
        yield* this.run(node.right, input, env);
        return;
      case 'binary':
        yield* this.binary(node.operator, node.left, node.right, input, env);
        return;
      case 'negate':
        for (const of of this.run(node.of, input, env)) yield of === PAUSE ? of : negated(of);
        return;
      case 'and':
      case 'or':
        yield* this.logic(node, input, env);
        return;
      case 'alternative':
        yield* this.alternative(node.left, node.right, input, env);
        return;
      case 'update':
        yield* this.update(node, input, env);
        return;
      case 'if':
        for (const test of this.run(node.test, input, env)) {
          if (test === PAUSE) yield test;
          else yield* this.run(isTrue(test) ? node.then : node.otherwise, input, env);
        }
        return;
      case 'try':
        yield* this.attempt(node, input, env);
        return;
      case 'bind':
        for (const value of this.run(node.source, input, env)) {
          if (value === PAUSE) yield value;
          else for (const bound of this.bind(node.pattern, value, env)) yield* this.run(node.body, input, bound);
        }
        return;
      case 'reduce':
        yield* this.reduce(node, input, env);
        return;
      case 'foreach':
        yield* this.foreach(node, input, env);
        return;
      case 'label': {
        const label: Frame = { kind: 'label', key: `*${node.name}`, next: env };
        try {
          yield* this.run(node.body, input, label);
        } catch (thrown) {
          if (!(thrown instanceof Break) || thrown.label !== label) throw thrown;
        }
        return;
      }
      case 'break':
        throw new Break(lookUp(env, `*${node.name}`));
      case 'array': {
        const list: Json[] = [];
        let weight = 0;
        for (const item of this.run(node.body ?? EMPTY, input, env)) {
          if (item === PAUSE) yield item;
          else {
            list.push(item);
            weight += typeof item === 'number' ? 1 : this.pacer.weight(item);
            if (weight > this.pacer.most) this.pacer.checkWeight(weight);
          }
        }
        this.pacer.collected(list, weight);
        yield list;
        return;
      }
      case 'object':
        yield* this.objects(node.members, [], input, env);
        return;
      case 'string':
        yield* this.strings(node, node.parts.length - 1, '', input, env);
        return;
      case 'define': {
        const { definition } = node;
        const key = `${definition.name}/${definition.parameters.length}`;
        yield* this.run(node.body, input, { kind: 'function', key, definition, next: env });
        return;
      }
      case 'call':
        yield* this.call(node, input, env);
        return;
      default:
        throw new Error(`jq: ${node.kind} has no meaning here`);
    }
  }

  *items(value: Json): Flow {
    if (!isArray(value) && !isObject(value)) return iterationProblem(value);
    for (const item of value.values()) {
      if (this.pacer.isDue()) yield PAUSE;
      yield item;
    }
  }

  private *slices(node: Extract<Node, { kind: 'slice' }>, input: Json, env: Env): Flow {
    for (const of of this.run(node.of, input, env)) {
      if (of === PAUSE) {
        yield of;
        continue;
      }
      for (const to of this.run(node.to ?? NULL, input, env)) {
        if (to === PAUSE) {
          yield to;
          continue;
        }
        for (const from of this.run(node.from ?? NULL, input, env))
          yield from === PAUSE ? from : getSlice(of, from, to);
      }
    }
  }

  /** The right side is the outer loop. */
  private *binary(operator: BinaryOperator, left: Node, right: Node, input: Json, env: Env): Flow {
    for (const b of this.run(right, input, env)) {
      if (b === PAUSE) yield b;
      else for (const a of this.run(left, input, env)) yield a === PAUSE ? a : this.operate(operator, a, b);
    }
  }

  private *logic(node: Extract<Node, { kind: 'and' | 'or' }>, input: Json, env: Env): Flow {
    for (const left of this.run(node.left, input, env)) {
      if (left === PAUSE) yield left;
      else if (isTrue(left) === (node.kind === 'or')) yield node.kind === 'or';
      else for (const right of this.run(node.right, input, env)) yield right === PAUSE ? right : isTrue(right);
    }
  }

  /** What is true of the left; the right where there is nothing. */
  private *alternative(left: Node, right: Node, input: Json, env: Env): Flow {
    let found = false;
    for (const value of this.run(left, input, env)) {
      if (value === PAUSE) yield value;
      else if (isTrue(value)) {
        found = true;
        yield value;
      }
    }
    if (!found) yield* this.run(right, input, env);
  }

  /** Only what the body itself raises is caught, not what is raised by whoever takes its values. */
  private *attempt({ body, handler }: Extract<Node, { kind: 'try' }>, input: Json, env: Env): Flow {
    const flow = this.run(body, input, env);
    let problem: JqError;
    try {
      for (;;) {
        let step: IteratorResult<Json | Pause, void>;
        try {
          step = flow.next();
        } catch (thrown) {
          if (!(thrown instanceof JqError)) throw thrown;
          problem = thrown;
          break;
        }
        if (step.done === true) return;
        yield step.value;
      }
    } finally {
      flow.return();
    }
    if (handler !== undefined) yield* this.run(handler, problem.value, env);
  }

  /** Each way to bind the variables of a pattern. */
  *bind(pattern: Pattern, value: Json, env: Env): Generator<Env, void, undefined> {
    if (pattern.kind === 'variable') {
      yield { kind: 'value', key: `$${pattern.name}`, value, next: env };
      return;
    }
    if (pattern.kind === 'array') {
      if (value !== null && !isArray(value)) fail(`Cannot index ${typeOf(value)} with number`);
      yield* this.bindAll(
        pattern.items.map((item, i) => ({ variable: undefined, key: { kind: 'literal', value: i }, pattern: item })),
        0,
        value,
        env,
      );
      return;
    }
    yield* this.bindAll(pattern.members, 0, value, env);
  }

  private *bindAll(
    members: Extract<Pattern, { kind: 'object' }>['members'],
    from: number,
    value: Json,
    env: Env,
  ): Generator<Env, void, undefined> {
    const member = members[from];
    if (member === undefined) {
      yield env;
      return;
    }
    for (const key of this.run(member.key, value, env)) {
      // What a key is made of never waits long enough to matter: it is a name in all but name.
      if (key === PAUSE) continue;
      if (isObject(value) && typeof key !== 'string') fail(`Cannot index object with ${typeOf(key)}`);
      const item = getIndex(value, key);
      const own: Env =
        member.variable === undefined ? env : { kind: 'value', key: `$${member.variable}`, value: item, next: env };
      if (member.pattern === undefined) yield* this.bindAll(members, from + 1, value, own);
      else
        for (const bound of this.bind(member.pattern, item, own)) yield* this.bindAll(members, from + 1, value, bound);
    }
  }

  private *reduce(node: Extract<Node, { kind: 'reduce' }>, input: Json, env: Env): Flow {
    for (const start of this.run(node.start, input, env)) {
      if (start === PAUSE) {
        yield start;
        continue;
      }
      let result: Json = start;
      const owned = isAccumulation(node.update) ? new Set<Json>() : undefined;
      for (const value of this.run(node.source, input, env)) {
        if (value === PAUSE) {
          yield value;
          continue;
        }
        if (this.pacer.isDue()) yield PAUSE;
        for (const bound of this.bind(node.pattern, value, env)) {
          if (owned !== undefined) {
            result = accumulate(this, node.update, result, bound, owned);
            continue;
          }
          let last: Json = null;
          for (const next of this.run(node.update, result, bound)) {
            if (next === PAUSE) yield next;
            else last = next;
          }
          result = last;
        }
      }
      yield result;
    }
  }

  private *foreach(node: Extract<Node, { kind: 'foreach' }>, input: Json, env: Env): Flow {
    for (const start of this.run(node.start, input, env)) {
      if (start === PAUSE) {
        yield start;
        continue;
      }
      let state: Json = start;
      for (const value of this.run(node.source, input, env)) {
        if (value === PAUSE) {
          yield value;
          continue;
        }
        if (this.pacer.isDue()) yield PAUSE;
        for (const bound of this.bind(node.pattern, value, env)) {
          for (const next of this.run(node.update, state, bound)) {
            if (next === PAUSE) yield next;
            else {
              state = next;
              yield* this.run(node.extract, next, bound);
            }
          }
        }
      }
    }
  }

  /** The last member's values change fastest. */
  private *objects(
    members: Extract<Node, { kind: 'object' }>['members'],
    done: readonly (readonly [string, Json])[],
    input: Json,
    env: Env,
  ): Flow {
    const member = members[done.length];
    if (member === undefined) {
      yield new Map(done);
      return;
    }
    for (const key of this.run(member.key, input, env)) {
      if (key === PAUSE) {
        yield key;
        continue;
      }
      const name = keyOf(key);
      for (const value of this.run(member.value, input, env)) {
        if (value === PAUSE) yield value;
        else yield* this.objects(members, [...done, [name, value]], input, env);
      }
    }
  }

  private *strings(node: Extract<Node, { kind: 'string' }>, at: number, after: string, input: Json, env: Env): Flow {
    const part = node.parts[at];
    if (part === undefined) yield this.checked(after);
    else if (typeof part === 'string') yield* this.strings(node, at - 1, part + after, input, env);
    else {
      for (const value of this.run(part, input, env)) {
        if (value === PAUSE) yield value;
        else yield* this.strings(node, at - 1, format(node.format ?? 'text', value) + after, input, env);
      }
    }
  }

  // -------------------------------------------------------------------------------------------------------- updates

  private *update({ operator, left, right }: Extract<Node, { kind: 'update' }>, input: Json, env: Env): Flow {
    if (operator === '|=') {
      yield* this.modify(left, right, input, env);
      return;
    }
    for (const value of this.run(right, input, env)) {
      if (value === PAUSE) {
        yield value;
        continue;
      }
      const owned = new Set<Json>();
      let result: Json = input;
      for (const found of this.located.run(left, { value: input, path: undefined }, env)) {
        if (found === PAUSE) yield found;
        else result = updatePath(result, listed(found.path), (old) => this.combined(operator, old, value), owned);
      }
      yield result;
    }
  }

  combined(operator: '=' | '+=' | '-=' | '*=' | '/=' | '%=' | '//=', old: Json, value: Json): Json {
    if (operator === '=') return value;
    if (operator === '//=') return isTrue(old) ? old : value;
    return this.operate(operator.slice(0, -1) as BinaryOperator, old, value);
  }

  private operate(operator: BinaryOperator, a: Json, b: Json): Json {
    // Numbers, as loops have them, take no time worth a look at the clock.
    if (typeof a === 'number') return apply(operator, a, b, this.longest);
    return watched(this.world.look, () => apply(operator, a, b, this.longest));
  }

  /** The first value that `right` makes of each; where there is none, what was there goes. */
  private *modify(left: Node, right: Node, input: Json, env: Env): Flow {
    let owned = new Set<Json>();
    let result: Json = input;
    for (const found of this.located.run(left, { value: input, path: undefined }, env)) {
      if (found === PAUSE) {
        yield found;
        continue;
      }
      const path = listed(found.path);
      const old = getPath(result, path);
      // Whatever `right` does with it, it is not ours alone any more.
      if (owned.has(old)) owned = new Set();
      let made: Json | undefined;
      for (const value of this.run(right, old, env)) {
        if (value === PAUSE) yield value;
        else {
          made = value;
          break;
        }
      }
      const value = made;
      result = value === undefined ? deletePaths(result, [path]) : updatePath(result, path, () => value, owned);
    }
    yield result;
  }

  // ---------------------------------------------------------------------------------------------------------- calls

  private *call(node: Call, input: Json, env: Env): Flow {
    if (node.target === 'native') {
      yield* this.natives.call(node, input, env);
      return;
    }
    for (const { body, env: inner } of this.bodies(node, input, env)) {
      if (this.pacer.isDue()) yield PAUSE;
      yield* this.run(body, input, inner);
    }
  }

  /** The body that a call runs, for each way to give values to the parameters that want values. */
  *bodies(node: Call, input: Json, env: Env): Generator<{ readonly body: Node; readonly env: Env }, void, undefined> {
    const { target } = node;
    let frame: Frame;
    if (target === 'scope') frame = lookUp(env, node.key);
    else if (target === 'native') throw new Error('jq: a function of ours has no body');
    else frame = { kind: 'function', key: node.key, definition: target, next: undefined };
    if (frame.kind === 'closure') yield { body: frame.body, env: frame.env };
    else if (frame.kind === 'value') yield { body: { kind: 'literal', value: frame.value }, env: undefined };
    else if (frame.kind === 'function') {
      const { definition } = frame;
      for (const inner of this.give(definition.parameters, node.arguments, 0, input, env, frame)) {
        yield { body: definition.body, env: inner };
      }
    }
  }

  private *give(
    parameters: readonly string[],
    given: readonly Node[],
    at: number,
    input: Json,
    caller: Env,
    inner: Env,
  ): Generator<Env, void, undefined> {
    const parameter = parameters[at];
    if (parameter === undefined) {
      yield inner;
      return;
    }
    const argument = given[at] as Node; // as many as there are parameters: the key says so
    if (!parameter.startsWith('$')) {
      yield* this.give(parameters, given, at + 1, input, caller, closure(parameter, argument, caller, inner));
      return;
    }
    for (const value of this.run(argument, input, caller)) {
      if (value === PAUSE) continue;
      const named: Env = { kind: 'value', key: parameter, value, next: inner };
      const both = closure(parameter.slice(1), argument, caller, named);
      yield* this.give(parameters, given, at + 1, input, caller, both);
    }
  }
}

const NULL: Node = { kind: 'literal', value: null };

/** A filter that is another one's parameter is that parameter's filter: recursion does not pile them up. */
function closure(name: string, body: Node, env: Env, next: Env): Env {
  const key = `${name}/0`;
  if (body.kind === 'call' && body.target === 'scope' && body.arguments.length === 0) {
    const frame = lookUp(env, body.key);
    if (frame.kind === 'closure') return { kind: 'closure', key, body: frame.body, env: frame.env, next };
  }
  return { kind: 'closure', key, body, env, next };
}

function negated(value: Json): Json {
  return typeof value === 'number' ? -value : fail(`${described(value)} cannot be negated`);
}

function keyOf(key: Json): string {
  return typeof key === 'string' ? key : fail(`Cannot use ${described(key)} as object key`);
}
