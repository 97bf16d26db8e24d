/** From two files to the list of what changed. */
import { type Awaitable, andThen, type Tick } from '../../src/steps.js';
import { repeat } from '../kit/repeat.js';
import { type Classes, classesOf, type Ignored } from './classes.js';
import { type Kept, keep } from './discard.js';
import { type Box, frontiersFor, Middle, type Sequences } from './middle.js';
import { settle } from './settle.js';
import type { Pair } from './text.js';

/** `deleted` lines of the first file from `a` on became `inserted` lines of the second from `b` on. */
export interface Change {
  readonly a: number;
  readonly b: number;
  readonly deleted: number;
  readonly inserted: number;
}

/** Marks of the lines that changed, with one that never is after the last. */
export interface Marks {
  readonly a: Uint8Array;
  readonly b: Uint8Array;
}

export function changesOf(tick: Tick, pair: Pair, ignored: Ignored): Awaitable<readonly Change[]> {
  return andThen(classesOf(tick, pair, ignored), (classes) => {
    const marks: Marks = { a: new Uint8Array(pair.a.count + 1), b: new Uint8Array(pair.b.count + 1) };
    const a = keep(classes.a, classes.b, classes.count, marks.a);
    const b = keep(classes.b, classes.a, classes.count, marks.b);
    return andThen(search(tick, a, b, marks), () => settled(marks, classes));
  });
}

function settled(marks: Marks, classes: Classes): readonly Change[] {
  settle(marks.a, marks.b, classes.a);
  settle(marks.b, marks.a, classes.b);
  return listOf(marks);
}

/** Below this no search is cut short. */
const CHEAP = 4096;

/** GNU's: about the square root of the number of lines. */
function mostCost(lines: number): number {
  let cost = 1;
  for (let rest = lines; rest > 0; rest = Math.floor(rest / 4)) cost *= 2;
  return Math.max(CHEAP, cost);
}

function search(tick: Tick, a: Kept, b: Kept, marks: Marks): Awaitable<true> {
  const sequences: Sequences = { x: a.classes, y: b.classes };
  const { x, y } = sequences;
  const frontiers = frontiersFor(sequences);
  const limit = mostCost(x.length + y.length + 3);
  const boxes: Box[] = [{ left: 0, right: x.length, top: 0, bottom: y.length, exact: false }];
  let box: Box | undefined;
  let middle: Middle | undefined;
  return repeat<true>(() => {
    if (middle === undefined || box === undefined) {
      const next = boxes.pop();
      if (next === undefined) return true;
      box = trim(next, sequences);
      const { left, right, top, bottom } = box;
      if (left < right && top < bottom) middle = new Middle(sequences, frontiers, box, limit);
      else {
        for (let i = left; i < right; i++) marks.a[a.places[i] as number] = 1;
        for (let j = top; j < bottom; j++) marks.b[b.places[j] as number] = 1;
      }
      return undefined;
    }
    const cut = middle.step();
    if (cut !== undefined) {
      boxes.push({ ...box, left: cut.x, top: cut.y, exact: cut.exactAfter });
      boxes.push({ ...box, right: cut.x, bottom: cut.y, exact: cut.exactBefore });
      middle = undefined;
    }
    return andThen(tick(), () => undefined);
  });
}

/** Without what is the same at both ends. */
function trim({ left, right, top, bottom, exact }: Box, { x, y }: Sequences): Box {
  let [l, r, t, b] = [left, right, top, bottom];
  while (l < r && t < b && x[l] === y[t]) {
    l++;
    t++;
  }
  while (l < r && t < b && x[r - 1] === y[b - 1]) {
    r--;
    b--;
  }
  return { left: l, right: r, top: t, bottom: b, exact };
}

function listOf(marks: Marks): readonly Change[] {
  const changes: Change[] = [];
  const [lastA, lastB] = [marks.a.length - 1, marks.b.length - 1];
  for (let i = 0, j = 0; i < lastA || j < lastB; i++, j++) {
    const [a, b] = [i, j];
    while (marks.a[i] === 1) i++;
    while (marks.b[j] === 1) j++;
    if (i > a || j > b) changes.push({ a, b, deleted: i - a, inserted: j - b });
  }
  return changes;
}
