/** tac: print lines in reverse. Holds one file in memory, at most `maxVariableBytes` of it, once. */
import { type Awaitable, andThen, type Waiting } from '../src/steps.js';
import { encode } from '../src/text/bytes.js';
import { gnuQuote } from '../src/text/quote.js';
import { ChunkQueue } from './kit/chunk-queue.js';
import type { Output } from './kit/context.js';
import { type BadValue, defineBuiltin } from './kit/define.js';
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
    before: { short: 'b', long: 'before', help: 'the separator stands before its record, not after it' },
    separator: {
      short: 's',
      long: 'separator',
      value: 'STRING',
      parse: separator,
      help: 'what is between records, not a newline',
    },
  },
  statuses: { 0: 'all files were printed', 1: 'some file could not be read' },

  run(context) {
    const { flags } = context;
    const mark = flags.separator ?? encode('\n');
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
      return andThen(read, () =>
        andThen(printReverse(context.out, context.tick, whole(kept), mark, flags.before === true), () => false),
      );
    });
  },
});

function separator(text: string): Buffer | BadValue {
  return text === '' ? Buffer.of(0) : encode(text);
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

function printReverse(out: Output, tick: () => Waiting, bytes: Buffer, mark: Buffer, before: boolean): Awaitable<true> {
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
  /** Where the last record before `end` begins: after the separator before it, or with it. */
  const startOf = (): number => {
    const last = before ? end - 1 : end - mark.length - 1;
    const found =
      last < 0 ? -1 : mark.length === 1 ? byteBefore(bytes, mark[0] as number, last) : bytes.lastIndexOf(mark, last);
    return found < 0 ? 0 : before ? found : found + mark.length;
  };
  return repeat<true>(() => {
    while (end > 0) {
      const start = startOf();
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
