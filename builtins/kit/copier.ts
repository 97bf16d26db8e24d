/** Copying: files by their bytes, links by what they say, directories with all that is in them. */
import { isFsError } from '../../src/errors.js';
import type { FileStat, OpenFile } from '../../src/files/files.js';
import { type Awaitable, andThen, lastly, rescue } from '../../src/steps.js';
import { gnuQuote, gnuQuoteIfNeeded } from '../../src/text/quote.js';
import { type Backup, backupName } from './backup.js';
import { canonicalPath } from './canonical.js';
import type { Context } from './context.js';
import { baseName, directoryName, joinPath, withoutTrailingSlashes } from './paths.js';
import { repeat } from './repeat.js';

export interface CopyOptions {
  readonly recursive: boolean;
  /** Which links are followed: all, those that are operands (`-H`), or none. */
  readonly follow: 'all' | 'operands' | 'none';
  /** Names of one file become names of one file (`-d`). */
  readonly keepLinks: boolean;
  /** A file that is there and may not be written to is removed and made anew (`-f`). */
  readonly force: boolean;
  /** Only where nothing is there, or something older (`-u`). */
  readonly update: boolean;
  readonly preserve: Preserved;
  /** What is made in place of a copy. */
  readonly makes: 'link' | 'symlink' | undefined;
  /** The name that what is there gets, if any, before its own is taken. */
  readonly backup: Backup | undefined;
  readonly noClobber: boolean;
  readonly verbose: boolean;
  readonly removeDestination: boolean;
}

export interface Preserved {
  /** Permissions; `'never'`: not even those that a new file gets from its original. */
  readonly mode: boolean | 'never';
  readonly times: boolean;
}

type CopyContext = Context<'read' | 'list' | 'write' | 'remove'>;

/** Something still to be done: to copy, or to finish a directory whose contents are copied. */
type Task =
  | {
      readonly kind: 'copy';
      readonly from: string;
      readonly to: string;
      readonly top: boolean;
      /** Devices and inodes of the directories it is in, where links are followed. */
      readonly above: ReadonlySet<string>;
    }
  | { readonly kind: 'finish'; readonly stat: FileStat; readonly to: string; readonly mode: number };

const NONE: ReadonlySet<string> = new Set();
/** Why a file cannot be written to that can be made anew; what the policy refuses stays refused. */
const ANEW: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'ETXTBSY']);
const BUFFER = 128 * 1024;

export class Copier {
  status = 0;
  /** The run's removals are spent: nothing more is to be tried. */
  exhausted = false;
  private readonly context: CopyContext;
  private readonly options: CopyOptions;
  /** Names made by this command: two sources must not become one. */
  private readonly made = new Set<string>();
  /** The first copy of a file that has several names. */
  private readonly copies = new Map<string, string>();
  private tasks: Task[] = [];
  /** What a line of `-v` ends with. */
  private note = '';

  constructor(context: CopyContext, options: CopyOptions) {
    this.context = context;
    this.options = options;
  }

  /** Copies one operand, with what is below it. */
  copy(from: string, to: string): Awaitable<unknown> {
    this.tasks = [{ kind: 'copy', from, to, top: true, above: NONE }];
    return repeat<true>(() => {
      const task = this.tasks.pop();
      if (task === undefined || this.exhausted) return true;
      return andThen(this.context.tick(), () => andThen(this.run(task), () => undefined));
    });
  }

  private run(task: Task): Awaitable<unknown> {
    if (task.kind === 'finish') return this.finishDirectory(task);
    const { from, to, top } = task;
    const { follow } = this.options;
    let stat: FileStat;
    try {
      const follows = follow === 'all' || (top && follow === 'operands');
      stat = follows ? this.context.fs.stat(from) : this.context.fs.lstat(from);
    } catch (error) {
      return this.fail(`cannot stat ${gnuQuote(from)}`, error);
    }
    if (stat.kind === 'directory' && !this.options.recursive) {
      return this.refuse(`-r not specified; omitting directory ${gnuQuote(from)}`);
    }
    let there: FileStat | undefined;
    try {
      there = this.context.fs.lstat(to);
    } catch (error) {
      // `file/`; where there is nothing, making it will say what else is wrong.
      if (isFsError(error) && error.code === 'ENOTDIR') return this.fail(`cannot stat ${gnuQuote(to)}`, error);
      if (!isFsError(error)) throw error;
    }
    if (there !== undefined) {
      const answer = this.meet(from, stat, to, there);
      if (answer !== 'go on') return undefined;
    }
    if (stat.kind === 'directory') return this.copyDirectory(task, stat, there);
    this.note = '';
    const backup =
      there === undefined || this.options.backup === undefined
        ? undefined
        : backupName(this.context.fs, to, this.options.backup);
    if (backup !== undefined) this.note = ` (backup: ${gnuQuote(backup)})`;
    if (this.options.makes === 'symlink' && !from.startsWith('/') && !this.isHere(to)) {
      return andThen(this.say(from, to), () =>
        this.refuse(`${gnuQuoteIfNeeded(to)}: can make relative symbolic links only in current directory`),
      );
    }
    if (backup === undefined) return this.copyNonDirectory(task, stat, there);
    if (isSameEntry(this.context.fs, from, backup)) {
      return this.refuse(`backing up ${gnuQuote(to)} might destroy source;  ${gnuQuote(from)} not copied`);
    }
    const moved = rescue(
      () => andThen(this.context.fs.rename(to, backup), () => true),
      (error) => {
        this.fail(`cannot backup ${gnuQuote(to)}`, error);
        return false;
      },
    );
    return andThen(moved, (done) => (done ? this.copyNonDirectory(task, stat, undefined) : undefined));
  }

