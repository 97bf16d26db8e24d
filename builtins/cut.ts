/** cut: print parts of lines. */
import { type Awaitable, andThen } from '../src/steps.js';
import { toByteString } from '../src/text/bytes.js';
import { gnuQuoteIfNeeded } from '../src/text/quote.js';
import { LongText, worked } from '../src/text/work.js';
import { complementOf, parseRanges, type Range } from './cut/ranges.js';
import type { Context } from './kit/context.js';
import { BadValue, defineBuiltin, type Flags, type Parsed, usageFailure } from './kit/define.js';
import { failingAs } from './kit/failing.js';
import { eachLine } from './kit/input.js';
import { lineWriter } from './kit/output.js';

const FLAGS = {
  bytes: { short: 'b', long: 'bytes', value: 'LIST', help: 'print only these bytes' },
  characters: { short: 'c', long: 'characters', value: 'LIST', help: 'the same as -b' },
  delimiter: {
    short: 'd',
    long: 'delimiter',
    value: 'DELIM',
    parse: parseDelimiter,
    help: 'fields are between DELIMs and not tabs',
  },
  fields: { short: 'f', long: 'fields', value: 'LIST', help: 'print only these fields, and lines without a delimiter' },
  only: { short: 's', long: 'only-delimited', help: 'do not print lines without a delimiter' },
  output: { long: 'output-delimiter', value: 'STRING', help: 'print STRING between the parts' },
  complement: { long: 'complement', help: 'print all but those' },
  zero: { short: 'z', long: 'zero-terminated', help: 'lines end with NUL' },
} as const satisfies Flags;

export const cut = defineBuiltin({
  name: 'cut',
  summary: 'print parts of lines',
  needs: ['read'],
  usage: 'cut OPTION... [FILE]...',
  notes: 'LIST is numbers and ranges, from 1: N, N-M, N-, -M, separated by commas.',
  flags: FLAGS,
  onlyOne: { flags: ['bytes', 'characters', 'fields'], message: 'only one list may be specified' },
  statuses: { 0: 'every file was read', 1: 'some file could not be read' },

  run(context) {
    const plan = planOf(context);
    if (plan instanceof BadValue) return usageFailure(context, plan.message);
    const input = failingAs(context, gnuQuoteIfNeeded);
    const out = lineWriter(context.out);
    const end = plan.zero ? '\0' : '\n';
    if (plan.delimiter === end) return cutLines(context, input, plan, end);
    const part = plan.delimiter === undefined ? bytePicker(plan) : fieldPicker(plan, plan.delimiter);
    const status = eachLine(input, context.operands, end.charCodeAt(0), (line) => {
      const picked = part(line);
      return picked === undefined ? undefined : andThen(out.write(picked + end), () => undefined);
    });
    return andThen(status, (result) => andThen(out.end(), () => result));
  },
});

type CutContext = Context<'read'> & Parsed<typeof FLAGS>;

interface Plan {
  readonly ranges: readonly Range[];
  /** Undefined: bytes, not fields. */
  readonly delimiter: string | undefined;
  /** Undefined: as it was read. */
  readonly joint: string | undefined;
  readonly onlyDelimited: boolean;
  readonly zero: boolean;
}

function planOf({ flags, given }: CutContext): Plan | BadValue {
  const list = given.find(({ flag }) => flag === 'bytes' || flag === 'characters' || flag === 'fields');
  if (list === undefined) return new BadValue('you must specify a list of bytes, characters, or fields');
  const byFields = list.flag === 'fields';
  if (flags.delimiter !== undefined && !byFields) {
    return new BadValue('an input delimiter may be specified only when operating on fields');
  }
  if (flags.only === true && !byFields) {
    return new BadValue('suppressing non-delimited lines makes sense\n\tonly when operating on fields');
  }
  const ranges = parseRanges(String(list.value), byFields ? 'field' : 'byte');
  if (ranges instanceof BadValue) return ranges;
  return {
    ranges: flags.complement === true ? complementOf(ranges) : ranges,
    delimiter: byFields ? (flags.delimiter ?? '\t') : undefined,
    joint: flags.output === undefined ? undefined : flags.output === '' ? '\0' : toByteString(flags.output),
    onlyDelimited: flags.only === true,
    zero: flags.zero === true,
  };
}

/** One byte; nothing is a NUL. */
function parseDelimiter(text: string): string | BadValue {
  const bytes = toByteString(text);
  if (bytes.length > 1) return new BadValue('the delimiter must be a single character', true);
  return bytes === '' ? '\0' : bytes;
}

function bytePicker({ ranges, joint }: Plan): (line: string) => string {
  return (line) => {
    let picked = '';
    for (const { low, high } of ranges) {
      if (low > line.length) break;
      if (joint !== undefined && picked !== '') picked += joint;
      picked += line.slice(low - 1, high);
    }
    return picked;
  };
}

function fieldPicker({ ranges, joint, onlyDelimited }: Plan, delimiter: string): (line: string) => string | undefined {
  const between = joint ?? delimiter;
  return (line) => {
    let end = line.indexOf(delimiter);
    if (end < 0) return onlyDelimited ? undefined : line;
    const picked = new LongText();
    let first = true;
    let start = 0;
    let field = 1;
    for (const { low, high } of ranges) {
      for (; field < low; field++) {
        if (end < 0) return picked.text();
        worked(1);
        start = end + 1;
        end = line.indexOf(delimiter, start);
      }
      if (high === Number.POSITIVE_INFINITY && between === delimiter) {
        return picked.text((first ? '' : between) + line.slice(start));
      }
      for (; field <= high; field++) {
        picked.add((first ? '' : between) + line.slice(start, end < 0 ? line.length : end));
        first = false;
        if (end < 0) return picked.text();
        worked(1);
        start = end + 1;
        end = line.indexOf(delimiter, start);
      }
    }
    return picked.text();
  };
}

/** Where the delimiter is what ends lines, each line is a field, and a whole file is one line. */
function cutLines(context: CutContext, input: CutContext, plan: Plan, end: string): Awaitable<number> {
  const between = plan.joint ?? end;
  const out = lineWriter(context.out);
  const inside = (field: number): boolean => plan.ranges.some(({ low, high }) => field >= low && field <= high);
  const operands = context.operands.length === 0 ? ['-'] : context.operands;
  const one = (operand: string): Awaitable<number> => {
    let field = 0;
    let printed = 0;
    /** The first line has no end: there is no delimiter at all. */
    let single: string | undefined;
    const read = eachLine(input, [operand], end.charCodeAt(0), (line, ended) => {
      if (++field === 1 && !ended) {
        single = line;
        return undefined;
      }
      if (!inside(field)) return undefined;
      return andThen(out.write((printed++ === 0 ? '' : between) + line), () => undefined);
    });
    return andThen(read, (result) => {
      const nothing = field === 0 || (plan.onlyDelimited && field === 1 && printed === 0);
      return nothing ? result : andThen(out.write((single ?? '') + end), () => result);
    });
  };
  let status = 0;
  const all = operands.reduce<Awaitable<number>>(
    (before, operand) =>
      andThen(before, () =>
        andThen(one(operand), (result) => {
          status = Math.max(status, result);
          return status;
        }),
      ),
    0,
  );
  return andThen(all, () => andThen(out.end(), () => status));
}
