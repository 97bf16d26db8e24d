/** Where a text stopped making sense, and how to say so. */

/** Why a text was not accepted. `offset` counts in the text that was parsed. */
export interface Problem {
  /** What is wrong, in one line. */
  readonly message: string;
  /** Of the first UTF-16 unit that is. */
  readonly offset: number;
  /** `unsupported` is a form that bash gives a meaning and rmsh does not; `nesting` and `length` are limits that were met. */
  readonly kind: 'syntax' | 'unsupported' | 'nesting' | 'length';
  /** What is probably meant. */
  readonly suggestion?: string | undefined;
}

/**
 * Ends reading from inside the scanners and rules. It never leaves this room: the parse boundary turns it into a value.
 * It is no Error, because a stack trace costs more than the text that was read.
 */
export class Stop {
  readonly problem: Problem;
  /** More text could still make it right. */
  readonly incomplete: boolean;

  constructor(problem: Problem, incomplete: boolean) {
    this.problem = problem;
    this.incomplete = incomplete;
  }
}

/** Line starts of one text, for many lookups. */
export class LineIndex {
  /** The text whose lines these are. */
  readonly text: string;
  readonly #starts: number[] = [0];

  /** Looks at the whole text once. */
  constructor(text: string) {
    this.text = text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  /** The line, counted from 1, in which `offset` stands. */
  lineOf(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      // `middle` is below the length, so there is an entry
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  /** The column, counted from 1 in UTF-16 units. */
  columnOf(offset: number): number {
    return Math.min(offset, this.text.length) - (this.#starts[this.lineOf(offset) - 1] ?? 0) + 1;
  }
}

/** The line, counted from 1, in which `offset` stands; for one lookup. */
export function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

const WIDEST_LINE = 160;
const WIDEST_TOKEN = 60;

/** `NAME: line N: MESSAGE`, the line and a caret under the place. */
export function formatProblem(name: string, text: string, problem: Problem): string {
  const offset = Math.min(Math.max(problem.offset, 0), text.length);
  const head = `${name}: line ${lineOf(text, offset)}: ${problem.message}\n`;
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const newline = text.indexOf('\n', offset);
  const line = text.slice(offset === 0 ? 0 : start, newline < 0 ? text.length : newline);
  // a CR is no blank to a shell: it makes another word of every last word of a line
  const note = text.includes('\r\n')
    ? `${name}: note: lines end in CR LF; remove each CR\n`
    : problem.suggestion === undefined
      ? ''
      : `${name}: note: ${problem.suggestion}\n`;
  if (line.trim() === '') return head + note;
  const column = offset - (offset === 0 ? 0 : start);
  // of a line too long to show, the neighbourhood of the place
  const from = column > WIDEST_LINE ? column - WIDEST_LINE / 2 : 0;
  const shown = showable(line.slice(from, from + WIDEST_LINE));
  const indent = shown.slice(0, column - from).replace(/[^\t]/gu, ' ');
  return `${head}${shown}\n${indent}^\n${note}`;
}

/** The text of a token as a message may show it: one line, not too long. */
export function tokenText(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return showable(line.length > WIDEST_TOKEN ? line.slice(0, WIDEST_TOKEN) + '...' : line);
}

/** Control characters of a hostile script must not reach a terminal. */
function showable(text: string): string {
  return text.replace(/[\x00-\x08\x0a-\x1f\x7f-\x9f]/g, '\u{fffd}');
}
