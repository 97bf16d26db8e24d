/** cksum: print CRC sums and sizes (POSIX). */
import { andThen } from '../src/steps.js';
import { gnuQuoteIfNeeded } from '../src/text/quote.js';
import { defineBuiltin } from './kit/define.js';
import { failingAs } from './kit/failing.js';
import { chunksOf, eachInput } from './kit/input.js';

/** CRC-32 of the polynomial of ISO 8802-3, not reflected. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0);
  return value;
});

export const cksum = defineBuiltin({
  name: 'cksum',
  summary: 'print CRC sums and sizes',
  needs: ['read'],
  usage: 'cksum [FILE]...',
  flags: {},
  statuses: { 0: 'all files were read', 1: 'some file could not be read' },

  run(context) {
    const { operands, out } = context;
    return eachInput(failingAs(context, gnuQuoteIfNeeded), operands, (source, operand) => {
      let sum = 0;
      let size = 0;
      const add = (byte: number): void => {
        sum = (sum << 8) ^ (TABLE[((sum >>> 24) ^ byte) & 0xff] as number);
      };
      const read = chunksOf(context, source, (chunk) => {
        size += chunk.length;
        for (const byte of chunk) add(byte);
        return undefined;
      });
      return andThen(read, () => {
        for (let rest = size; rest > 0; rest = Math.floor(rest / 256)) add(rest & 0xff);
        const name = operands.length === 0 ? '' : ` ${operand}`;
        return andThen(out.write(`${~sum >>> 0} ${size}${name}\n`), () => false);
      });
    });
  },
});
