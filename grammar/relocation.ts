/** Moves what was read from a text made out of another one to where it stands in that one. */

/** Where an offset stands. A node's start and its end may fall apart where much text stands for little. */
export interface Places {
  readonly start: (offset: number) => number;
  readonly end: (offset: number) => number;
}

/** Gives every node below `node` its place. A node that is part of several is moved once. */
export function relocate(node: unknown, places: Places, moved: Set<object> = new Set()): void {
  if (typeof node !== 'object' || node === null || moved.has(node)) return;
  moved.add(node);
  const fields = node as Record<string, unknown>;
  if (typeof fields['start'] === 'number') fields['start'] = places.start(fields['start']);
  if (typeof fields['end'] === 'number') fields['end'] = places.end(fields['end']);
  // offsets inside a backquoted body count in the body's own text
  if (fields['backquoted'] === true) return;
  for (const value of Object.values(fields)) relocate(value, places, moved);
}
