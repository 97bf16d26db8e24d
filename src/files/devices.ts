/**
 * The devices every script needs, by literal path: answered here, so that no root has to hold a device and nothing is ever
 * opened in the real `/dev`. They work in read-only mode and outside every root. Terminals and the shell's own descriptors
 * are the shell's to open; here they only have a stat.
 */

import { randomFillSync } from 'node:crypto';
import { FsError } from '../errors.js';
import type { FileStat, OpenFile } from './files.js';

interface Device {
  readonly major: number;
  readonly minor: number;
  /** Absent for what only the shell can open. */
  readonly behaviour?: { readonly fill: (buffer: Uint8Array) => number; readonly full?: boolean };
}

const nothing = (): number => 0;
const zeros = (buffer: Uint8Array): number => {
  buffer.fill(0);
  return buffer.length;
};
const noise = (buffer: Uint8Array): number => {
  randomFillSync(buffer);
  return buffer.length;
};

const DEVICES: ReadonlyMap<string, Device> = new Map<string, Device>([
  ['/dev/null', { major: 1, minor: 3, behaviour: { fill: nothing } }],
  ['/dev/zero', { major: 1, minor: 5, behaviour: { fill: zeros } }],
  ['/dev/full', { major: 1, minor: 7, behaviour: { fill: zeros, full: true } }],
  ['/dev/urandom', { major: 1, minor: 9, behaviour: { fill: noise } }],
  ['/dev/tty', { major: 5, minor: 0 }],
  // What is behind these only the shell knows. A terminal's numbers are as good as any.
  ['/dev/stdin', { major: 136, minor: 0 }],
  ['/dev/stdout', { major: 136, minor: 1 }],
  ['/dev/stderr', { major: 136, minor: 2 }],
]);

const DESCRIPTOR = /^\/dev\/fd\/(0|[1-9]\d{0,5})$/;

function find(path: string): Device | undefined {
  if (!path.startsWith('/dev/')) return undefined;
  const device = DEVICES.get(path);
  if (device !== undefined) return device;
  const number = DESCRIPTOR.exec(path)?.[1];
  return number === undefined ? undefined : { major: 136, minor: Number(number) };
}

/** The stat of a device that is ours, undefined for any other path. */
export function deviceStat(path: string): FileStat | undefined {
  const device = find(path);
  if (device === undefined) return undefined;
  // glibc's makedev, for small numbers.
  const rdev = BigInt(device.major * 256 + device.minor);
  return {
    kind: 'character',
    dev: 0n,
    ino: rdev,
    mode: 0o020666,
    nlink: 1,
    uid: 0,
    gid: 0,
    rdev,
    size: 0,
    blocks: 0,
    blksize: 4096,
    atimeNs: 0n,
    mtimeNs: 0n,
    ctimeNs: 0n,
    birthtimeNs: 0n,
  };
}

/** An open device, undefined where `path` is none that we can open. */
export function openDevice(path: string): OpenFile | undefined {
  const behaviour = find(path)?.behaviour;
  const stat = deviceStat(path);
  if (behaviour === undefined || stat === undefined) return undefined;
  let open = true;
  const alive = (): void => {
    if (!open) throw new FsError('EBADF', path);
  };
  return {
    path,
    stat() {
      alive();
      return stat;
    },
    read(buffer) {
      alive();
      return behaviour.fill(buffer);
    },
    write(data) {
      alive();
      if (behaviour.full === true && data.length > 0) throw new FsError('ENOSPC', path);
    },
    tell: () => 0,
    truncate() {
      alive();
      throw new FsError('EINVAL', path);
    },
    close() {
      open = false;
    },
  };
}
