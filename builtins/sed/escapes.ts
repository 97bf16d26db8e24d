/** Escapes that GNU sed understands everywhere: `\t`, `\x41`, `\cA` ... They are replaced before anything else reads the text. */

const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['a', '\x07'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
]);

const NUMBERS: ReadonlyMap<string, { readonly base: number; readonly digits: number; readonly set: RegExp }> = new Map([
  ['d', { base: 10, digits: 3, set: /[0-9]/ }],
  ['o', { base: 8, digits: 3, set: /[0-7]/ }],
  ['x', { base: 16, digits: 2, set: /[0-9a-fA-F]/ }],
]);

/**
 * Replaces the escapes in a byte string; other backslashes stay, with what they quote. A character given by its number is itself, so
 * where it would mean something `protect` says how to write it.
 */
export function replaceEscapes(text: string, protect: (character: string) => string, newline = true): string {
  if (!text.includes('\\')) return text;
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string;
    const next = text[i + 1];
    if (character !== '\\' || next === undefined) {
      out += character;
      continue;
    }
    i++;
    const control = next === 'n' && !newline ? undefined : CONTROLS.get(next);
    const number = NUMBERS.get(next);
    if (control !== undefined) out += control;
    else if (next === 'c' && i + 1 < text.length) {
      i++;
      out += protect(String.fromCharCode((text[i] as string).toUpperCase().charCodeAt(0) ^ 0x40));
    } else if (number !== undefined) {
      let digits = '';
      while (digits.length < number.digits && number.set.test(text[i + 1] ?? '')) digits += text[++i];
      out += digits === '' ? `\\${next}` : protect(String.fromCharCode(Number.parseInt(digits, number.base) & 0xff));
    } else out += `\\${next}`;
  }
  return out;
}

/** Text of `a`, `i` and `c`: after the escapes a backslash only quotes what follows it. */
export function unquoteText(text: string): string {
  return replaceEscapes(text, (character) => (character === '\\' ? '\\\\' : character)).replace(/\\(.?)/gs, '$1');
}
