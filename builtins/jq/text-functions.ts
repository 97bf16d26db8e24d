/** Functions of strings that need regular expressions, which are POSIX's here: linear, leftmost-longest. */

import type { Look } from '../../src/steps.js';
import { compileRegex, type Regex, RegexError } from '../../src/text/regex/index.js';
import { worked } from '../../src/text/work.js';
import { fail, isArray, type Json } from './value.js';
import { described } from './write.js';

/** A group in parentheses: its name, or null; undefined for `(?:...)`, which captures nothing. */
type Group = string | null | undefined;

interface Compiled {
  readonly regex: Regex;
  /** In the order in which they open. */
  readonly groups: readonly Group[];
}

/** The programs of a run use few expressions, often. */
const compiled = new Map<string, Compiled>();
const MOST = 100;
/** UTF-16 units of a text that is put together: beyond that in pieces. */
const PIECE = 1 << 16;

/** What of Oniguruma's syntax has no place in POSIX's. */
const UNSUPPORTED: readonly (readonly [form: RegExp, what: string])[] = [
  [/\(\?(?!:|<[A-Za-z_]\w*>)/, '(?...) groups'],
  [/[*+?}][?+]/, 'lazy and possessive quantifiers'],
  [/\\[pPAzZGKRXhHkg]/, 'the escape it has'],
];

const CLASSES: Readonly<Record<string, string>> = {
  d: '[0-9]',
  D: '[^0-9]',
  s: '[[:space:]]',
  S: '[^[:space:]]',
  w: '[[:alnum:]_]',
  W: '[^[:alnum:]_]',
  t: '\t',
  n: '\n',
  r: '\r',
};
const IN_BRACKETS: Readonly<Record<string, string>> = {
  d: '0-9',
  s: '[:space:]',
  w: '[:alnum:]_',
  t: '\t',
  n: '\n',
  r: '\r',
};

