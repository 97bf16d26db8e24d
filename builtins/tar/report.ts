/** What tar says, and the status that is left of it. */
import { isFsError } from '../../src/errors.js';
import type { BaseContext } from '../kit/context.js';

/** Ends the command at once, with status 2. */
export class Fatal extends Error {}

export class Report {
  status = 0;
  private readonly context: BaseContext;
  private readonly said = new Set<string>();

  constructor(context: BaseContext) {
    this.context = context;
  }

  /** Something could not be done, and tar goes on. */
  error(message: string): void {
    this.context.complain(message);
    this.status = 2;
  }

  /** `NAME: Cannot DO: what the error says`. A removal budget that is spent ends it all. */
  failed(what: string, error: unknown): void {
    if (!isFsError(error)) throw error;
    this.error(`${what}: ${error.message}`);
    if (error.code === 'BUDGET') throw new Fatal();
  }

  /** Changes the status to 1 at most. */
  warn(message: string): void {
    this.context.complain(message);
    this.status = Math.max(this.status, 1);
  }

  /** Says it the first time, and leaves the status. */
  once(message: string): void {
    if (this.said.has(message)) return;
    this.said.add(message);
    this.context.complain(message);
  }

  end(): number {
    if (this.status === 2) this.context.complain('Exiting with failure status due to previous errors');
    return this.status;
  }

  fatal(): number {
    this.context.complain('Error is not recoverable: exiting now');
    return 2;
  }
}
