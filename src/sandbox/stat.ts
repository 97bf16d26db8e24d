/** stat(2) and statfs(2) of Node, as the rest of rmsh knows them. */

import type { BigIntStats, BigIntStatsFs } from 'node:fs';
import type { FileKind, FileStat, FileSystemStat } from '../files/files.js';

const KINDS: ReadonlyMap<number, FileKind> = new Map<number, FileKind>([
  [0o010000, 'fifo'],
  [0o020000, 'character'],
  [0o040000, 'directory'],
  [0o060000, 'block'],
  [0o100000, 'file'],
  [0o120000, 'symlink'],
  [0o140000, 'socket'],
]);

export function fileStat(stats: BigIntStats): FileStat {
  const mode = Number(stats.mode);
  return {
    // Linux has no other kinds. Should one come, nothing may open it.
    kind: KINDS.get(mode & 0o170000) ?? 'character',
    dev: stats.dev,
    ino: stats.ino,
    mode,
    nlink: Number(stats.nlink),
    uid: Number(stats.uid),
    gid: Number(stats.gid),
    rdev: stats.rdev,
    size: Number(stats.size),
    blocks: Number(stats.blocks),
    blksize: Number(stats.blksize),
    atimeNs: stats.atimeNs,
    mtimeNs: stats.mtimeNs,
    ctimeNs: stats.ctimeNs,
    birthtimeNs: stats.birthtimeNs,
  };
}

export function fileSystemStat(stats: BigIntStatsFs): FileSystemStat {
  return {
    // A signed 32-bit number on some machines.
    type: Number(BigInt.asUintN(32, stats.type)),
    bsize: Number(stats.bsize),
    blocks: stats.blocks,
    bfree: stats.bfree,
    bavail: stats.bavail,
    files: stats.files,
    ffree: stats.ffree,
  };
}

/**
 * Node takes times as seconds in a double, and libuv cuts the part behind the point to microseconds. The nearest double may
 * lie just below the microsecond that is meant and would lose it: then the next one up.
 */
export function seconds(ns: bigint): number {
  const nearest = Number(ns) / 1e9;
  if (ns < 0n) return nearest;
  const micros = Number((ns / 1000n) % 1_000_000n);
  return fraction(nearest) < micros ? nearest + nearest * Number.EPSILON : nearest;
}

function fraction(time: number): number {
  return Math.floor((time - Math.floor(time)) * 1e6);
}
