/** Lists of positions: `1,3-5,7-`. */
import { gnuQuoteValue } from '../../src/text/quote.js';
import { BadValue } from '../kit/define.js';

/** Positions `low` to `high`, from 1. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** In order and not overlapping; ranges that only touch stay apart. */
export function parseRanges(text: string, what: 'field' | 'byte'): readonly Range[] | BadValue {
  const bad = (message: string): BadValue => new BadValue(message, true);
  const fromOne = what === 'field' ? 'fields are numbered from 1' : 'byte/character positions are numbered from 1';
  const ranges: Range[] = [];
  let at = 0;
  for (;;) {
    const dashes: number[] = [];
    const values: { value: number; dash: boolean }[] = [];
    for (; at < text.length && !isSeparator(text[at] as string); ) {
      const unit = text[at] as string;
      if (unit === '-') {
        if (dashes.length > 0) return bad(what === 'field' ? 'invalid field range' : 'invalid byte or character range');
        if (values[0]?.value === 0) return bad(fromOne);
        dashes.push(at++);
        continue;
      }
      if (unit < '0' || unit > '9') {
        const name = what === 'field' ? 'field value' : 'byte/character position';
        return bad(`invalid ${name} ${gnuQuoteValue(text.slice(at))}`);
      }
      const start = at;
      while (at < text.length && text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39) at++;
      const digits = text.slice(start, at);
      if (BigInt(digits.slice(0, 40)) >= 2n ** 64n - 1n) {
        const name = what === 'field' ? 'field number' : 'byte/character offset';
        return bad(`${name} ${gnuQuoteValue(digits)} is too large`);
      }
      values.push({ value: Number(digits), dash: dashes.length > 0 });
    }
    const low = values.find(({ dash }) => !dash)?.value;
    const high = values.find(({ dash }) => dash)?.value;
    if (dashes.length === 0) {
      if (low === undefined || low === 0) return bad(fromOne);
      ranges.push({ low, high: low });
    } else if (low === undefined && high === undefined) return bad('invalid range with no endpoint: -');
    else if (high !== undefined && high < (low ?? 1)) return bad('invalid decreasing range');
    else ranges.push({ low: low ?? 1, high: high ?? Number.POSITIVE_INFINITY });
    if (at >= text.length) return merge(ranges);
    at++;
  }
}

function isSeparator(unit: string): boolean {
  return unit === ',' || unit === ' ' || unit === '\t';
}

function merge(ranges: readonly Range[]): readonly Range[] {
  const merged: Range[] = [];
  for (const range of [...ranges].sort((a, b) => a.low - b.low)) {
    const last = merged[merged.length - 1];
    if (last === undefined || range.low > last.high) merged.push(range);
    else merged[merged.length - 1] = { low: last.low, high: Math.max(last.high, range.high) };
  }
  return merged;
}

/** Everything else. */
export function complementOf(ranges: readonly Range[]): readonly Range[] {
  const gaps: Range[] = [];
  let next = 1;
  for (const { low, high } of ranges) {
    if (low > next) gaps.push({ low: next, high: low - 1 });
    next = high + 1;
  }
  if (next !== Number.POSITIVE_INFINITY) gaps.push({ low: next, high: Number.POSITIVE_INFINITY });
  return gaps;
}
