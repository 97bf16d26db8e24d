/**
 * A file system in memory, under the same rules as the real one: for tests, and for fuzzing scripts that nobody would let
 * loose on a disk. It answers as Linux does for root: permission bits are kept, not enforced.
 */

import { FsError } from '../errors.js';
import { encode } from '../text/bytes.js';
import { quoteVisible } from '../text/quote.js';
import { failure } from './errno.js';
import type { FileKind, FileStore, StoreOptions } from './files.js';
import { enter, HeldInode, type Inode, type InodeMaker } from './inodes.js';
import { Errno, Refused } from './kernel.js';
import { Mounts } from './mounts.js';
import { basename, dirname, join, pushComponents } from './paths.js';
import type { Root } from './roots.js';
import { guardedStore } from './store.js';

/** What is there at the start, by absolute path. Directories above are made. A string or bytes is a file's content. */
export type MemoryTree = Readonly<Record<string, MemoryEntry>>;

/**
 * A file of the tree: its content, or an object that says what else it is. `mode`: permission bits; `mtimeNs`: nanoseconds
 * since 1970.
 */
export type MemoryEntry =
  | string
  | Uint8Array
  | { readonly content: string | Uint8Array; readonly mode?: number; readonly mtimeNs?: bigint }
  | { readonly directory: true; readonly mode?: number }
  | { readonly symlink: string }
  /** Another name of a file that stands before it in the tree. */
  | { readonly hardlink: string }
  | { readonly special: 'fifo' | 'socket' | 'block' | 'character' };

/** A file as it is, whoever may see it: for a test to look at what a script left. */
export interface MemorySnapshot {
  readonly kind: FileKind;
  /** Permission bits. */
  readonly mode: number;
  /** Its number: the same for two names of one file. */
  readonly ino: bigint;
  /** How many names it has. */
  readonly nlink: number;
  /** Of a regular file. */
  readonly content?: Uint8Array;
  /** Of a symlink. */
  readonly target?: string;
}

export interface MemoryStore extends FileStore {
  readonly level: 'memory';
  readonly warnings: readonly string[];
  /** Everything there is by absolute path, outside the roots too, in no particular order. */
  snapshot(): Map<string, MemorySnapshot>;
}

/** A file system that stays from run to run, and can be looked at in between. */
export interface MemoryFs {
  /** The same files under a policy, for one run. */
  store(options: StoreOptions): MemoryStore;
  /** Everything there is by absolute path, in no particular order. */
  snapshot(): Map<string, MemorySnapshot>;
}

/**
 * Files in memory for `createShell`'s `files`, under the same rules as those of the machine: `{ '/logs/a.log': 'text', '/logs/b': { symlink:
 * 'a.log' } }`. Nothing of the machine's is read or changed. `now`: the clock of its time stamps, nanoseconds since 1970.
 */
export function memoryFs(tree: MemoryTree = {}, now: () => bigint = hostClock): MemoryFs {
  const disk = new Disk(now);
  for (const [path, entry] of Object.entries(tree)) {
    const wrong = wrongPath(path) ?? wrongEntry(path, entry);
    if (wrong !== undefined) throw new TypeError(`memoryFs: ${quoteVisible(path)}: ${wrong}`);
    disk.plant(path, entry);
  }
  return { store: (options) => storeOn(disk, options), snapshot: () => disk.snapshot() };
}

const SPECIAL: readonly Extract<MemoryEntry, { special: unknown }>['special'][] = [
  'fifo',
  'socket',
  'block',
  'character',
];

/** Why `path` names nothing in a tree: that what it stands for would be somewhere else, or nowhere. */
function wrongPath(path: string): string | undefined {
  if (!path.startsWith('/')) return 'a path is absolute';
  if (path.includes('\0')) return 'a path has no NUL';
  if (path !== '/' && path.endsWith('/')) return "a path does not end with '/'";
  if (path.split('/').some((name) => name === '.' || name === '..')) return "a path has no '.' and no '..'";
  return undefined;
}

const isContent = (value: unknown): boolean => typeof value === 'string' || value instanceof Uint8Array;
const isText = (value: unknown): boolean => typeof value === 'string';

/** What an entry that is an object can be, by the key that says so. */
const KINDS: readonly (readonly [key: string, holds: (value: unknown) => boolean, what: string])[] = [
  ['content', isContent, 'a string or bytes'],
  ['directory', (value) => value === true, 'true'],
  ['symlink', isText, 'a string'],
  ['hardlink', isText, 'a string'],
  ['special', (value) => SPECIAL.some((one) => one === value), `one of ${SPECIAL.join(', ')}`],
];

function wrongEntry(path: string, entry: unknown): string | undefined {
  let key = 'content';
  if (!isContent(entry)) {
    const kind = typeof entry === 'object' && entry !== null ? KINDS.find(([one]) => one in entry) : undefined;
    if (kind === undefined)
      return `must be a string, bytes, or an object with one of ${KINDS.map(([one]) => one).join(', ')}`;
    const [, holds, what] = kind;
    [key] = kind;
    if (!holds(Reflect.get(entry as object, key))) return `${key} must be ${what}`;
  }
  return path === '/' && key !== 'directory' ? 'can only be a directory' : undefined;
}

/** A file system for one run alone. */
export function memoryStore(options: StoreOptions, tree: MemoryTree = {}, now: () => bigint = hostClock): MemoryStore {
  return memoryFs(tree, now).store(options);
}

