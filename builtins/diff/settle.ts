/**
 * A run of changed lines may often stand a little further up or down. GNU diff merges runs that can meet, and puts each
 * beside a run of the other file if it can, else as far down as it goes.
 */

/** Moves the runs of one file; both marks end with a line that never changed. */
export function settle(marks: Uint8Array, others: Uint8Array, classes: Int32Array): void {
  const end = classes.length;
  /** The line after the run in hand, and what stands beside it in the other file. */
  let i = 0;
  let j = 0;
  for (;;) {
    while (i < end && marks[i] === 0) {
      while (others[j++] === 1);
      i++;
    }
    if (i === end) return;
    let start = i;
    while (marks[++i] === 1);
    while (others[j] === 1) j++;

    let beside: number;
    let length: number;
    do {
      length = i - start;
      while (start > 0 && classes[start - 1] === classes[i - 1]) {
        marks[--start] = 1;
        marks[--i] = 0;
        while (marks[start - 1] === 1) start--;
        while (others[--j] === 1);
      }
      // The last end of the run at which the other file has one, too.
      beside = others[j - 1] === 1 ? i : end;
      while (i < end && classes[start] === classes[i]) {
        marks[start++] = 0;
        marks[i++] = 1;
        while (marks[i] === 1) i++;
        while (others[++j] === 1) beside = i;
      }
    } while (length !== i - start);

    while (beside < i) {
      marks[--start] = 1;
      marks[--i] = 0;
      while (others[--j] === 1);
    }
  }
}
