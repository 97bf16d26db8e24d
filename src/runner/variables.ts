/**
 * Shell variables (POSIX 2.5). A variable is an object that keeps its text, its integer and its flags together, so that
 * `$((i+1))` need not parse `i` again.
 *
 * A subshell sees the variables as they were when it began. Copying them all would make every `$( )` slow, so they lie in
 * layers: a fork shares the layer it came from, and whoever writes first while it is shared puts a new layer on top.
 */
import { ExpansionError } from '../expansion/host.js';
import { limitReached } from '../limits.js';
import type { Int } from '../text/int64.js';

/** An array of bash: a sparse one by number, which JavaScript's own arrays are, or one by key. */
export type ArrayValue = string[] | Map<string, string>;

export class Variable {
  readonly name: string;
  /** The value as text; undefined when only `int` is known, or when there is no value. */
  text: string | undefined;
  /** The value as an integer, when it is known to be one. */
  int: Int | undefined = undefined;
  /** The elements of an array; then `text` and `int` are undefined. */
  array: ArrayValue | undefined = undefined;
  exported = false;
  readonly = false;
  /** `declare -i`, `-l` and `-u`: what is assigned is evaluated, or changes case. */
  integer = false;
  folding: 'lower' | 'upper' | undefined = undefined;
  /** `declare -n`: its text is the name of the variable that is meant by it. */
  reference = false;
  /** `declare -a a`: an array that was given no elements yet, not even none. */
  bare = false;
  /** `unset` has taken it away: it only hides what lies in a layer below. */
  gone = false;
  /** Its value is made when it is asked for: `RANDOM`, `SECONDS` (see dynamic.ts). */
  dynamic = false;
  /** Of OPTIND: where in a word like `-abc` getopts is; 0 when it was not getopts that set the value. */
  place = 0;
  /** Bytes of it that are counted in `maxVariableBytes`. A text made of an integer, for somebody to look at, is not. */
  charged = 0;

  constructor(name: string, text: string | undefined) {
    this.name = name;
    this.text = text;
  }

  /** The value, or undefined: unset, or declared without one. */
  get value(): string | undefined {
    if (this.text !== undefined) return this.text;
    if (this.int === undefined) return this.array === undefined ? undefined : firstElement(this.array);
    this.text = String(this.int);
    return this.text;
  }

  copy(): Variable {
    const copy = new Variable(this.name, this.text);
    copy.int = this.int;
    copy.array = Array.isArray(this.array) ? this.array.slice() : this.array && new Map(this.array);
    copy.exported = this.exported;
    copy.readonly = this.readonly;
    copy.integer = this.integer;
    copy.folding = this.folding;
    copy.reference = this.reference;
    copy.bare = this.bare;
    copy.dynamic = this.dynamic;
    copy.place = this.place;
    copy.charged = this.charged;
    return copy;
  }

  /** What a program is given of it: its value if it is exported. An array is for nobody but the shell, as in bash. */
  get exportedValue(): string | undefined {
    return this.exported && this.array === undefined ? this.value : undefined;
  }

  /** Whether it has a value of any kind. */
  get isSet(): boolean {
    return this.text !== undefined || this.int !== undefined || this.array !== undefined;
  }
}

/** An array's name alone is its element 0. */
function firstElement(array: ArrayValue): string | undefined {
  return Array.isArray(array) ? array[0] : array.get('0');
}

class Layer {
  readonly below: Layer | undefined;
  readonly map = new Map<string, Variable>();
  readonly depth: number;
  /** Forks that still look through this layer; while there are any it does not change. */
  sharers = 0;

  constructor(below: Layer | undefined) {
    this.below = below;
    this.depth = below === undefined ? 0 : below.depth + 1;
  }
}

/** What an element costs beside its text. */
const ELEMENT_COST = 16;

function sizeOf(array: ArrayValue | undefined): number {
  let size = 0;
  if (Array.isArray(array)) {
    array.forEach((text) => {
      size += text.length + ELEMENT_COST;
    });
  } else if (array !== undefined) for (const text of array.values()) size += text.length + ELEMENT_COST;
  return size;
}

/**
 * Variables whose value is made when it is asked for, and what is assigned to them too: it seeds RANDOM, sets SECONDS, and is
 * lost on the others. Once unset they are variables like any other.
 */