  private copyNonDirectory(
    { from, to }: Extract<Task, { kind: 'copy' }>,
    stat: FileStat,
    there: FileStat | undefined,
  ): Awaitable<unknown> {
    this.made.add(to);
    if (this.options.makes !== undefined) return this.makeLink(from, to, there, this.options.makes);
    const earlier = this.earlierCopy(stat, to);
    if (earlier !== undefined) return this.linkCopy(earlier, from, to, there);
    if (stat.kind === 'symlink') return this.copyLink(from, stat, to, there);
    if (stat.kind !== 'file' && this.options.recursive) {
      return this.refuse(`cannot create special file ${gnuQuote(to)}: Operation not supported`);
    }
    return this.copyFile(from, stat, to, there);
  }

  /** The name is taken: whether it may be. */
  private meet(from: string, stat: FileStat, to: string, there: FileStat): 'go on' | 'stop' {
    const { fs } = this.context;
    let target = there;
    try {
      // What a regular file is copied to is what the link leads to.
      if (stat.kind === 'file' && !this.options.removeDestination) target = fs.stat(to);
    } catch (error) {
      if (!isFsError(error) || error.code !== 'ENOENT') {
        this.fail(`cannot stat ${gnuQuote(to)}`, error);
        return 'stop';
      }
    }
    const source = this.options.removeDestination ? fs.lstat(from) : stat;
    const [a, b] = [gnuQuote(from), gnuQuote(to)];
    const same = stat.kind !== 'directory' && target.dev === source.dev && target.ino === source.ino;
    if (same && !this.mayBeSame(from, to, there)) {
      if (this.options.makes !== 'link') this.refuse(`${a} and ${b} are the same file`);
    } else if (this.options.update && stat.kind !== 'directory' && target.mtimeNs >= stat.mtimeNs) {
      return 'stop';
    } else if (stat.kind === 'directory') {
      if (there.kind === 'directory') return 'go on';
      this.refuse(`cannot overwrite non-directory ${b} with directory ${a}`);
    } else if (this.options.noClobber) return 'stop';
    else if (there.kind === 'directory') this.refuse(`cannot overwrite directory ${b} with non-directory`);
    else if (this.made.has(to)) this.refuse(`will not overwrite just-created ${b} with ${a}`);
    else return 'go on';
    return 'stop';
  }

  /** Two names of one file: whether one may take the place of the other. */
  private mayBeSame(from: string, to: string, there: FileStat): boolean {
    const { fs } = this.context;
    const { backup, makes } = this.options;
    const source = fs.lstat(from);
    const sameName = source.dev === there.dev && source.ino === there.ino;
    if (backup !== undefined) {
      // A link that is followed would be left with nothing to lead to.
      if (sameName) return !isSameEntry(fs, from, to);
      return this.options.follow === 'none' || source.kind !== 'symlink' || there.kind === 'symlink';
    }
    return makes !== undefined && there.kind === 'symlink' && !sameName;
  }

  /** Whether it is a name in the current directory. */
  private isHere(path: string): boolean {
    const directory = directoryName(path);
    if (directory === '.') return true;
    const [here, there] = [this.context.fs.tryStat('.'), this.context.fs.tryStat(directory)];
    return here !== undefined && here.dev === there?.dev && here.ino === there.ino;
  }

