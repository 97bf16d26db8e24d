/** sort: put lines in order. Holds its whole input in memory, at most `maxVariableBytes` of it. */
import { isFsError } from '../src/errors.js';
import { type Awaitable, andThen, isPromise, lastly, type Waiting } from '../src/steps.js';
import { encode } from '../src/text/bytes.js';
import { gnuQuote, gnuQuoteIfNeeded, gnuQuoteValue } from '../src/text/quote.js';
import { choose } from './kit/choice.js';
import type { Context, Output, OutputFile } from './kit/context.js';
import { BadValue, defineBuiltin, type Flags, type Given, type Parsed } from './kit/define.js';
import { failingAs } from './kit/failing.js';
import { sameAgain } from './kit/given.js';
import { chunksOf, eachInput } from './kit/input.js';
import { repeat } from './kit/repeat.js';
import { buildAll, levelBuilder } from './sort/build.js';
import {
  applyLetter,
  incompatible,
  isDefault,
  type Ordering,
  parseKey,
  plainOrdering,
  type SortKey,
} from './sort/keys.js';
import { compareOn, type Level } from './sort/levels.js';
import { LineStore, type Lines } from './sort/lines.js';
import { mergeParts } from './sort/merge.js';
import { Order } from './sort/order.js';

const ORDERINGS = {
  'general-numeric': 'g',
  'human-numeric': 'h',
  month: 'M',
  numeric: 'n',
  random: 'R',
  version: 'V',
} as const;

const FAILURE = 2;
/** GNU’s status of an option’s argument that is none of its list. */
const NONE_OF_A_LIST = 1;

/** Options of a sort that works on disk. */
const FOR_FILES: ReadonlySet<string> = new Set([
  '-S',
  '-T',
  '--batch-size',
  '--buffer-size',
  '--compress-program',
  '--parallel',
  '--temporary-directory',
]);

const FLAGS = {
  blanks: { short: 'b', long: 'ignore-leading-blanks', help: 'ignore leading blanks' },
  dictionary: { short: 'd', long: 'dictionary-order', help: 'only blanks, letters and digits count' },
  fold: { short: 'f', long: 'ignore-case', help: 'lower case counts as upper case' },
  general: { short: 'g', long: 'general-numeric-sort', help: 'by general numeric value (1e3)' },
  ignore: { short: 'i', long: 'ignore-nonprinting', help: 'only printable characters count' },
  month: { short: 'M', long: 'month-sort', help: 'by month: (unknown) < JAN < ... < DEC' },
  human: { short: 'h', long: 'human-numeric-sort', help: 'by sizes (2K, 1G)' },
  numeric: { short: 'n', long: 'numeric-sort', help: 'by numeric value' },
  random: { short: 'R', long: 'random-sort', help: 'in random order, the same keys together' },
  reverse: { short: 'r', long: 'reverse', help: 'the other way round' },
  sort: {
    long: 'sort',
    value: 'WORD',
    parse: parseSort,
    help: 'general-numeric -g, human-numeric -h, month -M, numeric -n, random -R, version -V',
  },
  version: { short: 'V', long: 'version-sort', help: 'by version numbers in names' },
  check: { short: 'c', help: 'only check whether the input is in order' },
  quietly: { short: 'C', help: 'as -c, without saying where' },
  checkLong: {
    long: 'check',
    value: 'HOW',
    optional: true,
    parse: parseCheck,
    help: 'diagnose-first -c, quiet or silent -C',
  },
  key: { short: 'k', long: 'key', value: 'KEYDEF', repeat: true, parse: parseKey, help: 'sort by a key' },
  merge: { short: 'm', long: 'merge', help: 'put together inputs that are in order' },
  output: { short: 'o', long: 'output', value: 'FILE', repeat: true, help: 'write to FILE, which may be an input' },
  stable: { short: 's', long: 'stable', help: 'lines with the same keys stay as they came' },
  separator: {
    short: 't',
    long: 'field-separator',
    value: 'SEP',
    repeat: true,
    parse: parseSeparator,
    help: 'the character between fields',
  },
  unique: { short: 'u', long: 'unique', help: 'one line of those that are the same' },
  zero: { short: 'z', long: 'zero-terminated', help: 'lines end with NUL' },
} as const satisfies Flags;

