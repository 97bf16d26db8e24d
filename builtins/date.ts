/** date: print a date. It never sets one. */
import { andThen } from '../src/steps.js';
import { gnuQuoteIfNeeded, gnuQuoteValue } from '../src/text/quote.js';
import { choose } from './kit/choice.js';
import type { Context } from './kit/context.js';
import { BadValue, defineBuiltin, type Flags, type Parsed, usageFailure } from './kit/define.js';
import { type ParsedMoment, parseDate } from './kit/parse-date.js';
import { strftime } from './kit/strftime.js';

const ISO_FORMATS = {
  hours: '%Y-%m-%dT%H%:z',
  minutes: '%Y-%m-%dT%H:%M%:z',
  date: '%Y-%m-%d',
  seconds: '%Y-%m-%dT%H:%M:%S%:z',
  ns: '%Y-%m-%dT%H:%M:%S,%N%:z',
} as const;

const RFC_3339_FORMATS = {
  date: '%Y-%m-%d',
  seconds: '%Y-%m-%d %H:%M:%S%:z',
  ns: '%Y-%m-%d %H:%M:%S.%N%:z',
} as const;

const FLAGS = {
  date: { short: 'd', long: 'date', value: 'STRING', help: 'print the date that STRING says, not now' },
  iso: {
    short: 'I',
    long: 'iso-8601',
    value: 'FMT',
    optional: true,
    parse: formatWord('--iso-8601', ISO_FORMATS),
    help: 'as 2006-08-14T02:34:56-06:00; FMT is date (the default), hours, minutes, seconds or ns',
  },
  reference: { short: 'r', long: 'reference', value: 'FILE', help: 'print when FILE was changed' },
  email: { short: 'R', long: ['rfc-email', 'rfc-822', 'rfc-2822'], help: 'as Mon, 14 Aug 2006 02:34:56 -0600' },
  rfc3339: {
    long: 'rfc-3339',
    value: 'FMT',
    parse: formatWord('--rfc-3339', RFC_3339_FORMATS),
    help: 'as 2006-08-14 02:34:56-06:00; FMT is date, seconds or ns',
  },
  universal: { short: 'u', long: ['utc', 'universal', 'uct'], help: 'in Coordinated Universal Time' },
} as const satisfies Flags;

export const date = defineBuiltin({
  name: 'date',
  summary: 'print a date',
  needs: ['clock', 'read'],
  usage: 'date [OPTION]... [+FORMAT]',
  notes: `FORMAT is text with %Y %m %d %H %M %S %s %N %z %Z %a %b %F %T and the other conversions of strftime(3), with the flags - _ 0 ^ #
and a width. STRING is a date such as 2024-01-02 03:04:05 +0100, @1700000000, yesterday, next monday, 3 days ago.`,
  flags: FLAGS,
  statuses: { 0: 'the date was printed', 1: 'the date or an option is wrong' },

  run(context) {
    const format = formatOf(context);
    if (format instanceof BadValue) {
      if (format.hint) return usageFailure(context, format.message);
      context.complain(format.message);
      return 1;
    }
    const zone = context.flags.universal === true ? 'UTC0' : context.clock.timeZone;
    const moment = momentOf(context, zone);
    if (moment === undefined) return 1;
    const text = strftime(format, moment, zone);
    if (text === undefined) {
      context.complain(`time ${gnuQuoteValue(String(moment.seconds))} is out of range`);
      return 1;
    }
    return andThen(context.out.write(`${text}\n`), () => 0);
  },
});

type DateContext = Context<'clock' | 'read'> & Parsed<typeof FLAGS>;

function formatOf({ flags, given, operands }: DateContext): string | BadValue {
  const formats: string[] = [];
  for (const { flag, value } of given) {
    if (flag === 'email') formats.push('%a, %d %b %Y %H:%M:%S %z');
    if (flag === 'iso') formats.push(typeof value === 'string' ? value : ISO_FORMATS.date);
    if (flag === 'rfc3339') formats.push(String(value));
  }
  const many = new BadValue('multiple output formats specified');
  if (formats.length > 1) return many;
  const chosen = flags.date !== undefined || flags.reference !== undefined;
  if (flags.date !== undefined && flags.reference !== undefined) {
    return new BadValue('the options to specify dates for printing are mutually exclusive', true);
  }
  const [operand, extra] = operands;
  if (extra !== undefined) return new BadValue(`extra operand ${gnuQuoteValue(extra)}`, true);
  if (operand?.startsWith('+')) return formats.length > 0 ? many : operand.slice(1);
  if (operand !== undefined) return refusedOperand(operand, chosen);
  return formats[0] ?? '%a %b %e %H:%M:%S %Z %Y';
}

/** `date MMDDhhmm` would set the clock. */
function refusedOperand(operand: string, chosen: boolean): BadValue {
  if (chosen) {
    const why = `when using an option to specify date(s), any non-option\nargument must be a format string beginning with '+'`;
    return new BadValue(`the argument ${gnuQuoteValue(operand)} lacks a leading '+';\n${why}`, true);
  }
  return new BadValue(
    /^[0-9]{8}([0-9]{2}){0,2}(\.[0-9]{2})?$/.test(operand)
      ? 'cannot set date: Operation not permitted'
      : `invalid date ${gnuQuoteValue(operand)}`,
  );
}

/** Undefined when there is none: the reason is told. */
function momentOf(context: DateContext, zone: string): ParsedMoment | undefined {
  const { flags, clock, fs } = context;
  if (flags.reference !== undefined) {
    try {
      return split(fs.stat(flags.reference).mtimeNs);
    } catch (error) {
      context.failed(gnuQuoteIfNeeded(flags.reference), error);
      return undefined;
    }
  }
  const now = split(clock.now());
  if (flags.date === undefined) return now;
  const moment = parseDate(flags.date, now, zone);
  if (moment === undefined) context.complain(`invalid date ${gnuQuoteValue(flags.date)}`);
  return moment;
}

function split(nanoseconds: bigint): ParsedMoment {
  const rest = ((nanoseconds % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  return { seconds: Number((nanoseconds - rest) / 1_000_000_000n), nanoseconds: Number(rest) };
}

function formatWord(option: string, formats: { readonly [word: string]: string }): (text: string) => string | BadValue {
  const rows = Object.keys(formats).map((word) => [word] as const);
  return (text) => {
    const word = choose(text, rows, option);
    return word instanceof BadValue ? word : (formats[word] as string);
  };
}
