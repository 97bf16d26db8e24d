/** Sums of what a walk meets, directory by directory, and the lines that tell them. */
import type { FileStat } from '../../src/files/files.js';
import { blocksOf, humanSize } from '../kit/human.js';
import { strftime } from '../kit/strftime.js';
import { timeZone, type Zone } from '../kit/time-zone.js';
import type { Entry } from '../kit/walk/entry.js';

export interface UsageOptions {
  readonly counts: 'blocks' | 'bytes' | 'inodes';
  /** Base of sizes for people. */
  readonly scale: 1024 | 1000 | undefined;
  readonly block: bigint;
  /** Lines for files too. */
  readonly all: boolean;
  readonly depth: number;
  /** Directories without those in them. */
  readonly separate: boolean;
  readonly threshold: bigint | undefined;
  readonly time: 'mtimeNs' | 'atimeNs' | 'ctimeNs' | undefined;
  readonly end: string;
  readonly timeZone: string;
  /** Every file is counted once, not only those with several names. */
  readonly countsOnce: boolean;
}

/** Of what is in one directory. */
interface Level {
  files: bigint;
  directories: bigint;
  newest: bigint | undefined;
}

export class Usage {
  private readonly options: UsageOptions;
  private readonly zone: Zone;
  /** By depth; what is in a directory comes before it. */
  private readonly levels: Level[] = [];
  private readonly seen = new Set<string>();
  private sum = 0n;
  private newest: bigint | undefined;

  constructor(options: UsageOptions) {
    this.options = options;
    this.zone = timeZone(options.timeZone);
  }

  /** Counts a file and answers the line for it, or nothing. */
  add(entry: Entry): string {
    const stat = entry.stat();
    const isDirectory = stat.kind === 'directory';
    const below = isDirectory ? this.take(entry.depth + 1) : undefined;
    if (this.options.countsOnce || (!isDirectory && stat.nlink > 1)) {
      const key = `${stat.dev}:${stat.ino}`;
      if (this.seen.has(key)) return '';
      this.seen.add(key);
    }
    const own = this.sizeOf(stat);
    this.sum += own;
    let newest = this.options.time === undefined ? undefined : stat[this.options.time];
    newest = latest(newest, below?.newest);
    this.newest = latest(this.newest, newest);
    const level = this.level(entry.depth);
    level.newest = latest(level.newest, newest);
    let shown = own;
    if (below === undefined) level.files += own;
    else {
      level.directories += own + below.files + below.directories;
      shown += below.files + (this.options.separate ? 0n : below.directories);
    }
    const wanted = entry.depth <= this.options.depth && (isDirectory || this.options.all || entry.depth === 0);
    return wanted && this.isLarge(shown) ? this.line(shown, newest, entry.path) : '';
  }

  total(): string {
    return this.line(this.sum, this.newest, 'total');
  }

  private level(depth: number): Level {
    let level = this.levels[depth];
    if (level === undefined) {
      level = { files: 0n, directories: 0n, newest: undefined };
      this.levels[depth] = level;
    }
    return level;
  }

  private take(depth: number): Level {
    const level = this.level(depth);
    this.levels[depth] = { files: 0n, directories: 0n, newest: undefined };
    return level;
  }

  private sizeOf(stat: FileStat): bigint {
    if (this.options.counts === 'inodes') return 1n;
    if (this.options.counts === 'blocks') return BigInt(stat.blocks) * 512n;
    const sized = stat.kind === 'file' || stat.kind === 'directory' || stat.kind === 'symlink';
    return sized ? BigInt(stat.size) : 0n;
  }

  private isLarge(size: bigint): boolean {
    const { threshold } = this.options;
    if (threshold === undefined) return true;
    return threshold < 0n ? size <= -threshold : size >= threshold;
  }

  private line(size: bigint, newest: bigint | undefined, name: string): string {
    const { scale, block, counts, end } = this.options;
    const number =
      scale !== undefined
        ? humanSize(size, 1n, { base: scale })
        : String(counts === 'inodes' ? size : blocksOf(size, block));
    const time = newest === undefined ? '' : `${this.date(newest)}\t`;
    return `${number}\t${time}${name}${end}`;
  }

  private date(nanoseconds: bigint): string {
    const seconds = nanoseconds / 1_000_000_000n;
    return strftime('%Y-%m-%d %H:%M', { seconds, nanoseconds: undefined }, this.zone) ?? String(seconds);
  }
}

function latest(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a > b ? a : b;
}
