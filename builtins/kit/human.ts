/** Sizes for people, as gnulib's human_readable prints them: rounded up, one decimal below ten. */

export interface HumanStyle {
  /** What a power is of: 1024 (`-h`) or 1000 (`--si`). */
  readonly base: 1024 | 1000;
}

const POWERS = 'KMGTPEZY';

/** `amount` units of `from` bytes, as `1.5K`, `12M`, `0`. */
export function humanSize(amount: bigint, from: bigint, style: HumanStyle): string {
  const base = BigInt(style.base);
  let value = amount * from;
  let tenths = 0n;
  /** Something below the tenths was cut off. */
  let more = false;
  let power = 0;
  while (base <= value && power < POWERS.length) {
    const tens = (value % base) * 10n + tenths;
    value /= base;
    tenths = tens / base;
    more ||= tens % base !== 0n;
    power++;
  }
  let decimal = '';
  if (power > 0 && value < 10n) {
    if (more) {
      tenths++;
      more = false;
      if (tenths === 10n) {
        value++;
        tenths = 0n;
      }
    }
    if (value < 10n) {
      decimal = `.${tenths}`;
      tenths = 0n;
    }
  }
  if (more || tenths > 0n) {
    value++;
    if (value === base && power < POWERS.length) {
      power++;
      value = 1n;
      decimal = '.0';
    }
  }
  const suffix = power === 0 ? '' : powerLetter(power, style.base);
  return `${value}${decimal}${suffix}`;
}

function powerLetter(power: number, base: 1024 | 1000): string {
  return power === 1 && base === 1000 ? 'k' : POWERS.charAt(power - 1);
}

/** `bytes` in blocks of `block` bytes, rounded up. */
export function blocksOf(bytes: bigint, block: bigint): bigint {
  return bytes <= 0n ? bytes / block : (bytes + block - 1n) / block;
}
