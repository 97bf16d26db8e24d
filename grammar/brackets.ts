import { BACKSLASH, CLOSE_BRACKET, DOUBLE_QUOTE, NEWLINE, OPEN_BRACKET, SINGLE_QUOTE } from './characters.js';

/**
 * Where the brackets of a line close, to tell the assignment `a[i + 1]=2` from the pattern `a[b`. Every bracket met on the way
 * is remembered, so that a line of unclosed ones costs one pass.
 */
export class Brackets {
  readonly #text: string;
  readonly #closing = new Map<number, number>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The offset of what closes the bracket at `open`; -1 if nothing on its line does. */
  closing(open: number): number {
    const known = this.#closing.get(open);
    if (known !== undefined) return known;
    this.#scan(open);
    return this.#closing.get(open) ?? -1;
  }

  #scan(from: number): void {
    const text = this.#text;
    const open: number[] = [];
    scan: for (let at = from; at < text.length; at++) {
      switch (text.charCodeAt(at)) {
        case NEWLINE:
          break scan;
        case BACKSLASH:
          at++;
          break;
        case SINGLE_QUOTE:
        case DOUBLE_QUOTE:
          at = closingQuote(text, at);
          break;
        case OPEN_BRACKET:
          open.push(at);
          break;
        case CLOSE_BRACKET:
          this.#closing.set(open.pop() ?? from, at);
          if (open.length === 0) return;
      }
    }
    for (const opened of open) this.#closing.set(opened, -1);
  }
}

/** The offset of the quote that ends the one at `at`, or of the end of the line. */
function closingQuote(text: string, at: number): number {
  const quote = text.charCodeAt(at);
  for (let end = at + 1; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === quote) return end;
    if (code === NEWLINE) return end - 1;
    if (code === BACKSLASH && quote === DOUBLE_QUOTE) end++;
  }
  return text.length;
}
