/**
 * Bytes and shell strings. A shell string is UTF-8 decoded into a JavaScript string, in which each byte that is not part of
 * valid UTF-8 is one lone surrogate, U+DC80 to U+DCFF; encoding gives the same bytes back.
 *
 * Text commands hold data as *byte strings* instead: latin1, one character a byte (`toByteString`, `fromByteString`).
 */
import { isUtf8 } from 'node:buffer';

/** U+DC00 plus an invalid byte (0x80 to 0xFF) is how the byte stands in a string. */
const BYTE_BASE = 0xdc00;

function isByteUnit(unit: number): boolean {
  return unit >= 0xdc80 && unit <= 0xdcff;
}

export function isHigh(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

export function isLow(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}

/** The bytes of a shell string. A lone surrogate that stands for no byte becomes U+FFFD. */
export function encode(text: string): Buffer {
  return text.isWellFormed() ? Buffer.from(text, 'utf8') : encodeIllFormed(text);
}

function encodeIllFormed(text: string): Buffer {
  const out = Buffer.allocUnsafe(byteLength(text));
  let at = 0;
  let run = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if ((unit & 0xf800) !== 0xd800) continue;
    if (isHigh(unit) && isLow(text.charCodeAt(i + 1))) {
      i++;
      continue;
    }
    if (!isByteUnit(unit)) continue; // Buffer itself writes U+FFFD
    if (run < i) at += out.write(text.slice(run, i), at, 'utf8');
    out[at++] = unit - BYTE_BASE;
    run = i + 1;
  }
  if (run < text.length) at += out.write(text.slice(run), at, 'utf8');
  return out;
}

/** The shell string of `bytes`: `encode(decode(bytes))` is `bytes`, whatever they are. */
export function decode(bytes: Uint8Array): string {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(buffer) ? buffer.toString('utf8') : decodeInvalid(buffer);
}

function decodeInvalid(bytes: Buffer): string {
  let text = '';
  let run = 0;
  for (let i = 0; i < bytes.length; ) {
    const length = sequenceLength(bytes, i);
    if (length > 0) {
      i += length;
      continue;
    }
    if (run < i) text += bytes.toString('utf8', run, i);
    text += String.fromCharCode(BYTE_BASE + (bytes[i] as number));
    i++;
    run = i;
  }
  return run < bytes.length ? text + bytes.toString('utf8', run) : text;
}

/** The length of the valid UTF-8 sequence that starts at `i`, or 0 (RFC 3629: no overlong forms, surrogates, or above U+10FFFF). */
export function sequenceLength(bytes: Uint8Array, i: number): number {
  const lead = bytes[i] ?? 0;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const second = bytes[i + 1] ?? 0;
  if (lead < 0xe0) return (second & 0xc0) === 0x80 ? 2 : 0;
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high || ((bytes[i + 2] ?? 0) & 0xc0) !== 0x80) return 0;
  if (lead < 0xf0) return 3;
  return ((bytes[i + 3] ?? 0) & 0xc0) === 0x80 ? 4 : 0;
}

/** How many bytes `encode(text)` has. */
export function byteLength(text: string): number {
  const length = Buffer.byteLength(text, 'utf8');
  if (length === text.length || text.isWellFormed()) return length;
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (isHigh(unit) && isLow(text.charCodeAt(i + 1))) i++;
    else if (isByteUnit(unit)) bytes++;
  }
  return length - 2 * bytes; // Buffer counts three for each
}

/**
 * Orders strings as their encoded bytes, without encoding: negative, 0 or positive. UTF-8 orders as code points do, but JavaScript
 * orders by UTF-16 unit, and an invalid byte may equal a part of a valid character.
 */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  let i = 0;
  while (i < shared && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  if (i === shared) return compareTails(a, b, i);
  const x = a.charCodeAt(i);
  const y = b.charCodeAt(i);
  if (x < 0xd800 && y < 0xd800) return x - y;
  return compareTails(a, b, i);
}

/** `i` is the first difference, or the end of one string, where surrogates may be involved. */
function compareTails(a: string, b: string, i: number): number {
  const start = i > 0 && isHigh(a.charCodeAt(i - 1)) ? i - 1 : i;
  const x = a.codePointAt(start);
  const y = b.codePointAt(start);
  if (x === undefined || y === undefined) return a.length - b.length;
  if (x !== y && !isLone(x) && !isLone(y)) return x - y;
  return Buffer.compare(encode(a.slice(start)), encode(b.slice(start)));
}

function isLone(codePoint: number): boolean {
  return (codePoint & ~0x7ff) === 0xd800;
}

/** The number of characters: code points, an invalid byte being one. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    if (isHigh(text.charCodeAt(i)) && isLow(text.charCodeAt(i + 1))) {
      count--;
      i++;
    }
  }
  return count;
}

/** The UTF-16 index that is `count` characters after index `from`; the end of the text when there are fewer. */
export function skipCodePoints(text: string, count: number, from = 0): number {
  let i = from;
  for (let n = count; n > 0 && i < text.length; n--) {
    i += isHigh(text.charCodeAt(i)) && isLow(text.charCodeAt(i + 1)) ? 2 : 1;
  }
  return i;
}

/** Characters `start` to `end` (exclusive), counted in code points; neither may be negative. */
export function sliceCodePoints(text: string, start: number, end = Number.POSITIVE_INFINITY): string {
  const from = skipCodePoints(text, start);
  return end === Number.POSITIVE_INFINITY
    ? text.slice(from)
    : text.slice(from, skipCodePoints(text, end - start, from));
}

/** Whether each unit is below U+0080. A loop and not a RegExp: it is as fast, and V8 does it on the flat string. */
export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

/** A shell string as a byte string: one latin1 character for each byte. */
export function toByteString(text: string): string {
  return isAscii(text) ? text : encode(text).toString('latin1');
}

/** The shell string of a byte string. */
export function fromByteString(bytes: string): string {
  return isAscii(bytes) ? bytes : decode(Buffer.from(bytes, 'latin1'));
}
