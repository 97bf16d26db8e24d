/**
 * The commands rmsh has inside: one line per command, sorted, so that each could become `() => import(...)`.
 */
import type { Builtin } from './kit/define.js';
import { rm } from './rm.js';

// biome-ignore format: one line per command
export const builtins: readonly Builtin[] = [
  rm,
];
