/** Files become members of a new archive, one after the other. */
import { isFsError } from '../../src/errors.js';
import type { FileStat, OpenFile } from '../../src/files/files.js';
import { fromByteString, toByteString } from '../../src/text/bytes.js';
import type { Context } from '../kit/context.js';
import { majorOf, minorOf } from '../kit/device.js';
import { joinPath } from '../kit/paths.js';
import { BLOCK, type Header, padding, type Type, writeHeader } from './header.js';
import { safeName, shown } from './names.js';
import type { Report } from './report.js';

export type CreateContext = Context<'read' | 'list' | 'host'>;

/** Bytes of the archive; they stay as they are until the promise settles. */
export type Write = (bytes: Uint8Array) => Promise<void>;

const RECORD = 20 * BLOCK;
const LONGEST_FIELD = 100;

interface Options {
  readonly report: Report;
  readonly write: Write;
  /** Device and inode of the archive. */
  readonly archive: string | undefined;
  /** Symbolic links are taken for what they point to. */
  readonly follow: boolean;
  /** Told of each member. */
  readonly tell: (header: Header) => Promise<void>;
}

/** The directories that a file was found in, the next first, by device and inode. */
type Above = { readonly id: string; readonly above: Above } | undefined;

interface Entry {
  readonly name: string;
  readonly above: Above;
}

function isAbove(above: Above, id: string): boolean {
  for (let one = above; one !== undefined; one = one.above) if (one.id === id) return true;
  return false;
}

export class Creator {
  private readonly context: CreateContext;
  private readonly options: Options;
  private readonly buffer = Buffer.alloc(64 * 1024);
  private written = 0;
  /** Members whose files have other names. */
  private readonly linked = new Map<string, string>();

  constructor(context: CreateContext, options: Options) {
    this.context = context;
    this.options = options;
  }

  /** Adds an operand with all below it: paths are looked up from `base`. Names are byte strings. */
  async add(operand: string, base: string): Promise<void> {
    const left: Entry[] = [{ name: operand, above: undefined }];
    for (let entry = left.pop(); entry !== undefined; entry = left.pop()) {
      await this.context.tick();
      const { below, directory } = await this.one(entry, base);
      for (let i = below.length - 1; i >= 0; i--) left.push({ name: below[i] as string, above: directory });
    }
  }

  async end(): Promise<void> {
    const size = this.written + 2 * BLOCK;
    await this.write(Buffer.alloc(2 * BLOCK + ((RECORD - (size % RECORD)) % RECORD)));
  }

  /** Answers the names in a directory, and that directory. */
  private async one(entry: Entry, base: string): Promise<{ below: readonly string[]; directory: Above }> {
    const { name, above } = entry;
    const nothing = { below: [], directory: undefined };
    const { fs } = this.context;
    const { report } = this.options;
    const path = joinPath(base, fromByteString(name));
    const at = base === '.' ? fromByteString(name) : path;
    let stat: FileStat;
    try {
      stat = this.options.follow ? fs.stat(at) : fs.lstat(at);
    } catch (error) {
      report.failed(`${shown(name)}: Cannot stat`, error);
      return nothing;
    }
    if (stat.kind === 'file' && `${stat.dev}:${stat.ino}` === this.options.archive) {
      this.context.complain(`${shown(name)}: file is the archive; not dumped`);
      return nothing;
    }
    if (stat.kind === 'socket') {
      this.context.complain(`${shown(name)}: socket ignored`);
      return nothing;
    }
    if (stat.kind === 'directory') {
      const id = `${stat.dev}:${stat.ino}`;
      if (this.options.follow && isAbove(above, id)) {
        report.error(`${shown(name)}: a link leads back to a directory above, and is not followed`);
        return nothing;
      }
      return { below: await this.directory(name, at, stat), directory: { id, above } };
    }
    const first = stat.nlink > 1 ? this.linked.get(`${stat.dev}:${stat.ino}`) : undefined;
    if (first !== undefined) await this.header(name, 'hard link', stat, safeName(first, report, 'hard link targets'));
    else if (stat.kind === 'symlink') await this.symlink(name, at, stat);
    else if (stat.kind === 'file') await this.file(name, at);
    else await this.header(name, stat.kind, stat);
    return nothing;
  }

