/** Sets of instructions a program can be at: the step that DFA states are made by. */

import { Beside } from './alphabet.js';
import type { Assertion } from './node.js';
import { Op, type Program } from './program.js';

/** Whether the assertion holds between two neighbours. */
export function holds(what: Assertion, before: number, after: number): boolean {
  switch (what) {
    case 'lineStart':
      return before === Beside.edge || before === Beside.newline;
    case 'lineEnd':
      return after === Beside.edge || after === Beside.newline;
    case 'textStart':
      return before === Beside.edge;
    case 'textEnd':
      return after === Beside.edge;
    case 'wordStart':
      return before !== Beside.word && after === Beside.word;
    case 'wordEnd':
      return before === Beside.word && after !== Beside.word;
    case 'wordEdge':
      return (before === Beside.word) !== (after === Beside.word);
    case 'notWordEdge':
      return (before === Beside.word) === (after === Beside.word);
    case 'noWordBefore':
      return before !== Beside.word;
    case 'noWordAfter':
      return after !== Beside.word;
  }
}

/** Follows what takes no symbol. Instructions already visited since `clear` are not visited again. */
export class Closure {
  private readonly program: Program;
  private readonly seen: Uint32Array;
  private readonly stack: number[] = [];
  private round = 0;
  matched = false;

  constructor(program: Program) {
    this.program = program;
    this.seen = new Uint32Array(program.op.length);
  }

  clear(): void {
    this.round++;
    this.matched = false;
  }

  /**
   * Appends to `into` the `set` instructions reachable from `pc` where `passed` and `ahead` stand beside the position: behind and
   * before it in the direction the program runs.
   */
  follow(pc: number, passed: number, ahead: number, into: number[]): void {
    const { op, arg, out, assertions, reversed } = this.program;
    const { stack, seen } = this;
    stack.push(pc);
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (seen[at] === this.round) continue;
      seen[at] = this.round;
      switch (op[at]) {
        case Op.match:
          this.matched = true;
          break;
        case Op.set:
          into.push(at);
          break;
        case Op.split:
          stack.push(arg[at] as number, out[at] as number);
          break;
        case Op.assert: {
          const what = assertions[arg[at] as number] as Assertion;
          if (reversed ? holds(what, ahead, passed) : holds(what, passed, ahead)) stack.push(out[at] as number);
          break;
        }
        default:
          stack.push(out[at] as number);
      }
    }
  }
}
