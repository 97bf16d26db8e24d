/** Calls of functions that are not written in the language itself, and want filters rather than values: `recurse`, `limit`, `sort_by` ... */

import { watched } from '../../src/text/work.js';
import type { Evaluator } from './evaluate.js';
import { textOf } from './formats.js';
import { type Env, type Flow, Halt, listed, PAUSE, type Pause } from './machine.js';
import { deletePaths, getPath, iterationProblem, pathOf } from './paths.js';
import { isSimple } from './simple.js';
import { namedCaptures, substitute } from './text-functions.js';

import { EMPTY, type Node } from './tree.js';
import { compare, fail, isArray, isObject, isTrue, JqError, type Json, sortedBy } from './value.js';
import { described, write } from './write.js';

type Call = Extract<Node, { kind: 'call' }>;

export class NativeCalls {
  private readonly evaluator: Evaluator;

  constructor(evaluator: Evaluator) {
    this.evaluator = evaluator;
  }

  *call(node: Call, input: Json, env: Env): Flow {
    const { key, arguments: given } = node;
    const [first = EMPTY, second = EMPTY, third = EMPTY] = given;
    switch (key) {
      case 'empty/0':
        return;
      case 'error/0':
        // An error of null is no error, and no value.
        if (input !== null) throw new JqError(input);
        return;
      case 'error/1':
        for (const value of this.evaluator.run(first, input, env)) {
          if (value === PAUSE) yield value;
          else if (value !== null) throw new JqError(value);
        }
        return;
      case 'select/1':
        for (const test of this.evaluator.run(first, input, env)) {
          if (test === PAUSE) yield test;
          else if (isTrue(test)) yield input;
        }
        return;
      case 'path/1':
        for (const found of this.evaluator.located.run(first, { value: input, path: undefined }, env)) {
          yield found === PAUSE ? found : listed(found.path);
        }
        return;
      case 'paths/0':
        for (const found of this.evaluator.located.recurse({ value: input, path: undefined })) {
          if (found === PAUSE) yield found;
          else if (found.path !== undefined) yield listed(found.path);
        }
        return;
      case 'getpath/1':
        for (const path of this.evaluator.run(first, input, env))
          yield path === PAUSE ? path : getPath(input, pathOf(path));
        return;
      case 'del/1': {
        const paths: Json[][] = [];
        for (const found of this.evaluator.located.run(first, { value: input, path: undefined }, env)) {
          if (found === PAUSE) yield found;
          else paths.push(listed(found.path));
        }
        yield deletePaths(input, paths);
        return;
      }
      case 'recurse/0':
        for (const found of this.evaluator.located.recurse({ value: input, path: undefined }))
          yield found === PAUSE ? found : found.value;
        return;
      case 'recurse/1':
        yield* this.recurse(first, input, env);
        return;
      case 'repeat/1':
        for (;;) {
          if (this.evaluator.pacer.isDue()) yield PAUSE;
          yield* this.evaluator.run(first, input, env);
        }
      case 'range/1':
        yield* this.range({ kind: 'literal', value: 0 }, first, { kind: 'literal', value: 1 }, input, env);
        return;
      case 'range/2':
        yield* this.range(first, second, { kind: 'literal', value: 1 }, input, env);
        return;
      case 'range/3':
        yield* this.range(first, second, third, input, env);
        return;
      case 'first/1':
        for (const value of this.evaluator.run(first, input, env)) {
          yield value;
          if (value !== PAUSE) return;
        }
        return;
      case 'last/1': {
        let last: Json | undefined;
        for (const value of this.evaluator.run(first, input, env)) {
          if (value === PAUSE) yield value;
          else last = value;
        }
        if (last !== undefined) yield last;
        return;
      }
      case 'isempty/1':
        for (const value of this.evaluator.run(first, input, env)) {
          if (value === PAUSE) yield value;
          else {
            yield false;
            return;
          }
        }
        yield true;
        return;
      case 'limit/2':
        for (const count of this.evaluator.run(first, input, env)) {
          if (count === PAUSE) yield count;
          else yield* this.limit(count, second, input, env);
        }
        return;
      case 'until/2':
      case 'while/2':
        yield* this.loop(key === 'while/2', first, second, input, env);
        return;
      case 'any/2':
      case 'all/2':
        yield* this.anyOrAll(key === 'any/2', first, second, input, env);
        return;
      case 'sort_by/1':
      case 'group_by/1':
      case 'unique_by/1':
      case 'min_by/1':
      case 'max_by/1':
        yield* this.by(node.name, first, input, env);
        return;
      case 'env/0':
        yield this.evaluator.environment();
        return;
      case 'now/0':
        yield this.evaluator.world.now();
        return;
      case 'input_filename/0':
        yield this.evaluator.world.inputName();
        return;
      case 'input/0':
      case 'inputs/0':
        yield* this.inputs(key === 'inputs/0');
        return;
      case 'debug/0':
        this.evaluator.world.report(write(['DEBUG:', input]));
        yield input;
        return;
      case 'halt/0':
        throw new Halt(0, '');
      case 'halt_error/0':
        throw new Halt(5, haltText(input));
      case 'halt_error/1':
        for (const status of this.evaluator.run(first, input, env)) {
          if (status === PAUSE) yield status;
          else if (typeof status !== 'number') fail('halt_error/1: number required');
          else throw new Halt(status & 0xff, haltText(input));
        }
        return;
      case '_sub/3':
        yield* this.substitute(first, second, third, input, env);
        return;
      default:
        yield* this.applied(node, 0, [], input, env);
    }
  }

