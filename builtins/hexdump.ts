/** hexdump: show bytes in hexadecimal. */
import { andThen } from '../src/steps.js';
import { BadValue, defineBuiltin } from './kit/define.js';
import { eachByteSpan } from './kit/dump/span.js';
import { characterOf, printable } from './kit/dump/types.js';
import { failingAs } from './kit/failing.js';
import { lastOf } from './kit/given.js';
import { notStandardInput } from './kit/input.js';
import { parseInteger } from './kit/numbers.js';

export const hexdump = defineBuiltin({
  name: 'hexdump',
  summary: 'show bytes in hexadecimal',
  needs: ['read'],
  usage: 'hexdump [OPTION]... [FILE]...',
  notes: 'Without an option that says how: two bytes at a time, in hexadecimal.',
  flags: {
    octal: { short: 'b', long: 'one-byte-octal', help: 'bytes in octal' },
    characters: { short: 'c', long: 'one-byte-char', help: 'bytes as characters' },
    canonical: { short: 'C', long: 'canonical', help: 'bytes in hexadecimal, and their characters' },
    decimal: { short: 'd', long: 'two-bytes-decimal', help: 'two bytes in decimal' },
    octals: { short: 'o', long: 'two-bytes-octal', help: 'two bytes in octal' },
    hex: { short: 'x', long: 'two-bytes-hex', help: 'two bytes in hexadecimal' },
    length: {
      short: 'n',
      long: 'length',
      value: 'LENGTH',
      parse: size('length'),
      help: 'show no more than LENGTH bytes',
    },
    skip: { short: 's', long: 'skip', value: 'OFFSET', parse: size('offset'), help: 'skip OFFSET bytes first' },
    all: { short: 'v', long: 'no-squeezing', help: 'do not put * for lines that are the same' },
  },
  statuses: { 0: 'all input was shown', 1: 'some file could not be read' },

  run(context) {
    const { flags, given, operands, out } = context;
    const how = lastOf(given, ['octal', 'characters', 'canonical', 'decimal', 'octals', 'hex'])?.flag;
    const wide = how === 'canonical' ? 8 : 7;
    const address = (offset: number): string => offset.toString(16).padStart(wide, '0');
    const show = lineOf(how);
    let offset = flags.skip ?? 0;
    let kept = Buffer.alloc(0);
    let before: Buffer | undefined;
    let starred = false;
    const line = (bytes: Buffer, full: boolean): string => {
      const same = full && flags.all !== true && before?.equals(bytes) === true;
      const text = same ? (starred ? '' : '*\n') : `${address(offset)}${show(bytes)}\n`;
      starred = same;
      before = Buffer.from(bytes);
      offset += bytes.length;
      return text;
    };
    const input = failingAs(context, (operand) => (operand === './-' ? '-' : operand));
    const read = eachByteSpan(input, operands.map(notStandardInput), { skip: offset, count: flags.length }, (chunk) => {
      const all = Buffer.concat([kept, chunk]);
      let text = '';
      let at = 0;
      for (; at + 16 <= all.length; at += 16) text += line(all.subarray(at, at + 16), true);
      kept = all.subarray(at);
      return out.write(text);
    });
    return andThen(read, ({ missing, unopened }) => {
      // What could be opened and not be read has been said, and changes no status.
      const status = unopened > 0 ? 1 : 0;
      if (unopened > 0 && unopened === operands.length) {
        context.complain('all input file arguments failed');
        return 1;
      }
      offset -= missing;
      const rest = kept.length > 0 ? line(kept, false) : '';
      const end = offset === 0 ? '' : `${address(offset)}\n`;
      return andThen(out.write(rest + end), () => status);
    });
  },
});

type How = 'octal' | 'characters' | 'canonical' | 'decimal' | 'octals' | 'hex' | undefined;

/** A line without its address; a short one is filled with blanks. */
function lineOf(how: How): (bytes: Buffer) => string {
  if (how === 'canonical') {
    return (bytes) => {
      const hex = Array.from(bytes, (byte, i) => `${i % 8 === 0 ? ' ' : ''} ${byte.toString(16).padStart(2, '0')}`);
      return `${hex.join('').padEnd(50)}  |${printable(bytes)}|`;
    };
  }
  if (how === 'octal' || how === 'characters') {
    const one = (byte: number): string =>
      how === 'octal' ? byte.toString(8).padStart(3, '0') : characterOf(byte).padStart(3);
    return (bytes) =>
      Array.from(bytes, (byte) => ` ${one(byte)}`)
        .join('')
        .padEnd(64);
  }
  const [width, digits, base] =
    how === 'decimal' ? [8, 5, 10] : how === 'octals' ? [8, 6, 8] : how === 'hex' ? [8, 4, 16] : [5, 4, 16];
  return (bytes) => {
    let text = '';
    for (let at = 0; at < bytes.length; at += 2) {
      const value = (bytes[at] as number) + (bytes[at + 1] ?? 0) * 256;
      text += value.toString(base).padStart(digits, '0').padStart(width);
    }
    return text.padEnd(8 * width);
  };
}

function size(what: string): (text: string) => number | BadValue {
  return (text) => {
    const based = /^0[xX][0-9a-fA-F]+$/.test(text) ? String(Number(text)) : text;
    const read = parseInteger(based, { suffixes: 'bkKmMGTPEZY0' });
    return read.kind === 'value' ? Number(read.value) : new BadValue(`failed to parse ${what}: '${text}'`);
  };
}
