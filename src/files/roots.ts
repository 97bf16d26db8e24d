/**
 * The roots of a policy: which one a path, or a directory, belongs to. The most specific decides, so a read-only root inside a
 * writable one stays read-only, and the reverse.
 */

import type { FileStat } from './files.js';
import type { Held } from './kernel.js';
import { isWithin } from './paths.js';

export interface Root {
  /** Physical path. */
  readonly path: string;
  /** The path as it was granted: another way to name the root when it leads through symlinks. */
  readonly granted: string;
  readonly writable: boolean;
  /** The directory; for a root that is a single file, the directory that holds it. */
  readonly held: Held;
  /** The name of a root that is a single file, in `held`. A file that takes that name later is the root then: logs rotate. */
  readonly file: string | undefined;
}

export class RootTable {
  readonly roots: readonly Root[];
  /** Some root lies within another one's path: only then must a walk ask at each step. */
  readonly nested: boolean;
  readonly #byText = new Map<string, Root>();
  /** Texts that lead to a root, the longest first. */
  readonly #texts: readonly string[];

  constructor(roots: readonly Root[]) {
    this.roots = strictest(roots);
    // A physical path outranks what was granted: the second is only another name.
    for (const root of this.roots) if (!this.#byText.has(root.granted)) this.#byText.set(root.granted, root);
    for (const root of this.roots) this.#byText.set(root.path, root);
    this.#texts = [...this.#byText.keys()].sort((a, b) => b.length - a.length);
    this.nested = this.#texts.some((text) =>
      this.roots.some((root) => root.path !== text && isWithin(text, root.path)),
    );
  }

  /** The root that `text` names, physically or as granted. */
  named(text: string): Root | undefined {
    return this.#byText.get(text);
  }

  /** The longest text of a root that `path` starts with. `path` may go on with `..`; that is for the walk to find out. */
  prefix(path: string): string | undefined {
    for (const text of this.#texts) if (isWithin(path, text)) return text;
    return undefined;
  }

  /**
   * The root that a directory is. By identity: a root that was moved, or is mounted in a second place, keeps its rights
   * however it is reached. Otherwise `mv rw/a rw/b` would make the read-only root `rw/a/ro` writable as `rw/b/ro`.
   */
  identified(stat: FileStat): Root | undefined {
    for (const root of this.roots) {
      const own = root.held.stat;
      if (root.file === undefined && own.ino === stat.ino && own.dev === stat.dev) return root;
    }
    return undefined;
  }

  /** Whether a root lies at or below `path`: a directory that must stay where it is. */
  holdsRoot(path: string): boolean {
    return this.roots.some((root) => isWithin(root.path, path));
  }
}

/** One root for each path: where a path is granted twice, read-only wins. */
function strictest(roots: readonly Root[]): readonly Root[] {
  const readOnly = new Set(roots.filter((root) => !root.writable).map((root) => root.path));
  return roots.map((root) => (root.writable && readOnly.has(root.path) ? { ...root, writable: false } : root));
}
