import fc from 'fast-check';
import { it } from 'vitest';
import { join } from '../../builtins/join.js';
import { COREUTILS, expectLikeGnu, gnuRows, withGnu } from '../support/gnu.js';

const tree = {
  a: '1 a\n2 b\n3 c\n',
  b: '2 x\n3 y\n4 z\n',
  c: '1,a,b\n2,c,d\n2,,e\n',
  groups: 'k 1\nk 2\nl 3\n',
  more: 'k x\nk y\nm z',
  unsorted: 'b 1\na 2\nc 3\n',
  blanks: '  1   lead\n\n2\ttab\n',
  upper: 'A 1\nb 2\n',
  lower: 'a x\nB y\n',
  empty: '',
  d: { dir: true },
} as const;

withGnu('join', COREUTILS, () => {
  gnuRows(
    join,
    [
      'a b',
      '-a1 a b',
      '-a 2 a b',
      '-a1 -a2 a b',
      '-v1 a b',
      '-v 2 a b',
      '-v1 -v2 a b',
      '-o 1.2,2.2 a b',
      '-o 0,1.2,2.2 -e X -a1 -a2 a b',
      '-o 0 -o 2.2 a b',
      '-t , c c',
      '-1 2 -2 2 a b',
      '-j 2 a b',
      '-j 1 a b',
      'groups more',
      '-a1 -a2 groups more',
      'unsorted a',
      'a unsorted',
      '--check-order unsorted a',
      '--check-order a unsorted',
      '--nocheck-order unsorted a',
      '-a1 unsorted b',
      'blanks a',
      '-e E -a1 blanks a',
      'upper lower',
      '-i upper lower',
      'a empty',
      '-a1 a empty',
      'empty a',
      'a',
      '',
      'a b c',
      'gone a',
      '-o x a b',
      '-o 3.1 a b',
      '-o 1 a b',
      '-o 1.0 a b',
      '-1 0 a b',
      '-a 3 a b',
      '-t xx a b',
      '-y',
      '-1 x a b',
      '-j 1 -1 2 a b',
      '-1 1 -1 2 a b',
      '-z a b',
      'a -',
      '- b',
      '-1 9 a b',
      ['-t', '', 'a', 'a'],
      '--ignore-case upper lower',
      '--header a b',
      '--header unsorted b',
      '--header -a1 -a2 unsorted b',
      '--header a empty',
      '--header empty empty',
      '--header empty b',
      '--header -o auto -e E a empty',
      '--header --check-order unsorted a',
      '-o auto a b',
      '-o auto -e E -a1 -a2 blanks a',
      '-o auto -e E -a1 -a2 groups more',
      '-o auto -a1 empty a',
      '-o auto -a2 empty a',
      '-o auto -o 1.2 a b',
      '-o 1.2 -o auto a b',
      '-o autox a b',
    ],
    { tree, stdin: '2 in\n' },
  );
  it('any lines', async () => {
    const file = fc
      .array(fc.tuple(fc.constantFrom('a', 'b', 'c', ''), fc.stringMatching(/^[xy ]{0,3}$/)), { maxLength: 6 })
      .map((lines) =>
        lines
          .map(([key, rest]) => `${key} ${rest}\n`)
          .sort()
          .join(''),
      );
    const words = fc.subarray(['-a1', '-a2', '-v1', '-i', '-o1.1,2.2', '-eE', '-t ', '-12', '-oauto', '--header']);
    for (const [a, b, options] of fc.sample(fc.tuple(file, file, words), { numRuns: 120, seed: 2 })) {
      await expectLikeGnu(join, [...options, 'a', 'b'], { tree: { a, b } });
    }
  });
});
