import { describe, expect, it } from 'vitest';
import type { Output } from '../../builtins/kit/context.js';
import { stringCapture } from '../../src/io/capture.js';
import { createDescription } from '../../src/io/descriptors.js';
import { FULL_SINK, NULL_SINK, nullSource, randomSource, zeroSource } from '../../src/io/null.js';
import { NO_FACTS, outputOf, SinkOutput } from '../../src/io/output.js';
import { bytesSource, iterableSource, textSource } from '../../src/io/text-source.js';

describe('text and bytes as sources', () => {
  it('give all at once, then the end', () => {
    for (const source of [textSource('hé'), bytesSource(Buffer.from('hé'))]) {
      expect(source.fill()).toBe(true);
      expect(Buffer.from(source.buffer.subarray(source.start, source.end)).toString()).toBe('hé');
      source.start = source.end;
      expect(source.fill()).toBe(false);
    }
  });

  it('may be empty, or closed unread', () => {
    expect(textSource('').fill()).toBe(false);
    const source = textSource('x');
    source.close();
    expect(source.fill()).toBe(false);
  });
});

describe('an iterable as a source', () => {
  it('skips empty chunks and ends', async () => {
    const source = iterableSource(
      (async function* () {
        yield Buffer.alloc(0);
        yield Buffer.from('a');
      })(),
    );
    expect(await source.fill()).toBe(true);
    expect(source.end - source.start).toBe(1);
    source.start = source.end;
    expect(await source.fill()).toBe(false);
    expect(source.fill()).toBe(false);
  });

  it('answers a pending fill when it is closed, though the caller never does', async () => {
    let cleaned = false;
    const never: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => undefined),
        return: () => {
          cleaned = true;
          throw new Error('too late');
        },
      }),
    };
    const source = iterableSource(never);
    const pending = source.fill();
    source.close();
    expect(await pending).toBe(false);
    expect(cleaned).toBe(true);
  });

  it('passes on what the caller throws', async () => {
    const source = iterableSource(
      // biome-ignore lint/correctness/useYield: it fails before it gives anything
      (async function* () {
        throw new Error('mine');
      })(),
    );
    await expect(source.fill()).rejects.toThrow('mine');
  });
});

describe('devices', () => {
  it('null: nothing to read, everything may be written', () => {
    expect(nullSource().fill()).toBe(false);
    expect(NULL_SINK.writeText('x')).toBeUndefined();
  });

  it('zero: NULs without end', () => {
    const source = zeroSource();
    for (let i = 0; i < 3; i++) {
      expect(source.fill()).toBe(true);
      expect(source.buffer.subarray(source.start, source.end).every((byte) => byte === 0)).toBe(true);
      source.start = source.end;
    }
  });

  it('urandom: other bytes each time', () => {
    const source = randomSource();
    source.fill();
    const first = Buffer.from(source.buffer).toString('hex');
    source.start = source.end;
    source.fill();
    expect(Buffer.from(source.buffer).toString('hex').slice(0, 100)).not.toBe(first.slice(0, 100));
  });

  it('let the tick have its say', async () => {
    let ticks = 0;
    const source = zeroSource(() => (++ticks === 2 ? Promise.resolve() : undefined));
    expect(source.fill()).toBe(true);
    source.start = source.end;
    expect(source.fill()).toBeInstanceOf(Promise);
  });

  it('full: no space', () => {
    expect(() => FULL_SINK.writeText('x')).toThrow('No space left on device');
    expect(() => FULL_SINK.write(Buffer.from('x'))).toThrow('No space left on device');
    expect(FULL_SINK.writeText('')).toBeUndefined();
  });
});

describe('an output', () => {
  it("is the kit's Output", () => {
    const capture = stringCapture(100);
    const output: Output = new SinkOutput(capture);
    output.write('a');
    output.write(Buffer.from('b'));
    output.give(Buffer.from('c'));
    expect(capture.take()).toBe('abc');
    expect(output.facts).toBe(NO_FACTS);
  });

  it('of a closed descriptor, or one only for reading, is EBADF', () => {
    for (const description of [undefined, createDescription(textSource(''), undefined, NO_FACTS)]) {
      const output = outputOf(description);
      expect(output.write('')).toBeUndefined();
      expect(output.flush()).toBeUndefined();
      expect(() => output.write('x')).toThrow('Bad file descriptor');
    }
  });
});
