/** A literal path against the roots: by its text, and by a look at what is there now, for links that would lead elsewhere. */
import { resolve } from 'node:path';
import { isFsError } from '../errors.js';
import type { FileStat, FileStore, ReadFiles } from '../files/files.js';
import type { Grants } from '../policy/policy.js';
import type { Facts } from './facts.js';
import { ALLOWED, refused, unknown, type Verdict } from './verdict.js';

/** Devices that are the interpreter's own, inside every policy, for who opens them so. A descriptor has but one direction. */
const DEVICES = {
  read: new Set(['/dev/null', '/dev/zero', '/dev/full', '/dev/stdin']),
  write: new Set(['/dev/null', '/dev/zero', '/dev/full', '/dev/stdout', '/dev/stderr']),
} as const;

export class PathJudge {
  readonly #grants: Grants;
  readonly #facts: Facts;
  readonly #store: FileStore;
  readonly #files: ReadFiles;
  readonly #cwd: string;
  readonly #nested: boolean;

  constructor(grants: Grants, facts: Facts, store: FileStore, cwd: string) {
    this.#grants = grants;
    this.#facts = facts;
    this.#store = store;
    this.#cwd = physicalDirectory(store, cwd);
    this.#files = store.for({
      logicalCwd: cwd,
      physicalCwd: this.#cwd,
      umask: 0o022,
      command: '',
      source: '',
      line: 0,
    });
    const { roots } = store;
    this.#nested = roots.some((one) => roots.some((other) => one !== other && isBelow(one.path, other.path)));
  }

  /** Whether opening `path` for `purpose` is refused. */
  judge(path: string, purpose: 'read' | 'write'): Verdict {
    if (DEVICES[purpose].has(path)) return ALLOWED;
    if (path.startsWith('/dev/')) return unknown(`'${path}' is looked at when it runs`);
    return this.judgeName(path, purpose);
  }

  /** Whether it is refused to make or to take away the name `path` ('write'), or to go there ('read'): no device is the interpreter's then. */
  judgeName(path: string, purpose: 'read' | 'write'): Verdict {
    if (path === '' || path.includes('\0')) return unknown(`'${path}' is looked at when it runs`);
    if (purpose === 'write' && this.#grants.mode === 'read-only') {
      return refused(`writes '${path}' in read-only mode`, '--mode remediation');
    }
    if (!path.startsWith('/') && this.#facts.changesDirectory) {
      return unknown(`the directory that '${path}' is relative to is known only when it runs`);
    }
    const full = this.#normal(path);
    if (full === undefined) return unknown(`where '..' in '${path}' leads is known only when it runs`);
    const root = this.#rootOf(full);
    if (root === undefined) {
      if (this.#grants.allowedPaths.some((granted) => isBelow(full, granted.path))) {
        return unknown(`'${path}' is granted by a path that leads through a link, or that is not there`);
      }
      const rights = purpose === 'write' ? ':rw' : '';
      return refused(
        `'${path}' is outside of every granted path`,
        `--allow-path DIR${rights} for a directory it is in`,
      );
    }
    if (purpose === 'write' && !root.writable) {
      if (this.#nested) return unknown(`'${path}' is in a path that is granted for reading`);
      return refused(`'${path}' is in a path that is granted for reading only`, `--allow-path ${root.path}:rw`);
    }
    if (purpose === 'write' && full === root.path) return unknown(`'${path}' is a granted path itself`);
    return this.#asItIs(path, full, root.path, purpose);
  }

  /** Links on the way may lead out, and a write through one is refused. */
  #asItIs(path: string, full: string, root: string, purpose: 'read' | 'write'): Verdict {
    if (this.#facts.makesLinks && this.#grants.mode === 'remediation') {
      return unknown(`the script may put a link where '${path}' is`);
    }
    try {
      if (full !== root) {
        const parent = full.slice(0, Math.max(full.lastIndexOf('/'), 1));
        if (this.#files.realpath(parent) !== parent) return unknown(`'${path}' leads through a symbolic link`);
      }
      return describe(path, this.#files.lstat(full), purpose);
    } catch (error) {
      if (!isFsError(error)) throw error;
      // What is not there leads nowhere.
      return error.code === 'ENOENT' || error.code === 'ENOTDIR' ? ALLOWED : unknown(`'${path}': ${error.message}`);
    }
  }

  /** Made absolute. `..` is known only at the start of a path from a directory that is known. */
  #normal(path: string): string | undefined {
    const names = path.split('/').filter((name) => name !== '' && name !== '.');
    let leading = path.startsWith('/') ? 0 : names.findIndex((name) => name !== '..');
    if (leading < 0) leading = names.length;
    if (names.slice(leading).includes('..')) return undefined;
    return resolve(this.#cwd, path);
  }

  #rootOf(full: string): FileStore['roots'][number] | undefined {
    let best: FileStore['roots'][number] | undefined;
    for (const root of this.#store.roots) {
      if (isBelow(full, root.path) && (best === undefined || root.path.length > best.path.length)) best = root;
    }
    return best;
  }
}

function describe(path: string, stat: FileStat, purpose: 'read' | 'write'): Verdict {
  switch (stat.kind) {
    case 'symlink':
      return unknown(`'${path}' is a symbolic link`);
    case 'file':
      return purpose === 'write' && stat.nlink > 1 ? unknown(`'${path}' has another name`) : ALLOWED;
    case 'directory':
      return ALLOWED;
    default:
      return unknown(`'${path}' is no regular file`);
  }
}

function physicalDirectory(store: FileStore, cwd: string): string {
  try {
    return store.resolveDirectory(cwd);
  } catch (error) {
    if (!isFsError(error)) throw error;
    return cwd;
  }
}

function isBelow(path: string, directory: string): boolean {
  return path === directory || directory === '/' || path.startsWith(`${directory}/`);
}
