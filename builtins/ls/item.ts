/** A name to be listed, and what is known of it. */
import type { FileKind, FileStat } from '../../src/files/files.js';

export interface Item {
  readonly name: string;
  /** Undefined where it could not be had, or where nobody asked. */
  readonly stat: FileStat | undefined;
  readonly kind: FileKind | undefined;
  /** Of a symlink, where it is shown: what it says, and what is there. */
  readonly target: string | undefined;
  readonly targetStat: FileStat | undefined;
}

/** Whether it is a directory to list, or a link to one. */
export function isDirectory(item: Item): boolean {
  return item.kind === 'directory' || (item.kind === 'symlink' && item.targetStat?.kind === 'directory');
}
