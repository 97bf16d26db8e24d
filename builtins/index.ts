/**
 * The commands rmsh has inside: one line per command, sorted, so that each could become `() => import(...)`.
 */
import { cat } from './cat.js';
import { cut } from './cut.js';
import { falseCommand } from './false.js';
import { find } from './find.js';
import { head } from './head.js';
import type { Builtin } from './kit/define.js';
import { ls } from './ls.js';
import { rm } from './rm.js';
import { sort } from './sort.js';
import { tail } from './tail.js';
import { tr } from './tr.js';
import { trueCommand } from './true.js';
import { uniq } from './uniq.js';
import { wc } from './wc.js';
import { xargs } from './xargs.js';

// biome-ignore format: one line per command
export const builtins: readonly Builtin[] = [
  cat,
  cut,
  falseCommand,
  find,
  head,
  ls,
  rm,
  sort,
  tail,
  tr,
  trueCommand,
  uniq,
  wc,
  xargs,
];
