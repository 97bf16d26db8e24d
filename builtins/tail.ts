/** tail: print the last lines or bytes of files, and what is added to them. */
import type { OpenFile } from '../src/files/files.js';
import { type Awaitable, andThen, lastly, type Waiting } from '../src/steps.js';
import { gnuQuote } from '../src/text/quote.js';
import type { Context } from './kit/context.js';
import { type BadValue, defineBuiltin } from './kit/define.js';
import { failingAs } from './kit/failing.js';
import { lastOf } from './kit/given.js';
import { eachInput } from './kit/input.js';
import { SIZE_SUFFIXES, wholeNumber } from './kit/numbers.js';
import { forEach, repeat } from './kit/repeat.js';
import { type Followed, follow } from './tail/follow.js';
import { type TailAmount, tailOf, tailPosition } from './tail/take.js';

export const tail = defineBuiltin({
  name: 'tail',
  summary: 'print the last lines or bytes of files',
  needs: ['read', 'clock'],
  usage: 'tail [OPTION]... [FILE]...',
  notes: 'NUM may have a suffix: b 512, kB 1000, K 1024, MB, M and so on. -5 is -n 5, +5 is -n +5.',
  flags: {
    bytes: {
      short: 'c',
      long: 'bytes',
      value: '[+]NUM',
      parse: amount('bytes'),
      help: 'the last NUM bytes; with +, from byte NUM on',
    },
    follow: { short: 'f', help: 'print what is added to the files, until the run ends' },
    lines: {
      short: 'n',
      long: 'lines',
      value: '[+]NUM',
      parse: amount('lines'),
      help: 'the last NUM lines instead of 10; with +, from line NUM on',
    },
    quiet: { short: 'q', long: ['quiet', 'silent'], help: 'never print names' },
    verbose: { short: 'v', long: 'verbose', help: 'always print names' },
    zero: { short: 'z', long: 'zero-terminated', help: 'lines end with NUL' },
  },
  statuses: { 0: 'every file was printed', 1: 'some file could not be read' },
  obsolete,

  run(context) {
    const { flags, given, out } = context;
    const operands = context.operands.length === 0 ? ['-'] : context.operands;
    const unit = lastOf(given, ['lines', 'bytes'])?.flag ?? 'lines';
    // A + of any of them holds, as in GNU.
    const fromStart = given.some(({ value }) => isFromStart(value));
    const wanted: TailAmount = { ...(flags[unit] ?? { unit: 'lines', count: 10 }), fromStart };
    // Of nothing there is nothing to be said.
    if (wanted.count === 0 && !fromStart && !flags.follow) return 0;
    const names = lastOf(given, ['quiet', 'verbose'])?.flag;
    const verbose = names === 'verbose' || (names === undefined && operands.length > 1);
    const delimiter = flags.zero === true ? 0 : 10;
    let shown: string | undefined;

    const header = (operand: string): Waiting => {
      if (!verbose) return undefined;
      const gap = shown === undefined ? '' : '\n';
      shown = operand;
      return out.write(`${gap}==> ${operand === '-' ? 'standard input' : operand} <==\n`);
    };
    // GNU can open a directory, and prints its name before it fails to read it.
    const input = failingAs(context, (operand, reading) => {
      if (operand === '-') return `${reading ? 'error reading' : 'cannot fstat'} 'standard input'`;
      if (!reading) return `cannot open ${gnuQuote(operand)} for reading`;
      void header(operand);
      return `error reading ${gnuQuote(operand)}`;
    });

    const followed: Followed[] = [];
    let status = 0;
    const one = (operand: string): Awaitable<false> => {
      const file = wanted.fromStart && wanted.unit === 'lines' ? undefined : openRegular(context, operand);
      if (file !== undefined) {
        const print = (): Awaitable<false> =>
          andThen(header(operand), () => printEnd(context, file, wanted, delimiter));
        return lastly(print, () => file.close());
      }
      const done = eachInput(input, [operand], (source) =>
        andThen(header(operand), () => tailOf(context, source, wanted, delimiter)),
      );
      return andThen(done, (result) => {
        if (result !== 0) status = result;
        return false as const;
      });
    };
    // GNU looks at no file where nothing of it is wanted.
    if (flags.follow !== true && wanted.count === 0 && !wanted.fromStart) return 0;
    if (flags.follow !== true) return andThen(forEach(operands, one), () => status);

    const start = (operand: string): Awaitable<false> => {
      // A pipe that has ended will not go on.
      if (operand === '-' && context.stdinFacts?.file === undefined) return one(operand);
      try {
        const source = operand === '-' && context.stdin !== undefined ? context.stdin : context.openSource(operand);
        const entry: Followed = { source, operand, read: 0 };
        followed.push(entry);
        return andThen(header(operand), () => andThen(entryTail(entry), () => false as const));
      } catch (error) {
        status = input.failed(operand, error);
        return false;
      }
    };
    const entryTail = (entry: Followed): Awaitable<boolean> => {
      const { source } = entry;
      const counted = {
        get buffer() {
          return source.buffer;
        },
        get start() {
          return source.start;
        },
        set start(to: number) {
          entry.read += to - source.start;
          source.start = to;
        },
        get end() {
          return source.end;
        },
        owned: source.owned,
        fill: () => source.fill(),
        close: () => {},
      };
      return tailOf(context, counted, wanted, delimiter);
    };
    const everything = (): Awaitable<number> =>
      andThen(forEach(operands, start), () => {
        if (followed.length === 0) return status;
        return follow(context, followed, (operand) => (shown === operand ? undefined : header(operand)));
      });
    return lastly(everything, () => {
      for (const { source } of followed) if (source !== context.stdin) source.close();
    });
  },
});

