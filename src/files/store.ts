/**
 * The rules, once, for every kind of file system: what the policy lets a script do with a path, how it fails, and what the
 * audit trail hears of it.
 */

import type { Waiting } from '../steps.js';
import * as change from './change.js';
import { deviceStat, openDevice } from './devices.js';
import { type DirectoryHost, DirectoryPool, type HeldDirectory, OpenedDirectory } from './directory.js';
import { errnoOf, failure } from './errno.js';
import type {
  Asker,
  Directory,
  FileAction,
  FileStat,
  FileStore,
  FileSystemStat,
  Files,
  OpenFile,
  StoreOptions,
  Times,
  WriteOptions,
} from './files.js';
import { type Held, Refused } from './kernel.js';
import type { Mounts } from './mounts.js';
import {
  type Cut,
  type IntendWrite,
  OpenedFile,
  openForReading,
  openForWriting,
  requireOneName,
  requireRegular,
} from './open.js';
import { isHeard, type Operation, operation, type Place } from './operation.js';
import { Charge, landing, move, removable, sourceOf } from './remove.js';
import { type Root, RootTable } from './roots.js';
import { type Cwd, cwdAt, type Purpose, Walk } from './walk.js';

/** A file system that the rules are put upon. */
export interface Ground {
  readonly level: FileStore['level'];
  readonly roots: readonly Root[];
  readonly mounts: Mounts;
}

/** What all bound `Files` of one store share. */
interface Shared {
  readonly options: StoreOptions;
  readonly table: RootTable;
  readonly mounts: Mounts;
  readonly pool: DirectoryPool;
  readonly linked: change.Linked;
}

export function guardedStore(options: StoreOptions, ground: Ground): FileStore {
  const table = new RootTable(ground.roots);
  const shared: Shared = { options, table, mounts: ground.mounts, pool: new DirectoryPool(), linked: new Map() };
  // Most commands are run where the one before was.
  let cwd = cwdAt('/', table);
  const inDirectory = <T>(path: string, act: (held: Held, walk: Walk) => T): T => {
    const walk = new Walk(table, ground.mounts, 'read');
    try {
      options.beforeAccess?.();
      return act(searchable(walk.start(path, cwd)), walk);
    } catch (thrown) {
      throw failure(thrown, path);
    } finally {
      walk.close();
    }
  };
  return {
    level: ground.level,
    roots: table.roots.map(({ path, writable }) => ({ path, writable })),
    for(asker) {
      if (asker.physicalCwd !== cwd.text) cwd = cwdAt(asker.physicalCwd, table);
      return new BoundFiles(shared, asker, cwd);
    },
    resolveDirectory: (path) => inDirectory(path, (_, walk) => walk.physical()),
    inDirectory: (path, act) =>
      inDirectory(path, (held) => {
        if (held.place === undefined) throw new Refused('ENOTSUP');
        return act(held.place);
      }),
    close() {
      shared.pool.close();
      for (const root of table.roots) root.held.release();
    },
  };
}

/** What the walk leads to, which must be a directory that one may be in. */
function searchable(walk: Walk): Held {
  const held = walk.hold(true);
  if (held.stat.kind !== 'directory') throw new Refused('ENOTDIR');
  if (!held.access('execute')) throw new Refused('EACCES');
  return held;
}

class BoundFiles implements Files {
  readonly #shared: Shared;
  readonly #asker: Asker;
  readonly #cwd: Cwd;

  constructor(shared: Shared, asker: Asker, cwd: Cwd) {
    this.#shared = shared;
    this.#asker = asker;
    this.#cwd = cwd;
  }

  get cwd(): string {
    return this.#asker.logicalCwd;
  }

  // Looking

  stat(path: string): FileStat {
    return deviceStat(path) ?? this.#look(path, (walk) => orMissing(walk.stat(true)));
  }

