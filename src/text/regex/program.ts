/** A regular expression as a nondeterministic automaton: a list of instructions, of which each but `match` names the next. */
import type { Assertion, Node, SymbolSet } from './node.js';
import { SyntaxProblem } from './syntax.js';

export const Op = {
  match: 0,
  /** One symbol of set `arg`. */
  set: 1,
  /** Both `out` and `arg`, the first by preference. */
  split: 2,
  /** Assertion `arg`. */
  assert: 3,
  /** Group `arg` opens, or closes; closes as the repeated body of something that may be left out. */
  open: 4,
  close: 5,
  closeOptional: 6,
  /** What group `arg` matched. */
  backref: 7,
} as const;

export interface Program {
  readonly op: Uint8Array;
  readonly arg: Int32Array;
  readonly out: Int32Array;
  readonly start: number;
  readonly sets: readonly SymbolSet[];
  readonly assertions: readonly Assertion[];
  /** Runs from the end of a match to its start. */
  readonly reversed: boolean;
}

export interface ProgramOptions {
  /** For the reverse scan, which finds where a match starts. */
  readonly reversed?: boolean;
  /** Marks where groups open and close. */
  readonly groups?: boolean;
}

/** Instructions of one program: `(a{1,999}){1,999}` is refused, as GNU does when memory is short. */
const MAX_INSTRUCTIONS = 300_000;

/** Throws SyntaxProblem('size'). */
export function compileProgram(node: Node, options: ProgramOptions = {}): Program {
  return new Compiler(options).compile(node);
}

class Compiler {
  private readonly op: number[] = [];
  private readonly arg: number[] = [];
  private readonly out: number[] = [];
  private readonly sets: SymbolSet[] = [];
  private readonly setIndex = new Map<string, number>();
  private readonly assertions: Assertion[] = [];
  private readonly reversed: boolean;
  private readonly groups: boolean;

  constructor(options: ProgramOptions) {
    this.reversed = options.reversed === true;
    this.groups = options.groups === true;
  }

  compile(node: Node): Program {
    const match = this.emit(Op.match, 0, 0);
    const start = this.node(node, match);
    return {
      op: Uint8Array.from(this.op),
      arg: Int32Array.from(this.arg),
      out: Int32Array.from(this.out),
      start,
      sets: this.sets,
      assertions: this.assertions,
      reversed: this.reversed,
    };
  }

  private emit(op: number, arg: number, out: number): number {
    if (this.op.length >= MAX_INSTRUCTIONS) throw new SyntaxProblem('size');
    this.arg.push(arg);
    this.out.push(out);
    return this.op.push(op) - 1;
  }

  /** Compiles `node` so that `next` follows it; answers where it starts. */
  private node(node: Node, next: number, optional = false): number {
    switch (node.kind) {
      case 'empty':
        return next;
      case 'set':
        return this.emit(Op.set, this.set(node.set), next);
      case 'cat':
        return this.concatenation(node.items, next);
      case 'alt':
        return this.alternatives(node.items, next);
      case 'repeat':
        return this.repetition(node.body, node.min, node.max, next);
      case 'group': {
        if (!this.groups) return this.node(node.body, next);
        const close = this.emit(optional ? Op.closeOptional : Op.close, node.index, next);
        return this.emit(Op.open, node.index, this.node(node.body, close));
      }
      case 'assert':
        return this.emit(Op.assert, this.assertions.push(node.what) - 1, next);
      case 'backref':
        return this.emit(Op.backref, node.index, next);
    }
  }

  private set(set: SymbolSet): number {
    let index = this.setIndex.get(set.key);
    if (index === undefined) {
      index = this.sets.push(set) - 1;
      this.setIndex.set(set.key, index);
    }
    return index;
  }

  private concatenation(items: readonly Node[], next: number): number {
    let at = next;
    if (this.reversed) for (const item of items) at = this.node(item, at);
    else for (let i = items.length - 1; i >= 0; i--) at = this.node(items[i] as Node, at);
    return at;
  }

  private alternatives(items: readonly Node[], next: number): number {
    let at = this.node(items[items.length - 1] as Node, next);
    for (let i = items.length - 2; i >= 0; i--) {
      const first = this.node(items[i] as Node, next);
      at = this.emit(Op.split, at, first);
    }
    return at;
  }

  /**
   * `x{2,}` is `xxx*`. `x{2,4}` is `xx(x(x)?)?`, which keeps few instructions active at a time; but where groups are asked for
   * it is `xx((x)?x)?`, as in glibc: that decides which turn is the last, whose groups are kept.
   */
  private repetition(body: Node, min: number, max: number, next: number): number {
    let at = next;
    if (max === Number.POSITIVE_INFINITY) {
      const split = this.emit(Op.split, next, 0);
      this.out[split] = this.node(body, split, true);
      at = split;
    } else {
      const entries = [next];
      for (let i = min; i < max; i++) {
        // An empty turn of a counted repetition does count as its last (glibc).
        at = this.node(body, at, max === 1);
        if (this.groups) entries.push(at);
        else at = this.emit(Op.split, next, at);
      }
      if (this.groups) for (let i = entries.length - 2; i >= 0; i--) at = this.emit(Op.split, entries[i] as number, at);
    }
    for (let i = 0; i < min; i++) at = this.node(body, at);
    return at;
  }
}
