/** -r and -R: the files below a directory, in the directories' own order. */
import type { Directory, DirectoryEntry, FileKind } from '../../src/files/files.js';
import { type Awaitable, andThen, lastly } from '../../src/steps.js';
import type { Context } from '../kit/context.js';
import { forEach } from '../kit/repeat.js';
import type { Selection } from './select.js';

export interface WalkOptions {
  /** -R: symlinks are followed. */
  readonly follow: boolean;
  readonly files: Selection;
  readonly directories: Selection;
  /** A directory or entry could not be looked at. */
  readonly failed: (path: string, error: unknown) => void;
  /** True stops the walk. */
  readonly visit: (path: string) => Awaitable<boolean | undefined>;
  /** A symlink leads back to a directory it is in. */
  readonly loop: (path: string) => void;
}

export function walk(context: Context<'read' | 'list'>, root: string, options: WalkOptions): Awaitable<boolean> {
  let directory: Directory;
  try {
    directory = context.fs.openDirectory(root);
  } catch (error) {
    options.failed(root, error);
    return false;
  }
  return inside(context, directory, root, options, []);
}

function inside(
  context: Context<'read' | 'list'>,
  directory: Directory,
  path: string,
  options: WalkOptions,
  above: readonly string[],
): Awaitable<boolean> {
  const identity = `${directory.stat.dev}:${directory.stat.ino}`;
  const prefix = path.endsWith('/') ? path : `${path}/`;
  const step = (entry: DirectoryEntry): Awaitable<boolean | undefined> =>
    andThen(context.tick() as Awaitable<void>, () => one(entry));
  const one = (entry: DirectoryEntry): Awaitable<boolean | undefined> => {
    const name = prefix + entry.name;
    try {
      const kind = kindOf(directory, entry, options.follow);
      if (kind === 'directory') {
        if (options.directories.skips(entry.name, false)) return false;
        const below = directory.open(entry.name, options.follow);
        const belowIdentity = `${below.stat.dev}:${below.stat.ino}`;
        if (belowIdentity === identity || above.includes(belowIdentity)) {
          below.close();
          options.loop(name);
          return false;
        }
        return inside(context, below, name, options, [...above, identity]);
      }
      if (kind !== 'file' || options.files.skips(entry.name, false)) return false;
    } catch (error) {
      options.failed(name, error);
      return false;
    }
    return options.visit(name);
  };
  return lastly(
    () => {
      let entries: DirectoryEntry[];
      try {
        entries = directory.entries();
      } catch (error) {
        options.failed(path, error);
        return false;
      }
      return forEach(entries, step);
    },
    () => directory.close(),
  );
}

function kindOf(directory: Directory, entry: DirectoryEntry, follow: boolean): FileKind {
  const kind = entry.kind ?? directory.lstat(entry.name).kind;
  return kind === 'symlink' && follow ? directory.statFollow(entry.name).kind : kind;
}
