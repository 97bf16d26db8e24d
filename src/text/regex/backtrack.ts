/**
 * Matching with back-references, which no automaton can do: ways are tried one after the other, the preferred first. What was
 * tried with the same groups is not tried again, and the number of steps is bounded.
 */
import { fromByteString } from '../bytes.js';
import { type Alphabet, LENGTH_SHIFT, SYMBOL, symbolAt } from './alphabet.js';
import { type Groups, moveGroup, noGroups } from './groups.js';
import type { Assertion } from './node.js';
import { Op, type Program } from './program.js';
import type { Watch } from './regex.js';
import { caseVariants } from './sets.js';
import { holds } from './simulate.js';
import { regexTooCostly } from './syntax.js';

/** Steps of one search: about half a second of work. */
const MAX_STEPS = 400_000;
const STEPS_BETWEEN_LOOKS = 4096;

export interface BacktrackOptions {
  readonly ignoreCase: boolean;
  /** Number of all groups, and those that some back-reference names. */
  readonly groups: number;
  readonly referenced: readonly number[];
  readonly watch: Watch;
}

interface Attempt {
  readonly pc: number;
  readonly at: number;
  readonly groups: Groups;
  /** One number for each set of what the referenced groups matched. */
  readonly id: number;
}

export interface BacktrackMatch {
  readonly end: number;
  readonly groups: Groups;
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

  /** The longest match that starts at `from`. Throws what `isRegexTooCostly` knows. */
  matchAt(from: number): BacktrackMatch | undefined {
    const { op, arg, out, assertions } = this.program;
    const { text, alphabet } = this;
    const end = text.length;
    const ids = new Map<string, number>();
    const tried = new Set<number>();
    const none = noGroups(this.options.groups);
    const stack: Attempt[] = [{ pc: this.program.start, at: from, groups: none, id: this.idOf(none, ids) }];
    let best: BacktrackMatch | undefined;
    for (let attempt = stack.pop(); attempt !== undefined; attempt = stack.pop()) {
      const { pc, at, groups, id } = attempt;
      if (++this.steps > MAX_STEPS) throw regexTooCostly();
      if (this.steps % STEPS_BETWEEN_LOOKS === 0) this.options.watch.look();
      const next = out[pc] as number;
      const operand = arg[pc] as number;
      switch (op[pc]) {
        case Op.match:
          if (best === undefined || at > best.end) best = { end: at, groups };
          if (at === end) return best;
          break;
        case Op.set: {
          if (at >= end) break;
          const symbol = symbolAt(text, at, end);
          const accepts = alphabet.accepts[alphabet.classOf(symbol & SYMBOL)] as Uint8Array;
          if (accepts[operand] === 1) stack.push({ pc: next, at: at + (symbol >> LENGTH_SHIFT), groups, id });
          break;
        }
        case Op.split: {
          // Ids are at most as many as steps, so the product stays exact for any text that can be searched so.
          const key = (id * op.length + pc) * (end + 1) + at;
          if (tried.has(key)) break;
          tried.add(key);
          stack.push({ pc: operand, at, groups, id }, { pc: next, at, groups, id });
          break;
        }
        case Op.assert:
          if (holds(assertions[operand] as Assertion, alphabet.before(text, at, 0), alphabet.after(text, at, end))) {
            stack.push({ pc: next, at, groups, id });
          }
          break;
        case Op.backref: {
          const length = this.referenceLength(at, operand, groups);
          if (length >= 0) stack.push({ pc: next, at: at + length, groups, id });
          break;
        }
        default: {
          const moved = moveGroup(groups, op[pc] as number, operand, at);
          const known = this.options.referenced.includes(operand);
          stack.push({ pc: next, at, groups: moved, id: known ? this.idOf(moved, ids) : id });
        }
      }
    }
    return best;
  }

  private idOf({ spans, kept }: Groups, ids: Map<string, number>): number {
    let key = '';
    for (const group of this.options.referenced) {
      key += `${spans[2 * group]},${spans[2 * group + 1]},${kept[2 * group]},${kept[2 * group + 1]};`;
    }
    const known = ids.get(key);
    if (known !== undefined) return known;
    ids.set(key, ids.size);
    return ids.size - 1;
  }

  /** How long what the group matched is, when it stands at `at`; -1 when it does not, or the group took no part. */
  private referenceLength(at: number, group: number, { spans }: Groups): number {
    const { text } = this;
    const from = spans[2 * group] as number;
    const to = spans[2 * group + 1] as number;
    const length = to - from;
    if (from < 0 || to < 0 || at + length > text.length) return -1;
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
