/** Options of which the last one given wins. */

interface Given<Name extends string> {
  readonly flag: Name;
  readonly value: unknown;
}

/** The last given of `names`. */
export function lastOf<Name extends string, Wanted extends Name>(
  given: readonly Given<Name>[],
  names: readonly Wanted[],
): Given<Wanted> | undefined {
  for (let i = given.length - 1; i >= 0; i--) {
    const one = given[i] as Given<Name>;
    const found = names.find((name) => name === one.flag);
    if (found !== undefined) return { flag: found, value: one.value };
  }
  return undefined;
}
