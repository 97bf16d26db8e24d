/** What ls does, directory by directory. */
import { isFsError } from '../../src/errors.js';
import type { Directory, FileKind, FileStat } from '../../src/files/files.js';
import { type Awaitable, andThen, type Waiting } from '../../src/steps.js';
import { gnuQuote } from '../../src/text/quote.js';
import type { Context } from '../kit/context.js';
import { blocksOf, humanSize } from '../kit/human.js';
import { repeat } from '../kit/repeat.js';
import { timeZone } from '../kit/time-zone.js';
import { inColumns, withCommas } from './columns.js';
import type { Item } from './item.js';
import { type LongContext, longLines } from './long.js';
import { Painter, showItem, shownName } from './names.js';
import { sorted } from './order.js';
import type { Settings } from './settings.js';

type LsContext = Context<'read' | 'list' | 'clock' | 'host' | 'environment'>;

/** Something that can be asked for what is at a name: a directory's handle, or the whole file system. */
interface Place {
  lstat(name: string): FileStat;
  follow(name: string): FileStat;
  readlink(name: string): string;
}

/** A directory that is still to be listed. */
interface Task {
  readonly path: string;
  readonly title: boolean;
  readonly operand: boolean;
  /** Devices and inodes of the directories it is in, where links are followed. */
  readonly above: ReadonlySet<string>;
}

export class Listing {
  private readonly context: LsContext;
  private readonly settings: Settings;
  private readonly long: LongContext;
  private status = 0;
  private printed = false;
  /** The next one last. */
  private tasks: Task[] = [];

  constructor(context: LsContext, settings: Settings) {
    this.context = context;
    this.settings = settings;
    const { clock, host } = context;
    this.long = {
      minutes: new Map(),
      settings,
      painter: new Painter(settings.color),
      zone: timeZone(clock.timeZone),
      now: clock.now(),
      userName: remember(host.userName),
      groupName: remember(host.groupName),
    };
  }

  run(operands: readonly string[]): Awaitable<number> {
    const { fs } = this.context;
    const place: Place = {
      lstat: (name) => fs.lstat(name),
      follow: (name) => fs.stat(name),
      readlink: (name) => fs.readlink(name),
    };
    const items = operands.map((name) => this.operand(name, place)).filter((item) => item !== undefined);
    const isFile = (item: Item) => this.settings.asFiles || item.kind !== 'directory';
    const files = sorted(items.filter(isFile), this.settings);
    const directories = items.filter((item) => !isFile(item));
    const title = operands.length > 1 || this.settings.recursive;
    this.tasks = sorted(directories, this.settings)
      .map(({ name }): Task => ({ path: name, title, operand: true, above: new Set() }))
      .reverse();
    // All operands, directories too, make the columns as wide as they are.
    return andThen(files.length === 0 ? undefined : this.print(files, false, items), () =>
      andThen(this.runTasks(), () => this.status),
    );
  }

  private runTasks(): Awaitable<true> {
    return repeat<true>(() => {
      const task = this.tasks.pop();
      if (task === undefined) return true;
      return andThen(this.context.tick(), () => andThen(this.list(task), () => undefined));
    });
  }

  /** A link that was named is followed to a directory, unless it is to be shown itself. */
  private operand(name: string, place: Place): Item | undefined {
    const { layout, indicator, asFiles, follow, followOperands } = this.settings;
    const followsToDirectory = !follow && layout !== 'long' && indicator !== 'classify' && !asFiles;
    const follows = follow || followOperands;
    try {
      const stat = follows ? place.follow(name) : place.lstat(name);
      if (stat.kind === 'symlink' && followsToDirectory) {
        const target = followed(name, place);
        if (target?.kind === 'directory')
          return { name, stat: target, kind: 'directory', target: undefined, targetStat: undefined };
      }
      return this.linked(name, stat, place);
    } catch (error) {
      this.failed(`cannot access ${gnuQuote(name)}`, error, 2);
      return undefined;
    }
  }

  private failed(what: string, error: unknown, status: number): void {
    this.context.failed(what, error);
    this.status = Math.max(this.status, status);
  }

