/** Reads a printf format, once for each format: text, directives, and the place where it stops making sense. */
import { worked } from '../../src/text/work.js';
import { canonical, readEscape } from './escapes.js';
import type { RealConversion } from './number-format.js';

export interface Directive {
  readonly kind: 'directive';
  readonly conversion: 's' | 'c' | 'b' | 'q' | 'Q' | 'T' | 'd' | 'i' | 'u' | 'o' | 'x' | 'X' | RealConversion;
  readonly left: boolean;
  readonly zero: boolean;
  readonly plus: boolean;
  readonly space: boolean;
  readonly alternate: boolean;
  readonly width: number | '*';
  readonly precision: number | '*' | undefined;
  /** What stands between the parentheses of `%(...)T`. */
  readonly timeFormat: string;
}

export type Piece =
  /** Printed as it is; `errors` are said each time. */
  | { readonly kind: 'text'; readonly text: string; readonly errors: readonly string[] }
  | Directive
  /** Here printf gives up. */
  | { readonly kind: 'error'; readonly error: string };

const REMEMBERED = 64;
const compiled = new Map<string, readonly Piece[]>();

/** A script prints in loops: the last formats are kept. */
export function compileFormat(format: string): readonly Piece[] {
  const known = compiled.get(format);
  if (known !== undefined) return known;
  const pieces = new Compiler(format).compile();
  if (format.length <= 256) {
    if (compiled.size >= REMEMBERED) compiled.clear();
    compiled.set(format, pieces);
  }
  return pieces;
}

const CONVERSIONS = 'scbqQdiuoxXeEfFgGaA';

class Compiler {
  private readonly pieces: Piece[] = [];
  private text = '';
  private errors: string[] = [];
  private at = 0;
  private readonly format: string;

  constructor(format: string) {
    this.format = format;
  }

  compile(): readonly Piece[] {
    const { format } = this;
    for (let run = 0; ; ) {
      const unit = format[this.at];
      if (unit !== undefined && unit !== '\\' && unit !== '%') {
        this.at++;
        continue;
      }
      worked(128);
      this.text += format.slice(run, this.at);
      if (unit === undefined) break;
      if (unit === '\\') this.escape();
      else if (!this.percent()) return this.pieces;
      run = this.at;
    }
    this.endText();
    return this.pieces;
  }

  private escape(): void {
    const read = readEscape(this.format, this.at + 1, 'format');
    this.text += read.text;
    if (read.error !== undefined) this.errors.push(read.error);
    this.at = read.end;
  }

  /** A directive; false when the format ends here with an error. */
  private percent(): boolean {
    const { format } = this;
    const start = this.at++;
    if (format[this.at] === '%') {
      this.text += '%';
      this.at++;
      return true;
    }
    const flags = this.take("#'-+ 0");
    const width = this.count();
    let precision: number | '*' | undefined;
    if (format[this.at] === '.') {
      this.at++;
      const negative = format[this.at] === '-';
      if (negative) this.at++;
      precision = this.count();
      if (negative) precision = undefined;
    }
    this.take('hjlLtz');
    const conversion = format[this.at];
    if (conversion === undefined) return this.fail(`\`${format.slice(start)}': missing format character`);
    const shape = { kind: 'directive', ...readFlags(flags), width, precision } as const;
    if (conversion === '(') return this.timeDirective(start, shape);
    if (!isConversion(conversion)) return this.fail(`\`${conversion}': invalid format character`);
    this.at++;
    this.endText();
    this.pieces.push({ ...shape, conversion, timeFormat: '' });
    return true;
  }

  /** `%(...)T`; when no T follows, the `%` stands for itself. */
  private timeDirective(start: number, shape: Omit<Directive, 'conversion' | 'timeFormat'>): boolean {
    const { format } = this;
    const open = this.at + 1;
    let close = open;
    for (let depth = 1; close < format.length; close++) {
      if (format[close] === '(') depth++;
      else if (format[close] === ')' && --depth === 0) break;
    }
    if (format[close + 1] !== 'T') {
      this.errors.push(`warning: \`${format[close + 1] ?? ''}': invalid time format specification`);
      this.text += '%';
      this.at = start + 1;
      return true;
    }
    this.at = close + 2;
    this.endText();
    this.pieces.push({ ...shape, conversion: 'T', timeFormat: format.slice(open, close) });
    return true;
  }

  private take(units: string): string {
    const from = this.at;
    while (this.at < this.format.length && units.includes(this.format[this.at] as string)) this.at++;
    return this.format.slice(from, this.at);
  }

  /** Digits, or `*`. Nothing is 0. */
  private count(): number | '*' {
    if (this.format[this.at] === '*') {
      this.at++;
      return '*';
    }
    return Number(this.take('0123456789') || '0');
  }

  private fail(error: string): false {
    this.endText();
    this.pieces.push({ kind: 'error', error });
    return false;
  }

  private endText(): void {
    if (this.text === '' && this.errors.length === 0) return;
    this.pieces.push({ kind: 'text', text: canonical(this.text), errors: this.errors });
    this.text = '';
    this.errors = [];
  }
}

function isConversion(letter: string): letter is Exclude<Directive['conversion'], 'T'> {
  return CONVERSIONS.includes(letter);
}

function readFlags(flags: string): Pick<Directive, 'left' | 'zero' | 'plus' | 'space' | 'alternate'> {
  return {
    left: flags.includes('-'),
    zero: flags.includes('0'),
    plus: flags.includes('+'),
    space: flags.includes(' '),
    alternate: flags.includes('#'),
  };
}
