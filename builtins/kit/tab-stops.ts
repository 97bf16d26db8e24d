/** Tab stops of expand and unexpand: `8`, `2,5,9`, `4,/8`, `4,+3`. */
import { gnuQuoteValue } from '../../src/text/quote.js';
import { BadValue } from './define.js';

export interface TabList {
  readonly stops: readonly number[];
  /** After the last stop: at multiples of this. */
  readonly every: number | undefined;
  /** After the last stop: so many columns further each. */
  readonly further: number | undefined;
}

/** All lists that were given, one after the other as if they were one. */
export function parseTabs(texts: readonly string[]): TabList | BadValue {
  const stops: number[] = [];
  let every: number | undefined;
  let further: number | undefined;
  /** The mark of a list holds for what follows in it. */
  let marked = '';
  const parts = texts.flatMap((text) => text.split(/[, \t]/).map((part, i) => ({ part, first: i === 0 })));
  for (const { part, first } of parts) {
    if (first) marked = '';
    if (part === '') continue;
    const mark = part[0] === '/' || part[0] === '+' ? part[0] : '';
    if (mark !== '') marked = mark;
    const digits = part.slice(mark.length);
    const strange = digits.search(/[^0-9]/);
    if (strange >= 0 || digits === '') {
      const late = strange > 0 && (digits[strange] === '/' || digits[strange] === '+');
      if (late) {
        return new BadValue(
          `'${digits[strange]}' specifier not at start of number: ${gnuQuoteValue(digits.slice(strange))}`,
        );
      }
      return new BadValue(
        `tab size contains invalid character(s): ${gnuQuoteValue(digits.slice(Math.max(0, strange)))}`,
      );
    }
    const value = Number(digits);
    if (BigInt(digits) >= 2n ** 64n) return new BadValue(`tab stop is too large ${gnuQuoteValue(digits)}`);
    if ((marked === '/' && every !== undefined) || (marked === '+' && further !== undefined)) {
      return new BadValue(`'${marked}' specifier only allowed with the last value`);
    }
    if (marked === '/') every = value;
    else if (marked === '+') further = value;
    else stops.push(value);
  }
  return check({ stops, every, further });
}

function check(list: TabList): TabList | BadValue {
  let before = 0;
  for (const stop of list.stops) {
    if (stop === 0) return new BadValue('tab size cannot be 0');
    if (stop <= before) return new BadValue('tab sizes must be ascending');
    before = stop;
  }
  if (list.every !== undefined && list.further !== undefined) {
    return new BadValue("'/' specifier is mutually exclusive with '+'");
  }
  return list;
}

export class TabStops {
  /** One size for all. */
  private readonly size: number;
  private readonly list: TabList;
  /** How many stops of the list are passed. */
  private passed = 0;

  constructor(list: TabList | undefined) {
    this.list = list ?? { stops: [], every: undefined, further: undefined };
    const { stops, every, further } = this.list;
    const [only, another] = stops;
    if (only === undefined) this.size = every || further || 8;
    else this.size = another === undefined && !every && !further ? only : 0;
  }

  newLine(): void {
    this.passed = 0;
  }

  back(): void {
    if (this.passed > 0) this.passed--;
  }

  /** The next stop after `column`; undefined after the last. */
  after(column: number): number | undefined {
    if (this.size > 0) return column + this.size - (column % this.size);
    const { stops, every, further } = this.list;
    for (; this.passed < stops.length; this.passed++) {
      const stop = stops[this.passed] as number;
      if (column < stop) return stop;
    }
    if (every) return column + every - (column % every);
    if (!further) return undefined;
    const last = stops[stops.length - 1] ?? 0;
    return column + further - ((column - last) % further);
  }
}
