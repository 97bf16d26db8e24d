/**
 * The file that an audit trail is kept in, opened with the caller's authority. It only grows. It is a regular file with one name and
 * no symbolic link, outside of whatever a script may change: else a script could edit the record of what it did.
 *
 * `/dev/fd/N` is a descriptor that the caller has opened: a pipe to a collector, say.
 */
import * as fs from 'node:fs';
import { FsError } from '../errors.js';
import { failure } from '../files/errno.js';
import { basename, dirname, isWithin, join } from '../files/paths.js';
import { decode, encode } from '../text/bytes.js';

export interface AuditFile {
  /** The last line, without its end; undefined when there is none. */
  readonly lastLine: Uint8Array | undefined;
  /** Whether the last line has its end: a write that was cut short leaves it without. */
  readonly whole: boolean;
  /** Puts bytes at the end. Throws FsError, also where somebody else has changed the file meanwhile. */
  append(data: Uint8Array): void;
  /** Returns when all of it is where it lasts. */
  sync(): void;
}

/** So much is read at a time from the end of a file, to find its last line. */
const CHUNK = 65_536;
/** How long a pipe whose reader does not read may hold up a run, and how often it is asked, in milliseconds. */
const PATIENCE = 10_000;
const PAUSE = 5;

/** `writable`: the roots that a script may change, as they are granted. Throws FsError. */
export function openAuditFile(path: string, writable: readonly string[]): AuditFile {
  try {
    const [, number] = /^\/dev\/fd\/(\d{1,5})$/.exec(path) ?? [];
    return number === undefined ? openNamed(path, writable) : openDescriptor(Number(number), path, writable);
  } catch (error) {
    throw failure(error, path);
  }
}

function openNamed(path: string, writable: readonly string[]): AuditFile {
  const absolute = join(physicalDirectory(path), basename(path));
  refuseWritable(absolute, path, writable);
  const there = fs.lstatSync(encode(absolute), { throwIfNoEntry: false });
  // A FIFO or a device must not even be opened.
  if (there?.isSymbolicLink() === true) throw new FsError('SYMLINK_WRITE', path);
  if (there?.isDirectory() === true) throw new FsError('EISDIR', path);
  if (there !== undefined && !there.isFile()) throw new FsError('SPECIAL_FILE', path);
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  const fd = fs.openSync(encode(absolute), O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) throw new FsError('SPECIAL_FILE', path);
    if (stat.nlink > 1) throw new FsError('HARD_LINK_WRITE', path);
    if (there === undefined) syncDirectory(dirname(absolute));
    return appender(fd, path, stat.size, lastLineOf(fd, stat.size));
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}

function openDescriptor(fd: number, path: string, writable: readonly string[]): AuditFile {
  if (!isCallers(fd)) throw new FsError('EBADF', path);
  const stat = fs.fstatSync(fd);
  if (!stat.isFile()) return appender(fd, path, undefined, { lastLine: undefined, whole: true });
  refuseWritable(decode(fs.readlinkSync(`/proc/self/fd/${fd}`, 'buffer')), path, writable);
  if (stat.size > 0) throw new FsError('EINVAL', path, 'a file that has records already is given by its name');
  return appender(fd, path, 0, { lastLine: undefined, whole: true });
}

/** Node has descriptors of its own, which look like the caller's: what only the process itself has both ends of. */
function isCallers(fd: number): boolean {
  const what = (one: number): string => fs.readlinkSync(`/proc/self/fd/${one}`);
  const accessOf = (one: number): number => {
    const [, flags = '0'] = /^flags:\s*(\d+)/m.exec(fs.readFileSync(`/proc/self/fdinfo/${one}`, 'latin1')) ?? [];
    return Number.parseInt(flags, 8) & 3;
  };
  const own = what(fd);
  if (own.startsWith('anon_inode:') || accessOf(fd) === fs.constants.O_RDONLY) return false;
  if (!own.startsWith('pipe:')) return true;
  return !fs.readdirSync('/proc/self/fd').some((name) => {
    try {
      return what(Number(name)) === own && accessOf(Number(name)) === fs.constants.O_RDONLY;
    } catch {
      // The descriptor that lists them is gone by now.
      return false;
    }
  });
}

