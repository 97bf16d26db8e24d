/**
 * The level where procfs is missing: a directory is held as a path that is compared, component by component, right before it
 * is used. What changes between the comparison and the act is lost to an attacker who is fast enough; rmsh says so at start.
 */

import * as fs from 'node:fs';
import type { DirectoryEntry, FileStat, FileSystemStat, Times } from '../files/files.js';
import { Errno, type Held, type OpenHow, type RawFile } from '../files/kernel.js';
import { decode, encode } from '../text/bytes.js';
import { flagsOf, OpenDescriptor } from './descriptor.js';
import { readEntries } from './entries.js';
import { fileStat, fileSystemStat, seconds } from './stat.js';

const { O_CREAT, O_EXCL, O_NOFOLLOW, R_OK, W_OK, X_OK } = fs.constants;
const BIGINT = { bigint: true } as const;
const BIGINT_OR_MISSING = { bigint: true, throwIfNoEntry: false } as const;
const ACCESS = { read: R_OK, write: W_OK, execute: X_OK } as const;
const SLASH = Buffer.from('/');

export class HeldPath implements Held {
  readonly stat: FileStat;
  readonly #path: Buffer;
  readonly #parent: HeldPath | undefined;

  constructor(path: Buffer, parent?: HeldPath) {
    this.#path = path;
    this.#parent = parent;
    this.stat = fileStat(fs.lstatSync(path, BIGINT));
  }

  restat(): FileStat {
    return this.#compare();
  }

  /** Compared just now. Node has no way to name a directory to a new process but as UTF-8. */
  get place(): string | undefined {
    this.#compare();
    const path = decode(this.#path);
    return path.isWellFormed() ? path : undefined;
  }

  hold(name: string): Held {
    return new HeldPath(this.#at(name), this);
  }

  lstat(name: string): FileStat | undefined {
    const stats = fs.lstatSync(this.#at(name), BIGINT_OR_MISSING);
    return stats === undefined ? undefined : fileStat(stats);
  }

  readlink(name: string): string {
    return decode(fs.readlinkSync(this.#at(name), { encoding: 'buffer' }));
  }

  create(name: string, how: OpenHow, mode: number): RawFile {
    return new OpenDescriptor(fs.openSync(this.#at(name), flagsOf(how) | O_CREAT | O_EXCL | O_NOFOLLOW, mode));
  }

  mkdir(name: string, mode: number): void {
    fs.mkdirSync(this.#at(name), { mode });
  }

  symlink(target: string, name: string): void {
    fs.symlinkSync(encode(target), this.#at(name));
  }

  unlink(name: string): void {
    fs.unlinkSync(this.#at(name));
  }

  rmdir(name: string): void {
    fs.rmdirSync(this.#at(name));
  }

  rename(name: string, to: Held, toName: string): void {
    fs.renameSync(this.#at(name), own(to).#at(toName));
  }

  link(name: string, to: Held, toName: string): void {
    fs.linkSync(this.#at(name), own(to).#at(toName));
  }

  open(how: OpenHow): RawFile {
    return new OpenDescriptor(this.#openItself(flagsOf(how)));
  }

  entries(): DirectoryEntry[] {
    this.#compare();
    const entries = readEntries(this.#path);
    this.#compare();
    return entries;
  }

  chmod(mode: number): void {
    this.#withItself((fd) => fs.fchmodSync(fd, mode));
  }

  utimes(times: Times): void {
    this.#compare();
    fs.lutimesSync(this.#path, seconds(times.atimeNs), seconds(times.mtimeNs));
  }

  access(how: 'read' | 'write' | 'execute'): boolean {
    try {
      if (this.#compare().kind === 'symlink') return false;
      fs.accessSync(this.#path, ACCESS[how]);
      return true;
    } catch {
      return false;
    }
  }

  statfs(): FileSystemStat {
    this.#compare();
    return fileSystemStat(fs.statfsSync(this.#path, BIGINT));
  }

  release(): void {
    // Nothing is held.
  }

  #at(name: string): Buffer {
    this.#compare();
    const bytes = encode(name);
    return Buffer.concat(this.#path.length === 1 ? [this.#path, bytes] : [this.#path, SLASH, bytes]);
  }

  /** Throws unless every directory from the root down to this is still the one that was met. */
  #compare(): FileStat {
    if (this.#parent !== undefined) this.#parent.#compare();
    const stat = fileStat(fs.lstatSync(this.#path, BIGINT));
    if (stat.ino !== this.stat.ino || stat.dev !== this.stat.dev) throw new Errno('ENOENT');
    return stat;
  }

  #openItself(flags: number): number {
    this.#compare();
    // A FIFO that took the name is not waited for: the flags say O_NONBLOCK.
    const fd = fs.openSync(this.#path, flags | O_NOFOLLOW);
    try {
      const stats = fs.fstatSync(fd, BIGINT);
      if (stats.ino !== this.stat.ino || stats.dev !== this.stat.dev) throw new Errno('EAGAIN');
      return fd;
    } catch (error) {
      fs.closeSync(fd);
      throw error;
    }
  }

  #withItself(act: (fd: number) => void): void {
    if (this.stat.kind !== 'file' && this.stat.kind !== 'directory') throw new Errno('ENOTSUP');
    const fd = this.#openItself(flagsOf({ read: true, write: false, append: false }));
    try {
      act(fd);
    } finally {
      fs.closeSync(fd);
    }
  }
}

function own(held: Held): HeldPath {
  if (!(held instanceof HeldPath)) throw new Errno('EXDEV');
  return held;
}
