import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  byteLength,
  codePoints,
  compareBytes,
  decode,
  encode,
  fromByteString,
  sliceCodePoints,
  toByteString,
} from '../../src/text/bytes.js';

/** Bytes in which valid, cut and overlong sequences are common. */
const byteStrings = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 4 }),
      fc.string({ unit: 'grapheme', maxLength: 3 }).map((text) => Uint8Array.from(Buffer.from(text))),
      fc
        .constantFrom('c3', 'a9', 'e282', 'f09f98', '80', 'eda080', 'c080', 'f4908080', 'efbfbd')
        .map((hex) => Uint8Array.from(Buffer.from(hex, 'hex'))),
    ),
    { maxLength: 8 },
  )
  .map((chunks) => Buffer.concat(chunks));

describe('decode and encode', () => {
  it('give back every byte string', () => {
    fc.assert(fc.property(byteStrings, (bytes) => encode(decode(bytes)).equals(bytes)));
  });

  it('leave valid text as JavaScript has it', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => decode(encode(text)) === text));
  });

  it('make one surrogate of each byte that is not UTF-8', () => {
    expect(decode(Buffer.from([0x61, 0xc3, 0xff, 0xc3, 0xa9]))).toBe('a\udcc3\udcffé');
    expect(decode(Buffer.from([0xed, 0xb2, 0x80]))).toBe('\udced\udcb2\udc80');
  });

  it('write U+FFFD for a surrogate that is no byte', () => {
    expect(encode('\ud800x\udc7f').toString()).toBe('\ufffdx\ufffd');
  });

  it('count bytes without encoding', () => {
    fc.assert(fc.property(byteStrings, (bytes) => byteLength(decode(bytes)) === bytes.length));
    expect(byteLength('\ud800\udcff')).toBe(4); // together they are U+100FF
  });

  it('agree with byte strings', () => {
    fc.assert(fc.property(byteStrings, (bytes) => toByteString(decode(bytes)) === bytes.toString('latin1')));
    fc.assert(fc.property(byteStrings, (bytes) => fromByteString(bytes.toString('latin1')) === decode(bytes)));
  });
});

describe('compareBytes', () => {
  it('orders as the bytes do', () => {
    fc.assert(
      fc.property(byteStrings, byteStrings, byteStrings, (prefix, a, b) => {
        const [x, y] = [Buffer.concat([prefix, a]), Buffer.concat([prefix, b])];
        return Math.sign(compareBytes(decode(x), decode(y))) === Buffer.compare(x, y);
      }),
      { numRuns: 2000 },
    );
  });

  it('puts U+FFFD before U+1F600, which JavaScript does not', () => {
    expect(compareBytes('\ufffd', '\u{1f600}')).toBeLessThan(0);
  });
});

describe('code points', () => {
  it('count an invalid byte and a character above U+FFFF as one', () => {
    expect(codePoints('a\u{1f600}\udcff')).toBe(3);
    expect(sliceCodePoints('a\u{1f600}\udcffz', 1, 3)).toBe('\u{1f600}\udcff');
    expect(sliceCodePoints('a\u{1f600}b', 2)).toBe('b');
    expect(sliceCodePoints('ab', 5, 7)).toBe('');
  });
});
