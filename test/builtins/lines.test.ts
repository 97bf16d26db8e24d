/** Commands that take lines apart and put them together: comm, paste, rev, tac, fold, nl. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comm } from '../../builtins/comm.js';
import { fold } from '../../builtins/fold.js';
import { nl } from '../../builtins/nl.js';
import { paste } from '../../builtins/paste.js';
import { rev } from '../../builtins/rev.js';
import { tac } from '../../builtins/tac.js';
import { makeTree } from '../support/builtin-tree.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';
import { batch, oracleThere } from '../support/text-oracle.js';

const tree = {
  a: 'a\nb\nc\n',
  b: 'b\nc\nd',
  unsorted: 'b\na\n',
  pages: 'a\n\n\\:\\:\nb\n\n\n\nc\n\\:\\:\\:\nh\n\\:\nf\n',
  wide: 'hello world\tfoo bar\nx\b\by\rz\n  lead\n\n',
  z: 'x\0y\0',
  empty: '',
  d: { dir: true },
} as const;

withGnu('comm', COREUTILS, () =>
  gnuRows(
    comm,
    [
      'a b',
      '-1 a b',
      '-2 a b',
      '-3 a b',
      '-12 a b',
      '-23 a b',
      '-123 a b',
      'unsorted a',
      'a unsorted',
      'unsorted unsorted',
      '--check-order unsorted a',
      '--check-order unsorted unsorted',
      '--nocheck-order unsorted a',
      '--output-delimiter=: a b',
      '--output-delimiter=: -1 a b',
      '--output-delimiter= a b',
      '--total a b',
      '--total -1 a b',
      '-z z a',
      'a empty',
      'empty a',
      'a',
      '',
      'a b c',
      'a gone',
      '-x',
      'a -',
      '- a',
    ],
    { tree, stdin: 'b\nx\n' },
  ),
);

withGnu('paste', COREUTILS, () =>
  gnuRows(
    paste,
    [
      'a b',
      '-d : a b',
      ['-d', '', 'a', 'b'],
      '-d :- a b unsorted',
      '-d \\0 a b',
      '-d \\n a b',
      '-d \\t\\\\ a b unsorted',
      '-d a\\ a b',
      '-d a\\qb a b unsorted',
      '-s a b',
      '-s -d :- a b',
      '-s empty a',
      '-',
      '- -',
      'a - -',
      'a - b',
      '',
      'gone a',
      'd a',
      'a d',
      'a d b',
      '-s gone a',
      '-z a z',
      '-sz z',
      '--serial --delimiters=, a',
      '-x',
      '-d é a b',
    ],
    { tree, stdin: 'in\nput\n3' },
  ),
);

it('tac keeps records of every length whole', async () => {
  const lengths = [0, 1, 47, 48, 49, 65_534, 65_535, 65_536, 65_537, 200_000, 3, 0, 70_000, 1];
  const records = lengths.flatMap((length, i) => [`${i}${'x'.repeat(length)}\n`, ...Array(500).fill(`${i}\n`)]);
  for (const slow of [false, true]) {
    const result = await runBuiltin(tac, [], { cwd: '/', stdin: records.join(''), slow });
    expect(result.stdout === [...records].reverse().join('')).toBe(true);
  }
});

withGnu('tac', COREUTILS, () =>
  gnuRows(
    tac,
    [
      '',
      'a',
      'b a',
      'b b',
      '-b b',
      '-s b a',
      '-b -s b a',
      '-s bc a',
      '--separator=c --before a b',
      'gone a',
      'empty',
      '-x',
      ['-s', 'ab\nb', 'a'],
      '-s x\nx a',
      '- -',
      '- - a',
      '-r a',
      ['-r', '-s', '', 'a'],
      '-rs [bc] a b',
      '-rs [bc]* a b',
      '-rbs [bc]+ a b',
      '-rs . a',
      '-rs [^a] a',
      '-rs ^ a',
      '-rs c$ a',
      ['-rs', '\\(b\\|c\n\\)', 'a'],
      ['-rs', 'b\\|', 'a'],
      ['-rs', '\\(', 'a'],
      ['-rs', 'b\\{2\\}', 'a'],
      '-rs b{2} a',
      '-rs * a',
      '-rs + a',
      '--regex --separator=[0-9]x\\? wide',
    ],
    { tree, stdin: 'in\nput' },
  ),
);

it('tac -r does not take back-references', async () => {
  const { stderr, status } = await runBuiltin(tac, ['-rs', '\\(a\\)\\1'], { cwd: makeTree({}), stdin: 'aa' });
  expect({ stderr, status }).toEqual({
    stderr: 'tac: back-references are not supported in a separator\n',
    status: 1,
  });
});

withGnu('fold', COREUTILS, () =>
  gnuRows(
    fold,
    [
      'wide',
      '-w 5 wide',
      '-sw 8 wide',
      '-b -w 3 wide',
      '-w 0 wide',
      '-w x wide',
      '-5 wide',
      '-s -w 20 wide',
      '-s -w 3 wide',
      '-w 1 wide',
      '-bs -w 5 wide',
      'gone wide',
      '--spaces --width=6 --bytes wide',
      '-x',
      '-w 3',
      'd',
    ],
    { tree, stdin: 'standard' },
  ),
);

withGnu('nl', COREUTILS, () =>
  gnuRows(
    nl,
    [
      'pages',
      '-ba pages',
      '-bn pages',
      '-bt pages',
      '-bpb pages',
      '-b p^[ab] pages',
      '-v 5 -i 2 pages',
      '-w 3 -s : pages',
      '-n ln pages',
      '-n rz pages',
      '-n rn pages',
      '-n xx pages',
      '-l 2 -ba pages',
      '-l 3 -ba pages',
      '-p pages',
      '-d xy pages',
      '-d x pages',
      '-h a -f a pages',
      '-b x pages',
      '-h x pages',
      '-f x pages',
      '-w 0 pages',
      '-i x pages',
      '-v -3 pages',
      '-n rz -v -3 pages',
      ['-s', '', 'pages'],
      'a b',
      '- a',
      'gone a',
      'd',
      '-x',
      '-b p[',
      '--body-numbering=a --number-width=2 --number-format=ln --number-separator=- a',
      '-l 0 a',
      '-w x a',
    ],
    { tree, stdin: 'in\n\nput' },
  ),
);

withGnu('rev', /util-linux/, () =>
  gnuRows(rev, ['', '-', 'a -', 'a b', 'gone a', 'wide', 'empty', '-x'], { tree, stdin: 'héllo\n\n漢字 end' }),
);

it('rev turns a line of many blocks round, and keeps characters whole', async () => {
  // An odd length: pairs of surrogates lie across the ends of blocks.
  const line = `${'ab€😀'.repeat(40_000)}c`;
  const { stdout } = await runBuiltin(rev, [], { cwd: makeTree({}), stdin: `${line}\n` });
  expect(stdout === `${Array.from(line).reverse().join('')}\n`).toBe(true);
});

describe.skipIf(!oracleThere())('any input', () => {
  const input = fc
    .array(
      fc.oneof(
        fc.constantFrom('a', 'b', '\n', '\n\n', ' ', '\t', '\b', '\r', '\\:', '\\:\\:\n', 'é'),
        fc.string({ maxLength: 3 }),
      ),
      { maxLength: 30 },
    )
    .map((parts) => Buffer.from(parts.join('')));
  const run = fc.oneof(
    fc.tuple(
      fc.constant(tac),
      fc.constantFrom([], ['-b'], ['-s', 'a'], ['-bs', 'ab'], ['-s', '\n\n'], ['-rs', '[ab]+'], ['-rbs', ' *\n']),
    ),
    fc.tuple(fc.constant(fold), fc.constantFrom(['-w3'], ['-sw', '7'], ['-bw', '2'], ['-w', '9'], ['-sbw4'])),
    fc.tuple(fc.constant(nl), fc.constantFrom([], ['-ba'], ['-ba', '-l2'], ['-p'], ['-ha', '-fa', '-nrz'])),
    fc.tuple(fc.constant(paste), fc.constantFrom(['-', '-'], ['-s'], ['-sd', ':,'], ['-d', 'x\\0', '-', '-', '-'])),
  );
  it('as GNU', () =>
    batch(
      fc
        .sample(fc.tuple(run, input), { numRuns: 400, seed: 8 })
        .map(([[builtin, words], stdin]) => ({ builtin, words, stdin })),
    ));
});
