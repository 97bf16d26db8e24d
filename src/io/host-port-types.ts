/**
 * The process's own descriptors, as this room sees them: it never calls the kernel itself. Everything here throws FsError,
 * and BROKEN_PIPE where a reader has left.
 */

/**
 * - `file`: a regular file; has an offset, and never makes one wait
 * - `device`: `/dev/null` and its like, block devices, directories: read and written directly
 * - `stream`: pipes, FIFOs, and devices that may have nothing to give yet
 * - `terminal`, `socket`: streams too
 */
export type HostKind = 'file' | 'device' | 'stream' | 'terminal' | 'socket';

export interface HostDescriptor {
  readonly kind: HostKind;
  readonly readable: boolean;
  readonly writable: boolean;
  /** `${dev}:${ino}` */
  readonly identity: string;
}

export interface HostPort {
  /** What `fd` is; undefined when it is closed. */
  inspect(fd: number): HostDescriptor | undefined;
  /** Reads a file or device, at `position` or at the descriptor's offset. Answers 0 at the end. */
  readFile(fd: number, buffer: Uint8Array, position: number | null): number;
  /** The offset of the descriptor; undefined where the host does not tell. */
  offset(fd: number): number | undefined;
  /** Reads `fd`, whatever it is waiting for, into `buffer`, without ever blocking the process. */
  openReader(fd: number, kind: HostKind, buffer: Uint8Array): HostReader;
  openWriter(fd: number, kind: HostKind): HostWriter;
}

export interface HostReader {
  /** Puts bytes into the buffer and says how many, 0 at the end; undefined when there are none yet. */
  read(): number | undefined;
  /** The same, when there are some. Called after `read` answered undefined, once at a time. */
  wait(): Promise<number>;
  /** A pending `wait` answers 0. Nothing of the reader keeps the process alive. */
  close(): void;
}

export interface HostWriter {
  /** Writes what goes out at once of `data` from `at` on, and says how much; undefined when nothing does now. */
  write(data: Uint8Array, at: number): number | undefined;
  /** Writes all of `data`, which must not change until then. */
  drain(data: Uint8Array): Promise<void>;
  /** A pending `drain` is rejected. */
  close(): void;
}
