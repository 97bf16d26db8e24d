/** yes: print a line again and again. */
import { isFsError } from '../src/errors.js';
import { type Awaitable, andThen, rescue } from '../src/steps.js';
import { encode } from '../src/text/bytes.js';
import { defineBuiltin } from './kit/define.js';
import { repeat } from './kit/repeat.js';

const PIECE = 16_384;

export const yes = defineBuiltin({
  name: 'yes',
  summary: 'print a line again and again',
  needs: [],
  usage: 'yes [STRING]...',
  notes: 'The line is the STRINGs with blanks between them, or y.',
  flags: {},
  statuses: { 1: 'an option is not there; otherwise it runs until its reader leaves or the run ends' },

  run({ operands, out, tick, complain }) {
    const line = encode(`${operands.length === 0 ? 'y' : operands.join(' ')}\n`);
    const times = Math.max(1, Math.floor(PIECE / line.length));
    const piece = Buffer.concat(Array.from({ length: times }, () => line));
    const print = (): Awaitable<number> =>
      repeat<number>((): Awaitable<undefined> => andThen(tick(), () => andThen(out.write(piece), () => undefined)));
    return rescue(print, (error) => {
      if (!isFsError(error)) throw error;
      complain(`standard output: ${error.message}`);
      return 1;
    });
  },
});
