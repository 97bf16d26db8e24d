/** What `-d` names: one character, or an escape as in C. */
import { byteLength, encode } from '../../src/text/bytes.js';
import { BadValue } from '../kit/define.js';

const ESCAPES: { readonly [letter: string]: number } = {
  a: 0x07,
  b: 0x08,
  f: 0x0c,
  n: 0x0a,
  r: 0x0d,
  t: 0x09,
  v: 0x0b,
  '\\': 0x5c,
};

/** The byte, or what is wrong. */
export function parseDelimiter(text: string): number | BadValue {
  if (byteLength(text) === 1) return encode(text)[0] as number; // one byte
  if (!text.startsWith('\\')) {
    return new BadValue(
      `Invalid input delimiter specification ${text}: the delimiter must be either a single character or an escape sequence starting with \\.`,
    );
  }
  const letter = text[1] as string; // two units or more
  const known = text.length === 2 ? ESCAPES[letter] : undefined;
  if (known !== undefined) return known;
  if (letter === 'x') return parseNumber(text, text.slice(2), 16, 'ff');
  return letter >= '0' && letter <= '7'
    ? parseNumber(text, text.slice(1), 8, '377')
    : new BadValue(`Invalid escape sequence ${text} in input delimiter specification.`);
}

function parseNumber(text: string, digits: string, base: number, most: string): number | BadValue {
  const head = (base === 16 ? /^[0-9a-fA-F]*/ : /^[0-7]*/).exec(digits)?.[0] ?? '';
  const value = head === '' ? 0 : Number.parseInt(head, base);
  if (value > 0xff) {
    return new BadValue(
      `Invalid escape sequence ${text} in input delimiter specification; character values must not exceed ${most}.`,
    );
  }
  if (head.length < digits.length) {
    return new BadValue(
      `Invalid escape sequence ${text} in input delimiter specification; trailing characters ${digits.slice(head.length)} not recognised.`,
    );
  }
  return value;
}
