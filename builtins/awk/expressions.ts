/** Expressions become closures: one for each way a value is wanted, so that a sum makes no strings. */
import type { Regex } from '../../src/text/regex/index.js';
import { type Compiled, compileFunction } from './functions.js';
import { numberOf } from './number-text.js';
import { ungroup } from './parse-expression.js';
import { arrayOf, isSpecial, keyOf, placeOf, scalarOf } from './places.js';
import { fieldIndex } from './record.js';
import type { Runtime } from './runtime.js';
import { type Arithmetic, AwkError, type Comparison, type Expression } from './tree.js';
import { compareValues, toNumber, toTruth, type Value } from './value.js';

type Node<Kind extends Expression['kind']> = Extract<Expression, { kind: Kind }>;

/** What an expression is before it is run. `any`: it shows when it is. */
type StaticType = 'number' | 'text' | 'truth' | 'any';

export class Expressions {
  readonly runtime: Runtime;

  constructor(runtime: Runtime) {
    this.runtime = runtime;
  }

  value(given: Expression): () => Value {
    const node = plain(given);
    switch (typeOf(node)) {
      case 'number':
      case 'truth':
        return this.number(node);
      case 'text':
        return this.text(node);
      case 'any':
        return this.anyValue(node);
    }
  }

  number(given: Expression): () => number {
    const node = plain(given);
    if (typeOf(node) === 'truth') {
      const truth = this.truth(node);
      return () => (truth() ? 1 : 0);
    }
    switch (node.kind) {
      case 'number': {
        const { value } = node;
        return () => value;
      }
      case 'string': {
        const value = numberOf(node.text);
        return () => value;
      }
      case 'arithmetic':
        return this.arithmetic(node.operator, this.number(node.left), this.number(node.right));
      case 'unary': {
        const operand = this.number(node.operand);
        return node.operator === '-' ? () => -operand() : operand;
      }
      case 'step':
        return this.step(node);
      case 'assign':
        if (node.operator !== '') return this.compound(node, node.operator);
        break;
      case 'field':
        return this.fieldNumber(node);
      case 'builtin': {
        const compiled = this.builtin(node);
        if (compiled.type === 'number') return compiled.run;
        const { run } = compiled;
        return () => numberOf(run());
      }
      default:
        break;
    }
    const value = this.value(node);
    return () => toNumber(value());
  }

  text(given: Expression): () => string {
    const node = plain(given);
    switch (node.kind) {
      case 'string': {
        const { text } = node;
        return () => text;
      }
      case 'concat':
        return this.concatenation(node.parts);
      case 'field':
        return this.fieldText(node);
      case 'builtin': {
        const compiled = this.builtin(node);
        if (compiled.type === 'text') return compiled.run;
        break;
      }
      default:
        break;
    }
    const value = this.value(node);
    const { text } = this.runtime;
    return () => text(value());
  }

  truth(given: Expression): () => boolean {
    const node = plain(given);
    switch (node.kind) {
      case 'compare':
        return this.comparison(node);
      case 'match': {
        const text = this.text(node.left);
        const pattern = this.pattern(node.pattern);
        const { negated } = node;
        return () => {
          const left = text();
          return pattern().test(left) !== negated;
        };
      }
      case 'regex': {
        const regex = this.runtime.patterns.own(node.regex);
        const { fields } = this.runtime;
        return () => regex.test(fields.getRecord());
      }
      case 'in': {
        const key = keyOf(this.runtime, this, node.keys);
        const array = arrayOf(this.runtime, node.array);
        return () => array().has(key());
      }
      case 'and': {
        const [left, right] = [this.truth(node.left), this.truth(node.right)];
        return () => left() && right();
      }
      case 'or': {
        const [left, right] = [this.truth(node.left), this.truth(node.right)];
        return () => left() || right();
      }
      case 'unary':
        if (node.operator === '!') {
          const operand = this.truth(node.operand);
          return () => !operand();
        }
        break;
      default:
        break;
    }
    if (typeOf(node) === 'number') {
      const number = this.number(node);
      return () => number() !== 0;
    }
    const value = this.value(node);
    return () => toTruth(value());
  }

  /** A regular expression, or a string taken as one. */
  pattern(given: Expression): () => Regex {
    const node = plain(given);
    if (node.kind === 'regex') {
      const regex = this.runtime.patterns.own(node.regex);
      return () => regex;
    }
    const { patterns } = this.runtime;
    const text = this.text(node);
    return () => patterns.get(text());
  }

  private anyValue(node: Expression): () => Value {
    switch (node.kind) {
      case 'variable':
        return scalarOf(this.runtime, node.variable);
      case 'element': {
        const array = arrayOf(this.runtime, node.array);
        const key = keyOf(this.runtime, this, node.keys);
        return () => array().get(key());
      }
      case 'field': {
        const index = this.number(node.index);
        const { fields } = this.runtime;
        return () => fields.getValue(fieldIndex(index()));
      }
      case 'assign':
        return this.assignment(node);
      case 'choice': {
        const test = this.truth(node.test);
        const [yes, no] = [this.value(node.yes), this.value(node.no)];
        return () => (test() ? yes() : no());
      }
      case 'array':
        throw new AwkError(`attempt to use array \`${node.array.name}' in a scalar context`);
      default:
        throw new Error(`${node.kind} is compiled elsewhere`);
    }
  }

  private builtin(node: Node<'builtin'>): Compiled {
    return compileFunction(this.runtime, this, node);
  }

  private fieldNumber({ index: node }: Node<'field'>): () => number {
    const { fields } = this.runtime;
    if (node.kind === 'number') {
      const index = fieldIndex(node.value);
      return () => fields.getNumber(index);
    }
    const index = this.number(node);
    return () => fields.getNumber(fieldIndex(index()));
  }

