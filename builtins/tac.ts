/** tac: print lines in reverse. Holds one file in memory, at most `maxVariableBytes` of it, once. */
import { type Awaitable, andThen, type Waiting } from '../src/steps.js';
import { encode } from '../src/text/bytes.js';
import { gnuQuote } from '../src/text/quote.js';
import { buildRegex, parseRegex, type Regex, RegexError } from '../src/text/regex/index.js';
import { transform } from '../src/text/regex/node.js';
import { ANY, ANY_ON_LINE } from '../src/text/regex/sets.js';
import { ChunkQueue } from './kit/chunk-queue.js';
import type { Output } from './kit/context.js';
import { BadValue, defineBuiltin } from './kit/define.js';
import { fromEmacs } from './kit/emacs-syntax.js';
import { failingAs } from './kit/failing.js';
import { chunksOf, eachInput } from './kit/input.js';
import { repeat } from './kit/repeat.js';

export const tac = defineBuiltin({
  name: 'tac',
  summary: 'print lines in reverse',
  needs: ['read'],
  usage: 'tac [OPTION]... [FILE]...',
  notes: 'With no FILE, or when FILE is -, read standard input.',
  flags: {
    regex: { short: 'r', long: 'regex', help: "the separator is a regular expression (Emacs')" },
    before: { short: 'b', long: 'before', help: 'the separator stands before its record, not after it' },
    separator: {
      short: 's',
      long: 'separator',
      value: 'STRING',
      help: 'what is between records, not a newline',
    },
  },
  statuses: { 0: 'all files were printed', 1: 'some file could not be read' },

  run(context) {
    const { flags } = context;
    const mark = flags.separator === '' ? Buffer.of(0) : encode(flags.separator ?? '\n');
    const regex = flags.regex === true ? separatorRegex(flags.separator ?? '\n') : undefined;
    if (regex instanceof BadValue) {
      context.complain(regex.message);
      return 1;
    }
    const input = failingAs(context, (operand, reading) =>
      reading
        ? `${operand === '-' ? gnuQuote('standard input') : operand}: read error`
        : `failed to open ${gnuQuote(operand)} for reading`,
    );
    return eachInput(input, context.operands, (source) => {
      const kept = new ChunkQueue(context.limits);
      const read = chunksOf(context, source, (chunk) => {
        kept.push(chunk);
        return undefined;
      });
      return andThen(read, () => {
        const bytes = whole(kept);
        const before = flags.before === true;
        const starts =
          regex === undefined
            ? literalStarts(bytes, mark, before)
            : regexStarts(bytes, regex.under(context.look), before);
        return andThen(printReverse(context.out, context.tick, bytes, starts), () => false);
      });
    });
  },
});

/** As Emacs writes them, of which `.` is no newline. */
function separatorRegex(text: string): Regex | BadValue {
  if (text === '') return new BadValue('separator cannot be empty');
  const options = { syntax: 'basic', dialect: 'grep' } as const;
  const parsed = parseRegex(fromEmacs(text), options);
  if (parsed instanceof RegexError) return new BadValue(parsed.message);
  const node = transform(parsed.node, (one) =>
    one.kind === 'set' && one.set.key === ANY.key ? { kind: 'set', set: ANY_ON_LINE } : one,
  );
  const regex = buildRegex(node, parsed.groups, { newline: 'anchor' });
  if (regex instanceof RegexError) return new BadValue(regex.message);
  return regex.hasReferences ? new BadValue('back-references are not supported in a separator') : regex;
}

function whole(kept: ChunkQueue): Buffer {
  const all = Buffer.allocUnsafe(kept.size);
  for (let at = 0; kept.size > 0; ) {
    const block = kept.shift();
    all.set(block, at);
    at += block.length;
  }
  return all;
}

const PIECE = 65_536;
/** A record shorter than this is copied byte by byte: a call costs more. */
const SHORT = 48;

/** Where the last record that ends at `end` begins: after the separator before it, or with it. To be asked for one after the other. */
type Starts = (end: number) => number;

function literalStarts(bytes: Buffer, mark: Buffer, before: boolean): Starts {
  return (end) => {
    const last = before ? end - 1 : end - mark.length - 1;
    const found =
      last < 0 ? -1 : mark.length === 1 ? byteBefore(bytes, mark[0] as number, last) : bytes.lastIndexOf(mark, last);
    return found < 0 ? 0 : before ? found : found + mark.length;
  };
}

/** The separator that starts last, and is the longest from there; it may be empty. */
function regexStarts(bytes: Buffer, regex: Regex, before: boolean): Starts {
  const text = bytes.toString('latin1');
  let at = text.length;
  return (end) => {
    for (;;) {
      // What ends with a separator has no empty record after it.
      const isFirst = at === text.length;
      const match = regex.execLast(text, at);
      if (match === null) return 0;
      at = match[0];
      if (before) return at;
      if (!isFirst || match[1] !== end) return match[1];
    }
  };
}

function printReverse(out: Output, tick: () => Waiting, bytes: Buffer, startOf: Starts): Awaitable<true> {
  let end = bytes.length;
  let piece = Buffer.allocUnsafe(PIECE);
  let filled = 0;
  const flush = (): Waiting => {
    if (filled === 0) return undefined;
    const full = piece.subarray(0, filled);
    piece = Buffer.allocUnsafe(PIECE);
    filled = 0;
    return out.give(full);
  };
  return repeat<true>(() => {
    while (end > 0) {
      const start = startOf(end);
      const length = end - start;
      if (filled + length > PIECE && filled > 0) return andThen(flush(), () => andThen(tick(), () => undefined));
      if (length > PIECE) {
        const record = bytes.subarray(start, end);
        end = start;
        return andThen(out.write(record), () => andThen(tick(), () => undefined));
      }
      if (length < SHORT) for (let i = start; i < end; i++) piece[filled + i - start] = bytes[i] as number;
      else piece.set(bytes.subarray(start, end), filled);
      filled += length;
      end = start;
    }
    return andThen(flush(), () => true);
  });
}

/** As lastIndexOf, which costs a call for each short record. */
function byteBefore(bytes: Buffer, byte: number, last: number): number {
  let at = last;
  const near = Math.max(0, last - SHORT);
  while (at >= near && bytes[at] !== byte) at--;
  return at >= near ? at : at < 0 ? -1 : bytes.lastIndexOf(byte, at);
}
