/**
 * What is opened with the caller's authority, not the script's: the script file, `--policy`, `--audit`. Links are followed and
 * FIFOs read, as for any program the caller starts.
 */

import * as fs from 'node:fs';
import { FsError } from '../errors.js';
import { failure } from '../files/errno.js';
import { isWithin } from '../files/paths.js';
import { decode, encode } from '../text/bytes.js';

/** The whole of a file. A directory is EISDIR. */
export function readHostFile(path: string): Buffer {
  try {
    return fs.readFileSync(hostPath(path));
  } catch (error) {
    throw failure(error, path);
  }
}

/** Throws FsError where `path` is no directory that can be gone to. */
export function checkHostDirectory(path: string): void {
  try {
    if (!fs.statSync(hostPath(path)).isDirectory()) throw new FsError('ENOTDIR', path);
    fs.accessSync(hostPath(path), fs.constants.X_OK);
  } catch (error) {
    throw failure(error, path);
  }
}

export interface HostAppender {
  append(data: Uint8Array): void;
  /** Returns when all of it is on the disk. */
  sync(): void;
  close(): void;
}

/** A file that only grows; made, for its owner alone, when it is missing. */
export function appendHostFile(path: string): HostAppender {
  const attempt = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      throw failure(error, path);
    }
  };
  const fd = attempt(() => fs.openSync(hostPath(path), 'a', 0o600));
  return {
    append: (data) => {
      attempt(() => {
        let done = 0;
        while (done < data.length) done += fs.writeSync(fd, data, done);
      });
    },
    sync: () => attempt(() => fs.fsyncSync(fd)),
    close: () => attempt(() => fs.closeSync(fd)),
  };
}

/** With all above it that are missing, for their owner alone. */
export function makeHostDirectory(path: string): void {
  try {
    fs.mkdirSync(hostPath(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw failure(error, path);
  }
}

/** Whole, or as it was: written beside it and renamed. */
export function replaceHostFile(path: string, data: Uint8Array): void {
  const beside = `${path}.${process.pid}`;
  try {
    fs.writeFileSync(hostPath(beside), data, { mode: 0o600, flag: 'wx' });
    fs.renameSync(hostPath(beside), hostPath(path));
  } catch (error) {
    throw failure(error, path);
  }
}

function hostPath(path: string): string | Buffer {
  return path.isWellFormed() ? path : encode(path);
}

/** Why somebody else than its owner may have written a file: a script below one of the directories `writable`, or anybody. */
export function whyNotTrusted(path: string, writable: readonly string[]): string | undefined {
  const physical = physicalPath(path);
  const stat = fs.statSync(hostPath(physical), { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile()) return undefined;
  const root = writable.find((one) => isWithin(physical, physicalPath(one)));
  if (root !== undefined) return `it lies in ${root}, which scripts may change`;
  return (stat.mode & 0o002) === 0 ? undefined : 'everybody may write to it';
}

/** The path with every symlink resolved; as it is where it cannot be. */
export function physicalPath(path: string): string {
  try {
    return decode(fs.realpathSync.native(encode(path), { encoding: 'buffer' }));
  } catch {
    return path;
  }
}
