/** Where the numbers of seq come from: each answers the next as text, undefined after the last. */
import { addReal, compareReal, mulReal, parseReal, type Real, realFromBigInt } from '../kit/real.js';
import { formatNumber, type SeqFormat } from './format.js';
import type { Operand } from './operands.js';

export type Numbers = () => string | undefined;

/** Whole numbers without a format, whatever their size. */
export function wholeNumbers(first: bigint, step: bigint, last: bigint | undefined): Numbers {
  const safe = BigInt(Number.MAX_SAFE_INTEGER);
  if (last !== undefined && last + step < safe && first < safe) {
    let next = Number(first);
    const by = Number(step);
    const end = Number(last);
    return () => {
      if (next > end) return undefined;
      const text = String(next);
      next += by;
      return text;
    };
  }
  let next = first;
  return () => {
    if (last !== undefined && next > last) return undefined;
    const text = String(next);
    next += step;
    return text;
  };
}

/**
 * Decimals as whole numbers of their last place: what long double arithmetic, rounded to that place, comes to. Undefined where it
 * might not: large numbers, and where 0 might be printed as `-0.0`.
 */
export function decimalNumbers(first: Operand, step: Operand, last: Operand, format: SeqFormat): Numbers | undefined {
  const { precision } = format.spec;
  if (format.conversion !== 'f' || precision === undefined) return undefined;
  const places = Math.max(precision, last.precision);
  const [from, by, to] = [first, step, last].map((operand) => scaled(operand, places));
  if (from === undefined || by === undefined || to === undefined) return undefined;
  const crosses = places > 0 && !(by > 0 ? from >= 0 || to < 0 : from < 0);
  if (crosses || first.text.includes('-0') || Math.abs(to) + Math.abs(by) > 2 ** 50) return undefined;
  if (Math.abs(from) > 2 ** 50) return undefined;
  const scale = 10 ** places;
  let next = from;
  return () => {
    if (by > 0 ? next > to : next < to) return undefined;
    const value = next;
    next += by;
    const whole = Math.trunc(Math.abs(value) / scale);
    const rest = Math.abs(value) - whole * scale;
    const fraction = String(rest).padStart(places, '0').slice(0, precision);
    const digits = precision === 0 ? String(whole) : `${whole}.${fraction}`;
    const sign = value < 0 ? '-' : '';
    return sign + digits.padStart(format.spec.zero ? format.spec.width - sign.length : 0, '0');
  };
}

const PLAIN = /^ *\+?(-?)([0-9]*)\.?([0-9]*)$/;

function scaled({ text }: Operand, places: number): number | undefined {
  const match = PLAIN.exec(text);
  if (match === null || places > 12) return undefined;
  const [, sign = '', whole = '', fraction = ''] = match;
  if (whole.length + places > 15) return undefined;
  const value = Number(whole + fraction.padEnd(places, '0'));
  return sign === '-' ? -value : value;
}

/** Everything else, as GNU computes it: `first + i * step` in long doubles. */
export function realNumbers(first: Real, step: Real, last: Real, format: SeqFormat): Numbers {
  const down = step.negative;
  const beyond = (value: Real): boolean => {
    const order = compareReal(value, last) ?? 0;
    return down ? order < 0 : order > 0;
  };
  let count = 0n;
  let value: Real = first;
  let before = '';
  let done = beyond(first);
  const shown = (text: string): string => format.prefix + text + format.suffix;
  return () => {
    if (done) return undefined;
    const text = formatNumber(format, value);
    if (count > 0n && beyond(value)) {
      done = true;
      // Rounding may have gone just past the end: what prints as the last number is the last number.
      const parsed = parseReal(text);
      const isLast = parsed.end === text.length && compareReal(parsed.value, last) === 0;
      return isLast && text !== before ? shown(text) : undefined;
    }
    before = text;
    count += 1n;
    value = addReal(first, mulReal(realFromBigInt(count), step));
    return shown(text);
  };
}
