/**
 * The walk: physical, by handles of directories, without recursion. At most `MOST_HANDLES` are open; those of directories
 * further up are closed and found again by name, which must lead to the same device and inode.
 */
import { FsError } from '../../../src/errors.js';
import type { Directory, DirectoryEntry } from '../../../src/files/files.js';
import { type Awaitable, andThen, lastly, type Tick } from '../../../src/steps.js';
import { repeat } from '../repeat.js';
import { type Container, type Entry, type Follow, InnerEntry, StartEntry, type WalkFiles } from './entry.js';

/** Leaves room below 64 for those a test opens for a moment. */
const MOST_HANDLES = 60;
/** How many of the handles on the way are kept when one is found again. */
const KEPT_HANDLES = 30;

export interface WalkOptions {
  readonly follow: Follow;
  readonly minDepth: number;
  readonly maxDepth: number;
  /** What is in a directory comes before it. */
  readonly contentsFirst: boolean;
  /** Directories of other file systems are not entered. */
  readonly oneFileSystem: boolean;
}

export interface Visitor {
  /** Called for each file. */
  visit(entry: Entry): Awaitable<unknown>;
  /** Whether the directory just visited is not to be entered. */
  pruned(): boolean;
  /** Whether all is over. */
  stopped(): boolean;
  /** The walk has left the directory `path`. */
  leave(path: string): Awaitable<unknown>;
  /** Passed over, with all that is in it, before anything else is done with it. */
  skips?(entry: Entry): boolean;
  /** `phase`: it could not be looked at, or it could not be entered. */
  failed(path: string, error: unknown, phase: 'look' | 'enter'): void;
  loop(path: string, above: string): void;
}

class Frame implements Container {
  readonly entry: Entry;
  readonly parent: Frame | undefined;
  readonly key: string;
  readonly entries: readonly DirectoryEntry[];
  next = 0;
  directory: Directory | undefined;
  private readonly handles: Handles;

  constructor(entry: Entry, parent: Frame | undefined, directory: Directory, handles: Handles) {
    this.entry = entry;
    this.parent = parent;
    this.directory = directory;
    this.key = keyOf(directory);
    this.entries = directory.entries();
    this.handles = handles;
  }
  handle(): Directory {
    return this.directory ?? this.handles.reopen(this);
  }
}

function keyOf(directory: Directory): string {
  return `${directory.stat.dev}:${directory.stat.ino}`;
}

/** Which frames have an open handle. */
class Handles {
  private open: Frame[] = [];
  private readonly follow: boolean;

  constructor(follow: boolean) {
    this.follow = follow;
  }
  add(frame: Frame): void {
    this.open.push(frame);
    if (this.open.length > MOST_HANDLES) this.drop(this.open[0] as Frame);
  }
  drop(frame: Frame): void {
    if (frame.directory === undefined) return;
    frame.directory.close();
    frame.directory = undefined;
    this.open = this.open.filter((one) => one !== frame);
  }
  dropAll(): void {
    for (const frame of [...this.open]) this.drop(frame);
  }

  /** Walks down again from the nearest directory above that is open, else from the starting point. */
  reopen(frame: Frame): Directory {
    const way: Frame[] = [];
    let at: Frame | undefined = frame;
    for (; at !== undefined && at.directory === undefined; at = at.parent) way.push(at);
    let above = at?.directory;
    for (let i = way.length - 1; i >= 0; i--) {
      const one = way[i] as Frame;
      const { entry } = one;
      const directory: Directory = above === undefined ? entry.open() : above.open(entry.name, this.follow);
      if (i + 1 < way.length && i + 1 > KEPT_HANDLES) this.drop(way[i + 1] as Frame);
      one.directory = directory;
      this.add(one);
      above = directory;
      if (keyOf(directory) !== one.key) {
        this.drop(one);
        throw new FsError('ESTALE', entry.path);
      }
    }
    return above as Directory; // `way` begins with `frame`, which has a handle now
  }
}

export function walk(
  starts: readonly string[],
  fs: WalkFiles,
  tick: Tick,
  options: WalkOptions,
  visitor: Visitor,
): Awaitable<void> {
  const { follow, minDepth, maxDepth, contentsFirst, oneFileSystem } = options;
  const handles = new Handles(follow === 'always');
  /** Directories we are in, by device and inode: links may lead back into one. */
  const inside = new Map<string, Frame>();
  let top: Frame | undefined;
  let nextStart = 0;
  let startDevice = 0n;

  function step(): Awaitable<true | undefined> {
    if (visitor.stopped()) return true;
    if (top === undefined) {
      if (nextStart >= starts.length) return true;
      return andThen(tick(), () => meet(new StartEntry(starts[nextStart++] as string, fs, follow)));
    }
    const frame = top;
    if (frame.next >= frame.entries.length) return andThen(tick(), () => leave(frame));
    const { name, kind } = frame.entries[frame.next++] as DirectoryEntry;
    const waiting = tick();
    const entry = new InnerEntry(frame, frame.entry, name, kind, follow);
    return waiting === undefined ? meet(entry) : waiting.then(() => meet(entry));
  }

  function leave(frame: Frame): Awaitable<undefined> {
    top = frame.parent;
    handles.drop(frame);
    if (inside.get(frame.key) === frame) inside.delete(frame.key);
    const after = contentsFirst ? visit(frame.entry) : undefined;
    return andThen(after, () => andThen(visitor.leave(frame.entry.path), () => undefined));
  }

  function meet(entry: Entry): Awaitable<undefined> {
    let directory: boolean;
    try {
      if (visitor.skips?.(entry)) return undefined;
      directory = entry.kind() === 'directory';
      if (entry.depth === 0 && directory && oneFileSystem) startDevice = entry.stat().dev;
      if (directory && follow === 'always' && isLoop(entry)) return undefined;
    } catch (error) {
      visitor.failed(entry.path, error, 'look');
      return undefined;
    }
    if (!directory) return andThen(visit(entry), () => undefined);
    if (contentsFirst) return enter(entry) ? undefined : andThen(visit(entry), () => undefined);
    return andThen(visit(entry), () => {
      if (!visitor.pruned() && !visitor.stopped()) enter(entry);
      return undefined;
    });
  }

  function visit(entry: Entry): Awaitable<unknown> {
    return entry.depth < minDepth ? undefined : visitor.visit(entry);
  }

  /** False where it is not entered: too deep, another file system, or it could not be opened. */
  function enter(entry: Entry): boolean {
    if (entry.depth >= maxDepth) return false;
    try {
      if (oneFileSystem && entry.stat().dev !== startDevice) return false;
      const directory = entry.open();
      let frame: Frame;
      try {
        frame = new Frame(entry, top, directory, handles);
      } catch (error) {
        directory.close();
        throw error;
      }
      top = frame;
      handles.add(frame);
      if (follow === 'always') inside.set(frame.key, frame);
      return true;
    } catch (error) {
      visitor.failed(entry.path, error, 'enter');
      return false;
    }
  }

  function isLoop(entry: Entry): boolean {
    const { dev, ino } = entry.stat();
    const above = inside.get(`${dev}:${ino}`);
    if (above === undefined) return false;
    visitor.loop(entry.path, above.entry.path);
    return true;
  }

  return lastly(
    () => andThen(repeat(step), () => undefined),
    () => handles.dropAll(),
  );
}
