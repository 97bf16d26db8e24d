/** The audit trail in a file: begins a chain, or goes on with the one that is there. */
import type { AuditRecord, AuditSink } from '../audit.js';
import { encode } from '../text/bytes.js';
import { BEGINNING, seal, unseal } from './chain.js';

/** A file that records go to the end of. */
export interface RecordFile {
  readonly lastLine: Uint8Array | undefined;
  readonly whole: boolean;
  append(data: Uint8Array): void;
  sync(): void;
}

/** The start of a process, to tell it from a later one of the same number; undefined when it does not run. */
export type ProcessStart = (pid: number) => string | undefined;

/** A file that the runs of this process write to: one after the other, and what jobs of an earlier one still do in between. */
export interface RecordKeeper {
  /** Hash of the last record. */
  readonly head: string;
  /** For one run more. */
  sink(): AuditSink;
}

/** Why a file cannot be gone on with. */
export class ChainError extends Error {
  override readonly name = 'ChainError';
}

let runs = 0;

/** `path` is for messages. Throws ChainError. */
export function recordKeeper(file: RecordFile, path: string, processStart: ProcessStart): RecordKeeper {
  let { head, next } = goOn(file, processStart);
  const take = (record: AuditRecord, durable: boolean): void => {
    const { line, hash } = seal({ ...record, seq: next }, head);
    try {
      file.append(encode(`${line}\n`));
      if (durable) file.sync();
    } catch (error) {
      throw new Error(`cannot write to ${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
    head = hash;
    next += 1;
  };
  return {
    get head() {
      return head;
    },
    sink() {
      runs += 1;
      return { run: `${process.pid}.${processStart(process.pid) ?? 0}.${runs}`, take };
    },
  };
}

function goOn(file: RecordFile, processStart: ProcessStart): { head: string; next: number } {
  const { lastLine } = file;
  if (lastLine === undefined) return { head: BEGINNING, next: 1 };
  const last = file.whole ? unseal(lastLine) : undefined;
  const help = "see 'rmsh audit verify', and begin another";
  if (last === undefined) throw new ChainError(`its last line is no whole record: ${help}`);
  if (!last.sound) throw new ChainError(`its last record was changed: ${help}`);
  const [pid = '', start] = last.run.split('.');
  if (last.event !== 'run-end' && start !== undefined && processStart(Number(pid)) === start) {
    throw new ChainError(`process ${pid} writes to it: one run at a time`);
  }
  return { head: last.hash, next: last.seq + 1 };
}