function physicalDirectory(path: string): string {
  const slash = path.lastIndexOf('/');
  const directory = slash < 0 ? '.' : path.slice(0, slash + 1);
  if (path === '' || slash === path.length - 1) throw new FsError('EISDIR', path);
  return decode(fs.realpathSync.native(encode(directory), { encoding: 'buffer' }));
}

function refuseWritable(absolute: string, path: string, writable: readonly string[]): void {
  for (const root of writable) {
    let physical: string;
    try {
      physical = decode(fs.realpathSync.native(encode(root), { encoding: 'buffer' }));
    } catch {
      // A root that is not there is none.
      continue;
    }
    if (isWithin(absolute, physical)) throw new FsError('EACCES', path, `it lies in ${root}, which scripts may change`);
  }
}

function appender(
  fd: number,
  path: string,
  size: number | undefined,
  end: Pick<AuditFile, 'lastLine' | 'whole'>,
): AuditFile {
  const attempt = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      throw failure(error, path);
    }
  };
  let expected = size;
  return {
    ...end,
    append: (data) =>
      attempt(() => {
        // Two writers would break each other's chain; and a file that was cut is no record any more.
        if (expected !== undefined) {
          const { size: now, nlink } = fs.fstatSync(fd);
          if (now !== expected) throw new FsError('EBUSY', path, 'somebody else has changed it');
          // What is written there is seen by nobody, and gone with the run. With a second name somebody may have more than this one in mind.
          if (nlink !== 1)
            throw new FsError('EBUSY', path, nlink === 0 ? 'it was removed' : 'it was given another name');
        }
        writeAll(fd, data);
        if (expected !== undefined) expected += data.length;
      }),
    sync: () => {
      if (size !== undefined) attempt(() => fs.fdatasyncSync(fd));
    },
  };
}

function writeAll(fd: number, data: Uint8Array): void {
  const until = performance.now() + PATIENCE;
  let done = 0;
  while (done < data.length) {
    try {
      done += fs.writeSync(fd, data, done);
    } catch (error) {
      const full = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
      if (!full || performance.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
    }
  }
}

function lastLineOf(fd: number, size: number): Pick<AuditFile, 'lastLine' | 'whole'> {
  let from = size;
  let tail = Buffer.alloc(0);
  let start = -1;
  while (from > 0 && start < 0) {
    const length = Math.min(Math.max(CHUNK, tail.length), from);
    from -= length;
    const piece = Buffer.alloc(length + tail.length);
    fs.readSync(fd, piece, 0, length, from);
    tail.copy(piece, length);
    tail = piece;
    // The end of the last line is not the end of the one before.
    start = tail.lastIndexOf(10, tail.length - 2);
    if (tail.length === 1) start = -1;
  }
  if (tail.length === 0) return { lastLine: undefined, whole: true };
  const whole = tail[tail.length - 1] === 10;
  return { lastLine: tail.subarray(start + 1, whole ? -1 : undefined), whole };
}

/** A new file's name lasts once its directory does. */
function syncDirectory(directory: string): void {
  const fd = fs.openSync(encode(directory), fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** Hands a file over in pieces, each good until the next, for as long as `take` wants more. Throws FsError. */
export function readPieces(path: string, take: (piece: Uint8Array) => boolean): void {
  try {
    const fd = fs.openSync(Buffer.from(encode(path)), 'r');
    try {
      const buffer = Buffer.alloc(1 << 20);
      for (;;) {
        const length = fs.readSync(fd, buffer, 0, buffer.length, null);
        if (length === 0 || !take(buffer.subarray(0, length))) return;
      }
    } finally {
      fs.closeSync(fd);
    }
  } catch (error) {
    throw failure(error, path);
  }
}

/** When a process was started, in clock ticks since the host was (proc(5), stat); undefined when there is no such process. */
export function processStart(pid: number): string | undefined {
  let text: string;
  try {
    text = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The name in parentheses may hold anything; the 20th field after it is the time.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
}
