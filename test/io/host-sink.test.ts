import { describe, expect, it } from 'vitest';
import { BROKEN_PIPE, FsError } from '../../src/errors.js';
import { type HostStreams, hostStreams } from '../../src/io/host.js';
import type { HostKind, HostPort, HostReader, HostWriter } from '../../src/io/host-port-types.js';
import type { ByteSink } from '../../src/io/streams.js';

/** A reader at the other end, who may be slow, gone, or out of space. */
class FakeHost implements HostPort {
  readonly identities: readonly string[];
  readonly kind: HostKind;
  /** What came out, with the descriptor it came from. */
  readonly seen: string[] = [];
  full = false;
  failing: unknown;
  #drains: { data: string; resolve: () => void; reject: (error: unknown) => void }[] = [];

  constructor(kind: HostKind, identities: readonly string[]) {
    this.kind = kind;
    this.identities = identities;
  }

  inspect(fd: number): ReturnType<HostPort['inspect']> {
    const identity = this.identities[fd];
    return identity === undefined ? undefined : { kind: this.kind, readable: false, writable: true, identity };
  }

  readFile(): number {
    return 0;
  }

  offset(): undefined {
    return undefined;
  }

  openReader(): HostReader {
    return { read: () => 0, wait: async () => 0, close: () => undefined };
  }

  openWriter(fd: number): HostWriter {
    return {
      write: (data, at) => {
        if (this.failing !== undefined) throw this.failing;
        if (this.full) return undefined;
        this.seen.push(`${fd}:${Buffer.from(data.subarray(at)).toString()}`);
        return data.length - at;
      },
      drain: (data) =>
        new Promise((resolve, reject) => {
          this.#drains.push({ data: `${fd}:${Buffer.from(data).toString()}`, resolve, reject });
        }),
      close: () => {
        for (const drain of this.#drains.splice(0)) drain.reject(BROKEN_PIPE);
      },
    };
  }

  /** The slow reader takes everything. */
  async read(): Promise<void> {
    this.full = false;
    for (const { data, resolve } of this.#drains.splice(0)) {
      this.seen.push(data);
      resolve();
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function sinkOf(streams: HostStreams, fd: number): ByteSink {
  const sink = streams.description(fd)?.sink;
  if (sink === undefined) throw new Error('closed');
  return sink;
}

function setUp(kind: HostKind, identities: readonly string[]) {
  const host = new FakeHost(kind, identities);
  const streams = hostStreams(host);
  return { host, streams, out: sinkOf(streams, 1), err: sinkOf(streams, 2) };
}

describe('output to the host', () => {
  it('goes out in large pieces', () => {
    const { host, streams, out } = setUp('file', ['', 'a', 'b']);
    for (let i = 0; i < 1000; i++) out.writeText('é');
    out.write(Buffer.from('x'));
    expect(host.seen).toEqual([]);
    streams.flush();
    expect(host.seen).toEqual([`1:${'é'.repeat(1000)}x`]);
    out.write(Buffer.alloc(20_000, 'y'));
    expect(host.seen.length).toBe(2);
    out.writeText('z'.repeat(70_000));
    expect(host.seen.length).toBe(3);
  });

  it.each([
    ['one terminal', 'terminal', ['', 't', 't']],
    ['one file', 'file', ['', 'f', 'f']],
    ['two pipes', 'stream', ['', 'p', 'q']],
  ] as const)('keeps the order of 1 and 2 on %s', (_, kind, identities) => {
    const { host, streams, out, err } = setUp(kind, identities);
    out.writeText('a');
    out.writeText('b');
    err.writeText('c');
    out.write(Buffer.from('d'));
    err.flush();
    streams.flush();
    expect(host.seen).toEqual(['1:ab', '2:c', '1:d']);
  });

  it('gathers on two files that nobody can compare', () => {
    const { host, streams, out, err } = setUp('file', ['', 'f', 'g']);
    for (const text of ['a', 'b']) {
      out.writeText(text);
      err.writeText(text);
    }
    streams.flush();
    expect(host.seen).toEqual(['1:ab', '2:ab']);
  });

  it('keeps the order while the reader is slow', async () => {
    const { host, streams, out, err } = setUp('stream', ['', 'p', 'p']);
    host.full = true;
    out.writeText('a');
    const first = streams.flush();
    expect(first).toBeInstanceOf(Promise);
    host.full = false; // there is room again, but a is not out yet
    expect(out.writeText('b')).toBeUndefined();
    expect(err.writeText('c')).toBeInstanceOf(Promise);
    expect(out.writeText('d')).toBeInstanceOf(Promise);
    expect(host.seen).toEqual([]);
    const last = streams.flush();
    await host.read();
    await Promise.all([first, last]);
    expect(host.seen).toEqual(['1:a', '1:b', '2:c', '1:d']);
  });

  it('makes the writer wait when the reader does not keep up', async () => {
    const { host, out } = setUp('stream', ['', 'p', 'q']);
    host.full = true;
    let kept = 0;
    let turn: Promise<void> | undefined;
    while (turn === undefined && kept < 1e6) {
      turn = out.writeText('x'.repeat(100));
      kept += 100;
    }
    expect(kept).toBeLessThan(100_000);
    await host.read();
    await turn;
  });

  it('tells a reader that has left to every writer', () => {
    const { host, streams, out, err } = setUp('stream', ['', 'p', 'q']);
    out.writeText('a');
    host.failing = BROKEN_PIPE;
    streams.flush();
    host.failing = undefined;
    for (let i = 0; i < 2; i++) expect(thrownBy(() => out.writeText('b'))).toBe(BROKEN_PIPE);
    err.writeText('still there');
    err.flush();
    expect(host.seen).toEqual(['2:still there']);
  });

  it('tells an error to the next writer, once', () => {
    const { host, out, err } = setUp('stream', ['', 'p', 'q']);
    out.writeText('a');
    host.failing = new FsError('ENOSPC', '');
    err.writeText('not my error'); // makes 1 flush
    host.failing = undefined;
    expect(thrownBy(() => out.writeText('b'))).toEqual(new FsError('ENOSPC', ''));
    out.writeText('c');
    out.flush();
    expect(host.seen).toEqual(['2:not my error', '1:c']);
  });

  it('breaks what waits when it is aborted', async () => {
    const { host, streams, out } = setUp('stream', ['', 'p', 'q']);
    host.full = true;
    out.writeText('a');
    const waiting = out.flush();
    streams.abort();
    await expect(waiting).rejects.toBe(BROKEN_PIPE);
    expect(thrownBy(() => out.writeText('b'))).toBe(BROKEN_PIPE);
    expect(host.seen).toEqual([]);
  });

  it('is one description however often it is asked for, and outlives what a script closes', () => {
    const { streams, out, host } = setUp('stream', ['', 'p', 'q']);
    const description = streams.description(1);
    expect(description?.sink).toBe(out);
    description?.release();
    description?.release();
    out.writeText('a');
    out.flush();
    expect(host.seen).toEqual(['1:a']);
    expect(streams.description(7)).toBeUndefined();
  });
});

function thrownBy(step: () => unknown): unknown {
  try {
    step();
  } catch (thrown) {
    return thrown;
  }
  return undefined;
}
