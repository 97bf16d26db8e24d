import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BadValue } from '../../../builtins/kit/define.js';
import { blocksOf, humanSize } from '../../../builtins/kit/human.js';
import { parseDuration, parseInteger, wholeNumber } from '../../../builtins/kit/numbers.js';
import { COREUTILS, withGnu } from '../../support/gnu.js';

describe('parseInteger', () => {
  const all = { suffixes: 'bcwBkKmMgGtTPEZY0' };
  it.each([
    ['10', 10n],
    [' +10', 10n],
    ['1K', 1024n],
    ['1KiB', 1024n],
    ['1kB', 1000n],
    ['1MD', 1000000n],
    ['5b', 2560n],
    ['2c', 2n],
    ['3w', 6n],
    ['K', 1024n],
    ['0000000000000000000000000000000000000000000000012', 12n],
  ])('%s', (text, value) => expect(parseInteger(text, all)).toEqual({ kind: 'value', value }));
  it.each(['', 'x', '-1', '+', ' '])('%j is no number', (text) => expect(parseInteger(text, all).kind).toBe('invalid'));
  it.each(['1x', '1KB2', '1Ki', '1 '])('%j has a bad suffix', (text) =>
    expect(parseInteger(text, all).kind).toBe('suffix'),
  );
  it('overflows at 64 bits', () => {
    expect(parseInteger('18446744073709551615').kind).toBe('value');
    expect(parseInteger('18446744073709551616').kind).toBe('overflow');
    expect(parseInteger('9'.repeat(100_000)).kind).toBe('overflow');
    expect(parseInteger('-9223372036854775809', { signed: true }).kind).toBe('overflow');
  });
});

function message(value: number | BadValue): string {
  return value instanceof BadValue ? value.message : String(value);
}

describe('words of refusal', () => {
  it('of xdectoumax', () => {
    const lines = wholeNumber('invalid number of lines', { suffixes: 'bkKmMGTPEZY0' });
    expect(message(lines('2k'))).toBe('2048');
    expect(message(lines('x'))).toBe('invalid number of lines: ‘x’');
    expect(message(lines('99999999999999999999999'))).toBe(
      'invalid number of lines: ‘99999999999999999999999’: Value too large for defined data type',
    );
  });
});

it('parseDuration', () => {
  const rows = ['1', '1.5m', '.5s', '2h', '1d', '1e3', 'inf', '', '5M', '1.5.2', '-1', 's', '1 s'];
  expect(rows.map(parseDuration)).toEqual([
    1000,
    90_000,
    500,
    7_200_000,
    86_400_000,
    1_000_000,
    Infinity,
    ...Array.from({ length: 6 }, () => undefined),
  ]);
});

it('blocksOf rounds up', () => {
  expect([0n, 1n, 1024n, 1025n].map((bytes) => blocksOf(bytes, 1024n))).toEqual([0n, 1n, 1n, 2n]);
});

withGnu('numfmt', COREUTILS, () => {
  it('humanSize is numfmt --to=iec and --to=si, rounding up', () => {
    const near = fc
      .tuple(fc.constantFrom(1000n, 1024n), fc.integer({ min: 0, max: 5 }), fc.bigInt(-3n, 3n), fc.bigInt(1n, 1100n))
      .map(([base, power, off, times]) => base ** BigInt(power) * times + off)
      .filter((value) => value >= 0n && value < 2n ** 53n);
    const values = fc.sample(near, 400);
    for (const base of [1024, 1000] as const) {
      const { stdout } = spawnSync('numfmt', [`--to=${base === 1024 ? 'iec' : 'si'}`, '--round=up'], {
        input: values.join('\n') + '\n',
        encoding: 'utf8',
      });
      const ours = values.map((value) => humanSize(value, 1n, { base }).toUpperCase());
      expect(ours).toEqual(stdout.trimEnd().toUpperCase().split('\n'));
    }
  });
});
