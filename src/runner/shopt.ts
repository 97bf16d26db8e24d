/** The options of `shopt` (bash) that change something here, as bits. */
export const SHOPT = {
  nullglob: 1 << 0,
  dotglob: 1 << 1,
  failglob: 1 << 2,
  nocasematch: 1 << 3,
  globstar: 1 << 4,
  nocaseglob: 1 << 5,
  expand_aliases: 1 << 6,
  extglob: 1 << 7,
  patsub_replacement: 1 << 8,
  inherit_errexit: 1 << 9,
  lastpipe: 1 << 10,
  xpg_echo: 1 << 11,
} as const;

/**
 * POSIX knows no shell without aliases, and no `$( )` that `set -e` does not reach; bash has both off in scripts. `&` in a replacement is the
 * match in bash 5.2 unless that is turned off.
 */
export const INITIAL_SHOPT = SHOPT.expand_aliases | SHOPT.patsub_replacement | SHOPT.inherit_errexit;

export type ShoptName = keyof typeof SHOPT;

export function isShopt(name: string): name is ShoptName {
  return Object.hasOwn(SHOPT, name);
}

export function shoptNames(): ShoptName[] {
  return Object.keys(SHOPT) as ShoptName[];
}
