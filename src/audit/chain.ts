/**
 * Records as lines of a file, each bound to the one before. A line is JSON: `seq`, then `prev`, the hash of the line before (of the
 * first: 64 zeros), then the event, and last `hash`, the SHA-256 of the line up to the comma before it. What is edited, removed,
 * inserted or moved breaks the chain there. Who can write a whole file can write a whole chain: the last hash kept elsewhere tells.
 */
import type { AuditRecord } from '../audit.js';
import { sha256 } from './digest.js';

/** What the first line of a file follows. */
export const BEGINNING = '0'.repeat(64);

const SEAL = ',"hash":"';
/** The seal, the digits, and `"}`. */
const SEAL_LENGTH = SEAL.length + 64 + 2;

/** A line, without its end, and its hash. */
export function seal({ seq, ...rest }: AuditRecord, prev: string): { readonly line: string; readonly hash: string } {
  const body = JSON.stringify({ seq, prev, ...rest }).slice(0, -1);
  const hash = sha256(body);
  return { line: `${body}${SEAL}${hash}"}`, hash };
}

/** What a line says of itself. */
export interface Sealed {
  readonly seq: number;
  readonly prev: string;
  readonly hash: string;
  readonly run: string;
  readonly event: string;
  /** Whether its hash is its own. */
  readonly sound: boolean;
}

/** undefined for what is no record at all. */
export function unseal(line: Uint8Array): Sealed | undefined {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.length);
  const end = bytes.toString('latin1', Math.max(bytes.length - SEAL_LENGTH, 0));
  if (!end.startsWith(SEAL) || !/^[0-9a-f]{64}"\}$/.test(end.slice(SEAL.length))) return undefined;
  let record: unknown;
  try {
    record = JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
  if (typeof record !== 'object' || record === null) return undefined;
  const { seq, prev, hash, run, event } = record as Readonly<Record<string, unknown>>;
  if (typeof seq !== 'number' || typeof prev !== 'string' || typeof hash !== 'string') return undefined;
  if (typeof run !== 'string' || typeof event !== 'string') return undefined;
  const sound = hash === end.slice(SEAL.length, -2) && hash === sha256(bytes.subarray(0, -SEAL_LENGTH));
  return { seq, prev, hash, run, event, sound };
}
