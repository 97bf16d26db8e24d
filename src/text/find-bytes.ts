/** Looking for a few bytes in many. */

/** Where the bytes are in `bytes[from..)`, or -1. */
export type FindBytes = (bytes: Buffer, from: number) => number;

/**
 * Horspool's way, by two bytes: most bytes are never looked at, and of two at once few are elsewhere in the literal, so that the steps
 * are long. Its worst case is the product of both lengths, so it is for literals of a line's length at most; of short ones and long
 * ones Buffer's own search is the better.
 */
export function bytesFinder(literal: Uint8Array): FindBytes {
  const { length } = literal;
  if (length < 4 || length > 64) {
    const wanted = Buffer.from(literal);
    return (bytes, from) => bytes.indexOf(wanted, from);
  }
  const last = literal[length - 1] as number;
  const lastButOne = literal[length - 2] as number;
  /** By the sum of a byte and 16 times the one before: how far the literal can move on where those two are under its end. */
  const skip = new Uint8Array(4096 + 256).fill(length - 1);
  for (let i = 1; i < length; i++) {
    skip[(literal[i - 1] as number) * 16 + (literal[i] as number)] = length - 1 - i;
  }
  const atEnd = lastButOne * 16 + last;
  /** How far to move on from an end that is alike. */
  let again = length - 1;
  for (let i = 1; i < length - 1; i++)
    if ((literal[i - 1] as number) * 16 + (literal[i] as number) === atEnd) again = length - 1 - i;
  return (bytes, from) => {
    const { length: end } = bytes;
    for (let at = from + length - 1; at < end; ) {
      const step = skip[(bytes[at - 1] as number) * 16 + (bytes[at] as number)] as number;
      if (step !== 0) {
        at += step;
        continue;
      }
      let back = length - 1;
      while (back >= 0 && bytes[at - length + 1 + back] === literal[back]) back--;
      if (back < 0) return at - length + 1;
      at += again;
    }
    return -1;
  };
}
