/**
 * Dates as text: strftime as GNU date has it (`%N`, `%:z`, flags and widths), in the C locale.
 */
import { dateOf, daysOf, isLeap, SECONDS_A_DAY, weekdayOf } from './civil.js';
import { timeZone, type Zone, type ZoneTime } from './time-zone.js';

export interface Moment {
  /** Since 1970. */
  readonly seconds: number | bigint;
  /** 0 to 999999999. Undefined: `%N`, `%:z` and `%q` are not conversions, as in the C library's strftime (bash's printf). */
  readonly nanoseconds: number | undefined;
}

/** A moment as clocks of a zone show it. */
export interface LocalTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** 0 is the first of January. */
  readonly yearDay: number;
  readonly zone: ZoneTime;
}

export function localTime(seconds: number | bigint, zone: Zone): LocalTime {
  const [days, ofDay] = splitSeconds(seconds);
  const time = zone.at(Number(seconds));
  const shifted = ofDay + time.offset;
  const carry = Math.floor(shifted / SECONDS_A_DAY);
  const day = days + carry;
  const rest = shifted - carry * SECONDS_A_DAY;
  const date = dateOf(day);
  return {
    ...date,
    hour: Math.floor(rest / 3600),
    minute: Math.floor(rest / 60) % 60,
    second: rest % 60,
    weekday: weekdayOf(day),
    yearDay: day - daysOf(date.year, 1, 1),
    zone: time,
  };
}

