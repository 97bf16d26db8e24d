/**
 * What the groups matched, once it is known where the match starts and ends: all ways through the program are followed
 * at once, the preferred first, and the first that arrives at the end is taken. That is how glibc chooses (the first alternative, the
 * greediest repetition, that still lead to the whole match), and it costs match times pattern.
 */
import { type Alphabet, LENGTH_SHIFT, SYMBOL, symbolAt } from './alphabet.js';
import type { Assertion } from './node.js';
import { Op, type Program } from './program.js';
import type { Watch } from './regex.js';
import { holds } from './simulate.js';
import { regexTooCostly } from './syntax.js';

/** Steps of one call: some seconds' work. */
const MAX_STEPS = 50_000_000;
const STEPS_BETWEEN_LOOKS = 20_000;

/** What the groups matched on one way: never changed, so that ways that part can share it. */
export interface Groups {
  /** Pairs of start and end for each group, the whole match (0) first; -1 where there is none yet. */
  readonly spans: readonly number[];
  /** The same, as it was when a group last matched something. */
  readonly kept: readonly number[];
}

export function noGroups(count: number): Groups {
  const spans = new Array<number>(2 * (count + 1)).fill(-1);
  return { spans, kept: spans };
}

/** The groups after one opened or closed at `at`. An empty turn of a repeated group leaves what the turn before it left (glibc). */
export function moveGroup({ spans, kept }: Groups, op: number, group: number, at: number): Groups {
  const slot = 2 * group;
  if (op === Op.open) return { spans: changed(spans, slot, at, -1), kept };
  const start = spans[slot] as number;
  if (start < at) {
    const closed = changed(spans, slot, start, at);
    return { spans: closed, kept: closed };
  }
  if (op === Op.closeOptional && kept[slot] !== -1) return { spans: kept, kept };
  return { spans: changed(spans, slot, start, at), kept };
}

function changed(spans: readonly number[], slot: number, start: number, end: number): readonly number[] {
  const copy = spans.slice();
  copy[slot] = start;
  copy[slot + 1] = end;
  return copy;
}

/** For callers: a group that opened and never closed took no part. The whole match goes from `start` to `end`. */
export function finalSpans({ spans }: Groups, start: number, end: number): Int32Array {
  const result = Int32Array.from(spans);
  for (let i = 0; i < result.length; i += 2) if (result[i + 1] === -1) result[i] = -1;
  result[0] = start;
  result[1] = end;
  return result;
}

interface Way {
  readonly pc: number;
  readonly groups: Groups;
}

/** The groups of the preferred way through `program` over text[from, to). Throws what `isRegexTooCostly` knows. */
export function findGroups(
  program: Program,
  alphabet: Alphabet,
  text: string,
  from: number,
  to: number,
  none: Groups,
  watch: Watch,
): Groups {
  const { op, arg, out, assertions } = program;
  const seen = new Int32Array(op.length).fill(-1);
  const stack: Way[] = [];
  let ways: Way[] = [];
  let arrived: Groups | undefined;
  let steps = 0;
  let nextLook = STEPS_BETWEEN_LOOKS;

  /** Follows what takes no symbol; `at` is the position. */
  const follow = (first: Way, at: number, passed: number, ahead: number, into: Way[]): void => {
    stack.push(first);
    for (let way = stack.pop(); way !== undefined; way = stack.pop()) {
      const { pc, groups } = way;
      if (seen[pc] === at) continue;
      seen[pc] = at;
      steps++;
      const next = out[pc] as number;
      const operand = arg[pc] as number;
      switch (op[pc]) {
        case Op.match:
          if (at === to && arrived === undefined) arrived = groups;
          break;
        case Op.set:
          into.push(way);
          break;
        case Op.split:
          stack.push({ pc: operand, groups }, { pc: next, groups });
          break;
        case Op.assert:
          if (holds(assertions[operand] as Assertion, passed, ahead)) stack.push({ pc: next, groups });
          break;
        default:
          stack.push({ pc: next, groups: moveGroup(groups, op[pc] as number, operand, at) });
      }
    }
  };

  const before = alphabet.before(text, from, 0);
  follow({ pc: program.start, groups: none }, from, before, alphabet.after(text, from, text.length), ways);
  for (let i = from; i < to; ) {
    const symbol = symbolAt(text, i, text.length);
    const accepts = alphabet.accepts[alphabet.classOf(symbol & SYMBOL)] as Uint8Array;
    const next = i + (symbol >> LENGTH_SHIFT);
    const passed = alphabet.before(text, next, 0);
    const ahead = alphabet.after(text, next, text.length);
    const later: Way[] = [];
    for (const { pc, groups } of ways) {
      if (accepts[arg[pc] as number] === 1) follow({ pc: out[pc] as number, groups }, next, passed, ahead, later);
    }
    if (steps > MAX_STEPS) throw regexTooCostly();
    if (steps > nextLook) {
      nextLook = steps + STEPS_BETWEEN_LOOKS;
      watch.look();
    }
    ways = later;
    i = next;
  }
  return arrived ?? none; // the DFA saw the match, so some way arrives
}
