import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tr } from '../../builtins/tr.js';
import { makeTree } from '../support/builtin-tree.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';
import { batch, oracleThere } from '../support/text-oracle.js';

const ROWS: readonly (readonly string[])[] = [
  [],
  ['a'],
  ['a', 'b', 'c'],
  ['-d'],
  ['-d', 'a', 'b'],
  ['-d', '-s', 'a'],
  ['-ds', 'a', 'b', 'c'],
  ['-s', 'a', 'b', 'c'],
  ['-c', 'a'],
  ['-x', 'a', 'b'],
  ['--bad'],
  ['a-z', 'A-Z'],
  ['z-a', 'b'],
  ['\\n-\\t', 'b'],
  ['[:lower:]', '[:upper:]'],
  ['[:upper:]', '[:lower:]x'],
  ['[:lower:]', '[:digit:]'],
  ['[:foo:]', 'a'],
  ['[::]', 'a'],
  ['[==]', 'a'],
  ['a', '[:digit:]'],
  ['a[=l=]', 'XY'],
  ['a', '[=l=]'],
  ['[=ab=]', 'x'],
  ['a-', 'xy'],
  ['a-c-e', 'xyz'],
  ['[a*3]', 'x'],
  ['abc', '[x*2]y'],
  ['abcdefgh', '[x*]'],
  ['abc', '[x*]y[z*]'],
  ['abc', '[x*0]y'],
  ['abcdefghijkl', '[x*010]y'],
  ['l', '\\n'],
  ['\\154', '\\0'],
  ['\\x', 'y'],
  ['a\\', 'b'],
  ['\\400', 'x'],
  ['\\9', 'x'],
  ['\\\\', '/'],
  ['-c', 'a-z', '\\n'],
  ['-cs', 'a-zA-Z', '\\n'],
  ['-C', 'a-z', 'x'],
  ['-t', 'a-z', 'A'],
  ['-t', 'a-z', ''],
  ['a-z', ''],
  ['', 'a'],
  ['', ''],
  ['-s', 'l'],
  ['-s', 'l', 'r'],
  ['-cs', 'a-z'],
  ['-d', '[:alpha:]'],
  ['-cd', '[:alnum:]'],
  ['[:alpha:]', 'x'],
  ['-s', '[:space:]', ' '],
  ['[.a.]', 'b'],
  ['l', '[x*08]'],
  ['l', '[x*q]'],
  ['[:', 'ab'],
  ['[=', 'ab'],
  ['[=]=]', 'b'],
  ['[]=]', 'xyz'],
  ['[:*5]', 'x'],
  ['ab', '[:*]'],
  ['é', 'e'],
  ['--', '-d', 'x'],
  ['l', '-d'],
  ['-d', '\\r'],
  ['-c', '[:upper:][:lower:]', '[:lower:]'],
  ['-c', '[:upper:]', 'xy'],
  ['-c', '[:upper:]', 'x'],
  ['-ds', '[:digit:]', 'l'],
  ['-ds', 'l', 'o'],
  ['[:lower:][:upper:]', '[:upper:][:lower:]'],
  ['A-Z[:lower:]', 'a-z[:upper:]'],
  ['abc[:lower:]', 'x[:upper:]'],
  ['[:lower:]', 'a-z'],
  ['-t', '[:lower:]', '[:upper:]'],
  ['[a*]', 'x'],
  ['-d', '[a*]'],
  ['-ds', 'a', '[b*]'],
  ['ab', '[c*2][d*]'],
  ['-s', 'ab', '[c*]'],
  ['[:upper:]', '[:upper:]'],
  ['-c', '0-9', 'ab'],
  ['-c', '0-9', '[a*]'],
  ['[l-l]', 'x'],
  ['--truncate-set1', 'helo', 'ab'],
  ['--complement', '--delete', 'a-z'],
  ['--squeeze-repeats', 'l'],
  ['[:blank:][:cntrl:][:punct:]', '_'],
  ['-d', '[:print:]'],
  ['-d', '[:graph:][:xdigit:]'],
  ['\\a\\b\\f\\v\\t', 'abfvt'],
];

withGnu('tr', COREUTILS, () => {
  gnuRows(tr, ROWS, { stdin: 'hello World 123\t\n\n\u00e9\\-] aabbcc /[:]=.*\x07\b\f\v\0é' });

  it.skipIf(!oracleThere())('any sets on any bytes', async () => {
    const element = fc.oneof(
      fc.constantFrom(
        'a-f',
        'A-F',
        '[:lower:]',
        '[:upper:]',
        '[:digit:]',
        '[=a=]',
        '\\n',
        '\\0',
        '\\377',
        '[x*]',
        '[y*3]',
        '0-9',
      ),
      fc.stringMatching(/^[a-h0-3[\]:*=\\-]{1,3}$/),
    );
    const set = fc.array(element, { maxLength: 3 }).map((parts) => parts.join(''));
    const words = fc.oneof(
      fc.tuple(fc.subarray(['-c', '-s', '-t']), set, set).map(([flags, a, b]) => [...flags, '--', a, b]),
      fc.tuple(fc.subarray(['-c']), set).map(([flags, a]) => [...flags, '-d', '--', a]),
      fc.tuple(fc.subarray(['-c']), set).map(([flags, a]) => [...flags, '-s', '--', a]),
      fc.tuple(fc.subarray(['-c']), set, set).map(([flags, a, b]) => [...flags, '-ds', '--', a, b]),
    );
    const input = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.stringMatching(/^[a-hA-H0-3\n\t]{0,60}$/).map((text) => Buffer.from(text)),
    );
    await batch(
      fc
        .sample(fc.tuple(words, input), { numRuns: 500, seed: 15 })
        .map(([words, stdin]) => ({ builtin: tr, words, stdin })),
    );
  });
});

it('squeezes across chunks', async () => {
  const result = await runBuiltin(tr, ['-s', 'a'], { cwd: makeTree({}), stdin: ['a', 'a', 'ab', 'a'], slow: true });
  expect(result.stdout).toBe('aba');
});
