/** Addresses of the network as procfs writes them, in hexadecimal, and as people read them. */

/** Four bytes as the kernel keeps them in memory: the last comes first in the text of a little-endian number. */
export function ipv4FromHex(hex: string): string {
  return (hex.match(/../g) ?? [])
    .reverse()
    .map((byte) => Number.parseInt(byte, 16))
    .join('.');
}

/** /proc/net/tcp6: four such words, one after the other. */
export function ipv6FromWords(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => (word.match(/../g) ?? []).reverse());
  return ipv6FromHex(bytes.join(''));
}

/** RFC 5952, of 32 digits in the order of the network. */
export function ipv6FromHex(hex: string): string {
  const words = (hex.match(/.{4}/g) ?? []).map((word) => Number.parseInt(word, 16));
  const isMapped = words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff;
  if (isMapped) {
    const bytes = [...hex.slice(24).matchAll(/../g)].map(([byte]) => Number.parseInt(byte, 16));
    return `::ffff:${bytes.join('.')}`;
  }
  const zeros = longestZeros(words);
  const text = (part: readonly number[]): string => part.map((word) => word.toString(16)).join(':');
  if (zeros.length < 2) return text(words);
  return `${text(words.slice(0, zeros.start))}::${text(words.slice(zeros.start + zeros.length))}`;
}

function longestZeros(words: readonly number[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < words.length; start++) {
    let length = 0;
    while (words[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  return best;
}
