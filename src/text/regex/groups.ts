/**
 * What the groups matched, once it is known where the match starts and ends: all ways through the program are followed
 * at once, the preferred first, and the first that arrives at the end is taken. That is how glibc chooses (the first alternative, the
 * greediest repetition, that still lead to the whole match), and it costs match times pattern.
 */
import type { Alphabet } from './alphabet.js';
import { LENGTH_SHIFT, SYMBOL, symbolAt } from './alphabet.js';
import type { Assertion } from './node.js';
import { Op, type Program } from './program.js';
import { holds } from './simulate.js';

/** A group that opened or closed, and what happened before: ways that part share their past. */
export interface Event {
  readonly before: Event | undefined;
  readonly op: number;
  readonly group: number;
  readonly at: number;
}

interface Way {
  readonly pc: number;
  readonly past: Event | undefined;
}

/** The events of the preferred way through `program` over text[from, to). */
export function findGroups(
  program: Program,
  alphabet: Alphabet,
  text: string,
  from: number,
  to: number,
): Event | undefined {
  const { op, arg, out, assertions } = program;
  const seen = new Int32Array(op.length).fill(-1);
  const stack: Way[] = [];
  let ways: Way[] = [];
  let arrived: { past: Event | undefined } | undefined;

  /** Follows what takes no symbol; `at` is the position. */
  const follow = (first: Way, at: number, passed: number, ahead: number, into: Way[]): void => {
    stack.push(first);
    for (let way = stack.pop(); way !== undefined; way = stack.pop()) {
      const { pc, past } = way;
      if (seen[pc] === at) continue;
      seen[pc] = at;
      const next = out[pc] as number;
      const operand = arg[pc] as number;
      switch (op[pc]) {
        case Op.match:
          if (at === to && arrived === undefined) arrived = { past };
          break;
        case Op.set:
          into.push(way);
          break;
        case Op.split:
          stack.push({ pc: operand, past }, { pc: next, past });
          break;
        case Op.assert:
          if (holds(assertions[operand] as Assertion, passed, ahead)) stack.push({ pc: next, past });
          break;
        default:
          stack.push({ pc: next, past: { before: past, op: op[pc] as number, group: operand, at } });
      }
    }
  };

  follow(
    { pc: program.start, past: undefined },
    from,
    alphabet.before(text, from, 0),
    alphabet.after(text, from, text.length),
    ways,
  );
  for (let i = from; i < to; ) {
    const symbol = symbolAt(text, i, text.length);
    const accepts = alphabet.accepts[alphabet.classOf(symbol & SYMBOL)] as Uint8Array;
    const next = i + (symbol >> LENGTH_SHIFT);
    const passed = alphabet.before(text, next, 0);
    const ahead = alphabet.after(text, next, text.length);
    const later: Way[] = [];
    for (const { pc, past } of ways) {
      if (accepts[arg[pc] as number] === 1) follow({ pc: out[pc] as number, past }, next, passed, ahead, later);
    }
    ways = later;
    i = next;
  }
  return arrived?.past;
}

/**
 * Writes start and end of each group into `spans` (pairs, the whole match first; -1 for a group that took no part). An empty turn of a
 * repeated group leaves what the turn before it left, as in glibc.
 */
export function writeSpans(last: Event | undefined, spans: Int32Array): void {
  const events: Event[] = [];
  for (let event = last; event !== undefined; event = event.before) events.push(event);
  let kept = spans.slice();
  for (let i = events.length - 1; i >= 0; i--) {
    const { op, group, at } = events[i] as Event;
    const startAt = 2 * group;
    if (op === Op.open) {
      spans[startAt] = at;
      spans[startAt + 1] = -1;
    } else if ((spans[startAt] as number) < at) {
      spans[startAt + 1] = at;
      kept = spans.slice();
    } else if (op === Op.closeOptional && kept[startAt] !== -1) {
      spans.set(kept);
    } else {
      spans[startAt + 1] = at;
    }
  }
  // A group that opened and never closed on the way took no part.
  for (let i = 0; i < spans.length; i += 2) if (spans[i + 1] === -1) spans[i] = -1;
}
