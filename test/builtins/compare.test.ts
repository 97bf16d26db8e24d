/** cmp, expand, unexpand. */
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { cmp } from '../../builtins/cmp.js';
import { expand } from '../../builtins/expand.js';
import { unexpand } from '../../builtins/unexpand.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { batch, oracleThere } from '../support/text-oracle.js';

const tree = {
  a: 'a\nb\nc\n',
  b: 'b\nc\nd',
  open: 'a\nb',
  more: 'a\nb\nc\nd\n',
  bytes: 'a\x01\udcff\n',
  other: 'a\x02é\n',
  long1: `${'x'.repeat(100_000)}1`,
  long2: `${'x'.repeat(100_000)}2`,
  empty: '',
  e: 'a\tb\t\tc\n  \tx\b\ty\n\t\n \t\tz',
  u: '        a       b  c\n   x        y\n \t z\n         w \n   ',
  d: { dir: true },
} as const;

withGnu('cmp', /GNU diffutils/, () =>
  gnuRows(
    cmp,
    [
      'a a',
      'a b',
      '-l a b',
      '-s a b',
      '-b a b',
      '-bl bytes other',
      '-b bytes other',
      '-i 2 a b',
      '-i 2:0 a b',
      '-n 1 a b',
      '-n 1 a open',
      '-n 2 a open',
      'a',
      '',
      'a gone',
      'a d',
      'b a 0 2',
      'b a 1',
      '-ls a b',
      '-n x a b',
      '-i x a b',
      'a a a',
      'empty a',
      'a empty',
      'empty empty',
      'open a',
      'a open',
      'a more',
      '-l a more',
      '-s a more',
      '-s a gone',
      'long1 long2',
      '- a',
      'a -',
      '- -',
      '--silent a b',
      '--verbose --bytes=3 a b',
      '--print-bytes --ignore-initial=1 a b',
      'a b 0 0 x',
      '-i 1 -i 0 a b',
      '-i 2:1 -i 1 a b',
      '-i 0:2 -i 1:0 -l a more',
      '-i 1 a b 0 2',
    ],
    { tree, stdin: 'a\nx' },
  ),
);

withGnu('expand', COREUTILS, () =>
  gnuRows(
    expand,
    [
      'e',
      '-t 4 e',
      '-t 2,5 e',
      '-i e',
      '-t 2,/4 e',
      '-t 2,+3 e',
      '-t /4 e',
      '-t +4 e',
      '-t x e',
      '-t 0 e',
      '-t 5,3 e',
      '-4 e',
      '-t 4,/3,5 e',
      '-t 4/3 e',
      '-t 99999999999999999999 e',
      ['-t', '', 'e'],
      ['-t', '2 5', 'e'],
      '-i -t 3 e',
      'gone e',
      'd',
      '-x',
      '',
      '--initial --tabs=6 e',
    ],
    { tree, stdin: 'in\tput' },
  ),
);

withGnu('unexpand', COREUTILS, () =>
  gnuRows(
    unexpand,
    [
      'u',
      '-a u',
      '-t 4 u',
      '-t 2,5 u',
      '--first-only -t 4 u',
      '-a -t 3 u',
      '-t x u',
      '-t 2,/4 u',
      '-t 3,+2 u',
      'gone u',
      '-x',
      '',
      '--all --tabs=5 u',
      'u u',
    ],
    { tree, stdin: '        in  put' },
  ),
);

describe.skipIf(!oracleThere())('any blanks', () => {
  const input = fc
    .array(fc.constantFrom(' ', '  ', '\t', 'a', '\b', '\n', 'xyz', '       '), { maxLength: 30 })
    .map((parts) => Buffer.from(parts.join('')));
  const words = fc.constantFrom([], ['-t3'], ['-t2,7,9'], ['-t4,/6'], ['-t3,+5'], ['-t1']);
  const run = fc.tuple(fc.constantFrom(expand, unexpand), fc.boolean(), words, input);
  it('as GNU', () =>
    batch(
      fc.sample(run, { numRuns: 500, seed: 3 }).map(([builtin, more, list, stdin]) => ({
        builtin,
        words: more ? [builtin === expand ? '-i' : '-a', ...list] : list,
        stdin,
      })),
    ));
});
