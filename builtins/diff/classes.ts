/** Which lines are the same: each line gets a number, and lines that are the same the same one. */
import { type Awaitable, andThen, type Tick } from '../../src/steps.js';
import { repeat } from '../kit/repeat.js';
import { type Lines, lineText, type Pair } from './text.js';

/** What does not count as a difference. */
export interface Ignored {
  readonly space: 'none' | 'changes' | 'all';
  readonly case: boolean;
  /** Changes whose lines are all blank. */
  readonly blankLines: boolean;
}

export interface Classes {
  readonly a: Int32Array;
  readonly b: Int32Array;
  /** Every number is below it. */
  readonly count: number;
}

const BETWEEN_TICKS = 2048;

export function classesOf(tick: Tick, { a, b }: Pair, ignored: Ignored): Awaitable<Classes> {
  const known = new Map<string, number>();
  const bare = ignored.space === 'none' && !ignored.case;
  const number = (lines: Lines): Awaitable<Int32Array> => {
    const numbers = new Int32Array(lines.count);
    let at = 0;
    return repeat(() => {
      const end = Math.min(lines.count, at + BETWEEN_TICKS);
      for (; at < end; at++) {
        const text = lineText(lines, at);
        const key = bare ? text : essence(text, ignored);
        let found = known.get(key);
        if (found === undefined) {
          found = known.size;
          known.set(key, found);
        }
        numbers[at] = found;
      }
      return at === lines.count ? numbers : andThen(tick(), () => undefined);
    });
  };
  return andThen(number(a), (first) => andThen(number(b), (second) => ({ a: first, b: second, count: known.size })));
}

/** What is left of a line. One without a newline is no other than one with it, unless white space is ignored. */
function essence(line: string, ignored: Ignored): string {
  let text = line;
  if (ignored.space === 'all') text = text.replace(/[ \t-\r]+/g, '');
  else if (ignored.space === 'changes') text = text.replace(/[ \t-\r]+/g, ' ').replace(/ $/, '');
  return ignored.case ? text.replace(/[A-Z]+/g, (upper) => upper.toLowerCase()) : text;
}
