/** Members become files again: below one directory, and nowhere else. */
import type { Awaitable, Waiting } from '../../src/steps.js';
import { fromByteString, toByteString } from '../../src/text/bytes.js';
import { gnuQuoteValue } from '../../src/text/quote.js';
import type { Context, OutputFile } from '../kit/context.js';
import { directoryName, joinPath, normalizePath } from '../kit/paths.js';
import { strftime } from '../kit/strftime.js';
import type { Header } from './header.js';
import { permissions } from './listing.js';
import { hasDotDot, safeName, shown } from './names.js';
import type { Body } from './reader.js';
import type { Report } from './report.js';

type ExtractContext = Context<'read' | 'write' | 'remove' | 'clock'>;

const SECOND = 1_000_000_000n;

interface Delayed {
  readonly path: string;
  readonly mode: number;
  readonly mtimeNs: bigint;
}

export class Extractor {
  private readonly context: ExtractContext;
  private readonly report: Report;
  /** Directories get their modes and times when all is in them. */
  private readonly directories: Delayed[] = [];
  /** Directories that were seen to lie below their base. */
  private readonly inside = new Set<string>();
  private readonly now: bigint;
  private made: { readonly name: string; readonly mode: number }[] = [];

  constructor(context: ExtractContext, report: Report) {
    this.context = context;
    this.report = report;
    this.now = context.clock.now();
  }

  /** `base`: the directory to extract into, `.` or what `-C` says. Answers where the bytes go. */
  async member(header: Header, base: string): Promise<Body | undefined> {
    const name = safeName(header.name, this.report, 'member names');
    const path = joinPath(base, fromByteString(name)).replace(/(.)\/+$/s, '$1');
    const label = shown(name);
    if (hasDotDot(header.name)) {
      this.report.error(`${shown(header.name)}: Member name contains '..'`);
      return undefined;
    }
    try {
      this.makeParents(path, base);
      if (!this.isInside(directoryName(path), base)) {
        this.report.error(`${label}: Cannot open: a link leads out of ${base}`);
        return undefined;
      }
    } catch (error) {
      this.report.failed(`${label}: Cannot open`, error);
      return undefined;
    }
    return this.make(header, path, label, base);
  }

  /** Directories made on the way since this was last asked. */
  takeMade(): readonly { readonly name: string; readonly mode: number }[] {
    const { made } = this;
    this.made = [];
    return made;
  }

  /** Directories last made come first: setting a time must not change one that is set. */
  finish(): void {
    for (const { path, mode, mtimeNs } of this.directories.reverse()) {
      try {
        this.context.fs.utimes(path, { atimeNs: this.now, mtimeNs });
        this.context.fs.chmod(path, mode);
      } catch (error) {
        this.report.failed(`${path}: Cannot change mode to ${permissions(mode)}`, error);
      }
    }
  }

  private make(header: Header, path: string, label: string, base: string): Awaitable<Body | undefined> {
    switch (header.type) {
      case 'directory':
        return this.directory(header, path, label);
      case 'symlink':
        return this.symlink(header, path, label, base);
      case 'hard link':
        return this.hardLink(header, path, label, base);
      case 'fifo':
        this.report.error(`${label}: Cannot mkfifo: Operation not permitted`);
        return undefined;
      case 'character':
      case 'block':
        this.report.error(`${label}: Cannot mknod: Operation not permitted`);
        return undefined;
      default:
        if (header.type === undefined) {
          this.context.complain(`${label}: Unknown file type '${header.flag}', extracted as normal file`);
        }
        return this.file(header, path, label);
    }
  }

  private async file(header: Header, path: string, label: string): Promise<Body | undefined> {
    let sink: OutputFile;
    try {
      await this.clear(path);
      sink = this.context.openSink(path, { exclusive: true, mode: header.mode & 0o777 });
    } catch (error) {
      this.report.failed(`${label}: Cannot open`, error);
      return undefined;
    }
    let failed = false;
    const attempt = async (step: () => unknown): Promise<void> => {
      if (failed) return;
      try {
        await step();
      } catch (error) {
        failed = true;
        this.report.failed(`${label}: Cannot write`, error);
      }
    };
    return {
      write: (bytes) => attempt(() => sink.write(bytes)),
      end: async () => {
        await attempt(() => sink.close());
        this.setTime(path, label, header.mtimeNs);
      },
      abandon: () => attempt(() => sink.close()),
    };
  }

