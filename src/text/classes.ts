/**
 * Character classes (POSIX XBD 7.3.1) as glibc's C.UTF-8 has them. Bytes that are no character belong to none: they are code points
 * from U+DC80 to U+DCFF in shell strings, and Unicode gives surrogates no property used here.
 */

/** A property of Unicode costs a third of a millisecond to compile: paid by who asks about a character beyond ASCII. */
function once(make: () => RegExp): () => RegExp {
  let made: RegExp | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const ALPHA = once(() => /[\p{Alphabetic}\p{Nd}]/u);
const SPACE = once(() => /[\p{Zs}\p{Zl}\p{Zp}]/u);
/** What is there to be seen, or to be skipped: not controls, unassigned code points, surrogates or line separators. */
const UNPRINTABLE = once(() => /[\p{Cc}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/u);
/** Titlecase digraphs are both upper and lower case to glibc. */
const LOWER = once(() => /[\p{Lowercase}\u01c5\u01c8\u01cb\u01f2\u0295]/u);
const UPPER = once(() => /[\p{Uppercase}\p{Lt}]/u);

const has = (set: () => RegExp, c: number): boolean => set().test(String.fromCodePoint(c));
const between = (c: number, low: number, high: number): boolean => c >= low && c <= high;

function isDigit(c: number): boolean {
  return between(c, 0x30, 0x39);
}

/** Decimal digits of other scripts are letters, so that they are alphanumeric: ISO C keeps `digit` to ten. */
function isAlpha(c: number): boolean {
  return c < 0x80 ? between(c | 0x20, 0x61, 0x7a) : has(ALPHA, c);
}

function isNoBreak(c: number): boolean {
  return c === 0xa0 || c === 0x2007 || c === 0x202f;
}

function isSpace(c: number): boolean {
  return c < 0x80 ? c === 0x20 || between(c, 9, 13) : has(SPACE, c) && !isNoBreak(c);
}

function isPrint(c: number): boolean {
  return c < 0x80 ? between(c, 0x20, 0x7e) : !has(UNPRINTABLE, c);
}

const CLASSES = {
  alnum: (c: number) => isDigit(c) || isAlpha(c),
  alpha: isAlpha,
  blank: (c: number) => c === 9 || (c !== 0x2028 && c !== 0x2029 && !between(c, 10, 13) && isSpace(c)),
  cntrl: (c: number) => c < 0x20 || between(c, 0x7f, 0x9f) || c === 0x2028 || c === 0x2029,
  digit: isDigit,
  graph: (c: number) => isPrint(c) && !isSpace(c),
  lower: (c: number) => (c < 0x80 ? between(c, 0x61, 0x7a) : has(LOWER, c)),
  print: isPrint,
  punct: (c: number) => isPrint(c) && !isSpace(c) && !isDigit(c) && !isAlpha(c),
  space: isSpace,
  upper: (c: number) => (c < 0x80 ? between(c, 0x41, 0x5a) : has(UPPER, c)),
  xdigit: (c: number) => isDigit(c) || between(c | 0x20, 0x61, 0x66),
} as const;

export type CharacterClass = keyof typeof CLASSES;

export function isCharacterClass(name: string): name is CharacterClass {
  return Object.hasOwn(CLASSES, name);
}

/** Whether code point `c` is in the class. */
export function inClass(name: CharacterClass, c: number): boolean {
  return CLASSES[name](c);
}

/** What `\w` matches: letters, digits and the underscore. */
export function isWordCharacter(c: number): boolean {
  return c === 0x5f || isDigit(c) || isAlpha(c);
}
