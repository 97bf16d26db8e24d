/** Each property of the fuzzer on a slice of scenarios that is the same each time; `rmsh fuzz` goes on where this ends. */
import { describe, expect, it } from 'vitest';
import { tryProperty } from '../../src/fuzz/campaign.js';
import { properties } from '../../src/fuzz/properties/index.js';
import { NOTHING_GIVEN } from '../../src/fuzz/property.js';
import { missing, ORACLES_REQUIRED } from '../../src/sandbox/oracle-shells.js';

/** More by RMSH_PROPERTY_RUNS. */
const RUNS = Number(process.env['RMSH_PROPERTY_RUNS'] ?? 100);
const SEED = 7;

const without = missing('bash') ?? missing('dash');

/** How much of it must have happened at least: a property whose scenarios try nothing would hold as well. */
const BITES: Readonly<Record<string, readonly [what: string, share: number]>> = {
  removals: ['budgets spent', 0.25],
  outside: ['refused', 1],
  links: ['refused', 0.5],
  'read-only': ['refused for the mode', 0.3],
  print: ['valid scripts', 0.5],
  check: ['allowed', 0.3],
  limits: ['limit', 0.05],
  posix: ['agreed', 0.5],
  bash: ['agreed', 0.9],
  gnu: ['agreed', 0.9],
};

describe.each(properties)('$name: $summary', (property) => {
  const skip = property.needs === 'shells' && without !== undefined && !ORACLES_REQUIRED;
  it.skipIf(skip)('holds', { timeout: 120_000 }, async () => {
    const seen: Record<string, number> = {};
    const given = {
      ...NOTHING_GIVEN,
      tally: (what: string) => {
        seen[what] = (seen[what] ?? 0) + 1;
      },
    };
    const { runs, find } = await tryProperty(property, given, { seed: SEED, runs: RUNS });
    expect(find && `${find.why}\n${find.scenario.script}`).toBeUndefined();
    expect(runs).toBe(RUNS);
    const [what = '', share = 0] = BITES[property.name] ?? [];
    expect(seen[what] ?? 0, JSON.stringify(seen)).toBeGreaterThanOrEqual(share * RUNS);
    // Who knows nothing is never wrong.
    if (property.name === 'check') {
      const { unknown = 0, refused = 0, allowed = 0 } = seen;
      expect(unknown / (unknown + refused + allowed)).toBeLessThan(0.75);
      expect(refused).toBeGreaterThan(RUNS / 3);
    }
  });
});
