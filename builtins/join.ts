/** join: put lines of two sorted files together that have a field in common. */
import { type Awaitable, andThen, type Waiting } from '../src/steps.js';
import { encode, fromByteString, toByteString } from '../src/text/bytes.js';
import { gnuQuote, gnuQuoteIfNeeded, gnuQuoteValue } from '../src/text/quote.js';
import { type Line, type OutputField, printPair, type Shape } from './join/fields.js';
import { Sequence } from './join/sequence.js';
import type { Context } from './kit/context.js';
import { BadValue, defineBuiltin, type Flags, type Parsed, usageFailure } from './kit/define.js';
import { lastOf, sameAgain } from './kit/given.js';
import { LineReader, withSources } from './kit/line-reader.js';
import { lineWriter } from './kit/output.js';
import { repeat } from './kit/repeat.js';

const FLAGS = {
  unpaired: {
    short: 'a',
    value: 'FILENUM',
    repeat: true,
    parse: fileNumber,
    help: 'also print lines of file 1 or 2 without a partner',
  },
  empty: { short: 'e', value: 'STRING', repeat: true, help: 'print STRING for fields that are not there' },
  ignoreCase: { short: 'i', long: 'ignore-case', help: 'upper and lower case are the same' },
  both: { short: 'j', value: 'FIELD', repeat: true, parse: fieldNumber, help: 'the same as -1 FIELD -2 FIELD' },
  list: {
    short: 'o',
    value: 'FORMAT',
    repeat: true,
    parse: parseList,
    help: "what to print: 0 or FILENUM.FIELD, with commas; 'auto': as many fields of each file as its first line has",
  },
  separator: { short: 't', value: 'CHAR', repeat: true, parse: parseSeparator, help: 'the character between fields' },
  only: { short: 'v', value: 'FILENUM', repeat: true, parse: fileNumber, help: 'as -a, and no joined lines' },
  first: { short: '1', value: 'FIELD', repeat: true, parse: fieldNumber, help: 'join by this field of file 1' },
  second: { short: '2', value: 'FIELD', repeat: true, parse: fieldNumber, help: 'join by this field of file 2' },
  check: { long: 'check-order', help: 'check that the files are sorted, even if all lines have partners' },
  nocheck: { long: 'nocheck-order', help: 'do not check that the files are sorted' },
  header: { long: 'header', help: 'the first line of each file is a heading: put together as they are' },
  zero: { short: 'z', long: 'zero-terminated', help: 'lines end with NUL' },
} as const satisfies Flags;

type JoinContext = Context<'read'> & Parsed<typeof FLAGS>;

export const join = defineBuiltin({
  name: 'join',
  summary: 'put lines of two sorted files together that have a field in common',
  needs: ['read'],
  usage: 'join [OPTION]... FILE1 FILE2',
  notes: 'Fields are between blanks, and the first is the one to join by, unless said otherwise. One FILE may be -.',
  flags: FLAGS,
  conflict: sameAgain({ empty: 'conflicting empty-field replacement strings', separator: 'incompatible tabs' }),
  statuses: { 0: 'joined', 1: 'a file could not be read or is not sorted' },

  run(context) {
    const { operands } = context;
    const fields = joinFields(context);
    if (fields instanceof BadValue) {
      context.complain(fields.message);
      return 1;
    }
    const last = operands[operands.length - 1];
    if (last === undefined) return usageFailure(context, 'missing operand');
    if (operands.length < 2) return usageFailure(context, `missing operand after ${gnuQuoteValue(last)}`);
    const extra = operands[2];
    if (extra !== undefined) return usageFailure(context, `extra operand ${gnuQuote(extra)}`);
    if (operands[0] === '-' && operands[1] === '-') {
      context.complain('both files cannot be standard input');
      return 1;
    }
    return withSources(context, operands, describe, (sources) => {
      const delimiter = context.flags.zero === true ? 0 : 10;
      const readers = sources.map((source) => new LineReader(context, source, delimiter));
      return new Joining(context, fields, readers).run();
    });
  },
});

