/** `$'...'` decoded, and what a word is known to be. */
import type { Word, WordPart } from './ast.js';

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '?': '?',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const NUMERIC_ESCAPE = /x([0-9A-Fa-f]{1,2})|([0-7]{1,3})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|c([\s\S])/y;

/**
 * The text between `$'` and `'` with its escapes decoded (POSIX.1-2024 2.2.4). As in bash, it ends at a NUL. A byte that
 * is not part of UTF-8 is written as a lone surrogate U+DC80..U+DCFF.
 */
export function decodeDollarQuoted(text: string): string {
  if (!text.includes('\\')) return text;
  let result = '';
  let bytes: number[] = [];
  for (let at = 0; at < text.length; ) {
    const character = text.charAt(at);
    if (character !== '\\') {
      if (bytes.length > 0) {
        result += decodeUtf8(bytes);
        bytes = [];
      }
      result += character;
      at++;
      continue;
    }
    NUMERIC_ESCAPE.lastIndex = at + 1;
    const numeric = NUMERIC_ESCAPE.exec(text);
    let decoded: string;
    if (numeric === null) {
      const escaped = text.charAt(at + 1);
      decoded = SIMPLE_ESCAPES[escaped] ?? '\\' + escaped;
      at += 1 + escaped.length;
    } else {
      at = NUMERIC_ESCAPE.lastIndex;
      const [, hex, octal, short, long, control] = numeric;
      if (hex !== undefined || octal !== undefined) {
        const byte = (hex !== undefined ? Number.parseInt(hex, 16) : Number.parseInt(octal ?? '0', 8)) & 0xff;
        if (byte === 0) break;
        bytes.push(byte);
        continue;
      }
      const code = control === undefined ? Number.parseInt(short ?? long ?? '0', 16) : controlCode(control);
      if (control === '\\' && text.charAt(at) === '\\') at++;
      if (code === 0) break;
      decoded = code > 0x10ffff ? '\u{fffd}' : String.fromCodePoint(code);
    }
    if (bytes.length > 0) {
      result += decodeUtf8(bytes);
      bytes = [];
    }
    result += decoded;
  }
  return bytes.length > 0 ? result + decodeUtf8(bytes) : result;
}

function controlCode(character: string): number {
  return character === '?' ? 0x7f : character.toUpperCase().charCodeAt(0) & 0x1f;
}

/** Well-formed sequences become their character, any other byte a lone surrogate. */
function decodeUtf8(bytes: readonly number[]): string {
  let result = '';
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0;
    const length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    let code = length === 1 ? lead : lead & (0xff >> (length + 1));
    let valid = length > 0 && at + length <= bytes.length;
    for (let i = 1; valid && i < length; i++) {
      const next = bytes[at + i] ?? 0;
      valid = (next & 0xc0) === 0x80;
      code = code * 64 + (next & 0x3f);
    }
    const tooLong = (length === 3 && code < 0x800) || (length === 4 && code < 0x10000);
    if (!valid || tooLong || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
      result += String.fromCharCode(0xdc00 + lead);
      at++;
    } else {
      result += String.fromCodePoint(code);
      at += length;
    }
  }
  return result;
}

/** The text that quoted and literal parts stand for; undefined when one of them has to be expanded. */
export function literalText(parts: readonly WordPart[]): string | undefined {
  let text = '';
  for (const part of parts) {
    switch (part.kind) {
      case 'Literal':
      case 'Escaped':
      case 'SingleQuoted':
        text += part.text;
        break;
      case 'DoubleQuoted': {
        const inner = literalText(part.parts);
        if (inner === undefined) return undefined;
        text += inner;
        break;
      }
      default:
        return undefined;
    }
  }
  return text;
}

/** The text of a word that is one piece of unquoted text: only such a word may be reserved, an operator or a name. */
export function plainText({ parts }: Word): string | undefined {
  const [part] = parts;
  return parts.length === 1 && part?.kind === 'Literal' ? part.text : undefined;
}
