/** The roots: what lies outside of them is neither changed nor seen. */
import type { Arbitrary } from 'fast-check';
import type { MemoryTree } from '../../files/memory.js';
import fc from '../fast-check.js';
import { environments, policies } from '../policies.js';
import { changes, type Given, inMemory, isWritable, leaks, type Property, UNSTEADY, under } from '../property.js';
import { BASE, type Scenario } from '../scenario.js';
import { anyScript, scripts } from '../scripts.js';
import { CANARY, trees } from '../trees.js';

const scenarios = (given: Given, script: Arbitrary<string>): Arbitrary<Scenario> =>
  fc
    .record({ script, tree: trees({ special: true }), policy: policies, environment: environments })
    .map((one) => under({ ...one, cwd: `${BASE}/rw` }, given));

export const outside: Property = {
  name: 'outside',
  summary: 'nothing outside the writable roots changes, and nothing outside the roots is printed or copied',
  needs: 'memory',
  arbitrary: (given) => scenarios(given, anyScript(given.corpus)),
  async check(scenario, given) {
    const ran = await inMemory(scenario, given);
    const { policy } = scenario;
    const mayChange = (path: string): boolean => policy.mode === 'remediation' && isWritable(path, policy);
    const told = [...changes(ran.before, ran.after, (path) => !mayChange(path)), ...leaks(ran, policy)];
    for (const { outcome } of ran.result.effects) if (outcome === 'refused') given.tally('refused');
    return told.length > 0 ? told.join('; ') : undefined;
  },
};

/** As a tree of other contents, kinds and names outside of the roots would be. */
function otherOutside(tree: MemoryTree): MemoryTree {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([path, entry]): [string, MemoryTree[string]][] => {
      if (!path.startsWith(`${BASE}/out/`)) return [[path, entry]];
      // What has a name inside as well is seen there, and that it has another name.
      if (path === `${BASE}/out/twin` || (typeof entry === 'object' && 'hardlink' in entry)) return [[path, entry]];
      if (path === `${BASE}/out/f`) return [[path, { directory: true }]];
      return [[`${path}2`, `${CANARY} is another one\n`]];
    }),
  );
}

/** What depends on how many files there are. */
const COUNTS_FILES = /-[a-zA-Z]*i\b|--inode|ino/;

export const unseen: Property = {
  name: 'unseen',
  summary: 'a script does the same whatever there is outside the roots: it cannot even see that something is there',
  needs: 'memory',
  arbitrary: (given) =>
    scenarios(given, scripts('valid', given.corpus)).filter(
      ({ script }) => !UNSTEADY.test(script) && !COUNTS_FILES.test(script),
    ),
  async check(scenario, given) {
    const other = { ...scenario, tree: otherOutside(scenario.tree) };
    const [one, two] = [await inMemory(scenario, given), await inMemory(other, given)];
    // Whoever is stopped by the clock was not stopped at the same place.
    if (one.result.status === 'timeout' || two.result.status === 'timeout') return undefined;
    if (one.result.exitCode !== two.result.exitCode) {
      return `the status is ${one.result.exitCode}, and ${two.result.exitCode} with other files outside`;
    }
    for (const stream of ['stdout', 'stderr'] as const) {
      const [shown, otherwise] = [one.result[stream], two.result[stream]];
      if (shown !== otherwise) return `${stream} tells what is outside: ${JSON.stringify([shown, otherwise])}`;
    }
    const inside = (path: string): boolean => path.startsWith(`${scenario.cwd}/`);
    const different = changes(one.after, two.after, inside);
    return different.length > 0 ? different.join('; ') : undefined;
  },
};