function describe(operand: string, reading: boolean): string {
  return reading ? 'read error' : gnuQuoteIfNeeded(operand);
}

class Joining {
  private readonly context: JoinContext;
  private readonly sides: readonly [Sequence, Sequence];
  private shape: Shape;
  private readonly shows: readonly [boolean, boolean];
  private readonly pairs: boolean;
  private readonly checking: 'always' | 'never' | 'unpaired';
  private readonly out;
  private readonly end: string;
  private readonly warned = [false, false];
  private unpaired = false;

  constructor(context: JoinContext, fields: readonly [number, number], readers: readonly LineReader[]) {
    const { flags, given } = context;
    const order = lastOf(given, ['check', 'nocheck'])?.flag;
    this.context = context;
    this.checking = order === 'check' ? 'always' : order === 'nocheck' ? 'never' : 'unpaired';
    this.end = flags.zero === true ? '\0' : '\n';
    this.out = lineWriter(context.out);
    this.pairs = flags.only === undefined;
    const shown = new Set([...(flags.unpaired ?? []), ...(flags.only ?? [])]);
    this.shows = [shown.has(1), shown.has(2)];
    this.shape = {
      joinFields: fields,
      separator: flags.separator?.[0] ?? ' ',
      empty: toByteString(flags.empty?.[0] ?? ''),
      list: flags.list?.some((list) => list !== 'auto')
        ? flags.list.flatMap((list) => (list === 'auto' ? [] : list))
        : undefined,
      counts: undefined,
    };
    const side = (i: 0 | 1): Sequence =>
      new Sequence(readers[i] as LineReader, {
        separator: flags.separator?.[0],
        field: fields[i],
        ignoreCase: flags.ignoreCase === true,
        onDisorder: (number, line) => this.disorder(i, number, line),
      });
    this.sides = [side(0), side(1)];
  }

  run(): Awaitable<number> {
    const [a, b] = this.sides;
    const step = (): Awaitable<true | undefined> => {
      if (this.stopped || a.current === undefined || b.current === undefined) return true;
      if (a.current.key === b.current.key) return this.joinRuns();
      // Only what is read after this is checked, as in GNU.
      return andThen(this.single(a.current.key < b.current.key ? 0 : 1), () => {
        this.unpaired = true;
        return undefined;
      });
    };
    const begun = andThen(
      andThen(a.advance(), () => b.advance()),
      () => this.begin(),
    );
    return andThen(begun, () => andThen(repeat<true>(step), () => andThen(this.rest(), () => this.finish())));
  }

  /** What the first lines say. */
  private begin(): Awaitable<unknown> {
    const [a, b] = this.sides;
    const { flags } = this.context;
    if (flags.list?.includes('auto')) {
      this.shape = { ...this.shape, counts: [a.current?.fields.length ?? 0, b.current?.fields.length ?? 0] };
    }
    if (!flags.header || (a.current === undefined && b.current === undefined)) return undefined;
    return andThen(this.print(a.current, b.current), () => andThen(a.begin(), () => b.begin()));
  }

  private get stopped(): boolean {
    return this.checking === 'always' && this.warned.includes(true);
  }

  private print(a: Line | undefined, b: Line | undefined): Waiting {
    return this.out.write(printPair(a, b, this.shape) + this.end);
  }

  /** The current line of one side has no partner. */
  private single(i: 0 | 1): Awaitable<undefined> {
    const side = this.sides[i];
    const line = side.current;
    const printed = this.shows[i] ? (i === 0 ? this.print(line, undefined) : this.print(undefined, line)) : undefined;
    return andThen(printed, () => andThen(side.advance(), () => undefined));
  }

