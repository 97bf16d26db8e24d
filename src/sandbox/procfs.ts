/**
 * The kernel-anchored level. Node has no openat(2), but `/proc/self/fd/N/NAME` is the same thing: NAME looked up in the
 * directory that descriptor N holds, wherever that directory is by now. `/proc/self/fd/N` alone is the held file itself.
 */

import * as fs from 'node:fs';
import type { DirectoryEntry, FileStat, FileSystemStat, Times } from '../files/files.js';
import { Errno, type Held, type OpenHow, type RawFile } from '../files/kernel.js';
import { decode, encode } from '../text/bytes.js';
import { flagsOf, OpenDescriptor } from './descriptor.js';
import { readEntries } from './entries.js';
import { fileStat, fileSystemStat, seconds } from './stat.js';

const { O_CREAT, O_EXCL, O_NOFOLLOW, R_OK, W_OK, X_OK } = fs.constants;
/** Holds a file without opening it. Linux only; `fs.constants` lacks it. */
export const O_PATH = 0o10000000;

const BIGINT = { bigint: true } as const;
const BIGINT_OR_MISSING = { bigint: true, throwIfNoEntry: false } as const;
const AS_BUFFER = { encoding: 'buffer' } as const;
const ACCESS = { read: R_OK, write: W_OK, execute: X_OK } as const;

export class HeldDescriptor implements Held {
  readonly stat: FileStat;
  #fd: number;
  /** `/proc/self/fd/N/`: what a name is looked up behind. */
  #inside: string;

  /** Takes `fd` over, and closes it when it cannot be looked at. */
  constructor(fd: number) {
    this.#fd = fd;
    this.#inside = `/proc/self/fd/${fd}/`;
    try {
      this.stat = fileStat(fs.fstatSync(fd, BIGINT));
    } catch (error) {
      fs.closeSync(fd);
      throw error;
    }
  }

  restat(): FileStat {
    if (this.#fd < 0) throw new Errno('EBADF');
    return fileStat(fs.fstatSync(this.#fd, BIGINT));
  }

  hold(name: string): Held {
    return new HeldDescriptor(fs.openSync(this.#at(name), O_PATH | O_NOFOLLOW));
  }

  lstat(name: string): FileStat | undefined {
    const stats = fs.lstatSync(this.#at(name), BIGINT_OR_MISSING);
    return stats === undefined ? undefined : fileStat(stats);
  }

  readlink(name: string): string {
    return decode(fs.readlinkSync(this.#at(name), AS_BUFFER));
  }

  create(name: string, how: OpenHow, mode: number): RawFile {
    // O_EXCL does not follow either; O_NOFOLLOW says so to who reads this.
    return new OpenDescriptor(fs.openSync(this.#at(name), flagsOf(how) | O_CREAT | O_EXCL | O_NOFOLLOW, mode));
  }

  mkdir(name: string, mode: number): void {
    fs.mkdirSync(this.#at(name), { mode });
  }

  symlink(target: string, name: string): void {
    fs.symlinkSync(target.isWellFormed() ? target : encode(target), this.#at(name));
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
    return new OpenDescriptor(fs.openSync(this.#itself, flagsOf(how)));
  }

  entries(): DirectoryEntry[] {
    return readEntries(this.#itself);
  }

  chmod(mode: number): void {
    fs.chmodSync(this.#itself, mode);
  }

  utimes(times: Times): void {
    fs.utimesSync(this.#itself, seconds(times.atimeNs), seconds(times.mtimeNs));
  }

  access(how: 'read' | 'write' | 'execute'): boolean {
    try {
      fs.accessSync(this.#itself, ACCESS[how]);
      return true;
    } catch {
      return false;
    }
  }

  statfs(): FileSystemStat {
    return fileSystemStat(fs.statfsSync(this.#itself, BIGINT));
  }

  /** Once: the number may be another file's by the second time. What is used after that is not found. */
  release(): void {
    if (this.#fd < 0) return;
    fs.closeSync(this.#fd);
    this.#fd = -1;
    this.#inside = '/proc/self/fd/-1/';
  }

  get place(): string {
    return this.#itself;
  }

  /** The held file itself: a link of procfs that leads nowhere else. */
  get #itself(): string {
    return `/proc/self/fd/${this.#fd}`;
  }

  /** A single name in the held directory. Node would write U+FFFD for a byte that is not UTF-8: such a name goes as bytes. */
  #at(name: string): string | Buffer {
    return name.isWellFormed() ? this.#inside + name : Buffer.concat([Buffer.from(this.#inside), encode(name)]);
  }
}

function own(held: Held): HeldDescriptor {
  // Roots of one store are all of one kind.
  if (!(held instanceof HeldDescriptor)) throw new Errno('EXDEV');
  return held;
}

/** Takes hold of a directory or file by its physical path, and makes sure that it is what this path led to. */
export function holdPhysical(path: Buffer): HeldDescriptor {
  const fd = fs.openSync(path, O_PATH | O_NOFOLLOW);
  const held = new HeldDescriptor(fd);
  try {
    if (!fs.readlinkSync(`/proc/self/fd/${fd}`, AS_BUFFER).equals(path)) throw new Errno('EAGAIN');
    return held;
  } catch (error) {
    held.release();
    throw error;
  }
}

let works: boolean | undefined;

/** Whether descriptors can be reached through procfs here. Tried once in a process. */
export function procfsWorks(): boolean {
  works ??= trial();
  return works;
}

function trial(): boolean {
  // The number means something else on other systems.
  if (process.platform !== 'linux') return false;
  let fd: number;
  try {
    fd = fs.openSync('/', O_PATH | O_NOFOLLOW);
  } catch {
    return false;
  }
  try {
    const held = fs.lstatSync(`/proc/self/fd/${fd}/.`, BIGINT);
    const root = fs.lstatSync('/', BIGINT);
    const isProc = Number(fs.statfsSync('/proc/self', BIGINT).type) === 0x9fa0;
    return isProc && held.ino === root.ino && held.dev === root.dev && fs.readlinkSync(`/proc/self/fd/${fd}`) === '/';
  } catch {
    return false;
  } finally {
    fs.closeSync(fd);
  }
}
