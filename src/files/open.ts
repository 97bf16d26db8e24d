/** Opening regular files: nothing that is not one is ever opened, and nothing is changed before every check has passed. */

import { FsError } from '../errors.js';
import { errnoOf, failure } from './errno.js';
import type { FileStat, OpenFile, WriteOptions } from './files.js';
import { type Held, type OpenHow, type RawFile, Refused } from './kernel.js';
import type { Walk } from './walk.js';

const READ: OpenHow = { read: true, write: false, append: false };
/** How often the name may change hands between looking and opening. */
const RACES = 8;

/** Called once every check has passed, before anything is made or cut; `file` is what has the name. What it throws stops it. */
export type IntendWrite = (name: string, file: FileStat | undefined) => void;

/** What a write turned out to be. */
export interface Written {
  readonly name: string;
  readonly file: RawFile;
}

export function openForReading(walk: Walk): RawFile {
  const held = walk.hold(true);
  requireRegular(held.stat);
  return held.open(READ);
}

/** `umask` takes bits from the mode of a file that is made. */
export function openForWriting(walk: Walk, options: WriteOptions, umask: number, intend: IntendWrite): Written {
  const name = walk.next();
  walk.requireWritable();
  if (name === undefined) throw new Refused(options.exclusive === true ? 'EEXIST' : 'EISDIR');
  const create = options.create !== false;
  // open(2) says this of `file/` whatever is there, when it might have to make it.
  if (walk.ending !== 'name' && create) throw new Refused('EISDIR');
  const directory = walk.here;
  const how = { read: options.read === true, write: true, append: options.append === true };

  for (let races = 0; races < RACES; races++) {
    const stat = directory.lstat(name);
    if (stat === undefined) {
      if (!create) throw new Refused('ENOENT');
      intend(name, undefined);
      const file = createFile(directory, name, how, (options.mode ?? 0o666) & ~umask & 0o7777);
      if (file !== undefined) return { name, file };
      continue;
    }
    if (options.exclusive === true && create) throw new Refused('EEXIST');
    const opened = openExisting(walk, directory, name, how);
    if (opened === undefined) continue;
    const { file } = opened;
    closingOnError(file, () => {
      intend(name, opened.stat);
      if (options.truncate === true) file.truncate(0);
    });
    return { name, file };
  }
  throw new Refused('EAGAIN');
}

/** undefined when somebody else took the name first. */
function createFile(directory: Held, name: string, how: OpenHow, mode: number): RawFile | undefined {
  let file: RawFile;
  try {
    file = directory.create(name, how, mode);
  } catch (thrown) {
    if (errnoOf(thrown) === 'EEXIST') return undefined;
    throw thrown;
  }
  closingOnError(file, () => {
    // The host's own umask may have taken more than the shell's; what a default ACL or a setgid directory added stays.
    const bits = file.stat().mode & 0o7777;
    if ((bits & mode) !== mode) file.chmod(bits | mode);
  });
  return file;
}

/** undefined when the name came to mean another file while we looked. */
function openExisting(
  walk: Walk,
  directory: Held,
  name: string,
  how: OpenHow,
): { readonly file: RawFile; readonly stat: FileStat } | undefined {
  let held: Held;
  try {
    held = directory.hold(name);
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
  try {
    if (held.stat.kind === 'symlink') throw new Refused('SYMLINK_WRITE');
    if (held.stat.kind === 'file' && walk.ending !== 'name') throw new Refused('ENOTDIR');
    requireRegular(held.stat);
    requireOneName(held.stat);
    walk.checkMount(held);
    const file = held.open(how);
    return closingOnError(file, () => {
      const stat = onlyName(file, directory, name);
      if (stat !== undefined) return { file, stat };
      file.close();
      return undefined;
    });
  } finally {
    held.release();
  }
}

/** How often a file is looked at whose links were changed after its contents. */
const LOOKS = 16;

/**
 * On the descriptor, then by name, both before anything is changed: that the open file has this name and no other. undefined
 * when the name means another file by now.
 *
 * An attacker may add the outside name and take it away between two looks, and be lucky. But that moves ctime and not mtime,
 * which a write moves both: such a file is looked at so often that luck does not last.
 */
function onlyName(file: RawFile, directory: Held, name: string): FileStat | undefined {
  for (let looks = 1; ; looks++) {
    const opened = file.stat();
    requireOneName(opened);
    const named = directory.lstat(name);
    if (named?.ino !== opened.ino || named.dev !== opened.dev) return undefined;
    requireOneName(named);
    if (named.ctimeNs === named.mtimeNs || looks === LOOKS) return named;
  }
}

export function requireRegular(stat: FileStat): void {
  if (stat.kind === 'directory') throw new Refused('EISDIR');
  if (stat.kind !== 'file') throw new Refused('SPECIAL_FILE');
}

/** The other name may lie outside every root. */
export function requireOneName(stat: FileStat): void {
  if (stat.kind !== 'directory' && stat.nlink > 1) throw new Refused('HARD_LINK_WRITE');
}

function closingOnError<T>(file: RawFile, act: () => T): T {
  try {
    return act();
  } catch (thrown) {
    file.close();
    throw thrown;
  }
}

/** Cuts an open file to a size: a change of its own, of which the audit trail hears. */
export type Cut = (file: RawFile, size: number) => void;

/** An open file as commands see it: its failures carry the path it was opened by. */
export class OpenedFile implements OpenFile {
  readonly path: string;
  readonly #file: RawFile;
  readonly #before: (() => void) | undefined;
  readonly #cut: Cut | undefined;
  #open = true;

  /** `before` is called before each look at the file. */
  constructor(path: string, file: RawFile, before: (() => void) | undefined, cut?: Cut) {
    this.path = path;
    this.#file = file;
    this.#before = before;
    this.#cut = cut;
  }

  stat(): FileStat {
    this.#before?.();
    return this.#attempt(() => this.#file.stat());
  }

  read(buffer: Uint8Array, position: number | null): number {
    // What the shell still holds for this file under another descriptor is to be found in it.
    this.#before?.();
    return this.#attempt(() => this.#file.read(buffer, position));
  }

  write(data: Uint8Array, position: number | null): void {
    this.#attempt(() => {
      let done = this.#file.write(data, position);
      while (done < data.length) {
        done += this.#file.write(data.subarray(done), position === null ? null : position + done);
      }
    });
  }

  tell(): number | undefined {
    return this.#attempt(() => this.#file.tell());
  }

  truncate(size: number): void {
    this.#attempt(() => {
      if (this.#cut === undefined) this.#file.truncate(size);
      else this.#cut(this.#file, size);
    });
  }

  /** What the room that made the file may hand to another process; undefined where it is closed, or no file of ours. */
  static rawFileOf(file: OpenFile): RawFile | undefined {
    return #file in file && file.#open ? file.#file : undefined;
  }

  close(): void {
    if (!this.#open) return;
    try {
      this.#attempt(() => this.#file.close());
    } finally {
      this.#open = false;
    }
  }

  #attempt<T>(act: () => T): T {
    // The number of a closed descriptor may be another file's by now.
    if (!this.#open) throw new FsError('EBADF', this.path);
    try {
      return act();
    } catch (thrown) {
      throw failure(thrown, this.path);
    }
  }
}
