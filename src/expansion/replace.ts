/** `${x/p/r}` `${x//p/r}` `${x/#p/r}` `${x/%p/r}` (bash): each match, as long as can be, is replaced. */
import { compilePattern } from '../text/pattern.js';

export function replaceMatches(
  text: string,
  pattern: string,
  replacement: string,
  how: { readonly all: boolean; readonly anchor: 'start' | 'end' | undefined },
): string {
  // An empty pattern matches only where it is anchored.
  if (pattern === '') {
    if (how.anchor === undefined) return text;
    return how.anchor === 'start' ? replacement + text : text + replacement;
  }
  const compiled = compilePattern(pattern);
  if (how.anchor === 'start') {
    const end = compiled.longestPrefix(text);
    return end < 0 ? text : replacement + text.slice(end);
  }
  if (how.anchor === 'end') {
    const start = compiled.longestSuffix(text);
    return start < 0 ? text : text.slice(0, start) + replacement;
  }
  if (compiled.literal !== undefined) {
    if (how.all) return text.replaceAll(compiled.literal, () => replacement);
    const at = text.indexOf(compiled.literal);
    return at < 0 ? text : text.slice(0, at) + replacement + text.slice(at + compiled.literal.length);
  }
  let out = '';
  let from = 0;
  for (const { start, end } of compiled.matchesIn(text, how.all)) {
    out += text.slice(from, start) + replacement;
    from = end;
  }
  return out + text.slice(from);
}