function storeOn(disk: Disk, options: StoreOptions): MemoryStore {
  const warnings: string[] = [];
  const roots: Root[] = [];
  for (const granted of options.roots) {
    try {
      roots.push(disk.root(granted.path, granted.writable));
    } catch (thrown) {
      const error = failure(thrown, granted.path);
      if (!(error instanceof FsError)) throw error;
      warnings.push(`cannot use root '${granted.path}': ${error.message}`);
    }
  }
  const store = guardedStore(options, { level: 'memory', roots, mounts: new Mounts() });
  return { ...store, level: 'memory', warnings, snapshot: () => disk.snapshot() };
}

/** Of what is no file, and no directory: nothing is ever put in. */
const NO_BYTES = new Uint8Array(0);
const NO_ENTRIES: Inode['entries'] = new Map();

const hostClock = (): bigint => BigInt(Date.now()) * 1_000_000n;

class Disk implements InodeMaker {
  readonly now: () => bigint;
  readonly #top: Inode;
  #inodes = 1n;

  constructor(now: () => bigint) {
    this.now = now;
    this.#top = this.make('directory', 0o755);
    this.#top.nlink = 2;
  }

  make(kind: FileKind, mode: number, target = ''): Inode {
    this.#inodes += 1n;
    const time = this.now();
    return {
      ino: this.#inodes,
      kind,
      mode,
      nlink: 0,
      bytes: NO_BYTES,
      size: kind === 'symlink' ? encode(target).length : 0,
      target,
      entries: kind === 'directory' ? new Map() : NO_ENTRIES,
      parent: undefined,
      atimeNs: time,
      mtimeNs: time,
      ctimeNs: time,
      birthtimeNs: time,
    };
  }

  plant(path: string, entry: MemoryEntry): void {
    const directory = this.#directoryFor(dirname(path));
    const name = basename(path);
    if (typeof entry === 'string' || entry instanceof Uint8Array) {
      this.#plantFile(directory, name, { content: entry });
    } else if ('content' in entry) {
      this.#plantFile(directory, name, entry);
    } else if ('directory' in entry) {
      this.#directoryFor(path).mode = entry.mode ?? 0o755;
    } else if ('symlink' in entry) {
      enter(directory, name, this.make('symlink', 0o777, entry.symlink));
    } else if ('hardlink' in entry) {
      enter(directory, name, this.#find(entry.hardlink));
    } else {
      enter(directory, name, this.make(entry.special, 0o644));
    }
  }

  root(granted: string, writable: boolean): Root {
    const path = this.#resolve(granted);
    const inode = this.#find(path);
    if (inode.kind === 'directory') {
      return { path, granted, writable, held: new HeldInode(this, inode), file: undefined };
    }
    if (inode.kind !== 'file') throw new Refused('SPECIAL_FILE');
    const held = new HeldInode(this, this.#find(dirname(path)));
    return { path, granted, writable, held, file: basename(path) };
  }

  snapshot(): Map<string, MemorySnapshot> {
    const all = new Map<string, MemorySnapshot>();
    const add = (path: string, inode: Inode): void => {
      const { kind, mode, ino, nlink, target } = inode;
      if (kind === 'file') all.set(path, { kind, mode, ino, nlink, content: inode.bytes.slice(0, inode.size) });
      else if (kind === 'symlink') all.set(path, { kind, mode, ino, nlink, target });
      else all.set(path, { kind, mode, ino, nlink });
      for (const [name, child] of inode.entries) add(path === '/' ? `/${name}` : `${path}/${name}`, child);
    };
    add('/', this.#top);
    return all;
  }

  #plantFile(directory: Inode, name: string, file: Extract<MemoryEntry, { content: unknown }>): void {
    const inode = this.make('file', file.mode ?? 0o644);
    inode.bytes = new Uint8Array(typeof file.content === 'string' ? encode(file.content) : file.content);
    inode.size = inode.bytes.length;
    inode.mtimeNs = file.mtimeNs ?? inode.mtimeNs;
    enter(directory, name, inode);
  }

  /** The directory `path`, made with all above it where it is missing. */
  #directoryFor(path: string): Inode {
    const names: string[] = [];
    pushComponents(names, path);
    let at = this.#top;
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      let next = at.entries.get(name);
      if (next === undefined) {
        next = this.make('directory', 0o755);
        enter(at, name, next);
      }
      if (next.kind !== 'directory') throw new TypeError(`${path}: ${name} is no directory in this tree`);
      at = next;
    }
    return at;
  }

  /** By physical path. */
  #find(path: string): Inode {
    const names: string[] = [];
    pushComponents(names, path);
    let at = this.#top;
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      const next = at.entries.get(name);
      if (next === undefined) throw new Errno('ENOENT');
      at = next;
    }
    return at;
  }

  /** realpath(3) with nobody's rules, for the roots. */
  #resolve(path: string): string {
    const rest: string[] = [];
    pushComponents(rest, path);
    let at = '/';
    let links = 0;
    for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
      if (name === '..') {
        at = dirname(at);
        continue;
      }
      const inode = this.#find(join(at, name));
      if (inode.kind !== 'symlink') {
        at = join(at, name);
        continue;
      }
      if (++links > 40) throw new Errno('ELOOP');
      if (inode.target.startsWith('/')) at = '/';
      pushComponents(rest, inode.target);
    }
    return at;
  }
}