const ASSIGNED_DYNAMIC: ReadonlySet<string> = new Set(
  'RANDOM SECONDS SRANDOM EPOCHSECONDS EPOCHREALTIME BASHPID FUNCNAME PIPESTATUS BASH_LINENO BASH_SOURCE _'.split(' '),
);

/** So many references are followed, one to the next. */
const MAX_REFERENCES = 16;

/** References (`declare -n`) that lead to each other. */
export class CircularReference extends ExpansionError {
  constructor(name: string) {
    super(`${name}: circular name reference`);
  }
}

/** Lookups walk the layers, so they are made one again when there are this many. */
const MAX_DEPTH = 8;

export class Variables {
  #layer: Layer;
  readonly #base: Layer | undefined;
  /** Bytes of all values, roughly: what `maxVariableBytes` counts. */
  #bytes = 0;
  readonly #maxBytes: number;

  constructor(maxBytes: number, base?: Layer, bytes = 0) {
    this.#maxBytes = maxBytes;
    this.#bytes = bytes;
    // A subshell in a subshell in a subshell ... would look through all of them.
    const flat = base !== undefined && base.depth >= MAX_DEPTH;
    this.#base = flat ? undefined : base;
    this.#layer = flat ? flatten(base) : new Layer(base);
  }

  /** The variable, also one that has no value (`export x`, or unset in this shell). A reference is the variable it stands for. */
  get(name: string): Variable | undefined {
    const variable = this.raw(name);
    return variable === undefined || !variable.reference ? variable : this.raw(this.targetOf(name));
  }

  /** What a name stands for: itself, or where its references (`declare -n`) lead to. */
  targetOf(name: string): string {
    let target = name;
    for (let steps = 0; steps < MAX_REFERENCES; steps++) {
      const variable = this.raw(target);
      if (variable === undefined || !variable.reference || variable.text === undefined) return target;
      target = variable.text;
    }
    throw new CircularReference(name);
  }

  /** The variable of that very name, be it a reference. */
  raw(name: string): Variable | undefined {
    let layer: Layer | undefined = this.#layer;
    do {
      const variable: Variable | undefined = layer.map.get(name);
      if (variable !== undefined) return variable;
      layer = layer.below;
    } while (layer !== undefined);
    return undefined;
  }

