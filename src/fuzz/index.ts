/**
 * `rmsh/fuzz`: arbitraries for fast-check, and properties that hold for every script, file tree and policy that they make.
 *
 * ```ts
 * import fc from 'fast-check';
 * import { properties, scripts, tryProperty } from 'rmsh/fuzz';
 * fc.assert(fc.asyncProperty(scripts('hostile'), async (script) => ...));
 * const { find } = await tryProperty(properties.find(({ name }) => name === 'removals'), NOTHING_GIVEN, { seed: 1, runs: 1000 });
 * ```
 */
export { type Find, type Trial, type Tried, tryProperty, whyNot } from './campaign.js';
export { type CommandOptions, commandLines, wordsFor } from './commands.js';
export { type Coverage, cover, coverageLine, newCoverage } from './coverage.js';
export { idiom, remediations } from './idioms.js';
export { LANGUAGES, type Language } from './languages.js';
export { line, lines } from './lines.js';
export { mutated, mutationsOf } from './mutations.js';
export { environments, openPolicies, policies } from './policies.js';
export { properties } from './properties/index.js';
export { type Given, inMemory, NOTHING_GIVEN, type Property, type Ran } from './property.js';
export { removals } from './removals.js';
export { BASE, type Scenario } from './scenario.js';
export { anyScript, type Profile, scripts } from './scripts.js';
export { fileNames, trees, USUAL_TREE } from './trees.js';
