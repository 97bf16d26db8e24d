/**
 * The process's own descriptors (0, 1, 2 and what else it inherited), read and written without ever blocking the event loop
 * and without changing the flags of a description that the caller shares.
 *
 * A pipe, FIFO or terminal is opened anew through procfs with O_NONBLOCK. Reads and writes are then tried synchronously,
 * which is fastest, and a libuv stream on the same descriptor waits when there is nothing to do. Never `fs.read`: a pending
 * one occupies a thread of the pool and holds up the exit.
 */
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, writeSync } from 'node:fs';
import type { Socket, SocketConstructorOpts } from 'node:net';
import { BROKEN_PIPE, FsError, isFsErrorCode } from '../errors.js';
import type { HostDescriptor, HostKind, HostPort, HostReader, HostWriter } from '../io/host-port-types.js';
import { descriptorInfo } from './descriptor-info.js';

/** `proc` is where the descriptors of this process are; tests hand in one that does not exist. */
export function createHostPort(proc = '/proc/self'): HostPort {
  return {
    inspect: (fd) => inspect(proc, fd),
    readFile: readAt,
    offset: (fd) => fdinfo(proc, fd)?.position,
    openReader(fd, kind, buffer) {
      if (kind === 'file' || kind === 'device') return new DirectReader(fd, buffer);
      return new StreamReader(openChannel(proc, fd, kind, constants.O_RDONLY), kind, buffer);
    },
    openWriter(fd, kind) {
      if (kind === 'file' || kind === 'device') return new DirectWriter(fd);
      return new StreamWriter(openChannel(proc, fd, kind, constants.O_WRONLY), kind);
    },
  };
}

