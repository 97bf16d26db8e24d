import {
  BACKQUOTE,
  BACKSLASH,
  CLOSE_PARENTHESIS,
  DOLLAR,
  DOUBLE_QUOTE,
  OPEN_PARENTHESIS,
  SINGLE_QUOTE,
} from './characters.js';

/**
 * Where the parentheses of a text close, to tell `$((1+2))` from `$((a); b)`: it is arithmetic when the inner parenthesis
 * closes right before another one. Every parenthesis met on the way is remembered, so that ten thousand unclosed `$((`
 * cost one pass and not ten thousand.
 */
export class Parentheses {
  readonly #text: string;
  readonly #maxNesting: number;
  readonly #closing = new Map<number, number>();

  constructor(text: string, maxNesting: number) {
    this.#text = text;
    // `$((` is one construct and two parentheses
    this.#maxNesting = 2 * maxNesting;
  }

  /** The offset of what closes the parenthesis at `open`; -1 if nothing does, or if it is nested too deep to be sensible. */
  closing(open: number): number {
    const known = this.#closing.get(open);
    if (known !== undefined) return known;
    this.#scan(open);
    return this.#closing.get(open) ?? -1;
  }

  #scan(from: number): void {
    const text = this.#text;
    const open: number[] = [];
    // for each open parenthesis: are we inside double quotes there?
    const quoted: boolean[] = [];
    let inQuotes = false;
    let at = from;
    for (; at < text.length && open.length <= this.#maxNesting; at++) {
      switch (text.charCodeAt(at)) {
        case BACKSLASH:
          at++;
          break;
        case SINGLE_QUOTE:
          if (!inQuotes) {
            const end = text.indexOf("'", at + 1);
            at = end < 0 ? text.length : end;
          }
          break;
        case DOUBLE_QUOTE:
          inQuotes = !inQuotes;
          break;
        case BACKQUOTE:
          at = afterBackquotes(text, at);
          break;
        case OPEN_PARENTHESIS:
          if (!inQuotes || text.charCodeAt(at - 1) === DOLLAR) {
            open.push(at);
            quoted.push(inQuotes);
            inQuotes = false;
          }
          break;
        case CLOSE_PARENTHESIS: {
          if (inQuotes) break;
          const opened = open.pop();
          inQuotes = quoted.pop() ?? false;
          if (opened !== undefined) this.#closing.set(opened, at);
          if (open.length === 0) return;
        }
      }
    }
    for (const opened of open) this.#closing.set(opened, -1);
  }
}

/** The offset of the backquote that ends what starts at `at`, or the end of the text. */
function afterBackquotes(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === BACKSLASH) end++;
    else if (code === BACKQUOTE) return end;
  }
  return text.length;
}
