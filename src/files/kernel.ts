/**
 * What the rules (walk, store, ...) need of a file system, and no more: files that are held, and acts upon one single name in a
 * held directory. Nothing here follows a symlink or takes a path, so nothing above can be led out of a root by one.
 *
 * Three file systems speak it: the kernel through procfs, the kernel by path (`best-effort`), and memory.
 */

import type { FsErrorCode, PolicyRule } from '../errors.js';
import type { DirectoryEntry, FileStat, FileSystemStat, Times } from './files.js';

/** A file of any kind that is held: it stays what it is, whatever its name comes to mean. Acts throw an errno (`errno.ts`). */
export interface Held {
  /** As it was when it was taken hold of. */
  readonly stat: FileStat;
  /** As it is now. */
  restat(): FileStat;

  // In this directory, by one name. None of them follows a symlink.

  /** Takes hold of a file of any kind, without opening it: a FIFO or a device does not notice. */
  hold(name: string): Held;
  /** undefined where there is no such name. */
  lstat(name: string): FileStat | undefined;
  readlink(name: string): string;
  /** `O_EXCL`: a new regular file, or EEXIST. The file system may take bits from `mode`. */
  create(name: string, how: OpenHow, mode: number): RawFile;
  mkdir(name: string, mode: number): void;
  symlink(target: string, name: string): void;
  unlink(name: string): void;
  rmdir(name: string): void;
  rename(name: string, to: Held, toName: string): void;
  link(name: string, to: Held, toName: string): void;

  // Upon the held file itself.

  /** Only for what `stat` says is a regular file. */
  open(how: OpenHow): RawFile;
  entries(): DirectoryEntry[];
  chmod(mode: number): void;
  utimes(times: Times): void;
  access(how: 'read' | 'write' | 'execute'): boolean;
  statfs(): FileSystemStat;
  /** A path by which a process that is started now finds this directory; undefined: there is none. */
  readonly place: string | undefined;

  release(): void;
}

export interface OpenHow {
  readonly read: boolean;
  readonly write: boolean;
  readonly append: boolean;
}

/** An open regular file that knows no path. */
export interface RawFile {
  stat(): FileStat;
  read(buffer: Uint8Array, position: number | null): number;
  /** How many bytes were written. */
  write(data: Uint8Array, position: number | null): number;
  truncate(size: number): void;
  chmod(mode: number): void;
  /** Its own offset, which reads and writes at a position leave alone; undefined where nobody tells. */
  tell(): number | undefined;
  close(): void;
}

/** Codes that only a policy has. */
const RULES: { readonly [Code in FsErrorCode]?: PolicyRule } = {
  BUDGET: 'budget',
  READ_ONLY_MODE: 'mode',
  SYMLINK_WRITE: 'symlink',
  HARD_LINK_WRITE: 'link-count',
  SPECIAL_FILE: 'special-file',
};

/**
 * Our own no. Not an Error: it is caught where the operation began, and becomes an FsError there, with the path as
 * the script wrote it. (A thrown Error costs ten times as much, for a stack that nobody reads.)
 */
export class Refused {
  readonly code: FsErrorCode;
  /** The rule that refused; undefined where it is what any file system says (`Is a directory`). */
  readonly rule: PolicyRule | undefined;
  readonly message: string | undefined;
  constructor(code: FsErrorCode, rule: PolicyRule | undefined = RULES[code], message?: string) {
    this.code = code;
    this.rule = rule;
    this.message = message;
  }
}

/** The file system's no, where it is not Node that says it. Not an Error for the same reason. */
export class Errno {
  readonly code: FsErrorCode;
  constructor(code: FsErrorCode) {
    this.code = code;
  }
}
