/**
 * The format engine of the shell's `printf`: bash's conversions, its reuse of the format, and its words for what is wrong.
 * A pure function from strings to strings; a NUL is '\0', a byte that is not text a lone surrogate.
 */
import { limitReached } from '../../src/limits.js';
import { byteLength, decode, encode } from '../../src/text/bytes.js';
import { worked } from '../../src/text/work.js';
import { byteUnit, canonical, expandEscapes } from './escapes.js';
import { type ParsedInteger, parseSigned, parseUnsigned } from './integers.js';
import { formatReal, formatSigned, formatUnsigned, type NumberSpec } from './number-format.js';
import { compileFormat, type Directive, type Piece } from './printf-format.js';
import { type ParsedReal, parseReal, type Real, realFromBigInt } from './real.js';
import { backslashQuote } from './shell-quote.js';
import { strftime } from './strftime.js';

export interface PrintfOptions {
  /** For `%(fmt)T`: seconds since 1970 now and when the shell started, and the time zone (as `$TZ`). */
  readonly time?: { readonly now: () => number; readonly shellStart: () => number; readonly timeZone: string };
  /** The longest output in bytes; more ends the run (`maxStringBytes`). */
  readonly maxBytes?: number;
}

export interface Printed {
  readonly output: string;
  /** Messages for the error stream, in order, without `printf: `. */
  readonly errors: readonly string[];
  /** 0, or 1 when a value was no number or the format is wrong; what was printed until then is in `output`. */
  readonly status: number;
  /** A `\c` in an argument of `%b` ended the output. */
  readonly stop: boolean;
}

const NO_ERRORS: readonly string[] = [];

export function formatPrintf(format: string, args: readonly string[], options: PrintfOptions = {}): Printed {
  const pieces = compileFormat(format);
  const only = pieces[0];
  if (pieces.length === 1 && only?.kind === 'text' && only.errors.length === 0) {
    return { output: only.text, errors: NO_ERRORS, status: 0, stop: false };
  }
  const printer = new Printer(args, options);
  do printer.pass(pieces);
  while (printer.again());
  return { output: canonical(printer.output), errors: printer.errors, status: printer.status, stop: printer.stop };
}

class Printer {
  output = '';
  readonly errors: string[] = [];
  status = 0;
  stop = false;
  private next = 0;
  /** `next` when the pass began: a pass that takes no argument is the last. */
  private began = 0;
  private ended = false;
  private readonly args: readonly string[];
  private readonly options: PrintfOptions;

  constructor(args: readonly string[], options: PrintfOptions) {
    this.args = args;
    this.options = options;
  }

  again(): boolean {
    return !this.ended && this.next < this.args.length && this.next > this.began;
  }

  pass(pieces: readonly Piece[]): void {
    this.began = this.next;
    for (const piece of pieces) {
      worked(32);
      if (piece.kind === 'text') {
        this.output += piece.text;
        for (const error of piece.errors) this.errors.push(error);
      } else if (piece.kind === 'directive') {
        this.output += this.convert(piece);
        if (this.stop) this.ended = true;
      } else {
        this.errors.push(piece.error);
        this.status = 1;
        this.ended = true;
      }
      if (this.ended) return;
    }
    this.checkLength(0);
  }

  private convert(directive: Directive): string {
    const spec = this.resolve(directive);
    if (spec === undefined) return '';
    this.checkLength(Math.max(spec.width, isNumeric(directive) ? (spec.precision ?? 0) : 0));
    const conversion = directive.conversion;
    switch (conversion) {
      case 's':
        return field(this.text(), spec);
      case 'c':
        return character(this.text(), spec);
      case 'b': {
        const { text, stop, errors } = expandEscapes(this.text(), 'argument');
        for (const error of errors) this.errors.push(error);
        this.stop = stop;
        return field(text, spec);
      }
      case 'q':
        return field(backslashQuote(this.text()), spec);
      case 'Q':
        return field(backslashQuote(cut(this.text(), spec.precision)), { ...spec, precision: undefined });
      case 'T':
        return field(this.time(directive.timeFormat), spec);
      case 'd':
      case 'i':
        return formatSigned(this.integer(parseSigned), spec);
      case 'u':
      case 'o':
      case 'x':
      case 'X':
        return formatUnsigned(this.integer(parseUnsigned), conversion, spec);
      default:
        return formatReal(this.real(), conversion, spec);
    }
  }