  /** The variable to write to: made when it is missing, copied when others see it. */
  own(name: string): Variable {
    if (this.#layer.sharers > 0) this.#addLayer();
    const here = this.#layer.map.get(name);
    if (here !== undefined) {
      here.gone = false;
      return this.#isFollowed(here) ? this.own(this.targetOf(name)) : here;
    }
    const below = this.raw(name);
    if (below !== undefined && this.#isFollowed(below)) return this.own(this.targetOf(name));
    return this.#copyHere(name, below);
  }

  /** `own` for the variable of that very name, be it a reference. */
  ownRaw(name: string): Variable {
    if (this.#layer.sharers > 0) this.#addLayer();
    const here = this.#layer.map.get(name);
    if (here === undefined) return this.#copyHere(name, this.raw(name));
    here.gone = false;
    return here;
  }

  #isFollowed(variable: Variable): boolean {
    return variable.reference && variable.text !== undefined;
  }

  #copyHere(name: string, below: Variable | undefined): Variable {
    const variable = below === undefined ? new Variable(name, undefined) : below.copy();
    if (below === undefined) variable.dynamic = ASSIGNED_DYNAMIC.has(name);
    this.#layer.map.set(name, variable);
    return variable;
  }

  /** Sets text. The caller has looked at `readonly`. */
  setText(variable: Variable, text: string): void {
    if (variable.array !== undefined) {
      this.setElement(variable, Array.isArray(variable.array) ? 0 : '0', text);
      return;
    }
    this.#chargeFor(variable, text.length);
    variable.text = text;
    variable.int = undefined;
    variable.place = 0;
  }

  setInteger(variable: Variable, value: Int): void {
    if (variable.array !== undefined) {
      this.setText(variable, String(value));
      return;
    }
    if (variable.charged > 0) this.#chargeFor(variable, 0);
    variable.text = undefined;
    variable.int = value;
    variable.place = 0;
  }

  /** Makes it an array, its value so far the element 0. */
  makeArray(variable: Variable, associative: boolean): ArrayValue {
    if (variable.array !== undefined) return variable.array;
    const { value } = variable;
    variable.text = undefined;
    variable.int = undefined;
    if (associative) variable.array = new Map(value === undefined ? [] : [['0', value]]);
    else variable.array = value === undefined ? [] : [value];
    return variable.array;
  }

  /** Gives it other elements. */
  setArray(variable: Variable, array: ArrayValue): void {
    this.#chargeFor(variable, sizeOf(array));
    variable.bare = false;
    variable.text = undefined;
    variable.int = undefined;
    variable.array = array;
  }

  /** A number sets an element of an indexed array, a text one of an associative one. */
  setElement(variable: Variable, key: number | string, text: string): void {
    const array = this.makeArray(variable, typeof key === 'string');
    variable.bare = false;
    if (Array.isArray(array)) {
      const index = Number(key);
      const before = index in array ? (array[index] as string).length + ELEMENT_COST : 0;
      this.#chargeFor(variable, variable.charged + text.length + ELEMENT_COST - before);
      array[index] = text;
    } else {
      const known = array.get(String(key));
      const before = known === undefined ? 0 : known.length + ELEMENT_COST;
      this.#chargeFor(variable, variable.charged + text.length + ELEMENT_COST - before);
      array.set(String(key), text);
    }
  }

  /** Puts another variable in the name's place (the end of a function with `local`); undefined: it was not there. */
  restore(name: string, saved: Variable | undefined): void {
    // One that was found in a layer below is another shell's as well: what is written to this shell's layer must be its own.
    const foreign = this.#layer.sharers > 0 || this.#layer.below !== undefined;
    if (this.#layer.sharers > 0) this.#addLayer();
    let variable = foreign ? saved?.copy() : saved;
    if (variable === undefined) {
      variable = new Variable(name, undefined);
      variable.gone = true;
    }
    this.#layer.map.set(name, variable);
  }

  /** `restore` where what stands in the name's place is gone for good: it no longer counts. */
  putBack(name: string, saved: Variable | undefined): void {
    // The variable itself may be seen by a fork, and stays as it is.
    this.charge(-(this.raw(name)?.charged ?? 0));
    this.restore(name, saved);
  }

  /** Takes the variable of that very name away. */
  unset(name: string): void {
    const known = this.raw(name);
    if (known === undefined) return;
    this.charge(-known.charged);
    this.restore(name, undefined);
  }

  #chargeFor(variable: Variable, bytes: number): void {
    const more = bytes - variable.charged;
    variable.charged = bytes;
    this.charge(more);
  }

  /** Counts bytes that are kept, or (less than 0) no longer, against the limit. */
  charge(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) throw limitReached('maxVariableBytes', this.#maxBytes);
  }

  /** Every variable there is, by name, those without a value included. */
  all(): Map<string, Variable> {
    return allOf(this.#layer);
  }

  /** For a subshell. `release` when it has ended, so that this shell may write in place again. */
  fork(): Variables {
    const child = new Variables(this.#maxBytes, this.#layer, this.#bytes);
    if (child.#base !== undefined) child.#base.sharers += 1;
    return child;
  }

  /** This fork has ended. */
  release(): void {
    if (this.#base !== undefined) this.#base.sharers -= 1;
  }

  #addLayer(): void {
    this.#layer = this.#layer.depth < MAX_DEPTH ? new Layer(this.#layer) : flatten(this.#layer);
  }
}

function allOf(top: Layer): Map<string, Variable> {
  const layers: Layer[] = [];
  for (let layer: Layer | undefined = top; layer !== undefined; layer = layer.below) layers.push(layer);
  const all = new Map<string, Variable>();
  for (const layer of layers.reverse()) for (const [name, variable] of layer.map) all.set(name, variable);
  return all;
}

/** One layer that says what all of them said. */
function flatten(top: Layer): Layer {
  const flat = new Layer(undefined);
  for (const [name, variable] of allOf(top)) flat.map.set(name, variable.copy());
  return flat;
}

/** The integer that prints as exactly this text: only then may one stand for the other. */
export function canonicalInteger(text: string): number | undefined {
  const { length } = text;
  if (length === 0 || length > 15) return undefined;
  let i = text.charCodeAt(0) === 45 ? 1 : 0;
  const first = text.charCodeAt(i);
  if (first === 48 ? length !== 1 : !(first >= 49 && first <= 57)) return undefined;
  for (i += 1; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code < 48 || code > 57) return undefined;
  }
  return Number(text);
}
