import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Int } from '../../src/text/int64.js';
import * as int64 from '../../src/text/int64.js';

const ints: fc.Arbitrary<Int> = fc
  .oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.maxSafeInteger().map(BigInt),
    fc.integer({ min: -70, max: 70 }).map(BigInt),
    fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, 2n ** 53n, 2n ** 53n - 1n, -(2n ** 53n), 2n ** 31n, 2n ** 32n),
  )
  .map(int64.wrap);

/** One representation for each value, and never -0. */
function isNormal(value: Int): boolean {
  return typeof value === 'number'
    ? Number.isSafeInteger(value) && !Object.is(value, -0)
    : typeof int64.wrap(value) === 'bigint';
}

const OPERATIONS: Record<string, [(a: Int, b: Int) => Int, (a: bigint, b: bigint) => bigint]> = {
  add: [int64.add, (a, b) => a + b],
  sub: [int64.sub, (a, b) => a - b],
  mul: [int64.mul, (a, b) => a * b],
  div: [int64.div, (a, b) => a / b],
  rem: [int64.rem, (a, b) => a % b],
  and: [int64.and, (a, b) => a & b],
  or: [int64.or, (a, b) => a | b],
  xor: [int64.xor, (a, b) => a ^ b],
  shl: [int64.shl, (a, b) => a << (b & 63n)],
  shr: [int64.shr, (a, b) => a >> (b & 63n)],
};

describe('64-bit arithmetic', () => {
  for (const [name, [ours, exact]] of Object.entries(OPERATIONS)) {
    it(`${name} is exact and wraps`, () => {
      fc.assert(
        fc.property(ints, ints, (a, b) => {
          fc.pre(b !== 0 || (name !== 'div' && name !== 'rem'));
          const result = ours(a, b);
          expect(isNormal(result)).toBe(true);
          expect(BigInt(result)).toBe(BigInt.asIntN(64, exact(BigInt(a), BigInt(b))));
        }),
        { numRuns: 500 },
      );
    });
  }

  it('pow wraps', () => {
    fc.assert(
      fc.property(ints, fc.integer({ min: 0, max: 200 }), (a, b) => {
        expect(BigInt(int64.pow(a, b))).toBe(BigInt.asIntN(64, BigInt(a) ** BigInt(b)));
      }),
    );
  });

  it('compare, neg and not', () => {
    fc.assert(
      fc.property(ints, ints, (a, b) => {
        expect(int64.compare(a, b)).toBe(BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0);
        expect(BigInt(int64.neg(a))).toBe(BigInt.asIntN(64, -BigInt(a)));
        expect(BigInt(int64.not(a))).toBe(~BigInt(a));
      }),
    );
  });
});

describe('constants', () => {
  it.each<[string, Int | undefined]>([
    ['0', 0],
    ['007', 7],
    ['08', undefined],
    ['0x', undefined],
    ['0X1f', 31],
    ['1a', undefined],
    ['', undefined],
    ['-1', undefined],
    ['9223372036854775807', int64.INT_MAX],
    ['9223372036854775808', int64.INT_MIN],
    ['0xffffffffffffffff', -1],
    ['18446744073709551617', 1],
    ['2#101', 5],
    ['36#zZ', 35 * 36 + 35],
    ['64#_@', 63 * 64 + 62],
    ['64#aA', 10 * 64 + 36],
    ['65#1', undefined],
    ['2#2', undefined],
    ['#1', undefined],
  ])('%s', (text, value) => expect(int64.parseConstant(text)).toBe(value));

  it.each<[string, Int | undefined]>([
    [' -12\n', -12],
    ['+0x10', 16],
    ['-9223372036854775808', int64.INT_MIN],
    ['- 1', undefined],
    ['x', undefined],
  ])('signed %j', (text, value) => expect(int64.parseInt64(text)).toBe(value));

  it('reads what format writes', () => {
    fc.assert(fc.property(ints, (a) => int64.parseInt64(int64.format(a)) === a));
  });
});
