/** Names that one slip of the fingers makes of another: for "is it this that you meant?". */

/** Those of `names` that are one letter too many, too few, another or exchanged with its neighbour away from `name`; each once, at most three. */
export function similarNames(name: string, names: Iterable<string>): string[] {
  const found = new Set<string>();
  for (const one of names) if (found.size < 3 && isOneSlip(name, one)) found.add(one);
  return [...found];
}

function isOneSlip(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  // Of two letters half would be right, which says nothing.
  if (Math.min(a.length, b.length) < 2) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const [restA, restB] = [a.slice(at), b.slice(at)];
  if (restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)) return true;
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
}
