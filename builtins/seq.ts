/** seq: print a sequence of numbers. */

import { limitReached } from '../src/limits.js';
import { type Awaitable, andThen, type Waiting } from '../src/steps.js';
import { gnuQuoteValue } from '../src/text/quote.js';
import type { FullContext } from './kit/context.js';
import { BadValue, type Builtin, defineBuiltin, usageFailure } from './kit/define.js';
import { isZero } from './kit/real.js';
import { repeat } from './kit/repeat.js';
import { defaultFormat, parseFormat, type SeqFormat } from './seq/format.js';
import { decimalNumbers, type Numbers, realNumbers, wholeNumbers } from './seq/numbers.js';
import { type Operand, parseOperand } from './seq/operands.js';

const PIECE = 32_768;

const definition = defineBuiltin({
  name: 'seq',
  summary: 'print a sequence of numbers',
  needs: [],
  usage: 'seq [OPTION]... LAST\nseq [OPTION]... FIRST LAST\nseq [OPTION]... FIRST INCREMENT LAST',
  notes: 'FORMAT is as for printf, with one of %a %e %f %g.',
  flags: {
    format: { short: 'f', long: 'format', value: 'FORMAT', help: 'print numbers by FORMAT' },
    separator: {
      short: 's',
      long: 'separator',
      value: 'STRING',
      help: 'print STRING between numbers instead of a newline',
    },
    equalWidth: { short: 'w', long: 'equal-width', help: 'pad with zeros to the same width' },
  },
  options: 'leading',
  statuses: { 0: 'the numbers were printed', 1: 'a number or the format is wrong' },

  run(context) {
    const { flags, operands, limits } = context;
    if (operands.length === 0) return usageFailure(context, 'missing operand');
    if (operands.length > 3) return usageFailure(context, `extra operand ${gnuQuoteValue(operands[3] as string)}`);
    const given = flags.format === undefined ? undefined : parseFormat(flags.format);
    if (given instanceof BadValue) {
      context.complain(given.message);
      return 1;
    }
    if (given !== undefined && flags.equalWidth === true) {
      return usageFailure(context, 'format string may not be specified when printing equal width strings');
    }
    if (operands.some((operand) => operand.length > MAX_LENGTH)) {
      return usageFailure(context, `numbers of more than ${MAX_LENGTH} characters are not supported`);
    }
    const separator = flags.separator ?? '\n';
    const plain = given === undefined && flags.equalWidth !== true;
    let numbers = plain && separator.length === 1 ? digitsOnly(operands) : undefined;
    if (numbers === undefined) {
      const read = readOperands(operands);
      if (read instanceof BadValue) return usageFailure(context, read.message);
      const [first, step, last] = read;
      const format = given ?? defaultFormat(first, step, last, flags.equalWidth === true);
      const size = Math.max(format.spec.width, format.spec.precision ?? 0);
      if (size > limits.maxStringBytes) throw limitReached('maxStringBytes', limits.maxStringBytes);
      numbers = numbersOf(first, step, last, format, given !== undefined);
    }
    return print(context, numbers, separator);
  },
});

/** Like all of getopt's callers, but a word such as `-5` or `-.5` is a number: it ends the options. */
export const seq: Builtin = {
  ...definition,
  invoke(context: FullContext, argv: readonly string[]) {
    const at = firstNumber(argv);
    return definition.invoke(context, at < 0 ? argv : [...argv.slice(0, at), '--', ...argv.slice(at)]);
  },
};

function firstNumber(argv: readonly string[]): number {
  for (let i = 1; i < argv.length; i++) {
    const word = argv[i] as string;
    if (/^-[.0-9]/.test(word)) return i;
    if (word === '--' || !word.startsWith('-')) return -1;
    if (/^-w*[fs]$/.test(word) || /^--(f|s)[a-z]*$/.test(word)) i++;
  }
  return -1;
}

/** Arithmetic takes more than the digits' number in time, and is one stretch. */
const MAX_LENGTH = 100_000;

/** Nothing but digits, and a step of 1 to 200: exact, whatever their size. */
function digitsOnly(operands: readonly string[]): Numbers | undefined {
  if (!operands.every((operand) => /^[0-9]+$/.test(operand))) return undefined;
  const [first, step, last] =
    operands.length === 3 ? operands : [operands.length === 1 ? '1' : operands[0], '1', operands[operands.length - 1]];
  const by = BigInt(step ?? '1');
  if (by < 1n || by > 200n) return undefined;
  return wholeNumbers(BigInt(first ?? '1'), by, BigInt(last ?? '0'));
}

function readOperands(operands: readonly string[]): readonly [Operand, Operand, Operand] | BadValue {
  const read: Operand[] = [];
  for (const [i, text] of operands.entries()) {
    const operand = parseOperand(text);
    if (operand instanceof BadValue) return operand;
    if (i === 1 && operands.length === 3 && isZero(operand.value)) {
      return new BadValue(`invalid Zero increment value: ${gnuQuoteValue(text)}`);
    }
    read.push(operand);
  }
  const one = parseOperand('1') as Operand;
  const last = read[read.length - 1] as Operand; // there is at least one operand
  if (read.length === 3) return [read[0] as Operand, read[1] as Operand, last];
  return [read.length === 2 ? (read[0] as Operand) : one, one, last];
}

function numbersOf(first: Operand, step: Operand, last: Operand, format: SeqFormat, formatted: boolean): Numbers {
  const endless = last.value.kind === 'infinity' && !last.value.negative && /^[0-9]+$/.test(first.text + step.text);
  if (endless && !formatted && !format.spec.zero) return wholeNumbers(BigInt(first.text), BigInt(step.text), undefined);
  const simple = formatted ? undefined : decimalNumbers(first, step, last, format);
  return simple ?? realNumbers(first.value, step.value, last.value, format);
}

/** In pieces, so that a reader that has seen enough ends it. */
function print(context: Pick<FullContext, 'out' | 'tick'>, numbers: Numbers, separator: string): Awaitable<number> {
  const first = numbers();
  if (first === undefined) return 0;
  let text = first;
  const write = (piece: string): Waiting => context.out.write(piece);
  return repeat<number>(() =>
    andThen(context.tick(), (): Awaitable<number | undefined> => {
      while (text.length < PIECE) {
        const next = numbers();
        if (next === undefined) return andThen(write(`${text}\n`), () => 0);
        text += separator + next;
      }
      const piece = text;
      text = '';
      return andThen(write(piece), () => undefined);
    }),
  );
}
