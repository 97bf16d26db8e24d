/** The tick: counts commands, notices abort and deadline, and gives the event loop its turn. */
import { ShellError } from '../errors.js';
import { limitReached } from '../limits.js';
import type { Waiting } from '../steps.js';

/** The clock is read once in so many ticks: reading it costs more than a step. */
const TICKS_BETWEEN_LOOKS = 16;
/** Milliseconds of work before the event loop gets a turn. */
const SLICE = 10;

export interface TickerOptions {
  readonly maxCommands: number;
  /** Milliseconds; undefined: no deadline. */
  readonly timeoutMs: number | undefined;
  /** Called before the event loop gets its turn: what was printed so far goes out. */
  readonly beforeTurn: () => Waiting;
}

export class Ticker {
  readonly #options: TickerOptions;
  readonly #started = performance.now();
  readonly #wakers = new Set<() => void>();
  #sliceStart = this.#started;
  #pendingTurn: Promise<void> | undefined;
  #ticks = 0;
  #commands = 0;
  #stop: ShellError | undefined;
  #deadline: NodeJS.Timeout | undefined;

  constructor(options: TickerOptions) {
    this.#options = options;
    if (options.timeoutMs !== undefined) {
      const message = `timed out after ${options.timeoutMs / 1000} s`;
      // The timer is what ends a run that only waits; one that works looks at the clock itself.
      this.#deadline = setTimeout(() => this.stop(new ShellError('timeout', message)), options.timeoutMs);
    }
  }

  /** See steps.ts. */
  readonly tick = (): Waiting => {
    // At once, not at the next look: what is started while a run ends (`f() { f | f & }`) must not outrun its end.
    if (this.#stop !== undefined) throw this.#stop;
    // A turn that one shell waits for all wait for: else a thousand of them would go on until each had its own look at the clock.
    return ++this.#ticks % TICKS_BETWEEN_LOOKS === 0 ? this.#look() : this.#pendingTurn;
  };

  /** See steps.ts. Answers the time, as `performance.now()` does. */
  readonly look = (): number => {
    if (this.#stop !== undefined) throw this.#stop;
    const now = performance.now();
    const { timeoutMs } = this.#options;
    if (timeoutMs !== undefined && now - this.#started >= timeoutMs) {
      this.stop(new ShellError('timeout', `timed out after ${timeoutMs / 1000} s`));
      throw this.#stop;
    }
    return now;
  };

  /** A command was run; also a tick. */
  command(): Waiting {
    if (this.#stop !== undefined) throw this.#stop;
    if (++this.#commands > this.#options.maxCommands) throw limitReached('maxCommands', this.#options.maxCommands);
    return ++this.#ticks % TICKS_BETWEEN_LOOKS === 0 ? this.#look() : this.#pendingTurn;
  }

  #look(): Waiting {
    const now = this.look();
    // Also while a turn is pending: what cannot wait for it (a long `gsub`) must not outrun the deadline.
    return this.#pendingTurn ?? (now - this.#sliceStart < SLICE ? undefined : this.turn());
  }

  /** One turn of the event loop, for all who ask: with many shells at work, a turn for each would be too many to be in time. */
  turn(): Promise<void> {
    if (this.#pendingTurn === undefined) {
      this.#pendingTurn = this.#takeTurn();
      // A command that ends for another reason meanwhile waits for it no more, and the end of a run that nobody hears of would be the
      // end of the process. Nothing is lost: the next tick of whoever goes on throws the same.
      this.#pendingTurn.catch(() => undefined);
    }
    return this.#pendingTurn;
  }

  async #takeTurn(): Promise<void> {
    const flushing = this.#options.beforeTurn();
    if (flushing !== undefined) await flushing;
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#sliceStart = performance.now();
    this.#pendingTurn = undefined;
    if (this.#stop !== undefined) throw this.#stop;
  }

  /** Why the run must stop, once it must. */
  get stopped(): ShellError | undefined {
    return this.#stop;
  }

  /** Stops the run: everything that waits is woken, everything that works notices at its next tick. */
  stop(reason: ShellError): void {
    if (this.#stop !== undefined) return;
    this.#stop = reason;
    for (const wake of [...this.#wakers]) wake();
    this.#wakers.clear();
  }

  check(): void {
    if (this.#stop !== undefined) throw this.#stop;
  }

  /** Calls `wake` when the run is stopped; answers how to take that back. */
  onStop(wake: () => void): () => void {
    if (this.#stop !== undefined) {
      wake();
      return () => {};
    }
    this.#wakers.add(wake);
    return () => {
      this.#wakers.delete(wake);
    };
  }

  /** Waits so many milliseconds; rejects when the run is stopped. `cancel` when nobody waits any more. */
  sleep(milliseconds: number): { readonly done: Promise<void>; readonly cancel: () => void } {
    let cancel = () => {};
    const done = new Promise<void>((resolve, reject) => {
      // setTimeout takes at most 2^31-1 ms.
      const MAX = 2_147_483_647;
      let left = milliseconds;
      let timer: NodeJS.Timeout;
      const forget = this.onStop(() => {
        clearTimeout(timer);
        reject(this.#stop);
      });
      const start = () => {
        const part = Math.min(left, MAX);
        left -= part;
        timer = setTimeout(() => {
          if (left > 0) start();
          else {
            forget();
            resolve();
          }
        }, part);
      };
      if (this.#stop === undefined) start();
      cancel = () => {
        clearTimeout(timer);
        forget();
      };
    });
    return { done, cancel: () => cancel() };
  }

  /** No timer of the run is left behind. */
  end(): void {
    clearTimeout(this.#deadline);
  }
}
