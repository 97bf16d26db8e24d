/** The removal budget, and the operands of one rm. */

import type { Arbitrary } from 'fast-check';
import type { Intent } from '../../files/files.js';
import type { Waiting } from '../../steps.js';
import fc from '../fast-check.js';
import { mutationsOf } from '../mutations.js';
import { openPolicies, policies } from '../policies.js';
import { changes, inMemory, type Property, type Snapshot, under } from '../property.js';
import { removals as removing } from '../removals.js';
import { BASE, type Scenario } from '../scenario.js';
import { scripts } from '../scripts.js';
import { trees, USUAL_TREE } from '../trees.js';

/** How many names of non-directories were taken away: moving one takes none. */
function namesLost(before: Snapshot, after: Snapshot): number {
  const count = (snapshot: Snapshot): Map<bigint, number> => {
    const names = new Map<bigint, number>();
    for (const { kind, ino } of snapshot.values()) if (kind !== 'directory') names.set(ino, (names.get(ino) ?? 0) + 1);
    return names;
  };
  const now = count(after);
  let lost = 0;
  for (const [ino, names] of count(before)) lost += Math.max(0, names - (now.get(ino) ?? 0));
  return lost;
}

/** `sed -i` puts its own result in the file's place, and is not charged for that. */
const REPLACES_ITSELF = /sed/;

/** A removal that is announced waits: everything else may go on meanwhile, and does. */
const slowly = ({ budget }: Intent): Waiting =>
  budget === undefined ? undefined : new Promise((resolve) => setImmediate(resolve));

export const removals: Property = {
  name: 'removals',
  summary: 'no script removes more files than its budget, whatever runs at the same time',
  needs: 'memory',
  arbitrary: (given) =>
    fc
      .record({
        script: fc.oneof(
          { weight: 4, arbitrary: removing },
          { weight: 1, arbitrary: scripts('valid', given.corpus) },
          ...(given.corpus.length > 0 ? [{ weight: 2, arbitrary: mutationsOf(given.corpus) }] : []),
        ),
        policy: openPolicies,
      })
      .map((one) => under({ ...one, tree: USUAL_TREE, environment: {}, cwd: `${BASE}/rw` }, given)),
  async check(scenario, given) {
    const { result, before, after } = await inMemory(scenario, given, { onIntent: slowly });
    const limit = result.removals.made + result.removals.left;
    const granted = scenario.policy.limits?.maxRemovalsPerRun ?? 100;
    if (limit !== granted) return `the budget is ${limit} and not ${granted}`;
    if (result.removals.made > granted) return `${result.removals.made} removals of ${granted} are charged`;
    const told = result.effects.filter(({ action, outcome }) => action === 'remove' && outcome === 'done').length;
    if (told > result.removals.made) return `${told} removals are on record, and ${result.removals.made} charged`;
    const lost = namesLost(before, after);
    if (lost > result.removals.made && !REPLACES_ITSELF.test(scenario.script)) {
      return `${lost} names are gone, and ${result.removals.made} of ${granted} were charged`;
    }
    if (result.removals.left === 0) given.tally('budgets spent');
    return undefined;
  },
};

const NAMES = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3', 'b4', 'c1', 'c2', 'c3', 'c4', 'f', 'g', 'log'];

const WAYS: readonly ((files: string) => string)[] = [
  (files) => `rm ${files}`,
  (files) => `rm -v ${files}`,
  (files) => `rm -- ${files}`,
  (files) => `set -- ${files}; rm "$@"`,
  (files) => `x='${files}'; rm $x`,
  (files) => `printf '%s\\n' ${files} | xargs rm`,
  (files) => `eval 'rm ${files}'`,
  (files) => `sh -c 'rm "$@"' sh ${files}`,
  (files) => `f() { command rm "$@"; }; f ${files}`,
  (files) => `trap 'rm ${files}' EXIT`,
  (files) => `x=(${files}); rm "\${x[@]}"`,
  (files) => `/bin/rm ${files} & wait`,
  (files) => `mkdir new; mv ${files} new; find new -type f -exec rm {} +`,
];

/** A script with one rm in it, and how many operands that has. */
const oneRm: Arbitrary<Scenario> = fc
  .record({
    files: fc.subarray(NAMES, { minLength: 1 }),
    way: fc.constantFrom(...WAYS),
    operands: fc.integer({ min: 0, max: 12 }),
  })
  .map(({ files, way, operands }) => ({
    script: way(files.join(' ')),
    tree: USUAL_TREE,
    policy: { mode: 'remediation', allowedPaths: [`${BASE}/rw:rw`], limits: { maxRemoveOperands: operands } },
    environment: {},
    cwd: `${BASE}/rw`,
    expected: String(files.length),
  }));

export const operands: Property = {
  name: 'operands',
  whole: true,
  summary: 'an rm with more operands than one may have removes nothing; one with fewer, all of them',
  needs: 'memory',
  arbitrary: () => oneRm,
  async check(scenario, given) {
    const { result, before, after } = await inMemory(scenario, given);
    const wanted = Number(scenario.expected);
    const most = scenario.policy.limits?.maxRemoveOperands ?? 10;
    const lost = namesLost(before, after);
    const right = wanted > most ? 0 : wanted;
    return lost === right
      ? undefined
      : `${lost} of ${wanted} files are gone where ${most} are the most: ${result.stderr}`;
  },
};

export const readOnly: Property = {
  name: 'read-only',
  summary: 'in read-only mode nothing is made, changed or removed',
  needs: 'memory',
  arbitrary: (given) =>
    fc
      .record({
        script: fc.oneof(removing, scripts('valid', given.corpus), scripts('almost-valid', given.corpus)),
        tree: trees({ special: true }),
        policy: policies,
      })
      .map((one) => under({ ...one, environment: {}, cwd: `${BASE}/rw` }, given))
      .map((scenario) => ({ ...scenario, policy: { ...scenario.policy, mode: 'read-only' } })),
  async check(scenario, given) {
    const { result, before, after } = await inMemory(scenario, given);
    const different = changes(before, after);
    if (different.length > 0) return different.join('; ');
    if (result.removals.made > 0) return `${result.removals.made} removals are charged`;
    if (result.stderr.includes('remediation mode required')) given.tally('refused for the mode');
    return undefined;
  },
};
