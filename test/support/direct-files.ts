/**
 * `Files` straight on the kernel by plain paths, without roots or guards: the ground commands are tested on when what is
 * tested is the command and not the sandbox.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { FsError, isFsErrorCode } from '../../src/errors.js';
import type {
  Directory,
  DirectoryEntry,
  FileKind,
  FileStat,
  Files,
  OpenFile,
  RemovalBudget,
} from '../../src/files/files.js';
import { decode, encode } from '../../src/text/bytes.js';

export interface DirectOptions {
  readonly cwd: string;
  readonly umask?: number;
  readonly budget: RemovalBudget;
  readonly remediation: boolean;
}

export function directFiles({ cwd, umask = 0o022, budget, remediation }: DirectOptions): Files {
  const at = (path: string): Buffer => encode(path.startsWith('/') ? path : `${cwd}/${path}`);
  const writable = (path: string) => {
    if (!remediation) throw new FsError('READ_ONLY_MODE', path);
  };
  const empty = (path: string) => {
    if (path === '') throw new FsError('ENOENT', path);
  };
  function guard<T>(path: string, f: () => T): T {
    empty(path);
    return translate(path, f);
  }

  const files: Files = {
    cwd,
    stat: (path) => guard(path, () => convert(fs.statSync(at(path), { bigint: true }))),
    lstat: (path) => guard(path, () => convert(fs.lstatSync(at(path), { bigint: true }))),
    tryStat: (path) => attempt(() => files.stat(path)),
    tryLstat: (path) => attempt(() => files.lstat(path)),
    statfs: (path) =>
      guard(path, () => {
        const facts = fs.statfsSync(at(path), { bigint: true });
        const { blocks, bfree, bavail, files: inodes, ffree } = facts;
        return { type: Number(facts.type), bsize: Number(facts.bsize), blocks, bfree, bavail, files: inodes, ffree };
      }),
    readlink: (path) => guard(path, () => decode(fs.readlinkSync(at(path), 'buffer'))),
    realpath: (path) => guard(path, () => decode(fs.realpathSync(at(path), 'buffer'))),
    access(path, how) {
      if (how === 'write' && !remediation) return false;
      const mode = how === 'read' ? fs.constants.R_OK : how === 'write' ? fs.constants.W_OK : fs.constants.X_OK;
      return attempt(() => fs.accessSync(at(path), mode) === undefined) ?? false;
    },
    open(path) {
      return guard(path, () => {
        const { kind } = files.stat(path);
        if (kind === 'directory') throw new FsError('EISDIR', path);
        if (kind !== 'file') throw new FsError('SPECIAL_FILE', path);
        return openFile(path, fs.openSync(at(path), 'r'));
      });
    },
    openDirectory: (path) => guard(path, () => directory(decode(at(path)), path)),
    openWrite(path, options) {
      writable(path);
      return guard(path, () => {
        const before = files.tryLstat(path);
        if (before !== undefined && options.exclusive === true) throw new FsError('EEXIST', path);
        if (path.endsWith('/')) throw new FsError(before === undefined ? 'EISDIR' : 'ENOTDIR', path);
        if (before?.kind === 'directory') throw new FsError('EISDIR', path);
        if (before?.kind === 'symlink') throw new FsError('SYMLINK_WRITE', path);
        if (before !== undefined && before.kind !== 'file') throw new FsError('SPECIAL_FILE', path);
        if (before !== undefined && before.nlink > 1) throw new FsError('HARD_LINK_WRITE', path);
        const c = fs.constants;
        const flags =
          (options.read === true ? c.O_RDWR : c.O_WRONLY) |
          (options.append === true ? c.O_APPEND : 0) |
          (options.truncate === true ? c.O_TRUNC : 0) |
          (options.create === false ? 0 : c.O_CREAT) |
          (options.exclusive === true ? c.O_EXCL : 0);
        const descriptor = fs.openSync(at(path), flags, (options.mode ?? 0o666) & ~umask);
        if (before === undefined) fs.fchmodSync(descriptor, (options.mode ?? 0o666) & ~umask);
        return openFile(path, descriptor);
      });
    },
    mkdir(path, mode) {
      writable(path);
      guard(path, () => {
        fs.mkdirSync(at(path), { mode: mode & ~umask });
        fs.chmodSync(at(path), mode & ~umask);
      });
    },
    rmdir(path) {
      writable(path);
      guard(path, () => fs.rmdirSync(at(path)));
    },
    chmod(path, mode) {
      writable(path);
      guard(path, () => {
        if (files.lstat(path).kind === 'symlink') throw new FsError('SYMLINK_WRITE', path);
        fs.chmodSync(at(path), mode);
      });
    },
    utimes(path, times, noFollow) {
      writable(path);
      const [a, m] = [Number(times.atimeNs) / 1e9, Number(times.mtimeNs) / 1e9];
      guard(path, () => {
        if (noFollow === true) fs.lutimesSync(at(path), a, m);
        else if (files.lstat(path).kind === 'symlink') throw new FsError('SYMLINK_WRITE', path);
        else fs.utimesSync(at(path), a, m);
      });
    },
    symlink(target, path) {
      writable(path);
      guard(path, () => fs.symlinkSync(encode(target), at(path)));
    },
    link(existing, path) {
      writable(path);
      guard(path, () => fs.linkSync(at(existing), at(path)));
    },
    rename(from, to, own) {
      writable(from);
      const taken = files.tryLstat(to);
      const charged = taken !== undefined && taken.kind !== 'directory' && own !== true;
      charge(to, charged, () => guard(from, () => fs.renameSync(at(from), at(to))));
    },
    remove(path) {
      writable(path);
      charge(path, true, () =>
        guard(path, () => {
          if (files.lstat(path).kind === 'directory') throw new FsError('EISDIR', path);
          fs.unlinkSync(at(path));
        }),
      );
    },
  };

  function charge(path: string, charged: boolean, f: () => void): void {
    if (!charged) {
      f();
      return;
    }
    if (!budget.reserve()) {
      throw new FsError('BUDGET', path, `run-wide budget of ${budget.limit} file removals is exhausted`);
    }
    try {
      f();
    } catch (error) {
      budget.release();
      throw error;
    }
  }
  return files;
}

function attempt<T>(f: () => T): T | undefined {
  try {
    return f();
  } catch {
    return undefined;
  }
}

function translate<T>(path: string, f: () => T): T {
  try {
    return f();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) throw error;
    if (error.name === 'FsError' || !isFsErrorCode(error.code)) throw error;
    throw new FsError(error.code, path);
  }
}

function directory(path: string, shown: string): Directory {
  const descriptor = fs.openSync(encode(path), fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
  openDirectories.now++;
  openDirectories.most = Math.max(openDirectories.most, openDirectories.now);
  const base = `/proc/self/fd/${descriptor}`;
  const one = (name: string) => encode(`${base}/${name}`);
  return {
    stat: convert(fs.fstatSync(descriptor, { bigint: true })),
    entries: () =>
      translate(shown, () =>
        fs
          .readdirSync(base, { encoding: 'buffer', withFileTypes: true })
          .map((entry): DirectoryEntry => ({ name: decode(entry.name), kind: kindOf(entry) })),
      ),
    lstat: (name) => translate(name, () => convert(fs.lstatSync(one(name), { bigint: true }))),
    statFollow: (name) => translate(name, () => convert(fs.statSync(one(name), { bigint: true }))),
    readlink: (name) => translate(name, () => decode(fs.readlinkSync(one(name), 'buffer'))),
    open: (name, follow) =>
      translate(name, () => {
        if (!follow && convert(fs.lstatSync(one(name), { bigint: true })).kind !== 'directory') {
          throw new FsError('ENOTDIR', name);
        }
        return directory(`${base}/${name}`, join(shown, name));
      }),
    close() {
      openDirectories.now--;
      fs.closeSync(descriptor);
    },
  };
}

/** How many directories commands hold open, for tests that count them. */
export const openDirectories = { now: 0, most: 0 };

