/** Changes that neither open a file nor take a name away: directories, links, modes and times. */

import type { FileStat, Times } from './files.js';
import { type Held, Refused } from './kernel.js';
import { requireOneName } from './open.js';
import { busy, type Named } from './remove.js';
import type { Walk } from './walk.js';

/**
 * Called once every check has passed, just before the change: with the name in the walk's directory, and what has it. Without a
 * name it is what the walk holds. What it throws stops the change.
 */
export type Intend = (name: string | undefined, file: FileStat | undefined) => void;

export function mkdir(walk: Walk, mode: number, intend: Intend): void {
  const { name, directory } = newName(walk, 'slash');
  intend(name, undefined);
  directory.mkdir(name, mode);
  const made = directory.lstat(name);
  const bits = (made?.mode ?? 0) & 0o7777;
  if (made?.kind !== 'directory' || (bits & mode) === mode) return;
  // The host's umask took more than the shell's. What a default ACL or a setgid directory added stays.
  const held = directory.hold(name);
  try {
    if (held.stat.ino === made.ino && held.stat.dev === made.dev) held.chmod(bits | mode);
  } finally {
    held.release();
  }
}

export function rmdir(walk: Walk, intend: Intend): void {
  const name = walk.next();
  walk.requireWritable();
  // As rmdir(2) says it of a path that ends so.
  if (walk.ending === 'dot') throw new Refused('EINVAL');
  if (walk.ending === 'dotdot') throw new Refused('ENOTEMPTY');
  if (name === undefined) throw busy(walk);
  const stat = walk.here.lstat(name);
  if (stat === undefined) throw new Refused('ENOENT');
  if (stat.kind !== 'directory') throw new Refused('ENOTDIR');
  if (walk.isAnchored(name, stat)) throw new Refused('EBUSY', 'root');
  walk.checkEntry(stat, name);
  intend(name, stat);
  walk.here.rmdir(name);
}

export function symlink(walk: Walk, target: string, intend: Intend): void {
  if (target === '') throw new Refused('ENOENT');
  if (target.includes('\0')) throw new Refused('EINVAL');
  const { name, directory } = newName(walk, 'name');
  intend(name, undefined);
  directory.symlink(target, name);
}

/** Names that links of this store gave: a file's device and number, and how many names it has by them. */
export type Linked = Map<string, number>;

/** A file that has another name may have it outside of every root; what `linked` knows of was made here. */
export function requireLinkable({ stat }: Named, linked: Linked): void {
  if (stat.kind === 'directory') throw new Refused('EPERM');
  if (stat.nlink > (linked.get(numberOf(stat)) ?? 1)) throw new Refused('HARD_LINK_WRITE');
}

export function link(from: Named, walk: Walk, linked: Linked, intend: Intend): void {
  const { name, directory } = newName(walk, 'name');
  intend(name, undefined);
  from.walk.here.link(from.name, directory, name);
  linked.set(numberOf(from.stat), from.stat.nlink + 1);
}

const numberOf = ({ dev, ino }: FileStat): string => `${dev} ${ino}`;

export function chmod(walk: Walk, mode: number, intend: Intend): void {
  const held = holdToChange(walk, false);
  // A mode is all that keeps others from a device.
  if (held.stat.kind === 'block' || held.stat.kind === 'character') throw new Refused('SPECIAL_FILE');
  intend(undefined, held.stat);
  held.chmod(mode & 0o7777);
}

export function utimes(walk: Walk, times: Times, noFollow: boolean, intend: Intend): void {
  const held = holdToChange(walk, noFollow);
  intend(undefined, held.stat);
  held.utimes(times);
}

/** Modes and times belong to the file, not to its name: a file with another name is not changed. */
function holdToChange(walk: Walk, linkItself: boolean): Held {
  const held = walk.hold(false);
  walk.requireWritable();
  if (held.stat.kind === 'symlink' && !linkItself) throw new Refused('SYMLINK_WRITE');
  requireOneName(held.stat);
  return held;
}

/** A name that something new will take. `longest`: with a slash behind it only a directory can be made. */
function newName(walk: Walk, longest: 'name' | 'slash'): { readonly name: string; readonly directory: Held } {
  const name = walk.next();
  walk.requireWritable();
  if (name === undefined) throw new Refused('EEXIST');
  const directory = walk.here;
  if (walk.ending !== 'name' && walk.ending !== longest) {
    throw new Refused(directory.lstat(name) === undefined ? 'ENOENT' : 'EEXIST');
  }
  return { name, directory };
}
