/** The functions awk has (POSIX awk, "Arithmetic Functions", "String Functions"), those that never wait. */

import type { Regex } from '../../src/text/regex/index.js';
import { watched } from '../../src/text/work.js';
import { changeCase, characterCount, countBetween, indexOf, substring } from './characters.js';
import { ungroup } from './parse-expression.js';
import { arrayOf, type Operands, placeOf } from './places.js';
import type { Runtime } from './runtime.js';
import { type Separator, separatorOf, splitInto } from './split.js';
import { parseReplacement, substitute } from './substitute.js';
import { SLOT } from './symbols.js';
import type { Expression, Target, Variable } from './tree.js';
import { inputValue, type Value } from './value.js';

type Builtin = Extract<Expression, { kind: 'builtin' }>;

export interface FunctionOperands extends Operands {
  value(node: Expression): () => Value;
  pattern(node: Expression): () => Regex;
}

export type Compiled =
  | { readonly type: 'number'; readonly run: () => number }
  | { readonly type: 'text'; readonly run: () => string };

/** Whatever is done with a longer text, it is more than a turn of a loop. */
const LONG = 1 << 12;

export function compileFunction(runtime: Runtime, operands: FunctionOperands, node: Builtin): Compiled {
  const { name } = node;
  const given = node.arguments;
  // The parser has counted the arguments.
  const text = (i: number): (() => string) => {
    const get = operands.text(given[i] as Expression);
    return () => {
      const value = get();
      if (value.length > LONG) runtime.long(value.length);
      return value;
    };
  };
  const numeric = (f: (x: number) => number): Compiled => {
    const x = operands.number(given[0] as Expression);
    return { type: 'number', run: () => f(x()) };
  };
  switch (name) {
    case 'sin':
      return numeric(Math.sin);
    case 'cos':
      return numeric(Math.cos);
    case 'exp':
      return numeric(Math.exp);
    case 'int':
      return numeric(Math.trunc);
    case 'log':
      return numeric((x) => (x < 0 ? negativeNan() : Math.log(x)));
    case 'sqrt':
      return numeric((x) => (x < 0 ? negativeNan() : Math.sqrt(x)));
    case 'atan2': {
      const y = operands.number(given[0] as Expression);
      const x = operands.number(given[1] as Expression);
      return { type: 'number', run: () => Math.atan2(y(), x()) };
    }
    case 'rand':
      return { type: 'number', run: () => runtime.random.next() };
    case 'srand':
      return { type: 'number', run: srand(runtime, operands, given[0]) };
    case 'length':
      return { type: 'number', run: lengthOf(runtime, operands, given[0]) };
    case 'index': {
      const whole = text(0);
      const part = text(1);
      return { type: 'number', run: () => indexOf(whole(), part()) };
    }
    case 'substr': {
      const whole = text(0);
      const start = operands.number(given[1] as Expression);
      const count = given[2] === undefined ? () => Number.POSITIVE_INFINITY : operands.number(given[2]);
      return { type: 'text', run: () => substring(whole(), start(), count()) };
    }
    case 'tolower':
    case 'toupper': {
      const whole = text(0);
      const how = name === 'tolower' ? 'toLowerCase' : 'toUpperCase';
      return { type: 'text', run: () => watched(runtime.context.look, () => changeCase(whole(), how)) };
    }
    case 'sprintf': {
      const format = text(0);
      const values = given.slice(1).map((one) => operands.value(one));
      return {
        type: 'text',
        run: () =>
          runtime.formatter.format(
            format(),
            values.map((value) => value()),
          ),
      };
    }
    case 'match':
      return { type: 'number', run: match(runtime, text(0), operands.pattern(given[1] as Expression)) };
    case 'split':
      return { type: 'number', run: split(runtime, operands, given) };
    case 'sub':
    case 'gsub':
      return { type: 'number', run: substitution(runtime, operands, given, name === 'gsub') };
    case 'close':
    case 'fflush':
      throw new Error(`${name} waits, and is not compiled here`);
  }
}

