/** What one process tries: rounds, each some scenarios of every property, until enough or until the time is up. */
import { type Find, kindOf, tryProperty } from './campaign.js';
import { type Coverage, cover, coverageData, newCoverage } from './coverage.js';
import type { Given, Property } from './property.js';

/** Scenarios of one property in one round: so many share a seed. */
export const PER_ROUND = 40;
/** Every so many scenarios the syntax tree is looked at for what it covers. */
const COVERED = 5;

export interface Plan {
  readonly properties: readonly Property[];
  readonly given: Given;
  readonly seed: number;
  /** Scenarios of each property over the whole campaign, the last round being shorter where they do not fill it; undefined: without an end. */
  readonly runs: number | undefined;
  /** Milliseconds of `performance.now()`; undefined: none. */
  readonly until: number | undefined;
  readonly shard: { readonly index: number; readonly count: number };
  /** The first round of the shard that is tried. */
  readonly from: number;
}

/** What is told after each property of a round. */
export interface Progress {
  readonly property: string;
  /** How many rounds of this shard are over, this one included when `last`. */
  readonly rounds: number;
  readonly last: boolean;
  readonly runs: number;
  readonly find: Find | undefined;
  readonly tally: Readonly<Record<string, number>>;
  readonly coverage: ReturnType<typeof coverageData>;
}

/** Tells of a find of each kind once: the next ones are mostly the same. */
export async function runRounds(plan: Plan, tell: (progress: Progress) => void): Promise<void> {
  const { properties, shard, seed } = plan;
  const known = new Set<string>();
  for (let round = plan.from; ; round++) {
    const number = round * shard.count + shard.index - 1;
    const left = plan.runs === undefined ? PER_ROUND : plan.runs - number * PER_ROUND;
    if (left <= 0) return;
    for (const [i, property] of properties.entries()) {
      if (plan.until !== undefined && performance.now() > plan.until) return;
      const tally: Record<string, number> = {};
      const coverage: Coverage = newCoverage();
      let count = 0;
      const given: Given = {
        ...plan.given,
        tally: (what) => {
          tally[what] = (tally[what] ?? 0) + 1;
        },
      };
      const { runs, find } = await tryProperty(property, given, {
        seed: seed + number,
        runs: Math.min(PER_ROUND, left),
        onScenario: ({ script }) => {
          if (count++ % COVERED === 0) cover(coverage, script);
        },
      });
      const kind = find && `${find.property} ${kindOf(find.why)}`;
      const isNew = kind !== undefined && !known.has(kind);
      if (kind !== undefined) known.add(kind);
      const last = i === properties.length - 1;
      tell({
        property: property.name,
        rounds: round + (last ? 1 : 0),
        last,
        runs,
        find: isNew ? find : undefined,
        tally,
        coverage: coverageData(coverage),
      });
    }
  }
}
