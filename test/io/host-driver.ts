/** A program of its own for host.test.ts, which bundles it: what rmsh does with the descriptors it was started with. */
import { readdirSync, readlinkSync, writeSync } from 'node:fs';
import { isBrokenPipe } from '../../src/errors.js';
import { hostStreams } from '../../src/io/host.js';
import { readLine } from '../../src/io/line-reader.js';
import { createPipe } from '../../src/io/pipe.js';
import type { ByteSink, ByteSource } from '../../src/io/streams.js';
import { createHostPort } from '../../src/sandbox/host-port.js';

const [mode = '', argument = ''] = process.argv.slice(2);
const streams = hostStreams(createHostPort(process.env['DRIVER_PROC'] ?? '/proc/self'));
const source = streams.description(0)?.source;
const sink = streams.description(1)?.sink;
const errors = streams.description(2)?.sink;

/** On descriptor 3, past everything that is tested. */
function report(values: Record<string, unknown>): void {
  writeSync(3, `${JSON.stringify(values)}\n`);
}

function input(): ByteSource {
  if (source === undefined) throw new Error('descriptor 0 cannot be read');
  return source;
}

function output(): ByteSink {
  if (sink === undefined) throw new Error('descriptor 1 cannot be written');
  return sink;
}

async function copy(from: ByteSource, to: ByteSink): Promise<void> {
  for (;;) {
    const more = from.fill();
    if (!(more instanceof Promise ? await more : more)) break;
    const chunk = from.buffer.subarray(from.start, from.end);
    from.start = from.end;
    const turn = from.owned ? to.give(chunk) : to.write(chunk);
    if (turn !== undefined) await turn;
  }
  await (to === sink ? to.flush() : to.close());
}

function openDescriptors(): number {
  const links = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  // libuv keeps one /dev/null for itself.
  const mine = [0, 1].map((fd) => readlinkSync(`/proc/self/fd/${fd}`)).filter((link) => link !== '/dev/null');
  return links.filter((link) => mine.includes(link)).length;
}

const modes: Record<string, () => Promise<void>> = {
  async copy() {
    await copy(input(), output());
  },
  async pipes() {
    const first = createPipe();
    const second = createPipe();
    const third = createPipe();
    await Promise.all([
      copy(input(), first.sink),
      copy(first.source, second.sink),
      copy(second.source, third.sink),
      copy(third.source, output()),
    ]);
    report({ megabytes: process.resourceUsage().maxRSS / 1024 });
  },
  /** Waits for input that does not come, until `argument` milliseconds have passed. */
  async wait() {
    const before = openDescriptors();
    setTimeout(() => streams.abort(), Number(argument));
    const more = await input().fill();
    setImmediate(() => report({ more, left: openDescriptors() - before }));
  },
  async write() {
    const started = performance.now();
    const before = openDescriptors();
    const timer = setTimeout(() => streams.abort(), Number(argument));
    let broken = false;
    try {
      for (;;) await output().writeText('y\n'.repeat(1000));
    } catch (thrown) {
      broken = isBrokenPipe(thrown);
    }
    clearTimeout(timer);
    streams.abort();
    const after = performance.now() - started;
    setImmediate(() => report({ broken, after, left: openDescriptors() - before }));
  },
  async count() {
    for (let i = 0; i < Number(argument); i++) {
      const turn = output().writeText(`${i}\n`);
      if (turn !== undefined) await turn;
    }
    await output().flush();
  },
  async order() {
    for (let i = 0; i < Number(argument); i++) {
      await output().writeText(`${i} out\n`);
      if (i % 3 === 0) await errors?.write(Buffer.from(`${i} err\n`));
    }
    await streams.flush();
  },
  async line() {
    await output().writeText(`${(await readLine(input()))?.content}!\n`);
    await streams.flush();
    streams.settle();
  },
  /** Reads to the end, and then again: a terminal gives more after ^D. */
  async ends() {
    for (let i = 0; i < Number(argument); i++) {
      for (let line = await readLine(input()); line !== undefined; line = await readLine(input())) {
        await output().writeText(`<${line.content}>\n`);
      }
      await output().writeText('<end>\n');
      await output().flush();
    }
  },
  async facts() {
    const describe = (fd: number) => {
      const description = streams.description(fd);
      return (
        description && {
          ...description.facts,
          source: description.source !== undefined,
          sink: description.sink !== undefined,
        }
      );
    };
    report({ 0: describe(0), 1: describe(1), 9: describe(99) ?? null });
  },
};

await modes[mode]?.();
