/**
 * A file system in memory, under the same rules as the real one: for tests, and for fuzzing scripts that nobody would let
 * loose on a disk. It answers as Linux does for root: permission bits are kept, not enforced.
 */

import { FsError } from '../errors.js';
import { encode } from '../text/bytes.js';
import { failure } from './errno.js';
import type { DirectoryEntry, FileKind, FileStat, FileStore, FileSystemStat, StoreOptions, Times } from './files.js';
import { Errno, type Held, type OpenHow, type RawFile, Refused } from './kernel.js';
import { Mounts } from './mounts.js';
import { basename, dirname, join, pushComponents } from './paths.js';
import type { Root } from './roots.js';
import { guardedStore } from './store.js';

/** What is there at the start, by absolute path. Directories above are made. A string or bytes is a file's content. */
export type MemoryTree = Readonly<Record<string, MemoryEntry>>;

export type MemoryEntry =
  | string
  | Uint8Array
  | { readonly content: string | Uint8Array; readonly mode?: number; readonly mtimeNs?: bigint }
  | { readonly directory: true; readonly mode?: number }
  | { readonly symlink: string }
  /** Another name of a file that stands before it in the tree. */
  | { readonly hardlink: string }
  | { readonly special: 'fifo' | 'socket' | 'block' | 'character' };

/** A file as it is, whoever may see it: for a test to look at what a script left. */
export interface MemorySnapshot {
  readonly kind: FileKind;
  /** Permission bits. */
  readonly mode: number;
  readonly ino: bigint;
  readonly nlink: number;
  /** Of a regular file. */
  readonly content?: Uint8Array;
  /** Of a symlink. */
  readonly target?: string;
}

export interface MemoryStore extends FileStore {
  readonly level: 'memory';
  readonly warnings: readonly string[];
  /** Everything there is by absolute path, outside the roots too, in no particular order. */
  snapshot(): Map<string, MemorySnapshot>;
}

/** `now`: nanoseconds since 1970. */
export function memoryStore(options: StoreOptions, tree: MemoryTree = {}, now: () => bigint = hostClock): MemoryStore {
  const disk = new Disk(now);
  for (const [path, entry] of Object.entries(tree)) disk.plant(path, entry);
  const warnings: string[] = [];
  const roots: Root[] = [];
  for (const granted of options.roots) {
    try {
      roots.push(disk.root(granted.path, granted.writable));
    } catch (thrown) {
      const error = failure(thrown, granted.path);
      if (!(error instanceof FsError)) throw error;
      warnings.push(`cannot use root '${granted.path}': ${error.message}`);
    }
  }
  const store = guardedStore(options, { level: 'memory', roots, mounts: new Mounts() });
  return { ...store, level: 'memory', warnings, snapshot: () => disk.snapshot() };
}

const hostClock = (): bigint => BigInt(Date.now()) * 1_000_000n;

const DEVICE = 1n;
const BLOCK = 4096;
/** As Linux has it. */
const MAX_NAME_BYTES = 255;
/** A test that fills memory would end the process and not the script. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

const KIND_BITS: Readonly<Record<FileKind, number>> = {
  fifo: 0o010000,
  character: 0o020000,
  directory: 0o040000,
  block: 0o060000,
  file: 0o100000,
  symlink: 0o120000,
  socket: 0o140000,
};

interface Inode {
  readonly ino: bigint;
  readonly kind: FileKind;
  mode: number;
  nlink: number;
  /** Of a regular file: a buffer that may be longer than the file. */
  bytes: Uint8Array;
  size: number;
  /** Of a symlink. */
  readonly target: string;
  /** Of a directory. */
  readonly entries: Map<string, Inode>;
  parent: Inode | undefined;
  atimeNs: bigint;
  mtimeNs: bigint;
  ctimeNs: bigint;
  readonly birthtimeNs: bigint;
}

class Disk {
  readonly now: () => bigint;
  readonly #top: Inode;
  #inodes = 1n;

  constructor(now: () => bigint) {
    this.now = now;
    this.#top = this.make('directory', 0o755);
    this.#top.nlink = 2;
  }

  make(kind: FileKind, mode: number, target = ''): Inode {
    this.#inodes += 1n;
    const time = this.now();
    return {
      ino: this.#inodes,
      kind,
      mode,
      nlink: 0,
      bytes: new Uint8Array(0),
      size: kind === 'symlink' ? encode(target).length : 0,
      target,
      entries: new Map(),
      parent: undefined,
      atimeNs: time,
      mtimeNs: time,
      ctimeNs: time,
      birthtimeNs: time,
    };
  }

