/**
 * Dates as people write them, as GNU date -d understands them: calendar dates, times of day, zones, days of the week, and what to
 * add (`2024-01-02 03:04 +0100`, `@1700000000`, `next monday`, `3 days ago`).
 */
import { daysOf, SECONDS_A_DAY, weekdayOf } from './civil.js';
import { type DateToken, lexicon, tokenize, type Unit } from './date-tokens.js';
import { localTime } from './strftime.js';
import { fixedZone, fromLocal, timeZone, type Zone } from './time-zone.js';

export interface ParsedMoment {
  readonly seconds: number;
  readonly nanoseconds: number;
}

type NumberToken = DateToken & { readonly kind: 'number' };

interface Amounts {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  nanosecond: number;
}

const NOTHING: Readonly<Amounts> = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0, nanosecond: 0 };

/** Seconds a date may be away from 1970: beyond this a second is lost. */
const FARTHEST = Number.MAX_SAFE_INTEGER;

/** `now` fills what the text leaves open. Undefined: not a date. */
export function parseDate(text: string, now: ParsedMoment, zoneText: string): ParsedMoment | undefined {
  const prefixed = /^\s*TZ="((?:[^"\\]|\\["\\])*)"/.exec(text);
  const zone = timeZone(prefixed === null ? zoneText : (prefixed[1] as string).replace(/\\(["\\])/g, '$1'));
  const rest = prefixed === null ? text : text.slice(prefixed[0].length);
  const epoch = /^\s*@\s*([-+]?)([0-9]+)(?:[.,]([0-9]+))?\s*$/.exec(rest);
  if (epoch !== null) return parseEpoch(epoch[1] as string, epoch[2] as string, epoch[3] ?? '');
  const tokens = tokenize(rest, lexicon(zone, now.seconds));
  if (tokens === undefined) return undefined;
  const reader = new DateReader(tokens);
  return reader.read() ? resolve(reader, now, zone) : undefined;
}

function parseEpoch(sign: string, whole: string, fraction: string): ParsedMoment | undefined {
  const digits = fraction.slice(0, 9).padEnd(9, '0');
  const size = Number(whole);
  if (size > FARTHEST) return undefined;
  let nanoseconds = Number(digits);
  if (sign !== '-') return { seconds: size, nanoseconds };
  // Digits beyond nanoseconds round towards the past.
  if (/[1-9]/.test(fraction.slice(9))) nanoseconds++;
  return nanoseconds === 0
    ? { seconds: 0 - size, nanoseconds }
    : { seconds: -size - 1, nanoseconds: 1e9 - nanoseconds };
}

/**
 * What the text says, part by part. Each kind of part may come once, but for amounts, which add up. The grammar is gnulib's, read
 * with one token to look ahead: `12:00 +3 hours` is a zone and an hour.
 */
class DateReader {
  date: { year: number | undefined; yearDigits: number; month: number; day: number } | undefined;
  time: { hour: number; minute: number; second: number; nanosecond: number } | undefined;
  /** Seconds east of Greenwich. */
  offset: number | undefined;
  /** A name of the local zone: whether it is the summer time's. */
  localSummer: boolean | undefined;
  weekday: { day: number; ordinal: number } | undefined;
  readonly relative: Amounts = { ...NOTHING };
  anyRelative = false;
  private readonly tokens: readonly DateToken[];
  private at = 0;

  constructor(tokens: readonly DateToken[]) {
    this.tokens = tokens;
  }

  /** False: not a date. */
  read(): boolean {
    while (this.at < this.tokens.length) if (!this.item()) return false;
    return true;
  }

  private peek(ahead = 0): DateToken | undefined {
    return this.tokens[this.at + ahead];
  }

  private isMark(ahead: number, text: string): boolean {
    const token = this.peek(ahead);
    return token?.kind === 'mark' && token.text === text;
  }

  private whole(ahead: number): NumberToken | undefined {
    const token = this.peek(ahead);
    return token?.kind === 'number' && token.fraction === undefined ? token : undefined;
  }

  private unsigned(ahead: number): NumberToken | undefined {
    const token = this.whole(ahead);
    return token?.sign === '' ? token : undefined;
  }

  private signed(ahead: number): NumberToken | undefined {
    const token = this.whole(ahead);
    return token === undefined || token.sign === '' ? undefined : token;
  }

  private item(): boolean {
    const token = this.tokens[this.at] as DateToken; // `read` saw that there is one
    const next = this.peek(1);
    switch (token.kind) {
      case 'number':
        if (next?.kind === 'unit') return this.counted(token, next);
        return token.sign === '' && token.fraction === undefined && this.afterNumber(token);
      case 'month':
        return this.monthFirst(token.month);
      case 'weekday':
        return this.setWeekday(this.isMark(1, ',') ? 2 : 1, token.day, 0);
      case 'ordinal':
        if (next?.kind === 'weekday') return this.setWeekday(2, next.day, token.value);
        return next?.kind === 'unit' && this.add(2, amountOf(next.unit, token.value * next.factor), true);
      case 'unit':
        return this.add(1, amountOf(token.unit, token.factor), true);
      case 'shift':
        return this.add(1, amountOf('day', token.days), false);
      case 'local':
        return this.setLocal(token.summer);
      case 'zone':
        return this.zone(token.offset);
      case 'mark':
        return token.text === 'T' && this.zone(-7 * 3600);
      default:
        return false;
    }
  }

  /** A number without a sign: what follows says what it is. */
  private afterNumber(number: NumberToken): boolean {
    const next = this.peek(1);
    if (next?.kind === 'meridian') return this.setTime(2, number.value, 0, undefined, next.pm);
    if (next?.kind === 'month') return this.dayFirst(number, next.month);
    if (next?.kind === 'weekday') return this.setWeekday(2, next.day, number.value);
    if (this.isMark(1, ':')) return this.clock(true);
    if (this.isMark(1, '/')) return this.slashes(number);
    const signed = this.signed(1);
    if (signed === undefined) return this.bare(number);
    if (this.signed(2) !== undefined) return this.isoDate(number);
    // `3 -2 days`: a number, and an amount.
    if (this.peek(2)?.kind === 'unit') return this.bare(number);
    return this.setTime(1, number.value, 0, undefined, undefined) && this.zoneOffset();
  }

  /** `3:04`, `3:04:05.5`, with am, pm or a zone. */
  private clock(meridians: boolean): boolean {
    const hour = this.unsigned(0);
    if (hour === undefined) return false;
    if (!this.isMark(1, ':')) return this.setTime(1, hour.value, 0, undefined, undefined) && this.zoneOffset();
    const minute = this.unsigned(2);
    if (minute === undefined) return false;
    let used = 3;
    let seconds: NumberToken | undefined;
    if (this.isMark(3, ':')) {
      const token = this.peek(4);
      if (token?.kind !== 'number' || token.sign !== '') return false;
      seconds = token;
      used = 5;
    }
    const after = this.peek(used);
    if (after?.kind === 'meridian') {
      return meridians && this.setTime(used + 1, hour.value, minute.value, seconds, after.pm);
    }
    if (!this.setTime(used, hour.value, minute.value, seconds, undefined)) return false;
    return this.signed(0) === undefined || this.zoneOffset();
  }

  private setTime(
    used: number,
    hour: number,
    minute: number,
    seconds: NumberToken | undefined,
    pm: boolean | undefined,
  ): boolean {
    if (this.time !== undefined || (pm !== undefined && (hour < 1 || hour > 12))) return false;
    const second = seconds?.value ?? 0;
    const h = pm === undefined ? hour : (hour % 12) + (pm ? 12 : 0);
    if (h > 23 || minute > 59 || second > 59) return false;
    this.time = { hour: h, minute, second, nanosecond: nanoseconds(seconds?.fraction) };
    this.at += used;
    return true;
  }

  /** `+01`, `+0100`, `-05:30`. */
  private zoneOffset(): boolean {
    const more = this.takeOffset();
    if (more === undefined || this.offset !== undefined || this.localSummer !== undefined) return false;
    this.offset = more;
    return true;
  }

  private takeOffset(): number | undefined {
    const hours = this.signed(0);
    if (hours === undefined) return undefined;
    const minutes = this.isMark(1, ':') ? this.unsigned(2) : undefined;
    this.at += minutes === undefined ? 1 : 3;
    return offsetSeconds(hours, minutes);
  }

  private setDate(used: number, year: NumberToken | undefined, month: number, day: number): boolean {
    if (this.date !== undefined) return false;
    this.date = { year: year?.value, yearDigits: year?.digits ?? 0, month, day };
    this.at += used;
    return true;
  }

  /** `2024-01-02`, whose dashes are signs, and `2024-01-02T03:04`. */
  private isoDate(year: NumberToken): boolean {
    const month = this.signed(1) as NumberToken; // the caller saw both
    const day = this.signed(2) as NumberToken;
    if (month.sign !== '-' || day.sign !== '-' || !this.setDate(3, year, month.value, day.value)) return false;
    if (!this.isMark(0, 'T')) return true;
    this.at++;
    return this.clock(false);
  }

  /** `1/2`, `1/2/2024` and `2024/01/02`. */
  private slashes(first: NumberToken): boolean {
    const second = this.unsigned(2);
    if (second === undefined) return false;
    if (!this.isMark(3, '/')) return this.setDate(3, undefined, first.value, second.value);
    const third = this.unsigned(4);
    if (third === undefined) return false;
    if (first.digits >= 4) return this.setDate(5, first, second.value, third.value);
    return this.setDate(5, third, first.value, second.value);
  }

  /** `2 January`, `2 January 2024`, `2-Jan-2024`. */
  private dayFirst(day: NumberToken, month: number): boolean {
    const year = this.whole(2);
    return year === undefined ? this.setDate(2, undefined, month, day.value) : this.setDate(3, year, month, day.value);
  }

  /** `Jan 2`, `Jan 2, 2024`, `Jan-02-2024`. */
  private monthFirst(month: number): boolean {
    const day = this.whole(1);
    if (day === undefined) return false;
    if (day.sign !== '') {
      const year = this.signed(2);
      return year !== undefined && this.setDate(3, year, month, day.value);
    }
    if (!this.isMark(2, ',')) return this.setDate(2, undefined, month, day.value);
    const year = this.unsigned(3);
    return year !== undefined && this.setDate(4, year, month, day.value);
  }

  private setWeekday(used: number, day: number, ordinal: number): boolean {
    if (this.weekday !== undefined) return false;
    this.weekday = { day, ordinal };
    this.at += used;
    return true;
  }

  /** `3 days`, `-1 week`, `1.5 seconds`. */
  private counted(number: NumberToken, unit: DateToken & { kind: 'unit' }): boolean {
    if (number.fraction !== undefined && unit.unit !== 'second') return false;
    const sign = number.sign === '-' ? -1 : 1;
    const amount = amountOf(unit.unit, sign * number.value * unit.factor);
    return this.add(2, { ...amount, nanosecond: sign * nanoseconds(number.fraction) }, true);
  }

  /** Adds an amount, perhaps with `ago` after it. */
  private add(used: number, amount: Readonly<Amounts>, mayBeAgo: boolean): boolean {
    this.at += used;
    let factor = 1;
    const next = this.peek();
    if (mayBeAgo && next?.kind === 'ago') {
      factor = next.factor;
      this.at++;
    }
    for (const key of Object.keys(NOTHING) as (keyof Amounts)[]) {
      this.relative[key] += factor * amount[key];
      if (!Number.isSafeInteger(this.relative[key])) return false;
    }
    this.anyRelative = true;
    return true;
  }

  private setLocal(summer: boolean): boolean {
    if (this.localSummer !== undefined || this.offset !== undefined) return false;
    this.localSummer = summer;
    this.at++;
    if (this.peek()?.kind === 'dst') {
      this.localSummer = true;
      this.at++;
    }
    return true;
  }

  /** `UTC`, `UTC+3`, `EST DST`; but in `UTC +3 days` the number belongs to the days. */
  private zone(offset: number): boolean {
    if (this.offset !== undefined || this.localSummer !== undefined) return false;
    this.at++;
    this.offset = offset;
    if (this.peek()?.kind === 'dst') {
      this.offset += 3600;
      this.at++;
    } else if (this.signed(0) !== undefined && this.peek(1)?.kind !== 'unit') {
      const more = this.takeOffset();
      if (more === undefined) return false;
      this.offset += more;
    }
    return true;
  }

  /** A number that is nothing else: a year after a date, YYYYMMDD, HHMM or HH. */
  private bare(number: NumberToken): boolean {
    const { value, digits } = number;
    const wantsYear = this.date !== undefined && this.date.yearDigits === 0 && !this.anyRelative;
    if (this.date !== undefined && wantsYear && (this.time !== undefined || digits > 2)) {
      this.date = { ...this.date, year: value, yearDigits: digits };
      this.at++;
      return true;
    }
    if (digits <= 2) return this.setTime(1, value, 0, undefined, undefined);
    if (digits <= 4) return this.setTime(1, Math.floor(value / 100), value % 100, undefined, undefined);
    const year = { ...number, value: Math.floor(value / 10_000), digits: digits - 4 };
    return this.setDate(1, year, Math.floor(value / 100) % 100, value % 100);
  }
}

function amountOf(unit: Unit, value: number): Amounts {
  return { ...NOTHING, [unit]: value };
}

function nanoseconds(fraction: string | undefined): number {
  return fraction === undefined ? 0 : Number(fraction.slice(0, 9).padEnd(9, '0'));
}

/** `+1`, `+01`, `+0130`, `+01:30`: at most 24 hours. */
function offsetSeconds(token: NumberToken, minutes: NumberToken | undefined): number | undefined {
  let hours = token.value;
  let rest = minutes?.value ?? 0;
  if (minutes === undefined && token.digits > 2) {
    hours = Math.floor(token.value / 100);
    rest = token.value % 100;
  }
  const total = hours * 60 + rest;
  if (total > 24 * 60) return undefined;
  return (token.sign === '-' ? -total : total) * 60;
}

function resolve(reader: DateReader, now: ParsedMoment, zone: Zone): ParsedMoment | undefined {
  const fixed = reader.offset === undefined ? undefined : fixedZone(reader.offset, '');
  const clock = localTime(now.seconds, zone);
  const { date, weekday, relative } = reader;
  let year = date === undefined ? clock.year : (date.year ?? clock.year);
  if (date !== undefined && date.yearDigits === 2) year += year < 69 ? 2000 : 1900;
  let month = date?.month ?? clock.month;
  let day = date?.day ?? clock.day;
  // Without a time of day it is midnight, but for what is only added to now.
  const keepsTime = date === undefined && weekday === undefined && reader.anyRelative;
  const midnight = { hour: 0, minute: 0, second: 0, nanosecond: 0 };
  const time = reader.time ?? (keepsTime ? { ...clock, nanosecond: now.nanoseconds } : midnight);

  const localOf = (days: number): number => days * SECONDS_A_DAY + time.hour * 3600 + time.minute * 60 + time.second;
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  const days = daysOf(year, month, day);
  if (date !== undefined && days >= daysOf(year, month + 1, 1)) return undefined;
  const where = fixed ?? zone;
  if (fixed === undefined) {
    const seconds = fromLocal(where, localOf(days), reader.localSummer);
    if (seconds === undefined) return undefined;
    if (reader.localSummer !== undefined && where.at(seconds).summer !== reader.localSummer) return undefined;
  }

  let dayShift = relative.day;
  if (weekday !== undefined && date === undefined) {
    const today = weekdayOf(days);
    const ahead = (weekday.day - today + 7) % 7;
    dayShift += ahead + 7 * (weekday.ordinal - (weekday.ordinal > 0 && today !== weekday.day ? 1 : 0));
  }
  year += relative.year;
  month += relative.month;
  day += dayShift;
  const shifted = daysOf(year, month, day);
  if (!Number.isSafeInteger(shifted)) return undefined;
  const moved = relative.year !== 0 || relative.month !== 0 || dayShift !== 0;
  let base = fromLocal(where, localOf(shifted), reader.localSummer);
  // A day later the clock may skip that time: it is as much later.
  if (base === undefined && moved) base = localOf(shifted) - where.at(localOf(shifted) - SECONDS_A_DAY).offset;
  if (base === undefined) return undefined;

  const total = time.nanosecond + relative.nanosecond;
  const carry = Math.floor(total / 1e9);
  const seconds = base + relative.hour * 3600 + relative.minute * 60 + relative.second + carry;
  if (!Number.isSafeInteger(seconds) || Math.abs(seconds) > FARTHEST) return undefined;
  return { seconds, nanoseconds: total - carry * 1e9 };
}