export const sort = defineBuiltin({
  name: 'sort',
  summary: 'put lines in order',
  needs: ['read', 'write'],
  usage: 'sort [OPTION]... [FILE]...',
  notes: `KEYDEF is F[.C][OPTS][,F[.C][OPTS]]: a field and a character in it to start at and to end at, counted from 1, with any of the
letters bdfghiMnRrV. The input is held in memory.`,
  usageStatus: FAILURE,
  writeFailure: FAILURE,
  unknownOptionHint: (option) =>
    FOR_FILES.has(option)
      ? 'sort: the input is kept in memory and there are no temporary files: leave the option out'
      : undefined,
  flags: FLAGS,
  conflict,
  statuses: { 0: 'sorted, or in order', 1: '-c or -C found the input out of order', 2: 'something failed' },

  run(context) {
    const plan = planOf(context);
    if (plan instanceof BadValue) {
      context.complain(plan.message);
      return FAILURE;
    }
    const store = new LineStore(plan.delimiter, context.limits.maxVariableBytes);
    const input = failingAs(context, (operand, reading) => {
      if (reading) return `read failed: ${gnuQuoteIfNeeded(operand)}`;
      return `${plan.check === undefined ? 'cannot read' : 'open failed'}: ${gnuQuoteIfNeeded(operand)}`;
    });
    const parts: number[] = [];
    let failed = false;
    const operands = context.operands.length === 0 ? ['-'] : context.operands;
    const read = operands.reduce<Awaitable<number>>(
      (before, operand) =>
        andThen(before, (status) => {
          if (status !== 0) failed = true;
          if (failed) return 0;
          return eachInput(input, [operand], (source) =>
            andThen(
              chunksOf(context, source, (chunk) => {
                store.push(chunk);
                return undefined;
              }),
              () => {
                parts.push(store.endFile());
                return false;
              },
            ),
          );
        }),
      0,
    );
    return andThen(read, (status) => {
      if (failed || status !== 0) return FAILURE;
      const lines = store.lines();
      const builders = plan.keys.map((key) => levelBuilder(key, lines, plan.separator));
      return andThen(buildAll(builders, context.tick), () => {
        const levels = builders.flatMap((builder) => builder.levels());
        if (plan.keys.length === 0 || !plan.keysOnly) levels.push(wholeLine(lines, plan.reverse));
        if (plan.check !== undefined) return check(context, plan, lines, levels, operands[0] as string);
        return arrange(context, plan, lines, levels, parts);
      });
    });
  },
});

interface Plan {
  readonly keys: readonly SortKey[];
  readonly reverse: boolean;
  /** Lines with the same keys are the same: `-s` and `-u`. */
  readonly keysOnly: boolean;
  readonly unique: boolean;
  readonly merge: boolean;
  readonly check: 'aloud' | 'quietly' | undefined;
  readonly delimiter: number;
  readonly separator: number | undefined;
  readonly output: string | undefined;
}

const LETTERS = {
  blanks: 'b',
  dictionary: 'd',
  fold: 'f',
  general: 'g',
  ignore: 'i',
  month: 'M',
  human: 'h',
  numeric: 'n',
  random: 'R',
  reverse: 'r',
  version: 'V',
} as const;

type SortContext = Context<'read' | 'write'> & Parsed<typeof FLAGS>;

function planOf({ flags, given, operands }: SortContext): Plan | BadValue {
  const globals: Ordering = plainOrdering();
  let check: Plan['check'];
  for (const { flag, value } of given) {
    if (flag === 'sort') applyLetter(globals, String(value), 'both');
    else if (flag in LETTERS) applyLetter(globals, LETTERS[flag as keyof typeof LETTERS], 'both');
    check ??= checkOf(flag, value);
  }
  const whole: SortKey = { ...globals, startField: 0, startCharacter: 0, endField: undefined, endCharacter: 0 };
  const keys = flags.key?.map((key) => (isDefault(key) && !key.reverse ? { ...key, ...globals } : key)) ?? [];
  if (keys.length === 0 && !isDefault(globals)) keys.push(whole);
  for (const key of keys) {
    const letters = incompatible(key);
    if (letters !== undefined) return new BadValue(`options '-${letters}' are incompatible`);
  }
  const separator = flags.separator?.[0];
  const output = flags.output?.[0];
  if (check !== undefined) {
    const letter = check === 'aloud' ? 'c' : 'C';
    const [, extra] = operands;
    if (extra !== undefined) return new BadValue(`extra operand ${gnuQuote(extra)} not allowed with -${letter}`);
    if (output !== undefined) return new BadValue(`options '-${letter}o' are incompatible`);
  }
  const unique = flags.unique === true;
  return {
    keys,
    reverse: globals.reverse,
    keysOnly: unique || flags.stable === true,
    unique,
    merge: flags.merge === true,
    check,
    delimiter: flags.zero === true ? 0 : 10,
    separator,
    output,
  };
}

/** `--check` alone is `-c`. */
function checkOf(flag: string, value: unknown): Plan['check'] {
  if (flag === 'quietly' || (flag === 'checkLong' && value === 'quietly')) return 'quietly';
  return flag === 'check' || flag === 'checkLong' ? 'aloud' : undefined;
}

const another = sameAgain({ separator: 'incompatible tabs', output: 'multiple output files specified' });

/** What may be given again, but not in another way. */
function conflict(next: Given, before: readonly Given[]): string | undefined {
  const how = checkOf(next.flag, next.value);
  for (const { flag, value } of before) {
    const other = checkOf(flag, value);
    if (how !== undefined && other !== undefined && other !== how) return "options '-cC' are incompatible";
  }
  return another(next, before);
}

