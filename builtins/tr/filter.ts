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

function mapFilter(map: Uint8Array): Filter {
  return {
    take(chunk, owned) {
      const length = chunk.length;
      const out = owned ? chunk : Buffer.allocUnsafe(length);
      for (let i = 0; i < length; i++) out[i] = map[chunk[i] as number] as number;
      return out;
    },
  };
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
