/** `${x^}` `${x^^}` `${x,}` `${x,,}` `${x~}` (bash): the case of the first character, or of all, that match a pattern. */
import { compilePattern, type Pattern } from '../text/pattern.js';
import { mapParts } from '../text/work.js';

export function changeCase(
  text: string,
  how: { readonly to: 'upper' | 'lower' | 'toggle'; readonly all: boolean },
  pattern: string | undefined,
  nesting: number,
): string {
  const matcher = pattern === undefined || pattern === '' ? undefined : compilePattern(pattern, nesting);
  if (how.all) {
    const { to } = how;
    if (matcher === undefined && to !== 'toggle') return mapParts(text, (part) => simple(part, to));
    return mapParts(text, (part) => {
      let out = '';
      for (const character of part) out += changed(character, how.to, matcher);
      return out;
    });
  }
  const first = text.codePointAt(0);
  if (first === undefined) return text;
  const character = String.fromCodePoint(first);
  return changed(character, how.to, matcher) + text.slice(character.length);
}

function changed(character: string, to: 'upper' | 'lower' | 'toggle', matcher: Pattern | undefined): string {
  if (matcher !== undefined && !matcher.matches(character)) return character;
  if (to !== 'toggle') return simple(character, to);
  const upper = simple(character, 'upper');
  return upper === character ? simple(character, 'lower') : upper;
}

const ASCII = /^[\0-\x7f]*$/;

/** One character for one, as towupper(3) does: `ß` has no single upper-case letter and stays. */
function simple(text: string, to: 'upper' | 'lower'): string {
  if (ASCII.test(text)) return to === 'upper' ? text.toUpperCase() : text.toLowerCase();
  let out = '';
  for (const character of text) {
    const other = to === 'upper' ? character.toUpperCase() : character.toLowerCase();
    out += [...other].length === 1 ? other : character;
  }
  return out;
}