  /** A function of values, for each combination of the values of its arguments. */
  private *applied(node: Call, at: number, values: readonly Json[], input: Json, env: Env): Flow {
    const argument = node.arguments[at];
    if (argument === undefined) {
      yield this.evaluator.valueOf(node.key, input, values);
      return;
    }
    for (const value of this.evaluator.run(argument, input, env)) {
      if (value === PAUSE) yield value;
      else yield* this.applied(node, at + 1, [...values, value], input, env);
    }
  }

  /** Depth first, with a stack of our own: a list of a million levels is none of JavaScript's. */
  private *recurse(f: Node, input: Json, env: Env): Flow {
    yield input;
    const stack: Flow[] = [this.evaluator.run(f, input, env)];
    for (;;) {
      const step = stack.at(-1)?.next();
      if (step === undefined) return;
      if (this.evaluator.pacer.isDue()) yield PAUSE;
      if (step.done === true) stack.pop();
      else {
        yield step.value;
        if (step.value !== PAUSE) {
          this.evaluator.pacer.check(stack);
          stack.push(this.evaluator.run(f, step.value, env));
        }
      }
    }
  }

  private *range(from: Node, to: Node, by: Node, input: Json, env: Env): Flow {
    for (const start of this.evaluator.run(from, input, env)) {
      if (start === PAUSE) {
        yield start;
        continue;
      }
      for (const end of this.evaluator.run(to, input, env)) {
        if (end === PAUSE) {
          yield end;
          continue;
        }
        for (const step of this.evaluator.run(by, input, env)) {
          if (step === PAUSE) yield step;
          else yield* this.steps(start, end, step);
        }
      }
    }
  }

  private *steps(start: Json, end: Json, step: Json): Flow {
    if (typeof start !== 'number' || typeof end !== 'number' || typeof step !== 'number') {
      return fail('Range bounds must be numeric');
    }
    if (step === 0) return;
    for (let at = start; step > 0 ? at < end : at > end; at += step) {
      if (this.evaluator.pacer.isDue()) yield PAUSE;
      yield at;
    }
  }

  private *limit(count: Json, f: Node, input: Json, env: Env): Flow {
    if (typeof count !== 'number') return fail(`${described(count)} is no number to count to`);
    if (count < 0) {
      yield* this.evaluator.run(f, input, env);
      return;
    }
    let left = count;
    for (const value of this.evaluator.run(f, input, env)) {
      yield value;
      if (value !== PAUSE && --left <= 0) return;
    }
  }