/** What C's sqrt(-1) is on x86. */
function negativeNan(): number {
  return NEGATIVE_NAN;
}
const NEGATIVE_NAN = new Float64Array(new BigUint64Array([0xfff8000000000000n]).buffer)[0] as number;

function srand(runtime: Runtime, operands: FunctionOperands, seed: Expression | undefined): () => number {
  const next = seed === undefined ? () => Number(runtime.context.clock.now() / 1_000_000_000n) : operands.number(seed);
  return () => {
    const before = runtime.random.seed;
    runtime.random.start(next());
    return before;
  };
}

function lengthOf(runtime: Runtime, operands: FunctionOperands, of: Expression | undefined): () => number {
  if (of === undefined) return () => characterCount(runtime.fields.getRecord());
  if (of.kind === 'variable' && of.variable.array) {
    const array = arrayOf(runtime, of.variable);
    return () => array().size;
  }
  const text = operands.text(of);
  return () => characterCount(text());
}

function match(runtime: Runtime, text: () => string, pattern: () => Regex): () => number {
  const { scalars } = runtime.globals;
  return () => {
    const whole = text();
    const found = pattern().exec(whole, 0, true);
    let start = 0;
    let length = -1;
    if (found !== null) {
      const [from = 0, to = 0] = found;
      start = countBetween(whole, 0, from) + 1;
      length = countBetween(whole, from, to);
    }
    scalars[SLOT.RSTART] = start;
    scalars[SLOT.RLENGTH] = length;
    return start;
  };
}

function split(runtime: Runtime, operands: FunctionOperands, given: readonly Expression[]): () => number {
  const text = operands.text(given[0] as Expression);
  const array = arrayOf(runtime, (given[1] as { readonly array: Variable }).array); // the parser made it so
  const separator = separatorBy(runtime, operands, given[2]);
  return () => {
    const whole = text();
    if (whole.length > LONG) runtime.long(whole.length);
    const parts: string[] = [];
    const { maxFields } = runtime.holdings;
    splitInto(whole, 0, separator(), parts, Number.POSITIVE_INFINITY, maxFields);
    if (parts.length > maxFields) runtime.holdings.over('maxFields');
    const into = array();
    into.clear();
    for (let i = 0; i < parts.length; i++) into.set(String(i + 1), inputValue(parts[i] as string));
    runtime.worked(parts.length >> 3);
    return parts.length;
  };
}

function separatorBy(runtime: Runtime, operands: FunctionOperands, node: Expression | undefined): () => Separator {
  if (node === undefined) return () => runtime.fields.separator;
  if (node.kind === 'regex') {
    const separator: Separator = { kind: 'regex', regex: runtime.patterns.own(node.regex) };
    return () => separator;
  }
  const text = operands.text(node);
  return () => separatorOf(text(), runtime.patterns);
}

/** Matches of one call between two looks at the clock. */
const MANY = 256;

function substitution(
  runtime: Runtime,
  operands: FunctionOperands,
  given: readonly Expression[],
  all: boolean,
): () => number {
  const pattern = operands.pattern(given[0] as Expression);
  const replacement = operands.text(given[1] as Expression);
  const target: Expression = given[2] ?? { kind: 'field', index: { kind: 'number', value: 0 } };
  // The parser takes nothing else, and operands that wait become variables.
  const place = placeOf(runtime, operands, ungroup(target) as Target);
  const replacements = new Map<string, readonly string[]>();
  const partsOf = (text: string): readonly string[] => {
    let parts = replacements.get(text);
    if (parts === undefined) {
      parts = parseReplacement(text);
      if (replacements.size >= 50) replacements.clear();
      replacements.set(text, parts);
    }
    return parts;
  };
  let matches = 0;
  const check = (length: number): void => {
    runtime.holdings.checkString(length);
    if (++matches % MANY === 0) runtime.look();
  };
  return () => {
    const regex = pattern();
    const parts = partsOf(replacement());
    const key = place.key();
    const text = runtime.text(place.get(key));
    const result = substitute(regex, parts, text, all, check);
    runtime.worked(text.length >> 10);
    if (result.count > 0) place.set(key, result.text);
    return result.count;
  };
}
