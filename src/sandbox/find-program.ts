/**
 * Programs that a policy grants, found when the run begins and held from then on: what is started later is the file that was found,
 * whatever its name has come to mean. None may lie where the script could change it.
 */
import * as fs from 'node:fs';
import { FsError } from '../errors.js';
import { dirname, isWithin } from '../files/paths.js';
import type { Program } from '../io/programs.js';
import { decode, encode } from '../text/bytes.js';
import { type Mount, readMounts } from './host-facts.js';
import { O_PATH, procfsWorks } from './procfs.js';

/** What is granted: a name, looked for in directories, or a path. */
export interface Wanted {
  readonly name: string;
  readonly path: string | undefined;
  readonly readOnly: boolean;
}

/** A program, and how to be sure of it. */
export class FoundProgram implements Program {
  readonly name: string;
  readonly path: string;
  readonly readOnly: boolean;
  readonly #physical: Buffer;
  /** Holds the file; undefined for what its path must name when it is started: a script, whose interpreter opens it again. */
  #fd: number | undefined;
  readonly #identity: string;

  constructor(wanted: Wanted, path: string) {
    this.name = wanted.name;
    this.path = path;
    this.readOnly = wanted.readOnly;
    this.#physical = fs.realpathSync.native(encode(path), { encoding: 'buffer' });
    const fd = fs.openSync(this.#physical, O_PATH | fs.constants.O_NOFOLLOW);
    this.#fd = fd;
    this.#identity = identityOf(fs.fstatSync(fd, { bigint: true }));
    if (!procfsWorks() || interpreterOf(this.#physical) !== undefined) this.close();
  }

  get physical(): string {
    return decode(this.#physical);
  }

  get interpreter(): string | undefined {
    return interpreterOf(this.#physical);
  }

  /** What execve(2) is given. Throws FsError when the file that was found is not there any more. */
  executable(): string {
    if (this.#fd !== undefined) return `/proc/self/fd/${this.#fd}`;
    const now = fs.lstatSync(this.#physical, { bigint: true, throwIfNoEntry: false });
    if (now === undefined || identityOf(now) !== this.#identity) {
      throw new FsError('ESTALE', this.path, 'it is not the file any more that was there when the run began');
    }
    return this.physical;
  }

  close(): void {
    if (this.#fd !== undefined) fs.closeSync(this.#fd);
    this.#fd = undefined;
  }
}

/** Which file, and that nobody has changed it. */
function identityOf(stat: fs.BigIntStats): string {
  return `${stat.dev}:${stat.ino}:${stat.ctimeNs}`;
}

/** The first word after `#!`; undefined for a binary, and for what we may not read. */
function interpreterOf(path: Buffer): string | undefined {
  const head = Buffer.alloc(256);
  let length: number;
  try {
    const fd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK | fs.constants.O_NOCTTY);
    try {
      length = fs.readSync(fd, head, 0, head.length, 0);
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    return undefined;
  }
  const text = head.toString('latin1', 0, length);
  return /^#![ \t]*([^ \t\n\0]+)/.exec(text)?.[1];
}

/** The first of `directories` that has an executable file of that name; for a path, itself. Undefined: there is none. */
export function findProgram(wanted: Wanted, directories: readonly string[]): FoundProgram | undefined {
  const paths = wanted.path === undefined ? directories.map((one) => `${one}/${wanted.name}`) : [wanted.path];
  for (const path of paths) {
    if (isExecutable(path)) return new FoundProgram(wanted, path);
  }
  return undefined;
}

/** Whether a program of that name could be granted: for the hint of a command that was not found. */
export function hostHas(name: string, directories: readonly string[]): boolean {
  return directories.some((directory) => isExecutable(`${directory}/${name}`));
}

function isExecutable(path: string): boolean {
  try {
    fs.accessSync(encode(path), fs.constants.X_OK);
    return fs.statSync(encode(path)).isFile();
  } catch {
    return false;
  }
}

/**
 * Why a program cannot be trusted, if so: it, its interpreter, or the directory of one lies in a root where the script may write,
 * under whatever name: through a symbolic link, or where a part of a root is mounted a second time.
 */
export function writableBy(program: FoundProgram, roots: readonly string[]): string | undefined {
  if (roots.length === 0) return undefined;
  const places = new Places(roots);
  for (let path: string | undefined = program.physical, depth = 0; path !== undefined && depth < 5; depth++) {
    const root = places.rootOf(path);
    if (root !== undefined) return `${path} lies in the root ${root}, where scripts may write`;
    path = interpreterPath(path);
  }
  return undefined;
}

function interpreterPath(path: string): string | undefined {
  const interpreter = interpreterOf(encode(path));
  if (interpreter === undefined) return undefined;
  try {
    return decode(fs.realpathSync.native(encode(interpreter), { encoding: 'buffer' }));
  } catch {
    return undefined; // it is not there, and the program will not start
  }
}

/** Where on which file system the roots are, and what is mounted below them. */
class Places {
  readonly #roots: readonly string[];
  readonly #mounts: readonly Mount[];
  readonly #writable: { readonly root: string; readonly device: bigint; readonly path: string }[] = [];
  readonly #identities = new Map<string, string>();

  constructor(roots: readonly string[]) {
    this.#roots = roots;
    this.#mounts = readMounts();
    for (const root of roots) {
      const identity = directoryIdentity(root);
      if (identity !== undefined) this.#identities.set(identity, root);
      this.#add(root, this.#locate(root));
      for (const mount of this.#mounts) {
        if (isWithin(mount.target, root)) this.#add(root, { device: mount.dev, path: mount.root });
      }
    }
  }

  rootOf(path: string): string | undefined {
    const named = this.#roots.find((root) => isWithin(path, root));
    if (named !== undefined) return named;
    for (let at = path; ; at = dirname(at)) {
      const identity = directoryIdentity(at);
      const root = identity === undefined ? undefined : this.#identities.get(identity);
      if (root !== undefined) return root;
      if (at === '/') break;
    }
    const place = this.#locate(path);
    if (place === undefined) return undefined;
    return this.#writable.find((one) => one.device === place.device && isWithin(place.path, one.path))?.root;
  }

  #add(root: string, place: { readonly device: bigint; readonly path: string } | undefined): void {
    if (place !== undefined) this.#writable.push({ root, ...place });
  }

  /** The place of a physical path on its file system. The last of the mounts that cover it is the one that is seen. */
  #locate(path: string): { readonly device: bigint; readonly path: string } | undefined {
    let covering: Mount | undefined;
    for (const mount of this.#mounts) {
      if (!isWithin(path, mount.target)) continue;
      if (covering === undefined || mount.target.length >= covering.target.length) covering = mount;
    }
    if (covering === undefined) return undefined;
    const below = covering.target === '/' ? path : path.slice(covering.target.length);
    return { device: covering.dev, path: `${covering.root === '/' ? '' : covering.root}${below}` || '/' };
  }
}

function directoryIdentity(path: string): string | undefined {
  const stat = fs.lstatSync(encode(path), { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? undefined : `${stat.dev}:${stat.ino}`;
}
