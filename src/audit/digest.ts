/** SHA-256, and JSON of which there is only one form: what digests are made of. */
import { createHash } from 'node:crypto';

/** Hexadecimal. A string is taken as UTF-8: encode shell strings first. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** JSON with sorted keys and no blanks. A Set is a sorted list, a Map an object; what is undefined is left out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (value instanceof Set) return [...value].map(sorted).sort();
  if (value instanceof Map) return sorted(Object.fromEntries(value));
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, one]) => [key, sorted(one)]));
}
