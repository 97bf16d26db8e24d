/** `${x#p}` `${x##p}` `${x%p}` `${x%%p}`: the smallest or largest prefix or suffix that matches is removed (POSIX 2.6.2). */
import { compilePattern } from '../text/pattern.js';

export function strip(
  value: string,
  pattern: string,
  how: { readonly from: 'start' | 'end'; readonly longest: boolean },
  nesting: number,
): string {
  const compiled = compilePattern(pattern, nesting);
  if (how.from === 'start') {
    const end = how.longest ? compiled.longestPrefix(value) : compiled.shortestPrefix(value);
    return end < 0 ? value : value.slice(end);
  }
  const start = how.longest ? compiled.longestSuffix(value) : compiled.shortestSuffix(value);
  return start < 0 ? value : value.slice(0, start);
}
