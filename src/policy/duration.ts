/** `30s`, `1.5m`, `500ms`, `2h`, `1d`; a bare number is seconds, as for timeout(1). */

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The longest time a timer of the host can wait: just under 25 days. */
export const LONGEST_MS = 2 ** 31 - 1;

/** Milliseconds, rounded up to a whole one; undefined when the text is no duration, is nothing at all or too long to wait. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d*)?|\.\d+)(ms|s|m|h|d)?$/.exec(text);
  if (match === null) return undefined;
  const ms = Math.ceil(Number(match[1]) * (UNITS[match[2] ?? 's'] ?? 1000));
  return ms > 0 && ms <= LONGEST_MS ? ms : undefined;
}
