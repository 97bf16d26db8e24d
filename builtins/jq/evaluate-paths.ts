/** The same program, asked where its values are: for `path`, `del`, and what stands before `=` and `|=`. */
import type { Evaluator } from './evaluate.js';
import { Break, type Env, type Frame, type Link, type Located, type LocatedFlow, lookUp, PAUSE } from './machine.js';
import { getIndex, getPath, getSlice, iterationProblem, pathOf } from './paths.js';
import type { Node } from './tree.js';
import { fail, isArray, isObject, isTrue, JqError, type Json } from './value.js';
import { cut, write } from './write.js';

const NULL: Node = { kind: 'literal', value: null };

export class PathEvaluator {
  private readonly values: Evaluator;

  constructor(values: Evaluator) {
    this.values = values;
  }

  *run(node: Node, at: Located, env: Env): LocatedFlow {
    const { values } = this;
    switch (node.kind) {
      case 'identity':
        yield at;
        return;
      case 'index':
        for (const of of this.run(node.of, at, env)) {
          if (of === PAUSE) yield of;
          else
            for (const key of values.run(node.key, at.value, env)) {
              yield key === PAUSE ? key : { value: getIndex(of.value, key), path: { parent: of.path, key } };
            }
        }
        return;
      case 'slice':
        yield* this.slices(node, at, env);
        return;
      case 'iterate':
        for (const of of this.run(node.of, at, env)) {
          if (of === PAUSE) yield of;
          else yield* this.items(of);
        }
        return;
      case 'pipe':
        for (const left of this.run(node.left, at, env)) {
          if (left === PAUSE) yield left;
          else yield* this.run(node.right, left, env);
        }
        return;
      case 'comma':
        yield* this.run(node.left, at, env);
        yield* this.run(node.right, at, env);
        return;
      case 'if':
        for (const test of values.run(node.test, at.value, env)) {
          if (test === PAUSE) yield test;
          else yield* this.run(isTrue(test) ? node.then : node.otherwise, at, env);
        }
        return;
      case 'alternative':
        yield* this.alternative(node.left, node.right, at, env);
        return;
      case 'try':
        yield* this.attempt(node, at, env);
        return;
      case 'bind':
        for (const value of values.run(node.source, at.value, env)) {
          if (value === PAUSE) yield value;
          else for (const bound of values.bind(node.pattern, value, env)) yield* this.run(node.body, at, bound);
        }
        return;
      case 'reduce':
        yield* this.reduce(node, at, env);
        return;
      case 'label': {
        const label: Frame = { kind: 'label', key: `*${node.name}`, next: env };
        try {
          yield* this.run(node.body, at, label);
        } catch (thrown) {
          if (!(thrown instanceof Break) || thrown.label !== label) throw thrown;
        }
        return;
      }
      case 'break':
        throw new Break(lookUp(env, `*${node.name}`));
      case 'define': {
        const { definition } = node;
        const key = `${definition.name}/${definition.parameters.length}`;
        yield* this.run(node.body, at, { kind: 'function', key, definition, next: env });
        return;
      }
      case 'call':
        yield* this.call(node, at, env);
        return;
      default:
        yield* this.placeless(node, at, env);
    }
  }

  /** A value that was made, and not found: it has no place. */
  private *placeless(node: Node, at: Located, env: Env): LocatedFlow {
    for (const value of this.values.run(node, at.value, env)) {
      if (value === PAUSE) yield value;
      else fail(`Invalid path expression with result ${cut(write(value))}`);
    }
  }

  private *items(of: Located): LocatedFlow {
    const { value, path } = of;
    if (!isArray(value) && !isObject(value)) return iterationProblem(value);
    for (const [key, item] of value.entries()) {
      if (this.values.pacer.isDue()) yield PAUSE;
      yield { value: item, path: { parent: path, key } };
    }
  }