  /** With what a link says and leads to, where that is shown. */
  private linked(name: string, stat: FileStat, place: Place): Item {
    const { layout, indicator, directoriesFirst } = this.settings;
    const isLink = stat.kind === 'symlink';
    const shows = isLink && layout === 'long';
    const asks = isLink && (directoriesFirst || (shows && (indicator === 'classify' || indicator === 'file-type')));
    return {
      name,
      stat,
      kind: stat.kind,
      target: shows ? attempt(() => place.readlink(name)) : undefined,
      targetStat: asks ? attempt(() => place.follow(name)) : undefined,
    };
  }

  private list(task: Task): Awaitable<unknown> {
    let directory: Directory;
    try {
      directory = this.context.fs.openDirectory(task.path);
    } catch (error) {
      this.failed(`cannot open directory ${gnuQuote(task.path)}`, error, task.operand ? 2 : 1);
      return undefined;
    }
    let items: readonly Item[];
    try {
      const key = `${directory.stat.dev}:${directory.stat.ino}`;
      if (task.above.has(key)) {
        this.context.complain(`${task.path}: not listing already-listed directory`);
        this.status = 2;
        return undefined;
      }
      items = sorted(this.itemsOf(directory, task.path), this.settings);
      if (this.settings.recursive) this.addTasks(items, task, key);
    } catch (error) {
      // It may be walked through without being read: the kernel asks for that right when it is read.
      const doing = isFsError(error) && error.code === 'EACCES' ? 'cannot open' : 'reading';
      this.failed(`${doing} directory ${gnuQuote(task.path)}`, error, task.operand ? 2 : 1);
      return undefined;
    } finally {
      directory.close();
    }
    let head = this.printed ? '\n' : '';
    if (task.title) head += `${shownName(task.path, this.settings.naming)}:\n`;
    this.printed = true;
    return andThen(head === '' ? undefined : this.context.out.write(head), () => this.print(items, true));
  }

  private addTasks(items: readonly Item[], task: Task, key: string): void {
    const above = this.settings.follow ? new Set([...task.above, key]) : task.above;
    const prefix = task.path.endsWith('/') ? task.path : `${task.path}/`;
    const below = items
      .filter((item) => item.kind === 'directory' && item.name !== '.' && item.name !== '..')
      .map((item): Task => ({ path: prefix + item.name, title: true, operand: false, above }));
    // What is below a directory comes before its neighbours.
    for (let i = below.length - 1; i >= 0; i--) this.tasks.push(below[i] as Task);
  }

  private itemsOf(directory: Directory, path: string): Item[] {
    const { hidden, follow, ignored } = this.settings;
    const entries = directory.entries();
    const place: Place = {
      lstat: (name) => directory.lstat(name),
      follow: (name) => directory.statFollow(name),
      readlink: (name) => directory.readlink(name),
    };
    const items: Item[] = [];
    const isIgnored = (name: string) => ignored.some((pattern) => pattern.matches(name));
    if (hidden === 'all') {
      items.push(plain('.', directory.stat, 'directory'));
      // The directory above may be outside every root: then it is only a name.
      items.push(
        plain(
          '..',
          attempt(() => this.context.fs.stat(`${path}/..`)),
          'directory',
        ),
      );
    }
    const shown = items.filter(({ name }) => !isIgnored(name));
    const asks = this.asksStat();
    for (const { name, kind } of entries) {
      if ((hidden === 'none' && name.startsWith('.')) || isIgnored(name)) continue;
      if (kind !== undefined && !asks(kind)) {
        shown.push(plain(name, undefined, kind));
        continue;
      }
      try {
        shown.push(this.linked(name, follow ? place.follow(name) : place.lstat(name), place));
      } catch (error) {
        const full = path === '.' ? name : `${path.endsWith('/') ? path : `${path}/`}${name}`;
        this.failed(`cannot access ${gnuQuote(full)}`, error, 1);
        shown.push(plain(name, undefined, kind));
      }
    }
    return shown;
  }

