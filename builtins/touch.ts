/** touch: set the times of files, and make those that are missing. */
import { FsError, isFsError } from '../src/errors.js';
import type { FileStat, Times } from '../src/files/files.js';
import { gnuQuote, gnuQuoteValue } from '../src/text/quote.js';
import { choose } from './kit/choice.js';
import { daysOf, SECONDS_A_DAY } from './kit/civil.js';
import type { Context } from './kit/context.js';
import { BadValue, defineBuiltin, usageFailure } from './kit/define.js';
import { eachOperand } from './kit/operands.js';
import { parseDate } from './kit/parse-date.js';
import { withoutTrailingSlashes } from './kit/paths.js';
import { localTime } from './kit/strftime.js';
import { fromLocal, timeZone } from './kit/time-zone.js';

const SECOND = 1_000_000_000n;

export const touch = defineBuiltin({
  name: 'touch',
  summary: 'set the times of files',
  usage: 'touch [OPTION]... FILE...',
  needs: ['read', 'write', 'clock'],
  remediationOnly: true,
  flags: {
    access: { short: 'a', help: 'only the time of last access' },
    nothing: { short: 'f', help: 'ignored: for old scripts' },
    links: { short: 'h', long: 'no-dereference', help: 'links themselves, not what they lead to; no files are made' },
    noCreate: { short: 'c', long: 'no-create', help: 'do not make files' },
    date: { short: 'd', long: 'date', value: 'TEXT', help: 'the time that TEXT says, instead of now' },
    modified: { short: 'm', help: 'only the time of last modification' },
    reference: { short: 'r', long: 'reference', value: 'FILE', help: 'the times of FILE, instead of now' },
    time: {
      long: 'time',
      value: 'WORD',
      repeat: true,
      parse: (text: string) =>
        choose(
          text,
          [
            ['atime', 'access', 'use'],
            ['mtime', 'modify'],
          ],
          '--time',
        ),
      help: 'atime, access or use: as -a; mtime or modify: as -m',
    },
    stamp: { short: 't', value: '[[CC]YY]MMDDhhmm[.ss]', help: 'this time, instead of now' },
  },
  statuses: { 0: 'all were set', 1: 'some were not' },

  run(context) {
    const { flags, operands, fs, clock } = context;
    if (flags.stamp !== undefined && (flags.date !== undefined || flags.reference !== undefined)) {
      return usageFailure(context, 'cannot specify times from more than one source');
    }
    const now = clock.now();
    let times: Times = { atimeNs: now, mtimeNs: now };
    if (flags.reference !== undefined) {
      try {
        times = flags.links ? fs.lstat(flags.reference) : fs.stat(flags.reference);
      } catch (error) {
        return context.failed(`failed to get attributes of ${gnuQuote(flags.reference)}`, error);
      }
    }
    const set = newTimes(times, flags.date, flags.stamp, clock.timeZone, now);
    if (set instanceof BadValue) {
      context.complain(set.message);
      return 1;
    }
    if (operands.length === 0) return usageFailure(context, 'missing file operand');
    const access = flags.access === true || flags.time?.includes('atime') === true;
    const modified = flags.modified === true || flags.time?.includes('mtime') === true;
    const both = access === modified;
    const given = flags.date !== undefined || flags.stamp !== undefined || flags.reference !== undefined;

    return eachOperand(context, operands, (file) => {
      if (file === '-') return touchOutput(context);
      let stat: FileStat | undefined = flags.links ? fs.tryLstat(file) : fs.tryStat(file);
      // `file/` is there, but not as a directory.
      if (stat === undefined && file.endsWith('/') && fs.tryLstat(withoutTrailingSlashes(file)) !== undefined) {
        return context.failed(`setting times of ${gnuQuote(file)}`, new FsError('ENOTDIR', file));
      }
      try {
        if (stat === undefined) {
          // Only what is not there may be left alone.
          if (flags.noCreate) return whyMissing(context, file);
          if (flags.links) return context.failed(`setting times of ${gnuQuote(file)}`, new FsError('ENOENT', file));
          fs.openWrite(file, {}).close();
          if (!given && both) return 0;
          stat = fs.stat(file);
        }
      } catch (error) {
        return context.failed(`cannot touch ${gnuQuote(file)}`, error);
      }
      try {
        const wanted = {
          atimeNs: both || access ? set.atimeNs : stat.atimeNs,
          mtimeNs: both || modified ? set.mtimeNs : stat.mtimeNs,
        };
        fs.utimes(file, wanted, flags.links === true);
      } catch (error) {
        return context.failed(`setting times of ${gnuQuote(file)}`, error);
      }
      return 0;
    });
  },
});

