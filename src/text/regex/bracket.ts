/** Bracket expressions of regular expressions (POSIX XBD 9.3.5). Unlike those of patterns a backslash is itself. */
import { CharacterSet } from '../charset.js';
import { isCharacterClass } from '../classes.js';
import type { SymbolSet } from './node.js';
import { bracketSet } from './sets.js';
import { SyntaxProblem } from './syntax.js';

/** Longest name of a class or collating symbol: glibc's. */
const MAX_NAME = 32;

/** One thing between the brackets: a character, or a class, which is no end of a range. */
type Element = { readonly end: number } & (
  | { readonly symbol: number; readonly hyphen: boolean }
  | { readonly symbol: undefined; readonly name: string }
);

/** `open` is the index of `[`; with `lines` `[^a]` does not match a newline. Answers the set and the index after `]`. */
export function parseBracket(
  text: string,
  open: number,
  ignoreCase: boolean,
  lines = false,
): { set: SymbolSet; end: number } {
  const members = new CharacterSet();
  const negated = text[open + 1] === '^';
  const start = open + (negated ? 2 : 1);
  let i = start;
  let plain = true;
  for (let first = true; ; first = false) {
    if (i >= text.length) throw new SyntaxProblem(first ? 'lone' : 'bracket');
    if (text[i] === ']' && !first) break;
    const low = element(text, i);
    i = low.end;
    if (low.symbol === undefined) plain = false;
    else if (low.hyphen && !first && text[i] !== ']') throw new SyntaxProblem(i < text.length ? 'range' : 'bracket');
    // A hyphen right before the closing bracket is itself.
    if (text[i] !== '-' || text[i + 1] === ']') {
      if (low.symbol !== undefined) members.add(low.symbol);
      else members.addClass(className(low.name));
      continue;
    }
    if (i + 1 >= text.length) throw new SyntaxProblem('bracket');
    const high = element(text, i + 1);
    i = high.end;
    if (low.symbol === undefined || high.symbol === undefined || low.symbol > high.symbol) {
      throw new SyntaxProblem('range');
    }
    addRange(members, low.symbol, high.symbol);
  }
  // `[:space:]` on its own is a slip that GNU refuses.
  if (plain && i - start > 2 && text[start] === ':' && text[i - 1] === ':') throw new SyntaxProblem('classSyntax');
  if (negated && lines) members.add(10);
  return { set: bracketSet(members, negated, ignoreCase), end: i + 1 };
}

function className(name: string) {
  if (!isCharacterClass(name)) throw new SyntaxProblem('class');
  return name;
}

/** Bytes that are no characters (U+DC80 to U+DCFF here) are not in a range of characters around them. */
function addRange(members: CharacterSet, low: number, high: number): void {
  if (low < 0xdc00 && high > 0xdfff) members.addRange(low, 0xdbff).addRange(0xe000, high);
  else members.addRange(low, high);
}

function element(text: string, i: number): Element {
  const kind = text[i + 1];
  if (text[i] === '[' && (kind === '.' || kind === '=' || kind === ':')) return special(text, i, kind);
  const symbol = text.codePointAt(i) as number;
  return { symbol, hyphen: symbol === 0x2d, end: i + (symbol > 0xffff ? 2 : 1) };
}

/** `[.x.]`, `[=x=]` and `[:class:]`. In C.UTF-8 a collating element is one character and equivalent only to itself. */
function special(text: string, i: number, kind: string): Element {
  const close = text.indexOf(`${kind}]`, i + 2);
  if (close < 0 || close - i - 2 >= MAX_NAME) throw new SyntaxProblem('bracket');
  const name = text.slice(i + 2, close);
  if (kind === ':') return { symbol: undefined, name, end: close + 2 };
  const symbol = name.codePointAt(0);
  if (symbol === undefined || name.length !== (symbol > 0xffff ? 2 : 1)) throw new SyntaxProblem('collate');
  return { symbol, hyphen: false, end: close + 2 };
}
