/** cmp: compare two files byte by byte. */
import type { ByteSource } from '../src/io/streams.js';
import { type Awaitable, andThen } from '../src/steps.js';
import type { Context } from './kit/context.js';
import { BadValue, defineBuiltin, type Flags, type Parsed, tryHelp } from './kit/define.js';
import { countDelimiters } from './kit/line-end.js';
import { withSources } from './kit/line-reader.js';
import { parseInteger } from './kit/numbers.js';
import { lineWriter } from './kit/output.js';
import { repeat } from './kit/repeat.js';

const TROUBLE = 2;

const FLAGS = {
  bytes: { short: 'b', long: 'print-bytes', help: 'print the bytes that differ' },
  skip: {
    short: 'i',
    long: 'ignore-initial',
    value: 'SKIP[:SKIP2]',
    repeat: true,
    parse: parseSkips,
    help: 'skip SKIP bytes of both files, or SKIP2 of the second',
  },
  list: { short: 'l', long: 'verbose', help: 'print all bytes that differ' },
  limit: {
    short: 'n',
    long: 'bytes',
    value: 'LIMIT',
    repeat: true,
    parse: parseLimit,
    help: 'compare no more than LIMIT bytes',
  },
  silent: { short: 's', long: ['silent', 'quiet'], help: 'print nothing, the status tells' },
} as const satisfies Flags;

export const cmp = defineBuiltin({
  name: 'cmp',
  summary: 'compare two files byte by byte',
  needs: ['read'],
  usage: 'cmp [OPTION]... FILE1 [FILE2 [SKIP1 [SKIP2]]]',
  notes: 'Without FILE2, or when a FILE is -, read standard input.',
  flags: FLAGS,
  usageStatus: TROUBLE,
  usageHint: (name) => `${name}: ${tryHelp(name)}`,
  statuses: { 0: 'the files are the same', 1: 'they differ', 2: 'something failed' },

  run(context) {
    const plan = planOf(context);
    if (plan instanceof BadValue) {
      context.complain(plan.message);
      context.complain(`Try '${context.name} --help' for more information.`);
      return TROUBLE;
    }
    // The same input twice is the same: GNU does not even read it.
    if (plan.names.every((name) => name === '-')) return 0;
    const quiet: CmpContext = Object.create(context, { complain: { value: () => {} } });
    return withSources(
      context.flags.silent === true ? quiet : context,
      plan.names,
      (name) => name,
      (sources) => compare(context, plan, sources),
      TROUBLE,
    );
  },
});

type CmpContext = Context<'read'> & Parsed<typeof FLAGS>;

interface Plan {
  readonly names: readonly [string, string];
  readonly skips: readonly [number, number];
  readonly limit: number;
}

/** As diffutils say it: the hint begins with the command's name, too. */
function bad(message: string): BadValue {
  return new BadValue(`${message}\ncmp: Try 'cmp --help' for more information.`);
}

function read(text: string): number | undefined {
  const value = parseInteger(text, { suffixes: 'kKMGTPEZY0' });
  return value.kind === 'value' ? Number(value.value) : undefined;
}

function parseSkips(text: string): readonly [number, number | undefined] | BadValue {
  const [one = '', two] = text.split(':');
  const a = read(one);
  const b = two === undefined ? undefined : read(two);
  const wrong = a === undefined || (two !== undefined && b === undefined);
  // What is wrong with the second is said of it alone.
  return wrong ? bad(`invalid --ignore-initial value '${a === undefined ? text : two}'`) : [a, b];
}

function parseLimit(text: string): number | BadValue {
  return read(text) ?? bad(`invalid --bytes value '${text}'`);
}

function planOf({ flags, operands, optionWords }: CmpContext): Plan | BadValue {
  const [first, second = '-', skip1, skip2, extra] = operands;
  // The most of all that are given, for each file; one that names no second is for both, as far as it has come.
  const skips: [number, number] = [0, 0];
  for (const [one, two] of flags.skip ?? []) {
    skips[0] = Math.max(skips[0], one);
    skips[1] = Math.max(skips[1], two ?? skips[0]);
  }
  // The least of all that are given.
  const limit = Math.min(Number.POSITIVE_INFINITY, ...(flags.limit ?? []));
  const badSkip = (text: string): BadValue => new BadValue(`invalid --ignore-initial value '${text}'`);
  if (flags.list === true && flags.silent === true) return new BadValue('options -l and -s are incompatible');
  if (first === undefined) return new BadValue(`missing operand after '${optionWords.at(-1) ?? 'cmp'}'`);
  for (const [i, text] of [skip1, skip2].entries()) {
    if (text === undefined) continue;
    const value = read(text);
    if (value === undefined) return badSkip(text);
    skips[i] = Math.max(value, skips[i] as number);
  }
  if (extra !== undefined) return new BadValue(`extra operand '${extra}'`);
  return { names: [first, second], skips, limit };
}