/** Perl's classes in the words of POSIX. Its groups are told to `group`. */
function translate(pattern: string, group: (one: Group) => void): string {
  const plain = pattern.replace(/\\./gs, '');
  for (const [form, what] of UNSUPPORTED) {
    const text = what.startsWith('the escape') ? pattern.replace(/\\\\/g, '') : plain.replace(/\[[^\]]*\]/g, '');
    if (form.test(text)) return fail(`${pattern} (regular expression) is not supported: ${what}`);
  }
  let inBrackets = false;
  const special = /\\(.)|\((?:\?(?::|<(\w+)>))?|[[\]]/gs;
  return pattern.replace(special, (found, escaped: string | undefined, name: string | undefined, at: number) => {
    if (found.startsWith('(')) {
      if (inBrackets) return found;
      group(found === '(?:' ? undefined : (name ?? null));
      return '(';
    }
    if (found === '[') {
      inBrackets = true;
      return found;
    }
    if (found === ']') {
      const isFirst = /\[\^?$/.test(pattern.slice(0, at));
      if (!isFirst) inBrackets = false;
      return found;
    }
    const meant = escaped === undefined ? undefined : (inBrackets ? IN_BRACKETS : CLASSES)[escaped];
    if (meant !== undefined) return meant;
    return inBrackets && escaped !== undefined && escaped !== ']' ? escaped : found;
  });
}

function regexOf(pattern: string, ignoreCase: boolean): Compiled {
  const key = `${ignoreCase ? 'i' : ' '}${pattern}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const groups: Group[] = [];
  const regex = compileRegex(
    translate(pattern, (one) => groups.push(one)),
    { syntax: 'extended', ignoreCase },
  );
  if (regex instanceof RegexError) return fail(`${pattern} (at offset 0) is not a valid regex: ${regex.message}`);
  if (compiled.size >= MOST) compiled.clear();
  const both = { regex, groups };
  compiled.set(key, both);
  return both;
}

interface Search extends Compiled {
  /** The text, one latin1 character for each byte of its UTF-8. */
  readonly bytes: string;
  readonly global: boolean;
  readonly skipEmpty: boolean;
}

/** `test(re)`, `test(re; flags)`, `test([re, flags])`. */
export function search(input: Json, pattern: Json, flags: Json, look: Look): Search {
  if (isArray(pattern) && flags === null) return search(input, pattern[0] ?? null, pattern[1] ?? '', look);
  if (typeof input !== 'string') return fail(`${described(input)} cannot be matched, as it is not a string`);
  if (typeof pattern !== 'string') return fail(`${described(pattern)} cannot be matched, as it is not a string`);
  if (flags !== null && typeof flags !== 'string') return fail(`${described(flags)} is not a string`);
  const letters = flags ?? '';
  const bad = [...letters].find((letter) => !'gin'.includes(letter));
  if (bad !== undefined) {
    return fail(
      'xslp'.includes(bad)
        ? `the flag '${bad}' of regular expressions is not supported`
        : `${letters} is not a valid modifier string`,
    );
  }
  const { regex, groups } = regexOf(pattern, letters.includes('i'));
  return {
    regex: regex.under(look),
    groups,
    bytes: Buffer.from(input).toString('latin1'),
    global: letters.includes('g'),
    skipEmpty: letters.includes('n'),
  };
}

export function test(input: Json, pattern: Json, flags: Json, look: Look): boolean {
  const { regex, bytes } = search(input, pattern, flags, look);
  return regex.test(bytes);
}

/** Matches from left to right, as pairs of start and end of the whole and of each group. */
function matches({ regex, bytes, global, skipEmpty }: Search): Int32Array[] {
  const found: Int32Array[] = [];
  for (let at = 0; at <= bytes.length; ) {
    const match = regex.exec(bytes, at);
    if (match === null) break;
    const [start = 0, end = 0] = match;
    if (end > start || !skipEmpty) found.push(match);
    if (!global) break;
    at = end > start ? end : end + 1;
    while (at < bytes.length && (bytes.charCodeAt(at) & 0xc0) === 0x80) at++;
  }
  return found;
}

const decode = (bytes: string, from: number, to: number): string =>
  Buffer.from(bytes.slice(from, to), 'latin1').toString('utf8');

/** `match`: one object a match, with offsets in code points. */
export function matchObjects(input: Json, pattern: Json, flags: Json, look: Look): Json[] {
  const looked = search(input, pattern, flags, look);
  const { bytes, groups } = looked;
  let counted = 0;
  let points = 0;
  /** Matches rise, so the text is counted through once; groups look back a little. */
  const offsetOf = (at: number): number => {
    if (at < counted) return points - Array.from(decode(bytes, at, counted)).length;
    points += Array.from(decode(bytes, counted, at)).length;
    counted = at;
    return points;
  };
  return matches(looked).map((match) => {
    const captures: Json[] = [];
    for (let i = 2; i < match.length; i += 2) {
      const [from = -1, to = -1] = [match[i], match[i + 1]];
      const name = groups[i / 2 - 1];
      if (name === undefined) continue;
      captures.push(span(from, to, from < 0 ? -1 : offsetOf(from), new Map<string, Json>([['name', name]])));
    }
    const [start = 0, end = 0] = match;
    return span(start, end, offsetOf(start), new Map<string, Json>([['captures', captures]]));
  });

  function span(from: number, to: number, offset: number, more: ReadonlyMap<string, Json>): Json {
    const text = from < 0 ? null : decode(bytes, from, to);
    const length = text === null ? 0 : Array.from(text).length;
    return new Map<string, Json>([['offset', offset], ['length', length], ['string', text], ...more]);
  }
}

/** `splits`: what stands between the matches. */
export function splitBy(input: Json, pattern: Json, flags: Json, look: Look): Json[] {
  const looked = search(input, pattern, flags, look);
  const parts: Json[] = [];
  let from = 0;
  for (const [start = 0, end = 0] of matches({ ...looked, global: true })) {
    parts.push(decode(looked.bytes, from, start));
    from = end;
  }
  parts.push(decode(looked.bytes, from, looked.bytes.length));
  return parts;
}

/** For each match that `sub` or `gsub` replaces, what its named groups caught; undefined where there are none of them. */
export function namedCaptures(input: Json, pattern: Json, flags: string, look: Look): Json[] | undefined {
  const looked = search(input, pattern, flags, look);
  const { bytes, groups } = looked;
  if (!groups.some((name) => typeof name === 'string')) return undefined;
  return matches(looked).map((match) => {
    const caught = new Map<string, Json>();
    for (const [i, name] of groups.entries()) {
      const [from = -1, to = -1] = [match[2 * i + 2], match[2 * i + 3]];
      if (typeof name === 'string') caught.set(name, from < 0 ? null : decode(bytes, from, to));
    }
    return caught;
  });
}

/** `sub`, `gsub`: the text with what `replace` makes of each match. */
export function substitute(input: Json, pattern: Json, flags: string, replace: () => string, look: Look): string {
  const looked = search(input, pattern, flags, look);
  const pieces: string[] = [];
  let text = '';
  let from = 0;
  for (const [start = 0, end = 0] of matches(looked)) {
    text += decode(looked.bytes, from, start) + replace();
    from = end;
    worked(64);
    if (text.length > PIECE) {
      pieces.push(text);
      text = '';
    }
  }
  return pieces.join('') + text + decode(looked.bytes, from, looked.bytes.length);
}