  /** `while`: each value for which the condition holds; `until`: the first for which it does. */
  private *loop(isWhile: boolean, condition: Node, update: Node, input: Json, env: Env): Flow {
    type Level = { readonly flow: Flow; readonly of: Json | undefined };
    const stack: Level[] = [{ flow: this.evaluator.run(condition, input, env), of: input }];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      if (this.evaluator.pacer.isDue()) yield PAUSE;
      const step = top.flow.next();
      if (step.done === true) stack.pop();
      else if (step.value === PAUSE) yield PAUSE;
      else if (top.of === undefined)
        stack.push({ flow: this.evaluator.run(condition, step.value, env), of: step.value });
      else {
        const holds = isTrue(step.value);
        if (holds) yield top.of;
        if (holds === isWhile) {
          // A condition of one value has nothing more to say: long loops do not pile it up.
          if (isSimple(condition)) stack.pop();
          if (isSimple(update)) {
            const value = this.evaluator.one(update, top.of, env);
            stack.push({ flow: this.evaluator.run(condition, value, env), of: value });
          } else stack.push({ flow: this.evaluator.run(update, top.of, env), of: undefined });
          this.evaluator.pacer.check(stack);
        }
      }
    }
  }

  private *anyOrAll(isAny: boolean, source: Node, condition: Node, input: Json, env: Env): Flow {
    let isFound = false;
    for (const value of this.evaluator.run(source, input, env)) {
      if (value === PAUSE) {
        yield value;
        continue;
      }
      // Found out when the next one is there, and not before.
      if (isFound) break;
      for (const test of this.evaluator.run(condition, value, env)) {
        if (test === PAUSE) yield test;
        else if (isTrue(test) === isAny) isFound = true;
      }
    }
    yield isFound === isAny;
  }

  private *by(name: string, f: Node, input: Json, env: Env): Flow {
    const what =
      name.startsWith('group') || name.startsWith('unique')
        ? 'grouped'
        : name.startsWith('sort')
          ? 'sorted'
          : 'iterated over';
    if (!isArray(input) && !isObject(input)) return iterationProblem(input);
    const keyed: { value: Json; key: Json }[] = [];
    for (const value of input.values()) {
      const key: Json[] = [];
      for (const part of this.evaluator.run(f, value, env)) {
        if (part === PAUSE) yield part;
        else key.push(part);
      }
      keyed.push({ value, key });
      if (this.evaluator.pacer.isDue()) yield PAUSE;
    }
    if (!isArray(input)) {
      const keys = keyed.map(({ key }) => key);
      return fail(`${described(input)} and ${described(keys)} cannot be sorted, as they are not both arrays`);
    }
    if (what === 'iterated over') {
      const isMin = name === 'min_by';
      const [head, ...rest] = keyed;
      const best = rest.reduce<{ value: Json; key: Json } | undefined>((one, other) => {
        const order = one === undefined ? 0 : compare(other.key, one.key);
        return isMin ? (order < 0 ? other : one) : order >= 0 ? other : one;
      }, head);
      yield best?.value ?? null;
      return;
    }
    const sorted = sortedBy(keyed);
    if (what === 'sorted') {
      yield sorted.map(({ value }) => value);
      return;
    }
    const groups: { key: Json; values: Json[] }[] = [];
    for (const { value, key } of sorted) {
      const last = groups.at(-1);
      if (last !== undefined && compare(last.key, key) === 0) last.values.push(value);
      else groups.push({ key, values: [value] });
    }
    yield groups.map(({ values }) => (name === 'group_by' ? values : (values[0] ?? null)));
  }

  private *inputs(all: boolean): Flow {
    for (;;) {
      const value = this.evaluator.world.takeInput();
      if (value === PAUSE) yield value;
      else if (value === undefined) {
        if (all) return;
        fail('break');
      } else {
        yield value;
        if (!all) return;
      }
    }
  }

  private substituted(input: Json, form: Json, letters: string, next: () => Json): string {
    const { look } = this.evaluator.world;
    const replace = () => {
      const text = next();
      return typeof text === 'string' ? text : fail(`${described(text)} cannot be added to a string`);
    };
    return watched(look, () => substitute(input, form, letters, replace, look));
  }

  /** What the replacement makes of each match's named groups, or of no match's where there are none: one text for all. */
  private *replacements(
    found: readonly Json[],
    replacement: Node,
    env: Env,
  ): Generator<Json | Pause, Json[], undefined> {
    const texts: Json[] = [];
    for (const captures of found) {
      const before = texts.length;
      for (const text of this.evaluator.run(replacement, captures, env)) {
        if (text === PAUSE) yield text;
        else texts.push(text);
      }
      if (texts.length !== before + 1) fail('a replacement with named groups and not one result is not supported');
    }
    return texts;
  }

  /** The replacement is a filter of what the match's named groups caught. */
  private *substitute(pattern: Node, flags: Node, replacement: Node, input: Json, env: Env): Flow {
    for (const form of this.evaluator.run(pattern, input, env)) {
      if (form === PAUSE) yield form;
      else {
        for (const letters of this.evaluator.run(flags, input, env)) {
          if (letters === PAUSE) yield letters;
          else if (typeof letters !== 'string') fail(`${described(letters)} is not a string`);
          else {
            const { look } = this.evaluator.world;
            const found = watched(look, () => namedCaptures(input, form, letters, look));
            if (found !== undefined) {
              const texts = yield* this.replacements(found, replacement, env);
              let i = 0;
              yield this.substituted(input, form, letters, () => texts[i++] ?? null);
              continue;
            }
            for (const text of this.evaluator.run(replacement, new Map(), env)) {
              if (text === PAUSE) yield text;
              else yield this.substituted(input, form, letters, () => text);
            }
          }
        }
      }
    }
  }
}

function haltText(value: Json): string {
  return typeof value === 'string' ? value : `${textOf(value)}\n`;
}
