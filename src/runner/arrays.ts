/** Arrays of bash: elements by number, from 0 and with gaps, or by key. */
import type { ExpandedElement } from '../../builtins/shell/shell.js';
import { evaluateText } from '../expansion/arithmetic.js';
import { ExpansionError } from '../expansion/host.js';
import { doubleQuoted, keyText } from '../text/quote.js';
import type { ShellState } from './state.js';
import type { ArrayValue, Variable } from './variables.js';

/** The elements in order; a variable that is no array is an array of one. */
export function elementsOf(variable: Variable): readonly string[] {
  const { array } = variable;
  if (array === undefined) return variable.value === undefined ? [] : [variable.value];
  // Object.values leaves out the gaps of a sparse array.
  return Array.isArray(array) ? Object.values(array) : [...array.values()];
}

export function keysOf(variable: Variable): readonly string[] {
  const { array } = variable;
  if (array === undefined) return variable.value === undefined ? [] : ['0'];
  return Array.isArray(array) ? Object.keys(array) : [...array.keys()];
}

export function elementOf(shell: ShellState, variable: Variable, subscript: string): string | undefined {
  const { array } = variable;
  if (array instanceof Map) return array.get(subscript);
  const index = indexOf(shell, variable, subscript);
  if (index < 0) {
    // As bash does: a message, and nothing; the command is run.
    shell.complain(`${variable.name}: bad array subscript`);
    return undefined;
  }
  if (array === undefined) return index === 0 ? variable.value : undefined;
  return array[index];
}

/** The greatest index there is: beyond it JavaScript's arrays are none. */
const MAX_INDEX = 2 ** 32 - 2;

/** A subscript is arithmetic; a negative one counts from the end. */
function indexOf(shell: ShellState, variable: Variable | undefined, subscript: string): number {
  const text = subscript.trim();
  if (text === '' || text === '@' || text === '*')
    throw new ExpansionError(`${variable?.name ?? ''}[${subscript}]: bad array subscript`);
  const value = evaluateText(shell, subscript);
  if (value > MAX_INDEX) throw new ExpansionError(`${subscript}: array subscript out of range`);
  const index = Number(value);
  if (index >= 0) return index;
  const length = Array.isArray(variable?.array) ? variable.array.length : variable?.value === undefined ? 0 : 1;
  return length + index;
}

/** `a[subscript]=value`. */
export function assignElement(shell: ShellState, name: string, subscript: string, value: string): void {
  const variable = shell.variables.own(name);
  if (variable.readonly) throw new ExpansionError(`${variable.name}: readonly variable`);
  if (variable.dynamic) return;
  const text = shell.fitted(variable, value);
  if (variable.array instanceof Map) {
    shell.variables.setElement(variable, subscript, text);
    return;
  }
  const index = indexOf(shell, variable, subscript);
  if (index < 0) throw new ExpansionError(`${name}[${subscript}]: bad array subscript`);
  shell.variables.setElement(variable, index, text);
}

/** `unset 'a[subscript]'`; `@` and `*` are all elements of an indexed array, and keys of an associative one. */
export function unsetElement(shell: ShellState, name: string, subscript: string): void {
  const variable = shell.variables.get(name);
  if (variable === undefined || !variable.isSet) return;
  if (variable.readonly) throw new ExpansionError(`${variable.name}: cannot unset: readonly variable`);
  const own = shell.variables.own(name);
  const all = subscript === '@' || subscript === '*';
  if (own.array === undefined) {
    if (!all && evaluateText(shell, subscript) !== 0) throw new ExpansionError(`${own.name}: not an array variable`);
    shell.variables.unset(own.name);
  } else if (own.array instanceof Map) own.array.delete(subscript);
  else if (all) shell.variables.setArray(own, []);
  else {
    const index = indexOf(shell, own, subscript);
    if (index < 0) throw new ExpansionError(`[${subscript}]: bad array subscript`);
    delete own.array[index];
    // The length ends with the last element that is there: a negative index and `+=( )` count from it.
    while (own.array.length > 0 && !(own.array.length - 1 in own.array)) own.array.length -= 1;
  }
}

/** `a=( ... )` and `a+=( ... )`. */
export function assignArray(
  shell: ShellState,
  name: string,
  elements: readonly ExpandedElement[],
  append: boolean,
): void {
  const variable = shell.variables.own(name);
  if (variable.readonly) throw new ExpansionError(`${variable.name}: readonly variable`);
  if (variable.dynamic) return;
  const associative = variable.array instanceof Map;
  if (!append) shell.variables.setArray(variable, associative ? new Map() : []);
  const array = shell.variables.makeArray(variable, associative);
  if (array instanceof Map) assignKeys(shell, variable, elements);
  else assignIndices(shell, variable, array, elements);
}

function assignIndices(
  shell: ShellState,
  variable: Variable,
  array: string[],
  elements: readonly ExpandedElement[],
): void {
  let next = array.length;
  for (const { subscript, append, value } of elements) {
    const index = subscript === undefined ? next : indexOf(shell, variable, subscript);
    if (index < 0) throw new ExpansionError(`[${subscript}]=${value}: bad array subscript`);
    const text = append ? (array[index] ?? '') + value : value;
    shell.variables.setElement(variable, index, shell.fitted(variable, text));
    next = index + 1;
  }
}

/** `([key]=value ...)`, or keys and values in turn. */
function assignKeys(shell: ShellState, variable: Variable, elements: readonly ExpandedElement[]): void {
  const array = variable.array as Map<string, string>; // the caller has looked
  const pairs = elements[0]?.subscript === undefined;
  for (let i = 0; i < elements.length; i++) {
    const { subscript, append, value } = elements[i] as ExpandedElement;
    if (pairs) {
      shell.variables.setElement(variable, value, shell.fitted(variable, elements[i + 1]?.value ?? ''));
      i += 1;
    } else if (subscript === undefined) {
      throw new ExpansionError(`${variable.name}: ${value}: must use subscript when assigning associative array`);
    } else {
      const text = append ? (array.get(subscript) ?? '') + value : value;
      shell.variables.setElement(variable, subscript, shell.fitted(variable, text));
    }
  }
}

/** The letters of `declare` that a variable has. */
export function attributesOf(variable: Variable | undefined): string {
  if (variable === undefined) return '';
  let letters = '';
  if (variable.array !== undefined) letters += Array.isArray(variable.array) ? 'a' : 'A';
  if (variable.integer) letters += 'i';
  if (variable.folding === 'lower') letters += 'l';
  if (variable.reference) letters += 'n';
  if (variable.readonly) letters += 'r';
  if (variable.folding === 'upper') letters += 'u';
  if (variable.exported) letters += 'x';
  return letters;
}

/** `declare -ax name=(...)`: text that makes the variable again. */
export function declarationOf(variable: Variable): string {
  const letters = attributesOf(variable);
  const head = `declare -${letters === '' ? '-' : letters} ${variable.name}`;
  if (variable.array !== undefined) return variable.bare ? head : `${head}=${arrayText(variable.array)}`;
  return variable.value === undefined ? head : `${head}=${doubleQuoted(variable.value)}`;
}

/** `([0]="a" [1]="b")`, as bash prints it; an associative one ends with a blank. */
export function arrayText(array: ArrayValue): string {
  if (Array.isArray(array)) {
    return `(${Object.entries(array)
      .map(([key, value]) => `[${key}]=${doubleQuoted(value)}`)
      .join(' ')})`;
  }
  let text = '(';
  for (const [key, value] of array) text += `[${keyText(key)}]=${doubleQuoted(value)} `;
  return `${text})`;
}
