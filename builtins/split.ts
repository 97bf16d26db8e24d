/** split: cut a file into pieces. */
import { FsError } from '../src/errors.js';
import { type Awaitable, andThen, lastly } from '../src/steps.js';
import { encode } from '../src/text/bytes.js';
import { gnuQuote, gnuQuoteIfNeeded, gnuQuoteValue } from '../src/text/quote.js';
import { chunksUntil } from './kit/chunks.js';
import type { Context } from './kit/context.js';
import { BadValue, defineBuiltin, type Flags, type Parsed, usageFailure } from './kit/define.js';
import { failingAs } from './kit/failing.js';
import { lastOf, sameAgain } from './kit/given.js';
import { eachInput } from './kit/input.js';
import { SIZE_SUFFIXES, wholeNumber } from './kit/numbers.js';
import {
  byBytes,
  byLineBytes,
  byLineChunks,
  byLines,
  type Cut,
  oneChunk,
  oneLineChunk,
  oneTurn,
  roundRobin,
} from './split/cuts.js';
import { type Alphabet, type NameRules, neededLength, PieceNames } from './split/names.js';
import { Pieces, Sequence } from './split/pieces.js';

const size = (what: string) => wholeNumber(what, { min: 1, suffixes: SIZE_SUFFIXES });

const FLAGS = {
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
    parse: size('invalid number of bytes'),
    help: 'pieces of SIZE bytes',
  },
  lineBytes: {
    short: 'C',
    long: 'line-bytes',
    value: 'SIZE',
    repeat: true,
    parse: size('invalid number of bytes'),
    help: 'pieces of whole lines, SIZE bytes of them at most',
  },
  numeric: { short: 'd', help: 'suffixes of digits' },
  numericFrom: {
    long: 'numeric-suffixes',
    value: 'FROM',
    optional: true,
    parse: startValue('numerical', /^[0-9]+$/),
    help: 'the same, from FROM on',
  },
  hexadecimal: { short: 'x', help: 'suffixes of hexadecimal digits' },
  hexadecimalFrom: {
    long: 'hex-suffixes',
    value: 'FROM',
    optional: true,
    parse: startValue('hexadecimal', /^[0-9a-f]+$/),
    help: 'the same, from FROM on',
  },
  elide: { short: 'e', long: 'elide-empty-files', help: 'with -n, no pieces that would be empty' },
  lines: {
    short: 'l',
    long: 'lines',
    value: 'NUMBER',
    repeat: true,
    parse: size('invalid number of lines'),
    help: 'pieces of NUMBER lines',
  },
  chunks: {
    short: 'n',
    long: 'number',
    value: 'CHUNKS',
    repeat: true,
    parse: parseChunks,
    help: 'N pieces; l/N: of whole lines; r/N: lines in turn; K/N, l/K/N, r/K/N: the Kth alone, to the output',
  },
  separator: {
    short: 't',
    long: 'separator',
    value: 'SEP',
    repeat: true,
    parse: parseSeparator,
    help: "lines end with SEP; '\\0': with NUL",
  },
  unbuffered: { short: 'u', long: 'unbuffered', help: 'write at once, as ever' },
  verbose: { long: 'verbose', help: 'say which files are made' },
} as const satisfies Flags;

type SplitContext = Context<'read' | 'write'> & Parsed<typeof FLAGS>;

export const split = defineBuiltin({
  name: 'split',
  summary: 'cut a file into pieces',
  needs: ['read', 'write'],
  usage: 'split [OPTION]... [FILE [PREFIX]]',
  notes: 'Pieces are PREFIXaa, PREFIXab ...; PREFIX is x, and a piece is 1000 lines, unless said otherwise.',
  remediationOnly: true,
  flags: FLAGS,
  onlyOne: { flags: ['bytes', 'lines', 'lineBytes', 'chunks'], message: 'cannot split in more than one way' },
  conflict: sameAgain({ separator: 'multiple separator characters specified' }),
  statuses: { 0: 'all pieces were written', 1: 'something failed' },
  obsolete: (argument) => (/^-[0-9]+$/.test(argument) ? ['-l', argument.slice(1)] : undefined),

  run(context) {
    const { flags, operands } = context;
    const [input = '-', prefix = 'x', extra] = operands;
    if (extra !== undefined) return usageFailure(context, `extra operand ${gnuQuoteValue(extra)}`);
    const rules = nameRules(context, prefix);
    const needed = neededLength(rules);
    if (rules.length !== undefined && rules.length < needed) {
      return fail(context, `the suffix length needs to be at least ${needed}`);
    }
    if (rules.from !== undefined && rules.from.length > (rules.length ?? Math.max(2, needed))) {
      return usageFailure(context, 'numerical suffix start value is too large for the suffix length');
    }
    const pieces = new Pieces(context, new PieceNames(rules), input, flags.verbose === true);
    const reading = failingAs(context, (operand, unreadable) =>
      unreadable ? gnuQuoteIfNeeded(operand) : `cannot open ${gnuQuote(operand)} for reading`,
    );
    const work = (): Awaitable<number> =>
      andThen(
        eachInput(reading, [input], (source) => {
          const cut = cutOf(context, pieces, input);
          if (cut instanceof BadValue) {
            pieces.failure = cut.message;
            return true;
          }
          const read = chunksUntil(context, source, (chunk) => cut.take(chunk));
          return andThen(read, () => andThen(pieces.failure === undefined ? cut.end() : undefined, () => false));
        }),
        (status) => (pieces.failure === undefined ? status : fail(context, pieces.failure)),
      );
    return lastly(work, () => pieces.close());
  },
});

