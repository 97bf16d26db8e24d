/** How a statement ended: a value, not an exception. */

/** An exit status (0 to 255), or what leaves the surrounding commands. `typeof outcome === 'number'` is the fast path. */
export type Outcome = number | Completion;

export interface Completion {
  /**
   * `error` and `builtin error` end a script as `exit` does (POSIX 2.8.1), and at a prompt only the command: an expansion or syntax that
   * is wrong, and an error of a special built-in, which `command` turns into a mere status. `discard` leaves the complete command alone, or a subshell: `failglob` of bash.
   */
  readonly kind: 'break' | 'continue' | 'return' | 'exit' | 'error' | 'builtin error' | 'discard';
  /** Loops still to leave, for break and continue; at least 1. Otherwise 0. */
  readonly levels: number;
  readonly status: number;
}

export function completion(kind: Completion['kind'], status: number, levels = 0): Completion {
  return { kind, levels, status };
}

/** The status an outcome leaves in `$?`. */
export function statusOf(outcome: Outcome): number {
  return typeof outcome === 'number' ? outcome : outcome.status;
}
