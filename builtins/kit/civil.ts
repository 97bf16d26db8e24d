/** The Gregorian calendar, for any year: days since 1970 and year, month, day. */

export interface CivilDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

export const SECONDS_A_DAY = 86_400;

/** Days of 400 years, after which the calendar repeats. */
const ERA_DAYS = 146_097;

/** Days since 1970-01-01. Month and day may lie outside their ranges: they carry over, as in mktime(3). */
export function daysOf(year: number, month: number, day: number): number {
  const months = year * 12 + (month - 1);
  let y = Math.floor(months / 12);
  const m = months - y * 12; // 0 is January
  if (m < 2) y--; // years begin in March, so that the leap day is the last
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * ((m + 10) % 12) + 2) / 5);
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * ERA_DAYS + dayOfEra - 719_468 + (day - 1);
}

export function dateOf(days: number): CivilDate {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / ERA_DAYS);
  const dayOfEra = shifted - era * ERA_DAYS;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const m = Math.floor((5 * dayOfYear + 2) / 153); // 0 is March
  const month = m < 10 ? m + 3 : m - 9;
  const year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0);
  return { year, month, day: dayOfYear - Math.floor((153 * m + 2) / 5) + 1 };
}

/** 0 is Sunday. */
export function weekdayOf(days: number): number {
  return (((days + 4) % 7) + 7) % 7;
}

export function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
