import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isShellError } from '../../src/errors.js';
import { type Line, readLine, readLineBytes } from '../../src/io/line-reader.js';
import { createPipe } from '../../src/io/pipe.js';
import type { ByteSource } from '../../src/io/streams.js';
import { bytesSource, iterableSource, textSource } from '../../src/io/text-source.js';
import { decode, encode } from '../../src/text/bytes.js';

async function* cut(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  const reused = new Uint8Array(64); // as a caller may: the source must not rely on it
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = Math.min(sizes[i % sizes.length] ?? 1, bytes.length - at);
    reused.set(bytes.subarray(at, at + size));
    yield reused.subarray(0, size);
    at += size;
  }
}

async function allLines(source: ByteSource): Promise<Line<string>[]> {
  const lines: Line<string>[] = [];
  for (let line = await readLine(source); line !== undefined; line = await readLine(source)) lines.push(line);
  return lines;
}

describe('readLine', () => {
  it('takes one line and not a byte more', () => {
    const source = textSource('one\ntwo\n\nlast');
    expect(readLine(source)).toEqual({ content: 'one', terminated: true });
    source.fill();
    expect(Buffer.from(source.buffer.subarray(source.start, source.end)).toString()).toBe('two\n\nlast');
    expect(readLine(source)).toEqual({ content: 'two', terminated: true });
    expect(readLine(source)).toEqual({ content: '', terminated: true });
    expect(readLine(source)).toEqual({ content: 'last', terminated: false });
    expect(readLine(source)).toBeUndefined();
  });

  it('knows other delimiters', () => {
    const source = textSource('a\nb\0c');
    expect(readLine(source, 0)).toEqual({ content: 'a\nb', terminated: true });
  });

  it('does not see what stands in the buffer outside of its bytes', () => {
    const source = bytesSource(Buffer.from('abc'));
    source.fill();
    source.buffer = Buffer.from('\nabc\n');
    source.start = 1;
    source.end = 4;
    expect(readLine(source)).toMatchObject({ content: 'abc' });
  });

  it('keeps bytes that are no UTF-8, and a U+FFFD that was there', () => {
    const bytes = Buffer.concat([Buffer.from('a\ufffdé'), Buffer.from([0xff, 0x80, 0x0a])]);
    expect(readLine(bytesSource(bytes))).toEqual({ content: 'a\ufffdé\udcff\udc80', terminated: true });
    expect(readLine(bytesSource(Uint8Array.from(bytes)))).toEqual({
      content: 'a\ufffdé\udcff\udc80',
      terminated: true,
    });
  });

  it('waits for the rest of a line', async () => {
    const { source, sink } = createPipe();
    sink.writeText('be');
    const line = readLine(source);
    expect(line).toBeInstanceOf(Promise);
    sink.writeText('gun\nnext');
    expect(await line).toEqual({ content: 'begun', terminated: true });
    sink.close();
    expect(readLine(source)).toEqual({ content: 'next', terminated: false });
  });

  it('ends the run at a line beyond the limit', async () => {
    for (const text of ['x'.repeat(11), `${'x'.repeat(11)}\n`]) {
      try {
        await readLine(textSource(text), 10, 10);
        expect.unreachable();
      } catch (error) {
        expect(isShellError(error) && error.code).toBe('limit');
      }
    }
    expect(readLine(textSource('0123456789\n'), 10, 10)).toMatchObject({ terminated: true });
  });

  it('is linear in the length of a line', async () => {
    const { source, sink } = createPipe();
    const writer = (async () => {
      for (let i = 0; i < 4000; i++) await sink.write(Buffer.alloc(8000, 'x'));
      await sink.close();
    })();
    const started = performance.now();
    const line = await readLine(source);
    await writer;
    expect(line?.content.length).toBe(32_000_000);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it('gives bytes that stay', async () => {
    const source = iterableSource(cut(Buffer.from('ab\ncd\nef'), [5]));
    const first = await readLineBytes(source);
    const second = await readLineBytes(source);
    expect(Buffer.from(first?.content ?? []).toString()).toBe('ab');
    expect(Buffer.from(second?.content ?? []).toString()).toBe('cd');
  });

  it('gives the same lines however the input is cut', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', 'é', '\u{1f600}', '\udc80', '\udcff') });
    const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(text, sizes, async (input, cuts) => {
        const bytes = encode(input);
        const lines = await allLines(iterableSource(cut(bytes, cuts)));
        const canonical = decode(bytes);
        expect(lines.map((line) => line.content + (line.terminated ? '\n' : '')).join('')).toBe(canonical);
        expect(lines.every((line, i) => line.terminated || i === lines.length - 1)).toBe(true);
        expect(lines.every((line) => !line.content.includes('\n'))).toBe(true);
      }),
    );
  });
});