/** `-` is the standard output: of a pipe or a terminal nobody sees the times, and what a redirection opened has no name here. */
function touchOutput({ out, complain }: Context<'write'>): number {
  if (out.facts.file === undefined) return 0;
  complain("'-' is the standard output, whose times cannot be set: write the name of its file, or ./- for a file '-'");
  return 1;
}

/** The status of `-c` for a file that cannot be seen: only what is not there is left alone. */
function whyMissing(context: Context<'read'>, file: string): number {
  try {
    context.fs.stat(file);
    return 0;
  } catch (error) {
    if (isFsError(error) && error.code === 'ENOENT') return 0;
    return context.failed(`setting times of ${gnuQuote(file)}`, error);
  }
}

/** A date is relative to the times of the reference, where there is one. */
function newTimes(
  times: Times,
  date: string | undefined,
  stamp: string | undefined,
  zone: string,
  now: bigint,
): Times | BadValue {
  if (stamp !== undefined) {
    const seconds = parseStamp(stamp, zone, now);
    if (seconds === undefined) return new BadValue(`invalid date format ${gnuQuoteValue(stamp)}`);
    const time = BigInt(seconds) * SECOND;
    return { atimeNs: time, mtimeNs: time };
  }
  if (date === undefined) return times;
  const from = (base: bigint): bigint | undefined => {
    const nanoseconds = Number(((base % SECOND) + SECOND) % SECOND);
    const start = { seconds: Number((base - BigInt(nanoseconds)) / SECOND), nanoseconds };
    const moment = parseDate(date, start, zone);
    return moment === undefined ? undefined : BigInt(moment.seconds) * SECOND + BigInt(moment.nanoseconds);
  };
  const atimeNs = from(times.atimeNs);
  const mtimeNs = from(times.mtimeNs);
  if (atimeNs === undefined || mtimeNs === undefined) {
    return new BadValue(`invalid date format ${gnuQuoteValue(date)}`);
  }
  return { atimeNs, mtimeNs };
}

/** POSIX's `[[CC]YY]MMDDhhmm[.ss]`: seconds since 1970. */
function parseStamp(text: string, zoneText: string, now: bigint): number | undefined {
  const match = /^([0-9]{8}|[0-9]{10}|[0-9]{12})(?:\.([0-9]{2}))?$/.exec(text);
  if (match === null) return undefined;
  const digits = match[1] as string;
  const zone = timeZone(zoneText);
  const end = digits.length - 8;
  const [month, day, hour, minute] = [0, 2, 4, 6].map((at) => Number(digits.slice(end + at, end + at + 2)));
  const second = Number(match[2] ?? '0');
  const year = yearOf(digits.slice(0, end), localTime(now / SECOND, zone).year);
  if (month === undefined || day === undefined || hour === undefined || minute === undefined) return undefined;
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 60) return undefined;
  if (day < 1 || day > daysOf(year, month + 1, 1) - daysOf(year, month, 1)) return undefined;
  return fromLocal(zone, daysOf(year, month, day) * SECONDS_A_DAY + hour * 3600 + minute * 60 + second);
}

function yearOf(digits: string, current: number): number {
  if (digits === '') return current;
  const year = Number(digits);
  if (digits.length === 4) return year;
  return year < 69 ? 2000 + year : 1900 + year;
}