  lstat(path: string): FileStat {
    return deviceStat(path) ?? this.#look(path, (walk) => orMissing(walk.stat(false)));
  }

  tryStat(path: string): FileStat | undefined {
    return deviceStat(path) ?? this.#tryStat(path, true);
  }

  tryLstat(path: string): FileStat | undefined {
    return deviceStat(path) ?? this.#tryStat(path, false);
  }

  statfs(path: string): FileSystemStat {
    return this.#look(path, (walk) => walk.hold(true).statfs());
  }

  readlink(path: string): string {
    return this.#look(path, (walk) => {
      const name = walk.ending === 'name' ? walk.next() : undefined;
      if (name !== undefined) return walk.here.readlink(name);
      // What ends as a directory is one, or fails as one.
      walk.hold(true);
      throw new Refused('EINVAL');
    });
  }

  realpath(path: string): string {
    return this.#look(path, (walk) => {
      walk.hold(true);
      return walk.physical();
    });
  }

  resolveDirectory(path: string): string {
    return this.#look(path, (walk) => {
      searchable(walk);
      return walk.physical();
    });
  }

  access(path: string, how: 'read' | 'write' | 'execute'): boolean {
    if (deviceStat(path) !== undefined) return how !== 'execute';
    const writing = how === 'write';
    if (writing && this.#shared.options.mode === 'read-only') return false;
    const walk = this.#walk(writing ? 'write' : 'read');
    try {
      const held = walk.start(path, this.#cwd).hold(!writing);
      if (writing) {
        walk.requireWritable();
        if (held.stat.kind === 'symlink') return false;
        requireOneName(held.stat);
        if (held.stat.kind !== 'directory') requireRegular(held.stat);
      }
      return held.access(how);
    } catch (thrown) {
      if (errnoOf(thrown) === undefined) throw thrown;
      return false;
    } finally {
      walk.close();
    }
  }

  open(path: string): OpenFile {
    const device = openDevice(path);
    if (device !== undefined) return device;
    const told = this.#operation('read', path);
    return this.#attempt(told, path, 'read', (walk) => {
      const file = openForReading(walk);
      told.done();
      return new OpenedFile(path, file, this.#shared.options.beforeAccess);
    });
  }

  openDirectory(path: string): Directory {
    return this.#attempt(this.#operation('list', path), path, 'read', (walk) => {
      return new OpenedDirectory(this.#host(), path, holdDirectory(walk, true));
    });
  }

  // Changing

  openWrite(path: string, options: WriteOptions): OpenFile {
    // `exclusive` too: a shell that must not overwrite files (`set -C`) may still write to /dev/null.
    const device = openDevice(path);
    if (device !== undefined) return device;
    const told = this.#operation(actionOf(options), path);
    return this.#attempt(told, path, 'write', (walk) => {
      const intend: IntendWrite = (name, file) =>
        void told.intend(walk, name, file, { action: file === undefined ? 'create' : actionOf(options) });
      const { name, file } = openForWriting(walk, options, this.#asker.umask, intend);
      told.done();
      return new OpenedFile(path, file, this.#shared.options.beforeAccess, this.#cutOf(path, walk, name));
    });
  }

  mkdir(path: string, mode: number): void {
    this.#change('mkdir', path, (walk, intend) => change.mkdir(walk, mode & ~this.#asker.umask & 0o7777, intend));
  }

  rmdir(path: string): void {
    this.#change('rmdir', path, change.rmdir);
  }

  chmod(path: string, mode: number): void {
    this.#change('chmod', path, (walk, intend) => change.chmod(walk, mode, intend));
  }

  utimes(path: string, times: Times, noFollow = false): void {
    this.#change('utimes', path, (walk, intend) => change.utimes(walk, times, noFollow, intend));
  }

  symlink(target: string, path: string): void {
    this.#change('symlink', path, (walk, intend) => change.symlink(walk, target, intend));
  }

  link(existing: string, path: string): void {
    const told = this.#operation('link', existing, path);
    this.#attempt(told, existing, 'write', (walk) => {
      const from = sourceOf(walk);
      change.requireLinkable(from, this.#shared.linked);
      this.#towards(told, path, (toWalk) => {
        change.link(
          from,
          toWalk,
          this.#shared.linked,
          (name) => void told.intend(walk, from.name, from.stat, { to: { walk: toWalk, name } }),
        );
      });
      told.done();
    });
  }

  checkLink(existing: string): void {
    const told = this.#operation('link', existing);
    this.#attempt(told, existing, 'write', (walk) => change.requireLinkable(sourceOf(walk), this.#shared.linked));
  }

  rename(from: string, to: string, own = false): Waiting {
    const charge = new Charge(this.#shared.options.budget);
    return charged(charge, () => {
      const told = this.#operation('rename', from, to);
      return this.#attempt(told, from, 'write', (walk) => {
        const source = sourceOf(walk);
        const waiting = this.#towards(told, to, (toWalk): Waiting => {
          const target = landing(source, toWalk);
          const replaces = own ? undefined : target.replaces;
          if (replaces === undefined) charge.giveBack();
          const intend = (): Waiting => {
            const more = { to: target, replaces: target.stat, budget: charge.left };
            return told.intend(walk, source.name, source.stat, more);
          };
          const first = replaces === undefined ? void intend() : charge.announce(replaces, intend);
          if (first !== undefined) return first;
          move(source, target);
          charge.spend();
          return undefined;
        });
        if (waiting === undefined) told.done();
        return waiting;
      });
    });
  }

  remove(path: string, anew = false): Waiting {
    const charge = new Charge(this.#shared.options.budget);
    return charged(charge, () => {
      const told = this.#operation('remove', path);
      return this.#attempt(told, path, anew ? 'write' : 'remove', (walk) => {
        const { name, stat } = removable(walk);
        const waiting = charge.announce(stat, () => told.intend(walk, name, stat, { budget: charge.left }));
        if (waiting !== undefined) return waiting;
        // A directory that took the name since then is refused by unlink itself (EISDIR), a link is removed and not followed.
        walk.here.unlink(name);
        charge.spend();
        told.done();
        return undefined;
      });
    });
  }

  // One operation: its beginning, its end, and its failure

  #operation(action: FileAction, given: string, givenTo?: string): Operation {
    return operation(this.#shared.options, this.#asker, action, given, givenTo);
  }

  #walk(purpose: Purpose): Walk {
    this.#shared.options.beforeAccess?.();
    return new Walk(this.#shared.table, this.#shared.mounts, purpose);
  }

  #change(action: FileAction, path: string, act: (walk: Walk, intend: change.Intend) => void): void {
    const told = this.#operation(action, path);
    this.#attempt(told, path, 'write', (walk) => {
      act(walk, (name, file) => void told.intend(walk, name, file));
      told.done();
    });
  }

  #attempt<T>(told: Operation, path: string, purpose: Purpose, act: (walk: Walk) => T): T {
    const walk = this.#walk(purpose);
    told.at(walk);
    try {
      if (purpose !== 'read' && this.#shared.options.mode === 'read-only') throw new Refused('READ_ONLY_MODE');
      return act(walk.start(path, this.#cwd));
    } catch (thrown) {
      const error = failure(thrown, path);
      // What failed at the other path has been told there.
      if (error !== thrown) told.failed(thrown, error);
      throw error;
    } finally {
      walk.close();
    }
  }

  /** The walk to the other path of a rename or link, within the attempt of the first. */
  #towards<T>(told: Operation, path: string, act: (walk: Walk) => T): T {
    const walk = this.#walk('write');
    told.towards(walk);
    try {
      return act(walk.start(path, this.#cwd));
    } catch (thrown) {
      const error = failure(thrown, path);
      if (error !== thrown) told.failed(thrown, error);
      throw error;
    } finally {
      walk.close();
    }
  }

  /** Cutting a file that is open: one change more, of the file that `name` meant when it was opened. */
  #cutOf(path: string, walk: Walk, name: string): Cut | undefined {
    if (!isHeard(this.#shared.options)) return undefined;
    const physical = walk.physical(name);
    return (file, size) => {
      const told = this.#operation('truncate', path);
      void told.intend({ physical: () => physical }, undefined, file.stat());
      try {
        file.truncate(size);
      } catch (thrown) {
        told.failed(thrown, failure(thrown, path));
        throw thrown;
      }
      told.done();
    };
  }

  /** Looking at a file that is not opened is not an effect; being refused is. */
  #look<T>(path: string, act: (walk: Walk) => T): T {
    const walk = this.#walk('read');
    try {
      return act(walk.start(path, this.#cwd));
    } catch (thrown) {
      throw this.#notSeen('read', path, walk, thrown);
    } finally {
      walk.close();
    }
  }

  #tryStat(path: string, follow: boolean): FileStat | undefined {
    const walk = this.#walk('read');
    try {
      return walk.start(path, this.#cwd).stat(follow);
    } catch (thrown) {
      if (errnoOf(thrown) === undefined) throw thrown;
      return undefined;
    } finally {
      walk.close();
    }
  }

  /** What to throw for `thrown`, which came of looking: only that the policy refused it is told. */
  #notSeen(action: FileAction, path: string, walk: Place, thrown: unknown): unknown {
    const error = failure(thrown, path);
    if (thrown instanceof Refused && thrown.rule !== undefined) {
      const told = this.#operation(action, path);
      told.at(walk);
      told.failed(thrown, error);
    }
    return error;
  }

  // What an open directory asks for

  #host(): DirectoryHost {
    return {
      mounts: this.#shared.mounts,
      pool: this.#shared.pool,
      attempt: (path, physical, act) => {
        try {
          this.#shared.options.beforeAccess?.();
          return act();
        } catch (thrown) {
          throw this.#notSeen('list', path, { started: true, canonical: physical }, thrown);
        }
      },
      listed: (path, physical) => {
        const told = this.#operation('list', path);
        told.at({ started: true, canonical: physical });
        told.done();
      },
      statAt: (physical) => this.#at(physical, (walk) => walk.stat(true)),
      holdAt: (physical, follow) => this.#at(physical, (walk) => holdDirectory(walk, follow)),
    };
  }

  #at<T>(physical: string, act: (walk: Walk) => T): T {
    const walk = new Walk(this.#shared.table, this.#shared.mounts, 'read');
    try {
      return act(walk.start(physical, this.#cwd));
    } finally {
      walk.close();
    }
  }
}

/** The directory that the walk's path names, out of the walk's hands. */
function holdDirectory(walk: Walk, follow: boolean): HeldDirectory {
  const held = walk.hold(follow);
  if (held.stat.kind !== 'directory') throw new Refused('ENOTDIR');
  const physical = walk.physical();
  return { held, physical, borrowed: walk.take() === undefined };
}

function orMissing(stat: FileStat | undefined): FileStat {
  if (stat === undefined) throw new Refused('ENOENT');
  return stat;
}

function actionOf(options: WriteOptions): FileAction {
  if (options.truncate === true) return 'truncate';
  return options.append === true ? 'append' : 'write';
}

/**
 * Runs a step that may take a name away: again, from the beginning, once what it had to wait for has come, and giving back what it
 * was charged when it fails.
 */
function charged(charge: Charge, step: () => Waiting): Waiting {
  const failed = (thrown: unknown): never => {
    charge.giveBack();
    throw thrown;
  };
  let waiting: Waiting;
  try {
    waiting = step();
  } catch (thrown) {
    return failed(thrown);
  }
  return waiting?.then(() => charged(charge, step), failed);
}
