/**
 * Directories held open for a walk. Only so many are really held: the one not used for longest is let go of, and taken hold
 * of again, by name from the directory above it, when it is needed; it must then be the same directory still.
 */

import { FsError } from '../errors.js';
import type { Directory, DirectoryEntry, FileStat } from './files.js';
import { type Held, Refused } from './kernel.js';
import type { Mounts } from './mounts.js';
import { isSingleName, join } from './paths.js';

const MAX_HELD = 64;

/** What a directory asks of the store: to begin an operation, to name a failure, and to walk a physical path. */
export interface DirectoryHost {
  readonly mounts: Mounts;
  readonly pool: DirectoryPool;
  attempt<T>(path: string, physical: string, act: () => T): T;
  listed(path: string, physical: string): void;
  /** The stat of what a physical path leads to, links followed. */
  statAt(physical: string): FileStat | undefined;
  /** The directory that a physical path leads to. */
  holdAt(physical: string, follow: boolean): HeldDirectory;
}

export interface HeldDirectory {
  readonly held: Held;
  /** Physical path. */
  readonly physical: string;
  /** A root's own handle, which is not ours to release. */
  readonly borrowed: boolean;
}

/** The directories that are really held, the one not used for longest first. */
export class DirectoryPool {
  readonly #live = new Set<OpenedDirectory>();

  used(directory: OpenedDirectory): void {
    this.#live.delete(directory);
    this.#live.add(directory);
    if (this.#live.size <= MAX_HELD) return;
    for (const oldest of this.#live) {
      oldest.letGo();
      return;
    }
  }

  gone(directory: OpenedDirectory): void {
    this.#live.delete(directory);
  }

  close(): void {
    for (const directory of this.#live) directory.letGo();
  }
}

export class OpenedDirectory implements Directory {
  readonly stat: FileStat;
  readonly #host: DirectoryHost;
  readonly #path: string;
  readonly #physical: string;
  readonly #parent: OpenedDirectory | undefined;
  readonly #name: string;
  readonly #borrowed: boolean;
  #held: Held | undefined;
  #open = true;

  /** `parent` is undefined for a directory that was reached by a path. */
  constructor(host: DirectoryHost, path: string, from: HeldDirectory, parent?: OpenedDirectory, name = '') {
    this.#host = host;
    this.#path = path;
    this.#physical = from.physical;
    this.#parent = parent;
    this.#name = name;
    this.#borrowed = from.borrowed;
    this.#held = from.held;
    this.stat = from.borrowed ? from.held.restat() : from.held.stat;
    if (!from.borrowed) host.pool.used(this);
  }

  entries(): DirectoryEntry[] {
    return this.#host.attempt(this.#path, this.#physical, () => {
      const entries = this.#live().entries();
      this.#host.listed(this.#path, this.#physical);
      return entries;
    });
  }

  lstat(name: string): FileStat {
    return this.#of(name, () => {
      const held = this.#live();
      const stat = held.lstat(name);
      if (stat === undefined) throw new Refused('ENOENT');
      this.#host.mounts.checkEntry(stat, held, name);
      return stat;
    });
  }

  statFollow(name: string): FileStat {
    return this.#of(name, () => {
      const held = this.#live();
      let stat = held.lstat(name);
      if (stat?.kind === 'symlink') stat = this.#host.statAt(join(this.#physical, name));
      else if (stat !== undefined) this.#host.mounts.checkEntry(stat, held, name);
      if (stat === undefined) throw new Refused('ENOENT');
      return stat;
    });
  }

  readlink(name: string): string {
    return this.#of(name, () => this.#live().readlink(name));
  }

  open(name: string, follow: boolean): Directory {
    return this.#of(name, () => {
      const held = this.#live().hold(name);
      try {
        if (held.stat.kind === 'directory') {
          this.#host.mounts.check(held);
          const from = { held, physical: join(this.#physical, name), borrowed: false };
          return new OpenedDirectory(this.#host, join(this.#path, name), from, this, name);
        }
      } catch (thrown) {
        held.release();
        throw thrown;
      }
      held.release();
      if (held.stat.kind !== 'symlink' || !follow) throw new Refused('ENOTDIR');
      const from = this.#host.holdAt(join(this.#physical, name), true);
      return new OpenedDirectory(this.#host, join(this.#path, name), from);
    });
  }

  close(): void {
    this.#open = false;
    this.letGo();
  }

  /** Releases the handle; the next use takes hold again. */
  letGo(): void {
    if (this.#borrowed) return;
    this.#held?.release();
    this.#held = undefined;
    this.#host.pool.gone(this);
  }

  #of<T>(name: string, act: () => T): T {
    const path = join(this.#path, name);
    return this.#host.attempt(path, join(this.#physical, name), () => {
      // The name goes straight to the kernel: it must not be a path.
      if (!isSingleName(name)) throw new Refused('EINVAL');
      return act();
    });
  }

  #live(): Held {
    if (!this.#open) throw new FsError('EBADF', this.#path);
    if (this.#held !== undefined) {
      if (!this.#borrowed) this.#host.pool.used(this);
      return this.#held;
    }
    return this.#revive();
  }

  /** Takes hold again, from the nearest directory above that is still held. */
  #revive(): Held {
    const missing: OpenedDirectory[] = [];
    let above: OpenedDirectory | undefined = this;
    while (above !== undefined && above.#held === undefined) {
      missing.push(above);
      above = above.#parent;
    }
    try {
      for (const directory of missing.reverse()) {
        const from = directory.#parent === undefined ? undefined : directory.#parent.#held;
        const found = from === undefined ? this.#host.holdAt(directory.#physical, false) : undefined;
        const held = found?.held ?? from?.hold(directory.#name);
        if (held?.stat.ino !== directory.stat.ino || held.stat.dev !== directory.stat.dev) {
          if (found?.borrowed !== true) held?.release();
          throw new Refused('ENOENT');
        }
        directory.#held = held;
        this.#host.pool.used(directory);
      }
    } finally {
      for (const directory of missing) if (!directory.#open) directory.letGo();
    }
    if (this.#held === undefined) throw new Refused('ENOENT');
    return this.#held;
  }
}
