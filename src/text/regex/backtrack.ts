/**
 * Matching with back-references, which no automaton can do: ways are tried one after the other, the preferred first. What was
 * tried with the same groups is not tried again, and the number of steps is bounded.
 */
import { fromByteString } from '../bytes.js';
import { type Alphabet, LENGTH_SHIFT, SYMBOL, symbolAt } from './alphabet.js';
import type { Event } from './groups.js';
import type { Assertion } from './node.js';
import { Op, type Program } from './program.js';
import { caseVariants } from './sets.js';
import { holds } from './simulate.js';
import { RegexTooCostly } from './syntax.js';

/** Steps of one search: about half a second's work. */
const MAX_STEPS = 1_000_000;

export interface BacktrackOptions {
  readonly ignoreCase: boolean;
  /** Groups that some back-reference names. */
  readonly referenced: readonly number[];
}

/** What the referenced groups matched so far: triples of where it opened, start and end. One object for each set of values. */
interface Referenced {
  readonly id: number;
  readonly spans: readonly number[];
}

interface Attempt {
  readonly pc: number;
  readonly at: number;
  readonly past: Event | undefined;
  readonly groups: Referenced;
}

export interface BacktrackMatch {
  readonly end: number;
  readonly past: Event | undefined;
}

export class Backtracker {
  private readonly program: Program;
  private readonly alphabet: Alphabet;
  private readonly options: BacktrackOptions;
  private readonly text: string;
  private steps = 0;

  /** Searches in one text; its steps are counted together. */
  constructor(program: Program, alphabet: Alphabet, text: string, options: BacktrackOptions) {
    this.program = program;
    this.alphabet = alphabet;
    this.text = text;
    this.options = options;
  }

  /** The longest match that starts at `from`. Throws RegexTooCostly. */
  matchAt(from: number): BacktrackMatch | undefined {
    const { op, arg, out, assertions } = this.program;
    const { text, alphabet } = this;
    const end = text.length;
    const none: Referenced = { id: 0, spans: this.options.referenced.flatMap(() => [-1, -1, -1]) };
    const known = new Map<string, Referenced>([[none.spans.join(), none]]);
    const tried = new Set<number>();
    const stack: Attempt[] = [{ pc: this.program.start, at: from, past: undefined, groups: none }];
    let best: BacktrackMatch | undefined;
    for (let attempt = stack.pop(); attempt !== undefined; attempt = stack.pop()) {
      const { pc, at, past, groups } = attempt;
      if (++this.steps > MAX_STEPS) throw new RegexTooCostly();
      const next = out[pc] as number;
      const operand = arg[pc] as number;
      switch (op[pc]) {
        case Op.match:
          if (best === undefined || at > best.end) best = { end: at, past };
          if (at === end) return best;
          break;
        case Op.set: {
          if (at >= end) break;
          const symbol = symbolAt(text, at, end);
          const accepts = alphabet.accepts[alphabet.classOf(symbol & SYMBOL)] as Uint8Array;
          if (accepts[operand] === 1) stack.push({ pc: next, at: at + (symbol >> LENGTH_SHIFT), past, groups });
          break;
        }
        case Op.split: {
          // Ids are at most as many as steps, so the product stays exact for any text that can be searched so.
          const key = (groups.id * op.length + pc) * (end + 1) + at;
          if (tried.has(key)) break;
          tried.add(key);
          stack.push({ pc: operand, at, past, groups }, { pc: next, at, past, groups });
          break;
        }
        case Op.assert:
          if (holds(assertions[operand] as Assertion, alphabet.before(text, at, 0), alphabet.after(text, at, end))) {
            stack.push({ pc: next, at, past, groups });
          }
          break;
        case Op.backref: {
          const length = this.referenceLength(at, operand, groups);
          if (length >= 0) stack.push({ pc: next, at: at + length, past, groups });
          break;
        }
        default: {
          const event: Event = { before: past, op: op[pc] as number, group: operand, at };
          stack.push({ pc: next, at, past: event, groups: this.moved(groups, event, known) });
        }
      }
    }
    return best;
  }

  /** The groups after one of them opened or closed. */
  private moved(groups: Referenced, { op, group, at }: Event, known: Map<string, Referenced>): Referenced {
    const slot = 3 * this.options.referenced.indexOf(group);
    if (slot < 0) return groups;
    const spans = [...groups.spans];
    if (op === Op.open) spans[slot] = at;
    else {
      const opened = spans[slot] as number;
      // An empty turn of what is repeated leaves what the turn before it left.
      if (opened === at && op === Op.closeOptional && spans[slot + 1] !== -1) return groups;
      spans[slot + 1] = opened;
      spans[slot + 2] = at;
    }
    const key = spans.join();
    let same = known.get(key);
    if (same === undefined) {
      same = { id: known.size, spans };
      known.set(key, same);
    }
    return same;
  }

  /** How long what the group matched is, when it stands at `at`; -1 when it does not, or the group took no part. */
  private referenceLength(at: number, group: number, { spans }: Referenced): number {
    const { text } = this;
    const slot = 3 * this.options.referenced.indexOf(group);
    const from = spans[slot + 1] as number;
    const to = spans[slot + 2] as number;
    const length = to - from;
    if (from < 0 || at + length > text.length) return -1;
    const wanted = text.slice(from, to);
    if (text.startsWith(wanted, at)) return length;
    return this.options.ignoreCase && sameFolded(wanted, text.slice(at, at + length)) ? length : -1;
  }
}

function sameFolded(a: string, b: string): boolean {
  const left = Array.from(fromByteString(a));
  const right = Array.from(fromByteString(b));
  return (
    left.length === right.length &&
    left.every((character, i) =>
      caseVariants(character.codePointAt(0) as number).includes((right[i] as string).codePointAt(0) as number),
    )
  );
}