  plant(path: string, entry: MemoryEntry): void {
    const directory = this.#directoryFor(dirname(path));
    const name = basename(path);
    if (typeof entry === 'string' || entry instanceof Uint8Array) {
      this.#plantFile(directory, name, { content: entry });
    } else if ('content' in entry) {
      this.#plantFile(directory, name, entry);
    } else if ('directory' in entry) {
      this.#directoryFor(path).mode = entry.mode ?? 0o755;
    } else if ('symlink' in entry) {
      enter(directory, name, this.make('symlink', 0o777, entry.symlink));
    } else if ('hardlink' in entry) {
      enter(directory, name, this.#find(entry.hardlink));
    } else {
      enter(directory, name, this.make(entry.special, 0o644));
    }
  }

  root(granted: string, writable: boolean): Root {
    const path = this.#resolve(granted);
    const inode = this.#find(path);
    if (inode.kind === 'directory') {
      return { path, granted, writable, held: new HeldInode(this, inode), file: undefined };
    }
    if (inode.kind !== 'file') throw new Refused('SPECIAL_FILE');
    const held = new HeldInode(this, this.#find(dirname(path)));
    return { path, granted, writable, held, file: basename(path) };
  }

  snapshot(): Map<string, MemorySnapshot> {
    const all = new Map<string, MemorySnapshot>();
    const add = (path: string, inode: Inode): void => {
      const { kind, mode, ino, nlink, target } = inode;
      const common = { kind, mode, ino, nlink };
      if (kind === 'file') all.set(path, { ...common, content: inode.bytes.slice(0, inode.size) });
      else if (kind === 'symlink') all.set(path, { ...common, target });
      else all.set(path, common);
      for (const [name, child] of inode.entries) add(join(path, name), child);
    };
    add('/', this.#top);
    return all;
  }

  #plantFile(directory: Inode, name: string, file: Extract<MemoryEntry, { content: unknown }>): void {
    const inode = this.make('file', file.mode ?? 0o644);
    const bytes = typeof file.content === 'string' ? encode(file.content) : file.content;
    inode.bytes = Uint8Array.from(bytes);
    inode.size = bytes.length;
    inode.mtimeNs = file.mtimeNs ?? inode.mtimeNs;
    enter(directory, name, inode);
  }

  /** The directory `path`, made with all above it where it is missing. */
  #directoryFor(path: string): Inode {
    const names: string[] = [];
    pushComponents(names, path);
    let at = this.#top;
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      let next = at.entries.get(name);
      if (next === undefined) {
        next = this.make('directory', 0o755);
        enter(at, name, next);
      }
      if (next.kind !== 'directory') throw new TypeError(`${path}: ${name} is no directory in this tree`);
      at = next;
    }
    return at;
  }

  /** By physical path. */
  #find(path: string): Inode {
    const names: string[] = [];
    pushComponents(names, path);
    let at = this.#top;
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      const next = at.entries.get(name);
      if (next === undefined) throw new Errno('ENOENT');
      at = next;
    }
    return at;
  }

  /** realpath(3) with nobody's rules, for the roots. */
  #resolve(path: string): string {
    const rest: string[] = [];
    pushComponents(rest, path);
    let at = '/';
    let links = 0;
    for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
      if (name === '..') {
        at = dirname(at);
        continue;
      }
      const inode = this.#find(join(at, name));
      if (inode.kind !== 'symlink') {
        at = join(at, name);
        continue;
      }
      if (++links > 40) throw new Errno('ELOOP');
      if (inode.target.startsWith('/')) at = '/';
      pushComponents(rest, inode.target);
    }
    return at;
  }
}

/** Gives `inode` a name. */
function enter(directory: Inode, name: string, inode: Inode): void {
  directory.entries.set(name, inode);
  if (inode.kind === 'directory') {
    inode.nlink = 2;
    inode.parent = directory;
    directory.nlink += 1;
  } else {
    inode.nlink += 1;
  }
}

/** Takes a name away. */
function leave(directory: Inode, name: string, inode: Inode): void {
  directory.entries.delete(name);
  if (inode.kind === 'directory') {
    directory.nlink -= 1;
    inode.nlink = 0;
    inode.parent = undefined;
  } else {
    inode.nlink -= 1;
  }
}

