/** The trail of one run: puts events in order, hands them to the sink, and says aloud when the sink fails. */
import type { AuditEvent, AuditRecord, AuditSink, RunEnd, Trail, TrailOptions } from '../audit.js';
import { isShellError, ShellError } from '../errors.js';
import type { Waiting } from '../steps.js';

/** How long the last record of a run that was stopped may take, in milliseconds. */
const LAST_RECORD = 100;

export class AuditTrail implements Trail {
  readonly #options: TrailOptions & { readonly sink: AuditSink };
  readonly #counts: Record<string, number> = {};
  #seq = 1;
  #state: 'open' | 'closed' | 'failed' | 'given up' = 'open';
  #failure: ShellError | undefined;
  #outstanding = 0;
  #pending: Promise<void> | undefined;
  #settle = () => {};

  constructor(sink: AuditSink, options: TrailOptions) {
    this.#options = { ...options, sink };
  }

  get pending(): Waiting {
    return this.#pending;
  }

  /** How many there were of each kind so far. */
  get counts(): Readonly<Record<string, number>> {
    return { ...this.#counts };
  }

  emit(event: AuditEvent): Waiting {
    if (this.#state !== 'open') {
      if (this.#failure !== undefined) throw this.#failure;
      return undefined;
    }
    this.#counts[event.event] = (this.#counts[event.event] ?? 0) + 1;
    const answer = this.#take(event);
    if (answer === undefined) return this.#pending;
    this.#outstanding += 1;
    this.#pending ??= new Promise<void>((resolve) => {
      this.#settle = resolve;
    });
    const all = this.#pending;
    const taken = this.#untilStopped(answer).catch((error: unknown) => this.#failed(error));
    const settled = taken.finally(() => {
      this.#outstanding -= 1;
      if (this.#outstanding > 0) return;
      this.#pending = undefined;
      this.#settle();
    });
    // Not everybody who announces something can wait for it; then the next step does, and a failure has stopped the run.
    const after = settled.then(() => all);
    after.catch(() => {});
    return after;
  }

  async end(event: RunEnd): Promise<ShellError | undefined> {
    const stopped = this.#options.stopped() !== undefined;
    if (this.#pending !== undefined) await (stopped ? atMost(LAST_RECORD, this.#pending) : this.#pending);
    if (this.#state !== 'open') return this.#failure;
    try {
      const answer = this.#take(event);
      // What a run leaves behind that was stopped does nothing more; a job that a session leaves is still on record.
      if (stopped && this.#state === 'open') this.#state = 'closed';
      if (answer === undefined) return undefined;
      if (!stopped) await this.#untilStopped(answer);
      else if (!(await atMost(LAST_RECORD, answer))) throw new Error('the end of the run was not taken in time');
    } catch (error) {
      if (isShellError(error)) return error;
      if (this.#failure === undefined) this.#reportFailure(error);
    }
    return this.#failure;
  }

  #take(event: AuditEvent): Promise<void> | undefined {
    const record: AuditRecord = {
      seq: this.#seq,
      time: new Date().toISOString(),
      run: this.#options.sink.run,
      ...event,
    };
    this.#seq += 1;
    let answer: unknown;
    try {
      answer = this.#options.sink.take(record, losesSomething(event));
    } catch (error) {
      this.#failed(error);
    }
    return isThenable(answer) ? Promise.resolve(answer).then(() => undefined) : undefined;
  }

  /** The run is not kept from its end by somebody who never answers. */
  #untilStopped(answer: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      let forget = () => {};
      answer.then(
        () => {
          forget();
          resolve();
        },
        (error: unknown) => {
          forget();
          reject(error);
        },
      );
      forget = this.#options.onStop(() => reject(this.#options.stopped()));
    });
  }

  #failed(error: unknown): void {
    // The end of the run is no failure of the sink.
    if (isShellError(error)) throw error;
    if (this.#state === 'open') this.#reportFailure(error);
    if (this.#failure !== undefined) throw this.#failure;
  }

  #reportFailure(error: unknown): void {
    const message = `audit: ${error instanceof Error ? error.message : String(error)}`;
    if (this.#options.onFailure === 'continue') {
      this.#state = 'given up';
      this.#options.warn(`${message}: the run went on without a record`, false);
      return;
    }
    this.#state = 'failed';
    this.#failure = new ShellError('audit', message);
    this.#options.warn(message, true);
    this.#options.stop(this.#failure);
  }
}

/** Whether something cannot be had back once what the event announces is done. */
function losesSomething(event: AuditEvent): boolean {
  if (event.event === 'run-end') return true;
  if (event.event !== 'intent') return false;
  return event.budget !== undefined || (event.action === 'truncate' && event.file !== undefined && event.file.size > 0);
}

/** Whether `promise` was settled, and well, within so many milliseconds. */
async function atMost(milliseconds: number, promise: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

function isThenable(answer: unknown): answer is PromiseLike<unknown> {
  return typeof answer === 'object' && answer !== null && 'then' in answer && typeof answer.then === 'function';
}
