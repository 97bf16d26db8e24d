/** Time zones as `$TZ` names them: IANA names, through Intl, and POSIX rules (`CET-1CEST,M3.5.0,M10.5.0/3`). */
import { dateOf, daysOf, isLeap, SECONDS_A_DAY, weekdayOf } from './civil.js';
import { zoneNames } from './zone-names.js';

export interface ZoneTime {
  /** Seconds east of Greenwich. */
  readonly offset: number;
  /** `CET`, `UTC`, `+03`. */
  readonly name: string;
  readonly summer: boolean;
}

export interface Zone {
  /** What holds at a moment, in seconds since 1970. */
  at(seconds: number): ZoneTime;
}

export const UTC: Zone = fixedZone(0, 'UTC');

export function fixedZone(offset: number, name: string): Zone {
  const time: ZoneTime = { offset, name, summer: false };
  return { at: () => time };
}

const zones = new Map<string, Zone>();

/** What cannot be understood is UTC under the name it has, as in glibc. */
export function timeZone(text: string): Zone {
  const known = zones.get(text);
  if (known !== undefined) return known;
  const zone = makeZone(text.startsWith(':') ? text.slice(1) : text);
  if (zones.size > 32) zones.clear();
  zones.set(text, zone);
  return zone;
}

function makeZone(text: string): Zone {
  if (text === '' || text === 'UTC' || text === 'Etc/UTC') return UTC;
  return namedZone(text) ?? posixZone(text) ?? fixedZone(0, nameAtStart(text));
}

/** glibc keeps the letters, at least three, that such a text starts with. */
function nameAtStart(text: string): string {
  let end = 0;
  while (isLetter(text.charCodeAt(end))) end++;
  return end >= 3 ? text.slice(0, end) : '';
}

/**
 * Seconds since 1970 of a local time, given as if it were UTC. Undefined when clocks skip it. When clocks show it twice: the one in
 * summer time where `summer` says so; without it as glibc's mktime guesses, the one whose offset holds at that time in UTC.
 */
export function fromLocal(zone: Zone, local: number, summer?: boolean): number | undefined {
  const candidates = [local, local - SECONDS_A_DAY, local + SECONDS_A_DAY]
    .map((near) => ({ offset: zone.at(near).offset }))
    .map(({ offset }) => ({ seconds: local - offset, offset }))
    .filter(({ seconds, offset }) => zone.at(seconds).offset === offset);
  const wanted =
    summer === undefined ? undefined : candidates.find(({ seconds }) => zone.at(seconds).summer === summer);
  return (wanted ?? candidates[0])?.seconds;
}

/** Intl takes names in any case, and short ones that mean something else; only what tzdata has counts. */
function namedZone(name: string): Zone | undefined {
  const names = zoneNames(name);
  if (names === undefined && !name.includes('/')) return undefined;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined; // not a zone
  }
  const offsets = new Map<number, number>();
  const offsetAt = (seconds: number): number => {
    // Clocks change on whole quarters of an hour, today and in every zone since 1972.
    const quarter = Math.floor(withinDate(seconds) / 900);
    const known = offsets.get(quarter);
    if (known !== undefined) return known;
    const offset = intlOffset(format, quarter * 900);
    if (offsets.size > 4096) offsets.clear();
    offsets.set(quarter, offset);
    return offset;
  };
  return {
    at(seconds) {
      const offset = offsetAt(seconds);
      const { year } = dateOf(Math.floor(seconds / SECONDS_A_DAY));
      const january = offsetAt(daysOf(year, 1, 1) * SECONDS_A_DAY);
      const july = offsetAt(daysOf(year, 7, 1) * SECONDS_A_DAY);
      const summer = january !== july && offset === Math.max(january, july);
      // Local mean time, before zones: an offset that is no quarter of an hour.
      if (offset % 900 !== 0) return { offset, summer: false, name: 'LMT' };
      return { offset, summer, name: (summer ? names?.summer : names?.standard) ?? numericName(offset) };
    },
  };
}

/** The same moment of the calendar's 400 years, where a JavaScript Date reaches it. */
function withinDate(seconds: number): number {
  const beyond = Math.abs(seconds) - (8.64e12 - SECONDS_A_DAY);
  if (beyond <= 0) return seconds;
  return seconds - Math.sign(seconds) * Math.ceil(beyond / CYCLE) * CYCLE;
}

const CYCLE = 146_097 * SECONDS_A_DAY;

function intlOffset(format: Intl.DateTimeFormat, seconds: number): number {
  const part: Record<string, number> = {};
  let negativeYear = false;
  for (const { type, value } of format.formatToParts(seconds * 1000)) {
    if (type === 'era') negativeYear = value.startsWith('B');
    else if (type !== 'literal') part[type] = Number(value);
  }
  const year = negativeYear ? 1 - (part['year'] ?? 0) : (part['year'] ?? 0);
  const days = daysOf(year, part['month'] ?? 1, part['day'] ?? 1);
  const local = days * SECONDS_A_DAY + (part['hour'] ?? 0) * 3600 + (part['minute'] ?? 0) * 60 + (part['second'] ?? 0);
  return local - seconds;
}

