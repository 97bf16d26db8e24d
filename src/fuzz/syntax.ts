/** Syntax trees without where they stood. */

/** A tree without its offsets. */
export function withoutOffsets(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutOffsets);
  if (typeof node !== 'object' || node === null) return node;
  const fields = Object.entries(node).filter(([key]) => key !== 'start' && key !== 'end');
  return Object.fromEntries(fields.map(([key, value]) => [key, withoutOffsets(value)]));
}
