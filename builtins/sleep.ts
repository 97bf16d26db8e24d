/** sleep: wait. */
import { type Awaitable, andThen } from '../src/steps.js';
import { gnuQuoteValue } from '../src/text/quote.js';
import { defineBuiltin, tryHelp, usageFailure } from './kit/define.js';
import { parseDuration } from './kit/numbers.js';

/** Timers cannot wait for longer at once: 11 days. */
const LONGEST_MS = 1e9;

export const sleep = defineBuiltin({
  name: 'sleep',
  summary: 'wait',
  needs: ['clock'],
  usage: 'sleep NUMBER[SUFFIX]...',
  notes:
    'SUFFIX is s for seconds (the default), m for minutes, h for hours or d for days. NUMBER may have a fraction. Several are added.',
  flags: {},
  statuses: { 0: 'the time has passed', 1: 'a NUMBER is none' },

  run(context) {
    const { operands, optionWords, clock } = context;
    // GNU counts words: `sleep --` waits for nothing at all.
    if (operands.length === 0 && optionWords.length === 0) return usageFailure(context, 'missing operand');
    let left = 0;
    let bad = false;
    for (const operand of operands) {
      const milliseconds = parseDuration(operand);
      if (milliseconds === undefined) {
        context.complain(`invalid time interval ${gnuQuoteValue(operand)}`);
        bad = true;
      } else left += milliseconds;
    }
    if (bad) return andThen(context.err.write(tryHelp(context.name)), () => 1);
    const wait = async (): Promise<number> => {
      while (left > 0) {
        const now = Math.min(left, LONGEST_MS);
        await clock.sleep(now);
        left -= now;
      }
      return 0;
    };
    const done: Awaitable<number> = left > 0 ? wait() : 0;
    return done;
  },
});
