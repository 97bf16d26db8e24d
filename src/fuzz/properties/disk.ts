/** The same on the real file system. */
import { createShell } from '../../index.js';
import { plantTree, snapshotOf, withScratch } from '../../sandbox/scratch.js';
import fc from '../fast-check.js';
import { LINKED_TREE, linkChanges } from '../links.js';
import { policies } from '../policies.js';
import { accessUnder, changes, inMemory, isStopped, type Property, type Ran, UNSTEADY, unlike } from '../property.js';
import { BASE, moved, type Scenario } from '../scenario.js';
import { scripts } from '../scripts.js';
import { trees } from '../trees.js';

/**
 * What is another thing on each disk, and no fault: sizes of directories, numbers of files, times, the order in which a directory lists
 * its entries, device files, who owns what.
 */
const OF_THE_DISK = /\b(?:ls|du|df|stat|find|tar|cp -a|cp -p|gzip|xargs|logrotate)\b|\s-[nonae]+t\s|\/proc|&/;

export const disk: Property = {
  name: 'disk',
  summary:
    'a script does the same on files in memory and on the real file system, where nothing outside its roots changes either',
  needs: 'disk',
  // The user's own roots are not touched: here all happens in a scratch directory.
  arbitrary: (given) =>
    fc.record({
      script: fc
        .oneof({ weight: 4, arbitrary: scripts('valid', given.corpus) }, { weight: 1, arbitrary: linkChanges })
        .filter((script) => !UNSTEADY.test(script) && !OF_THE_DISK.test(script)),
      tree: trees({ special: false }).map((tree) => ({ ...LINKED_TREE, ...tree })),
      policy: policies,
      environment: fc.constant({}),
      cwd: fc.constant(`${BASE}/rw`),
    }),
  check: (scenario, given) =>
    withScratch(async (base) => {
      const there = moved(scenario, base);
      const real = await onDisk(there, base);
      const memory = await inMemory(there, given);
      if (isStopped(real, memory)) return undefined;
      const accessTo = accessUnder(there.policy);
      const outside = changes(real.before, real.after, (path) => accessTo(path) !== 'rw');
      if (outside.length > 0) return `on disk: ${outside.join('; ')}`;
      const [what, wanted, got] = unlike(there, memory, real) ?? [];
      if (what !== undefined) return `${what} is ${wanted} in memory, and ${got} on disk`;
      if (memory.result.removals.made !== real.result.removals.made) return 'not as many removals are charged';
      const below = (path: string): boolean => path.startsWith(`${base}/`);
      const different = changes(memory.after, real.after, below);
      return different.length > 0 ? `on disk, and not in memory: ${different.join('; ')}` : undefined;
    }),
};

async function onDisk(scenario: Scenario, base: string): Promise<Ran> {
  plantTree(scenario.tree);
  const before = snapshotOf(base);
  const result = await createShell(scenario.policy).run(scenario.script, {
    cwd: scenario.cwd,
    name: 'script',
    environment: scenario.environment,
    timeoutMs: 5_000,
  });
  return { result, before, after: snapshotOf(base) };
}
