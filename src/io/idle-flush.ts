/**
 * What is kept goes out before the process waits for anything: in the next turn of the event loop. A script that works makes no
 * turns, and so writes in large pieces; one that sleeps or reads is seen to have said what it said.
 */
export class IdleFlush {
  readonly #flush: () => void;
  #scheduled = false;

  /** `flush` neither throws nor rejects: it leaves a failure for the next writer. */
  constructor(flush: () => void) {
    this.#flush = flush;
  }

  /** Something is kept. Cheap while a flush is on its way. */
  schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }
}
