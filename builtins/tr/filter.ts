/** What tr does to bytes: one pass, whatever was asked for. */

export interface Filter {
  /** The bytes that come out. `owned`: the chunk itself may be changed and returned. */
  take(chunk: Uint8Array, owned: boolean): Uint8Array;
}

/** `drop` and `squeeze`: 1 for each byte they are about; `map`: what a byte becomes. */
export function filterOf(
  map: Uint8Array | undefined,
  drop: Uint8Array | undefined,
  squeeze: Uint8Array | undefined,
): Filter {
  if (drop === undefined && squeeze === undefined && map !== undefined) return mapFilter(map);
  if (map === undefined && squeeze === undefined && drop !== undefined) return dropFilter(drop);
  const none = new Uint8Array(256);
  return generalFilter(map ?? Uint8Array.from(none, (_, byte) => byte), drop ?? none, squeeze ?? none);
}

/** Fewer bytes than this are not worth a table of pairs. */
const MANY = 1 << 20;

function mapFilter(map: Uint8Array): Filter {
  let pairs: Uint16Array | undefined;
  let seen = 0;
  return {
    take(chunk, owned) {
      const length = chunk.length;
      const out = owned ? chunk : new Uint8Array(length);
      seen += length;
      if (pairs === undefined && seen > MANY) pairs = pairTable(map);
      let i = 0;
      if (pairs !== undefined && chunk.byteOffset % 2 === 0 && out.byteOffset % 2 === 0) {
        const half = length >> 1;
        mapPairs(
          pairs,
          new Uint16Array(chunk.buffer, chunk.byteOffset, half),
          new Uint16Array(out.buffer, out.byteOffset, half),
        );
        i = half * 2;
      }
      for (; i < length; i++) out[i] = map[chunk[i] as number] as number;
      return out;
    },
  };
}

/** What two bytes become at once: half the steps for the same text. */
function pairTable(map: Uint8Array): Uint16Array {
  const pairs = new Uint16Array(65536);
  for (let high = 0; high < 256; high++) {
    const mapped = (map[high] as number) << 8;
    for (let low = 0; low < 256; low++) pairs[(high << 8) | low] = mapped | (map[low] as number);
  }
  return pairs;
}

function mapPairs(pairs: Uint16Array, from: Uint16Array, to: Uint16Array): void {
  const { length } = from;
  // Four at a time take half as long as one by one.
  let i = 0;
  for (const end = length - (length % 4); i < end; i += 4) {
    to[i] = pairs[from[i] as number] as number;
    to[i + 1] = pairs[from[i + 1] as number] as number;
    to[i + 2] = pairs[from[i + 2] as number] as number;
    to[i + 3] = pairs[from[i + 3] as number] as number;
  }
  for (; i < length; i++) to[i] = pairs[from[i] as number] as number;
}

function dropFilter(drop: Uint8Array): Filter {
  return {
    take(chunk, owned) {
      const length = chunk.length;
      const out = owned ? chunk : Buffer.allocUnsafe(length);
      let kept = 0;
      for (let i = 0; i < length; i++) {
        const byte = chunk[i] as number;
        out[kept] = byte;
        kept += 1 - (drop[byte] as number);
      }
      return out.subarray(0, kept);
    },
  };
}

function generalFilter(map: Uint8Array, drop: Uint8Array, squeeze: Uint8Array): Filter {
  /** The last byte that came out, when it is one to squeeze. */
  let last = -1;
  return {
    take(chunk, owned) {
      const length = chunk.length;
      const out = owned ? chunk : Buffer.allocUnsafe(length);
      let kept = 0;
      for (let i = 0; i < length; i++) {
        const byte = chunk[i] as number;
        if (drop[byte] === 1) continue;
        const made = map[byte] as number;
        if (made === last) continue;
        out[kept++] = made;
        last = squeeze[made] === 1 ? made : -1;
      }
      return out.subarray(0, kept);
    },
  };
}
