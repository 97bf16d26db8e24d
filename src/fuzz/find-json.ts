/** What a campaign tells, as JSON that says all of it: a file's bytes are `{ "hex": "00ff" }`, which no other entry of a tree is. */

/** JSON on one line. Times in nanoseconds are strings of digits. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key, one: unknown) {
    // A Buffer has its own way, which would come first.
    const itself = this[key];
    if (itself instanceof Uint8Array) return { hex: Buffer.from(itself).toString('hex') };
    return typeof one === 'bigint' ? `${one}` : one;
  });
}

/** What `toJson` wrote. Throws SyntaxError. */
export function fromJson(text: string): unknown {
  return JSON.parse(text, (key, one: unknown) => {
    if (key === 'mtimeNs' && typeof one === 'string') return BigInt(one);
    if (typeof one !== 'object' || one === null || !('hex' in one) || typeof one.hex !== 'string') return one;
    return Object.keys(one).length === 1 ? new Uint8Array(Buffer.from(one.hex, 'hex')) : one;
  });
}
