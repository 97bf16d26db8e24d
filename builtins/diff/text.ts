/** What of two files has to be compared: all but what they have in common at both ends, in lines. */
import { countDelimiters } from '../kit/line-end.js';

const NEWLINE = 10;

/** Lines of one file: those to compare are numbered from 0, and some that are the same stand around them. */
export interface Lines {
  readonly bytes: Uint8Array;
  /** Where each line begins, and where the last ends; line 0 is at `lead`. */
  readonly starts: Int32Array;
  readonly lead: number;
  /** How many lines are to be compared. */
  readonly count: number;
  /** How many lines are known, from line 0 on. */
  readonly known: number;
  /** How many lines of the file stand before line 0. */
  readonly before: number;
}

export interface Pair {
  readonly a: Lines;
  readonly b: Lines;
}

/** Undefined when the files are the same. `context`: how many lines around a change will be shown. */
export function pairOf(a: Uint8Array, b: Uint8Array, context: number): Pair | undefined {
  const same = commonStart(a, b);
  if (same === a.length && same === b.length) return undefined;
  let from = same;
  for (let left = context; from > 0 && (a[from - 1] !== NEWLINE || left-- > 0); ) from--;
  const [endA, endB] = commonEnd(a, b, from, context);
  const before = countDelimiters(a, 0, from, NEWLINE);
  const lines = (bytes: Uint8Array, end: number): Lines => {
    const first = back(bytes, from, context);
    const last = forward(bytes, end, context);
    const starts = lineStarts(bytes, first, last);
    const lead = lineCount(bytes, first, from);
    return { bytes, starts, lead, count: lineCount(bytes, from, end), known: starts.length - 1 - lead, before };
  };
  return { a: lines(a, endA), b: lines(b, endB) };
}

function commonStart(a: Uint8Array, b: Uint8Array): number {
  const end = Math.min(a.length, b.length);
  const STEP = 4096;
  let at = 0;
  while (at + STEP <= end && Buffer.compare(a.subarray(at, at + STEP), b.subarray(at, at + STEP)) === 0) at += STEP;
  while (at < end && a[at] === b[at]) at++;
  return at;
}

/** Where the common lines at the end begin in each, but `context` of them. */
function commonEnd(a: Uint8Array, b: Uint8Array, from: number, context: number): readonly [number, number] {
  if (isOpen(a) !== isOpen(b)) return [a.length, b.length];
  const most = Math.min(a.length, b.length) - from;
  let same = 0;
  while (same < most && a[a.length - 1 - same] === b[b.length - 1 - same]) same++;
  let at = a.length - same;
  const delta = b.length - a.length;
  const begins = (bytes: Uint8Array, i: number) => i === 0 || bytes[i - 1] === NEWLINE;
  at = forward(a, at, begins(a, at) && begins(b, at + delta) ? context : context + 1);
  return [at, at + delta];
}

/** Whether the last line has no newline. */
function isOpen(bytes: Uint8Array): boolean {
  return bytes.length > 0 && bytes[bytes.length - 1] !== NEWLINE;
}

function forward(bytes: Uint8Array, from: number, lines: number): number {
  let at = from;
  for (let left = lines; left > 0 && at < bytes.length; left--) {
    const next = bytes.indexOf(NEWLINE, at);
    at = next < 0 ? bytes.length : next + 1;
  }
  return at;
}

/** `from` is where a line begins. */
function back(bytes: Uint8Array, from: number, lines: number): number {
  let at = from;
  for (let left = lines; left > 0 && at > 0; left--) {
    at--;
    while (at > 0 && bytes[at - 1] !== NEWLINE) at--;
  }
  return at;
}

function lineCount(bytes: Uint8Array, from: number, to: number): number {
  const ended = countDelimiters(bytes, from, to, NEWLINE);
  return to > from && bytes[to - 1] !== NEWLINE ? ended + 1 : ended;
}

function lineStarts(bytes: Uint8Array, from: number, to: number): Int32Array {
  const count = lineCount(bytes, from, to);
  const starts = new Int32Array(count + 1);
  let at = from;
  for (let i = 0; i < count; i++) {
    starts[i] = at;
    at = bytes.indexOf(NEWLINE, at) + 1;
  }
  starts[count] = to;
  return starts;
}

export function lineStart(lines: Lines, i: number): number {
  return lines.starts[i + lines.lead] as number; // callers ask for lines that are known
}

/** Line `i` with its newline, as a byte string. */
export function lineText(lines: Lines, i: number): string {
  const start = lineStart(lines, i);
  const { bytes } = lines;
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, lineStart(lines, i + 1) - start).toString('latin1');
}