/** Before the end: Node puts the terminals it was started on back as they were, and aborts where one of them is gone. */
export function closeLostTerminals(): void {
  for (const fd of [0, 1, 2]) {
    try {
      if (/^\/dev\/pts\/\d+ \(deleted\)$/.test(readlinkSync(`/proc/self/fd/${fd}`))) closeSync(fd);
    } catch {
      // It is closed, or nobody tells what it is.
    }
  }
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** In the words of this project; a bug stays what it is. */
function translated(error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  if (code === 'EPIPE' || code === 'ECONNRESET' || code === 'ERR_STREAM_DESTROYED') return BROKEN_PIPE;
  return new FsError(isFsErrorCode(code) ? code : 'EIO', '');
}

function inspect(proc: string, fd: number): HostDescriptor | undefined {
  let stat: import('node:fs').BigIntStats;
  try {
    stat = fstatSync(fd, { bigint: true });
  } catch {
    return undefined;
  }
  const kind: HostKind = stat.isFile()
    ? 'file'
    : stat.isFIFO()
      ? 'stream'
      : stat.isSocket()
        ? 'socket'
        : stat.isCharacterDevice()
          ? characterKind(fd, stat.rdev)
          : 'device';
  const access = fdinfo(proc, fd)?.access ?? assumedAccess(fd, kind);
  return { kind, ...access, identity: `${stat.dev}:${stat.ino}` };
}

/** By device number where that is enough: asking `node:tty` costs the loading of half the network library. */
function characterKind(fd: number, rdev: bigint): HostKind {
  const major = Number(((rdev >> 8n) & 0xfffn) | ((rdev >> 32n) & ~0xfffn));
  if (major === 1) return 'device'; // null, zero, full, random
  if (major === 4 || major === 5 || (major >= 136 && major <= 143)) return 'terminal'; // consoles, /dev/tty, pseudo-terminals
  return tty().isatty(fd) ? 'terminal' : 'stream';
}

interface Access {
  readonly readable: boolean;
  readonly writable: boolean;
}

/** Without procfs nobody tells how a descriptor was opened. */
function assumedAccess(fd: number, kind: HostKind): Access {
  const both = kind === 'terminal' || kind === 'socket' || kind === 'device';
  return { readable: both || fd === 0, writable: both || fd !== 0 };
}

const O_PATH = 0o10000000;

function fdinfo(proc: string, fd: number): { readonly position: number; readonly access: Access } | undefined {
  const info = descriptorInfo(proc, fd);
  if (info === undefined) return undefined;
  const { flags, position } = info;
  const mode = flags & (constants.O_WRONLY | constants.O_RDWR);
  const usable = (flags & O_PATH) === 0;
  return {
    position,
    access: { readable: usable && mode !== constants.O_WRONLY, writable: usable && mode !== constants.O_RDONLY },
  };
}

function readAt(fd: number, buffer: Uint8Array, position: number | null): number {
  try {
    return readSync(fd, buffer, 0, buffer.length, position);
  } catch (error) {
    throw translated(error);
  }
}

/** Files and devices never make one wait. */
class DirectReader implements HostReader {
  readonly #fd: number;
  readonly #buffer: Uint8Array;

  constructor(fd: number, buffer: Uint8Array) {
    this.#fd = fd;
    this.#buffer = buffer;
  }

  read(): number {
    return readAt(this.#fd, this.#buffer, null);
  }

  async wait(): Promise<number> {
    return this.read();
  }

  close(): void {}
}

class DirectWriter implements HostWriter {
  readonly #fd: number;

  constructor(fd: number) {
    this.#fd = fd;
  }

  write(data: Uint8Array, at: number): number {
    try {
      return writeSync(this.#fd, data, at);
    } catch (error) {
      throw translated(error);
    }
  }

  async drain(data: Uint8Array): Promise<void> {
    for (let at = 0; at < data.length; ) at += this.write(data, at);
  }

  close(): void {}
}

/** A descriptor to work on. */
interface Channel {
  readonly fd: number;
  /** It is a description of our own, which we close. */
  readonly own: boolean;
}

/** Undefined: there is nobody at the other end. */
function openChannel(proc: string, fd: number, kind: HostKind, access: number): Channel | undefined {
  if (kind === 'socket') return { fd, own: false }; // a socket cannot be opened anew
  try {
    const own = openSync(`${proc}/fd/${fd}`, access | constants.O_NONBLOCK | constants.O_NOCTTY);
    return { fd: own, own: true };
  } catch (error) {
    if (codeOf(error) === 'ENXIO' && kind === 'stream' && access === constants.O_WRONLY) return undefined;
    return { fd, own: false };
  }
}

/** Loaded when somebody has to wait for the first time: most runs never do, and it would double the start-up. */
function net(): typeof import('node:net') {
  return process.getBuiltinModule('node:net');
}

function tty(): typeof import('node:tty') {
  return process.getBuiltinModule('node:tty');
}

/** How long a device that libuv cannot watch is left alone between two attempts, at least and at most. */
const POLL_MS = { first: 1, longest: 20 } as const;

/** What reader and writer have in common: a channel, and the stream that watches it. */
class Watched {
  /** Undefined once there is nothing to read from or write to any more. */
  channel: Channel | undefined;
  socket: Socket | undefined;
  /** Whether a synchronous attempt cannot block: the description is non-blocking. */
  readonly immediate: boolean;
  readonly terminal: boolean;
  #timer: NodeJS.Timeout | undefined;
  /** What libuv watches, and closes: ours, or for most terminals one that it opened for itself. */
  #watchedFd: number | undefined;

  constructor(channel: Channel | undefined, kind: HostKind, open: (fd: number) => Socket) {
    this.channel = channel;
    this.terminal = kind === 'terminal';
    // On somebody else's description it is libuv that sets O_NONBLOCK; on a terminal it may not.
    if (channel !== undefined && !channel.own) this.watch(open);
    this.immediate = channel?.own === true || !this.terminal;
  }

  /** The stream on the channel; undefined where libuv cannot watch that kind of thing. */
  watch(open: (fd: number) => Socket): Socket | undefined {
    if (this.socket !== undefined || this.channel === undefined) return this.socket;
    try {
      this.socket = open(this.channel.fd);
      this.#watchedFd = handleOf(this.socket)?.fd;
    } catch {
      if (!this.channel.own) throw new FsError('ENOTSUP', ''); // it might block, and nothing can tell us when it would not
    }
    return this.socket;
  }

  /** Something that may be done synchronously now. A stream that failed has closed the descriptor, whose number may be another's. */
  get fd(): number | undefined {
    return this.socket?.destroyed === true ? undefined : this.channel?.fd;
  }

  /** Calls `attempt` now and then until it answers true. */
  poll(attempt: () => boolean, delay: number = POLL_MS.first): void {
    this.#timer = setTimeout(() => {
      if (!attempt()) this.poll(attempt, Math.min(POLL_MS.longest, delay * 2));
    }, delay);
  }

  close(): void {
    clearTimeout(this.#timer);
    const channel = this.channel;
    this.channel = undefined;
    this.socket?.destroy();
    // When in doubt it stays open until the process ends: its number may already be another's.
    const unwatched = this.socket === undefined || (this.#watchedFd !== undefined && this.#watchedFd !== channel?.fd);
    if (channel?.own === true && unwatched) closeSync(channel.fd);
  }
}

/** The libuv handle of a stream: Node has no documented way to it. */
interface Handle {
  readonly fd: number;
  close(): void;
}

function handleOf(socket: Socket): Handle | undefined {
  const handle: unknown = Reflect.get(socket, '_handle');
  return isHandle(handle) ? handle : undefined;
}

function isHandle(value: unknown): value is Handle {
  if (typeof value !== 'object' || value === null || !('fd' in value) || !('close' in value)) return false;
  return typeof value.fd === 'number' && typeof value.close === 'function';
}

/**
 * Node's own way to destroy a socket looks at `process.stderr`, which makes it, and with it descriptor 2 non-blocking for
 * whoever shares that pipe with us. So we close the handle ourselves.
 */
function leaveStderrAlone(socket: Socket): Socket {
  const handle = handleOf(socket);
  if (handle === undefined) return socket;
  socket._destroy = (error, callback) => {
    Reflect.set(socket, '_handle', null);
    handle.close();
    callback(error);
  };
  return socket;
}

/** A terminal is written to by a `ReadStream` too: a `WriteStream` would make it blocking. */
export function openSocket(kind: HostKind, fd: number, options: SocketConstructorOpts): Socket {
  return leaveStderrAlone(kind === 'terminal' ? new (tty().ReadStream)(fd, options) : new (net().Socket)(options));
}

interface Waiter<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

class StreamReader implements HostReader {
  readonly #watched: Watched;
  readonly #buffer: Uint8Array;
  readonly #open: (fd: number) => Socket;
  #waiter: Waiter<number> | undefined;

  constructor(channel: Channel | undefined, kind: HostKind, buffer: Uint8Array) {
    this.#buffer = buffer;
    this.#open = (fd) => this.#openSocket(fd, kind);
    this.#watched = new Watched(channel, kind, this.#open);
  }

  read(): number | undefined {
    const fd = this.#watched.fd;
    if (fd === undefined) return 0;
    if (!this.#watched.immediate) return undefined;
    try {
      return readSync(fd, this.#buffer, 0, this.#buffer.length, null);
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EAGAIN') return undefined;
      if (this.#isHangUp(code)) return 0;
      throw translated(error);
    }
  }

  wait(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
      const socket = this.#watched.watch(this.#open);
      if (socket === undefined) this.#watched.poll(() => this.#attempt());
      else socket.resume();
    });
  }

  close(): void {
    this.#watched.close();
    this.#settle(0);
  }

  #attempt(): boolean {
    try {
      const length = this.read();
      if (length === undefined) return false;
      this.#settle(length);
    } catch (error) {
      this.#fail(error);
    }
    return true;
  }

  /**
   * `onread` puts the bytes straight into our buffer, and answering false stops libuv from reading on: so that nothing is
   * read that nobody asked for, and the next attempt may be synchronous again.
   */
  #openSocket(fd: number, kind: HostKind): Socket {
    const onread = {
      buffer: this.#buffer,
      callback: (length: number) => {
        this.#settle(length);
        return false;
      },
    };
    const options = { fd, onread, writable: false, manualStart: true };
    const socket = openSocket(kind, fd, options);
    socket.on('end', () => this.#settle(0));
    socket.on('error', (error) => {
      if (this.#isHangUp(codeOf(error))) this.#settle(0);
      else this.#fail(translated(error));
    });
    return socket;
  }

  /** A terminal whose other end is gone answers EIO, a socket ECONNRESET: there is no more to read. */
  #isHangUp(code: string | undefined): boolean {
    return code === 'ECONNRESET' || (code === 'EIO' && this.#watched.terminal);
  }

  #settle(length: number): void {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    waiter?.resolve(length);
  }

  #fail(error: unknown): void {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    waiter?.reject(error);
  }
}

class StreamWriter implements HostWriter {
  readonly #watched: Watched;
  readonly #open: (fd: number) => Socket;
  #waiter: Waiter<void> | undefined;

  constructor(channel: Channel | undefined, kind: HostKind) {
    this.#open = (fd) => this.#openSocket(fd, kind);
    this.#watched = new Watched(channel, kind, this.#open);
  }

  write(data: Uint8Array, at: number): number | undefined {
    const fd = this.#watched.fd;
    if (fd === undefined) throw BROKEN_PIPE;
    if (!this.#watched.immediate) return undefined;
    try {
      return writeSync(fd, data, at);
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') return undefined;
      throw this.#translated(error);
    }
  }

  drain(data: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
      const socket = this.#watched.watch(this.#open);
      if (socket === undefined) this.#poll(data);
      else socket.write(data, (error) => this.#settle(error ?? undefined));
    });
  }

  close(): void {
    this.#watched.close();
    this.#settle(BROKEN_PIPE);
  }

  #poll(data: Uint8Array): void {
    let at = 0;
    this.#watched.poll(() => {
      try {
        const length = this.write(data, at);
        at += length ?? 0;
        if (at < data.length) return false;
        this.#settle(undefined);
      } catch (error) {
        this.#settle(error);
      }
      return true;
    });
  }

  #openSocket(fd: number, kind: HostKind): Socket {
    const options = { fd, readable: false, writable: true };
    const socket = openSocket(kind, fd, options);
    socket.on('error', (error) => this.#settle(error));
    return socket;
  }

  #settle(error: unknown): void {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    if (error === undefined) waiter?.resolve();
    else waiter?.reject(this.#translated(error));
  }

  /** Nobody reads from a terminal that is gone either. */
  #translated(error: unknown): unknown {
    return this.#watched.terminal && codeOf(error) === 'EIO' ? BROKEN_PIPE : translated(error);
  }
}
