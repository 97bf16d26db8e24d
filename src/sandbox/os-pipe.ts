/**
 * Pipes of the kernel. Node cannot make one: what it calls a pipe is a pair of sockets, which has no `/dev/stdin`, and whose unread
 * bytes are lost with its reader. So mkfifo(1) makes FIFOs, some at a time, which lose their names as soon as they are open.
 */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { BROKEN_PIPE, FsError } from '../errors.js';
import { failure } from '../files/errno.js';
import type { HostReader } from '../io/host-port-types.js';
import type { InputPipe, OutputPipe } from '../io/programs.js';
import type { Awaitable } from '../steps.js';
import { createHostPort, openSocket } from './host-port.js';

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = fs.constants;

/** How many are made at once: starting mkfifo takes longer than anything else here. */
const AT_ONCE = 16;
/** pipe(7), PIPE_BUF: so much is written whole or not at all. */
const ATOMIC_BYTES = 4096;
/** pipe(7): what a pipe holds at most, if nobody has changed it. */
const PIPE_BYTES = 65_536;

/** Descriptors of pipes that nobody has used yet. */
let unused: number[] = [];

function takePipe(): number {
  return unused.pop() ?? makePipes();
}

function makePipes(): number {
  for (const parent of ['/dev/shm', '/run', tmpdir()]) {
    try {
      unused = makePipesIn(parent);
    } catch {
      continue; // not there, full, or not ours to write to
    }
    const fd = unused.pop();
    if (fd !== undefined) return fd;
  }
  throw new FsError('ENOTSUP', '', 'mkfifo made no pipe in /dev/shm, /run or the directory of temporary files');
}

function makePipesIn(parent: string): number[] {
  const directory = fs.mkdtempSync(`${parent}/rmsh-`);
  const names = Array.from({ length: AT_ONCE }, (_, i) => `${directory}/${i}`);
  const opened: number[] = [];
  try {
    spawnSync('mkfifo', ['-m', '600', ...names], { env: { PATH: '/usr/bin:/bin' }, stdio: 'ignore' });
    for (const name of names) {
      const fd = fs.openSync(name, O_RDWR | O_NONBLOCK | O_NOFOLLOW);
      opened.push(fd);
      if (!fs.fstatSync(fd).isFIFO()) throw new FsError('EINVAL', '');
    }
    return opened;
  } catch (error) {
    for (const fd of opened) fs.closeSync(fd);
    throw error;
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

/** Pipes no run needs any more: a process that lives on keeps none for nothing. */
export function closeUnusedPipes(): void {
  for (const fd of unused) fs.closeSync(fd);
  unused = [];
}

/** Both ends, each a description of its own, and no other. */
function openEnds(ours: number, theirs: number): { readonly ours: number; readonly theirs: number } {
  const fd = takePipe();
  try {
    const path = `/proc/self/fd/${fd}`;
    const first = fs.openSync(path, ours | O_NONBLOCK);
    try {
      return { ours: first, theirs: fs.openSync(path, theirs) };
    } catch (error) {
      fs.closeSync(first);
      throw error;
    }
  } catch (error) {
    throw failure(error, '');
  } finally {
    fs.closeSync(fd);
  }
}

/** The end that a program is started with. */
export abstract class OsPipe {
  #theirs: number | undefined;

  constructor(theirs: number) {
    this.#theirs = theirs;
  }

  get programEnd(): number {
    if (this.#theirs === undefined) throw new FsError('EBADF', '');
    return this.#theirs;
  }

  /** The program has it, or never will. */
  releaseProgramEnd(): void {
    if (this.#theirs !== undefined) fs.closeSync(this.#theirs);
    this.#theirs = undefined;
  }
}

export class OsInputPipe extends OsPipe implements InputPipe {
  /** Undefined when no more is to be written. */
  #writer: number | undefined;
  /** What is in the pipe can be read back here; it is held so that unread bytes outlive their reader. */
  #back: number | undefined;
  #socket: Socket | undefined;
  /** Ends the wait for room, with what of its bytes is in the pipe. */
  #giveUp: (() => void) | undefined;

  constructor() {
    const { ours, theirs } = openEnds(O_WRONLY, O_RDONLY);
    super(theirs);
    this.#writer = ours;
    this.#back = fs.openSync(`/proc/self/fd/${theirs}`, O_RDONLY | O_NONBLOCK);
  }

  write(data: Uint8Array, at: number): Awaitable<number> {
    if (this.#writer === undefined) return 0;
    try {
      return fs.writeSync(this.#writer, data, at);
    } catch (error) {
      if (errorCode(error) === 'EAGAIN') return this.#writeLater(this.#writer, data.subarray(at, at + ATOMIC_BYTES));
      if (errorCode(error) === 'EPIPE') throw BROKEN_PIPE;
      throw failure(error, '');
    }
  }

  /** A piece small enough to go in whole, so that at any moment it is known how much went in. */
  #writeLater(fd: number, piece: Uint8Array): Promise<number> {
    this.#socket ??= openSocket('stream', fd, { fd, readable: false, writable: true });
    const socket = this.#socket;
    return new Promise((resolve) => {
      const settle = (written: number): void => {
        this.#giveUp = undefined;
        socket.off('error', failed);
        resolve(written);
      };
      const failed = (): void => settle(0);
      socket.on('error', failed);
      this.#giveUp = () => settle(queuedBytes(socket) === 0 ? piece.length : 0);
      socket.write(Buffer.from(piece), (error) => {
        if (this.#giveUp !== undefined) settle(error ? 0 : piece.length);
      });
    });
  }

  end(): void {
    const fd = this.#writer;
    this.#writer = undefined;
    if (fd === undefined) return;
    this.#giveUp?.();
    if (this.#socket === undefined) fs.closeSync(fd);
    else {
      // What goes wrong from here on is nobody's concern.
      this.#socket.on('error', () => {});
      this.#socket.destroy();
    }
  }

  takeBack(): Uint8Array {
    this.end();
    this.releaseProgramEnd();
    const fd = this.#back;
    this.#back = undefined;
    if (fd === undefined) return Buffer.alloc(0);
    const buffer = Buffer.allocUnsafeSlow(PIPE_BYTES);
    const chunks: Uint8Array[] = [];
    try {
      for (;;) {
        const length = fs.readSync(fd, buffer);
        if (length === 0) break;
        chunks.push(Buffer.from(buffer.subarray(0, length)));
      }
    } catch (error) {
      // Somebody else still holds an end for writing: there is nothing in it all the same.
      if (errorCode(error) !== 'EAGAIN') throw failure(error, '');
    } finally {
      fs.closeSync(fd);
    }
    return Buffer.concat(chunks);
  }
}

export class OsOutputPipe extends OsPipe implements OutputPipe {
  #ours: number | undefined;

  constructor() {
    const { ours, theirs } = openEnds(O_RDONLY, O_WRONLY);
    super(theirs);
    this.#ours = ours;
  }

  openReader(buffer: Uint8Array): HostReader {
    if (this.#ours === undefined) throw new FsError('EBADF', '');
    const reader = createHostPort().openReader(this.#ours, 'stream', buffer);
    // The reader has its own description of the pipe.
    this.close();
    return reader;
  }

  close(): void {
    this.releaseProgramEnd();
    if (this.#ours !== undefined) fs.closeSync(this.#ours);
    this.#ours = undefined;
  }
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** What libuv has taken and not written yet: Node has no documented way to it. */
function queuedBytes(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  if (typeof handle !== 'object' || handle === null || !('writeQueueSize' in handle)) return 0;
  return Number(handle.writeQueueSize);
}
