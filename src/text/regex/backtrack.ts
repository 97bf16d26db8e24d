/**
 * Matching with back-references, which no automaton can do: ways are tried one after the other, the preferred first. What was
 * tried with the same groups is not tried again, and the number of steps is bounded.
 */
import { fromByteString } from '../bytes.js';
import { type Alphabet, LENGTH_SHIFT, SYMBOL, symbolAt } from './alphabet.js';
import { type Event, writeSpans } from './groups.js';
import type { Assertion } from './node.js';
import { Op, type Program } from './program.js';
import { caseVariants } from './sets.js';
import { holds } from './simulate.js';
import { RegexTooCostly } from './syntax.js';

/** Steps of one search: about a second's work. */
const MAX_STEPS = 2_000_000;

export interface BacktrackOptions {
  readonly ignoreCase: boolean;
  /** Groups that some back-reference names. */
  readonly referenced: readonly number[];
  readonly groups: number;
}

interface Attempt {
  readonly pc: number;
  readonly at: number;
  readonly past: Event | undefined;
}

export class Backtracker {
  private readonly program: Program;
  private readonly alphabet: Alphabet;
  private readonly options: BacktrackOptions;

  constructor(program: Program, alphabet: Alphabet, options: BacktrackOptions) {
    this.program = program;
    this.alphabet = alphabet;
    this.options = options;
  }

  /** The longest match that starts at `from`: its end and groups, or undefined. `steps` counts over a whole search. */
  matchAt(text: string, from: number, steps: { taken: number }): { end: number; past: Event | undefined } | undefined {
    const { op, arg, out, assertions } = this.program;
    const end = text.length;
    const tried = new Set<string>();
    const stack: Attempt[] = [{ pc: this.program.start, at: from, past: undefined }];
    let best: { end: number; past: Event | undefined } | undefined;
    for (let attempt = stack.pop(); attempt !== undefined; attempt = stack.pop()) {
      const { pc, at, past } = attempt;
      if (++steps.taken > MAX_STEPS) throw new RegexTooCostly();
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
          const accepts = this.alphabet.accepts[this.alphabet.classOf(symbol & SYMBOL)] as Uint8Array;
          if (accepts[operand] === 1) stack.push({ pc: next, at: at + (symbol >> LENGTH_SHIFT), past });
          break;
        }
        case Op.split: {
          const key = `${pc},${at},${this.groupsKey(past)}`;
          if (tried.has(key)) break;
          tried.add(key);
          stack.push({ pc: operand, at, past }, { pc: next, at, past });
          break;
        }
        case Op.assert: {
          const before = this.alphabet.before(text, at, 0);
          if (holds(assertions[operand] as Assertion, before, this.alphabet.after(text, at, end))) {
            stack.push({ pc: next, at, past });
          }
          break;
        }
        case Op.backref: {
          const length = this.referenceLength(text, at, end, operand, past);
          if (length >= 0) stack.push({ pc: next, at: at + length, past });
          break;
        }
        default:
          stack.push({ pc: next, at, past: { before: past, op: op[pc] as number, group: operand, at } });
      }
    }
    return best;
  }

  private spans(past: Event | undefined): Int32Array {
    const spans = new Int32Array(2 * (this.options.groups + 1)).fill(-1);
    writeSpans(past, spans);
    return spans;
  }

  private groupsKey(past: Event | undefined): string {
    const { referenced } = this.options;
    if (past === undefined) return '';
    const open = new Int32Array(referenced.length).fill(-1);
    const close = new Int32Array(referenced.length).fill(-1);
    let missing = 2 * referenced.length;
    for (let event: Event | undefined = past; event !== undefined && missing > 0; event = event.before) {
      const which = referenced.indexOf(event.group);
      if (which < 0) continue;
      const into = event.op === Op.open ? open : close;
      if (into[which] !== -1) continue;
      into[which] = event.at;
      missing--;
    }
    return `${open.join()};${close.join()}`;
  }

  /** How long what the group matched is, when it stands at `at`; -1 when it does not, or the group took no part. */
  private referenceLength(text: string, at: number, end: number, group: number, past: Event | undefined): number {
    const spans = this.spans(past);
    const from = spans[2 * group] as number;
    const to = spans[2 * group + 1] as number;
    if (from < 0 || to < 0) return -1;
    const length = to - from;
    if (at + length > end) return -1;
    if (text.startsWith(text.slice(from, to), at)) return length;
    return this.options.ignoreCase && sameFolded(text.slice(from, to), text.slice(at, at + length)) ? length : -1;
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
