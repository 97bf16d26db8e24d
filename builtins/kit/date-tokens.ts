/** The words of a date: numbers, names of days, months and zones, units, and what is left. */
import { localTime } from './strftime.js';
import type { Zone } from './time-zone.js';

export type Unit = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

export type DateToken =
  | {
      readonly kind: 'number';
      readonly sign: '' | '+' | '-';
      readonly value: number;
      readonly digits: number;
      /** Digits after a point. */
      readonly fraction: string | undefined;
    }
  | { readonly kind: 'meridian'; readonly pm: boolean }
  | { readonly kind: 'month'; readonly month: number }
  | { readonly kind: 'weekday'; readonly day: number }
  /** Seconds east of Greenwich. */
  | { readonly kind: 'zone'; readonly offset: number }
  /** A name of the zone in force. */
  | { readonly kind: 'local'; readonly summer: boolean }
  | { readonly kind: 'dst' }
  | { readonly kind: 'unit'; readonly unit: Unit; readonly factor: number }
  | { readonly kind: 'shift'; readonly days: number }
  | { readonly kind: 'ordinal'; readonly value: number }
  /** `ago` is -1, `hence` 1. */
  | { readonly kind: 'ago'; readonly factor: 1 | -1 }
  | { readonly kind: 'mark'; readonly text: string };

const MONTHS = [
  'JANUARY',
  'FEBRUARY',
  'MARCH',
  'APRIL',
  'MAY',
  'JUNE',
  'JULY',
  'AUGUST',
  'SEPTEMBER',
  'OCTOBER',
  'NOVEMBER',
  'DECEMBER',
];
const WEEKDAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'];

/** Other spellings; any name may also be its first three letters. */
const SPELLINGS: { readonly [word: string]: DateToken } = {
  SEPT: { kind: 'month', month: 9 },
  TUES: { kind: 'weekday', day: 2 },
  WEDNES: { kind: 'weekday', day: 3 },
  THUR: { kind: 'weekday', day: 4 },
  THURS: { kind: 'weekday', day: 4 },
};

/** Hours east of Greenwich. */
const ZONES: { readonly [word: string]: number } = {
  WET: 0,
  WEST: 1,
  BST: 1,
  ART: -3,
  BRT: -3,
  BRST: -2,
  NST: -3.5,
  NDT: -2.5,
  AST: -4,
  ADT: -3,
  CLT: -4,
  CLST: -3,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  AKST: -9,
  AKDT: -8,
  HST: -10,
  HAST: -10,
  HADT: -9,
  SST: -12,
  WAT: 1,
  CET: 1,
  CEST: 2,
  MET: 1,
  MEZ: 1,
  MEST: 2,
  MESZ: 2,
  EET: 2,
  EEST: 3,
  CAT: 2,
  SAST: 2,
  EAT: 3,
  MSK: 3,
  MSD: 4,
  IST: 5.5,
  SGT: 8,
  KST: 9,
  JST: 9,
  GST: 10,
  NZST: 12,
  NZDT: 13,
};

const UNITS: { readonly [word: string]: readonly [Unit, number] } = {
  YEAR: ['year', 1],
  MONTH: ['month', 1],
  FORTNIGHT: ['day', 14],
  WEEK: ['day', 7],
  DAY: ['day', 1],
  HOUR: ['hour', 1],
  MINUTE: ['minute', 1],
  MIN: ['minute', 1],
  SECOND: ['second', 1],
  SEC: ['second', 1],
};

const ORDINALS: { readonly [word: string]: number } = {
  LAST: -1,
  THIS: 0,
  NEXT: 1,
  FIRST: 1,
  THIRD: 3,
  FOURTH: 4,
  FIFTH: 5,
  SIXTH: 6,
  SEVENTH: 7,
  EIGHTH: 8,
  NINTH: 9,
  TENTH: 10,
  ELEVENTH: 11,
  TWELFTH: 12,
};

const SHIFTS: { readonly [word: string]: number } = { TOMORROW: 1, YESTERDAY: -1, TODAY: 0, NOW: 0 };

/** Hours of the one-letter zones, from A on; there is no J, and T is a mark too. */
const MILITARY = 'ABCDEFGHI.KLMNOPQRSTUVWXYZ';
const MILITARY_HOURS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 10, 11, 12, -1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, -12, 0];

export interface Lexicon {
  /** Names of the zone in force, in upper case, and whether each is its summer time. */
  readonly local: ReadonlyMap<string, boolean>;
}

/** The names the zone has now and over the next three quarters of a year. */
export function lexicon(zone: Zone, now: number): Lexicon {
  const local = new Map<string, boolean>();
  for (let quarter = 0; quarter <= 3; quarter++) {
    const { name, summer } = localTime(now + quarter * 90 * 86_400, zone).zone;
    if (!local.has(name.toUpperCase())) local.set(name.toUpperCase(), summer);
  }
  return { local };
}

