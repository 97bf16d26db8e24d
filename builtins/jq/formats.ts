/** `@csv`, `@sh` and their like. */
import { quoteAlways } from '../../src/text/quote.js';
import { mapParts } from '../../src/text/work.js';
import { fail, isArray, type Json } from './value.js';
import { described, write } from './write.js';

export function format(name: string, value: Json): string {
  switch (name) {
    case 'text':
      return textOf(value);
    case 'json':
      return write(value);
    case 'csv':
      return row(name, value, ',', (text) => `"${mapParts(text, (part) => part.replaceAll('"', '""'))}"`);
    case 'tsv':
      return row(name, value, '\t', (text) =>
        mapParts(text, (part) => part.replace(/[\\\t\n\r]/g, (one) => TSV[one] ?? one)),
      );
    case 'html':
      return mapParts(textOf(value), (part) => part.replace(/[<>&'"]/g, (one) => HTML[one] ?? one));
    case 'uri':
      return mapParts(textOf(value), (part) => part.replace(/[^A-Za-z0-9_.!~*'()-]+/g, uriBytes));
    case 'sh':
      return isArray(value) ? value.map(shellWord).join(' ') : shellWord(value);
    case 'base64':
      return Buffer.from(textOf(value)).toString('base64');
    case 'base64d':
      return decodeBase64(value);
    default:
      return fail(`${name} is not a valid format`);
  }
}

export function textOf(value: Json): string {
  return typeof value === 'string' ? value : write(value);
}

const TSV: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const HTML: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', "'": '&apos;', '"': '&quot;' };

function row(name: string, value: Json, separator: string, quoted: (text: string) => string): string {
  if (!isArray(value)) return fail(`${described(value)} cannot be ${name}-formatted, only array`);
  return value
    .map((cell) => {
      if (typeof cell === 'string') return quoted(cell);
      if (cell === null) return '';
      if (typeof cell === 'object') return fail(`${described(cell)} is not valid in a csv row`);
      return write(cell);
    })
    .join(separator);
}

function shellWord(value: Json): string {
  if (typeof value === 'string') return quoteAlways(value);
  if (value !== null && typeof value === 'object') return fail(`${described(value)} can not be escaped for shell`);
  return write(value);
}

function uriBytes(text: string): string {
  let out = '';
  for (const byte of Buffer.from(text)) out += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  return out;
}

function decodeBase64(value: Json): string {
  const text = textOf(value);
  const digits = text.replace(/=+$/, '');
  if (/[^A-Za-z0-9+/]/.test(digits) || digits.length % 4 === 1) {
    return fail(`${described(text)} is not valid base64 data`);
  }
  return Buffer.from(digits, 'base64').toString('utf8');
}