  private makeLink(
    from: string,
    to: string,
    there: FileStat | undefined,
    kind: 'link' | 'symlink',
  ): Awaitable<unknown> {
    const { fs } = this.context;
    const { force, removeDestination } = this.options;
    const attempt = (act: () => void): boolean => {
      try {
        act();
        return true;
      } catch (error) {
        const what = kind === 'symlink' ? 'symbolic' : 'hard';
        this.fail(`cannot create ${what} link ${gnuQuote(to)} to ${gnuQuote(from)}`, error);
        return false;
      }
    };
    const target = (): string => (this.options.follow === 'none' ? from : fs.realpath(from));
    const replaces = there !== undefined && (force || removeDestination);
    if (replaces && kind === 'link' && !attempt(() => fs.checkLink(target()))) return undefined;
    return andThen(replaces ? this.removeOld(to) : true, (free) => {
      if (!free) return undefined;
      return andThen(this.say(from, to), () => {
        attempt(() => (kind === 'symlink' ? fs.symlink(from, to) : fs.link(target(), to)));
        return undefined;
      });
    });
  }

  private refuse(message: string): undefined {
    this.context.complain(message);
    this.status = 1;
  }

  private fail(what: string, error: unknown): undefined {
    this.status = this.context.failed(what, error);
    if (isFsError(error) && error.code === 'BUDGET') this.exhausted = true;
  }

  private say(from: string, to: string): Awaitable<unknown> {
    return this.options.verbose
      ? this.context.out.write(`${gnuQuote(from)} -> ${gnuQuote(to)}${this.note}\n`)
      : undefined;
  }

  /** False where it could not be taken away. */
  private removeOld(to: string): Awaitable<boolean> {
    const removed = rescue(
      () => andThen(this.context.fs.remove(to, true), () => true),
      (error) => {
        this.fail(`cannot remove ${gnuQuote(to)}`, error);
        return false;
      },
    );
    if (!this.options.verbose) return removed;
    return andThen(removed, (done) => done && andThen(this.context.out.write(`removed ${gnuQuote(to)}\n`), () => true));
  }

  private copyLink(from: string, stat: FileStat, to: string, there: FileStat | undefined): Awaitable<unknown> {
    const { fs } = this.context;
    return andThen(there === undefined ? true : this.removeOld(to), (free) => {
      if (!free) return undefined;
      try {
        fs.symlink(fs.readlink(from), to);
      } catch (error) {
        return this.fail(`cannot create symbolic link ${gnuQuote(to)}`, error);
      }
      return andThen(this.say(from, to), () => {
        if (!this.options.preserve.times) return undefined;
        try {
          fs.utimes(to, stat, true);
        } catch (error) {
          this.fail(`preserving times for ${gnuQuote(to)}`, error);
        }
        return undefined;
      });
    });
  }

  /** Where another name of the same file was copied to; the first is remembered. */
  private earlierCopy(stat: FileStat, to: string): string | undefined {
    if (!this.options.keepLinks || stat.nlink < 2) return undefined;
    const key = `${stat.dev}:${stat.ino}`;
    const earlier = this.copies.get(key);
    if (earlier === undefined) this.copies.set(key, to);
    return earlier;
  }

  private linkCopy(earlier: string, from: string, to: string, there: FileStat | undefined): Awaitable<unknown> {
    return andThen(there === undefined ? true : this.removeOld(to), (free) => {
      if (!free) return undefined;
      try {
        this.context.fs.link(earlier, to);
      } catch (error) {
        return this.fail(`cannot create hard link ${gnuQuote(to)} to ${gnuQuote(earlier)}`, error);
      }
      return this.say(from, to);
    });
  }

  private copyFile(from: string, stat: FileStat, to: string, there: FileStat | undefined): Awaitable<unknown> {
    const { fs } = this.context;
    if (there?.kind === 'symlink' && !this.options.removeDestination && fs.tryStat(to) === undefined) {
      return this.refuse(`not writing through dangling symlink ${gnuQuote(to)}`);
    }
    let source: OpenFile;
    try {
      source = fs.open(from);
    } catch (error) {
      return this.fail(`cannot open ${gnuQuote(from)} for reading`, error);
    }
    return lastly(
      () => {
        const replaces = there !== undefined && this.options.removeDestination;
        return andThen(replaces ? this.removeOld(to) : true, (free) => {
          if (!free) return undefined;
          return andThen(this.say(from, to), () => this.copyBytes(source, stat, to, there !== undefined && !replaces));
        });
      },
      () => source.close(),
    );
  }

  private copyBytes(source: OpenFile, stat: FileStat, to: string, exists: boolean): Awaitable<unknown> {
    const { fs } = this.context;
    let target: OpenFile;
    try {
      target = exists
        ? fs.openWrite(to, { create: false, truncate: true })
        : fs.openWrite(to, {
            exclusive: true,
            mode: this.options.preserve.mode === 'never' ? 0o666 : stat.mode & 0o777,
          });
    } catch (error) {
      if (exists && this.options.force && isFsError(error) && ANEW.has(error.code)) {
        return andThen(this.removeOld(to), (free) => (free ? this.copyBytes(source, stat, to, false) : undefined));
      }
      return this.fail(`cannot create regular file ${gnuQuote(to)}`, error);
    }
    const copied = lastly(
      () => this.pump(source, target, to),
      () => target.close(),
    );
    return andThen(copied, (whole) => (whole ? this.keepFacts(stat, to) : undefined));
  }

