/** Formats of stat: text, escapes and directives. */
import { byteLength, decode, encode } from '../../src/text/bytes.js';
import { gnuQuoteValue } from '../../src/text/quote.js';
import { formatSigned, formatUnsigned, type NumberSpec } from '../kit/number-format.js';

/** What a directive stands for. A time is printed in seconds, with as much of the fraction as the precision asks for. */
export type Value =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'signed' | 'decimal' | 'octal' | 'hex'; readonly number: number | bigint }
  | { readonly kind: 'time'; readonly nanoseconds: bigint };

/** Answers undefined for a letter that means nothing. `part` is `H` or `L`, for parts of device numbers. */
export type Directives = (letter: string, part: string) => Value | undefined;

type Piece = string | { readonly spec: Spec; readonly part: string; readonly letter: string };

interface Spec extends NumberSpec {
  /** The precision is a dot alone: all digits of a time, none of a text. */
  readonly dotOnly: boolean;
}

/** `problem`: what is wrong with the rest, which is said when what stands before it is printed. */
export interface Format {
  readonly pieces: readonly Piece[];
  readonly problem: string | undefined;
}

/** `escapes`: as `--printf` reads them. */
export function parseFormat(text: string, escapes: boolean, warn: (message: string) => void): Format {
  const pieces: Piece[] = [];
  let plain = '';
  for (let i = 0; i < text.length; ) {
    const unit = text[i] as string;
    if (unit === '\\' && escapes) {
      const { out, next } = readEscape(text, i + 1, warn);
      plain += out;
      i = next;
    } else if (unit === '%') {
      const match = /^%([-'+ #0I]*)([0-9]*)(?:\.([0-9]*))?([HL](?=[dr]))?/.exec(
        text.slice(i, i + 64),
      ) as RegExpExecArray; // `%` is there
      const at = i + match[0].length;
      const letter = text[at];
      if (letter === undefined || letter === '%') {
        if (match[0] !== '%') {
          const problem = `${gnuQuoteValue(match[0] + (letter ?? ''))}: invalid directive`;
          return { pieces: [...pieces, plain], problem };
        }
        plain += '%';
      } else {
        pieces.push(plain, { spec: specOf(match), part: match[4] ?? '', letter });
        plain = '';
      }
      i = at + 1;
    } else {
      plain += unit;
      i++;
    }
  }
  pieces.push(plain);
  return { pieces, problem: undefined };
}

function specOf(match: RegExpExecArray): Spec {
  const flags = match[1] ?? '';
  return {
    left: flags.includes('-'),
    zero: flags.includes('0'),
    plus: flags.includes('+'),
    space: flags.includes(' '),
    alternate: flags.includes('#'),
    width: bounded(match[2]),
    precision: match[3] === undefined ? undefined : bounded(match[3]),
    dotOnly: match[3] === '',
  };
}

/** No width, however large, makes more than this. */
function bounded(digits: string | undefined): number {
  return Math.min(Number(digits ?? ''), 1 << 20);
}

const ESCAPES: { readonly [letter: string]: string } = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '"': '"',
  '\\': '\\',
};

function readEscape(text: string, at: number, warn: (message: string) => void): { out: string; next: number } {
  const octal = /^[0-7]{1,3}/.exec(text.slice(at, at + 3));
  if (octal !== null) return { out: byte(Number.parseInt(octal[0], 8)), next: at + octal[0].length };
  const hex = /^x([0-9a-fA-F]{1,2})/.exec(text.slice(at, at + 3));
  if (hex !== null) return { out: byte(Number.parseInt(hex[1] as string, 16)), next: at + hex[0].length };
  const letter = text[at];
  if (letter === undefined) {
    warn('warning: backslash at end of format');
    return { out: '\\', next: at };
  }
  const known = ESCAPES[letter];
  if (known === undefined) warn(`warning: unrecognized escape '\\${letter}'`);
  return { out: known ?? letter, next: at + 1 };
}

function byte(value: number): string {
  return decode(Uint8Array.of(value & 0xff));
}

export function applyFormat({ pieces }: Format, directives: Directives): string {
  let out = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') out += piece;
    else {
      const value = directives(piece.letter, piece.part);
      out += value === undefined ? '?' : show(value, piece.spec);
    }
  }
  return out;
}

function show(value: Value, spec: Spec): string {
  switch (value.kind) {
    case 'text':
      return pad(cut(value.text, spec.precision), spec);
    case 'signed':
      return formatSigned(value.number, spec);
    case 'decimal':
      return formatUnsigned(value.number, 'u', spec);
    case 'octal':
      return formatUnsigned(value.number, 'o', spec);
    case 'hex':
      return formatUnsigned(value.number, 'x', spec);
    default:
      return time(value.nanoseconds, spec);
  }
}

function cut(text: string, precision: number | undefined): string {
  return precision === undefined || byteLength(text) <= precision ? text : decode(encode(text).subarray(0, precision));
}

function pad(text: string, spec: Spec): string {
  const missing = spec.width - byteLength(text);
  if (missing <= 0) return text;
  return spec.left ? text + ' '.repeat(missing) : ' '.repeat(missing) + text;
}

const SECOND = 1_000_000_000n;

/** As GNU's out_epoch_sec, whose fields come out too wide where the width is too small for them. */
function time(nanoseconds: bigint, spec: Spec): string {
  const precision = spec.dotOnly ? 9 : (spec.precision ?? 0);
  const { seconds, fraction, negative } = split(nanoseconds, precision);
  const room = spec.width - 1 - precision;
  const whole = { ...spec, precision: undefined };
  if (precision === 0) return sign(formatSigned(seconds, whole), negative);
  const isFitted = room > 1 && !spec.left;
  const head = sign(formatSigned(seconds, { ...whole, left: false, width: isFitted ? room : 0 }), negative);
  const digits = Math.min(precision, 9);
  const missing = spec.width - head.length > 1 ? Math.abs(spec.width - head.length - 1 - digits) : 0;
  const tail = '0'.repeat(precision - digits).padEnd(missing);
  return `${head}.${fraction.padStart(digits, '0')}${tail}`;
}

/** Before 1970 the fraction counts away from it, and is cut off towards the past. */
function split(nanoseconds: bigint, precision: number): { seconds: bigint; fraction: string; negative: boolean } {
  const rest = ((nanoseconds % SECOND) + SECOND) % SECOND;
  const seconds = (nanoseconds - rest) / SECOND;
  const divisor = 10n ** BigInt(9 - Math.min(precision, 9));
  const fraction = rest / divisor;
  if (seconds >= 0n || rest === 0n) return { seconds, fraction: String(fraction), negative: false };
  const away = SECOND / divisor - fraction - (rest % divisor === 0n ? 0n : 1n);
  const nearer = seconds + (away === 0n ? 0n : 1n);
  return { seconds: nearer, fraction: String(away), negative: nearer === 0n };
}

function sign(text: string, negative: boolean): string {
  return negative ? text.replace('0', '-0') : text;
}
