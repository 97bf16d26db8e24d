/** JSON as jq prints it. */
import { mapParts } from '../../src/text/work.js';
import { isArray, isObject, type Json, sortedKeys, typeOf } from './value.js';

export interface WriteStyle {
  /** Of each level; undefined: everything on one line. */
  readonly indent?: string | undefined;
  readonly sort?: boolean;
  readonly ascii?: boolean;
}

export function write(value: Json, style: WriteStyle = {}): string {
  const parts: string[] = [];
  append(value, style, '\n', parts);
  return parts.join('');
}

function append(value: Json, style: WriteStyle, newline: string, parts: string[]): void {
  if (typeof value === 'string') parts.push(quote(value, style.ascii === true));
  else if (typeof value === 'number') parts.push(numberText(value));
  else if (isArray(value)) appendArray(value, style, newline, parts);
  else if (isObject(value)) appendObject(value, style, newline, parts);
  else parts.push(`${value}`);
}

function appendArray(value: readonly Json[], style: WriteStyle, newline: string, parts: string[]): void {
  if (value.length === 0) {
    parts.push('[]');
    return;
  }
  const inner = newline + (style.indent ?? '');
  let before = '[';
  for (const item of value) {
    parts.push(before);
    if (style.indent !== undefined) parts.push(inner);
    append(item, style, inner, parts);
    before = ',';
  }
  parts.push(style.indent === undefined ? ']' : `${newline}]`);
}

function appendObject(value: ReadonlyMap<string, Json>, style: WriteStyle, newline: string, parts: string[]): void {
  if (value.size === 0) {
    parts.push('{}');
    return;
  }
  const inner = newline + (style.indent ?? '');
  const colon = style.indent === undefined ? ':' : ': ';
  let before = '{';
  for (const key of style.sort ? sortedKeys(value) : value.keys()) {
    parts.push(before);
    if (style.indent !== undefined) parts.push(inner);
    parts.push(quote(key, style.ascii === true), colon);
    append(value.get(key) ?? null, style, inner, parts);
    before = ',';
  }
  parts.push(style.indent === undefined ? '}' : `${newline}}`);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

export function quote(text: string, ascii: boolean): string {
  const escaped = mapParts(text, (part) => {
    const shown = part.replace(/["\\\u0000-\u001f\u007f]/g, (one) => ESCAPES[one] ?? unicode(one));
    return ascii ? shown.replace(/[\u0080-\uffff]/g, unicode) : shown;
  });
  return `"${escaped}"`;
}

function unicode(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The shortest digits that read back the same; what is no number is null, what is too large the largest. */
export function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return Object.is(value, -0) ? '-0' : `${value}`;
  if (Number.isNaN(value)) return 'null';
  const finite = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
  const [mantissa = '', power = '0'] = Math.abs(finite).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const point = Number(power) + 1;
  const sign = finite < 0 ? '-' : '';
  if (point <= -5 || point > digits.length + 15) {
    const exponent = point - 1;
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
    return `${sign}${digits[0]}${fraction}e${exponent < 0 ? '-' : '+'}${`${Math.abs(exponent)}`.padStart(2, '0')}`;
  }
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return sign + digits.padEnd(point, '0');
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** A value in a message: its type, and the beginning of its text. */
export function described(value: Json): string {
  // Of a long string no more is needed than can be seen.
  const seen = typeof value === 'string' && value.length > 64 ? value.slice(0, 64) : value;
  return `${typeOf(value)} (${cut(write(seen))})`;
}

/** As long as the buffers of jq are. */
export function cut(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length <= 14 ? text : `${bytes.subarray(0, 11).toString('utf8')}...`;
}