  /** `..`: with a stack of our own, so that depth is no matter. */
  *recurse(top: Located): LocatedFlow {
    const stack: Located[] = [top];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (this.values.pacer.isDue()) yield PAUSE;
      yield at;
      const { value, path } = at;
      if (!isArray(value) && !isObject(value)) continue;
      const below = [...value.entries()].map(([key, item]): Located => ({ value: item, path: { parent: path, key } }));
      for (let i = below.length - 1; i >= 0; i--) stack.push(below[i] as Located);
    }
  }

  private *slices(node: Extract<Node, { kind: 'slice' }>, at: Located, env: Env): LocatedFlow {
    const { values } = this;
    for (const of of this.run(node.of, at, env)) {
      if (of === PAUSE) {
        yield of;
        continue;
      }
      for (const end of values.run(node.to ?? NULL, at.value, env)) {
        if (end === PAUSE) {
          yield end;
          continue;
        }
        for (const start of values.run(node.from ?? NULL, at.value, env)) {
          if (start === PAUSE) yield start;
          else {
            const key = new Map<string, Json>([
              ['start', start],
              ['end', end],
            ]);
            yield { value: getSlice(of.value, start, end), path: { parent: of.path, key } };
          }
        }
      }
    }
  }

  private *alternative(left: Node, right: Node, at: Located, env: Env): LocatedFlow {
    let found = false;
    for (const one of this.run(left, at, env)) {
      if (one === PAUSE) yield one;
      else if (isTrue(one.value)) {
        found = true;
        yield one;
      }
    }
    if (!found) yield* this.run(right, at, env);
  }

  private *attempt({ body, handler }: Extract<Node, { kind: 'try' }>, at: Located, env: Env): LocatedFlow {
    const flow = this.run(body, at, env);
    for (;;) {
      let step: ReturnType<typeof flow.next>;
      try {
        step = flow.next();
      } catch (thrown) {
        if (!(thrown instanceof JqError)) throw thrown;
        if (handler !== undefined) yield* this.run(handler, { value: thrown.value, path: undefined }, env);
        return;
      }
      if (step.done === true) return;
      yield step.value;
    }
  }

  private *reduce(node: Extract<Node, { kind: 'reduce' }>, at: Located, env: Env): LocatedFlow {
    for (const start of this.run(node.start, at, env)) {
      if (start === PAUSE) {
        yield start;
        continue;
      }
      let result: Located | undefined = start;
      for (const value of this.values.run(node.source, at.value, env)) {
        if (value === PAUSE) {
          yield value;
          continue;
        }
        for (const bound of this.values.bind(node.pattern, value, env)) {
          let last: Located | undefined;
          for (const next of this.run(node.update, result ?? at, bound)) {
            if (next === PAUSE) yield next;
            else last = next;
          }
          result = last;
        }
      }
      if (result !== undefined) yield result;
    }
  }

  private *call(node: Extract<Node, { kind: 'call' }>, at: Located, env: Env): LocatedFlow {
    const { values } = this;
    if (node.target !== 'native') {
      for (const { body, env: inner } of values.bodies(node, at.value, env)) {
        if (values.pacer.isDue()) yield PAUSE;
        yield* this.run(body, at, inner);
      }
      return;
    }
    const [first = NULL, second = NULL] = node.arguments;
    switch (node.key) {
      case 'select/1':
        for (const test of values.run(first, at.value, env)) {
          if (test === PAUSE) yield test;
          else if (isTrue(test)) yield at;
        }
        return;
      case 'recurse/0':
        yield* this.recurse(at);
        return;
      case 'recurse/1':
        yield* this.recurseWith(first, at, env);
        return;
      case 'getpath/1':
        for (const keys of values.run(first, at.value, env)) {
          if (keys === PAUSE) yield keys;
          else {
            const list = pathOf(keys);
            const path = list.reduce<Link | undefined>((parent, key) => ({ parent, key }), at.path);
            yield { value: getPath(at.value, list), path };
          }
        }
        return;
      case 'first/1':
        for (const one of this.run(first, at, env)) {
          yield one;
          if (one !== PAUSE) return;
        }
        return;
      case 'limit/2':
        for (const count of values.run(first, at.value, env)) {
          if (count === PAUSE) yield count;
          else yield* this.limit(count, second, at, env);
        }
        return;
      case 'empty/0':
        return;
      default:
        yield* this.placeless(node, at, env);
    }
  }

  private *limit(count: Json, f: Node, at: Located, env: Env): LocatedFlow {
    let left = typeof count === 'number' ? count : 0;
    const isEndless = left < 0;
    for (const one of this.run(f, at, env)) {
      yield one;
      if (one !== PAUSE && --left <= 0 && !isEndless) return;
    }
  }

  private *recurseWith(f: Node, top: Located, env: Env): LocatedFlow {
    yield top;
    const stack = [this.run(f, top, env)];
    for (;;) {
      const step = stack.at(-1)?.next();
      if (step === undefined) return;
      if (this.values.pacer.isDue()) yield PAUSE;
      if (step.done === true) stack.pop();
      else {
        yield step.value;
        if (step.value !== PAUSE) stack.push(this.run(f, step.value, env));
      }
    }
  }
}
