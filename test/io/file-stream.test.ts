import { describe, expect, it } from 'vitest';
import { FsError } from '../../src/errors.js';
import type { OpenFile } from '../../src/files/files.js';
import { DirtySinks, fileFacts, fileSink, fileSource, fileStream } from '../../src/io/file-stream.js';
import { readLine } from '../../src/io/line-reader.js';

/** An open file in memory that counts what is asked of it. */
class FakeFile implements OpenFile {
  readonly path = 'f';
  content: Buffer;
  offset = 0;
  writes = 0;
  closed = 0;
  failing = false;

  constructor(content = '') {
    this.content = Buffer.from(content);
  }

  stat(): ReturnType<OpenFile['stat']> {
    return { dev: 1n, ino: 2n } as ReturnType<OpenFile['stat']>;
  }

  read(buffer: Uint8Array, position: number | null): number {
    const from = position ?? this.offset;
    const bytes = this.content.subarray(from, from + buffer.length);
    buffer.set(bytes);
    if (position === null) this.offset += bytes.length;
    return bytes.length;
  }

  write(data: Uint8Array, position: number | null): void {
    if (this.failing) throw new FsError('ENOSPC', this.path);
    this.writes++;
    const at = position ?? this.offset;
    const larger = Buffer.alloc(Math.max(this.content.length, at + data.length));
    larger.set(this.content);
    larger.set(data, at);
    this.content = larger;
    if (position === null) this.offset += data.length;
  }

  truncate(): void {}

  tell(): number {
    return this.offset;
  }

  close(): void {
    this.closed++;
  }
}

describe('file streams', () => {
  it('read in large pieces', () => {
    const file = new FakeFile('x'.repeat(100_000));
    const source = fileSource(file, new DirtySinks());
    let total = 0;
    while (source.fill()) {
      total += source.end - source.start;
      source.start = source.end;
    }
    expect(total).toBe(100_000);
    source.close();
    source.close();
    expect(file.closed).toBe(1);
    expect(source.fill()).toBe(false);
  });

  it('gather small writes, and write when somebody is about to look', () => {
    const file = new FakeFile();
    const dirty = new DirtySinks();
    const sink = fileSink(file, dirty);
    for (let i = 0; i < 1000; i++) sink.writeText('é\n');
    sink.write(Buffer.from('bytes'));
    expect(file.writes).toBe(0);
    dirty.flushAll();
    expect(file.writes).toBe(1);
    expect(file.content.toString()).toBe(`${'é\n'.repeat(1000)}bytes`);
    dirty.flushAll();
    expect(file.writes).toBe(1);
    sink.writeText('z');
    sink.write(Buffer.alloc(20_000, 'y'));
    sink.close();
    sink.close();
    expect(file.content.toString()).toBe(`${'é\n'.repeat(1000)}bytesz${'y'.repeat(20_000)}`);
    expect(file.closed).toBe(1);
  });

  it('let a reader of the same file see what was written', () => {
    const dirty = new DirtySinks();
    const file = new FakeFile();
    fileSink(file, dirty).writeText('kept');
    fileSource(new FakeFile(), dirty).fill();
    expect(file.content.toString()).toBe('kept');
  });

  it('tell an error to who wrote, not to who made them flush', () => {
    const file = new FakeFile();
    const dirty = new DirtySinks();
    const sink = fileSink(file, dirty);
    file.failing = true;
    sink.writeText('x');
    dirty.flushAll();
    expect(() => sink.writeText('y')).toThrow('No space left on device');
    file.failing = false;
    sink.writeText('z');
    sink.close();
    expect(file.content.toString()).toBe('z');
  });

  it('close the file though the last write fails', () => {
    const file = new FakeFile();
    const sink = fileSink(file, new DirtySinks());
    sink.writeText('x');
    file.failing = true;
    expect(() => sink.close()).toThrow('No space left on device');
    expect(file.closed).toBe(1);
  });

  it('share one offset for <>', () => {
    const file = new FakeFile('one\ntwo\nthree\n');
    const { source, sink } = fileStream(file, new DirtySinks());
    expect(readLine(source)).toMatchObject({ content: 'one' });
    sink.writeText('TWO');
    expect(readLine(source)).toMatchObject({ content: '' });
    expect(readLine(source)).toMatchObject({ content: 'three' });
    sink.writeText('end\n');
    source.close();
    expect(file.closed).toBe(0);
    sink.close();
    expect(file.closed).toBe(1);
    expect(file.content.toString()).toBe('one\nTWO\nthree\nend\n');
  });

  it('know their file', () => {
    expect(fileFacts(new FakeFile())).toMatchObject({ terminal: false, file: '1:2' });
  });
});
