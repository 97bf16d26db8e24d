/** od: show bytes as numbers and characters. */
import { limitReached } from '../src/limits.js';
import { andThen } from '../src/steps.js';
import { gnuQuote, gnuQuoteIfNeeded, gnuQuoteValue } from '../src/text/quote.js';
import { watched } from '../src/text/work.js';
import { BadValue, defineBuiltin } from './kit/define.js';
import { eachByteSpan } from './kit/dump/span.js';
import { CHARACTERS, type DumpType, type IntegerBase, integerType, NAMED, realType } from './kit/dump/types.js';
import { failingAs } from './kit/failing.js';
import { lastOf } from './kit/given.js';
import { parseInteger } from './kit/numbers.js';
import { Dump } from './od/dump.js';
import { StringDump } from './od/strings.js';

/** Letters that are `-t` with something. */
const OLD = {
  a: 'a',
  b: 'o1',
  c: 'c',
  d: 'u2',
  f: 'fF',
  h: 'x2',
  i: 'dI',
  l: 'dL',
  o: 'o2',
  s: 'd2',
  x: 'x2',
} as const;

export const od = defineBuiltin({
  name: 'od',
  summary: 'show bytes as numbers and characters',
  needs: ['read'],
  usage: 'od [OPTION]... [FILE]...',
  notes: `TYPE is one or more of a (names), c (characters), d (signed), u (unsigned), o (octal), x (hexadecimal), f (real numbers), the last five with
a size: 1, 2, 4, 8 or C, S, I, L (F, D for f); a z after it adds the characters.`,
  flags: {
    radix: {
      short: 'A',
      long: 'address-radix',
      value: 'RADIX',
      parse: parseRadix,
      help: 'addresses in d, o or x; n: none',
    },
    skip: { short: 'j', long: 'skip-bytes', value: 'BYTES', parse: bytes, help: 'skip BYTES first' },
    count: { short: 'N', long: 'read-bytes', value: 'BYTES', parse: bytes, help: 'show no more than BYTES' },
    strings: {
      short: 'S',
      value: 'BYTES',
      parse: bytes,
      help: 'strings of BYTES or more printable characters that end with a NUL',
    },
    stringsLong: {
      long: 'strings',
      value: 'BYTES',
      optional: true,
      parse: bytes,
      help: 'the same; 3 when left out',
    },
    type: { short: 't', long: 'format', value: 'TYPE', repeat: true, parse: typesOrGoOn, help: 'how to show bytes' },
    all: { short: 'v', long: 'output-duplicates', help: 'do not put * for lines that are the same' },
    width: {
      short: 'w',
      long: 'width',
      value: 'BYTES',
      optional: true,
      parse: bytes,
      help: 'BYTES on a line; 32 when left out',
    },
    a: { short: 'a', help: 'the same as -t a' },
    b: { short: 'b', help: 'the same as -t o1' },
    c: { short: 'c', help: 'the same as -t c' },
    d: { short: 'd', help: 'the same as -t u2' },
    f: { short: 'f', help: 'the same as -t fF' },
    h: { short: 'h', help: 'the same as -t x2' },
    i: { short: 'i', help: 'the same as -t dI' },
    l: { short: 'l', help: 'the same as -t dL' },
    o: { short: 'o', help: 'the same as -t o2' },
    s: { short: 's', help: 'the same as -t d2' },
    x: { short: 'x', help: 'the same as -t x2' },
  },
  statuses: { 0: 'all input was shown', 1: 'some file could not be read' },

  run(context) {
    const { flags, given, operands, out } = context;
    const types: DumpType[] = [];
    for (const { flag, value } of given) {
      const list =
        flag === 'type'
          ? (value as readonly DumpType[])
          : Object.hasOwn(OLD, flag)
            ? parseTypes(OLD[flag as keyof typeof OLD])
            : [];
      if (!(list instanceof BadValue)) types.push(...list);
    }
    const shortest = lastOf(given, ['strings', 'stringsLong'])?.value;
    if (shortest !== undefined && types.length > 0) {
      context.complain('no type may be specified when dumping strings');
      return 1;
    }
    if (types.length === 0) types.push(integerType('o', 2));
    const unit = Math.max(...types.map(({ size }) => size));
    let width = flags.width === true ? 32 : (flags.width ?? 16);
    /** What is said once the bytes to skip are skipped. */
    let warning: string | undefined;
    if (width === 0 || width % unit !== 0) {
      warning = `warning: invalid width ${width}; using ${unit} instead`;
      width = unit;
    }
    const warn = (): void => {
      if (warning !== undefined) context.complain(warning);
      warning = undefined;
    };
    const { maxStringBytes } = context.limits;
    // What one line shows is put together before it is printed.
    if (Math.max(...types.map((type) => (width / type.size) * (type.width + 1))) > maxStringBytes) {
      throw limitReached('maxStringBytes', maxStringBytes);
    }
    const skip = flags.skip ?? 0;
    const radix = flags.radix ?? 'o';
    const base = radix === 'd' ? 10 : radix === 'x' ? 16 : 8;
    const address = (offset: number): string =>
      radix === 'n' ? '' : offset.toString(base).padStart(radix === 'x' ? 6 : 7, '0');
    const dump =
      shortest === undefined
        ? new Dump({ types, width, address, all: flags.all === true }, skip)
        : new StringDump(context.limits, shortest === true ? 3 : Number(shortest), address, skip);
    const print = (text: string) => (text === '' ? undefined : out.write(text));
    const read = eachByteSpan(failingAs(context, nameOf), operands, { skip, count: flags.count }, (chunk) => {
      warn();
      return print(watched(context.look, () => dump.take(chunk)));
    });
    return andThen(read, ({ status, missing, opened }) => {
      if (opened === 0) return status;
      if (missing > 0) {
        if (status === 0) context.complain('cannot skip past end of combined input');
        return 1;
      }
      warn();
      return andThen(print(watched(context.look, () => dump.end())), () => status);
    });
  },
});