  private async directory(name: string, at: string, stat: FileStat): Promise<readonly string[]> {
    const slashed = name.endsWith('/') ? name : `${name}/`;
    let below: readonly string[];
    try {
      const directory = this.context.fs.openDirectory(at);
      try {
        below = directory.entries().map((entry) => slashed + toByteString(entry.name));
      } finally {
        directory.close();
      }
    } catch (error) {
      this.options.report.failed(`${shown(name)}: Cannot open`, error);
      return [];
    }
    await this.header(slashed, 'directory', stat);
    return below;
  }

  private async symlink(name: string, at: string, stat: FileStat): Promise<void> {
    let target: string;
    try {
      target = toByteString(this.context.fs.readlink(at));
    } catch (error) {
      return this.options.report.failed(`${shown(name)}: Cannot readlink`, error);
    }
    await this.header(name, 'symlink', stat, target);
  }

  private async file(name: string, at: string): Promise<void> {
    const { report } = this.options;
    let file: OpenFile;
    try {
      file = this.context.fs.open(at);
    } catch (error) {
      return report.failed(`${shown(name)}: Cannot open`, error);
    }
    try {
      const stat = file.stat();
      await this.header(name, 'file', stat);
      await this.content(name, file, stat.size);
    } finally {
      file.close();
    }
  }

  /** Exactly `size` bytes, whatever becomes of the file meanwhile. */
  private async content(name: string, file: OpenFile, size: number): Promise<void> {
    const { report } = this.options;
    let left = size;
    while (left > 0) {
      let count = 0;
      try {
        count = file.read(this.buffer.subarray(0, Math.min(left, this.buffer.length)), null);
        if (count === 0) report.warn(`${shown(name)}: File shrank by ${left} bytes; padding with zeros`);
      } catch (error) {
        if (!isFsError(error)) throw error;
        report.error(`${shown(name)}: Read error at byte ${size - left}: ${error.message}; padding with zeros`);
      }
      if (count === 0) break;
      await this.write(this.buffer.subarray(0, count));
      left -= count;
      await this.context.tick();
    }
    this.buffer.fill(0);
    for (let zeros = left + padding(size); zeros > 0; ) {
      const count = Math.min(zeros, this.buffer.length);
      await this.write(this.buffer.subarray(0, count));
      zeros -= count;
      await this.context.tick();
    }
  }

  private async header(name: string, type: Type, stat: FileStat, link = ''): Promise<void> {
    const { host } = this.context;
    const header: Header & { readonly type: Type } = {
      flag: '',
      type,
      name: safeName(name, this.options.report, 'member names'),
      link,
      user: toByteString(host.userName(stat.uid) ?? ''),
      group: toByteString(host.groupName(stat.gid) ?? ''),
      mode: stat.mode & 0o7777,
      uid: stat.uid,
      gid: stat.gid,
      size: type === 'file' ? stat.size : 0,
      mtimeNs: stat.mtimeNs,
      major: Number(majorOf(stat.rdev)),
      minor: Number(minorOf(stat.rdev)),
    };
    await this.options.tell({ ...header, name });
    if (type !== 'directory' && type !== 'hard link' && stat.nlink > 1)
      this.linked.set(`${stat.dev}:${stat.ino}`, name);
    if (link.length > LONGEST_FIELD) await this.note('K', link);
    if (header.name.length > LONGEST_FIELD) await this.note('L', header.name);
    await this.write(writeHeader(header));
  }

  /** GNU's way to say what does not fit into a header: a member of its own before. */
  private async note(type: 'K' | 'L', text: string): Promise<void> {
    const { host } = this.context;
    const bytes = Buffer.from(`${text}\0`, 'latin1');
    const facts = { mode: 0o644, uid: 0, gid: 0, mtimeNs: 0n, major: 0, minor: 0, link: '' };
    const [user, group] = [host.userName(0) ?? '', host.groupName(0) ?? ''];
    await this.write(writeHeader({ ...facts, type, name: '././@LongLink', size: bytes.length, user, group }));
    await this.write(Buffer.concat([bytes, Buffer.alloc(padding(bytes.length))]));
  }

  private async write(bytes: Uint8Array): Promise<void> {
    await this.options.write(bytes);
    this.written += bytes.length;
  }
}
