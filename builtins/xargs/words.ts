/** The input of xargs as arguments: words with quotes (POSIX XCU xargs), or lines for `-I`. */

/** A quote that its line does not close. */
export class UnmatchedQuote {
  readonly kind: 'single' | 'double';
  /** The line's words before it. */
  readonly words: readonly string[];
  /** What was read of the word it is in. */
  readonly begun: string;
  constructor(quote: string, words: readonly string[], begun: string) {
    this.kind = quote === '"' ? 'double' : 'single';
    this.words = words;
    this.begun = begun;
  }
}

export interface Words {
  /** Arguments that are complete. */
  readonly words: readonly string[];
  /** The line counts for `-L`: it is not empty, and no blank at its end makes the next line a part of it. */
  readonly counts: boolean;
}

/**
 * Reads line after line; a backslash at the end of one carries on into the next. Lines and words are byte strings. With
 * `whole` a line is one word, less the blanks in front.
 */
export class WordReader {
  private readonly whole: boolean;
  /** A word that a backslash and a newline carried over to the next line. */
  private carried: string | undefined;

  constructor(whole: boolean) {
    this.whole = whole;
  }

  /** `ended`: the line had its newline. */
  read(line: string, ended: boolean): Words | UnmatchedQuote {
    const words: string[] = [];
    let word = this.carried;
    this.carried = undefined;
    let i = 0;
    while (i < line.length) {
      const unit = line[i] as string;
      if (unit === ' ' || unit === '\t') {
        if (this.whole && word !== undefined) word += unit;
        else if (word !== undefined) {
          words.push(word);
          word = undefined;
        }
        i++;
      } else if (unit === '\\') {
        if (i + 1 < line.length) word = (word ?? '') + (line[i + 1] as string);
        else if (ended) {
          this.carried = `${word ?? ''}\n`;
          return { words, counts: false };
        }
        i += 2;
      } else if (unit === '"' || unit === "'") {
        const end = line.indexOf(unit, i + 1);
        // GNU sees no harm in a quote that is the last character, with nothing before it in the word.
        if (end < 0 && !ended && i + 1 === line.length && (word ?? '') === '') return { words, counts: false };
        if (end < 0) return new UnmatchedQuote(unit, words, (word ?? '') + line.slice(i + 1));
        word = (word ?? '') + line.slice(i + 1, end);
        i = end + 1;
      } else {
        const end = endOfPlain(line, i);
        word = (word ?? '') + line.slice(i, end);
        i = end;
      }
    }
    // GNU takes an empty word for one only where something follows it.
    const last = word !== undefined && (ended || word !== '');
    if (last) words.push(word as string); // checked by `last`
    return { words, counts: last };
  }

  /** The end of the input: a word may still be carried. */
  end(): string | undefined {
    return this.carried;
  }
}

function endOfPlain(line: string, from: number): number {
  let i = from + 1;
  while (i < line.length) {
    const unit = line.charCodeAt(i);
    if (unit === 0x20 || unit === 0x09 || unit === 0x22 || unit === 0x27 || unit === 0x5c) break;
    i++;
  }
  return i;
}
