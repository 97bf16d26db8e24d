import fc from 'fast-check';
import { it } from 'vitest';
import { uniq } from '../../builtins/uniq.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { batch, oracleThere } from '../support/text-oracle.js';

const tree = {
  u: 'a 1\na 1\nA 1\nb 2\nb 3\nb 3\nb 3\n\n\nc',
  z: 'a\0a\0b\nb',
  open: 'x\nx',
  empty: '',
  high: '\udcff\n\udcff\né\nÉ\n',
  d: { dir: true },
} as const;

withGnu('uniq', COREUTILS, () => {
  gnuRows(
    uniq,
    [
      '',
      'u',
      '-c u',
      '-d u',
      '-D u',
      '--group u',
      '--group=both u',
      '--group=app u',
      '--group=prepend u',
      '--group=prepend empty',
      '--group=both empty',
      '--group -if1 u',
      '--group=both -z z',
      '--group=x u',
      '--group= u',
      '--group -c u',
      '--group -D u',
      '--group open',
      '-u u',
      '-i u',
      '-i high',
      '-f1 u',
      '-s2 u',
      '-w1 u',
      '-w0 u',
      '-cd u',
      '-cu u',
      '-ci u',
      '-cD u',
      '-Du u',
      '-du u',
      '-Dd u',
      '-Dw1 u',
      '-f1 -s1 u',
      '-f 5 u',
      '-z z',
      '-c open',
      'empty',
      '-c empty',
      '--all-repeated u',
      '--all-repeated=none u',
      '--all-repeated=prepend u',
      '--all-repeated=separate u',
      '--all-repeated=pre u',
      '--all-repeated=x u',
      '-D --all-repeated=separate u',
      '--count --ignore-case --skip-fields=1 u',
      '--repeated --skip-chars=1 u',
      '--unique --check-chars=2 u',
      '--zero-terminated z',
      '-f x u',
      '-w x u',
      '-s -1 u',
      '-f 99999999999999999999 u',
      '-f',
      'u out x',
      'gone',
      'gone out',
      'd',
      '-',
      '-x',
      '--bad',
      ['no such'],
    ],
    { tree, stdin: 'in\nin\nput' },
  );
  gnuRows(uniq, ['u out', '-c u out', '- out', 'u gone/x', 'u d', 'gone u'], { tree, stdin: 'x\nx\n', writes: true });

  it.skipIf(!oracleThere())('any lines', async () => {
    const line = fc.oneof(fc.stringMatching(/^[abAB \t]{0,4}$/), fc.string({ unit: 'binary', maxLength: 2 }));
    const input = fc
      .array(fc.tuple(line, fc.integer({ min: 1, max: 3 })), { maxLength: 10 })
      .map((runs) => Buffer.from(runs.flatMap(([text, n]) => Array.from({ length: n }, () => text)).join('\n')));
    const words = fc
      .tuple(
        fc.subarray(['-d', '-u', '-i', '-z', '-f1', '-s1', '-w2']),
        fc.constantFrom([], ['-c'], ['-D'], ['--all-repeated=prepend'], ['--all-repeated=separate']),
      )
      .map(([a, b]) => [...a, ...b]);
    await batch(
      fc
        .sample(fc.tuple(words, input), { numRuns: 500, seed: 4 })
        .map(([words, stdin]) => ({ builtin: uniq, words, stdin })),
    );
  });
});
