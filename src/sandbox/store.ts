/** `Files` on the kernel: opens the roots, once, and puts the rules upon them. */

import * as fs from 'node:fs';
import { resolve } from 'node:path';
import { FsError } from '../errors.js';
import { failure } from '../files/errno.js';
import type { FileStore, StoreOptions } from '../files/files.js';
import { type Held, Refused } from '../files/kernel.js';
import { Mounts } from '../files/mounts.js';
import { basename, dirname } from '../files/paths.js';
import type { Root } from '../files/roots.js';
import { guardedStore } from '../files/store.js';
import { decode, encode } from '../text/bytes.js';
import { HeldPath } from './best-effort.js';
import { holdPhysical, procfsWorks } from './procfs.js';

/** A store on the kernel, and what its operator should know. */
export interface SandboxStore extends FileStore {
  readonly level: 'kernel-anchored' | 'best-effort';
  readonly warnings: readonly string[];
}

/** `level` asks for the weaker level where the stronger is to be had: for tests. */
export function sandboxStore(options: StoreOptions, level?: 'best-effort'): SandboxStore {
  // Without roots nothing is ever looked at: then what the host can do is found out when somebody asks for the level.
  if (options.roots.length === 0) {
    const store = guardedStore(options, { level: 'best-effort', roots: [], mounts: new Mounts([]) });
    return {
      ...store,
      get level() {
        return level === undefined && procfsWorks() ? 'kernel-anchored' : 'best-effort';
      },
      warnings: [],
    };
  }
  const anchored = level === undefined && procfsWorks();
  const hold = anchored ? holdPhysical : (path: Buffer): Held => new HeldPath(path);
  const warnings: string[] = [];
  const mounts = new Mounts(deviceFileSystems());
  const roots: Root[] = [];
  for (const granted of options.roots) {
    try {
      roots.push(openRoot(granted, hold, mounts));
    } catch (thrown) {
      const error = failure(thrown, granted.path);
      if (!(error instanceof FsError)) throw error;
      warnings.push(`cannot use root '${granted.path}': ${error.message}`);
    }
  }
  if (!anchored) warnings.push(`/proc/self/fd cannot be used: path checks are best-effort, not kernel-anchored`);
  if (options.mode === 'remediation' && roots.some((root) => root.writable) && hardLinksUnprotected()) {
    warnings.push('fs.protected_hardlinks is 0: other users can make hard links to files they do not own');
  }
  const store = guardedStore(options, { level: anchored ? 'kernel-anchored' : 'best-effort', roots, mounts });
  return { ...store, level: anchored ? 'kernel-anchored' : 'best-effort', warnings };
}

function openRoot(granted: StoreOptions['roots'][number], hold: (path: Buffer) => Held, mounts: Mounts): Root {
  const physical = fs.realpathSync.native(encode(granted.path), { encoding: 'buffer' });
  const path = decode(physical);
  const { writable } = granted;
  let held = hold(physical);
  try {
    mounts.check(held);
    if (held.stat.kind === 'directory')
      return { path, granted: resolve(granted.path), writable, held, file: undefined };
    if (held.stat.kind !== 'file') throw new Refused('SPECIAL_FILE');
    held.release();
  } catch (thrown) {
    held.release();
    throw thrown;
  }
  held = hold(encode(dirname(path)));
  return { path, granted: resolve(granted.path), writable, held, file: basename(path) };
}

/** Where the device nodes are. In a container this is often a plain tmpfs, which no type would tell. */
function deviceFileSystems(): bigint[] {
  const device = (path: string): bigint | undefined => fs.lstatSync(path, { bigint: true, throwIfNoEntry: false })?.dev;
  const dev = device('/dev');
  return dev === undefined || dev === device('/') ? [] : [dev];
}

function hardLinksUnprotected(): boolean {
  try {
    return fs.readFileSync('/proc/sys/fs/protected_hardlinks', 'latin1').trim() === '0';
  } catch {
    return false;
  }
}
