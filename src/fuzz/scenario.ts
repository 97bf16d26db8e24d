/** What is tried: a script, the files it finds, and what it may do. */
import type { MemoryTree } from '../files/memory.js';
import type { Policy } from '../policy/policy.js';

/**
 * Everything of a scenario lies below this directory: what may be changed in `rw`, what may be read in `ro`, what nobody may see in
 * `out`. On a real disk another directory stands in its place.
 */
export const BASE = '/box';

/** A script, and all that it meets. */
export interface Scenario {
  /** The text that is run. */
  readonly script: string;
  /** Below `BASE`, by absolute path. */
  readonly tree: MemoryTree;
  /** With paths below `BASE`. */
  readonly policy: Policy;
  /** Exported variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where the script starts. */
  readonly cwd: string;
  /** What it has to print, where the generator knows. */
  readonly expected?: string;
}

/** The same below another directory. */
export function moved(scenario: Scenario, base: string): Scenario {
  const move = (text: string): string => text.replaceAll(BASE, base);
  const tree: [string, MemoryTree[string]][] = Object.entries(scenario.tree).map(([path, entry]) => {
    if (typeof entry === 'object' && 'symlink' in entry) return [move(path), { symlink: move(entry.symlink) }];
    if (typeof entry === 'object' && 'hardlink' in entry) return [move(path), { hardlink: move(entry.hardlink) }];
    return [move(path), entry];
  });
  const allowedPaths = scenario.policy.allowedPaths?.map((granted) =>
    typeof granted === 'string' ? move(granted) : { ...granted, path: move(granted.path) },
  );
  return {
    ...scenario,
    script: move(scenario.script),
    tree: Object.fromEntries(tree),
    policy: { ...scenario.policy, ...(allowedPaths === undefined ? {} : { allowedPaths }) },
    cwd: move(scenario.cwd),
  };
}
