/** `ps --sort`. */
import type { Process } from '../kit/host/process.js';
import { COLUMNS, type Column, type Moment } from './columns.js';
import { PsError } from './selection.js';

interface SortKey {
  readonly column: Column;
  readonly descending: boolean;
}

/** `-rss,+pid,comm` */
export function sortKeys(lists: readonly string[]): readonly SortKey[] | PsError {
  const keys: SortKey[] = [];
  for (const word of lists.flatMap((list) => list.split(','))) {
    const name = word.replace(/^[-+]/, '');
    const column = Object.hasOwn(COLUMNS, name) ? COLUMNS[name] : undefined;
    if (column === undefined) return new PsError('unknown sort specifier');
    keys.push({ column, descending: word.startsWith('-') });
  }
  return keys;
}

export function sortProcesses(
  processes: readonly Process[],
  keys: readonly SortKey[],
  moment: Moment,
): readonly Process[] {
  if (keys.length === 0) return processes;
  // Each figure is worked out once, and not at every comparison.
  const rows = processes.map((process) => ({
    process,
    values: keys.map(({ column }) => (column.order ?? column.text)(process, moment)),
  }));
  rows.sort((a, b) => {
    for (const [i, { descending }] of keys.entries()) {
      const one = a.values[i] ?? 0;
      const other = b.values[i] ?? 0;
      if (one !== other) return one < other !== descending ? -1 : 1;
    }
    return 0;
  });
  return rows.map(({ process }) => process);
}