/** Columns of an offset in a list: as many as the smaller regular file needs. */
function offsetWidth({ fs }: CmpContext, { names, skips, limit }: Plan): number {
  const sizes = names.map((name, i) => {
    const stat = name === '-' ? undefined : fs.tryStat(name);
    return stat?.kind === 'file' ? Math.max(0, stat.size - (skips[i] as number)) : Number.POSITIVE_INFINITY;
  });
  const least = Math.min(limit, ...sizes);
  return Number.isFinite(least) ? String(least).length : 19;
}

/** At least one byte in hand, or the end. */
function fill(context: CmpContext, source: ByteSource): Awaitable<boolean> {
  return source.start < source.end ? true : andThen(context.tick(), () => source.fill());
}

function skipBytes(context: CmpContext, source: ByteSource, count: number): Awaitable<true> {
  let left = count;
  return repeat<true>(() => {
    if (left === 0) return true;
    return andThen(fill(context, source), (more) => {
      if (!more) return true;
      const step = Math.min(left, source.end - source.start);
      source.start += step;
      left -= step;
      return undefined;
    });
  });
}

function compare(context: CmpContext, plan: Plan, sources: readonly ByteSource[]): Awaitable<number> {
  const { flags } = context;
  const [a, b] = sources as [ByteSource, ByteSource]; // two names, two sources
  const out = lineWriter(context.out);
  const width = flags.list === true ? offsetWidth(context, plan) : 0;
  let position = 0;
  let line = 1;
  let newlineLast = false;
  let status = 0;
  let left = plan.limit;

  /** Both have bytes: compares what they have. True when all is known. */
  const compareHeld = (): Awaitable<true | undefined> => {
    const count = Math.min(a.end - a.start, b.end - b.start, left);
    const x = Buffer.from(a.buffer.buffer, a.buffer.byteOffset + a.start, count);
    const y = Buffer.from(b.buffer.buffer, b.buffer.byteOffset + b.start, count);
    let text = '';
    if (!x.equals(y)) {
      for (let i = 0; i < count; i++) {
        if (x[i] === y[i]) continue;
        status = 1;
        if (flags.silent === true) return true;
        const pair = [x[i] as number, y[i] as number] as const;
        if (flags.list !== true) {
          const at = line + countDelimiters(x, 0, i, 10);
          return andThen(
            out.write(firstDifference(plan.names, position + i + 1, at, flags.bytes === true ? pair : undefined)),
            () => true,
          );
        }
        text += `${String(position + i + 1).padStart(width)} ${listed(pair, flags.bytes === true)}`;
      }
    }
    line += countDelimiters(x, 0, count, 10);
    newlineLast = count > 0 ? x[count - 1] === 10 : newlineLast;
    a.start += count;
    b.start += count;
    position += count;
    left -= count;
    return andThen(out.write(text), () => undefined);
  };

  const ended = (name: string): number => {
    if (flags.silent === true) return 1;
    let where = `after byte ${position}`;
    if (position === 0) where = 'which is empty';
    else if (flags.list !== true) where += newlineLast ? `, line ${line - 1}` : `, in line ${line}`;
    context.complain(`EOF on ${name} ${where}`);
    return 1;
  };

  const step = (): Awaitable<number | undefined> => {
    if (left === 0) return status;
    return andThen(fill(context, a), (moreA) =>
      andThen(fill(context, b), (moreB): Awaitable<number | undefined> => {
        if (!moreA && !moreB) return status;
        if (moreA && moreB) return andThen(compareHeld(), (done) => (done === true ? status : undefined));
        return andThen(out.end(), () => ended(plan.names[moreA ? 1 : 0]));
      }),
    );
  };

  return andThen(skipBytes(context, a, plan.skips[0]), () =>
    andThen(skipBytes(context, b, plan.skips[1]), () =>
      andThen(repeat<number>(step), (result) => andThen(out.end(), () => result)),
    ),
  );
}

type Pair = readonly [number, number];

function firstDifference(names: readonly [string, string], byte: number, line: number, pair: Pair | undefined): string {
  const place = `${names[0]} ${names[1]} differ: byte ${byte}, line ${line}`;
  return Buffer.from(
    pair === undefined
      ? `${place}\n`
      : `${place} is ${octal(pair[0])} ${visible(pair[0])} ${octal(pair[1])} ${visible(pair[1])}\n`,
  ).toString('latin1');
}

function listed([x, y]: Pair, show: boolean): string {
  if (!show) return `${octal(x)} ${octal(y)}\n`;
  return `${octal(x)} ${visible(x).padEnd(4)} ${octal(y)} ${visible(y)}\n`;
}

function octal(byte: number): string {
  return byte.toString(8).padStart(3);
}

/** As cat -v shows it. */
function visible(byte: number): string {
  const low = byte & 0x7f;
  const text = low < 32 ? `^${String.fromCharCode(low + 64)}` : low === 127 ? '^?' : String.fromCharCode(low);
  return byte >= 128 ? `M-${text}` : text;
}
