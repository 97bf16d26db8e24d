/** The ways od and hexdump show bytes: each makes text of some bytes at an offset. */
import { formatReal, PLAIN_SPEC } from '../number-format.js';
import { realFromNumber } from '../real.js';

export interface DumpType {
  /** Bytes of one item. */
  readonly size: number;
  /** Columns of one item, without the blank before it. */
  readonly width: number;
  /** `bytes` has `size` bytes at `at`. */
  readonly show: (bytes: Buffer, at: number) => string;
  /** `z`: the line ends with its characters. */
  readonly characters: boolean;
}

const NAMES =
  'nul soh stx etx eot enq ack bel bs ht nl vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us sp'.split(
    ' ',
  );

const ESCAPES: { readonly [byte: number]: string } = {
  0: '\\0',
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
};

function octal(value: number, width: number): string {
  return value.toString(8).padStart(width, '0');
}

export function characterOf(byte: number): string {
  return ESCAPES[byte] ?? (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : octal(byte, 3));
}

function nameOf(byte: number): string {
  const low = byte & 0x7f;
  return NAMES[low] ?? (low === 0x7f ? 'del' : String.fromCharCode(low));
}

export type IntegerBase = 'd' | 'u' | 'o' | 'x';

/** Columns of 1, 2, 4 and 8 bytes. */
const WIDTHS: { readonly [base in IntegerBase]: { readonly [size: number]: number } } = {
  d: { 1: 4, 2: 6, 4: 11, 8: 20 },
  u: { 1: 3, 2: 5, 4: 10, 8: 20 },
  o: { 1: 3, 2: 6, 4: 11, 8: 22 },
  x: { 1: 2, 2: 4, 4: 8, 8: 16 },
};

export function integerType(base: IntegerBase, size: number): DumpType {
  const width = WIDTHS[base][size] ?? 0;
  const radix = base === 'o' ? 8 : base === 'x' ? 16 : 10;
  const fill = base === 'o' || base === 'x';
  const read = (bytes: Buffer, at: number): number | bigint => {
    if (size === 8) return base === 'd' ? bytes.readBigInt64LE(at) : bytes.readBigUInt64LE(at);
    return base === 'd' ? bytes.readIntLE(at, size) : bytes.readUIntLE(at, size);
  };
  return {
    size,
    width,
    characters: false,
    show: (bytes, at) => {
      const text = read(bytes, at).toString(radix);
      return fill ? text.padStart(width, '0') : text;
    },
  };
}

export const CHARACTERS: DumpType = {
  size: 1,
  width: 3,
  characters: false,
  show: (bytes, at) => characterOf(bytes[at] as number),
};
export const NAMED: DumpType = {
  size: 1,
  width: 3,
  characters: false,
  show: (bytes, at) => nameOf(bytes[at] as number),
};

/** With as few digits as tell it from its neighbours. */
export function realType(size: 4 | 8): DumpType {
  const single = size === 4;
  const least = single ? 1.1754943508222875e-38 : 2.2250738585072014e-308;
  return {
    size,
    width: single ? 15 : 24,
    characters: false,
    show: (bytes, at) => {
      const value = single ? bytes.readFloatLE(at) : bytes.readDoubleLE(at);
      if (!Number.isFinite(value)) {
        const negative = ((bytes[at + size - 1] as number) & 0x80) !== 0;
        return `${negative ? '-' : ''}${Number.isNaN(value) ? 'nan' : 'inf'}`;
      }
      if (value === 0) return Object.is(value, -0) ? '-0' : '0';
      let precision = Math.abs(value) < least ? 1 : single ? 6 : 15;
      const back = (text: string): number => (single ? Math.fround(Number(text)) : Number(text));
      while (back(value.toPrecision(precision)) !== value) precision++;
      return formatReal(realFromNumber(value), 'g', { ...PLAIN_SPEC, precision });
    },
  };
}

/** Bytes as text; a dot for what cannot be shown. */
export function printable(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.';
  return text;
}
