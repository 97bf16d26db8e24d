/**
 * Lines left out of the search, as GNU diff does: those that the other file has not at all, and, amid such, those that it has
 * so often that they say nothing. What diff prints depends on it, not only how long it takes.
 */

/** Lines that take part: their classes, and where they stand in the file. */
export interface Kept {
  readonly classes: Int32Array;
  readonly places: Int32Array;
}

const KEEP = 0;
const ALONE = 1;
/** Left out only where it stands amid lines that are alone. */
const COMMON = 2;

/** Sets in `changed` what is left out. */
export function keep(own: Int32Array, other: Int32Array, classCount: number, changed: Uint8Array): Kept {
  const marks = markLines(own, other, classCount);
  for (let i = 0; i < marks.length; i++) {
    if (marks[i] === COMMON) marks[i] = KEEP;
    else if (marks[i] === ALONE) i = settleRun(marks, i);
  }
  let count = 0;
  for (let i = 0; i < marks.length; i++) if (marks[i] === KEEP) count++;
  const classes = new Int32Array(count);
  const places = new Int32Array(count);
  let next = 0;
  for (let i = 0; i < marks.length; i++) {
    if (marks[i] === KEEP) {
      classes[next] = own[i] as number;
      places[next++] = i;
    } else changed[i] = 1;
  }
  return { classes, places };
}

function markLines(own: Int32Array, other: Int32Array, classCount: number): Uint8Array {
  const counts = new Int32Array(classCount);
  for (const line of other) counts[line] = (counts[line] as number) + 1;
  let many = 5;
  for (let rest = own.length >> 8; rest > 0; rest >>= 2) many *= 2;
  return Uint8Array.from(own, (line) => {
    const times = counts[line] as number;
    return times === 0 ? ALONE : times > many ? COMMON : KEEP;
  });
}

/** A run of lines that may be left out begins at `from`, with one that is alone. Answers the last line that is decided. */
function settleRun(marks: Uint8Array, from: number): number {
  let end = from;
  let common = 0;
  for (; end < marks.length && marks[end] !== KEEP; end++) if (marks[end] === COMMON) common++;
  for (; marks[end - 1] === COMMON; common--) marks[--end] = KEEP;
  const run = marks.subarray(from, end);
  if (common * 4 > run.length) {
    for (let i = 0; i < run.length; i++) if (run[i] === COMMON) run[i] = KEEP;
    // What was kept just now begins no run, and the next that is alone begins one of its own.
    return from;
  }
  keepLongSubruns(run);
  keepNearStart(run);
  run.reverse();
  keepNearStart(run);
  run.reverse();
  return end - 1;
}

/** Several common lines one after the other do say something. */
function keepLongSubruns(run: Uint8Array): void {
  let enough = 1;
  for (let rest = run.length >> 4; rest > 0; rest >>= 2) enough *= 2;
  enough++;
  for (let i = 0; i < run.length; ) {
    let end = i;
    while (end < run.length && run[end] === COMMON) end++;
    if (end - i >= enough) run.fill(KEEP, i, end);
    i = end + 1;
  }
}

/** Common lines are kept until three in a row are alone, or one is at least eight lines in. */
function keepNearStart(run: Uint8Array): void {
  let alone = 0;
  for (let i = 0; i < run.length && alone < 3; i++) {
    if (i >= 8 && run[i] === ALONE) return;
    if (run[i] === COMMON) run[i] = KEEP;
    alone = run[i] === ALONE ? alone + 1 : 0;
  }
}
