/** What holds for every script: generated ones, on real files. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { removals, SCRIPT_FILES } from '../../src/fuzz/removals.js';
import { createShell } from '../../src/index.js';
import { describeTree, listFiles, withTree } from '../support/tree.js';

/** More rounds by RMSH_PROPERTY_RUNS. */
const ROUNDS = Number(process.env['RMSH_PROPERTY_RUNS'] ?? 200);

it('in read-only mode nothing changes on disk', { timeout: 120_000 }, async () => {
  // The root is rw: only the mode stands in the way.
  let bites = 0;
  await fc.assert(
    fc.asyncProperty(removals, async (text) => {
      await withTree(SCRIPT_FILES, async (root) => {
        const before = describeTree(root);
        const shell = createShell({ allowedPaths: [{ path: root, access: 'rw' }] });
        const result = await shell.run(text, { cwd: root, timeoutMs: 10_000 });
        expect(describeTree(root)).toEqual(before);
        expect(result.removals.made).toBe(0);
        expect(result.status).toBe('exited');
        if (result.stderr.includes('remediation mode required')) bites += 1;
      });
    }),
    { numRuns: ROUNDS },
  );
  // Scripts that do not try would pass as well.
  expect(bites).toBeGreaterThan(ROUNDS / 2);
});

it('removals never exceed the limit, by any script', { timeout: 120_000 }, async () => {
  let spent = 0;
  await fc.assert(
    fc.asyncProperty(removals, fc.integer({ min: 0, max: 8 }), async (text, limit) => {
      await withTree(SCRIPT_FILES, async (root) => {
        const shell = createShell({
          mode: 'remediation',
          allowedPaths: [{ path: root, access: 'rw' }],
          limits: { maxRemovalsPerRun: limit },
        });
        const before = new Set(listFiles(root));
        const result = await shell.run(text, { cwd: root, timeoutMs: 10_000 });
        expect(result.status).toBe('exited');
        const after = new Set(listFiles(root));
        // A name that is gone was removed or moved; a move to a free name is no removal, and leaves one more name.
        const gone = [...before].filter((name) => !after.has(name)).length;
        const come = [...after].filter((name) => !before.has(name)).length;
        expect(gone - come).toBeLessThanOrEqual(limit);
        expect(result.removals.made).toBeLessThanOrEqual(limit);
        expect(result.removals.left).toBe(limit - result.removals.made);
        if (result.removals.left === 0 && limit > 0) spent += 1;
        // What the trail says was removed is what was charged; moves onto a file are charged too.
        const told = result.effects.filter(({ action, outcome }) => action === 'remove' && outcome === 'done').length;
        expect(told).toBeLessThanOrEqual(result.removals.made);
      });
    }),
    { numRuns: ROUNDS },
  );
  // Scripts that remove less than they may would pass as well.
  expect(spent).toBeGreaterThan(ROUNDS / 4);
});
