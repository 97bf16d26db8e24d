import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bytesFinder } from '../../src/text/find-bytes.js';

it('finds what indexOf finds', () => {
  const bytes = (maxLength: number) =>
    fc.array(fc.constantFrom(0x61, 0x62, 0xff), { maxLength }).map((list) => Buffer.from(list));
  fc.assert(
    fc.property(bytes(200), bytes(9), fc.nat(20), (text, literal, from) => {
      fc.pre(literal.length > 0);
      expect(bytesFinder(literal)(text, from)).toBe(text.indexOf(literal, from));
    }),
    { numRuns: 2000, seed: 1 },
  );
});
