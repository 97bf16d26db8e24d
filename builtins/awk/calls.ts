/** Calls of a program's own functions. */
import { limitReached } from '../../src/limits.js';
import { type Awaitable, isPromise, type Waiting } from '../../src/steps.js';
import { Code, type Exec, Signal } from './code.js';
import type { LaterExpressions } from './later.js';
import { arrayOf } from './places.js';
import type { Frame, Runtime } from './runtime.js';
import { AwkError, type Expression, type FunctionDefinition } from './tree.js';
import { AwkArray, type Value } from './value.js';

/** After so many nested calls the next begins on an empty JavaScript stack. */
const HOP = 60;

export class FunctionCalls {
  private readonly runtime: Runtime;
  private readonly functions: ReadonlyMap<string, FunctionDefinition>;
  private readonly bodies = new Map<string, Exec>();

  constructor(runtime: Runtime, functions: ReadonlyMap<string, FunctionDefinition>) {
    this.runtime = runtime;
    this.functions = functions;
  }

  setBody(name: string, body: Exec): void {
    this.bodies.set(name, body);
  }

  compile(expressions: LaterExpressions, node: Extract<Expression, { kind: 'call' }>): () => Awaitable<Value> {
    const { runtime } = this;
    const definition = this.functions.get(node.name) as FunctionDefinition; // Symbols.resolve has looked
    const { parameters } = definition;
    const arrays = parameters.flatMap((parameter, i) => {
      if (!parameter.array) return [];
      const given = node.arguments[i];
      if (given === undefined) return [undefined];
      if (given.kind === 'variable' && given.variable.array) return [arrayOf(runtime, given.variable)];
      throw new AwkError(`${node.line}: function \`${node.name}': argument ${i + 1} is not an array`);
    });
    const { before, nodes } = expressions.prepared(node.arguments.filter((_, i) => parameters[i]?.array !== true));
    const scalars = nodes.map((one) => expressions.value(one));
    const enter = (): Awaitable<Value> => this.enter(definition, scalars, arrays);
    if (before === undefined) return enter;
    return () => {
      const waiting = before();
      return waiting === undefined ? enter() : waiting.then(enter);
    };
  }

  private enter(
    definition: FunctionDefinition,
    scalars: readonly (() => Value)[],
    arrays: readonly ((() => AwkArray) | undefined)[],
  ): Awaitable<Value> {
    const { runtime } = this;
    const { holdings } = runtime;
    const values = new Array<Value>(definition.scalars).fill(undefined);
    for (let i = 0; i < scalars.length; i++) values[i] = (scalars[i] as () => Value)();
    const own: AwkArray[] = [];
    const frame: Frame = {
      scalars: values,
      arrays: arrays.map((array) => {
        if (array !== undefined) return array();
        const made = new AwkArray(holdings);
        own.push(made);
        return made;
      }),
    };
    const { maxCallDepth } = runtime.context.limits;
    if (++runtime.depth > maxCallDepth) {
      throw limitReached('maxCallDepth', maxCallDepth);
    }
    const caller = runtime.frame;
    const held = runtime.held(caller) + FRAME;
    const leave = (): void => {
      runtime.frame = caller;
      runtime.depth--;
      holdings.add(-held);
      for (const array of own) holdings.add(-array.bytes);
    };
    const finish = (code: Code): Value => {
      leave();
      const value = runtime.returned;
      runtime.returned = undefined;
      if (code > Code.Return) throw Signal.of(code);
      return value;
    };
    const fail = (error: unknown): never => {
      leave();
      throw error;
    };
    const run = (): Awaitable<Value> => {
      runtime.frame = frame;
      let code: Awaitable<Code>;
      try {
        holdings.add(held);
        code = (this.bodies.get(definition.name) as Exec)(); // all are compiled before anything runs
      } catch (error) {
        return fail(error);
      }
      return isPromise(code) ? code.then(finish, fail) : finish(code);
    };
    let waiting: Waiting = runtime.poll();
    if (waiting === undefined && runtime.depth % HOP === 0) waiting = Promise.resolve();
    return waiting === undefined ? run() : waiting.then(run);
  }
}

/** What a call holds beside its strings, roughly. */
const FRAME = 256;