  private setTime(path: string, label: string, mtimeNs: bigint, noFollow = false): void {
    try {
      this.context.fs.utimes(path, { atimeNs: this.now, mtimeNs }, noFollow);
    } catch (error) {
      this.report.failed(`${label}: Cannot utime`, error);
    }
    if (mtimeNs > this.now) this.warnOfFuture(label, mtimeNs);
  }

  private warnOfFuture(label: string, mtimeNs: bigint): void {
    const { clock } = this.context;
    const ahead = mtimeNs - clock.now();
    const time = strftime('%Y-%m-%d %H:%M:%S', { seconds: mtimeNs / SECOND, nanoseconds: undefined }, clock.timeZone);
    const seconds = `${ahead / SECOND}.${(ahead % SECOND).toString().padStart(9, '0')}`;
    this.context.complain(`${label}: time stamp ${time} is ${seconds} s in the future`);
  }

  private directory(header: Header, path: string, label: string): undefined {
    const { fs, umask } = this.context;
    const mode = header.mode & 0o777 & ~umask;
    try {
      if (fs.tryLstat(path)?.kind !== 'directory') {
        this.clear(path);
        fs.mkdir(path, mode | 0o700);
      }
    } catch (error) {
      this.report.failed(`${label}: Cannot mkdir`, error);
      return;
    }
    this.directories.push({ path, mode, mtimeNs: header.mtimeNs });
  }

  private async symlink(header: Header, path: string, label: string, base: string): Promise<undefined> {
    const target = fromByteString(header.link);
    try {
      if (!this.staysInside(target, path, base)) {
        this.report.error(`${label}: Cannot create symlink to ${gnuQuoteValue(target)}: it leads out of ${base}`);
        return;
      }
      await this.clear(path);
      this.context.fs.symlink(target, path);
      // What was seen to lie inside may be reached through this name.
      this.inside.clear();
    } catch (error) {
      this.report.failed(`${label}: Cannot create symlink to ${gnuQuoteValue(target)}`, error);
      return;
    }
    this.setTime(path, label, header.mtimeNs, true);
  }

  /** `..` only at its start, where what it means is known whatever is made later. */
  private staysInside(target: string, path: string, base: string): boolean {
    if (target.startsWith('/') || target === '' || hasDotDot(target.replace(/^(?:\.\.?(?:\/+|$))+/, ''))) return false;
    const { fs } = this.context;
    const from = fs.realpath(directoryName(path));
    return isBelow(normalizePath(target, from), fs.realpath(base));
  }

  private async hardLink(header: Header, path: string, label: string, base: string): Promise<undefined> {
    const name = fromByteString(safeName(header.link, this.report, 'hard link targets'));
    const target = joinPath(base, name);
    try {
      if (!this.isInside(directoryName(target), base)) {
        this.report.error(`${label}: Cannot hard link to ${gnuQuoteValue(name)}: it leads out of ${base}`);
        return;
      }
      const [a, b] = [this.context.fs.lstat(target), this.context.fs.tryLstat(path)];
      if (b !== undefined && a.dev === b.dev && a.ino === b.ino) return;
      if (b !== undefined) this.context.fs.checkLink(target);
      await this.clear(path);
      this.context.fs.link(target, path);
    } catch (error) {
      this.report.failed(`${label}: Cannot hard link to ${gnuQuoteValue(name)}`, error);
    }
  }

  /** Takes away what has the name, and is no directory; the run's budget is charged. */
  private clear(path: string): Waiting {
    const there = this.context.fs.tryLstat(path);
    return there === undefined || there.kind === 'directory' ? undefined : this.context.fs.remove(path, true);
  }

  private makeParents(path: string, base: string): void {
    const { fs } = this.context;
    const parent = directoryName(path);
    if (this.inside.has(parent) || parent === base || fs.tryStat(parent) !== undefined) return;
    this.makeParents(parent, base);
    if (!this.isInside(directoryName(parent), base)) return;
    fs.mkdir(parent, 0o777);
    this.made.push({ name: toByteString(parent.slice(base.length + 1)), mode: 0o777 & ~this.context.umask });
  }

  private isInside(directory: string, base: string): boolean {
    if (this.inside.has(directory)) return true;
    const { fs } = this.context;
    if (!isBelow(fs.realpath(directory), fs.realpath(base))) return false;
    this.inside.add(directory);
    return true;
  }
}

function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`);
}
