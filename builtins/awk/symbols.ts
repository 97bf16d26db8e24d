/** Names of a program: which are arrays, and where each lives. */
import { AwkError, type Expression, type FunctionDefinition, type Variable } from './tree.js';

/** Variables awk itself sets or reads, at fixed places; the arrays apart. */
export const SPECIAL_SCALARS = [
  'NF',
  'NR',
  'FNR',
  'FS',
  'OFS',
  'ORS',
  'RS',
  'SUBSEP',
  'CONVFMT',
  'OFMT',
  'RSTART',
  'RLENGTH',
  'FILENAME',
  'ARGC',
] as const;
export type SpecialScalar = (typeof SPECIAL_SCALARS)[number];
export const SPECIAL_ARRAYS = ['ENVIRON', 'ARGV'] as const;

/** Slots of the special variables. */
export const SLOT = Object.freeze(Object.fromEntries(SPECIAL_SCALARS.map((name, i) => [name, i]))) as {
  readonly [Name in SpecialScalar]: number;
};

/** A bare name as an argument: an array when the parameter is one, and the other way about. */
interface Link {
  readonly variable: Variable;
  readonly call: Extract<Expression, { kind: 'call' }>;
  readonly position: number;
}

export class Symbols {
  readonly globals = new Map<string, Variable>();
  readonly functions = new Map<string, FunctionDefinition>();
  private readonly links: Link[] = [];
  private readonly calls: Extract<Expression, { kind: 'call' }>[] = [];
  private locals: ReadonlyMap<string, Variable> | undefined;

  constructor() {
    for (const name of SPECIAL_SCALARS) this.global(name).scalar = true;
    for (const name of SPECIAL_ARRAYS) this.global(name).array = true;
  }

  /** Names in the body of a function are its parameters first. */
  enter(parameters: readonly Variable[]): void {
    this.locals = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  }

  leave(): void {
    this.locals = undefined;
  }

  lookUp(name: string): Variable {
    return this.locals?.get(name) ?? this.global(name);
  }

  global(name: string): Variable {
    let variable = this.globals.get(name);
    if (variable === undefined) {
      variable = { name, local: false, array: false, scalar: false, slot: 0 };
      this.globals.set(name, variable);
    }
    return variable;
  }

  addCall(call: Extract<Expression, { kind: 'call' }>): void {
    this.calls.push(call);
    call.arguments.forEach((argument, position) => {
      if (argument.kind === 'variable') this.links.push({ variable: argument.variable, call, position });
    });
  }

  /** After the whole program was read: what is an array where, and the slots. Throws AwkError. */
  resolve(): void {
    for (const { name, line, arguments: given } of this.calls) {
      const called = this.functions.get(name);
      if (called === undefined) throw new AwkError(`${line}: function \`${name}' not defined`);
      if (given.length > called.parameters.length) {
        throw new AwkError(`${line}: function \`${name}' called with more arguments than declared`);
      }
    }
    for (let changed = true; changed; ) {
      changed = false;
      for (const { variable, call, position } of this.links) {
        const parameter = this.functions.get(call.name)?.parameters[position];
        if (parameter === undefined || parameter.array === variable.array) continue;
        parameter.array = true;
        variable.array = true;
        changed = true;
      }
    }
    place([...this.globals.values()]);
    for (const definition of this.functions.values()) {
      const { scalars, arrays } = place(definition.parameters);
      definition.scalars = scalars;
      definition.arrays = arrays;
    }
  }
}

function place(variables: readonly Variable[]): { readonly scalars: number; readonly arrays: number } {
  let scalars = 0;
  let arrays = 0;
  for (const variable of variables) {
    if (variable.array && variable.scalar) {
      throw new AwkError(`attempt to use array \`${variable.name}' in a scalar context`);
    }
    variable.slot = variable.array ? arrays++ : scalars++;
  }
  return { scalars, arrays };
}
