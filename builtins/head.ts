/** head: print the first lines or bytes of files. */
import { type Awaitable, andThen, type Waiting } from '../src/steps.js';
import { gnuQuote } from '../src/text/quote.js';
import { headBytes, headLines, withoutLastBytes, withoutLastLines } from './head/take.js';
import { type BadValue, defineBuiltin } from './kit/define.js';
import { failingAs } from './kit/failing.js';
import { lastOf } from './kit/given.js';
import { eachInput } from './kit/input.js';
import { SIZE_SUFFIXES, wholeNumber } from './kit/numbers.js';

export const head = defineBuiltin({
  name: 'head',
  summary: 'print the first lines or bytes of files',
  needs: ['read'],
  usage: 'head [OPTION]... [FILE]...',
  notes: 'NUM may have a suffix: b 512, kB 1000, K 1024, MB, M and so on. -5 is -n 5.',
  flags: {
    bytes: {
      short: 'c',
      long: 'bytes',
      value: '[-]NUM',
      parse: amount('bytes'),
      help: 'the first NUM bytes; with -, all but the last NUM',
    },
    lines: {
      short: 'n',
      long: 'lines',
      value: '[-]NUM',
      parse: amount('lines'),
      help: 'the first NUM lines instead of 10; with -, all but the last NUM',
    },
    quiet: { short: 'q', long: ['quiet', 'silent'], help: 'never print names' },
    verbose: { short: 'v', long: 'verbose', help: 'always print names' },
    zero: { short: 'z', long: 'zero-terminated', help: 'lines end with NUL' },
  },
  statuses: { 0: 'every file was printed', 1: 'some file could not be read' },
  obsolete,

  run(context) {
    const { flags, given, operands, out } = context;
    const bytes = lastOf(given, ['lines', 'bytes'])?.flag === 'bytes';
    const { count, fromEnd } = (bytes ? flags.bytes : flags.lines) ?? { count: 10, fromEnd: false };
    const names = lastOf(given, ['quiet', 'verbose'])?.flag;
    const verbose = names === 'verbose' || (names === undefined && operands.length > 1);
    const delimiter = flags.zero === true ? 0 : 10;
    let first = true;

    const header = (operand: string): Waiting => {
      if (!verbose) return undefined;
      const gap = first ? '' : '\n';
      first = false;
      return out.write(`${gap}==> ${operand === '-' ? 'standard input' : operand} <==\n`);
    };
    // GNU can open a directory, and prints its name before it fails to read it.
    const input = failingAs(context, (operand, reading) => {
      if (operand === '-') return "error reading 'standard input'";
      if (!reading) return `cannot open ${gnuQuote(operand)} for reading`;
      void header(operand);
      // Nothing is read where nothing is wanted.
      if (count === 0 && !fromEnd) return undefined;
      return `error reading ${gnuQuote(operand)}`;
    });

    return eachInput(input, operands, (source, operand) =>
      andThen(header(operand), (): Awaitable<false> => {
        if (bytes) return fromEnd ? withoutLastBytes(context, source, count) : headBytes(context, source, count);
        if (fromEnd) return withoutLastLines(context, source, delimiter, count);
        return headLines(context, source, delimiter, count);
      }),
    );
  },
});

interface Amount {
  readonly count: number;
  /** `-n -5`: all but the last. */
  readonly fromEnd: boolean;
}

function amount(unit: 'bytes' | 'lines'): (text: string) => Amount | BadValue {
  const read = wholeNumber(`invalid number of ${unit}`, { suffixes: SIZE_SUFFIXES, max: Number.MAX_SAFE_INTEGER });
  return (text) => {
    const fromEnd = text.startsWith('-');
    const count = read(fromEnd ? text.slice(1) : text);
    return typeof count === 'number' ? { count, fromEnd } : count;
  };
}

/** `-5`, `-5c`, `-5kqv`: a number, units, and other options; only as the first word. */
function obsolete(argument: string, index: number): readonly string[] | undefined {
  const match = index === 1 ? /^-([0-9]+)([bckmlqvz]*)$/.exec(argument) : null;
  if (match === null) return undefined;
  let unit = 'n';
  let suffix = '';
  const others: string[] = [];
  for (const letter of match[2] as string) {
    if (letter === 'c' || letter === 'l') {
      unit = letter === 'c' ? 'c' : 'n';
      if (letter === 'c') suffix = '';
    } else if ('bkm'.includes(letter)) {
      unit = 'c';
      suffix = letter;
    } else others.push(`-${letter}`);
  }
  return [`-${unit}`, `${match[1]}${suffix}`, ...others];
}
