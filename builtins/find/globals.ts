/** Options among the expression: true of every file, and in force for the whole search or for what comes after. */

import { gnuQuoteValue } from '../../src/text/quote.js';
import { localTime } from '../kit/strftime.js';
import { timeZone } from '../kit/time-zone.js';
import { type Arguments, always, type Primaries, type Primary } from './arguments.js';
import { checkRegexType } from './regex-types.js';
import { BadExpression } from './search.js';

const SECOND = 1_000_000_000n;
const DAY_SECONDS = 86_400n;

const depth: Primary = (_args, search) => {
  search.contentsFirst = true;
  search.depthAsked = true;
  return always;
};

const sameFileSystem: Primary = (_args, search) => {
  search.oneFileSystem = true;
  return always;
};

export const globals: Primaries = {
  depth,
  xdev: sameFileSystem,
  mount: sameFileSystem,
  maxdepth(args, search) {
    search.maxDepth = takeDepth(args);
    return always;
  },
  mindepth(args, search) {
    search.minDepth = takeDepth(args);
    return always;
  },
  daystart(_args, search) {
    if (search.fromMidnight) return always;
    const tomorrow = search.dayStart / SECOND + DAY_SECONDS;
    const { hour, minute, second } = localTime(tomorrow, timeZone(search.context.clock.timeZone));
    search.dayStart = (tomorrow - BigInt(hour * 3600 + minute * 60 + second)) * SECOND;
    search.fromMidnight = true;
    return always;
  },
  regextype(args, search) {
    const type = args.take();
    checkRegexType(type);
    search.regexType = type;
    return always;
  },
};

function takeDepth(args: Arguments): number {
  const word = args.take();
  if (!/^[0-9]+$/.test(word)) {
    throw new BadExpression(
      `Expected a positive decimal integer argument to ${args.name}, but got ${gnuQuoteValue(word)}`,
    );
  }
  return Number(word);
}
