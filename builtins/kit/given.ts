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

/** For `conflict` of a definition: by option that may be given again, but only with the same value, what is said of another. */
export function sameAgain(messages: { readonly [flag: string]: string }) {
  return (next: Given<string>, before: readonly Given<string>[]): string | undefined => {
    const message = messages[next.flag];
    if (message === undefined) return undefined;
    return before.some(({ flag, value }) => flag === next.flag && value !== next.value) ? message : undefined;
  };
}
