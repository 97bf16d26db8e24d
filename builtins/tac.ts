/** tac: print lines in reverse. Holds one file in memory, at most `maxVariableBytes` of it. */
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
    const input = failingAs(context, (operand, error) =>
      error.code === 'EISDIR' ? `${operand}: read error` : `failed to open ${gnuQuote(operand)} for reading`,
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

function printReverse(out: Output, tick: () => Waiting, bytes: Buffer, mark: Buffer, before: boolean): Awaitable<true> {
  let end = bytes.length;
  let collected: Buffer[] = [];
  let size = 0;
  const flush = (): Waiting => {
    const piece = Buffer.concat(collected);
    collected = [];
    size = 0;
    return out.give(piece);
  };
  return repeat<true>(() => {
    while (end > 0) {
      // Where the last record begins: after the separator before it, or with it.
      const last = before ? end - 1 : end - mark.length - 1;
      const found = last < 0 ? -1 : bytes.lastIndexOf(mark, last);
      const start = found < 0 ? 0 : before ? found : found + mark.length;
      collected.push(bytes.subarray(start, end));
      size += end - start;
      end = start;
      if (size >= PIECE) return andThen(flush(), () => andThen(tick(), () => undefined));
    }
    return andThen(size > 0 ? flush() : undefined, () => true);
  });
}
