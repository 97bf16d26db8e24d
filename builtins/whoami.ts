/** whoami: the name of the user. */
import { type Awaitable, andThen } from '../src/steps.js';
import { gnuQuoteValue } from '../src/text/quote.js';
import { defineBuiltin, usageFailure } from './kit/define.js';

export const whoami = defineBuiltin({
  name: 'whoami',
  summary: "print the user's name",
  needs: ['host'],
  usage: 'whoami',
  flags: {},
  statuses: { 0: 'printed', 1: 'the user has no name' },

  run(context): Awaitable<number> {
    const { operands, host } = context;
    const [extra] = operands;
    if (extra !== undefined) return usageFailure(context, `extra operand ${gnuQuoteValue(extra)}`);
    const name = host.userName(host.uid);
    if (name === undefined) {
      context.complain(`cannot find name for user ID ${host.uid}`);
      return 1;
    }
    return andThen(context.out.write(`${name}\n`), () => 0);
  },
});
