/** The memory form's kernel: inodes, and what Linux does with names in a directory. */

import { encode } from '../text/bytes.js';
import type { DirectoryEntry, FileKind, FileStat, FileSystemStat, Times } from './files.js';
import { Errno, type Held, type OpenHow, type RawFile } from './kernel.js';

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

export interface Inode {
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

/** Where inodes come from. */
export interface InodeMaker {
  readonly now: () => bigint;
  make(kind: FileKind, mode: number, target?: string): Inode;
}

/** Gives `inode` a name. */
export function enter(directory: Inode, name: string, inode: Inode): void {
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

export class HeldInode implements Held {
  readonly stat: FileStat;
  readonly #disk: InodeMaker;
  readonly #inode: Inode;
  /** No process finds its way into memory. */
  readonly place = undefined;

  constructor(disk: InodeMaker, inode: Inode) {
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
  readonly #disk: InodeMaker;
  readonly #inode: Inode;
  readonly #how: OpenHow;
  #offset = 0;

  constructor(disk: InodeMaker, inode: Inode, how: OpenHow) {
    this.#disk = disk;
    this.#inode = inode;
    this.#how = how;
  }

  stat(): FileStat {
    return statOf(this.#inode);
  }

  tell(): number {
    return this.#offset;
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
