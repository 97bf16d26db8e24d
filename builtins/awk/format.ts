/** Formats of printf and sprintf (POSIX awk, "Output Statements"; widths and precisions count characters, as gawk's do). */
import {
  formatSigned,
  formatUnsigned,
  type NumberSpec,
  PLAIN_SPEC,
  type RealConversion,
} from '../kit/number-format.js';
import { characterCount, characterLength, characterOf, skipCharacters } from './characters.js';
import { formatNumber } from './number-text.js';
import { AwkError } from './tree.js';
import { type Holdings, toNumber, type Value } from './value.js';

type Piece =
  | string
  | {
      readonly conversion: string;
      readonly spec: NumberSpec;
      readonly starredWidth: boolean;
      readonly starredPrecision: boolean;
    };

const DIRECTIVE = /%([-+ #0']*)(\*|[0-9]*)(?:\.(\*|-?[0-9]*))?[hlLqjzt]*([a-zA-Z%])/y;
const CONVERSIONS = 'cdiouxXeEfFgGaAs%';

function compile(format: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let text = '';
  for (let i = 0; i < format.length; ) {
    const percent = format.indexOf('%', i);
    if (percent < 0) {
      text += format.slice(i);
      break;
    }
    text += format.slice(i, percent);
    DIRECTIVE.lastIndex = percent;
    const match = DIRECTIVE.exec(format);
    const conversion = match?.[4] ?? '';
    i = percent + 1;
    if (match === null || !CONVERSIONS.includes(conversion)) {
      text += '%'; // what is no directive is text
      continue;
    }
    i = DIRECTIVE.lastIndex;
    if (conversion === '%') {
      text += '%';
      continue;
    }
    if (text !== '') pieces.push(text);
    text = '';
    const [, flags = '', width = '', precision] = match;
    pieces.push({
      conversion,
      starredWidth: width === '*',
      starredPrecision: precision === '*',
      spec: {
        left: flags.includes('-'),
        zero: flags.includes('0'),
        plus: flags.includes('+'),
        space: flags.includes(' '),
        alternate: flags.includes('#'),
        width: Number(width === '*' ? '' : width),
        precision: precision === undefined || precision === '*' || precision[0] === '-' ? undefined : Number(precision),
      },
    });
  }
  if (text !== '') pieces.push(text);
  return pieces;
}

export class Formatter {
  private readonly known = new Map<string, readonly Piece[]>();
  private readonly text: (value: Value) => string;
  private readonly holdings: Holdings;

  constructor(text: (value: Value) => string, holdings: Holdings) {
    this.text = text;
    this.holdings = holdings;
  }

  format(format: string, values: readonly Value[]): string {
    let out = '';
    let next = 0;
    const take = (): Value => {
      if (next >= values.length) throw new AwkError('not enough arguments to satisfy format string');
      return values[next++];
    };
    for (const piece of this.pieces(format)) {
      if (typeof piece === 'string') {
        out += piece;
        continue;
      }
      let { spec } = piece;
      if (piece.starredWidth) {
        const width = Math.trunc(toNumber(take()));
        spec = { ...spec, width: Math.abs(width), left: spec.left || width < 0 };
      }
      if (piece.starredPrecision) {
        const precision = Math.trunc(toNumber(take()));
        spec = { ...spec, precision: precision < 0 ? undefined : precision };
      }
      const value = take();
      this.holdings.checkString(out.length + Math.max(spec.width, spec.precision ?? 0, 0));
      out += this.convert(piece.conversion, value, spec);
      this.holdings.checkString(out.length);
    }
    return out;
  }

  /** One number, for CONVFMT and OFMT. */
  number(format: string, value: number): string {
    return this.format(format, [value]);
  }

  private pieces(format: string): readonly Piece[] {
    let pieces = this.known.get(format);
    if (pieces === undefined) {
      pieces = compile(format);
      if (this.known.size >= 100) this.known.clear();
      if (format.length < 10_000) this.known.set(format, pieces);
    }
    return pieces;
  }

  private convert(conversion: string, value: Value, spec: NumberSpec): string {
    switch (conversion) {
      case 's':
        return pad(cut(this.text(value), spec.precision), spec);
      case 'c':
        return pad(character(value), spec);
      case 'd':
      case 'i':
        return whole(toNumber(value), spec);
      case 'o':
      case 'u':
      case 'x':
      case 'X':
        return unsigned(toNumber(value), conversion, spec);
      default:
        return real(toNumber(value), conversion as RealConversion, spec); // nothing else is left of CONVERSIONS
    }
  }
}

function character(value: Value): string {
  if (value === '') return '\0';
  if (typeof value === 'string') return value.slice(0, characterLength(value, 0));
  return characterOf(toNumber(value));
}

function cut(text: string, count: number | undefined): string {
  if (count === undefined || text.length <= count) return text;
  return text.slice(0, skipCharacters(text, count, 0));
}

function pad(text: string, { width, left }: NumberSpec): string {
  if (width === 0) return text;
  const missing = width - characterCount(text);
  if (missing <= 0) return text;
  return left ? text + ' '.repeat(missing) : ' '.repeat(missing) + text;
}

function whole(value: number, spec: NumberSpec): string {
  if (!Number.isFinite(value)) return strange(value, spec);
  const truncated = Math.trunc(value);
  if (spec === PLAIN_SPEC && Number.isSafeInteger(truncated)) return String(truncated);
  return formatSigned(Number.isSafeInteger(truncated) ? truncated : BigInt(truncated), spec);
}

/** Infinities and what is no number are shown as such, whatever was asked for, sign always. */
function strange(value: number, spec: NumberSpec): string {
  return real(value, 'f', { ...spec, precision: undefined });
}

function real(value: number, conversion: RealConversion, spec: NumberSpec): string {
  return formatNumber(value, conversion, Number.isFinite(value) ? spec : { ...spec, plus: true });
}

function unsigned(value: number, conversion: 'o' | 'u' | 'x' | 'X', spec: NumberSpec): string {
  if (!Number.isFinite(value)) return strange(value, spec);
  const truncated = Math.trunc(value);
  if (Math.abs(truncated) >= 2 ** 64) return whole(value, spec);
  return formatUnsigned(Number.isSafeInteger(truncated) ? truncated : BigInt(truncated), conversion, spec);
}
