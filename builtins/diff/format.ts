/** What diff prints of two files' changes: byte strings, a line at a time. */

import type { Change } from './changes.js';
import type { Ignored } from './classes.js';
import { type Lines, lineText, type Pair } from './text.js';

type Text = Generator<string, void, undefined>;

/** Whether nothing but blank lines changed; those do not count with `-B`. */
export function isBlankChange(pair: Pair, change: Change, { space, blankLines }: Ignored): boolean {
  if (!blankLines) return false;
  const blank = space === 'none' ? /^\n?$/ : /^[ \t-\r]*$/;
  const all = (lines: Lines, from: number, count: number): boolean => {
    for (let i = from; i < from + count; i++) if (!blank.test(lineText(lines, i))) return false;
    return true;
  };
  return all(pair.a, change.a, change.deleted) && all(pair.b, change.b, change.inserted);
}

function* oneLine(mark: string, lines: Lines, i: number): Text {
  const text = lineText(lines, i);
  yield text.endsWith('\n') ? mark + text : `${mark + text}\n\\ No newline at end of file\n`;
}

/** POSIX XCU diff, "Diff Default Output Format". */
export function* normal(pair: Pair, changes: readonly Change[], ignored: Ignored): Text {
  for (const change of changes) {
    if (isBlankChange(pair, change, ignored)) continue;
    const { a, b, deleted, inserted } = change;
    const letter = deleted === 0 ? 'a' : inserted === 0 ? 'd' : 'c';
    yield `${range(pair.a, a, deleted)}${letter}${range(pair.b, b, inserted)}\n`;
    for (let i = 0; i < deleted; i++) yield* oneLine('< ', pair.a, a + i);
    if (letter === 'c') yield '---\n';
    for (let i = 0; i < inserted; i++) yield* oneLine('> ', pair.b, b + i);
  }
}

/** `from,to`, or one number: of the only line, or of the line before nothing. */
function range({ before }: Lines, from: number, count: number): string {
  const last = before + from + count;
  return count > 1 ? `${before + from + 1},${last}` : `${last}`;
}

/** POSIX XCU diff, "Diff -u or -U Output Format", without the names. */
export function* unified(pair: Pair, changes: readonly Change[], context: number, ignored: Ignored): Text {
  const blank = changes.map((change) => isBlankChange(pair, change, ignored));
  for (let from = 0; from < changes.length; ) {
    const to = hunkEnd(changes, blank, from, context);
    if (blank.indexOf(false, from) >= 0 && blank.indexOf(false, from) < to) {
      yield* hunk(pair, changes.slice(from, to), context);
    }
    from = to;
  }
}

/** Changes that stand so near that their contexts meet are one hunk; one that does not count has to be nearer to the one before it. */
function hunkEnd(changes: readonly Change[], blank: readonly boolean[], from: number, context: number): number {
  let to = from + 1;
  for (; to < changes.length; to++) {
    const before = changes[to - 1] as Change; // to > 0
    const next = changes[to] as Change; // to < length
    const most = blank[to] === true ? context : 2 * context + 1;
    if (next.a - (before.a + before.deleted) >= most) break;
  }
  return to;
}

function* hunk(pair: Pair, changes: readonly Change[], context: number): Text {
  const { a, b } = pair;
  const first = changes[0] as Change; // a hunk has changes
  const last = changes[changes.length - 1] as Change;
  const firstA = Math.max(first.a - context, -a.lead);
  const firstB = Math.max(first.b - context, -b.lead);
  const endA = Math.min(last.a + last.deleted + context, a.known);
  const endB = Math.min(last.b + last.inserted + context, b.known);
  yield `@@ -${place(a, firstA, endA)} +${place(b, firstB, endB)} @@\n`;
  let i = firstA;
  for (const change of changes) {
    for (; i < change.a; i++) yield* oneLine(' ', a, i);
    for (; i < change.a + change.deleted; i++) yield* oneLine('-', a, i);
    for (let k = 0; k < change.inserted; k++) yield* oneLine('+', b, change.b + k);
  }
  for (; i < endA; i++) yield* oneLine(' ', a, i);
}

function place({ before }: Lines, from: number, end: number): string {
  const count = end - from;
  if (count === 1) return `${before + end}`;
  return `${count === 0 ? before + from : before + from + 1},${count}`;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['"', '\\"'],
  ['\\', '\\\\'],
]);

/** A name, as a byte string, in a line of its own: quoted where it would be misread. */
export function shownName(bytes: string): string {
  let text = '';
  for (const byte of bytes) {
    const code = byte.charCodeAt(0);
    text += ESCAPES.get(byte) ?? (code < 32 || code > 127 ? `\\${code.toString(8).padStart(3, '0')}` : byte);
  }
  return text === bytes && !bytes.includes(' ') ? bytes : `"${text}"`;
}
