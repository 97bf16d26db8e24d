/** Taking away names: `rm`, and the name that a rename lands on. The only two places that charge the run's budget. */

import type { FileStat, RemovalBudget } from './files.js';
import { Refused } from './kernel.js';
import type { Walk } from './walk.js';

/** Tells the audit trail which name is about to go, just before it goes. What it throws stops the removal. */
export type Intent = (name: string) => void;

/** unlink(2) of the non-directory that the walk's path names. */
export function remove(walk: Walk, budget: RemovalBudget, intent: Intent): string {
  const name = walk.next();
  walk.requireWritable();
  if (name === undefined) throw new Refused('EISDIR');
  const directory = walk.here;
  const stat = directory.lstat(name);
  if (stat === undefined) throw new Refused('ENOENT');
  if (stat.kind === 'directory') throw new Refused('EISDIR');
  if (walk.ending !== 'name') throw new Refused(whyNotWithSlash(walk, name, stat));
  if (walk.isAnchored(name, stat)) throw new Refused('EBUSY');
  walk.checkEntry(stat, name);
  // A directory that took the name since then is refused by unlink itself (EISDIR), a link is removed and not followed.
  charge(budget, () => {
    intent(name);
    directory.unlink(name);
  });
  return name;
}

/** `file/` is no directory; `link/` is what the link leads to, and never the link. */
function whyNotWithSlash(walk: Walk, name: string, stat: FileStat): 'ENOTDIR' | 'EISDIR' | 'ENOENT' {
  if (stat.kind !== 'symlink' || !walk.follow(name)) return 'ENOTDIR';
  return walk.stat(true) === undefined ? 'ENOENT' : 'EISDIR';
}

/**
 * rename(2) of the two paths' last components. A directory that is replaced is empty and costs nothing; any other name that
 * is taken away costs a unit, unless both are already one file (rename does nothing then) or the caller's `own` result
 * takes its place.
 */
export function rename(from: Source, to: Walk, budget: RemovalBudget, own: boolean, intent: Intent): string {
  const name = to.next();
  to.requireWritable();
  if (name === undefined) throw new Refused('EBUSY');
  if (to.ending === 'dot' || to.ending === 'dotdot') throw new Refused('EBUSY');
  const directory = to.here;
  const isDirectory = from.stat.kind === 'directory';
  if (to.ending === 'slash' && !isDirectory) throw new Refused('ENOTDIR');
  const stat = directory.lstat(name);
  const act = (): void => from.walk.here.rename(from.name, directory, name);
  if (stat === undefined) {
    act();
    return name;
  }
  if (to.isAnchored(name, stat)) throw new Refused('EBUSY');
  to.checkEntry(stat, name);
  if (stat.kind === 'directory' && !isDirectory) throw new Refused('EISDIR');
  if (stat.kind !== 'directory' && isDirectory) throw new Refused('ENOTDIR');
  const same = stat.ino === from.stat.ino && stat.dev === from.stat.dev;
  if (stat.kind === 'directory' || same || own) act();
  else {
    charge(budget, () => {
      intent(name);
      act();
    });
  }
  return name;
}

/** What a rename or link starts from: a name that exists, in a writable root. */
export interface Source {
  readonly walk: Walk;
  readonly name: string;
  readonly stat: FileStat;
}

export function sourceOf(walk: Walk): Source {
  const name = walk.next();
  walk.requireWritable();
  if (name === undefined || walk.ending === 'dot' || walk.ending === 'dotdot') throw new Refused('EBUSY');
  const stat = walk.here.lstat(name);
  if (stat === undefined) throw new Refused('ENOENT');
  if (walk.ending === 'slash' && stat.kind !== 'directory') throw new Refused('ENOTDIR');
  if (walk.isAnchored(name, stat)) throw new Refused('EBUSY');
  walk.checkEntry(stat, name);
  return { walk, name, stat };
}

/** Reserve, act, give back what was not used: one synchronous step, so two stages can never both take the last unit. */
function charge(budget: RemovalBudget, act: () => void): void {
  if (!budget.reserve()) {
    throw new Refused('BUDGET', `run-wide budget of ${budget.limit} file removals is exhausted`);
  }
  try {
    act();
  } catch (thrown) {
    budget.release();
    throw thrown;
  }
}
