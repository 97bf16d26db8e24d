/** Formats of seq: text with exactly one conversion of a real number. */
import { gnuQuoteValue } from '../../src/text/quote.js';
import { BadValue } from '../kit/define.js';
import { formatReal, type NumberSpec, PLAIN_SPEC, type RealConversion } from '../kit/number-format.js';
import type { Real } from '../kit/real.js';
import type { Operand } from './operands.js';

export interface SeqFormat {
  readonly prefix: string;
  readonly suffix: string;
  readonly spec: NumberSpec;
  readonly conversion: RealConversion;
}

export function formatNumber(format: SeqFormat, value: Real): string {
  return formatReal(value, format.conversion, format.spec);
}

const DIRECTIVE = /^%([-+#0 ']*)([0-9]*)(\.[0-9]*)?L?/;

export function parseFormat(text: string): SeqFormat | BadValue {
  const shown = gnuQuoteValue(text);
  const at = nextPercent(text, 0);
  if (at < 0) return new BadValue(`format ${shown} has no % directive`);
  const [head = '', flags = '', width = '', precision] = DIRECTIVE.exec(text.slice(at)) ?? [];
  const conversion = text[at + head.length];
  if (conversion === undefined) return new BadValue(`format ${shown} ends in %`);
  if (!isConversion(conversion)) return new BadValue(`format ${shown} has unknown %${conversion} directive`);
  const rest = at + head.length + 1;
  if (nextPercent(text, rest) >= 0) return new BadValue(`format ${shown} has too many % directives`);
  return {
    prefix: text.slice(0, at).replaceAll('%%', '%'),
    suffix: text.slice(rest).replaceAll('%%', '%'),
    conversion,
    spec: {
      left: flags.includes('-'),
      zero: flags.includes('0'),
      plus: flags.includes('+'),
      space: flags.includes(' '),
      alternate: flags.includes('#'),
      width: Number(width),
      precision: precision === undefined ? undefined : Number(precision.slice(1)),
    },
  };
}

/** A `%` that is not doubled. */
function nextPercent(text: string, from: number): number {
  for (let at = text.indexOf('%', from); at >= 0; at = text.indexOf('%', at + 2)) {
    if (text[at + 1] !== '%') return at;
  }
  return -1;
}

function isConversion(letter: string): letter is RealConversion {
  return 'efgaEFGA'.includes(letter);
}

/** As precise as the operands, and with `equalWidth` as wide as the widest. */
export function defaultFormat(first: Operand, step: Operand, last: Operand, equalWidth: boolean): SeqFormat {
  const plain = { prefix: '', suffix: '' } as const;
  const precision = Math.max(first.precision, step.precision);
  if (!Number.isFinite(precision) || !Number.isFinite(last.precision)) {
    return { ...plain, conversion: 'g', spec: PLAIN_SPEC };
  }
  const spec = { ...PLAIN_SPEC, precision };
  if (!equalWidth) return { ...plain, conversion: 'f', spec };
  let firstWidth = first.width + precision - first.precision;
  let lastWidth = last.width + precision - last.precision;
  if (last.precision > 0 && precision === 0) lastWidth--;
  if (last.precision === 0 && precision > 0) lastWidth++;
  if (first.precision === 0 && precision > 0) firstWidth++;
  return { ...plain, conversion: 'f', spec: { ...spec, zero: true, width: Math.max(firstWidth, lastWidth) } };
}
