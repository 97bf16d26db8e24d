/** How a statement ended. */
import type { Awaitable } from '../../src/steps.js';

export const Code = {
  Normal: 0,
  Break: 1,
  Continue: 2,
  Return: 3,
  Next: 4,
  NextFile: 5,
  Exit: 6,
} as const;
export type Code = (typeof Code)[keyof typeof Code];

export type Exec = () => Awaitable<Code>;

/** `next`, `nextfile` and `exit` in a function: thrown through the expression that called it, and caught around the rules. */
export class Signal {
  readonly code: Code;
  private constructor(code: Code) {
    this.code = code;
  }

  private static readonly known = new Map<Code, Signal>();

  static of(code: Code): Signal {
    let signal = Signal.known.get(code);
    if (signal === undefined) {
      signal = new Signal(code);
      Signal.known.set(code, signal);
    }
    return signal;
  }
}