function openFile(path: string, descriptor: number): OpenFile {
  return {
    path,
    stat: () => convert(fs.fstatSync(descriptor, { bigint: true })),
    read: (buffer, position) => fs.readSync(descriptor, buffer, 0, buffer.length, position),
    write(data, position) {
      for (let done = 0; done < data.length; ) {
        const to = position === null ? null : position + done;
        done += fs.writeSync(descriptor, data, done, data.length - done, to);
      }
    },
    truncate: (size) => translate(path, () => fs.ftruncateSync(descriptor, size)),
    close: () => fs.closeSync(descriptor),
  };
}

type Kinds = Pick<
  fs.BigIntStats,
  'isFile' | 'isDirectory' | 'isSymbolicLink' | 'isFIFO' | 'isSocket' | 'isBlockDevice'
>;

function kindOf(stats: Kinds): FileKind {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  if (stats.isSymbolicLink()) return 'symlink';
  if (stats.isFIFO()) return 'fifo';
  if (stats.isSocket()) return 'socket';
  return stats.isBlockDevice() ? 'block' : 'character';
}

function convert(stats: fs.BigIntStats): FileStat {
  return {
    kind: kindOf(stats),
    dev: stats.dev,
    ino: stats.ino,
    mode: Number(stats.mode),
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
