import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BROKEN_PIPE } from '../../src/errors.js';
import { createPipe } from '../../src/io/pipe.js';
import type { ByteSink, ByteSource } from '../../src/io/streams.js';
import { encode } from '../../src/text/bytes.js';

async function readAll(source: ByteSource): Promise<Buffer> {
  const chunks: Buffer[] = [];
  while (await source.fill()) {
    chunks.push(Buffer.from(source.buffer.subarray(source.start, source.end)));
    source.start = source.end;
  }
  return Buffer.concat(chunks);
}

/** One stage of a pipeline. */
async function copy(source: ByteSource, sink: ByteSink): Promise<void> {
  while (await source.fill()) {
    const chunk = source.buffer.subarray(source.start, source.end);
    source.start = source.end;
    await (source.owned ? sink.give(chunk) : sink.write(chunk));
  }
  await sink.close();
}

const turnOfTheLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a pipe', () => {
  it('is synchronous while nobody has to wait', () => {
    const { source, sink } = createPipe();
    expect(sink.writeText('héllo\n')).toBeUndefined();
    expect(sink.write(Buffer.from('bytes'))).toBeUndefined();
    expect(source.fill()).toBe(true);
    expect(Buffer.from(source.buffer.subarray(source.start, source.end)).toString()).toBe('héllo\nbytes');
    source.start = source.end;
    expect(sink.close()).toBeUndefined();
    expect(source.fill()).toBe(false);
    expect(source.fill()).toBe(false);
  });

  it('keeps the order of text, copies and gifts', async () => {
    const { source, sink } = createPipe();
    sink.writeText('a');
    sink.give(Buffer.alloc(1000, 'b'));
    sink.write(Buffer.from('c'));
    sink.writeText('d');
    sink.write(Buffer.alloc(20_000, 'e'));
    sink.writeText('\udcff');
    sink.close();
    const expected = `a${'b'.repeat(1000)}cd${'e'.repeat(20_000)}`;
    expect(await readAll(source)).toEqual(Buffer.concat([Buffer.from(expected), Buffer.from([0xff])]));
  });

  it('copies what is written and passes on what is given', () => {
    const { source, sink } = createPipe();
    const mine = Buffer.alloc(30_000, 'x');
    sink.write(mine);
    mine.fill('y');
    source.fill();
    expect(source.buffer[0]).toBe(0x78);
    source.start = source.end;
    sink.give(mine);
    source.fill();
    expect(source.buffer.buffer).toBe(mine.buffer);
  });

  it('makes the writer wait when it is full, and wakes it when there is room', async () => {
    const { source, sink } = createPipe(undefined, 100);
    expect(sink.writeText('x'.repeat(99))).toBeUndefined();
    const waiting = sink.writeText('y');
    expect(waiting).toBeInstanceOf(Promise);
    let went = false;
    void waiting?.then(() => (went = true));
    await turnOfTheLoop();
    expect(went).toBe(false);
    source.fill();
    await waiting;
  });

  it('takes a write larger than itself, as text and as bytes, without cutting a character', async () => {
    const text = '\u{1f600}é\udcc3'.repeat(100_000);
    for (const data of [text, encode(text)]) {
      const { source, sink } = createPipe(undefined, 1000);
      const written = (async () => {
        await (typeof data === 'string' ? sink.writeText(`.${data}`) : sink.write(data));
        await sink.close();
      })();
      const all = await readAll(source);
      await written;
      expect(all.equals(typeof data === 'string' ? encode(`.${data}`) : data)).toBe(true);
    }
  });

  it('takes a gift larger than itself whole', async () => {
    const { source, sink } = createPipe(undefined, 1000);
    const waiting = sink.give(Buffer.alloc(5000));
    expect(waiting).toBeInstanceOf(Promise);
    source.fill();
    expect(source.end).toBe(5000);
    await waiting;
  });

  it('ends its writer when the reader leaves', async () => {
    const { source, sink } = createPipe(undefined, 10);
    const waiting = sink.writeText('0123456789');
    source.close();
    await expect(waiting).rejects.toBe(BROKEN_PIPE);
    for (const write of [
      () => sink.writeText('x'),
      () => sink.write(Buffer.from('x')),
      () => sink.give(Buffer.from('x')),
    ]) {
      try {
        write();
        expect.unreachable();
      } catch (thrown) {
        expect(thrown).toBe(BROKEN_PIPE);
      }
    }
    expect(source.fill()).toBe(false);
  });

  it('ends a waiting write larger than itself too', async () => {
    const { source, sink } = createPipe(undefined, 10);
    const waiting = sink.write(Buffer.alloc(1_000_000));
    await turnOfTheLoop();
    source.close();
    await expect(waiting).rejects.toBe(BROKEN_PIPE);
  });

  it('gives the reader the rest when the writer leaves', async () => {
    const { source, sink } = createPipe();
    const waiting = source.fill();
    expect(waiting).toBeInstanceOf(Promise);
    sink.writeText('rest');
    sink.close();
    expect(await waiting).toBe(true);
    expect(await readAll(source)).toEqual(Buffer.from('rest'));
    expect(() => sink.writeText('x')).toThrow('Bad file descriptor');
  });

  it('wakes a reader that waits, at the end and when it closes itself', async () => {
    for (const leave of ['sink', 'source'] as const) {
      const pipe = createPipe();
      const waiting = pipe.source.fill();
      await turnOfTheLoop();
      pipe[leave].close();
      expect(await waiting).toBe(false);
    }
  });

  it('lets two readers share what comes', async () => {
    const { source, sink } = createPipe();
    const both = Promise.all([readAll(source), readAll(source)]);
    await turnOfTheLoop();
    sink.writeText('x'.repeat(10));
    await turnOfTheLoop();
    sink.writeText('y'.repeat(10));
    sink.close();
    const [a, b] = await both;
    expect(Buffer.concat([a, b]).length).toBe(20);
  });

  it('starves no timer while two stages wake each other', async () => {
    let since = performance.now();
    const tick = () => {
      if (performance.now() - since < 5) return undefined;
      return turnOfTheLoop().then(() => void (since = performance.now()));
    };
    const there = createPipe(tick, 64);
    const back = createPipe(tick, 64);
    const copies = Promise.all([copy(there.source, back.sink), copy(back.source, there.sink)]);
    there.sink.writeText('ball');
    const started = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(performance.now() - started).toBeLessThan(100);
    there.source.close();
    back.source.close();
    await copies.catch(() => undefined);
  });

  it('stops when the tick does', async () => {
    let ticks = 0;
    const stop = new Error('aborted');
    const { source, sink } = createPipe(() => {
      if (++ticks > 3) throw stop;
      return undefined;
    });
    for (let i = 0; i < 5; i++) sink.give(Buffer.alloc(1000));
    await expect(readAll(source)).rejects.toBe(stop);
  });

  it('gives the same bytes however they are cut', async () => {
    const piece = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', '\n', 'é', '\u{1f600}', '\udc80', '\udcff'), maxLength: 50 }),
      fc.uint8Array({ maxLength: 2000 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 40 }),
        fc.integer({ min: 1, max: 3000 }),
        async (pieces, capacity) => {
          const first = createPipe(undefined, capacity);
          const second = createPipe(undefined, capacity);
          const writer = (async () => {
            for (const [i, data] of pieces.entries()) {
              if (typeof data === 'string') await first.sink.writeText(data);
              else await (i % 2 ? first.sink.give(Uint8Array.from(data)) : first.sink.write(data));
            }
            await first.sink.close();
          })();
          const [bytes] = await Promise.all([readAll(second.source), copy(first.source, second.sink), writer]);
          expect(bytes).toEqual(Buffer.concat(pieces.map((data) => (typeof data === 'string' ? encode(data) : data))));
        },
      ),
    );
  });
});
