/** Looks whether the records of a file are whole, line by line, and where the first is that is not. */
import { BEGINNING, type Sealed, unseal } from './chain.js';

/** What a file came to. */
export interface Verdict {
  readonly records: number;
  readonly runs: number;
  /** Runs that have no end, and after which the file goes on: the line of each one's last record. The first hundred. */
  readonly unended: readonly number[];
  /** Hash of the last record that is whole. */
  readonly head: string;
  /** The first thing that is wrong, and its line, 1-based. */
  readonly problem: { readonly line: number; readonly message: string } | undefined;
}

const MAX_UNENDED = 100;

/** Takes a file in pieces of any size; holds one line at most. */
export class Verifier {
  #line = 0;
  #records = 0;
  #runs = 0;
  #head = BEGINNING;
  #seq = 0;
  #run: string | undefined;
  readonly #unended: number[] = [];
  #problem: Verdict['problem'];
  #pending: Uint8Array[] = [];

  /** False once something is wrong: the rest need not be read. */
  feed(piece: Uint8Array): boolean {
    let from = 0;
    for (let end = piece.indexOf(10); end >= 0 && this.#problem === undefined; end = piece.indexOf(10, from)) {
      this.#take(Buffer.concat([...this.#pending, piece.subarray(from, end)]));
      this.#pending = [];
      from = end + 1;
    }
    // The piece is the caller's again afterwards. (A Buffer's own `slice` copies nothing.)
    if (from < piece.length) this.#pending.push(Uint8Array.from(piece.subarray(from)));
    return this.#problem === undefined;
  }

  end(): Verdict {
    if (this.#problem === undefined && this.#pending.length > 0) {
      this.#fail(this.#line + 1, 'is cut short: the last write, or the file, was not whole');
    }
    if (this.#problem === undefined && this.#records === 0) this.#fail(1, 'is not there: the file is empty');
    if (this.#problem === undefined && this.#run !== undefined) {
      this.#fail(this.#line, 'is the last, and its run has no end: it goes on, was killed, or its end was taken away');
    }
    return {
      records: this.#records,
      runs: this.#runs,
      unended: this.#unended,
      head: this.#head,
      problem: this.#problem,
    };
  }

  #take(line: Uint8Array): void {
    this.#line += 1;
    const record = unseal(line);
    const wrong = this.#whatIsWrong(record);
    if (record === undefined || wrong !== undefined) {
      this.#fail(this.#line, wrong ?? '');
      return;
    }
    this.#records += 1;
    this.#seq = record.seq;
    this.#head = record.hash;
    if (record.event === 'run-start') {
      if (this.#run !== undefined && this.#unended.length < MAX_UNENDED) this.#unended.push(this.#line - 1);
      this.#runs += 1;
      this.#run = record.run;
    } else if (record.event === 'run-end') this.#run = undefined;
  }

  #whatIsWrong(record: Sealed | undefined): string | undefined {
    if (record === undefined) return 'is no record';
    if (!record.sound) return 'was changed: its hash is not its own';
    if (record.seq === this.#seq + 1 && record.prev === this.#head) return undefined;
    const expected = this.#seq === 0 ? 'the first' : `the one after record ${this.#seq}`;
    return `is record ${record.seq}, and not ${expected}: lines were removed, added or moved`;
  }

  #fail(line: number, message: string): void {
    this.#problem = { line, message };
  }
}
