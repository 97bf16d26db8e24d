/** A command of our own: how many words it was given, or with -l each on a line. */
import { defineBuiltin } from 'rmsh';

export const diskReport = defineBuiltin({
  name: 'disk-report',
  summary: 'say how many words it was given',
  usage: 'disk-report [-l] [-n COUNT] [WORD]...',
  needs: [],
  flags: {
    long: { short: 'l', help: 'one line for each' },
    count: { short: 'n', value: 'COUNT', help: 'at most so many' },
  },
  statuses: { 0: 'always' },
  run({ flags, operands, out }) {
    const most = flags.count === undefined ? operands.length : Number.parseInt(flags.count, 10);
    const shown = operands.slice(0, Number.isNaN(most) ? 0 : most);
    out.write(flags.long ? shown.map((word) => `${word}\n`).join('') : `${shown.length}\n`);
    return 0;
  },
});
