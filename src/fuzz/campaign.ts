/** Tries properties on many scenarios, and makes small what does not hold. */
import type { Arbitrary } from 'fast-check';
import { commandLines } from './commands.js';
import fc from './fast-check.js';
import { properties } from './properties/index.js';
import { type Given, NOTHING_GIVEN, type Property } from './property.js';
import type { Scenario } from './scenario.js';
import { shrink } from './shrink.js';

/** Something that does not hold, and how to see it again. */
export interface Find {
  /** The name of the property that does not hold. */
  readonly property: string;
  /** What was seen, in one line. */
  readonly why: string;
  /** `--seed` and `--path`: the scenario as it was generated, from which the one here was made. */
  readonly seed: number;
  /** See `seed`. */
  readonly path: string;
  /** The smallest one that was found. */
  readonly scenario: Scenario;
}

/** How a property is to be tried. */
export interface Trial {
  /** Of the generator: the same one makes the same scenarios. */
  readonly seed: number;
  /** How many scenarios, at most. */
  readonly runs: number;
  /** One of them alone, as a find names it. */
  readonly path?: string | undefined;
  /** Told of each scenario before it is tried. */
  readonly onScenario?: ((scenario: Scenario) => void) | undefined;
  /** How long a find is made smaller, in milliseconds; 0: not at all. */
  readonly shrinkMs?: number | undefined;
}

/** What came of trying a property. */
export interface Tried {
  /** Scenarios until the find, or all. */
  readonly runs: number;
  /** Undefined: it held each time. */
  readonly find: Find | undefined;
}

const SHRINK_MS = 10_000;

/** The first scenario of `trial` for which `property` does not hold. */
export async function tryProperty(property: Property, given: Given, trial: Trial): Promise<Tried> {
  const first =
    property.checkAll === undefined ? await oneByOne(property, given, trial) : await together(property, given, trial);
  if (first.find === undefined || trial.shrinkMs === 0) return first;
  return { ...first, find: await smaller(property, given, first.find, trial.shrinkMs ?? SHRINK_MS) };
}

/** Scenarios of a property, in which the user's commands are called first. */
function scenariosOf(property: Property, given: Given): Arbitrary<Scenario> {
  const scenarios = property.arbitrary(given);
  if (given.builtins.length === 0 || property.whole === true || property.needs !== 'memory') return scenarios;
  const calls = fc.array(commandLines(given.builtins), { minLength: 1, maxLength: 3 });
  return fc
    .tuple(scenarios, calls)
    .map(([scenario, list]) => ({ ...scenario, script: `${list.join('\n')}\n${scenario.script}` }));
}

const quiet = (given: Given): Given => ({ ...given, tally: () => undefined });

/** Why it does not hold; a check that throws has found a fault of the shell. */
async function attempt(property: Property, scenario: Scenario, given: Given): Promise<string | undefined> {
  try {
    return await property.check(scenario, given);
  } catch (error) {
    return `thrown: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}

/** Why `property` (one of `properties`, by its name) does not hold for a scenario; undefined where it does. */
export async function whyNot(
  property: string,
  scenario: Scenario,
  given: Partial<Given> = {},
): Promise<string | undefined> {
  const known = properties.find(({ name }) => name === property);
  if (known === undefined) throw new TypeError(`no property '${property}'`);
  return attempt(known, scenario, { ...NOTHING_GIVEN, ...given });
}

async function oneByOne(property: Property, given: Given, { seed, runs, path, onScenario }: Trial): Promise<Tried> {
  let tried = 0;
  let failed: { readonly scenario: Scenario; readonly why: string } | undefined;
  const holds = fc.asyncProperty(scenariosOf(property, given), async (scenario) => {
    if (failed !== undefined) return;
    tried += 1;
    onScenario?.(scenario);
    const why = await attempt(property, scenario, given);
    if (why === undefined) return;
    failed = { scenario, why };
    throw new Error(why);
  });
  const details = await fc.check(holds, {
    seed,
    numRuns: runs,
    endOnFailure: true,
    ...(path === undefined ? {} : { path }),
  });
  if (failed === undefined) return { runs: tried, find: undefined };
  return { runs: tried, find: { property: property.name, ...failed, seed, path: details.counterexamplePath ?? '0' } };
}

/** Samples of the same seed are the same scenarios. */
async function together(property: Property, given: Given, trial: Trial): Promise<Tried> {
  const { seed, runs, path, onScenario } = trial;
  if (path !== undefined) return oneByOne(property, given, trial);
  const scenarios = fc.sample(property.arbitrary(given), { numRuns: runs, seed });
  for (const scenario of scenarios) onScenario?.(scenario);
  const all = (await property.checkAll?.(scenarios, given)) ?? [];
  for (const [i, scenario] of scenarios.entries()) {
    const seen = all[i];
    if (seen === undefined) continue;
    // Alone it may be right: then something of the others stayed, and the whole batch is the find.
    const alone = await attempt(property, scenario, quiet(given));
    // A busy machine makes a batch late; what hangs does so again.
    const isLate = alone === undefined && seen.includes('timed out after');
    if (isLate && (await property.checkAll?.(scenarios, quiet(given)))?.[i] === undefined) continue;
    const why = alone ?? `only with ${i} others before it: ${seen}`;
    return { runs: i + 1, find: { property: property.name, why, seed, path: String(i), scenario } };
  }
  return { runs: scenarios.length, find: undefined };
}

/** By leaving out files, and pieces of the script, as long as it still does not hold for the same kind of reason. */
async function smaller(property: Property, given: Given, find: Find, longestMs: number): Promise<Find> {
  const until = performance.now() + longestMs;
  let best = find;
  const kind = kindOf(find.why);
  const still = async (scenario: Scenario): Promise<boolean> => {
    if (performance.now() > until) return false;
    const why = await attempt(property, scenario, quiet(given));
    if (why === undefined || kindOf(why) !== kind) return false;
    best = { ...best, why, scenario };
    return true;
  };
  if (property.whole !== true) {
    await shrink(find.scenario.script, (script) => still({ ...best.scenario, script }));
  }
  await still({ ...best.scenario, environment: {} });
  for (const path of Object.keys(best.scenario.tree)) {
    const { [path]: _, ...tree } = best.scenario.tree;
    await still({ ...best.scenario, tree }).catch(() => false);
  }
  return best;
}

/** A reason without what is particular to the scenario: names, numbers, texts. */
export function kindOf(why: string): string {
  // Of what judges say: how both ended, and whether both complained.
  const ends = why.match(/\[status \d+\](?:\\n\[stderr\])?/g);
  if (ends !== null) return ends.join();
  return (why.split('\n')[0] ?? '').replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'|\/\S+|\d+/g, '_').slice(0, 60);
}