function numericName(offset: number): string {
  const minutes = Math.floor(Math.abs(offset) / 60);
  const two = (n: number): string => String(n).padStart(2, '0');
  const rest = minutes % 60 === 0 ? '' : two(minutes % 60);
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${rest}`;
}

interface Rule {
  readonly kind: 'month' | 'julian' | 'day';
  /** Of a month rule: month, week (5 is the last) and weekday. Of the others: the day, in `month`. */
  readonly month: number;
  readonly week: number;
  readonly weekday: number;
  /** Seconds after local midnight. */
  readonly time: number;
}

/** `std offset [dst [offset] [,start[/time],end[/time]]]` (POSIX XBD 8.3). */
function posixZone(text: string): Zone | undefined {
  const reader = new Reader(text);
  const standardName = reader.name();
  const standardOffset = standardName === undefined ? undefined : reader.time();
  if (standardName === undefined || standardOffset === undefined) return undefined;
  const standard: ZoneTime = { offset: -standardOffset, name: standardName, summer: false };
  if (reader.done) return { at: () => standard };
  const summerName = reader.name();
  if (summerName === undefined) return undefined;
  const given = reader.done || reader.peek === ',' ? undefined : reader.time();
  const summer: ZoneTime = {
    offset: given === undefined ? standard.offset + 3600 : -given,
    name: summerName,
    summer: true,
  };
  const rules = reader.done ? new Reader(',M3.2.0,M11.1.0') : reader;
  const start = rules.rule();
  const end = rules.rule();
  if (start === undefined || end === undefined || !rules.done) return undefined;
  return {
    at(seconds) {
      // Before 1970 there are no rules: glibc compares with those of that year.
      const year = Math.max(1970, dateOf(Math.floor((seconds + standard.offset) / SECONDS_A_DAY)).year);
      const from = ruleTime(start, year) - standard.offset;
      const to = ruleTime(end, year) - summer.offset;
      const inside = from <= to ? seconds >= from && seconds < to : seconds >= from || seconds < to;
      return inside ? summer : standard;
    },
  };
}

/** Local seconds at which the rule strikes in `year`. */
function ruleTime(rule: Rule, year: number): number {
  return ruleDay(rule, year) * SECONDS_A_DAY + rule.time;
}

function ruleDay(rule: Rule, year: number): number {
  const newYear = daysOf(year, 1, 1);
  if (rule.kind === 'day') return newYear + rule.month;
  if (rule.kind === 'julian') return newYear + rule.month - 1 + (isLeap(year) && rule.month >= 60 ? 1 : 0);
  const first = daysOf(year, rule.month, 1);
  const next = daysOf(year, rule.month + 1, 1);
  let day = first + ((rule.weekday - weekdayOf(first) + 7) % 7) + (rule.week - 1) * 7;
  while (day >= next) day -= 7;
  return day;
}

class Reader {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  get peek(): string | undefined {
    return this.text[this.at];
  }

  /** Three letters or more, or anything between `<` and `>`. */
  name(): string | undefined {
    const start = this.at;
    if (this.text[start] === '<') {
      const close = this.text.indexOf('>', start);
      if (close < start + 4) return undefined;
      this.at = close + 1;
      return this.text.slice(start + 1, close);
    }
    while (isLetter(this.text.charCodeAt(this.at))) this.at++;
    return this.at - start >= 3 ? this.text.slice(start, this.at) : undefined;
  }

  /** `[+-]hh[:mm[:ss]]` in seconds. */
  time(): number | undefined {
    const sign = this.peek === '-' ? -1 : 1;
    if (this.peek === '-' || this.peek === '+') this.at++;
    let total = this.number();
    if (total === undefined) return undefined;
    total *= 3600;
    for (const unit of [60, 1]) {
      if (!this.skip(':')) break;
      const part = this.number();
      if (part === undefined) return undefined;
      total += part * unit;
    }
    return sign * total;
  }

  rule(): Rule | undefined {
    if (!this.skip(',')) return undefined;
    const kind = this.skip('M') ? 'month' : this.skip('J') ? 'julian' : 'day';
    const numbers = [this.number()];
    if (kind === 'month') for (let i = 0; i < 2 && this.skip('.'); i++) numbers.push(this.number());
    const [month, week = kind === 'month' ? undefined : 0, weekday = kind === 'month' ? undefined : 0] = numbers;
    if (month === undefined || week === undefined || weekday === undefined) return undefined;
    if (kind === 'month' && (month < 1 || month > 12 || week < 1 || week > 5 || weekday > 6)) return undefined;
    const time = this.skip('/') ? this.time() : 7200;
    return time === undefined ? undefined : { kind, month, week, weekday, time };
  }

  private number(): number | undefined {
    const start = this.at;
    while (this.at < this.text.length && this.at < start + 3 && isDigit(this.text.charCodeAt(this.at))) this.at++;
    return this.at === start ? undefined : Number(this.text.slice(start, this.at));
  }

  private skip(unit: string): boolean {
    if (this.peek !== unit) return false;
    this.at++;
    return true;
  }
}

function isLetter(unit: number): boolean {
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
