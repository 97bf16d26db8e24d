/** Sources and sinks on open files. Files are read and written synchronously; only the batching is ours. */
import { type FsError, isFsError } from '../errors.js';
import type { OpenFile } from '../files/files.js';
import type { Awaitable, Tick, Waiting } from '../steps.js';
import { Batch, CHUNK_BYTES, LARGE_BYTES, NO_BYTES } from './batch.js';
import { IdleFlush } from './idle-flush.js';
import type { ByteSink, ByteSource, Origin, StreamFacts } from './streams.js';

/** A sink on a file that keeps bytes the disk does not have yet. */
interface Dirty {
  /** Which file, as StreamFacts.file says it. */
  readonly identity: string;
  /** Writes them. An error is kept for the sink's own next user: who looks at the disk did not write. */
  settle(): void;
}

/**
 * Every file sink of a run that keeps something. Whoever is about to look at the disk, this shell's `stat` or an external
 * program, calls `flushAll` first, and so sees what the script has written so far.
 */
export class DirtySinks {
  readonly #sinks = new Set<Dirty>();
  readonly #idle = new IdleFlush(() => this.flushAll());

  /** What other sinks keep for the same file was written before, and goes out before (`>>f` twice, `tee f >>f`). */
  add(sink: Dirty): void {
    for (const other of this.#sinks) if (other.identity === sink.identity) other.settle();
    this.#sinks.add(sink);
    this.#idle.schedule();
  }

  delete(sink: Dirty): void {
    this.#sinks.delete(sink);
  }

  flushAll(): void {
    if (this.#sinks.size === 0) return;
    for (const sink of this.#sinks) sink.settle();
  }
}

/** Reads from the file's offset on. Closing it closes the file. */
export function fileSource(file: OpenFile, dirty: DirtySinks, tick?: Tick): ByteSource {
  return new FileSource(new SharedFile(file, 0, 1), dirty, tick);
}

/** Writes at the file's offset, or at its end where the file was opened to append. Closing it closes the file. */
export function fileSink(file: OpenFile, dirty: DirtySinks): ByteSink {
  return new FileSink(new SharedFile(file, null, 1), dirty);
}

/** Both for one file (`<>`): what one of them does moves the offset of the other. Closing both closes the file. */
export function fileStream(file: OpenFile, dirty: DirtySinks, tick?: Tick): { source: ByteSource; sink: ByteSink } {
  const shared = new SharedFile(file, 0, 2);
  const source = new FileSource(shared, dirty, tick);
  return { source, sink: new FileSink(shared, dirty, source) };
}

/** Facts of an open file, asked of the disk only when somebody wants to know. */
export function fileFacts(file: OpenFile): StreamFacts {
  return new FileFacts(file);
}

function identityOf(file: OpenFile): string {
  const { dev, ino } = file.stat();
  return `${dev}:${ino}`;
}

class FileFacts implements StreamFacts {
  readonly terminal = false;
  readonly #openFile: OpenFile;
  #identity: string | undefined;

  constructor(file: OpenFile) {
    this.#openFile = file;
  }

  get origin(): Origin {
    return { kind: 'file', file: this.#openFile };
  }

  get file(): string {
    this.#identity ??= identityOf(this.#openFile);
    return this.#identity;
  }
}

/** The file, and where it is read: reading ahead would move the kernel's offset, which a writer and other processes use. */
class SharedFile {
  readonly file: OpenFile;
  /** Where the next read or write happens; null: at the file's own offset; undefined: there too, to be asked for. */
  #position: number | null | undefined;
  #users: number;

  constructor(file: OpenFile, position: 0 | null, users: number) {
    this.file = file;
    this.#position = position;
    this.#users = users;
  }

  read(buffer: Uint8Array): number {
    const position = this.#where();
    const length = this.file.read(buffer, position);
    if (position !== null) this.#position = position + length;
    return length;
  }

  write(data: Uint8Array): void {
    const position = this.#where();
    this.file.write(data, position);
    if (position !== null) this.#position = position + data.length;
  }

  #where(): number | null {
    if (this.#position === undefined) this.#position = this.file.tell() ?? null;
    return this.#position;
  }

  /** `bytes` that were read ahead were not read after all. */
  goBack(bytes: number): void {
    if (typeof this.#position === 'number') this.#position -= bytes;
  }

  /** The file's own offset comes to where ours is, and is ours from now on. Node has no lseek: by reading up to it. */
  settle(): boolean {
    if (typeof this.#position !== 'number') return true;
    const offset = this.file.tell();
    if (offset === undefined) return false;
    let behind = this.#position - offset;
    const scratch = behind > 0 ? Buffer.allocUnsafeSlow(Math.min(behind, CHUNK_BYTES)) : NO_BYTES;
    while (behind > 0) {
      const skipped = this.file.read(scratch.subarray(0, Math.min(behind, scratch.length)), null);
      if (skipped === 0) break; // somebody has cut the file
      behind -= skipped;
    }
    this.#position = undefined;
    return true;
  }

  close(): void {
    if (--this.#users === 0) this.file.close();
  }
}

class FileSource implements ByteSource {
  buffer: Uint8Array = NO_BYTES;
  start = 0;
  end = 0;
  readonly owned = false;
  readonly #file: SharedFile;
  readonly #dirty: DirtySinks;
  readonly #tick: Tick | undefined;
  #closed = false;

  constructor(file: SharedFile, dirty: DirtySinks, tick: Tick | undefined) {
    this.#file = file;
    this.#dirty = dirty;
    this.#tick = tick;
  }

  fill(): Awaitable<boolean> {
    if (this.start < this.end) return true;
    const turn = this.#tick?.();
    return turn === undefined ? this.#more() : turn.then(() => this.#more());
  }

  #more(): boolean {
    if (this.start < this.end) return true; // somebody who shares the source was quicker
    if (this.#closed) return false;
    this.#dirty.flushAll();
    if (this.buffer.length < CHUNK_BYTES) this.buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    this.start = 0;
    this.end = 0;
    this.end = this.#file.read(this.buffer);
    return this.end > 0;
  }

  lend(): boolean {
    this.forgetAhead();
    return this.#file.settle();
  }

  /** Before a write to the same offset: what was read ahead is read again after it. */
  forgetAhead(): void {
    this.#file.goBack(this.end - this.start);
    this.start = this.end;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.start = this.end;
    this.#file.close();
  }
}

class FileSink implements ByteSink, Dirty {
  readonly #file: SharedFile;
  readonly #dirty: DirtySinks;
  /** Reads at the same offset. */
  readonly #reader: FileSource | undefined;
  readonly #batch = new Batch();
  #registered = false;
  #closed = false;
  /** What went wrong while somebody else made us flush. */
  #deferred: FsError | undefined;
  #identity: string | undefined;

  constructor(file: SharedFile, dirty: DirtySinks, reader?: FileSource) {
    this.#file = file;
    this.#dirty = dirty;
    this.#reader = reader;
  }

  get identity(): string {
    this.#identity ??= identityOf(this.#file.file);
    return this.#identity;
  }

  writeText(text: string): Waiting {
    if (text === '') return undefined;
    if (!this.#registered) this.#begin();
    this.#batch.text += text;
    if (this.#batch.size >= CHUNK_BYTES) this.#flushNow();
    return undefined;
  }

  write(data: Uint8Array): Waiting {
    if (data.length === 0) return undefined;
    if (!this.#registered) this.#begin();
    if (data.length < LARGE_BYTES) {
      this.#batch.addBytes(data);
      if (this.#batch.size >= CHUNK_BYTES) this.#flushNow();
    } else {
      this.#flushNow();
      this.#file.write(data);
    }
    return undefined;
  }

  give(data: Uint8Array): Waiting {
    return this.write(data);
  }

  flush(): Waiting {
    this.#throwDeferred();
    this.#flushNow();
    return undefined;
  }

  settle(): void {
    try {
      this.#flushNow();
    } catch (error) {
      if (!isFsError(error)) throw error;
      this.#deferred = error;
    }
  }

  close(): Waiting {
    if (this.#closed) return undefined;
    this.#closed = true;
    try {
      this.#throwDeferred();
      this.#flushNow();
    } finally {
      this.#file.close();
    }
    return undefined;
  }

  /** The first bytes after a flush. */
  #begin(): void {
    this.#throwDeferred();
    this.#reader?.forgetAhead();
    this.#registered = true;
    this.#dirty.add(this);
  }

  #flushNow(): void {
    if (!this.#registered) return;
    this.#registered = false;
    this.#dirty.delete(this);
    const data = this.#batch.take(); // gone even when the write fails: it must not be tried for ever
    if (data.length > 0) this.#file.write(data);
  }

  #throwDeferred(): void {
    const error = this.#deferred;
    if (error === undefined) return;
    this.#deferred = undefined;
    throw error;
  }
}