function parseSort(text: string): string | BadValue {
  const names = Object.keys(ORDERINGS) as (keyof typeof ORDERINGS)[];
  const name = choose(
    text,
    names.map((one) => [one] as const),
    '--sort',
    NONE_OF_A_LIST,
  );
  return name instanceof BadValue ? name : ORDERINGS[name];
}

/** The argument of `--check`. */
function parseCheck(text: string): 'aloud' | 'quietly' | BadValue {
  const name = choose(text, [['quiet', 'silent'], ['diagnose-first']], '--check', NONE_OF_A_LIST);
  if (name instanceof BadValue) return name;
  return name === 'quiet' ? 'quietly' : 'aloud';
}

function parseSeparator(text: string): number | BadValue {
  const bytes = encode(text);
  if (bytes.length === 1) return bytes[0] as number;
  if (bytes.length === 0) return new BadValue('empty tab');
  return text === '\\0' ? 0 : new BadValue(`multi-character tab ${gnuQuoteValue(text)}`);
}

function wholeLine({ bytes, starts, ends }: Lines, reverse: boolean): Level {
  return { kind: 'bytes', bytes, starts, ends, reverse };
}

/** `-c` and `-C`: the first line that is out of order, with `-u` also one that is the same as the one before. */
function check(
  context: SortContext,
  plan: Plan,
  lines: Lines,
  levels: readonly Level[],
  name: string,
): Awaitable<number> {
  const least = plan.unique ? 0 : 1;
  for (let i = 1; i < lines.count; i++) {
    if (compareOn(levels, i - 1, i) < least) continue;
    if (plan.check === 'quietly') return 1;
    const line = lines.bytes.subarray(lines.starts[i], lines.ends[i]);
    return andThen(context.err.write(`sort: ${name}:${i + 1}: disorder: `), () =>
      andThen(context.err.write(Buffer.concat([line, Buffer.of(context.flags.zero === true ? 0 : 10)])), () => 1),
    );
  }
  return 0;
}

function arrange(
  context: SortContext,
  plan: Plan,
  lines: Lines,
  levels: readonly Level[],
  parts: readonly number[],
): Awaitable<number> {
  if (plan.merge) {
    const order = mergeParts(lines.count, parts, (a, b) => compareOn(levels, a, b));
    const same = plan.unique ? new Uint8Array(lines.count) : undefined;
    for (let i = 1; i < lines.count && same !== undefined; i++) {
      if (compareOn(levels, order[i - 1] as number, order[i] as number) === 0) same[i] = 1;
    }
    return deliver(context, plan, lines, order, same);
  }
  const order = new Order(lines.count, levels, { stable: plan.keys.length > 0, unique: plan.unique });
  return andThen(order.run(context.tick), () => deliver(context, plan, lines, order.lines, order.same));
}

function deliver(
  context: SortContext,
  plan: Plan,
  lines: Lines,
  order: Uint32Array,
  same: Uint8Array | undefined,
): Awaitable<number> {
  if (plan.output === undefined) return andThen(print(context.out, context.tick, lines, order, same), () => 0);
  const path = plan.output;
  let sink: OutputFile;
  try {
    sink = context.openSink(path, { truncate: true });
  } catch (error) {
    if (!isFsError(error)) throw error;
    context.complain(`open failed: ${gnuQuoteIfNeeded(path)}: ${error.message}`);
    return FAILURE;
  }
  return lastly(
    () => andThen(print(sink, context.tick, lines, order, same), () => 0),
    () => void sink.close(),
  );
}

const BLOCK = 65_536;

/** Lines with their delimiters, collected in blocks. */
function print(
  out: Output,
  tick: () => Waiting,
  { bytes, starts, ends }: Lines,
  order: Uint32Array,
  same: Uint8Array | undefined,
): Waiting {
  let next = 0;
  const printed = repeat<true>(() => {
    if (next >= order.length) return true;
    const block = Buffer.allocUnsafe(BLOCK);
    let length = 0;
    for (; next < order.length; next++) {
      if (same?.[next] === 1) continue;
      const line = order[next] as number;
      const start = starts[line] as number;
      const end = (ends[line] as number) + 1;
      const size = end - start;
      if (size > BLOCK - length) {
        if (length > 0) break;
        next++;
        return andThen(out.write(bytes.subarray(start, end)), () => tick()) as Awaitable<undefined>;
      }
      if (size > 48) length += bytes.copy(block, length, start, end);
      else for (let i = start; i < end; i++) block[length++] = bytes[i] as number;
    }
    return andThen(out.give(block.subarray(0, length)), () => tick()) as Awaitable<undefined>;
  });
  return isPromise(printed) ? printed.then(() => undefined) : undefined;
}
