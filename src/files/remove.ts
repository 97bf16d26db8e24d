/** Taking away names: `rm`, and the name that a rename lands on. The only two places that charge the run's budget. */

import type { Waiting } from '../steps.js';
import type { FileStat, RemovalBudget } from './files.js';
import { Refused } from './kernel.js';
import type { Walk } from './walk.js';

/** A name in the directory that the walk has come to, and what it means there. */
export interface Named {
  readonly walk: Walk;
  readonly name: string;
  readonly stat: FileStat;
}

/**
 * One removal and its unit of the budget: reserved before the removal is announced, given back when nothing came of it. Checking
 * and reserving is one synchronous step, so two stages can never both take the last unit.
 */
export class Charge {
  readonly #budget: RemovalBudget;
  #reserved = false;
  #announced: FileStat | undefined;
  /** Units left, before and after the removal. */
  left: { readonly before: number; readonly after: number } | undefined;

  constructor(budget: RemovalBudget) {
    this.#budget = budget;
  }

  /**
   * Announces that `file` is about to go, and answers what has to be waited for before it does. After that the caller looks
   * again, for while it waited the name may have come to mean another file; one that was announced is announced once.
   */
  announce(file: FileStat, announce: () => Waiting): Waiting {
    if (this.#announced?.ino === file.ino && this.#announced.dev === file.dev) return undefined;
    const { limit, used } = this.#budget;
    if (!this.#reserved) {
      if (!this.#budget.reserve()) {
        throw new Refused('BUDGET', 'budget', `run-wide budget of ${limit} file removals is exhausted`);
      }
      this.#reserved = true;
      this.left = { before: limit - used, after: limit - used - 1 };
    }
    this.#announced = file;
    return announce();
  }

  /** The file is gone, and its unit with it. */
  spend(): void {
    this.#reserved = false;
  }

  /** Nothing was removed after all. */
  giveBack(): void {
    if (this.#reserved) this.#budget.release();
    this.#reserved = false;
    this.#announced = undefined;
    this.left = undefined;
  }
}

/** The non-directory that the walk's path names, and that may be unlinked. */
export function removable(walk: Walk): Named {
  const name = walk.next();
  walk.requireWritable();
  if (name === undefined) throw new Refused('EISDIR');
  const stat = walk.here.lstat(name);
  if (stat === undefined) throw new Refused('ENOENT');
  if (stat.kind === 'directory') throw new Refused('EISDIR');
  if (walk.ending !== 'name') throw new Refused(whyNotWithSlash(walk, name, stat));
  if (walk.isAnchored(name, stat)) throw new Refused('EBUSY', 'root');
  walk.checkEntry(stat, name);
  return { walk, name, stat };
}

/** `file/` is no directory; `link/` is what the link leads to, and never the link. */
function whyNotWithSlash(walk: Walk, name: string, stat: FileStat): 'ENOTDIR' | 'EISDIR' | 'ENOENT' {
  if (stat.kind !== 'symlink' || !walk.follow(name)) return 'ENOTDIR';
  return walk.stat(true) === undefined ? 'ENOENT' : 'EISDIR';
}

/** What a rename or link starts from: a name that exists, in a writable root. */
export function sourceOf(walk: Walk): Named {
  const name = walk.next();
  walk.requireWritable();
  if (name === undefined) throw busy(walk);
  if (walk.ending === 'dot' || walk.ending === 'dotdot') throw new Refused('EBUSY');
  const stat = walk.here.lstat(name);
  if (stat === undefined) throw new Refused('ENOENT');
  if (walk.ending === 'slash' && stat.kind !== 'directory') throw new Refused('ENOTDIR');
  if (walk.isAnchored(name, stat)) throw new Refused('EBUSY', 'root');
  walk.checkEntry(stat, name);
  return { walk, name, stat };
}

/** Where a rename lands. */
export interface Landing {
  readonly walk: Walk;
  readonly name: string;
  /** What has the name now. */
  readonly stat: FileStat | undefined;
  /**
   * The file whose name it takes away. A directory that is replaced is empty and costs nothing, and where both are one file
   * rename does nothing.
   */
  readonly replaces: FileStat | undefined;
}

export function landing(from: Named, to: Walk): Landing {
  const name = to.next();
  to.requireWritable();
  if (name === undefined) throw busy(to);
  if (to.ending === 'dot' || to.ending === 'dotdot') throw new Refused('EBUSY');
  const isDirectory = from.stat.kind === 'directory';
  if (to.ending === 'slash' && !isDirectory) throw new Refused('ENOTDIR');
  const stat = to.here.lstat(name);
  if (stat === undefined) return { walk: to, name, stat, replaces: undefined };
  if (to.isAnchored(name, stat)) throw new Refused('EBUSY', 'root');
  to.checkEntry(stat, name);
  if (stat.kind === 'directory' && !isDirectory) throw new Refused('EISDIR');
  if (stat.kind !== 'directory' && isDirectory) throw new Refused('ENOTDIR');
  const same = stat.ino === from.stat.ino && stat.dev === from.stat.dev;
  return { walk: to, name, stat, replaces: stat.kind === 'directory' || same ? undefined : stat };
}

/** rename(2). */
export function move(from: Named, to: Landing): void {
  from.walk.here.rename(from.name, to.walk.here, to.name);
}

/** A path that ends at a directory we are in: only where that is a root is it the policy that says no. */
export function busy(walk: Walk): Refused {
  return new Refused('EBUSY', walk.atRoot ? 'root' : undefined);
}
