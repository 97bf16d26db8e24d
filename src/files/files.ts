import type { FsErrorCode, PolicyRule } from '../errors.js';
import type { Waiting } from '../steps.js';

/**
 * The file system as commands see it: semantic operations on paths as the script wrote them, and open files as objects.
 * Nobody outside `src/sandbox` ever holds a descriptor number or a host path.
 *
 * A `Files` is bound to one command of one shell: it knows the shell's working directory and umask, and who asks (for the
 * audit trail). Relative paths are taken from that directory. Everything throws FsError, whose `path` is the operand as given.
 * All calls are synchronous: on a local disk that costs a quarter of the asynchronous ones. Only what takes a name away may
 * have to wait, until the audit trail has its intent.
 */

export type FileKind = 'file' | 'directory' | 'symlink' | 'fifo' | 'socket' | 'block' | 'character';

/** What stat(2) tells. Times are nanoseconds since 1970. */
export interface FileStat {
  readonly kind: FileKind;
  readonly dev: bigint;
  readonly ino: bigint;
  /** The whole st_mode; `mode & 0o7777` are the permission bits. */
  readonly mode: number;
  readonly nlink: number;
  readonly uid: number;
  readonly gid: number;
  readonly rdev: bigint;
  /** Bytes. */
  readonly size: number;
  /** Units of 512 bytes. */
  readonly blocks: number;
  readonly blksize: number;
  readonly atimeNs: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly birthtimeNs: bigint;
}

/** What statfs(2) tells of the file system a file lives on. */
export interface FileSystemStat {
  readonly type: number;
  readonly bsize: number;
  readonly blocks: bigint;
  readonly bfree: bigint;
  readonly bavail: bigint;
  readonly files: bigint;
  readonly ffree: bigint;
}

/** One name in a directory. `kind` as the directory tells it; undefined where it does not. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: FileKind | undefined;
}

/** An open directory, for walks: what happens below it is relative to the directory itself, whatever its path becomes. */
export interface Directory {
  readonly stat: FileStat;
  /** All entries but `.` and `..`, in the directory's own order. */
  entries(): DirectoryEntry[];
  /** Of one entry, by its single name. */
  lstat(name: string): FileStat;
  /** Following a final symlink, where its target lies in a root. */
  statFollow(name: string): FileStat;
  readlink(name: string): string;
  /** A directory below. With `follow` a symlink to a directory in a root will do. */
  open(name: string, follow: boolean): Directory;
  close(): void;
}

/** An open regular file. Reads and writes move the file's one offset unless a position is given. */
export interface OpenFile {
  /** The path as it was given to `open`. */
  readonly path: string;
  stat(): FileStat;
  /** Bytes read into `buffer`, 0 at the end. `position` null reads at the file's offset. */
  read(buffer: Uint8Array, position: number | null): number;
  /** Writes all of `data`. `position` null writes at the file's offset (at the end for one opened to append). */
  write(data: Uint8Array, position: number | null): void;
  truncate(size: number): void;
  /** The file's own offset; undefined where nobody tells. */
  tell(): number | undefined;
  close(): void;
}

/** How to open for writing (open(2)); always a regular file with one link, never through a symlink. */
export interface WriteOptions {
  /** `O_APPEND`. */
  readonly append?: boolean;
  /** Cut to nothing once the file has passed every check. */
  readonly truncate?: boolean;
  /** Make the file when it is missing (default true). */
  readonly create?: boolean;
  /** `O_EXCL`: it is an error (EEXIST) when the name is taken. */
  readonly exclusive?: boolean;
  /** Also readable, as for `<>`. */
  readonly read?: boolean;
  /** Permission bits before the umask; default 0o666. */
  readonly mode?: number;
}

export interface Times {
  readonly atimeNs: bigint;
  readonly mtimeNs: bigint;
}

/** Needs `read`: look at files and their contents. Every read follows symlinks whose target lies in a root. */
export interface ReadFiles {
  /** The working directory as the shell names it (`$PWD`, logical). */
  readonly cwd: string;
  stat(path: string): FileStat;
  lstat(path: string): FileStat;
  /** Like stat, but undefined where that would throw: for `[ -e ]`, which must not pay for an exception. */
  tryStat(path: string): FileStat | undefined;
  tryLstat(path: string): FileStat | undefined;
  statfs(path: string): FileSystemStat;
  readlink(path: string): string;
  /** The physical absolute path, every symlink resolved (all components must exist). */
  realpath(path: string): string;
  /** access(2) and the policy: `write` is false where the policy would refuse the write. */
  access(path: string, how: 'read' | 'write' | 'execute'): boolean;
  /** Opens a regular file. A directory is EISDIR, a FIFO, socket or device SPECIAL_FILE, at once. */
  open(path: string): OpenFile;
}

/** Needs `list`: look into directories. */
export interface ListFiles {
  openDirectory(path: string): Directory;
}

/** Needs `write`: make and change files. Remediation mode and rw roots only; never through a symlink. */
export interface WriteFiles {
  openWrite(path: string, options: WriteOptions): OpenFile;
  mkdir(path: string, mode: number): void;
  rmdir(path: string): void;
  chmod(path: string, mode: number): void;
  /** Times of a file; of the link itself with `noFollow`. */
  utimes(path: string, times: Times, noFollow?: boolean): void;
  symlink(target: string, path: string): void;
  link(existing: string, path: string): void;
  /** Throws what `link` would throw for `existing`: before a name is taken away for the new one. */
  checkLink(existing: string): void;
  /**
   * rename(2). When it takes away the name of an existing non-directory, that is charged to the removal budget, unless `own`
   * says that `from` is a file this command has just made to take that name (`sed -i`).
   */
  rename(from: string, to: string, own?: boolean): Waiting;
}

