/** The sets of symbols a regular expression is made of. */
import { CharacterSet } from '../charset.js';
import { isWordCharacter } from '../classes.js';
import type { Node, SymbolSet } from './node.js';

/** Whether a symbol is a byte that is no character. */
export function isInvalid(symbol: number): boolean {
  return symbol >= 0xdc80 && symbol <= 0xdcff;
}

/** `.` */
export const ANY: SymbolSet = { key: '.', only: undefined, ascii: false, has: (symbol) => !isInvalid(symbol) };

/** `.` where it does not match a newline. */
export const ANY_ON_LINE: SymbolSet = {
  key: '.-',
  only: undefined,
  ascii: false,
  has: (symbol) => symbol !== 10 && !isInvalid(symbol),
};

/** `\w`, and `\W` for false. */
export function wordSet(inside: boolean): SymbolSet {
  return {
    key: inside ? '\\w' : '\\W',
    only: undefined,
    ascii: false,
    has: (symbol) => !isInvalid(symbol) && isWordCharacter(symbol) === inside,
  };
}

/** `\s`, and `\S` for false. */
export function spaceSet(inside: boolean): SymbolSet {
  const space = new CharacterSet().addClass('space');
  return {
    key: inside ? '\\s' : '\\S',
    only: undefined,
    ascii: false,
    has: (symbol) => !isInvalid(symbol) && space.has(symbol) === inside,
  };
}

const literals = new Map<number, SymbolSet>();

/** One character, or its case variants too. */
export function literalSet(symbol: number, ignoreCase: boolean): SymbolSet {
  const variants = ignoreCase ? caseVariants(symbol) : [symbol];
  if (variants.length > 1) {
    const sorted = [...variants].sort((a, b) => a - b);
    const ascii = sorted.every((variant) => variant < 0x80);
    return { key: `i${sorted.join()}`, only: undefined, ascii, has: (other) => sorted.includes(other) };
  }
  let set = literals.get(symbol);
  if (set === undefined) {
    set = { key: `c${symbol}`, only: symbol, ascii: symbol < 0x80, has: (other) => other === symbol };
    if (symbol < 256) literals.set(symbol, set);
  }
  return set;
}

/** A text as a row of literals: a shell string, so an invalid byte is one symbol. */
export function literalNodes(text: string, ignoreCase: boolean): Node[] {
  const nodes: Node[] = [];
  for (const character of text) {
    nodes.push({ kind: 'set', set: literalSet(character.codePointAt(0) as number, ignoreCase) });
  }
  return nodes;
}

let brackets = 0;

/** A bracket expression. `negated` is given apart from the set: it never adds bytes that are no characters. */
export function bracketSet(members: CharacterSet, negated: boolean, ignoreCase: boolean): SymbolSet {
  const holds = ignoreCase
    ? (symbol: number) => caseVariants(symbol).some((variant) => members.has(variant))
    : (symbol: number) => members.has(symbol);
  return {
    key: `[${brackets++}`,
    only: undefined,
    ascii: !negated && !ignoreCase && members.isAscii,
    has: (symbol) => holds(symbol) !== negated && !(negated && isInvalid(symbol)),
  };
}

/** Lower-case letters whose upper case has another lower case: they are found only by asking each (the list GNU's dfa has). */
const LONESOME_LOWER = [
  0xb5, 0x131, 0x17f, 0x1c5, 0x1c8, 0x1cb, 0x1f2, 0x345, 0x3c2, 0x3d0, 0x3d1, 0x3d5, 0x3d6, 0x3f0, 0x3f1, 0x3f5, 0x1e9b,
  0x1fbe,
];

/** The symbol and those that differ from it only in case. */
export function caseVariants(symbol: number): number[] {
  if (isInvalid(symbol)) return [symbol];
  const upper = mapCase(symbol, 'toUpperCase');
  const variants = [symbol];
  const add = (other: number) => {
    if (!variants.includes(other)) variants.push(other);
  };
  add(upper);
  add(mapCase(symbol, 'toLowerCase'));
  add(mapCase(upper, 'toLowerCase'));
  if (symbol > 0x7f || symbol === 0x49 || symbol === 0x69 || (symbol | 0x20) === 0x73) {
    for (const lonesome of LONESOME_LOWER) if (mapCase(lonesome, 'toUpperCase') === upper) add(lonesome);
  }
  return variants;
}

/** Simple case mapping: one code point to one. */
function mapCase(symbol: number, how: 'toUpperCase' | 'toLowerCase'): number {
  if (symbol < 0x80) {
    if (how === 'toUpperCase') return symbol >= 0x61 && symbol <= 0x7a ? symbol - 32 : symbol;
    return symbol >= 0x41 && symbol <= 0x5a ? symbol + 32 : symbol;
  }
  const mapped = String.fromCodePoint(symbol)[how]();
  const c = mapped.codePointAt(0) as number;
  return mapped.length === (c > 0xffff ? 2 : 1) ? c : symbol;
}