  /** The directive with its `*` filled in; undefined when its width is one that printf(3) refuses. */
  private resolve(directive: Directive): NumberSpec | undefined {
    if (isComplete(directive)) return directive;
    let { left } = directive;
    let width = directive.width;
    if (width === '*') {
      width = this.starred();
      if (width < 0) {
        left = true;
        width = -width;
      }
    }
    let precision = directive.precision;
    if (precision === '*') {
      const given = this.starred();
      precision = given < 0 ? undefined : given;
    }
    if (width > INT_MAX || (precision ?? 0) > INT_MAX) return undefined;
    return { ...directive, left, width, precision };
  }

  private starred(): number {
    const value = this.integer(parseSigned);
    if (value <= INT_MAX && value >= -INT_MAX - 1) return Number(value);
    this.outOfRange(this.args[this.next - 1] ?? '');
    return INT_MAX;
  }

  private text(): string {
    return this.args[this.next++] ?? '';
  }

  private integer(parse: (text: string, anyBase: boolean) => ParsedInteger): number | bigint {
    if (this.next >= this.args.length) return this.missing();
    const text = this.text();
    if (isQuoted(text)) return characterCode(text);
    const parsed = parse(text, true);
    this.check(text, parsed);
    return parsed.value;
  }

  private real(): Real {
    if (this.next >= this.args.length) return realFromBigInt(BigInt(this.missing()));
    const text = this.text();
    if (isQuoted(text)) return realFromBigInt(BigInt(characterCode(text)));
    const parsed = parseReal(text);
    this.check(text, parsed);
    return parsed.value;
  }

  private missing(): 0 {
    this.next++;
    return 0;
  }

  private check(text: string, parsed: ParsedInteger | ParsedReal): void {
    if (parsed.end < text.length) {
      this.errors.push(`${text}: ${invalidNumber(text)}`);
      this.status = 1;
    } else if (parsed.outOfRange) this.outOfRange(text);
  }

  private outOfRange(text: string): void {
    this.errors.push(`warning: ${text}: Numerical result out of range`);
  }

  private time(format: string): string {
    const given = this.next < this.args.length ? this.integer(parseSigned) : this.missing() - 1;
    const time = this.options.time;
    if (time === undefined) return '';
    const seconds = given === -1 ? time.now() : given === -2 ? time.shellStart() : given;
    const text = strftime(format === '' ? '%X' : format, { seconds, nanoseconds: undefined }, time.timeZone);
    return text === undefined || byteLength(text) >= TIME_BUFFER ? '' : text;
  }

  /** Also before a field of `more` bytes is made. */
  private checkLength(more: number): void {
    const limit = this.options.maxBytes;
    if (limit === undefined || this.output.length + more <= limit) return;
    throw limitReached('maxStringBytes', limit);
  }
}

const INT_MAX = 2 ** 31 - 1;
/** bash formats a time into so many bytes, and drops what does not fit. */
const TIME_BUFFER = 128;

/** Nothing to fill in, and nothing that printf(3) refuses: as most are. */
function isComplete(directive: Directive): directive is Directive & NumberSpec {
  const { width, precision } = directive;
  return width !== '*' && precision !== '*' && width <= INT_MAX && (precision === undefined || precision <= INT_MAX);
}

function isNumeric(directive: Directive): boolean {
  return !'scbqQT'.includes(directive.conversion);
}

function invalidNumber(text: string): string {
  if (text[0] !== '0') return 'invalid number';
  const second = text.charCodeAt(1);
  if (second >= 0x30 && second <= 0x39) return 'invalid octal number';
  return text[1] === 'x' ? 'invalid hex number' : 'invalid number';
}

/** `'a` and `"a` are the code of a character. */
function isQuoted(text: string): boolean {
  return text[0] === "'" || text[0] === '"';
}

function characterCode(text: string): number {
  const code = text.codePointAt(1) ?? 0;
  return code >= 0xdc80 && code <= 0xdcff ? code - 0xdc00 : code;
}

/** Width and precision of text count bytes. */
function field(text: string, spec: NumberSpec): string {
  const shown = cut(text, spec.precision);
  if (spec.width === 0) return shown;
  const missing = spec.width - byteLength(shown);
  if (missing <= 0) return shown;
  return spec.left ? shown + ' '.repeat(missing) : ' '.repeat(missing) + shown;
}

/** The first `bytes` bytes: a character that is cut leaves its first bytes. */
function cut(text: string, bytes: number | undefined): string {
  if (bytes === undefined) return text;
  const encoded = encode(text.slice(0, bytes + 1));
  return encoded.length <= bytes ? text.slice(0, bytes + 1) : decode(encoded.subarray(0, bytes));
}

/** The first byte; a NUL where there is none. */
function character(text: string, spec: NumberSpec): string {
  const first = text === '' ? '\0' : byteUnit(encode(text.slice(0, 2))[0] as number);
  const padding = ' '.repeat(Math.max(0, spec.width - 1));
  return spec.left ? first + padding : padding + first;
}
