/** od, hexdump, strings. */
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { hexdump } from '../../builtins/hexdump.js';
import { od } from '../../builtins/od.js';
import { strings } from '../../builtins/strings.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { batch, oracleThere } from '../support/text-oracle.js';

const tree = {
  o: '\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0\x01\0\0\0\udcd0a\0\0\0\0\0\0@\0\0\0\0\t\n\udcff',
  zeros: '\0'.repeat(100),
  odd: 'abc',
  st: 'ab\0hello\0wor\tld\nxyz\udcffabcd',
  empty: '',
  d: { dir: true },
} as const;

withGnu('od', COREUTILS, () =>
  gnuRows(
    od,
    [
      'o',
      '-An -tx1 o',
      '-c o',
      '-x o',
      '-d o',
      '-o o',
      '-b o',
      '-a o',
      '-s o',
      '-i o',
      '-l o',
      '-f o',
      '-h o',
      '-Ad -tx1 o',
      '-Ax -tx2 o',
      '-tx4 o',
      '-tx8 o',
      '-td1 o',
      '-tu1 o',
      '-tu2 o',
      '-td4 o',
      '-tu4 o',
      '-td8 o',
      '-tu8 o',
      '-to1 o',
      '-to2 o',
      '-to4 o',
      '-to8 o',
      '-tf4 o',
      '-tf8 o',
      '-tf o',
      '-tx1z o',
      '-tcz o',
      '-j 3 -N 10 -tx1 o',
      '-w8 -tx1 o',
      '-v -tx1 zeros',
      '-tx1 zeros',
      '-S 3 st',
      '-S3 -Ax st o',
      '-S 2 -An st',
      '-S 4 -j 5 st',
      '-S 0 o',
      '-S 100 st',
      '-S x st',
      '-S',
      '-S 3 -c st',
      '--strings st',
      '--strings=2 st',
      '--strings=x st',
      '-S 3 gone st',
      'zeros o',
      '-tx1 -tc o',
      '-tcx1 o',
      '-tx2x1 o',
      '-tax4z o',
      '-t x o',
      '-t xC o',
      '-t xL o',
      '-t fF o',
      '-t x3 o',
      '-t f3 o',
      '-t q o',
      '-t q -N 1x o',
      '-t q -t w o',
      '-t q -A q o',
      '-t x3 --bad o',
      '-A z o',
      '-N x o',
      '-w3 -tx2 o',
      'gone',
      'gone odd',
      '-j 100 o',
      '-w o',
      'odd',
      '-tx4 odd',
      '-tx1z odd',
      '-N 0 o',
      '-N 3 odd o',
      'empty',
      '',
      '-',
      '-j 0x10 o',
      '-j 010 o',
      '-N 1b zeros',
      '-y',
      '--bad',
      '--format=x1 --address-radix=n --skip-bytes=2 --read-bytes=3 o',
      '--width=4 --output-duplicates -t c o',
    ],
    { tree, stdin: 'hello\n' },
  ),
);

withGnu('hexdump', /util-linux/, () =>
  gnuRows(
    hexdump,
    [
      '-C o',
      'o',
      '-',
      'o -',
      'gone gone',
      'gone o',
      '-C zeros',
      '-n 20 -C o',
      '-s 3 -C o',
      '-v -C zeros',
      '-b o',
      '-c o',
      '-d o',
      '-o o',
      '-x o',
      'gone',
      '-C gone o',
      '-C',
      'odd',
      '-C odd',
      '-C empty',
      '-C zeros o',
      '-n 0 -C o',
      '-q',
      '--canonical --length 5 --skip 1 o',
    ],
    { tree, stdin: 'hello\n' },
  ),
);

withGnu('strings', /GNU strings/, () =>
  gnuRows(
    strings,
    [
      'st',
      '-n 3 st',
      '-t x st',
      '-t o st',
      '-a -t d -n 2 st',
      '-f st o',
      '-3 st',
      '',
      '--bytes=2 --radix=d --print-file-name st',
    ],
    {
      tree,
      stdin: 'in\0standard',
    },
  ),
);

describe.skipIf(!oracleThere())('any bytes', () => {
  const input = fc.oneof(
    fc.uint8Array({ maxLength: 80 }),
    fc.nat(70).map((n) => new Uint8Array(n)),
  );
  const run = fc.oneof(
    fc.tuple(
      fc.constant(od),
      fc.constantFrom(
        ['-tx1'],
        ['-c'],
        ['-tfF'],
        ['-tfD'],
        ['-td2x1'],
        ['-a', '-An'],
        ['-tx8z'],
        ['-j3', '-N20', '-tu4'],
      ),
    ),
    fc.tuple(fc.constant(hexdump), fc.constantFrom(['-C'], [], ['-c'], ['-d'], ['-C', '-n17'])),
    fc.tuple(fc.constant(strings), fc.constantFrom(['-n1'], ['-n2', '-tx'])),
  );
  it('as the real tools', () =>
    batch(
      fc
        .sample(fc.tuple(run, input), { numRuns: 400, seed: 2 })
        .map(([[builtin, words], stdin]) => ({ builtin, words, stdin })),
    ));
});