  private pump(source: OpenFile, target: OpenFile, to: string): Awaitable<boolean> {
    const buffer = new Uint8Array(BUFFER);
    return repeat<boolean>(() => {
      let bytes: number;
      try {
        bytes = source.read(buffer, null);
      } catch (error) {
        this.fail(`error reading ${gnuQuote(source.path)}`, error);
        return false;
      }
      if (bytes === 0) return true;
      try {
        target.write(buffer.subarray(0, bytes), null);
      } catch (error) {
        this.fail(`error writing ${gnuQuote(to)}`, error);
        return false;
      }
      return andThen(this.context.tick(), () => undefined);
    });
  }

  private keepFacts(stat: FileStat, to: string): undefined {
    const { fs } = this.context;
    const { mode, times } = this.options.preserve;
    try {
      if (mode === true) fs.chmod(to, stat.mode & 0o7777);
    } catch (error) {
      return this.fail(`preserving permissions for ${gnuQuote(to)}`, error);
    }
    try {
      if (times) fs.utimes(to, stat);
    } catch (error) {
      return this.fail(`preserving times for ${gnuQuote(to)}`, error);
    }
  }

  private copyDirectory(
    { from, to, top, above }: Extract<Task, { kind: 'copy' }>,
    stat: FileStat,
    there: FileStat | undefined,
  ): Awaitable<unknown> {
    const { fs } = this.context;
    const followsAll = this.options.follow === 'all';
    const key = `${stat.dev}:${stat.ino}`;
    if (above.has(key)) return this.refuse(`cannot copy cyclic symbolic link ${gnuQuote(from)}`);
    if ((top || followsAll) && isBelow(fs.realpath(from), canonicalPath(fs, to, 'nothing'))) {
      return this.refuse(
        `cannot copy a directory, ${gnuQuote(from)}, into itself, ${gnuQuote(withoutTrailingSlashes(to))}`,
      );
    }
    // One that cannot be read is made all the same, with its permissions.
    let names: readonly string[] = [];
    try {
      const directory = fs.openDirectory(from);
      try {
        names = directory.entries().map(({ name }) => name);
      } finally {
        directory.close();
      }
    } catch (error) {
      this.fail(`cannot access ${gnuQuote(from)}`, error);
    }
    if (there === undefined) {
      try {
        fs.mkdir(to, this.options.preserve.mode === 'never' ? 0o777 : stat.mode & 0o777);
        const { mode } = fs.lstat(to);
        // What is to be put into it needs to get in.
        if ((mode & 0o700) !== 0o700) fs.chmod(to, (mode & 0o7777) | 0o700);
        this.tasks.push({ kind: 'finish', stat, to, mode: mode & 0o7777 });
      } catch (error) {
        return this.fail(`cannot create directory ${gnuQuote(to)}`, error);
      }
    } else if (this.options.preserve.mode === true || this.options.preserve.times) {
      this.tasks.push({ kind: 'finish', stat, to, mode: there.mode & 0o7777 });
    }
    const within = followsAll ? new Set([...above, key]) : NONE;
    for (let i = names.length - 1; i >= 0; i--) {
      const name = names[i] as string;
      this.tasks.push({ kind: 'copy', from: joinPath(from, name), to: joinPath(to, name), top: false, above: within });
    }
    return there === undefined ? this.say(from, to) : undefined;
  }

  private finishDirectory({ stat, to, mode }: Extract<Task, { kind: 'finish' }>): undefined {
    if (this.options.preserve.times || this.options.preserve.mode === true) this.keepFacts(stat, to);
    if (this.options.preserve.mode === true || (mode & 0o700) === 0o700) return;
    try {
      this.context.fs.chmod(to, mode);
    } catch (error) {
      this.fail(`setting permissions for ${gnuQuote(to)}`, error);
    }
  }
}

function isBelow(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`);
}

/** Whether both are the same name in the same directory. */
function isSameEntry(fs: CopyContext['fs'], a: string, b: string): boolean {
  if (baseName(a) !== baseName(b)) return false;
  const [x, y] = [fs.tryStat(directoryName(a)), fs.tryStat(directoryName(b))];
  return x !== undefined && x.dev === y?.dev && x.ino === y.ino;
}
