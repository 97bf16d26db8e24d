import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FullContext } from '../../builtins/kit/context.js';
import { seq } from '../../builtins/seq.js';
import { BROKEN_PIPE } from '../../src/errors.js';
import { makeTree } from '../support/builtin-tree.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';
import { batch, oracleThere } from '../support/text-oracle.js';

withGnu('seq', COREUTILS, () => {
  gnuRows(seq, [
    '5',
    '1 5',
    '5 1',
    '5 -1 1',
    '1 .5 3',
    '0 0.1 0.3',
    '0 0.1 1',
    '-1 0.1 1',
    '1 -0.1 -1',
    '-w 8 11',
    '-w -1 1',
    '-w 0.5 10',
    '-s , 3',
    '-f %g 3',
    '-f %5.2f 1 3',
    '-f x 3',
    '-f %d 3',
    '-f %g%g 3',
    '-f %%%g 2',
    '-f a%%b%gc%%d 2',
    '-f %',
    '-f % 1',
    '-f %5',
    '-f %5 1',
    '',
    '1 0 5',
    '1 2 3 4',
    'a',
    '1 a',
    '-x',
    '--bad',
    '1e3 1001',
    '0x10 17',
    '0x1p3 9',
    '1 nan',
    '-5',
    '-- -3 -1',
    '-3',
    '-3 -1',
    '-.5 1',
    '1e1 1e0 12',
    '99999999999999999999 99999999999999999999',
    '9999999999999999999999999 10000000000000000000000001',
    '9007199254740990 9007199254740995',
    '-w 1e2 101',
    '-0 1',
    '1.0 2',
    '1. 2',
    '1 1.0 3',
    '.1 .1 .5',
    '-w 1 .01 1.03',
    ['-s', '', '3'],
    ['-s', 'é<>', '3'],
    '--equal-width 9 10',
    '--separator=: 1 2',
    '--separator : 1 2',
    '--format=%03g 2',
    '-f %a 2',
    '-f %-5ge 2',
    '-f %.3e 2',
    '0.1 0.1 0.35',
    '3 -.5 1',
    '1 1 1',
    '-w -5 5 7',
    '-ws: 9 10',
    '-f %Lg 2',
    '-f %c 1',
    '-w -f %g 1',
    '1e-2 3',
    '-w 1e-2 3',
    '3x',
    '1 3 -2',
    '0 -1 -2',
    '1e18 1000000000000000001',
    '-f %.0f 2.5 3.5',
    '1 201 1000',
    '0 0.000001 0.000003',
    '1000000000000 0.1 1000000000000.5',
    '1 5 100',
    '1 2000000',
  ]);

  it.skipIf(!oracleThere())('any numbers', async () => {
    const number = fc.oneof(
      fc.integer({ min: -20, max: 20 }).map(String),
      fc.tuple(fc.integer({ min: -20, max: 20 }), fc.nat(999)).map(([a, b]) => `${a}.${b}`),
      fc.integer({ min: -30, max: 30 }).map((n) => (n / 10).toFixed(1)),
      fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -2, max: 1 })).map(([m, e]) => `${m}e${e}`),
    );
    const step = fc.oneof(fc.constantFrom('0.1', '.3', '1', '-0.1', '2.5', '-1', '1e0', '0.7'), number);
    const words = fc
      .tuple(fc.constantFrom([], ['-w'], ['-f', '%g'], ['-f', '%.2f'], ['-s', ',']), number, step, number)
      .filter(([, , by]) => Math.abs(Number(by)) >= 0.1)
      .map(([options, a, b, c]) => [...options, '--', a, b, c]);
    await batch(
      fc.sample(words, { numRuns: 500, seed: 6 }).map((words) => ({ builtin: seq, words, stdin: new Uint8Array() })),
    );
  });
});

it('goes on without end in pieces, until its reader leaves', async () => {
  let bytes = 0;
  const reader = {
    ...seq,
    invoke: (context: FullContext, argv: readonly string[]) => {
      const write = (data: string | Uint8Array): undefined => {
        bytes += data.length;
        expect(data.length).toBeLessThanOrEqual(65_536);
        if (bytes > 200_000) throw BROKEN_PIPE;
      };
      return seq.invoke(Object.create(context, { out: { value: { ...context.out, write } } }), argv);
    },
  };
  for (const words of [['1000000000'], ['inf'], ['1', '.5', '1e9'], ['-f', '%g', '1e9']]) {
    bytes = 0;
    expect((await runBuiltin(reader, words, { cwd: makeTree({}) })).status).toBe(141);
  }
});
