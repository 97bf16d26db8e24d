/** Variables, elements and fields, as places to read from and write to. */
import { fieldIndex } from './record.js';
import type { Runtime } from './runtime.js';
import { SLOT, SPECIAL_SCALARS } from './symbols.js';
import { AwkError, type Expression, type Target, type Variable } from './tree.js';
import type { AwkArray, Value } from './value.js';

/** `key` tells which element or field, and is worked out once. */
export interface Place<Key> {
  key(): Key;
  get(key: Key): Value;
  set(key: Key, value: Value): void;
}

export type AnyPlace = Place<string | number>;

/** What is needed of the compiler of expressions. */
export interface Operands {
  number(node: Expression): () => number;
  text(node: Expression): () => string;
}

/** Whether awk looks at a variable, or sets it, by itself. */
export function isSpecial(variable: Variable): boolean {
  return !variable.local && variable.slot < SPECIAL_SCALARS.length;
}

function isCounter(slot: number): boolean {
  return slot === SLOT.NF || slot === SLOT.NR || slot === SLOT.FNR;
}

export function scalarOf(runtime: Runtime, variable: Variable): () => Value {
  if (variable.array) throw new AwkError(`attempt to use array \`${variable.name}' in a scalar context`);
  const { slot } = variable;
  if (variable.local) return () => runtime.frame.scalars[slot];
  const { scalars } = runtime.globals;
  if (!isSpecial(variable) || !isCounter(slot)) return () => scalars[slot];
  return () => {
    runtime.refresh(slot);
    return scalars[slot];
  };
}

export function arrayOf(runtime: Runtime, { local, slot }: Variable): () => AwkArray {
  // The slots of a frame are filled when it is made.
  if (local) return () => runtime.frame.arrays[slot] as AwkArray;
  const array = runtime.globals.arrays[slot] as AwkArray;
  return () => array;
}

/** Subscripts as one key. */
export function keyOf(runtime: Runtime, operands: Operands, keys: readonly Expression[]): () => string {
  const [first, ...others] = keys.map((key) => operands.text(key));
  if (first === undefined) return () => '';
  if (others.length === 0) return first;
  return () => {
    let key = first();
    for (const other of others) key += runtime.subscriptSeparator + other();
    return key;
  };
}

export function placeOf(runtime: Runtime, operands: Operands, target: Target): AnyPlace {
  switch (target.kind) {
    case 'variable':
      return variablePlace(runtime, target.variable);
    case 'element': {
      const array = arrayOf(runtime, target.array);
      const place: Place<string> = {
        key: keyOf(runtime, operands, target.keys),
        get: (key) => array().get(key),
        set: (key, value) => array().set(key, value),
      };
      return place as AnyPlace; // its keys come from itself
    }
    case 'field': {
      const index = operands.number(target.index);
      const { fields } = runtime;
      const place: Place<number> = {
        key: () => fieldIndex(index()),
        get: (key) => fields.getValue(key),
        set: (key, value) => fields.set(key, value),
      };
      return place as AnyPlace; // as above
    }
  }
}

function variablePlace(runtime: Runtime, variable: Variable): AnyPlace {
  const get = scalarOf(runtime, variable);
  const { slot } = variable;
  const key = (): number => 0;
  if (variable.local) {
    return {
      key,
      get,
      set: (_, value) => {
        runtime.frame.scalars[slot] = value;
      },
    };
  }
  const { scalars } = runtime.globals;
  if (!isSpecial(variable)) {
    return {
      key,
      get,
      set: (_, value) => {
        scalars[slot] = value;
      },
    };
  }
  return {
    key,
    get,
    set: (_, value) => {
      scalars[slot] = value;
      runtime.changed(slot);
    },
  };
}
