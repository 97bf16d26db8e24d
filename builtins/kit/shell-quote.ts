/** `printf %q`: bash's way of quoting a word so that a shell reads it back. */
import { decode, encode } from '../../src/text/bytes.js';
import { isPrintable, isPrintableCharacter } from '../../src/text/quote.js';

const SPECIAL = ' \t\n\'"\\|&;()<>!{}*[]?^$`,';

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
  let out = '';
  for (let i = 0; i < word.length; i++) {
    const unit = word[i] as string;
    const before = word[i - 1];
    const special =
      SPECIAL.includes(unit) ||
      (unit === '#' && i === 0) ||
      (unit === '~' && (i === 0 || before === ':' || before === '='));
    out += special ? `\\${unit}` : unit;
  }
  return out;
}

function dollarQuote(word: string): string {
  let out = "$'";
  for (const character of decode(encode(word))) {
    const short = SHORT.get(character);
    if (short !== undefined) out += short;
    else if (isPrintableCharacter(character)) out += character;
    else for (const byte of encode(character)) out += `\\${byte.toString(8).padStart(3, '0')}`;
  }
  return `${out}'`;
}