  private fieldText({ index: node }: Node<'field'>): () => string {
    const { fields } = this.runtime;
    if (node.kind === 'number') {
      const index = fieldIndex(node.value);
      return index === 0 ? () => fields.getRecord() : () => fields.getText(index);
    }
    const index = this.number(node);
    return () => fields.getText(fieldIndex(index()));
  }

  private concatenation(parts: readonly Expression[]): () => string {
    const texts = parts.map((part) => this.text(part));
    const { holdings } = this.runtime;
    const [first, second] = texts;
    if (first !== undefined && second !== undefined && texts.length === 2) {
      return () => {
        const joined = first() + second();
        if (joined.length > 65_536) holdings.checkString(joined.length);
        return joined;
      };
    }
    return () => {
      let joined = '';
      for (let i = 0; i < texts.length; i++) joined += (texts[i] as () => string)();
      if (joined.length > 65_536) holdings.checkString(joined.length);
      return joined;
    };
  }

  private arithmetic(operator: Arithmetic, left: () => number, right: () => number): () => number {
    switch (operator) {
      case '+':
        return () => left() + right();
      case '-':
        return () => left() - right();
      case '*':
        return () => left() * right();
      default: {
        const compute = COMPUTE[operator];
        return () => compute(left(), right());
      }
    }
  }

  /** The value before the place, as gawk does. */
  private assignment(node: Node<'assign'>): () => Value {
    const { runtime } = this;
    const value = this.value(node.value);
    if (node.target.kind === 'variable' && !node.target.variable.local && !isSpecial(node.target.variable)) {
      scalarOf(runtime, node.target.variable);
      const { slot } = node.target.variable;
      const { scalars } = runtime.globals;
      return () => {
        const assigned = value();
        scalars[slot] = assigned;
        return assigned;
      };
    }
    const place = placeOf(runtime, this, node.target);
    return () => {
      const assigned = value();
      place.set(place.key(), assigned);
      return assigned;
    };
  }

  private compound(node: Node<'assign'>, operator: Arithmetic): () => number {
    const value = this.number(node.value);
    const compute = COMPUTE[operator];
    if (node.target.kind === 'variable' && !node.target.variable.local && !isSpecial(node.target.variable)) {
      scalarOf(this.runtime, node.target.variable);
      const { slot } = node.target.variable;
      const { scalars } = this.runtime.globals;
      return () => {
        const right = value();
        const result = compute(toNumber(scalars[slot]), right);
        scalars[slot] = result;
        return result;
      };
    }
    const place = placeOf(this.runtime, this, node.target);
    return () => {
      const right = value();
      const key = place.key();
      const result = compute(toNumber(place.get(key)), right);
      place.set(key, result);
      return result;
    };
  }

  private step({ target, by, prefix }: Node<'step'>): () => number {
    const place = placeOf(this.runtime, this, target);
    return () => {
      const key = place.key();
      const before = toNumber(place.get(key));
      place.set(key, before + by);
      return prefix ? before + by : before;
    };
  }

  private comparison({ operator, left, right }: Node<'compare'>): () => boolean {
    const types = [typeOf(plain(left)), typeOf(plain(right))];
    if (types.includes('text')) {
      return compareBy(operator, this.text(left), this.text(right));
    }
    if (!types.includes('any')) return compareBy(operator, this.number(left), this.number(right));
    const [a, b] = [this.value(left), this.value(right)];
    const { text } = this.runtime;
    const holds = HOLDS[operator];
    return () => {
      const x = a();
      const y = b();
      if (typeof x === 'number' && typeof y === 'number')
        return holds(x < y ? -1 : x > y ? 1 : x === y ? 0 : Number.NaN);
      return holds(compareValues(x, y, text));
    };
  }
}

/** Without the parentheses around it. */
function plain(node: Expression): Expression {
  const inner = ungroup(node);
  if (inner.kind === 'group') throw new AwkError('syntax error: a list in parentheses where one value is needed');
  return inner;
}

function typeOf(node: Expression): StaticType {
  switch (node.kind) {
    case 'compare':
    case 'match':
    case 'regex':
    case 'in':
    case 'and':
    case 'or':
      return 'truth';
    case 'unary':
      return node.operator === '!' ? 'truth' : 'number';
    case 'number':
    case 'arithmetic':
    case 'step':
      return 'number';
    case 'assign':
      return node.operator === '' ? 'any' : 'number';
    case 'string':
    case 'concat':
      return 'text';
    case 'builtin':
      return TEXTS.has(node.name) ? 'text' : 'number';
    default:
      return 'any';
  }
}

const TEXTS: ReadonlySet<string> = new Set(['substr', 'tolower', 'toupper', 'sprintf']);

const COMPUTE: { readonly [Operator in Arithmetic]: (left: number, right: number) => number } = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => {
    if (right === 0) throw new AwkError('division by zero attempted');
    return left / right;
  },
  '%': (left, right) => {
    if (right === 0) throw new AwkError("division by zero attempted in `%'");
    return left % right;
  },
  '^': (left, right) => left ** right,
};

const HOLDS: { readonly [Operator in Comparison]: (order: number) => boolean } = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

function compareBy<T extends string | number>(operator: Comparison, left: () => T, right: () => T): () => boolean {
  switch (operator) {
    case '<':
      return () => left() < right();
    case '<=':
      return () => left() <= right();
    case '==':
      return () => left() === right();
    case '!=':
      return () => left() !== right();
    case '>':
      return () => left() > right();
    case '>=':
      return () => left() >= right();
  }
}
