/**
 * The commands rmsh has inside: name of the file, and the definition in it. One line per command, sorted, so that each could
 * become `() => import(...)`.
 */
import type { Builtin } from './kit/define.js';
import type { rm } from './rm.js';

export const builtins: readonly Builtin[
  rm,
] = [
  rm,
];
