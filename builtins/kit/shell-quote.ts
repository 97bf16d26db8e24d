/** `printf %q`: bash's way of quoting a word so that a shell reads it back. */
import { decode, encode } from '../../src/text/bytes.js';
import { isPrintable, isPrintableCharacter } from '../../src/text/quote.js';
import { mapParts } from '../../src/text/work.js';

const SPECIAL = /[ \t\n'"\\|&;()<>!{}*[\]?^$`,]/g;

const SHORT: ReadonlyMap<string, string> = new Map([
  ['\x1b', '\\E'],
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['\\', '\\\\'],
  ["'", "\\'"],
]);

/** Backslashes before what is special; `''` for nothing; `$'...'` where something cannot be shown. */
export function backslashQuote(word: string): string {
  if (word === '') return "''";
  if (!isPrintable(word)) return dollarQuote(word);
  const escaped = mapParts(word, (part) => part.replace(SPECIAL, '\\$&'));
  return escaped.replace(/(^|[:=])~|^#/g, (found, before: string | undefined) => `${before ?? ''}\\${found.at(-1)}`);
}

function dollarQuote(word: string): string {
  const inside = mapParts(decode(encode(word)), (part) => {
    let out = '';
    for (const character of part) {
      const short = SHORT.get(character);
      if (short !== undefined) out += short;
      else if (isPrintableCharacter(character)) out += character;
      else for (const byte of encode(character)) out += `\\${byte.toString(8).padStart(3, '0')}`;
    }
    return out;
  });
  return `$'${inside}'`;
}
