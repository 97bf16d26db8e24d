import fc from 'fast-check';
import { it } from 'vitest';
import { cut } from '../../builtins/cut.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { batch, oracleThere } from '../support/text-oracle.js';

const tree = {
  u: 'a 1\nb:2:x::y\n\n:lead\ntrail:\nno\ttab\there\né漢字\nopen:end',
  z: 'a:b\0c:d\0e',
  one: 'single',
  empty: '',
  d: { dir: true },
} as const;

const ROWS: readonly (string | readonly string[])[] = [
  '-c 1- u',
  '-b 1,3 u',
  '-b -2 u',
  '-b 3- u',
  '-c 2-3,5 u',
  '-f 1 u',
  '-f 2 -d: u',
  '-f 2,3 -d : u',
  '-f 3,1 -d: u',
  '-f 2- -d: u',
  '-f -2 -d: u',
  '-d: -f1,3- u',
  '-d: -f2-3,5 u',
  '-d: -f 2 -s u',
  '-s -f 2 u',
  '-z -d: -f 2 z',
  '-z -c1 z',
  '--complement -d: -f 2 u',
  '--complement -c 2-3 u',
  '--complement -c 1- u',
  '--complement -f 1,3- -d: u',
  '-d: -f 1- --output-delimiter=- u',
  '-d: -f 1,3 --output-delimiter=<> u',
  '-c 1,3 --output-delimiter=- u',
  '-c 1-3,2-4 --output-delimiter=: u',
  '-c 1-2,3-4 --output-delimiter=: u',
  '-d: -f1,2 --output-delimiter= u',
  '-f 1 one u empty',
  '-f 1 - u',
  '--bytes=1 u',
  '--characters=1-2 u',
  '--fields=2 --delimiter=: --only-delimited u',
  '--fields=2 --zero-terminated --delimiter=: z',
  '',
  '-c',
  '-f',
  '-f 0 u',
  '-c 0 u',
  '-f 2-1 u',
  '-c 1-0 u',
  '-f a u',
  '-b a u',
  '-f 1-a u',
  '-f 1a u',
  '-f - u',
  '-f 1-2-3 u',
  '-c 1-2-3 u',
  '-f 0-1 u',
  '-c 0-1 u',
  '-f 1,,2 u',
  '-f , u',
  ['-f', '', 'u'],
  ['-f', '1 2', '-d ', 'u'],
  '-c 1 -f 2 u',
  '-f 1 -f 2 u',
  '-f 1 -b 2 -d xx u',
  '-d xx -f 1 -f 2 u',
  '-f 1 -f 2 -x u',
  '-c 1 -c 0 --help',
  '-c 1 -d x u',
  '-c 1 -s u',
  '-f 1 -d xx u',
  '-f 1 -d é u',
  ['-d', '', '-f1', 'u'],
  ['-d', '\n', '-f', '2', 'u'],
  ['-d', '\n', '-f', '2,4-', 'u'],
  ['-d', '\n', '-f', '2,4', '--output-delimiter=:', 'u'],
  ['-d', '\n', '-f', '1', 'one'],
  ['-d', '\n', '-f', '1', 'empty'],
  '-f 99999999999999999999999 u',
  '-c 99999999999999999999999-3 u',
  '-f 18446744073709551614 u',
  '-f1 gone u d',
  ['-f1', 'a b'],
  '-x',
  '--bad',
  '--c 1 u',
];

withGnu('cut', COREUTILS, () => {
  gnuRows(cut, ROWS, { tree, stdin: 'in\tput\n' });

  it.skipIf(!oracleThere())('any list on any lines', async () => {
    const position = fc.integer({ min: 1, max: 7 });
    const range = fc.oneof(
      position.map(String),
      fc.tuple(position, position).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
      position.map((n) => `${n}-`),
      position.map((n) => `-${n}`),
    );
    const list = fc.array(range, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(','));
    const others = fc.subarray(['-s', '--complement', '--output-delimiter=_', '-z', '-d:', '-d\n']);
    const fields = fc.tuple(list, others).map(([l, o]) => ['-f', l, ...o]);
    const bytes = fc
      .tuple(list, fc.subarray(['--complement', '--output-delimiter=_', '-z']))
      .map(([l, o]) => ['-c', l, ...o]);
    const line = fc.oneof(fc.stringMatching(/^[ab:\t\n]{0,10}$/), fc.string({ unit: 'binary', maxLength: 5 }));
    const input = fc.array(line, { maxLength: 6 }).map((lines) => Buffer.from(lines.join('\n')));
    await batch(
      fc
        .sample(fc.tuple(fc.oneof(fields, bytes), input), { numRuns: 500, seed: 19 })
        .map(([words, stdin]) => ({ builtin: cut, words, stdin: ended(words, stdin) })),
    );
  });
});

/** Of a last line that ends with its delimiter and nothing else, GNU loses the end where -z is given. */
function ended(words: readonly string[], stdin: Buffer): Buffer {
  return words.includes('-z') ? Buffer.concat([stdin, Buffer.of(0)]) : stdin;
}