function nameOf(operand: string, reading: boolean): string {
  return reading && operand === '-' ? gnuQuote('standard input') : gnuQuoteIfNeeded(operand);
}

function parseRadix(text: string): 'd' | 'o' | 'x' | 'n' | BadValue {
  const letter = text[0];
  if (letter === 'd' || letter === 'o' || letter === 'x' || letter === 'n') return letter;
  return new BadValue(`invalid output address radix '${letter ?? ''}'; it must be one character from [doxn]`);
}

/** `0x10` and `010` too. */
function bytes(text: string, option: string): number | BadValue {
  const match = /^(0[xX][0-9a-fA-F]+|0[0-7]+)(.*)$/.exec(text);
  const based = match === null ? text : `${Number(match[1]?.replace(/^0(?![xX])/, '0o'))}${match[2]}`;
  const read = parseInteger(based, { suffixes: 'bkKmMGTPEZY0' });
  if (read.kind === 'value') return Number(read.value);
  if (read.kind === 'overflow') return new BadValue(`${option} argument '${text}' too large`);
  return new BadValue(`invalid ${read.kind === 'suffix' ? 'suffix in ' : ''}${option} argument '${text}'`);
}

const SIZES: { readonly [letter: string]: number } = { C: 1, S: 2, I: 4, L: 8, F: 4, D: 8 };

/** GNU says what is wrong with a type, and reads the options after it. */
function typesOrGoOn(text: string): readonly DumpType[] | BadValue {
  const types = parseTypes(text);
  return types instanceof BadValue ? new BadValue(types.message, false, true) : types;
}

function parseTypes(text: string): readonly DumpType[] | BadValue {
  const types: DumpType[] = [];
  for (let at = 0; at < text.length; ) {
    const letter = text[at++] as string;
    let type: DumpType | undefined;
    if (letter === 'a') type = NAMED;
    else if (letter === 'c') type = CHARACTERS;
    else if ('duoxf'.includes(letter)) {
      const real = letter === 'f';
      const written = /^[0-9]+/.exec(text.slice(at))?.[0] ?? '';
      const named = written === '' && (real ? 'FD' : 'CSIL').includes(text[at] ?? '-') ? (text[at] as string) : '';
      at += written.length + named.length;
      const size = written !== '' ? Number(written) : named !== '' ? (SIZES[named] as number) : real ? 8 : 4;
      if (real && (size === 4 || size === 8)) type = realType(size);
      else if (!real && [1, 2, 4, 8].includes(size)) type = integerType(letter as IntegerBase, size);
      else {
        const kind = real ? 'floating point' : 'integral';
        return new BadValue(
          `invalid type string ${gnuQuoteValue(text)};\nthis system doesn't provide a ${size}-byte ${kind} type`,
        );
      }
    }
    if (type === undefined) {
      return new BadValue(`invalid character '${letter}' in type string ${gnuQuoteValue(text)}`);
    }
    const characters = text[at] === 'z';
    if (characters) at++;
    types.push(characters ? { ...type, characters } : type);
  }
  return types;
}
