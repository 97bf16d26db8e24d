/** One file of a walk: what is known of it is asked once, and only when somebody wants to know. */
import { isFsError } from '../../../src/errors.js';
import type { Directory, FileKind, FileStat, ListFiles, ReadFiles } from '../../../src/files/files.js';
import { baseName } from '../paths.js';

/** Whether symlinks are followed: never (`-P`), the starting points (`-H`), always (`-L`). */
export type Follow = 'never' | 'starts' | 'always';

export interface Entry {
  /** As find prints it. */
  readonly path: string;
  /** The last component, without trailing slashes. */
  readonly name: string;
  readonly depth: number;
  /** The starting point it was found under. */
  readonly start: string;
  kind(): FileKind;
  /** Of the file, or of what the link points to where links are followed. Throws FsError. */
  stat(): FileStat;
  /** Never follows. */
  lstat(): FileStat;
  /** Always follows. */
  target(): FileStat;
  readlink(): string;
  /** A handle of it, as a directory. */
  open(): Directory;
}

export type WalkFiles = ReadFiles & ListFiles;

/** Follows, but of a link to nothing answers the link. */
export function followed(follow: () => FileStat, itself: () => FileStat): FileStat {
  try {
    return follow();
  } catch (error) {
    if (isFsError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return itself();
    throw error;
  }
}

/** A starting point: reached by its path. */
export class StartEntry implements Entry {
  readonly depth = 0;
  readonly path: string;
  readonly name: string;
  readonly start: string;
  private readonly fs: WalkFiles;
  private readonly follow: Follow;
  private known: FileStat | undefined;

  constructor(path: string, fs: WalkFiles, follow: Follow) {
    this.path = path;
    this.start = path;
    this.name = baseName(path);
    this.fs = fs;
    this.follow = follow;
  }
  kind(): FileKind {
    return this.stat().kind;
  }
  stat(): FileStat {
    this.known ??=
      this.follow === 'never'
        ? this.lstat()
        : followed(
            () => this.target(),
            () => this.lstat(),
          );
    return this.known;
  }
  lstat(): FileStat {
    return this.fs.lstat(this.path);
  }
  target(): FileStat {
    return this.fs.stat(this.path);
  }
  readlink(): string {
    return this.fs.readlink(this.path);
  }
  open(): Directory {
    return this.fs.openDirectory(this.path);
  }
}

/** What a walk keeps of a directory it is in. */
export interface Container {
  /** Open as long as the walk can afford it, and opened anew otherwise. */
  handle(): Directory;
}

/** A file below: reached by its single name from the directory that holds it. */
export class InnerEntry implements Entry {
  readonly path: string;
  readonly name: string;
  readonly depth: number;
  readonly start: string;
  private readonly container: Container;
  private readonly follow: boolean;
  private readonly told: FileKind | undefined;
  private known: FileStat | undefined;

  constructor(container: Container, parent: Entry, name: string, told: FileKind | undefined, follow: Follow) {
    this.path = parent.path.endsWith('/') ? parent.path + name : `${parent.path}/${name}`;
    this.name = name;
    this.depth = parent.depth + 1;
    this.start = parent.start;
    this.container = container;
    this.told = told;
    this.follow = follow === 'always';
  }
  kind(): FileKind {
    const { told } = this;
    return told === undefined || (told === 'symlink' && this.follow) ? this.stat().kind : told;
  }
  stat(): FileStat {
    this.known ??= this.follow
      ? followed(
          () => this.target(),
          () => this.lstat(),
        )
      : this.lstat();
    return this.known;
  }
  lstat(): FileStat {
    return this.container.handle().lstat(this.name);
  }
  target(): FileStat {
    return this.container.handle().statFollow(this.name);
  }
  readlink(): string {
    return this.container.handle().readlink(this.name);
  }
  open(): Directory {
    return this.container.handle().open(this.name, this.follow);
  }
}
