/** From what a file system throws to what a command sees: POSIX's words, the path as typed, nothing of Node's message. */

import { FsError, type FsErrorCode, isFsErrorCode } from '../errors.js';
import { Errno, Refused } from './kernel.js';

/** Codes that have no words of their own here, and the nearest that has. */
const NEAREST: Readonly<Record<string, FsErrorCode>> = { EDQUOT: 'ENOSPC', EOPNOTSUPP: 'ENOTSUP', ENOSYS: 'ENOTSUP' };

/** The errno name of a failure; undefined for what is not a failure of a file system, but a bug or a stop of the run. */
export function errnoOf(thrown: unknown): FsErrorCode | undefined {
  if (thrown instanceof Refused || thrown instanceof Errno) return thrown.code;
  if (!(thrown instanceof Error) || !('code' in thrown) || typeof thrown.code !== 'string') return undefined;
  if (isFsErrorCode(thrown.code)) return thrown.code;
  // Node's own complaints (ERR_INVALID_ARG_TYPE) have no errno: they are bugs of ours and must be seen as such.
  if (!('errno' in thrown)) return undefined;
  return NEAREST[thrown.code] ?? 'EIO';
}

/** What to throw for `thrown`, when the script called the file `path`. */
export function failure(thrown: unknown, path: string): unknown {
  if (thrown instanceof FsError) return thrown;
  if (thrown instanceof Refused) return new FsError(thrown.code, path, thrown.message);
  const code = errnoOf(thrown);
  return code === undefined ? thrown : new FsError(code, path);
}
