/**
 * The walk from a path to a file. Outside every root a path is text and nothing is looked at. Inside, each component is taken
 * hold of in the directory before it, without following; `..` pops our own stack (the kernel's `..` would lead out of a
 * directory that was moved); a symlink is read and its target put in its place.
 */

import { errnoOf } from './errno.js';
import type { FileStat } from './files.js';
import { type Held, Refused } from './kernel.js';
import type { Mounts } from './mounts.js';
import { descend, dirname, type Ending, endingOf, join, pushComponents } from './paths.js';
import type { Root, RootTable } from './roots.js';

/**
 * What a walk is for. `read` follows symlinks; `write` refuses them; `remove` follows those on the way, while they lie in and
 * lead into a writable root. The last component is the caller's business.
 */
export type Purpose = 'read' | 'write' | 'remove';

/** As many as Linux follows. */
const MAX_LINKS = 40;
/** Directories held at a time. Deeper ones let go of the first, and walk again should a `..` come back to it. */
const MAX_HELD = 64;
/**
 * UTF-16 units of one path. More than the kernel's 4096 bytes, which a tree can exceed by its depth; few enough that a path
 * made of a million `a/..` does not hold up the whole shell.
 */
const MAX_PATH = 65_536;
/** How often a component may turn from a link into something else under our hands before we call it busy. */
const RACES = 8;

interface Step {
  readonly name: string;
  held: Held | undefined;
}

/** A working directory, taken apart once. */
export interface Cwd {
  readonly text: string;
  readonly root: Root | undefined;
  /** Components below the root (of the whole text when it is in none), the last first. */
  readonly rest: readonly string[];
}

export function cwdAt(text: string, table: RootTable): Cwd {
  const prefix = table.prefix(text);
  const rest: string[] = [];
  pushComponents(rest, prefix === undefined ? text : text.slice(prefix.length));
  return { text, root: prefix === undefined ? undefined : table.named(prefix), rest };
}

export class Walk {
  /** Whether the path has been looked at, so that `canonical` can be asked for. */
  started = false;
  /** How the path ends, links that were followed included. */
  ending: Ending = 'name';
  readonly #table: RootTable;
  readonly #mounts: Mounts;
  readonly #purpose: Purpose;
  /** The root we are in; undefined while the path is text. */
  #root: Root | undefined;
  /** Where we are, as text, while in no root. */
  #outside = '/';
  /** Directories below the root; the last is where we are. */
  readonly #steps: Step[] = [];
  /** What is still to be walked, the next component last. */
  readonly #rest: string[] = [];
  #links = 0;
  /** The component that was taken from `#rest` and is not yet among the steps. */
  #next: string | undefined;

  constructor(table: RootTable, mounts: Mounts, purpose: Purpose) {
    this.#table = table;
    this.#mounts = mounts;
    this.#purpose = purpose;
  }

