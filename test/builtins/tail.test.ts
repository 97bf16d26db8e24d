import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { head } from '../../builtins/head.js';
import type { FullContext } from '../../builtins/kit/context.js';
import { tail } from '../../builtins/tail.js';
import { BROKEN_PIPE } from '../../src/errors.js';
import { makeTree } from '../support/builtin-tree.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';
import { batch, oracleThere } from '../support/text-oracle.js';

const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`).join('\n');
const tree = {
  a: `${lines}\n`,
  open: lines,
  empty: '',
  z: 'x\0y\0z',
  big: 'abcdefg\n'.repeat(30_000),
  d: { dir: true },
} as const;

const rows = [
  '',
  'a',
  'a open empty',
  '-n 3 a',
  '-n3 a open',
  '-n +3 a open',
  '-n -3 a',
  '-n +0 open',
  '-n +1 open',
  '-n +100 a',
  '-n 0 a',
  '-n 100 a',
  '-c 5 a',
  '-c +5 a',
  '-c +1 a',
  '-c +0 a',
  '-c 0 a',
  '-c 1b big',
  '-c 1k big',
  '-c 100000 big',
  '-c +100000 big',
  '-n 20000 big',
  '-q -n1 a open',
  '-v -n1 a',
  '-z -n2 z',
  '-z -n +2 z',
  '--lines=2 --verbose a',
  '--bytes=2 --quiet a open',
  '-n 2 -c 5 a',
  '-3 a',
  '-3c a',
  '+18 a',
  '+5c a',
  '-1b big',
  '-3l a',
  '-n1 - a',
  'gone a d open',
  '-n x a',
  '-c 1x a',
  '-n',
  '-x',
  '--lin=1 a',
];

withGnu('tail', COREUTILS, () => {
  gnuRows(tail, rows, { tree, stdin: 'in\nput\n' });
  describe('from a pipe', () => {
    const amounts = [
      '-n 3',
      '-n 0',
      '-n 100',
      '-n 9999',
      '-n +5',
      '-c 3',
      '-c 0',
      '-c 70000',
      '-c +70000',
      '-n 20000',
      '-n +20000',
    ];
    gnuRows(tail, amounts, { stdin: `${'abcdefg\n'.repeat(30_000)}end` });
    gnuRows(tail, ['-n 2', '-n 1', '-c 2', '-n 0'], { stdin: '\n\n\n' });
  });
});

describe('head and tail of random bytes', () => {
  it.skipIf(!oracleThere())('as GNU', async () => {
    const input = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc
        .array(fc.constantFrom('a', '\n', '\0', 'xyz', '\n\n'), { maxLength: 60 })
        .map((parts) => Buffer.from(parts.join(''))),
    );
    const amount = fc.tuple(fc.constantFrom('-n', '-c'), fc.constantFrom('', '+', '-'), fc.nat(30), fc.boolean());
    const runs = fc.sample(fc.tuple(fc.boolean(), amount, input), { numRuns: 400, seed: 7 });
    await batch(
      runs.map(([first, [unit, sign, count, zero], stdin]) => ({
        builtin: first ? head : tail,
        words: [unit, `${sign}${count}`, ...(zero ? ['-z'] : [])],
        stdin: Buffer.from(stdin),
      })),
    );
  });
});

it('stops following when its reader has left', async () => {
  let polls = 0;
  const leaving = {
    ...tail,
    invoke(context: FullContext, argv: readonly string[]) {
      const write = (data: string | Uint8Array) => {
        if (data.length === 0 && ++polls > 1) throw BROKEN_PIPE;
        return context.out.write(data);
      };
      return tail.invoke(Object.create(context, { out: { value: { ...context.out, write } } }), argv);
    },
  };
  const result = await runBuiltin(leaving, ['-f', 'f'], { cwd: makeTree({ f: 'x\n' }) });
  expect(result).toMatchObject({ stdout: 'x\n', status: 141 });
});

it('follows a file until the run ends, through a cut', async () => {
  const cwd = makeTree({ f: 'old\n' });
  const path = join(cwd, 'f');
  let rounds = 0;
  const ended = new Error('the run ends');
  const ending = tail.invoke;
  const following = {
    ...tail,
    invoke(context: FullContext, argv: readonly string[]) {
      const clock = {
        now: context.clock.now,
        timeZone: 'UTC0',
        sleep: async () => {
          rounds++;
          if (rounds === 1) appendFileSync(path, 'new\n');
          if (rounds === 2) writeFileSync(path, 'cut\n');
          if (rounds === 4) throw ended;
        },
      };
      return andCaught(ending.call(tail, Object.create(context, { clock: { value: clock } }), argv));
    },
  };
  const andCaught = async (result: number | Promise<number>) => {
    await expect(result).rejects.toBe(ended);
    return 0;
  };
  const result = await runBuiltin(following, ['-n', '1', '-f', 'f'], { cwd });
  expect(result.stdout).toBe('old\nnew\ncut\n');
  expect(result.stderr).toBe('tail: f: file truncated\n');
});

it('ends the run where one line is more than memory may hold', async () => {
  const options = {
    cwd: makeTree({}),
    stdin: Array.from({ length: 40 }, () => 'x'.repeat(1000)),
    limits: { maxVariableBytes: 10_000 },
  };
  await expect(runBuiltin(tail, ['-n', '1'], options)).rejects.toThrow('maxVariableBytes');
  await expect(runBuiltin(head, ['-n', '-1'], options)).rejects.toThrow('maxVariableBytes');
  expect((await runBuiltin(tail, ['-c', '5'], { ...options, limits: { maxVariableBytes: 200_000 } })).stdout).toBe(
    'xxxxx',
  );
});
