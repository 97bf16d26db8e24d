/**
 * The commands rmsh has inside: one line per command, sorted, so that each could become `() => import(...)`.
 */
import { basename } from './basename.js';
import { cat } from './cat.js';
import { chmod } from './chmod.js';
import { comm } from './comm.js';
import { cp } from './cp.js';
import { cut } from './cut.js';
import { date } from './date.js';
import { df } from './df.js';
import { dirname } from './dirname.js';
import { du } from './du.js';
import { env } from './env.js';
import { expr } from './expr.js';
import { falseCommand } from './false.js';
import { find } from './find.js';
import { fold } from './fold.js';
import { head } from './head.js';
import type { Builtin } from './kit/define.js';
import { ln } from './ln.js';
import { logrotate } from './logrotate.js';
import { ls } from './ls.js';
import { mkdir } from './mkdir.js';
import { mktemp } from './mktemp.js';
import { mv } from './mv.js';
import { nl } from './nl.js';
import { paste } from './paste.js';
import { printenv } from './printenv.js';
import { readlink } from './readlink.js';
import { realpath } from './realpath.js';
import { rev } from './rev.js';
import { rm } from './rm.js';
import { rmdir } from './rmdir.js';
import { seq } from './seq.js';
import { sleep } from './sleep.js';
import { sort } from './sort.js';
import { stat } from './stat.js';
import { tac } from './tac.js';
import { tail } from './tail.js';
import { tee } from './tee.js';
import { touch } from './touch.js';
import { tr } from './tr.js';
import { trueCommand } from './true.js';
import { truncate } from './truncate.js';
import { uniq } from './uniq.js';
import { wc } from './wc.js';
import { xargs } from './xargs.js';
import { yes } from './yes.js';

// biome-ignore format: one line per command
export const builtins: readonly Builtin[] = [
  basename,
  cat,
  chmod,
  comm,
  cp,
  cut,
  date,
  df,
  dirname,
  du,
  env,
  expr,
  falseCommand,
  find,
  fold,
  head,
  ln,
  logrotate,
  ls,
  mkdir,
  mktemp,
  mv,
  nl,
  paste,
  printenv,
  readlink,
  realpath,
  rev,
  rm,
  rmdir,
  seq,
  sleep,
  sort,
  stat,
  tac,
  tail,
  tee,
  touch,
  tr,
  trueCommand,
  truncate,
  uniq,
  wc,
  xargs,
  yes,
];