  private joinRuns(): Awaitable<undefined> {
    return andThen(this.sides[0].run(), (left) =>
      andThen(this.sides[1].run(), (right): Awaitable<undefined> => {
        if (!this.pairs || this.stopped) return undefined;
        let next = 0;
        const all = repeat<true>(() => {
          for (; next < left.length * right.length; next++) {
            const printed = this.print(left[Math.floor(next / right.length)], right[next % right.length]);
            if (printed === undefined) continue;
            next++;
            return printed.then(() => undefined);
          }
          return true;
        });
        return andThen(all, () => undefined);
      }),
    );
  }

  /** What is left of one file when the other has ended: printed if asked for, and looked at to see whether it is sorted. */
  private rest(): Awaitable<true> {
    return repeat<true>(() => {
      if (this.stopped) return true;
      for (const i of [0, 1] as const) {
        if (this.sides[i].current === undefined) continue;
        if (this.sides[1 - i]?.current !== undefined) this.unpaired = true;
        if (this.shows[i] || (this.checking !== 'never' && !this.warned[i])) {
          return this.single(i);
        }
      }
      return true;
    });
  }

  private disorder(i: 0 | 1, number: number, line: Line): void {
    if (this.warned[i] || this.checking === 'never' || (this.checking === 'unpaired' && !this.unpaired)) return;
    this.warned[i] = true;
    const name = this.context.operands[i] as string;
    this.context.complain(`${name}:${number}: is not sorted: ${fromByteString(line.text)}`);
  }

  private finish(): Awaitable<number> {
    return andThen(this.out.end(), () => {
      if (!this.warned.includes(true)) return 0;
      if (this.checking !== 'always') this.context.complain('input is not in sorted order');
      return 1;
    });
  }
}

function joinFields({ given }: JoinContext): readonly [number, number] | BadValue {
  const chosen: [number | undefined, number | undefined] = [undefined, undefined];
  for (const { flag, value } of given) {
    for (const [i, own] of (['first', 'second'] as const).entries()) {
      if ((flag !== own && flag !== 'both') || typeof value !== 'number') continue;
      const before = chosen[i];
      if (before !== undefined && before !== value) {
        return new BadValue(`incompatible join fields ${before}, ${value}`);
      }
      chosen[i] = value;
    }
  }
  return [(chosen[0] ?? 1) - 1, (chosen[1] ?? 1) - 1];
}

function fieldNumber(text: string): number | BadValue {
  const value = /^[0-9]+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : 0;
  return value > 0 ? value : new BadValue(`invalid field number: ${gnuQuoteValue(text)}`);
}

function fileNumber(text: string): number | BadValue {
  return text === '1' || text === '2' ? Number(text) : new BadValue(`invalid field number: ${gnuQuoteValue(text)}`);
}

function parseList(text: string): readonly OutputField[] | 'auto' | BadValue {
  if (text === 'auto') return text;
  const list: OutputField[] = [];
  for (const part of text.split(/[, \t]/)) {
    const file = part[0];
    if (file === '0') {
      if (part !== '0') return new BadValue(`invalid field specifier: ${gnuQuoteValue(part)}`);
      list.push({ file: 0, field: 0 });
      continue;
    }
    if (file !== '1' && file !== '2') return new BadValue(`invalid file number in field spec: ${gnuQuoteValue(part)}`);
    if (part[1] !== '.') return new BadValue(`invalid field specifier: ${gnuQuoteValue(part)}`);
    const field = fieldNumber(part.slice(2));
    if (field instanceof BadValue) return field;
    list.push({ file: file === '1' ? 1 : 2, field: field - 1 });
  }
  return list;
}

/** One byte; nothing makes the whole line one field. */
function parseSeparator(text: string): string | BadValue {
  const bytes = encode(text);
  if (bytes.length === 0) return '\n';
  if (bytes.length === 1) return toByteString(text);
  return text === '\\0' ? '\0' : new BadValue(`multi-character tab ${gnuQuoteValue(text)}`);
}
