/** Quoting for shells and for people. */
import { encode } from './bytes.js';
import { mapParts } from './work.js';

/** Characters that need no quotes wherever a word may stand, also first in a word. */
function isPlain(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) || // a-z
    (unit >= 0x2b && unit <= 0x3a) || // + , - . / 0-9 :
    (unit >= 0x40 && unit <= 0x5a) || // @ A-Z
    unit === 0x5f || // _
    unit === 0x25 // %
  );
}

function allPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (!isPlain(text.charCodeAt(i))) return false;
  return text.length > 0;
}

/** A word that every POSIX shell reads back as `text` (XCU 2.2): bare where that is safe, else in single quotes; `''` for nothing. For what a script is made of. */
export function quote(text: string): string {
  return allPlain(text) ? text : quoteAlways(text);
}

/** As `quote`, but in single quotes always, as `trap` and `alias` print. A single quote is `'\''`. */
export function quoteAlways(text: string): string {
  return `'${mapParts(text, (part) => part.replaceAll("'", "'\\''"))}'`;
}

/** As `quote`, but text with control characters or invalid bytes is one `$'...'` word (POSIX.1-2024, 2.2.4), as bash prints it. */
export function quoteVisible(text: string): string {
  return isPrintable(text) ? quote(text) : dollarQuote(text);
}

/** `$'...'`. */
export function dollarQuote(text: string): string {
  const inside = mapParts(text, (part) => {
    let out = '';
    for (const character of part) {
      if (character === "'" || character === '\\') out += `\\${character}`;
      else out += isPrintableCharacter(character) ? character : escapeBytes(character);
    }
    return out;
  });
  return `$'${inside}'`;
}

/** Text of others within a message: what cannot be shown is C escapes, the end of a line too. Nothing in it steers a terminal. */
export function visible(text: string): string {
  if (isPrintable(text)) return text;
  let out = '';
  for (const character of text) out += isPrintableCharacter(character) ? character : escapeBytes(character);
  return out;
}

/** As `declare -p` writes a value. */
export function doubleQuoted(text: string): string {
  return isPrintable(text) ? `"${mapParts(text, (part) => part.replace(/["\\$`]/g, '\\$&'))}"` : dollarQuote(text);
}

/** As `declare -p` writes the key of an array. */
export function keyText(key: string): string {
  return /^[A-Za-z0-9_]+$/.test(key) ? key : doubleQuoted(key);
}

/**
 * A file name as GNU coreutils shows it in messages (gnulib's `shell-escape-always` style): `'name'`, `"it's"`,
 * `'a'$'\n''b'`.
 */
export function gnuQuote(name: string): string {
  return name.includes("'") && fitsDoubleQuotes(name) ? `"${name}"` : shellEscape(name);
}

/** As `gnuQuote`, but bare where a shell would need no quotes (`shell-escape` style); a colon asks for them, since `NAME:` follows. */
export function gnuQuoteIfNeeded(name: string): string {
  return name.includes(':') || needsGnuQuotes(name) ? gnuQuote(name) : name;
}

/** A value that is not a file name, as GNU's messages show it in a UTF-8 locale: `‘value’`, with C escapes inside. */
export function gnuQuoteValue(value: string): string {
  let out = '‘';
  for (const character of value) {
    if (character === '\\' || character === '’') out += `\\${character}`;
    else out += isPrintableCharacter(character) ? character : escapeBytes(character);
  }
  return `${out}’`;
}

/** Whether a shell would read the name, unquoted, as something else (what gnulib asks before it leaves quotes out). */
export function needsGnuQuotes(name: string): boolean {
  if (name === '' || name === '{' || name === '}') return true;
  let first = true;
  for (const character of name) {
    if (' \t\n!"$&\'()*;<=>?[\\^`|'.includes(character)) return true;
    if (first && (character === '#' || character === '~')) return true;
    if (!isPrintableCharacter(character)) return true;
    first = false;
  }
  return false;
}

/**
 * gnulib makes two passes over a name with a single quote and forgets, between them, that the first may have ended inside
 * `$'...'`. Messages are compared byte for byte, so its slip is ours: a stray `''`, or a lost `'$'`, at the start.
 */
function shellEscape(name: string): string {
  let out = "'";
  let escaped = name.includes("'") && !isPrintableCharacter(lastCharacter(name)); // inside $'...'
  for (const character of name) {
    if (character === "'") {
      out += "'\\''";
      escaped = false;
    } else if (isPrintableCharacter(character)) {
      out += escaped ? `''${character}` : character;
      escaped = false;
    } else {
      out += escaped ? '' : "'$'";
      out += escapeBytes(character);
      escaped = true;
    }
  }
  return `${out}'`;
}

function lastCharacter(text: string): string {
  const wide = text.length > 1 && text.codePointAt(text.length - 2);
  return text.slice(wide && wide > 0xffff ? -2 : -1);
}

/** Whether `"..."` means the name itself both to a shell and to C: gnulib's condition for preferring it to `'\''`. */
function fitsDoubleQuotes(name: string): boolean {
  let first = true;
  for (const character of name) {
    const unit = character.charCodeAt(0);
    const fits =
      unit >= 0x80
        ? isPrintableCharacter(character)
        : isPlain(unit) || " ']".includes(character) || (first && (character === '#' || character === '~'));
    if (!fits) return false;
    first = false;
  }
  return true;
}

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\r', '\\r'],
]);

function escapeBytes(character: string): string {
  const short = SHORT_ESCAPES.get(character);
  if (short !== undefined) return short;
  let out = '';
  for (const byte of encode(character)) out += `\\${byte.toString(8).padStart(3, '0')}`;
  return out;
}

/** Everything but controls, unassigned code points, line separators and lone surrogates: glibc's `iswprint` in C.UTF-8. */
const UNPRINTABLE = /[\p{Cc}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Whether `character`, one code point, can be shown. */
export function isPrintableCharacter(character: string): boolean {
  const unit = character.charCodeAt(0);
  return unit < 0x80 ? unit >= 0x20 && unit !== 0x7f : !UNPRINTABLE.test(character);
}

export function isPrintable(text: string): boolean {
  return !UNPRINTABLE.test(text);
}
