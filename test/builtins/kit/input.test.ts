import { describe, expect, it } from 'vitest';
import { defineBuiltin } from '../../../builtins/kit/define.js';
import { eachChunk, eachLine } from '../../../builtins/kit/input.js';
import { lineWriter } from '../../../builtins/kit/output.js';
import { makeTree } from '../../support/builtin-tree.js';
import { runBuiltin } from '../../support/run-builtin.js';

const lines = defineBuiltin({
  name: 'lines',
  summary: 'show lines',
  usage: 'lines [-u N] [FILE]...',
  needs: ['read'],
  flags: { until: { short: 'u', value: 'N', help: 'stop after N lines' }, zero: { short: 'z', help: 'NUL' } },
  statuses: { 0: 'fine' },
  run(context) {
    const out = lineWriter(context.out);
    let left = Number(context.flags.until ?? Number.POSITIVE_INFINITY);
    const status = eachLine(context, context.operands, context.flags.zero ? 0 : 10, (line, ended, operand) => {
      const waiting = out.write(`${operand}:${line.length > 20 ? line.length : line}${ended ? '$' : ''}\n`);
      const stop = --left === 0;
      return waiting === undefined ? stop : waiting.then(() => stop);
    });
    const finish = (result: number) => {
      const waiting = out.end();
      return waiting === undefined ? result : waiting.then(() => result);
    };
    return typeof status === 'number' ? finish(status) : status.then(finish);
  },
});

const chunks = defineBuiltin({
  name: 'chunks',
  summary: 'count bytes',
  usage: 'chunks [FILE]...',
  needs: ['read'],
  flags: {},
  statuses: { 0: 'fine' },
  run(context) {
    let bytes = 0;
    const status = eachChunk(context, context.operands, (chunk) => {
      bytes += chunk.length;
      return undefined;
    });
    const finish = (result: number) => {
      context.out.write(`${bytes}\n`);
      return result;
    };
    return typeof status === 'number' ? finish(status) : status.then(finish);
  },
});

for (const slow of [false, true]) {
  describe(slow ? 'input that waits' : 'input that does not wait', () => {
    it('goes on after a file that fails, with status 1', async () => {
      const cwd = makeTree({ a: 'one\ntwo', d: { dir: true } });
      const result = await runBuiltin(lines, ['a', 'gone', 'd', '-'], { cwd, slow, stdin: 'x\n\n' });
      expect(result.stdout).toBe('a:one$\na:two\n-:x$\n-:$\n');
      expect(result.stderr).toBe('lines: gone: No such file or directory\nlines: d: Is a directory\n');
      expect(result.status).toBe(1);
    });

    it('ends the run at a line that has no end', async () => {
      const stdin = Array.from({ length: 20 }, () => 'x'.repeat(100));
      const options = { cwd: makeTree({}), slow, stdin, limits: { maxStringBytes: 1000 } };
      await expect(runBuiltin(lines, [], options)).rejects.toMatchObject({ code: 'limit', limit: 'maxStringBytes' });
    });

    it('puts lines together across chunks and keeps each byte', async () => {
      const cwd = makeTree({});
      const stdin = ['a', 'b\nc', Buffer.from([0xff, 0x0a, 0xfe]), 'd'];
      const result = await runBuiltin(lines, [], { cwd, slow, stdin });
      expect(result.stdoutBytes.toString('latin1')).toBe('-:ab$\n-:c\xff$\n-:\xfed\n');
    });

    it('leaves what it did not look at in the source', async () => {
      const cwd = makeTree({});
      const result = await runBuiltin(lines, ['-u', '2'], { cwd, slow, stdin: ['1\n', '2\n3\n', '4\n'] });
      expect(result.stdout).toBe('-:1$\n-:2$\n');
      expect(result.left).toBe('3\n4\n');
    });

    it('counts every byte of many chunks, with a tick for each', async () => {
      const cwd = makeTree({ big: { size: 300_000 } });
      const result = await runBuiltin(chunks, ['big', '-'], { cwd, slow, stdin: 'abc' });
      expect(result.stdout).toBe('300003\n');
      expect(result.ticks).toBeGreaterThanOrEqual(5);
    });
  });
}

it('reads a line of 32 MB in 4096 chunks in linear time', async () => {
  const chunk = Buffer.alloc(8192, 0x61);
  const stdin = Array.from({ length: 4096 }, () => chunk);
  const start = performance.now();
  const result = await runBuiltin(lines, [], { cwd: '/', stdin });
  expect(result.stdout).toBe(`-:${8192 * 4096}\n`);
  expect(performance.now() - start).toBeLessThan(3000);
});

it('survives 20,000 chunks of one line each without recursion', async () => {
  const stdin = Array.from({ length: 20_000 }, () => 'x\n');
  for (const slow of [false, true]) {
    const result = await runBuiltin(lines, [], { cwd: '/', stdin, slow });
    expect(result.stdout.length).toBe(20_000 * 5);
  }
});

it('answers at once when nothing waits', () => {
  const context = { cwd: makeTree({ a: 'x\n' }) };
  return expect(runBuiltin(lines, ['a'], context)).resolves.toMatchObject({ status: 0 });
});

it('complains of a closed standard input', async () => {
  const result = await runBuiltin(lines, [], { cwd: '/', stdin: 'closed' });
  expect(result).toMatchObject({ stderr: 'lines: -: Bad file descriptor\n', status: 1 });
});
