/**
 * Expressions that may have to wait: operands are worked out one after the other into temporaries, and then the expression over those
 * is one that never waits.
 */
import { type Awaitable, andThen, isPromise, type Waiting } from '../../src/steps.js';
import type { FunctionCalls } from './calls.js';
import { Expressions } from './expressions.js';
import { ungroup } from './parse-expression.js';
import { type AnyPlace, placeOf } from './places.js';
import type { Runtime } from './runtime.js';
import type { Expression, FunctionDefinition, Target, Variable } from './tree.js';
import { inputValue, toTruth, type Value } from './value.js';
import { mapOperands, mayWait } from './waits.js';

type Node<Kind extends Expression['kind']> = Extract<Expression, { kind: Kind }>;

export class LaterExpressions extends Expressions {
  /** Whose frame holds the temporaries; undefined: the globals. */
  owner: FunctionDefinition | undefined;
  private readonly calls: FunctionCalls;

  constructor(runtime: Runtime, calls: FunctionCalls) {
    super(runtime);
    this.calls = calls;
  }

  later(given: Expression): () => Awaitable<Value> {
    const node = ungroup(given);
    if (!mayWait(node)) return this.value(node);
    switch (node.kind) {
      case 'call':
        return this.calls.compile(this, node);
      case 'getline':
        return this.getline(node);
      case 'and':
      case 'or':
        return this.logical(node);
      case 'choice':
        return this.choice(node);
      default:
        break;
    }
    const [before, over] = this.hoist(node);
    const run = node.kind === 'builtin' && over.kind === 'builtin' ? this.closing(over) : this.value(over);
    return () => {
      const waiting = before();
      return waiting === undefined ? run() : waiting.then(run);
    };
  }

  laterTruth(node: Expression): () => Awaitable<boolean> {
    if (!mayWait(node)) return this.truth(node);
    const value = this.later(node);
    return () => {
      const result = value();
      return isPromise(result) ? result.then(toTruth) : toTruth(result);
    };
  }

  /** All of `nodes` such that they never wait once `before` has run; without it when none does. */
  prepared(nodes: readonly Expression[]): {
    readonly before: (() => Waiting) | undefined;
    readonly nodes: readonly Expression[];
  } {
    if (!nodes.some(mayWait)) return { before: undefined, nodes };
    const steps: (() => Waiting)[] = [];
    return { nodes: nodes.map((node) => this.intoTemporary(node, steps)), before: inTurn(steps) };
  }

  /** The node over temporaries, and what fills them. */
  private hoist(node: Expression): readonly [() => Waiting, Expression] {
    const steps: (() => Waiting)[] = [];
    const over = mapOperands(node, (operand) => this.intoTemporary(operand, steps));
    return [inTurn(steps), over];
  }

  private intoTemporary(operand: Expression, steps: (() => Waiting)[]): Expression {
    if (operand.kind === 'number' || operand.kind === 'string' || operand.kind === 'array') return operand;
    // The name of an array (of `length`) has no value.
    if (operand.kind === 'variable' && operand.variable.array) return operand;
    const temporary: Target = { kind: 'variable', variable: this.temporary() };
    const place = placeOf(this.runtime, this, temporary);
    const value = this.later(operand);
    const set = (result: Value): void => place.set(0, result);
    steps.push(() => {
      const result = value();
      if (isPromise(result)) return result.then(set);
      set(result);
      return undefined;
    });
    return temporary;
  }

  private temporary(): Variable {
    const { owner } = this;
    const slot = owner === undefined ? this.runtime.globals.scalars.push(undefined) - 1 : owner.scalars++;
    return { name: '', local: owner !== undefined, array: false, scalar: true, slot };
  }

  private logical({ kind, left, right }: Node<'and' | 'or'>): () => Awaitable<number> {
    const first = this.laterTruth(left);
    const second = this.laterTruth(right);
    const decides = kind === 'or';
    const number = (truth: boolean): number => (truth ? 1 : 0);
    return () => andThen(first(), (truth) => (truth === decides ? number(truth) : andThen(second(), number)));
  }

  private choice(node: Node<'choice'>): () => Awaitable<Value> {
    const test = this.laterTruth(node.test);
    const yes = this.later(node.yes);
    const no = this.later(node.no);
    return () => {
      const truth = test();
      if (isPromise(truth)) return truth.then((is) => (is ? yes() : no()));
      return truth ? yes() : no();
    };
  }

  /** `close` and `fflush`; any other function, its operands being there, does not wait. */
  private closing(node: Node<'builtin'>): () => Awaitable<Value> {
    if (node.name !== 'close' && node.name !== 'fflush') return this.value(node);
    const { runtime } = this;
    const name = node.arguments[0] === undefined ? undefined : this.text(node.arguments[0]);
    if (node.name === 'close' && name !== undefined) return () => runtime.close(name());
    return () => andThen(runtime.outputs.flush(name?.()), (there) => (there ? 0 : -1));
  }

  private getline(node: Node<'getline'>): () => Awaitable<number> {
    const [before, over] = this.hoist(node);
    const { target, file } = over as Node<'getline'>; // mapOperands keeps the kind
    const { runtime } = this;
    const place = target === undefined ? undefined : placeOf(runtime, this, target);
    const name = file === undefined ? undefined : this.text(file);
    const take = (record: string | undefined | false): number => {
      if (record === undefined) return 0;
      if (record === false) return -1;
      store(runtime, place, record);
      return 1;
    };
    return () =>
      andThen(before() as Awaitable<void>, () =>
        andThen<string | undefined | false, number>(
          name === undefined ? runtime.nextLine() : runtime.readFile(name()),
          take,
        ),
      );
  }
}

function store(runtime: Runtime, place: AnyPlace | undefined, record: string): void {
  if (place === undefined) runtime.fields.setRecord(record);
  else place.set(place.key(), inputValue(record));
}

/** One after the other, waiting where one has to. */
function inTurn(steps: readonly (() => Waiting)[]): () => Waiting {
  const from = (start: number): Waiting => {
    for (let i = start; i < steps.length; i++) {
      const waiting = (steps[i] as () => Waiting)();
      if (waiting !== undefined) return waiting.then(() => from(i + 1));
    }
    return undefined;
  };
  return () => from(0);
}