/** A regular file can be read from its end. Undefined for anything else: it is read from the beginning. */
function openRegular(context: Context<'read'>, operand: string): OpenFile | undefined {
  if (operand === '-' || operand.startsWith('/dev/')) return undefined;
  if (context.fs.tryStat(operand)?.kind !== 'file') return undefined;
  try {
    return context.fs.open(operand);
  } catch {
    return undefined; // whoever reads it next says why
  }
}

function printEnd(context: Context<'read'>, file: OpenFile, wanted: TailAmount, delimiter: number): Awaitable<false> {
  let position = tailPosition(file, file.stat().size, wanted, delimiter, context.look);
  const block = new Uint8Array(65_536);
  return repeat<false>(() =>
    andThen(context.tick(), (): Awaitable<false | undefined> => {
      const length = file.read(block, position);
      if (length === 0) return false;
      position += length;
      const waiting = context.out.write(block.subarray(0, length));
      return waiting === undefined ? undefined : waiting.then(() => undefined);
    }),
  );
}

function isFromStart(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'fromStart' in value && value.fromStart === true;
}

function amount(unit: 'bytes' | 'lines'): (text: string) => TailAmount | BadValue {
  const read = wholeNumber(`invalid number of ${unit}`, { suffixes: SIZE_SUFFIXES, clamp: true });
  return (text) => {
    const fromStart = text.startsWith('+');
    const count = read(fromStart || text.startsWith('-') ? text.slice(1) : text);
    return typeof count === 'number' ? { unit, count, fromStart } : count;
  };
}

/** `-5`, `+5`, `-5c`, `-5lf`: only as the first word. */
function obsolete(argument: string, index: number): readonly string[] | undefined {
  const match = index === 1 ? /^([-+])([0-9]+)([bcl]?)(f?)$/.exec(argument) : null;
  if (match === null) return undefined;
  const [, sign, digits, unit, follows] = match as readonly string[];
  const number = `${sign === '+' ? '+' : ''}${digits}${unit === 'b' ? 'b' : ''}`;
  return [unit === 'c' || unit === 'b' ? '-c' : '-n', number, ...(follows === '' ? [] : ['-f'])];
}