function splitSeconds(seconds: number | bigint): [days: number, ofDay: number] {
  if (typeof seconds === 'number') {
    const days = Math.floor(seconds / SECONDS_A_DAY);
    return [days, seconds - days * SECONDS_A_DAY];
  }
  const day = BigInt(SECONDS_A_DAY);
  let days = seconds / day;
  let rest = seconds % day;
  if (rest < 0n) {
    rest += day;
    days -= 1n;
  }
  return [Number(days), Number(rest)];
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** `zone` as `$TZ`, or made by `timeZone`. Undefined when the year is one C cannot hold. */
export function strftime(format: string, moment: Moment, zone: string | Zone): string | undefined {
  const local = localTime(moment.seconds, typeof zone === 'string' ? timeZone(zone) : zone);
  if (Math.abs(local.year) > 2_147_485_547) return undefined;
  return new Formatter(moment, local).format(format);
}

type Padding = '_' | '-' | '0' | '+';

interface Spec {
  readonly pad: Padding | undefined;
  /** -1 when not given. */
  readonly width: number;
  readonly upper: boolean;
  readonly swap: boolean;
}

const PLAIN: Spec = { pad: undefined, width: -1, upper: false, swap: false };

/** No width, however large a script asks for, makes more than this. */
const MAX_WIDTH = 1 << 20;

class Formatter {
  private readonly moment: Moment;
  private readonly t: LocalTime;
  /** GNU's own conversions are understood. */
  private readonly gnu: boolean;

  constructor(moment: Moment, local: LocalTime) {
    this.moment = moment;
    this.t = local;
    this.gnu = moment.nanoseconds !== undefined;
  }

  format(format: string): string {
    let out = '';
    let from = 0;
    for (let percent = format.indexOf('%'); percent >= 0; percent = format.indexOf('%', from)) {
      out += format.slice(from, percent);
      const directive = readDirective(format, percent + 1, this.gnu);
      const text = this.convert(directive);
      out += text ?? format.slice(percent, directive.end);
      from = directive.end;
    }
    return out + format.slice(from);
  }

  /** Undefined: not a conversion; it stands as it is. */
  private convert(directive: Read): string | undefined {
    const { letter, spec } = directive;
    if (directive.modified) {
      // What the C library makes of `%Od` is text to GNU: flags only pad it.
      const made = this.convert({ ...directive, modified: false, spec: PLAIN });
      return made === undefined ? undefined : text(made, spec);
    }
    if (directive.colons > 0 && letter !== 'z') return undefined;
    const t = this.t;
    switch (letter) {
      case '%':
        return directive.plain ? '%' : undefined;
      case 'n':
        return text('\n', spec);
      case 't':
        return text('\t', spec);
      case 'a':
        return text((DAYS[t.weekday] as string).slice(0, 3), upperIfSwapped(spec));
      case 'A':
        return text(DAYS[t.weekday] as string, upperIfSwapped(spec));
      case 'b':
      case 'h':
        return text((MONTHS[t.month - 1] as string).slice(0, 3), upperIfSwapped(spec));
      case 'B':
        return text(MONTHS[t.month - 1] as string, upperIfSwapped(spec));
      case 'p':
        return text(t.hour >= 12 ? 'PM' : 'AM', spec);
      case 'P':
        return text(t.hour >= 12 ? 'pm' : 'am', { ...spec, upper: false });
      case 'Z':
        return text(t.zone.name, spec);
      case 'c':
        return this.nested('%a %b %e %H:%M:%S %-Y', spec);
      case 'x':
      case 'D':
        return this.nested('%m/%d/%y', spec);
      case 'X':
      case 'T':
        return this.nested('%H:%M:%S', spec);
      case 'r':
        return this.nested('%I:%M:%S %p', spec);
      case 'R':
        return this.nested('%H:%M', spec);
      case 'F':
        return this.isoDate(spec);
      case 'z':
        return this.offset(directive);
      case 'N':
        return this.gnu ? nanoseconds(this.moment.nanoseconds ?? 0, spec) : undefined;
      case 's':
        return number(this.moment.seconds, 1, spec);
      case 'C':
        return this.yearish(Math.floor(t.year / 100), 2, spec, t.year < 0);
      case 'Y':
        return this.yearish(t.year, this.gnu ? 4 : 1, spec, t.year < 0);
      case 'G':
        return this.yearish(isoWeek(t).year, this.gnu ? 4 : 1, spec, isoWeek(t).year < 0);
      default:
        return this.small(letter, spec);
    }
  }

  /** Numbers of two or three digits. */
  private small(letter: string, spec: Spec): string | undefined {
    const t = this.t;
    switch (letter) {
      case 'd':
        return number(t.day, 2, spec);
      case 'e':
        return number(t.day, 2, spaced(spec));
      case 'H':
        return number(t.hour, 2, spec);
      case 'k':
        return number(t.hour, 2, spaced(spec));
      case 'I':
        return number(t.hour % 12 || 12, 2, spec);
      case 'l':
        return number(t.hour % 12 || 12, 2, spaced(spec));
      case 'j':
        return number(t.yearDay + 1, 3, spec);
      case 'm':
        return number(t.month, 2, spec);
      case 'M':
        return number(t.minute, 2, spec);
      case 'S':
        return number(t.second, 2, spec);
      case 'q':
        return this.gnu ? number(Math.ceil(t.month / 3), 1, spec) : undefined;
      case 'u':
        return number(t.weekday || 7, 1, spec);
      case 'w':
        return number(t.weekday, 1, spec);
      case 'U':
        return number(Math.floor((t.yearDay - t.weekday + 7) / 7), 2, spec);
      case 'W':
        return number(Math.floor((t.yearDay - ((t.weekday + 6) % 7) + 7) / 7), 2, spec);
      case 'V':
        return number(isoWeek(t).week, 2, spec);
      case 'g':
        return this.yearish(mod100(isoWeek(t).year), 2, spec, false);
      case 'y':
        return this.yearish(mod100(t.year), 2, spec, false);
      default:
        return undefined;
    }
  }

  private yearish(value: number, digits: number, spec: Spec, negative: boolean): string {
    const limit = digits === 2 ? 99 : 9999;
    const signed = spec.pad === '+' && (value > limit || digits < spec.width);
    return signedNumber(String(Math.abs(value)), negative, signed, digits, spec);
  }

  /** A conversion made of others: the width is that of the whole. */
  private nested(format: string, spec: Spec): string {
    const whole = this.format(format);
    return text(whole, { ...spec, swap: false });
  }

  /** `%F`: a width is the whole's, but goes to the year. */
  private isoDate(spec: Spec): string {
    const year: Spec =
      spec.pad === undefined && spec.width < 0
        ? { ...spec, pad: this.gnu ? '+' : undefined, width: this.gnu ? 4 : -1 }
        : { ...spec, width: Math.max(0, spec.width - 6) };
    return `${this.yearish(this.t.year, 4, year, this.t.year < 0)}-${two(this.t.month)}-${two(this.t.day)}`;
  }

  private offset({ colons, spec }: Read): string | undefined {
    if (colons > 3 || (colons > 0 && !this.gnu)) return undefined;
    const { offset } = this.t.zone;
    const size = Math.abs(offset);
    const hours = Math.floor(size / 3600);
    const minutes = two(Math.floor(size / 60) % 60);
    const seconds = two(size % 60);
    const long = colons === 2 || (colons === 3 && size % 60 !== 0);
    const middle = colons === 1 || (colons === 3 && size % 3600 !== 0);
    if (colons === 0) return signedNumber(trimZeros(`${hours}${minutes}`), offset < 0, true, 5, spec);
    if (long) return signedNumber(`${hours}:${minutes}:${seconds}`, offset < 0, true, 9, spec);
    if (middle) return signedNumber(`${hours}:${minutes}`, offset < 0, true, 6, spec);
    return signedNumber(String(hours), offset < 0, true, 3, spec);
  }
}

interface Read {
  readonly letter: string;
  readonly spec: Spec;
  readonly colons: number;
  /** `E` or `O` was written. */
  readonly modified: boolean;
  /** Nothing stands between the `%` and the letter. */
  readonly plain: boolean;
  readonly end: number;
}

/** Flags, width, `E` or `O`, colons, and the letter; `at` is the index after the `%`. */
function readDirective(format: string, at: number, gnu: boolean): Read {
  let pad: Padding | undefined;
  let upper = false;
  let swap = false;
  let end = at;
  for (; ; end++) {
    const flag = format[end];
    if (flag === '_' || flag === '-' || flag === '0' || (flag === '+' && gnu)) pad = flag;
    else if (flag === '^') upper = true;
    else if (flag === '#') swap = true;
    else break;
  }
  let width = -1;
  while (isDigit(format.charCodeAt(end))) {
    width = Math.min(MAX_WIDTH, Math.max(0, width) * 10 + format.charCodeAt(end++) - 0x30);
  }
  const modified = format[end] === 'E' || format[end] === 'O';
  if (modified) end++;
  let colons = 0;
  while (format[end] === ':') {
    colons++;
    end++;
  }
  const letter = format[end] ?? '';
  return { letter, spec: { pad, width, upper, swap }, colons, modified, plain: end === at, end: end + letter.length };
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function mod100(year: number): number {
  return ((year % 100) + 100) % 100;
}

function trimZeros(digits: string): string {
  return String(Number(digits));
}

function spaced(spec: Spec): Spec {
  return spec.pad === undefined ? { ...spec, pad: '_' } : spec;
}

/** `#` makes names upper case, and `AM`, `UTC` lower. */
function upperIfSwapped(spec: Spec): Spec {
  return spec.swap ? { ...spec, swap: false, upper: true } : spec;
}

function text(value: string, spec: Spec): string {
  const cased = spec.swap ? value.toLowerCase() : spec.upper ? value.toUpperCase() : value;
  const missing = spec.pad === '-' ? 0 : spec.width - cased.length;
  if (missing <= 0) return cased;
  return (spec.pad === '0' || spec.pad === '+' ? '0' : ' ').repeat(missing) + cased;
}

function number(value: number | bigint, digits: number, spec: Spec): string {
  return signedNumber(String(value < 0 ? -value : value), value < 0, false, digits, spec);
}

/** Pads with zeros, or with spaces before the sign, or not at all. */
function signedNumber(digits: string, negative: boolean, plus: boolean, least: number, spec: Spec): string {
  const sign = negative ? '-' : plus ? '+' : '';
  const width = spec.width < 0 ? least : spec.width;
  const missing = spec.pad === '-' ? 0 : Math.max(0, width - sign.length - digits.length);
  return spec.pad === '_' ? ' '.repeat(missing) + sign + digits : sign + '0'.repeat(missing) + digits;
}

function nanoseconds(value: number, spec: Spec): string {
  const width = spec.width <= 0 ? 9 : spec.width;
  let digits = String(value).padStart(9, '0').slice(0, width);
  while (digits.length > 1 && digits.endsWith('0')) digits = digits.slice(0, -1);
  // `%-N` alone is what the clock tells: nine digits.
  if (spec.pad === '-' && spec.width > 0) return digits;
  return digits.padEnd(width, spec.pad === '_' ? ' ' : '0');
}

/** ISO 8601: weeks begin on Monday, and the first has the year's first Thursday. */
function isoWeek(t: LocalTime): { year: number; week: number } {
  const week = Math.floor((t.yearDay - ((t.weekday + 6) % 7) + 10) / 7);
  if (week === 0) return { year: t.year - 1, week: weeksOf(t.year - 1) };
  return week > weeksOf(t.year) ? { year: t.year + 1, week: 1 } : { year: t.year, week };
}

/** 53 when the first of January is a Thursday, or a Wednesday of a leap year. */
function weeksOf(year: number): number {
  const first = weekdayOf(daysOf(year, 1, 1));
  return first === 4 || (first === 3 && isLeap(year)) ? 53 : 52;
}
