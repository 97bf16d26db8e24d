/**
 * Bytes on their way: what a descriptor reads from and writes to. Files, pipes, here-documents, captures and the host's own
 * descriptors are all one of these.
 */
import type { OpenFile } from '../files/files.js';
import type { Awaitable, Waiting } from '../steps.js';

/**
 * Where bytes come from. The unread bytes are `buffer[start..end)`, and every reader of the descriptor shares them: a reader
 * takes bytes by moving `start`, so what one command leaves the next one finds (the script reader, `read`, `head`).
 */
export interface ByteSource {
  buffer: Uint8Array;
  start: number;
  end: number;
  /** The bytes in `buffer` are the reader's to keep: they will not be overwritten by the next `fill`. */
  readonly owned: boolean;
  /**
   * Called when `start === end`: more bytes. True: there is at least one; false: end of file (asking again is allowed: a
   * terminal may give more).
   */
  fill(): Awaitable<boolean>;
  /**
   * Before another process reads from the same open file (`StreamFacts.origin`): its offset is where our readers stopped, and what
   * that process takes we do not read again. False, or missing: bytes are here that it would not see.
   */
  lend?(): boolean;
  /** The reader leaves. A writer that still writes gets BROKEN_PIPE. */
  close(): void;
}

/** Bytes that were taken from `source` and that nobody has used: they come first again. */
export function putBack(source: ByteSource, bytes: Uint8Array): void {
  if (bytes.length === 0) return;
  source.buffer = Buffer.concat([bytes, source.buffer.subarray(source.start, source.end)]);
  source.start = 0;
  source.end = source.buffer.length;
}

/**
 * Where bytes go. Small writes are kept and go out together. Every method throws BROKEN_PIPE (or rejects with it) when the
 * reader has left, and FsError when the device refuses.
 */
export interface ByteSink {
  /** A shell string, encoded. */
  writeText(text: string): Waiting;
  /** Bytes that stay the caller's: copied where they must be kept. */
  write(data: Uint8Array): Waiting;
  /** Bytes that the caller hands over and will not touch again. */
  give(data: Uint8Array): Waiting;
  /** Everything kept goes out. */
  flush(): Waiting;
  /** No more will be written: flushes, and the reader sees the end of file. */
  close(): Waiting;
}

/** What `isatty`, `test -t`, `cat` (input file is output file) and external programs want to know. */
export interface StreamFacts {
  readonly terminal: boolean;
  /** No descriptor is there. */
  readonly closed?: boolean | undefined;
  /** Of what came from the process around: it is a pipe. One of the shell's own has no `origin`. */
  readonly pipe?: boolean | undefined;
  /** Device and inode of a regular file, as `${dev}:${ino}`; undefined for anything else. */
  readonly file: string | undefined;
  /** Undefined: the bytes are only here, and reach another process through a pipe. */
  readonly origin?: Origin | undefined;
}

/** An open file that another process can be given as it is: `/dev/null`, a descriptor of this process, a file of the script's. */
export type Origin =
  | { readonly kind: 'null' }
  | { readonly kind: 'host'; readonly fd: number }
  | { readonly kind: 'file'; readonly file: OpenFile };

/** An open file description: shared by every descriptor that was duplicated from it. */
export interface Description {
  readonly source: ByteSource | undefined;
  readonly sink: ByteSink | undefined;
  readonly facts: StreamFacts;
  /** One more descriptor refers to it. */
  retain(): Description;
  /** One fewer; the last one closes source and sink. */
  release(): Waiting;
}
