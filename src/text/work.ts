/**
 * Work on a text that cannot wait, and the clock. Whoever has something done to a text of a script's says whose clock is to be looked at;
 * what does it counts what it has done. All of that is one synchronous stretch, so no run ever looks at the clock of another.
 */
import type { Look } from '../steps.js';
import { isHigh, isLow } from './bytes.js';

/** Steps of some nanoseconds between two looks: a few milliseconds. */
const STEPS_BETWEEN_LOOKS = 1 << 18;
/** UTF-16 units: a string that is put together from single characters beyond this costs more to keep than to make. */
const PART = 1 << 16;

let current: Look | undefined;
let lastUnit = 0;
let left = STEPS_BETWEEN_LOOKS;

/** From now on work that counts itself looks at the clock by `look`, which may throw. Answers what it looked at before, to be given back. */
export function watchBy(look: Look | undefined): Look | undefined {
  const before = current;
  current = look;
  return before;
}

/** What `step` answers. While it runs, work that counts itself looks at the clock by `look`, which may throw. */
export function watched<T>(look: Look, step: () => T): T {
  const before = watchBy(look);
  try {
    return step();
  } finally {
    watchBy(before);
  }
}

/** A shorter text is matched, or changed, before a look at the clock would be due: it costs its length, squared at worst. */
export const SHORT_WORK = 512;

/** So many steps of work have been done. */
export function worked(steps: number): void {
  left -= steps;
  if (left > 0) return;
  left = STEPS_BETWEEN_LOOKS;
  current?.();
}

/** The text with each part changed; where the parts end is no matter to `change`, but no surrogate pair is parted. */
export function mapParts(text: string, change: (part: string) => string): string {
  if (text.length <= PART) {
    worked(text.length);
    return change(text);
  }
  const changed: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + PART, text.length);
    if (isHigh(text.charCodeAt(to - 1)) && isLow(text.charCodeAt(to))) to++;
    changed.push(inOnePiece(change(text.slice(from, to))));
    worked(4 * PART);
    from = to;
  }
  return changed.join('');
}

/**
 * The same text, held as one string. What many additions made is a tree with a node of 32 bytes for each, until somebody asks for one of
 * its characters: kept so, a list of parts takes many times the memory of their text.
 */
export function inOnePiece(text: string): string {
  // Kept, so that it is not left out as without use.
  lastUnit = text.charCodeAt(lastUnit & 1);
  return text;
}

/** Gathers what is added piece by piece to a text that may become long. */
export class LongText {
  readonly #parts: string[] = [];
  #open = '';

  add(piece: string): void {
    this.#open += piece;
    if (this.#open.length <= PART) return;
    worked(4 * PART);
    this.#parts.push(inOnePiece(this.#open));
    this.#open = '';
  }

  /** All that was added, and `rest`. */
  text(rest = ''): string {
    return this.#parts.length === 0 ? this.#open + rest : this.#parts.join('') + this.#open + rest;
  }
}
