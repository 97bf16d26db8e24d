/** The roots: what lies outside of them is neither changed nor seen. */
import type { Arbitrary } from 'fast-check';
import type { MemoryTree } from '../../files/memory.js';
import type { Policy } from '../../policy/policy.js';
import fc from '../fast-check.js';
import { isLink, LINKED_TREE, linkChanges } from '../links.js';
import { environments, policies } from '../policies.js';
import {
  accessUnder,
  changes,
  type Given,
  inMemory,
  isStopped,
  leaks,
  type Property,
  UNSTEADY,
  under,
  unlike,
} from '../property.js';
import { BASE, type Scenario } from '../scenario.js';
import { anyScript, scripts } from '../scripts.js';
import { CANARY, trees } from '../trees.js';

const OPEN: Policy = { mode: 'remediation', allowedPaths: [`${BASE}/rw:rw`, `${BASE}/ro:ro`] };

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
    const accessTo = accessUnder(policy);
    const mayChange = (path: string): boolean => policy.mode === 'remediation' && accessTo(path) === 'rw';
    const told = [...changes(ran.before, ran.after, (path) => !mayChange(path)), ...leaks(ran, policy)];
    for (const { outcome } of ran.result.effects) if (outcome === 'refused') given.tally('refused');
    return told.length > 0 ? told.join('; ') : undefined;
  },
};

export const linked: Property = {
  name: 'links',
  summary: 'nothing is changed by a path that leads through a symbolic link, wherever it leads',
  needs: 'memory',
  arbitrary: () =>
    linkChanges.map((script) => ({ script, tree: LINKED_TREE, policy: OPEN, environment: {}, cwd: `${BASE}/rw` })),
  async check(scenario, given) {
    const { before, after, result } = await inMemory(scenario, given);
    const told = changes(before, after, (path) => !isLink(path));
    if (result.stderr.includes('symlinks are not supported')) given.tally('refused');
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
    if (isStopped(one, two)) return undefined;
    const [what, shown, otherwise] = unlike(scenario, one, two) ?? [];
    if (what !== undefined) return `${what} tells what is outside: ${shown}, and ${otherwise} with other files there`;
    const inside = (path: string): boolean => path.startsWith(`${scenario.cwd}/`);
    const different = changes(one.after, two.after, inside);
    return different.length > 0 ? different.join('; ') : undefined;
  },
};
