/** split: cut a file into pieces. */
import { isFsError } from '../src/errors.js';
import { type Awaitable, andThen, lastly } from '../src/steps.js';
import { gnuQuote, gnuQuoteIfNeeded, gnuQuoteValue } from '../src/text/quote.js';
import { chunksUntil } from './kit/chunks.js';
import type { OutputFile } from './kit/context.js';
import { BadValue, defineBuiltin, usageFailure } from './kit/define.js';
import { failingAs } from './kit/failing.js';
import { eachInput } from './kit/input.js';
import { afterDelimiters } from './kit/line-end.js';
import { SIZE_SUFFIXES, wholeNumber } from './kit/numbers.js';
import { repeat } from './kit/repeat.js';
import { PieceNames } from './split/names.js';

export const split = defineBuiltin({
  name: 'split',
  summary: 'cut a file into pieces',
  needs: ['read', 'write'],
  usage: 'split [OPTION]... [FILE [PREFIX]]',
  notes: 'Pieces are PREFIXaa, PREFIXab ...; PREFIX is x, and a piece is 1000 lines, unless said otherwise.',
  remediationOnly: true,
  flags: {
    length: {
      short: 'a',
      long: 'suffix-length',
      value: 'N',
      parse: wholeNumber('invalid suffix length'),
      help: 'suffixes of N letters',
    },
    suffix: { long: 'additional-suffix', value: 'SUFFIX', parse: plainSuffix, help: 'put SUFFIX after each name' },
    bytes: {
      short: 'b',
      long: 'bytes',
      value: 'SIZE',
      repeat: true,
      parse: wholeNumber('invalid number of bytes', { min: 1, suffixes: SIZE_SUFFIXES }),
      help: 'pieces of SIZE bytes',
    },
    numeric: { short: 'd', help: 'suffixes of digits' },
    lines: {
      short: 'l',
      long: 'lines',
      value: 'NUMBER',
      repeat: true,
      parse: wholeNumber('invalid number of lines', { min: 1, suffixes: SIZE_SUFFIXES }),
      help: 'pieces of NUMBER lines',
    },
    verbose: { long: 'verbose', help: 'say which files are made' },
  },
  statuses: { 0: 'all pieces were written', 1: 'something failed' },
  obsolete: (argument) => (/^-[0-9]+$/.test(argument) ? ['-l', argument.slice(1)] : undefined),

  run(context) {
    const { flags, operands, given } = context;
    if (given.filter(({ flag }) => flag === 'bytes' || flag === 'lines').length > 1) {
      return usageFailure(context, 'cannot split in more than one way');
    }
    const [input = '-', prefix = 'x', extra] = operands;
    if (extra !== undefined) return usageFailure(context, `extra operand ${gnuQuoteValue(extra)}`);
    const bytes = flags.bytes?.[0];
    const size = bytes ?? flags.lines?.[0] ?? 1000;
    // A length of 0 is no length.
    const length = flags.length === 0 ? undefined : flags.length;
    const names = new PieceNames({ prefix, suffix: flags.suffix ?? '', numeric: flags.numeric === true, length });
    let piece: OutputFile | undefined;
    let left = 0;
    let failure: string | undefined;

    const close = (): void => {
      void piece?.close();
      piece = undefined;
    };
    /** The next piece; undefined when there can be none, and `failure` says why. */
    const open = (): OutputFile | undefined => {
      close();
      const name = names.next();
      if (name === undefined) {
        failure = 'output file suffixes exhausted';
        return undefined;
      }
      if (name === input) {
        failure = `${gnuQuote(name)} would overwrite input; aborting`;
        return undefined;
      }
      try {
        piece = context.openSink(name, { truncate: true });
      } catch (error) {
        if (!isFsError(error)) throw error;
        failure = `${gnuQuoteIfNeeded(name)}: ${error.message}`;
        return undefined;
      }
      left = size;
      if (flags.verbose === true) void context.out.write(`creating file ${gnuQuote(name)}\n`);
      return piece;
    };

    const take = (chunk: Uint8Array): Awaitable<true> => {
      let at = 0;
      const put = (target: OutputFile): Awaitable<undefined> => {
        let end = Math.min(chunk.length, at + left);
        if (bytes === undefined) {
          const { index, seen } = afterDelimiters(chunk, at, chunk.length, 10, left);
          end = index < 0 ? chunk.length : index;
          left -= seen;
        } else left -= end - at;
        const part = chunk.subarray(at, end);
        at = end;
        return andThen(target.write(part), () => undefined);
      };
      return repeat<true>(() => {
        if (at >= chunk.length || failure !== undefined) return true;
        if (left !== 0 && piece !== undefined) return put(piece);
        // A chunk may be thousands of pieces: each is a file.
        return andThen(context.tick(), () => {
          const target = open();
          return target === undefined ? true : put(target);
        });
      });
    };

    const reading = failingAs(context, (operand, reading) =>
      reading ? gnuQuoteIfNeeded(operand) : `cannot open ${gnuQuote(operand)} for reading`,
    );
    const work = (): Awaitable<number> =>
      andThen(
        eachInput(reading, [input], (source) => {
          const read = chunksUntil(context, source, (chunk) => andThen(take(chunk), () => failure !== undefined));
          return andThen(read, () => false);
        }),
        (status) => {
          if (failure === undefined) return status;
          context.complain(failure);
          return 1;
        },
      );
    return lastly(work, close);
  },
});

function plainSuffix(text: string): string | BadValue {
  if (!text.includes('/')) return text;
  return new BadValue(`invalid suffix ${gnuQuoteValue(text)}, contains directory separator`, true);
}
