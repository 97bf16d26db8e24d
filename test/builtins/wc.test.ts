import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wc } from '../../builtins/wc.js';
import { makeTree } from '../support/builtin-tree.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';
import { batch, oracleThere } from '../support/text-oracle.js';

const tree = {
  a: 'one two\nthree\n\n',
  open: 'no end',
  wide: 'é漢字\u00a0x\t\tend\u3000y\n\u200b\u0301a\u00ad\n',
  bad: '\udcff \udc80a\n\x01\x02 \x7f\n',
  long: `${'x'.repeat(100_000)}\n`,
  empty: '',
  returns: 'abc\rde\ff\vg\n',
  d: { dir: true },
} as const;

withGnu('wc', COREUTILS, () => {
  gnuRows(
    wc,
    [
      '',
      '-',
      'a',
      'a open wide bad long',
      '-l a',
      '-w a open',
      '-c a open',
      '-m wide',
      '-L wide',
      '-L returns a open',
      '-lw a',
      '-lwcmL a wide bad returns',
      '--lines a',
      '--words --chars wide bad',
      '--bytes --max-line-length a',
      '-l',
      '-c -',
      '-l - a',
      'gone a d',
      '-l d',
      '-l gone',
      'd',
      'empty',
      '-x a',
      '--lin a',
      ['a', 'a b'],
    ],
    { tree, stdin: 'in put\nx' },
  );

  it.skipIf(!oracleThere())('counts random bytes', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ' ',
        '\n',
        '\t',
        'word',
        'é',
        '漢',
        '\u00a0',
        '\u2028',
        '\u3000',
        '\x01',
        '\x85',
        '\r',
        '\u0301',
        '\u2060',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
      fc.uint8Array({ maxLength: 4 }),
    );
    const input = fc
      .array(piece, { maxLength: 40 })
      .map((parts) => Buffer.concat(parts.map((part) => Buffer.from(part))));
    const flags = fc.subarray(['-l', '-w', '-c', '-m', '-L']);
    await batch(
      fc.sample(fc.tuple(flags, input), { numRuns: 400, seed: 11 }).map(([words, stdin]) => ({
        builtin: wc,
        // The file's size decides the width of the columns; ours reads it as a pipe.
        words: words.length === 1 ? words : ['-m'],
        stdin,
      })),
    );
  });
});

it('puts characters together that chunks have cut', async () => {
  const bytes = Buffer.from('é漢😀 a\n');
  const stdin = Array.from(bytes, (byte) => Uint8Array.of(byte));
  const result = await runBuiltin(wc, ['-lwmcL'], { cwd: makeTree({}), stdin });
  expect(result.stdout).toBe('      1       2       6      12       7\n');
});