function own<T>(table: { readonly [word: string]: T }, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}

function lookUp(written: string, names: Lexicon): DateToken | undefined {
  const word = written.toUpperCase();
  if (word === 'AM' || word === 'A.M.') return { kind: 'meridian', pm: false };
  if (word === 'PM' || word === 'P.M.') return { kind: 'meridian', pm: true };
  const short = word.length === 3 || (word.length === 4 && word.endsWith('.'));
  const named = (name: string): boolean => (short ? name.startsWith(word.slice(0, 3)) : name === word);
  const month = MONTHS.findIndex(named);
  if (month >= 0) return { kind: 'month', month: month + 1 };
  const day = WEEKDAYS.findIndex(named);
  if (day >= 0) return { kind: 'weekday', day };
  const spelling = own(SPELLINGS, word);
  if (spelling !== undefined) return spelling;
  return (
    zoneNamed(word, names) ?? unitNamed(word) ?? relativeNamed(word) ?? zoneLettered(word) ?? undotted(word, names)
  );
}

function zoneNamed(word: string, { local }: Lexicon): DateToken | undefined {
  if (word === 'GMT' || word === 'UT' || word === 'UTC') return { kind: 'zone', offset: 0 };
  const summer = local.get(word);
  if (summer !== undefined) return { kind: 'local', summer };
  const hours = own(ZONES, word);
  if (hours !== undefined) return { kind: 'zone', offset: hours * 3600 };
  return word === 'DST' ? { kind: 'dst' } : undefined;
}

function unitNamed(word: string): DateToken | undefined {
  const unit = own(UNITS, word) ?? (word.endsWith('S') ? own(UNITS, word.slice(0, -1)) : undefined);
  return unit === undefined ? undefined : { kind: 'unit', unit: unit[0], factor: unit[1] };
}

function relativeNamed(word: string): DateToken | undefined {
  const days = own(SHIFTS, word);
  if (days !== undefined) return { kind: 'shift', days };
  const value = own(ORDINALS, word);
  if (value !== undefined) return { kind: 'ordinal', value };
  return word === 'AGO' || word === 'HENCE' ? { kind: 'ago', factor: word === 'AGO' ? -1 : 1 } : undefined;
}

function zoneLettered(word: string): DateToken | undefined {
  const at = word.length === 1 && word !== '.' ? MILITARY.indexOf(word) : -1;
  if (at < 0) return undefined;
  return word === 'T' ? { kind: 'mark', text: 'T' } : { kind: 'zone', offset: (MILITARY_HOURS[at] ?? 0) * 3600 };
}

/** `e.s.t.` */
function undotted(word: string, names: Lexicon): DateToken | undefined {
  return word.includes('.') ? zoneNamed(word.replaceAll('.', ''), names) : undefined;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isAlpha(unit: number): boolean {
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || (unit >= 9 && unit <= 13);
}

/** Undefined where a word means nothing. */
export function tokenize(text: string, names: Lexicon): DateToken[] | undefined {
  const tokens: DateToken[] = [];
  for (let at = 0; at < text.length; ) {
    const unit = text.charCodeAt(at);
    if (isSpace(unit)) at++;
    else if (isDigit(unit) || unit === 0x2b || unit === 0x2d) {
      const sign = isDigit(unit) ? '' : unit === 0x2d ? '-' : '+';
      let start = at + sign.length;
      while (sign !== '' && isSpace(text.charCodeAt(start))) start++;
      if (!isDigit(text.charCodeAt(start))) {
        at = start; // a sign on its own says nothing
        continue;
      }
      let end = start;
      while (isDigit(text.charCodeAt(end))) end++;
      const value = Number(text.slice(start, end));
      if (!Number.isSafeInteger(value)) return undefined;
      let fraction: string | undefined;
      const digits = end - start;
      if ((text[end] === '.' || text[end] === ',') && isDigit(text.charCodeAt(end + 1))) {
        const first = ++end;
        while (isDigit(text.charCodeAt(end))) end++;
        fraction = text.slice(first, end);
      }
      tokens.push({ kind: 'number', sign, value, digits, fraction });
      at = end;
    } else if (isAlpha(unit)) {
      let end = at;
      while (isAlpha(text.charCodeAt(end)) || text[end] === '.') end++;
      const token = lookUp(text.slice(at, Math.min(end, at + 19)), names);
      if (token === undefined) return undefined;
      tokens.push(token);
      at = end;
    } else if (text[at] === '(') {
      at = afterComment(text, at);
    } else tokens.push({ kind: 'mark', text: text[at++] as string });
  }
  return tokens;
}

/** The index after a comment in parentheses, which nest; one without an end goes to the end. */
function afterComment(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at + 1;
  }
  return text.length;
}
