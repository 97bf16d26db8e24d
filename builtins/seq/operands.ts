/** The numbers of seq: their values, and how wide and how precise they were written. */
import { gnuQuoteValue } from '../../src/text/quote.js';
import { BadValue } from '../kit/define.js';
import { isSpace, parseReal, type Real } from '../kit/real.js';

export interface Operand {
  readonly text: string;
  readonly value: Real;
  /** Columns, when printed with `precision` decimals. */
  readonly width: number;
  /** Digits after the point; infinite when they cannot be told from the text. */
  readonly precision: number;
}

export function parseOperand(text: string): Operand | BadValue {
  const { value, end } = parseReal(text);
  if (end === 0 || end < text.length) {
    return new BadValue(`invalid floating point argument: ${gnuQuoteValue(text)}`);
  }
  if (value.kind === 'nan') {
    return new BadValue(`invalid ${gnuQuoteValue('not-a-number')} argument: ${gnuQuoteValue(text)}`);
  }
  let start = 0;
  while (isSpace(text.charCodeAt(start)) || text[start] === '+') start++;
  const written = text.slice(start);
  const decimal = !/[xX]/.test(written) && value.kind === 'finite';
  const point = written.indexOf('.');
  if (!decimal)
    return { text, value, width: 0, precision: point < 0 && !written.includes('p') ? 0 : Number.POSITIVE_INFINITY };
  return { text, value, ...layout(written, point) };
}

function layout(written: string, point: number): { width: number; precision: number } {
  let width = written.length;
  let precision = 0;
  let fraction = 0;
  const mark = written.search(/[eE]/);
  if (point >= 0) {
    fraction = (mark < 0 ? written.length : mark) - point - 1;
    precision = fraction;
    // `1.` is printed as `1`, `.5` as `0.5`.
    if (fraction === 0) width--;
    else if (point === 0 || !isDigit(written.charCodeAt(point - 1))) width++;
  }
  if (mark < 0) return { width, precision };
  let exponent = Number.parseInt(written.slice(mark + 1), 10) || 0;
  precision += exponent < 0 ? -exponent : -Math.min(precision, exponent);
  width -= written.length - mark;
  if (exponent < 0) {
    if (point < 0 || mark === point + 1) width++;
    exponent = -exponent;
  } else {
    if (point >= 0 && precision === 0 && fraction > 0) width--;
    exponent -= Math.min(fraction, exponent);
  }
  return { width: width + exponent, precision };
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
