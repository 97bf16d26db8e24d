/** `${x/p/r}` `${x//p/r}` `${x/#p/r}` `${x/%p/r}` (bash): each match, as long as can be, is replaced. */
import { compilePattern } from '../text/pattern.js';
import { mapParts, worked } from '../text/work.js';

const PIECE = 1 << 16;

export function replaceMatches(
  text: string,
  pattern: string,
  replacement: string,
  how: { readonly all: boolean; readonly anchor: 'start' | 'end' | undefined },
  options: { readonly ignoreCase: boolean; readonly extended: boolean },
): string {
  const { ignoreCase, extended } = options;
  // An empty pattern matches only where it is anchored.
  if (pattern === '') {
    if (how.anchor === undefined) return text;
    return how.anchor === 'start' ? replacement + text : text + replacement;
  }
  const compiled = compilePattern(ignoreCase ? foldCase(pattern) : pattern, extended);
  // What is matched may be folded; what stays is the text as it was.
  const looked = ignoreCase ? foldCase(text) : text;
  if (how.anchor === 'start') {
    const end = compiled.longestPrefix(looked);
    return end < 0 ? text : replacement + text.slice(end);
  }
  if (how.anchor === 'end') {
    const start = compiled.longestSuffix(looked);
    return start < 0 ? text : text.slice(0, start) + replacement;
  }
  if (compiled.literal !== undefined && !ignoreCase) {
    if (how.all) return text.replaceAll(compiled.literal, () => replacement);
    const at = text.indexOf(compiled.literal);
    return at < 0 ? text : text.slice(0, at) + replacement + text.slice(at + compiled.literal.length);
  }
  // Put together in pieces: a string of millions of additions costs the collector more than all the rest.
  const pieces: string[] = [];
  let out = '';
  let from = 0;
  for (const { start, end } of compiled.matchesIn(looked, how.all)) {
    out += text.slice(from, start) + replacement;
    from = end;
    if (out.length > PIECE) {
      worked(out.length);
      pieces.push(out);
      out = '';
    }
  }
  return pieces.join('') + out + text.slice(from);
}

/** Lower case where that is as long: places in the folded text are places in the text. */
function foldCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return mapParts(text, (part) => {
    let out = '';
    for (const character of part) {
      const folded = character.toLowerCase();
      out += folded.length === character.length ? folded : character;
    }
    return out;
  });
}
