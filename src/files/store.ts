/**
 * The rules, once, for every kind of file system: what the policy lets a script do with a path, how it fails, and what the
 * audit trail hears of it.
 */

import { FsError, type FsErrorCode } from '../errors.js';
import * as change from './change.js';
import { deviceStat, openDevice } from './devices.js';
import { type DirectoryHost, DirectoryPool, type HeldDirectory, OpenedDirectory } from './directory.js';
import { errnoOf, failure } from './errno.js';
import type {
  Asker,
  Directory,
  Effect,
  FileStat,
  FileStore,
  FileSystemStat,
  Files,
  OpenFile,
  StoreOptions,
  Times,
  WriteOptions,
} from './files.js';
import { Refused } from './kernel.js';
import type { Mounts } from './mounts.js';
import { OpenedFile, openForReading, openForWriting, requireOneName, requireRegular } from './open.js';
import { join } from './paths.js';
import { remove, rename, sourceOf } from './remove.js';
import { type Root, RootTable } from './roots.js';
import { type Cwd, cwdAt, type Purpose, Walk } from './walk.js';

type Action = Effect['action'];

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
}

export function guardedStore(options: StoreOptions, ground: Ground): FileStore {
  const table = new RootTable(ground.roots);
  const shared: Shared = { options, table, mounts: ground.mounts, pool: new DirectoryPool() };
  // Most commands are run where the one before was.
  let cwd = cwdAt('/', table);
  return {
    level: ground.level,
    roots: table.roots.map(({ path, writable }) => ({ path, writable })),
    for(asker) {
      if (asker.physicalCwd !== cwd.text) cwd = cwdAt(asker.physicalCwd, table);
      return new BoundFiles(shared, asker, cwd);
    },
    resolveDirectory(path) {
      const walk = new Walk(table, ground.mounts, 'read');
      try {
        options.beforeAccess?.();
        const held = walk.start(path, cwd).hold(true);
        if (held.stat.kind !== 'directory') throw new Refused('ENOTDIR');
        if (!held.access('execute')) throw new Refused('EACCES');
        return walk.physical();
      } catch (thrown) {
        throw failure(thrown, path);
      } finally {
        walk.close();
      }
    },
    close() {
      shared.pool.close();
      for (const root of table.roots) root.held.release();
    },
  };
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
    return this.#attempt('read', path, 'read', (walk) => {
      const file = openForReading(walk);
      this.#done('read', walk);
      return new OpenedFile(path, file, this.#shared.options.beforeAccess);
    });
  }

  openDirectory(path: string): Directory {
    return this.#attempt('list', path, 'read', (walk) => {
      return new OpenedDirectory(this.#host(), path, holdDirectory(walk, true));
    });
  }

  // Changing

  openWrite(path: string, options: WriteOptions): OpenFile {
    // `exclusive` too: a shell that must not overwrite files (`set -C`) may still write to /dev/null.
    const device = openDevice(path);
    if (device !== undefined) return device;
    return this.#change(actionOf(options), path, (walk) => {
      const { name, file, created } = openForWriting(walk, options, this.#asker.umask);
      const physical = walk.physical(name);
      this.#done(created ? 'create' : actionOf(options), walk, name);
      const cut = (): void => this.#report({ action: 'truncate', path: physical, outcome: 'done' });
      return new OpenedFile(path, file, this.#shared.options.beforeAccess, cut);
    });
  }

  mkdir(path: string, mode: number): void {
    this.#change('mkdir', path, (walk) => {
      this.#done('mkdir', walk, change.mkdir(walk, mode & ~this.#asker.umask & 0o7777));
    });
  }

  rmdir(path: string): void {
    this.#change('rmdir', path, (walk) => this.#done('rmdir', walk, change.rmdir(walk)));
  }

  chmod(path: string, mode: number): void {
    this.#change('chmod', path, (walk) => {
      change.chmod(walk, mode);
      this.#done('chmod', walk);
    });
  }

  utimes(path: string, times: Times, noFollow = false): void {
    this.#change('utimes', path, (walk) => {
      change.utimes(walk, times, noFollow);
      this.#done('utimes', walk);
    });
  }

  symlink(target: string, path: string): void {
    this.#change('symlink', path, (walk) => this.#done('symlink', walk, change.symlink(walk, target)));
  }

  link(existing: string, path: string): void {
    this.#change('link', existing, (walk) => {
      const from = sourceOf(walk);
      if (from.stat.kind === 'directory') throw new Refused('EPERM');
      this.#change('link', path, (toWalk) => {
        const name = change.link(from, toWalk);
        this.#done('link', walk, from.name, toWalk.physical(name));
      });
    });
  }

  rename(from: string, to: string, own = false): void {
    this.#change('rename', from, (walk) => {
      const source = sourceOf(walk);
      this.#change('rename', to, (toWalk) => {
        const intent = (name: string): void => this.#intend('rename', walk, source.name, toWalk.physical(name));
        const name = rename(source, toWalk, this.#shared.options.budget, own, intent);
        this.#done('rename', walk, source.name, toWalk.physical(name));
      });
    });
  }

  remove(path: string): void {
    this.#attempt('remove', path, 'remove', (walk) => {
      const intent = (name: string): void => this.#intend('remove', walk, name);
      this.#done('remove', walk, remove(walk, this.#shared.options.budget, intent));
    });
  }

  // One operation: its beginning, its end, and its failure

  #walk(purpose: Purpose): Walk {
    this.#shared.options.beforeAccess?.();
    return new Walk(this.#shared.table, this.#shared.mounts, purpose);
  }

  #change<T>(action: Action, path: string, act: (walk: Walk) => T): T {
    return this.#attempt(action, path, 'write', act);
  }

  #attempt<T>(action: Action, path: string, purpose: Purpose, act: (walk: Walk) => T): T {
    const walk = this.#walk(purpose);
    try {
      if (purpose !== 'read' && this.#shared.options.mode === 'read-only') throw new Refused('READ_ONLY_MODE');
      return act(walk.start(path, this.#cwd));
    } catch (thrown) {
      throw this.#failed(action, path, () => walk.text, thrown);
    } finally {
      walk.close();
    }
  }

  /** Looking at a file that is not opened is not an effect; being refused is. */
  #look<T>(path: string, act: (walk: Walk) => T): T {
    const walk = this.#walk('read');
    try {
      return act(walk.start(path, this.#cwd));
    } catch (thrown) {
      if (!isRefusal(thrown)) throw failure(thrown, path);
      throw this.#failed('read', path, () => walk.text, thrown);
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

  /** What to throw for `thrown`; the audit trail is told, once. */
  #failed(action: Action, path: string, text: () => string, thrown: unknown): unknown {
    const error = failure(thrown, path);
    if (error instanceof FsError && error !== thrown && this.#shared.options.onEffect !== undefined) {
      const outcome = isRefusal(thrown) ? 'refused' : 'failed';
      this.#report({
        action,
        path: text() || (path.startsWith('/') ? path : join(this.#cwd.text, path)),
        outcome,
        reason: error.code,
      });
    }
    return error;
  }

  #done(action: Action, walk: Walk, name?: string, to?: string): void {
    if (this.#shared.options.onEffect === undefined) return;
    const path = walk.physical(name);
    this.#report(to === undefined ? { action, path, outcome: 'done' } : { action, path, to, outcome: 'done' });
  }

  #report(effect: Omit<Effect, 'command' | 'line'>): void {
    this.#shared.options.onEffect?.({ ...effect, command: this.#asker.command, line: this.#asker.line });
  }

  #intend(action: Action, walk: Walk, name: string, to?: string): void {
    const { onIntent } = this.#shared.options;
    if (onIntent === undefined) return;
    const intent = { action, path: walk.physical(name), command: this.#asker.command, line: this.#asker.line };
    onIntent(to === undefined ? intent : { ...intent, to });
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
          if (!isRefusal(thrown)) throw failure(thrown, path);
          throw this.#failed('list', path, () => physical, thrown);
        }
      },
      listed: (path) => this.#report({ action: 'list', path, outcome: 'done' }),
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

function actionOf(options: WriteOptions): Action {
  if (options.truncate === true) return 'truncate';
  return options.append === true ? 'append' : 'write';
}

/** What only a policy says; the same words can also be the file system's own. */
const REFUSALS: ReadonlySet<FsErrorCode> = new Set<FsErrorCode>([
  'EACCES',
  'EBUSY',
  'BUDGET',
  'READ_ONLY_MODE',
  'SYMLINK_WRITE',
  'HARD_LINK_WRITE',
  'SPECIAL_FILE',
]);

function isRefusal(thrown: unknown): boolean {
  return thrown instanceof Refused && REFUSALS.has(thrown.code);
}
