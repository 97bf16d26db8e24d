/** The two parts of a device number, as Linux packs them. */

export function majorOf(device: bigint): bigint {
  return ((device >> 8n) & 0xfffn) | ((device >> 32n) & 0xfffff000n);
}

export function minorOf(device: bigint): bigint {
  return (device & 0xffn) | ((device >> 12n) & 0xffffff00n);
}
