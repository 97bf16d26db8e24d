/** Looking for a few bytes in many. */

/** Where the bytes are in `bytes[from..)`, or -1. */
export type FindBytes = (bytes: Buffer, from: number) => number;

/**
 * Horspool's way: most bytes are never looked at. Its worst case is the product of both lengths, so it is for literals of a line's
 * length at most; of short ones and long ones Buffer's own search is the better.
 */
export function bytesFinder(literal: Uint8Array): FindBytes {
  const { length } = literal;
  if (length < 4 || length > 64) {
    const wanted = Buffer.from(literal);
    return (bytes, from) => bytes.indexOf(wanted, from);
  }
  const last = literal[length - 1] as number;
  const skip = new Int32Array(256).fill(length);
  for (let i = 0; i < length - 1; i++) skip[literal[i] as number] = length - 1 - i;
  return (bytes, from) => {
    for (let at = from + length - 1; at < bytes.length; ) {
      const byte = bytes[at] as number;
      if (byte === last) {
        let back = length - 2;
        while (back >= 0 && bytes[at - length + 1 + back] === literal[back]) back--;
        if (back < 0) return at - length + 1;
      }
      at += skip[byte] as number;
    }
    return -1;
  };
}