  /** Sets out for `path`, and stops before the last component. */
  start(path: string, cwd: Cwd): this {
    if (path === '') throw new Refused('ENOENT');
    if (path.length > MAX_PATH) throw new Refused('ENAMETOOLONG');
    if (path.includes('\0')) throw new Refused('EINVAL');
    this.ending = endingOf(path);
    if (path.startsWith('/')) this.#setOut(path);
    else {
      pushComponents(this.#rest, path);
      for (const name of cwd.rest) this.#rest.push(name);
      this.#root = cwd.root;
    }
    this.started = true;
    const root = this.#root;
    // Without `..` and nested roots the text alone says where a path ends that may not be written.
    if (this.#purpose !== 'read' && root !== undefined && !root.writable && !this.#table.nested) {
      if (!this.#rest.includes('..')) throw new Refused('EACCES', 'read-only-root');
    }
    return this;
  }

  /** The directory we are in. Only after `next` has answered, and not outside every root. */
  get here(): Held {
    const step = this.#steps[this.#steps.length - 1];
    const held = step === undefined ? this.#root?.held : step.held;
    if (held === undefined) throw new Refused('EACCES', 'outside-roots');
    return held;
  }

  /** The root we are in; outside every root the operation ends here. */
  get root(): Root {
    if (this.#root === undefined) throw new Refused('EACCES', 'outside-roots');
    return this.#root;
  }

  /** Whether we stand at the very directory of a root. */
  get atRoot(): boolean {
    return this.#steps.length === 0;
  }

  /**
   * Goes on until one component is left, and answers it; undefined when the path ended at a directory we are in (a root, `.`,
   * `..`). After that `here` is the directory, or the directory to look for the name in.
   */
  next(): string | undefined {
    for (;;) {
      const name = this.#rest.pop();
      this.#next = name;
      if (name === undefined) {
        const file = this.root.file;
        if (file === undefined || !this.atRoot) return undefined;
        return file;
      }
      if (this.#root === undefined) {
        this.#stepOutside(name);
      } else if (this.atRoot && this.#root.file !== undefined) {
        throw new Refused('ENOTDIR');
      } else if (name === '..') {
        this.#up();
      } else if (!this.#enterNested(name)) {
        if (this.#rest.length === 0) return name;
        this.#down(name);
      }
    }
  }

  /** Whether `name`, answered by `next`, is itself a root, or a directory that a root lies in. */
  isAnchored(name: string, stat: FileStat): boolean {
    if (this.atRoot && this.root.file !== undefined) return true;
    if (stat.kind !== 'directory') return false;
    return this.#table.identified(stat) !== undefined || this.#table.holdsRoot(this.physical(name));
  }

  /** Refuses where the root we are in is not writable. */
  requireWritable(): void {
    if (!this.root.writable) throw new Refused('EACCES', 'read-only-root');
  }

  /** Puts the target of the symlink `name` in its place; `next` then goes on. False when it is no symlink any more. */
  follow(name: string): boolean {
    if (this.#purpose === 'write') throw new Refused('SYMLINK_WRITE');
    let target: string;
    try {
      target = this.here.readlink(name);
    } catch (thrown) {
      if (errnoOf(thrown) === 'EINVAL') return false;
      throw thrown;
    }
    if (++this.#links > MAX_LINKS) throw new Refused('ELOOP');
    if (target === '') throw new Refused('ENOENT');
    this.#next = undefined;
    if (this.#rest.length === 0 && this.ending === 'name') this.ending = endingOf(target);
    if (target.startsWith('/')) this.#setOut(target);
    else {
      pushComponents(this.#rest, target);
      // What lies beside a root that is a file is outside of it.
      if (this.atRoot && this.root.file !== undefined) this.#setOut(dirname(this.root.path));
    }
    return true;
  }

  /**
   * The file that the path names, not held: its stat. With `follow`, or where the path ends as only a directory's does, a
   * symlink is followed.
   */
  stat(follow: boolean): FileStat | undefined {
    for (let races = 0; races < RACES; races++) {
      const name = this.next();
      if (name === undefined) return this.here.restat();
      const stat = this.here.lstat(name);
      if (stat === undefined) return undefined;
      if (stat.kind === 'symlink' && (follow || this.ending !== 'name')) {
        if (this.follow(name)) races = -1;
        else this.#again(name);
        continue;
      }
      if (this.ending !== 'name' && stat.kind !== 'directory') throw new Refused('ENOTDIR');
      this.#mounts.checkEntry(stat, this.here, name);
      return stat;
    }
    throw new Refused('EAGAIN');
  }

  /** The file that the path names, held until the walk is closed; symlinks as in `stat`. */
  hold(follow: boolean): Held {
    for (let races = 0; races < RACES; races++) {
      const name = this.next();
      if (name === undefined) return this.here;
      const held = this.here.hold(name);
      if (held.stat.kind === 'symlink' && (follow || this.ending !== 'name')) {
        held.release();
        if (this.follow(name)) races = -1;
        else this.#again(name);
        continue;
      }
      this.#push(name, held);
      if (this.ending !== 'name' && held.stat.kind !== 'directory') throw new Refused('ENOTDIR');
      this.#mounts.check(held);
      return held;
    }
    throw new Refused('EAGAIN');
  }

  /** Refuses what lies on a file system that no walk enters: of `name` in `here`, then of what is held. */
  checkEntry(stat: FileStat, name: string): void {
    this.#mounts.checkEntry(stat, this.here, name);
  }

  checkMount(held: Held): void {
    this.#mounts.check(held);
  }

  /** What is held last, taken out of the walk's hands: the caller releases it. undefined for a root, which is not given away. */
  take(): Held | undefined {
    const step = this.#steps[this.#steps.length - 1];
    const held = step?.held;
    if (step !== undefined) step.held = undefined;
    return held;
  }

  /** The physical path of where we are, or of `name` in it. Only once the walk has come into a root. */
  physical(name?: string): string {
    let path = this.root.path;
    if (this.root.file !== undefined) return path;
    for (const step of this.#steps) path = join(path, step.name);
    return name === undefined ? path : join(path, name);
  }

  /**
   * The path the walk is for, absolute and without `..`: physical as far as the walk has come, as text from there on.
   * `started` says whether it knows one.
   */
  get canonical(): string {
    let path = this.#root === undefined ? this.#outside : this.physical();
    if (this.#next !== undefined) path = descend(path, [this.#next]);
    return descend(path, this.#rest);
  }

  close(): void {
    for (const step of this.#steps) step.held?.release();
    this.#steps.length = 0;
  }

  /** An absolute path starts at the roots again. */
  #setOut(path: string): void {
    this.close();
    const prefix = this.#table.prefix(path);
    this.#root = prefix === undefined ? undefined : this.#table.named(prefix);
    this.#next = undefined;
    this.#outside = '/';
    pushComponents(this.#rest, prefix === undefined ? path : path.slice(prefix.length));
  }

  /** `name` is the last component once more. (For a root that is a file `next` answers it by itself.) */
  #again(name: string): void {
    if (!this.atRoot || this.root.file === undefined) this.#rest.push(name);
  }

  #stepOutside(name: string): void {
    this.#next = undefined;
    this.#outside = name === '..' ? dirname(this.#outside) : join(this.#outside, name);
    this.#root = this.#table.named(this.#outside);
  }

  #up(): void {
    if (this.#steps.length === 0) {
      this.#setOut(dirname(this.root.path));
      return;
    }
    this.#next = undefined;
    this.#steps.pop()?.held?.release();
    const step = this.#steps[this.#steps.length - 1];
    if (step !== undefined && step.held === undefined) this.#setOut(this.physical());
  }

  /** Whether `name` is, by its text, a root within the one we are in; we are in it then. */
  #enterNested(name: string): boolean {
    if (!this.#table.nested) return false;
    const root = this.#table.named(this.physical(name));
    if (root === undefined) return false;
    this.close();
    this.#root = root;
    this.#next = undefined;
    return true;
  }

  /** Into the directory `name`, or, where it is a symlink, to what it stands for. */
  #down(name: string): void {
    for (let races = 0; races < RACES; races++) {
      const held = this.here.hold(name);
      const { kind } = held.stat;
      if (kind === 'directory') {
        this.#step(name, held);
        return;
      }
      held.release();
      if (kind !== 'symlink') throw new Refused('ENOTDIR');
      if (this.#purpose === 'remove') this.requireWritable();
      if (this.follow(name)) return;
    }
    throw new Refused('EAGAIN');
  }

  #push(name: string, held: Held): void {
    this.#steps.push({ name, held });
    this.#next = undefined;
  }

  #step(name: string, held: Held): void {
    this.#push(name, held);
    this.#mounts.check(held);
    const root = this.#table.identified(held.stat);
    if (root !== undefined) {
      this.close();
      this.#root = root;
      return;
    }
    const early = this.#steps[this.#steps.length - 1 - MAX_HELD];
    early?.held?.release();
    if (early !== undefined) early.held = undefined;
  }
}