class HeldInode implements Held {
  readonly stat: FileStat;
  readonly #disk: Disk;
  readonly #inode: Inode;

  constructor(disk: Disk, inode: Inode) {
    this.#disk = disk;
    this.#inode = inode;
    this.stat = statOf(inode);
  }

  restat(): FileStat {
    return statOf(this.#inode);
  }

  hold(name: string): Held {
    return new HeldInode(this.#disk, this.#get(name));
  }

  lstat(name: string): FileStat | undefined {
    checkName(name);
    const inode = this.#inode.entries.get(name);
    return inode === undefined ? undefined : statOf(inode);
  }

  readlink(name: string): string {
    const inode = this.#get(name);
    if (inode.kind !== 'symlink') throw new Errno('EINVAL');
    return inode.target;
  }

  create(name: string, how: OpenHow, mode: number): RawFile {
    const inode = this.#disk.make('file', mode & 0o7777);
    this.#add(name, inode);
    return new MemoryFile(this.#disk, inode, how);
  }

  mkdir(name: string, mode: number): void {
    this.#add(name, this.#disk.make('directory', mode & 0o7777));
  }

  symlink(target: string, name: string): void {
    if (encode(target).length >= 4096) throw new Errno('ENAMETOOLONG');
    this.#add(name, this.#disk.make('symlink', 0o777, target));
  }

  unlink(name: string): void {
    const inode = this.#get(name);
    if (inode.kind === 'directory') throw new Errno('EISDIR');
    this.#remove(name, inode);
  }

  rmdir(name: string): void {
    const inode = this.#get(name);
    if (inode.kind !== 'directory') throw new Errno('ENOTDIR');
    if (inode.entries.size > 0) throw new Errno('ENOTEMPTY');
    this.#remove(name, inode);
  }

  rename(name: string, to: Held, toName: string): void {
    const target = own(to);
    const inode = this.#get(name);
    checkName(toName);
    for (let above: Inode | undefined = target.#inode; above !== undefined; above = above.parent) {
      if (above === inode) throw new Errno('EINVAL');
    }
    const replaced = target.#inode.entries.get(toName);
    if (replaced === inode) return;
    if (replaced !== undefined) {
      for (let above: Inode | undefined = this.#inode; above !== undefined; above = above.parent) {
        if (above === replaced) throw new Errno('ENOTEMPTY');
      }
      if (replaced.kind === 'directory') {
        if (inode.kind !== 'directory') throw new Errno('EISDIR');
        if (replaced.entries.size > 0) throw new Errno('ENOTEMPTY');
      } else if (inode.kind === 'directory') throw new Errno('ENOTDIR');
    }
    target.#checkAlive();
    if (replaced !== undefined) target.#remove(toName, replaced);
    this.#remove(name, inode);
    target.#add(toName, inode);
  }

  link(name: string, to: Held, toName: string): void {
    const inode = this.#get(name);
    if (own(to).lstat(toName) !== undefined) throw new Errno('EEXIST');
    if (inode.kind === 'directory') throw new Errno('EPERM');
    own(to).#add(toName, inode);
  }

  open(how: OpenHow): RawFile {
    return new MemoryFile(this.#disk, this.#inode, how);
  }

  entries(): DirectoryEntry[] {
    if (this.#inode.kind !== 'directory') throw new Errno('ENOTDIR');
    return [...this.#inode.entries].map(([name, { kind }]) => ({ name, kind }));
  }

  chmod(mode: number): void {
    if (this.#inode.kind === 'symlink') throw new Errno('ENOTSUP');
    this.#inode.mode = mode & 0o7777;
    this.#inode.ctimeNs = this.#disk.now();
  }

  utimes(times: Times): void {
    this.#inode.atimeNs = times.atimeNs;
    this.#inode.mtimeNs = times.mtimeNs;
    this.#inode.ctimeNs = this.#disk.now();
  }

  access(how: 'read' | 'write' | 'execute'): boolean {
    // As for root: everything but to run what nobody may run.
    return how !== 'execute' || this.#inode.kind === 'directory' || (this.#inode.mode & 0o111) !== 0;
  }

  statfs(): FileSystemStat {
    const blocks = 1n << 20n;
    return { type: 0x01021994, bsize: BLOCK, blocks, bfree: blocks, bavail: blocks, files: blocks, ffree: blocks };
  }

  release(): void {
    // Nothing is held but memory.
  }

  #get(name: string): Inode {
    if (this.#inode.kind !== 'directory') throw new Errno('ENOTDIR');
    checkName(name);
    const inode = this.#inode.entries.get(name);
    if (inode === undefined) throw new Errno('ENOENT');
    return inode;
  }

  #add(name: string, inode: Inode): void {
    checkName(name);
    if (this.#inode.entries.has(name)) throw new Errno('EEXIST');
    this.#checkAlive();
    enter(this.#inode, name, inode);
    this.#touched(inode);
  }

  #remove(name: string, inode: Inode): void {
    leave(this.#inode, name, inode);
    this.#touched(inode);
  }

  #touched(inode: Inode): void {
    const time = this.#disk.now();
    this.#inode.mtimeNs = time;
    this.#inode.ctimeNs = time;
    inode.ctimeNs = time;
  }

  /** Nothing can be made in a directory that was removed. */
  #checkAlive(): void {
    if (this.#inode.nlink === 0) throw new Errno('ENOENT');
  }
}

function own(held: Held): HeldInode {
  if (!(held instanceof HeldInode)) throw new Errno('EXDEV');
  return held;
}

function checkName(name: string): void {
  // A UTF-16 unit is never more than three bytes.
  if (name.length > MAX_NAME_BYTES / 3 && encode(name).length > MAX_NAME_BYTES) throw new Errno('ENAMETOOLONG');
}

function statOf(inode: Inode): FileStat {
  const size = inode.kind === 'directory' ? BLOCK : inode.size;
  return {
    kind: inode.kind,
    dev: DEVICE,
    ino: inode.ino,
    mode: KIND_BITS[inode.kind] | inode.mode,
    nlink: inode.nlink,
    uid: 0,
    gid: 0,
    rdev: 0n,
    size,
    blocks: Math.ceil(size / BLOCK) * (BLOCK / 512),
    blksize: BLOCK,
    atimeNs: inode.atimeNs,
    mtimeNs: inode.mtimeNs,
    ctimeNs: inode.ctimeNs,
    birthtimeNs: inode.birthtimeNs,
  };
}

class MemoryFile implements RawFile {
  readonly #disk: Disk;
  readonly #inode: Inode;
  readonly #how: OpenHow;
  #offset = 0;

  constructor(disk: Disk, inode: Inode, how: OpenHow) {
    this.#disk = disk;
    this.#inode = inode;
    this.#how = how;
  }

  stat(): FileStat {
    return statOf(this.#inode);
  }

  read(buffer: Uint8Array, position: number | null): number {
    if (!this.#how.read) throw new Errno('EBADF');
    const from = position ?? this.#offset;
    const bytes = this.#inode.bytes.subarray(from, Math.min(this.#inode.size, from + buffer.length));
    buffer.set(bytes);
    if (position === null) this.#offset += bytes.length;
    return bytes.length;
  }

  write(data: Uint8Array, position: number | null): number {
    if (!this.#how.write) throw new Errno('EBADF');
    if (data.length === 0) return 0;
    // As on Linux: a file opened to append is appended to wherever one says.
    const at = this.#how.append ? this.#inode.size : (position ?? this.#offset);
    this.#reserve(at + data.length);
    this.#inode.bytes.set(data, at);
    this.#inode.size = Math.max(this.#inode.size, at + data.length);
    if (position === null) this.#offset = at + data.length;
    this.#changed();
    return data.length;
  }

  truncate(size: number): void {
    if (!this.#how.write) throw new Errno('EINVAL');
    this.#reserve(size);
    this.#inode.bytes.fill(0, Math.min(size, this.#inode.size));
    this.#inode.size = size;
    this.#changed();
  }

  chmod(mode: number): void {
    this.#inode.mode = mode & 0o7777;
    this.#inode.ctimeNs = this.#disk.now();
  }

  close(): void {
    // The wrapper that commands hold knows that it is closed.
  }

  #reserve(size: number): void {
    if (size > MAX_FILE_BYTES) throw new Errno('EFBIG');
    if (size <= this.#inode.bytes.length) return;
    const grown = new Uint8Array(Math.max(size, this.#inode.bytes.length * 2, 64));
    grown.set(this.#inode.bytes.subarray(0, this.#inode.size));
    this.#inode.bytes = grown;
  }

  #changed(): void {
    const time = this.#disk.now();
    this.#inode.mtimeNs = time;
    this.#inode.ctimeNs = time;
  }
}