  /** Whether more than the name and kind of a file is wanted. */
  private asksStat(): (kind: FileKind) => boolean {
    const { layout, sortBy, inode, blocks, color, indicator, follow, recursive, directoriesFirst } = this.settings;
    if (layout === 'long' || sortBy === 'time' || sortBy === 'size' || inode || blocks || color) return () => true;
    return (kind) =>
      (kind === 'symlink' && (directoriesFirst || (follow && (recursive || indicator !== 'none')))) ||
      (kind === 'file' && indicator === 'classify');
  }

  private print(items: readonly Item[], total: boolean, all: readonly Item[] = items): Waiting {
    this.printed = true;
    const { settings, context } = this;
    const fronts = this.fronts(items, all);
    const pad = this.isAligned() && all.some((item) => shownName(item.name, settings.naming) !== item.name);
    let text = '';
    if (total && (settings.layout === 'long' || settings.blocks)) text += `total ${this.total(items)}\n`;
    if (settings.layout === 'long') text += longLines(items, all, fronts, this.long, pad);
    else {
      const cells = items.map((item, i) => {
        const name = showItem(item, settings, this.long.painter, pad);
        const front = fronts[i] as string;
        return { text: front + name.text, width: front.length + name.width };
      });
      const tab = settings.color || !Number.isFinite(settings.width) ? 0 : settings.tab;
      if (settings.layout === 'single') text += cells.map((cell) => `${cell.text}\n`).join('');
      else if (settings.layout === 'commas') text += withCommas(cells, settings.width);
      else text += inColumns(cells, settings.width, settings.layout === 'across', tab);
    }
    return text === '' ? undefined : context.out.write(text);
  }

  /** On a terminal names without quotes stand under the letters of those with them. */
  private isAligned(): boolean {
    const { naming, layout, width } = this.settings;
    const inLines = layout === 'long' || ((layout === 'down' || layout === 'across') && Number.isFinite(width));
    return naming === 'shell' && inLines;
  }

  private total(items: readonly Item[]): string {
    return this.blocks(items.reduce((sum, { stat }) => sum + (stat?.blocks ?? 0), 0));
  }

  private blocks(units: number): string {
    const bytes = BigInt(units) * 512n;
    return this.settings.human ? humanSize(bytes, 1n, { base: 1024 }) : String(blocksOf(bytes, 1024n));
  }

  /** Inode and blocks, where they are asked for, aligned. */
  private fronts(items: readonly Item[], all: readonly Item[]): readonly string[] {
    const { inode, blocks, layout } = this.settings;
    if (!inode && !blocks) return items.map(() => '');
    const inodeOf = ({ stat }: Item) => String(stat?.ino ?? '?');
    const blocksText = ({ stat }: Item) => (stat === undefined ? '?' : this.blocks(stat.blocks));
    const inodeWidth = longest(all, inodeOf);
    const blocksWidth = longest(all, blocksText);
    return items.map((item) => {
      if (layout === 'commas') return `${inode ? `${inodeOf(item)} ` : ''}${blocks ? `${blocksText(item)} ` : ''}`;
      const first = inode ? `${inodeOf(item).padStart(inodeWidth)} ` : '';
      return blocks ? `${first}${blocksText(item).padStart(blocksWidth)} ` : first;
    });
  }
}

function longest(items: readonly Item[], of: (item: Item) => string): number {
  return items.reduce((most, item) => Math.max(most, of(item).length), 0);
}

function plain(name: string, stat: FileStat | undefined, kind: FileKind | undefined): Item {
  return { name, stat, kind, target: undefined, targetStat: undefined };
}

/** Undefined where the file system says no. */
function attempt<T>(f: () => T): T | undefined {
  try {
    return f();
  } catch (error) {
    if (isFsError(error)) return undefined;
    throw error;
  }
}

function remember(look: (id: number) => string | undefined): (id: number) => string | undefined {
  const known = new Map<number, string | undefined>();
  return (id) => {
    if (!known.has(id)) known.set(id, look(id));
    return known.get(id);
  };
}

/** What a named link leads to. One that leads nowhere is shown itself; one that may not be followed is an error, as for stat(2). */
function followed(name: string, place: Place): FileStat | undefined {
  try {
    return place.follow(name);
  } catch (error) {
    if (isFsError(error) && (error.code === 'ENOENT' || error.code === 'ELOOP')) return undefined;
    throw error;
  }
}