function fail(context: SplitContext, message: string): 1 {
  context.complain(message);
  return 1;
}

function cutOf(context: SplitContext, pieces: Pieces, input: string): Cut | BadValue {
  const { flags, out } = context;
  const eol = flags.separator?.[0] ?? 10;
  const sequence = new Sequence(context, pieces);
  if (flags.bytes !== undefined) return byBytes(sequence, flags.bytes[0] as number);
  if (flags.lineBytes !== undefined) return byLineBytes(context, sequence, flags.lineBytes[0] as number, eol);
  const chunks = flags.chunks?.[0];
  if (chunks === undefined) return byLines(sequence, flags.lines?.[0] ?? 1000, eol);
  const { by, which, count } = chunks;
  const elide = flags.elide === true;
  if (by === 'turns') {
    return which === undefined ? roundRobin(pieces, count, eol, elide) : oneTurn(out, { count, eol, which });
  }
  const length = lengthOf(context, input);
  if (length instanceof BadValue) return length;
  // At least a byte for each.
  const bytes = Math.floor(Math.max(length, count) / count);
  if (by === 'lines') {
    return which === undefined
      ? byLineChunks(sequence, { size: bytes, count, eol, elide })
      : oneLineChunk(out, { size: bytes, count, eol, which });
  }
  if (which === undefined) return byBytes(sequence, bytes, elide ? Math.min(count, length) : count);
  return oneChunk(out, (which - 1) * bytes, which === count ? Number.POSITIVE_INFINITY : which * bytes);
}

/** Of a stream it is not known before its end. */
function lengthOf({ fs }: SplitContext, input: string): number | BadValue {
  const stat = input === '-' ? undefined : fs.tryStat(input);
  if (stat?.kind === 'file') return stat.size;
  const why = stat?.kind === 'directory' ? `: ${new FsError('EISDIR', input).message}` : '';
  return new BadValue(`${gnuQuoteIfNeeded(input)}: cannot determine file size${why}`);
}

function nameRules({ flags, given }: SplitContext, prefix: string): NameRules {
  const kind = lastOf(given, ['numeric', 'numericFrom', 'hexadecimal', 'hexadecimalFrom']);
  const alphabet: Alphabet = kind === undefined ? 'letters' : kind.flag.startsWith('n') ? 'decimal' : 'hexadecimal';
  const from = lastOf(given, ['numericFrom', 'hexadecimalFrom'])?.value;
  return {
    prefix,
    suffix: flags.suffix ?? '',
    alphabet,
    // A length of 0 is no length.
    length: flags.length === 0 ? undefined : flags.length,
    from: typeof from === 'string' ? from : undefined,
    count: flags.chunks?.[0]?.count,
  };
}

function plainSuffix(text: string): string | BadValue {
  if (!text.includes('/')) return text;
  return new BadValue(`invalid suffix ${gnuQuoteValue(text)}, contains directory separator`, true);
}

function startValue(kind: string, digits: RegExp): (text: string) => string | BadValue {
  return (text) =>
    digits.test(text)
      ? text.replace(/^0+(?=.)/, '')
      : new BadValue(`${gnuQuoteValue(text)}: invalid start value for ${kind} suffix`, true);
}

interface Chunks {
  readonly by: 'bytes' | 'lines' | 'turns';
  /** Only this one; undefined: all. */
  readonly which: number | undefined;
  readonly count: number;
}

function parseChunks(text: string): Chunks | BadValue {
  const by = text.startsWith('l/') ? 'lines' : text.startsWith('r/') ? 'turns' : 'bytes';
  const rest = by === 'bytes' ? text : text.slice(2);
  const slash = rest.indexOf('/');
  const count = wholeNumber('invalid number of chunks', { min: 1 })(rest.slice(slash + 1));
  if (count instanceof BadValue) return count;
  if (slash <= 0) return { by, which: undefined, count };
  const which = wholeNumber('invalid chunk number', { min: 1, max: count })(rest.slice(0, slash));
  return which instanceof BadValue ? which : { by, which, count };
}

function parseSeparator(text: string): number | BadValue {
  const bytes = encode(text);
  if (bytes.length === 0) return new BadValue('empty record separator');
  if (text === '\\0') return 0;
  return bytes.length === 1 ? (bytes[0] as number) : new BadValue(`multi-character separator ${gnuQuoteValue(text)}`);
}
