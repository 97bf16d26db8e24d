/** Tests of times. Ages are counted in days of 24 hours or in minutes, as GNU rounds them. */
import type { FileStat } from '../../src/files/files.js';
import { gnuQuoteValue } from '../../src/text/quote.js';
import { parseDate } from '../kit/parse-date.js';
import { followed } from '../kit/walk/entry.js';
import { type Arguments, comparison, type Primaries, type Primary } from './arguments.js';
import type { Test } from './expression.js';
import { BadExpression, type Search } from './search.js';

const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;
const DAY = 86_400n * SECOND;

type TimeOf = (stat: FileStat) => bigint;

const atime: TimeOf = (stat) => stat.atimeNs;
const ctime: TimeOf = (stat) => stat.ctimeNs;
const mtime: TimeOf = (stat) => stat.mtimeNs;
const birth: TimeOf = (stat) => stat.birthtimeNs;

/** `+n`: before `origin` minus n units; `-n`: after it; `n`: within the unit that begins there. */
function within(of: TimeOf, unit: bigint, origin: (sign: '+' | '-' | '=', search: Search) => bigint): Primary {
  return (args, search) => {
    const word = args.take();
    const { sign, text } = comparison(word);
    const units = parseUnits(text);
    if (units === undefined) throw args.invalid(word);
    const from = origin(sign, search) - times(unit, units);
    if (sign === '+') return (entry) => of(entry.stat()) < from;
    if (sign === '-') return (entry) => of(entry.stat()) > from;
    return (entry) => {
      const after = of(entry.stat()) - from;
      return after > 0n && after <= unit;
    };
  };
}

function parseUnits(text: string): number | undefined {
  return /^[ \t]*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$/.test(text) ? Number(text) : undefined;
}

/** Exact for whole numbers; beyond all times for those that are too large to be one. */
function times(unit: bigint, units: number): bigint {
  const bounded = Math.max(-1e15, Math.min(1e15, units));
  const whole = Math.trunc(bounded);
  return unit * BigInt(whole) + BigInt(Math.round(Number(unit) * (bounded - whole)));
}

function days(of: TimeOf): Primary {
  // For `-n` GNU takes the end of the day, less one second.
  return within(of, DAY, (sign, search) => search.dayStart + (sign === '-' ? DAY - SECOND : 0n));
}

function minutes(of: TimeOf): Primary {
  return within(of, MINUTE, (_sign, search) => search.dayStart + DAY);
}

function newerThan(of: TimeOf, time: bigint): Test {
  return (entry) => of(entry.stat()) > time;
}

/** The status of a file that a test compares with: of what a link points to unless links are never followed. */
export function referenceStat(args: Arguments, search: Search): FileStat {
  const word = args.take();
  const { fs } = search.context;
  try {
    if (search.follow === 'never') return fs.lstat(word);
    return followed(
      () => fs.stat(word),
      () => fs.lstat(word),
    );
  } catch (error) {
    search.context.failed(gnuQuoteValue(word), error);
    throw new BadExpression('');
  }
}

function newer(of: TimeOf): Primary {
  return (args, search) => newerThan(of, referenceStat(args, search).mtimeNs);
}

const LETTERS: { readonly [letter: string]: TimeOf } = { a: atime, B: birth, c: ctime, m: mtime };

/** In days from the last change to the last access; a file that was not read since has none. */
const used: Primary = (args) => {
  const word = args.take();
  const { sign, text } = comparison(word);
  const units = parseUnits(text);
  if (units === undefined) throw new BadExpression(`Invalid argument ${word} to -used`);
  const to = times(DAY, units);
  return (entry) => {
    const { atimeNs, ctimeNs } = entry.stat();
    const since = atimeNs - ctimeNs;
    if (since < 0n) return false;
    return sign === '+' ? since > to : sign === '-' ? since < to : since > to - DAY && since <= to;
  };
};

/** `-newermt '2 days ago'`, `-neweraB FILE`. */
const newerXY: Primary = (args, search) => {
  const [x, y] = [args.name[6] ?? '', args.name[7] ?? ''];
  const of = LETTERS[x];
  const ofReference = LETTERS[y];
  if (args.name.length !== 8 || of === undefined || (ofReference === undefined && y !== 't')) {
    throw new BadExpression(`invalid predicate \`${args.name}'`);
  }
  if (!args.hasMore()) throw new BadExpression(`The ${gnuQuoteValue(args.name)} test needs an argument`);
  if (ofReference !== undefined) return newerThan(of, ofReference(referenceStat(args, search)));
  const word = args.take();
  const now = { seconds: Number(search.now / SECOND), nanoseconds: Number(search.now % SECOND) };
  const moment = parseDate(word, now, search.context.clock.timeZone);
  if (moment === undefined) {
    throw new BadExpression(`I cannot figure out how to interpret ${gnuQuoteValue(word)} as a date or time`);
  }
  return newerThan(of, BigInt(moment.seconds) * SECOND + BigInt(moment.nanoseconds));
};

export const timeTests: Primaries = {
  atime: days(atime),
  ctime: days(ctime),
  mtime: days(mtime),
  amin: minutes(atime),
  cmin: minutes(ctime),
  mmin: minutes(mtime),
  newer: newer(mtime),
  anewer: newer(atime),
  cnewer: newer(ctime),
  newerXY,
  used,
};