/** Needs `remove`: take away names of non-directories. The one place, with `rename`, that charges the run's budget. */
export interface RemoveFiles {
  /**
   * unlink(2) of a non-directory: never follows the last component; charged to the run. `anew` says that the name is to be given to another
   * file at once: where that would be refused (through a link), so is this, and nothing is lost.
   */
  remove(path: string, anew?: boolean): Waiting;
}

export interface Files extends ReadFiles, ListFiles, WriteFiles, RemoveFiles {
  /** For `cd`, and `env -C`: the physical path of a directory, which must be inside a root, exist, and be searchable. */
  resolveDirectory(path: string): string;
}

/** Who asks: what a bound `Files` knows of its shell and its command. */
export interface Asker {
  /** The shell's working directory as text: as the user sees it, and with every symlink resolved. */
  readonly logicalCwd: string;
  readonly physicalCwd: string;
  readonly umask: number;
  /** Name of the command, for the audit trail; `` for a redirection. */
  readonly command: string;
  /** The text that is run, as messages call it, and the line in it, 1-based; 0 when unknown. */
  readonly source: string;
  readonly line: number;
}

/** A whole file system under a policy, made once per run; it hands out bound `Files`. */
export interface FileStore {
  /** `kernel-anchored`, `best-effort`, or `memory`. */
  readonly level: 'kernel-anchored' | 'best-effort' | 'memory';
  /** The roots, as physical paths, in the order they were given. */
  readonly roots: readonly { readonly path: string; readonly writable: boolean }[];
  for(asker: Asker): Files;
  /**
   * Where a shell starts: the physical path of a directory, which must be inside a root, exist, and be searchable.
   * `path` is absolute. Nobody asks, so nothing is on record.
   */
  resolveDirectory(path: string): string;
  /**
   * Calls `act` with a path that leads a process which is started in that very moment to this directory, whatever its names lead to
   * by now. Throws as `resolveDirectory` does, and ENOTSUP where there is no such path.
   */
  inDirectory<T>(path: string, act: (place: string) => T): T;
  /** Closes the descriptors of the roots. */
  close(): void;
}

export type FileAction =
  | 'read'
  | 'list'
  | 'write'
  | 'append'
  | 'create'
  | 'truncate'
  | 'remove'
  | 'rename'
  | 'mkdir'
  | 'rmdir'
  | 'chmod'
  | 'utimes'
  | 'symlink'
  | 'link';

/** A file as it was when an operation came to it. Decimal digits where a number of JSON would not be exact. */
export interface FileIdentity {
  readonly kind: FileKind;
  readonly device: string;
  readonly inode: string;
  /** Bytes. */
  readonly size: number;
  /** Nanoseconds since 1970. */
  readonly mtimeNs: string;
}

/** What an operation is about to do: told before anything is changed, and then flushed where something will be lost. */
export interface Intent {
  readonly action: FileAction;
  /** The path as the script wrote it. */
  readonly given: string;
  /** Absolute, without `..`; physical where it lies in a root, else as text: nothing outside is looked at. */
  readonly path: string;
  /** The other path of a rename or link. */
  readonly givenTo?: string;
  readonly to?: string;
  /** The file that `path` names; not there where the name is free. */
  readonly file?: FileIdentity;
  /** The file whose name a rename takes away. */
  readonly replaces?: FileIdentity;
  /** Removals left, where this is one. */
  readonly budget?: { readonly before: number; readonly after: number };
  /** Name of the command; empty for what the shell itself does, as a redirection. */
  readonly command: string;
  readonly source: string;
  readonly line: number;
}

/** What an operation came to. */
export interface Effect extends Intent {
  readonly outcome: 'done' | 'refused' | 'failed';
  /** Why it is not done. */
  readonly reason?: FsErrorCode;
  /** The rule of the policy that refused it. */
  readonly rule?: PolicyRule;
}

/** What `FileStore`s of every kind are made with. */
export interface StoreOptions {
  readonly mode: 'read-only' | 'remediation';
  readonly roots: readonly { readonly path: string; readonly writable: boolean }[];
  readonly budget: RemovalBudget;
  /** Told of each effect, when it is over. */
  readonly onEffect?: (effect: Effect) => void;
  /**
   * Told of each change before it is made; what it throws stops the change. The promise it answers is waited for where a name
   * is taken away; elsewhere it is for the caller to let nothing go on before it has settled.
   */
  readonly onIntent?: (intent: Intent) => Waiting;
  /** Called before any operation looks at the disk: the shell flushes what it still holds for open files. */
  readonly beforeAccess?: () => void;
}

/** The run's removals: how many it may make, and has made. Shared by everything the run does. */
export interface RemovalBudget {
  readonly limit: number;
  readonly used: number;
  /** Takes one unit, in one synchronous step; false when none is left. */
  reserve(): boolean;
  /** Gives a unit back after a removal that failed. */
  release(): void;
}

/** The one implementation: a counter that only `reserve` and `release` move. */
export function removalBudget(limit: number): RemovalBudget {
  let used = 0;
  return {
    limit,
    get used() {
      return used;
    },
    reserve() {
      if (used >= limit) return false;
      used += 1;
      return true;
    },
    release() {
      used -= 1;
    },
  };
}
