/**
 * The commands rmsh has inside: one line per command, sorted, so that each could become `() => import(...)`.
 */
import { awk } from './awk.js';
import { base64 } from './base64.js';
import { basename } from './basename.js';
import { cat } from './cat.js';
import { chmod } from './chmod.js';
import { cksum } from './cksum.js';
import { cmp } from './cmp.js';
import { comm } from './comm.js';
import { cp } from './cp.js';
import { cut } from './cut.js';
import { date } from './date.js';
import { df } from './df.js';
import { diff } from './diff.js';
import { dirname } from './dirname.js';
import { du } from './du.js';
import { env } from './env.js';
import { expand } from './expand.js';
import { expr } from './expr.js';
import { falseCommand } from './false.js';
import { find } from './find.js';
import { fold } from './fold.js';
import { free } from './free.js';
import { egrep, fgrep, grep } from './grep.js';
import { gzip } from './gzip.js';
import { head } from './head.js';
import { hexdump } from './hexdump.js';
import { hostname } from './hostname.js';
import { id } from './id.js';
import { ip } from './ip.js';
import { join } from './join.js';
import { jq } from './jq.js';
import type { Builtin } from './kit/define.js';
import { ln } from './ln.js';
import { logrotate } from './logrotate.js';
import { ls } from './ls.js';
import { lsof } from './lsof.js';
import { md5sum } from './md5sum.js';
import { mkdir } from './mkdir.js';
import { mktemp } from './mktemp.js';
import { mv } from './mv.js';
import { nl } from './nl.js';
import { nproc } from './nproc.js';
import { od } from './od.js';
import { paste } from './paste.js';
import { pgrep } from './pgrep.js';
import { printenv } from './printenv.js';
import { ps } from './ps.js';
import { readlink } from './readlink.js';
import { realpath } from './realpath.js';
import { rev } from './rev.js';
import { rm } from './rm.js';
import { rmdir } from './rmdir.js';
import { sed } from './sed.js';
import { seq } from './seq.js';
import { sha1sum } from './sha1sum.js';
import { sha256sum } from './sha256sum.js';
import { sha512sum } from './sha512sum.js';
import { sleep } from './sleep.js';
import { sort } from './sort.js';
import { split } from './split.js';
import { ss } from './ss.js';
import { stat } from './stat.js';
import { strings } from './strings.js';
import { tac } from './tac.js';
import { tail } from './tail.js';
import { tar } from './tar.js';
import { tee } from './tee.js';
import { timeout } from './timeout.js';
import { touch } from './touch.js';
import { tr } from './tr.js';
import { trueCommand } from './true.js';
import { truncate } from './truncate.js';
import { uname } from './uname.js';
import { unexpand } from './unexpand.js';
import { uniq } from './uniq.js';
import { uptime } from './uptime.js';
import { vmstat } from './vmstat.js';
import { wc } from './wc.js';
import { whoami } from './whoami.js';
import { xargs } from './xargs.js';
import { yes } from './yes.js';

// biome-ignore format: one line per command
export const builtins: readonly Builtin[] = [
  awk,
  base64,
  basename,
  cat,
  chmod,
  cksum,
  cmp,
  comm,
  cp,
  cut,
  date,
  df,
  diff,
  dirname,
  du,
  egrep,
  env,
  expand,
  expr,
  falseCommand,
  fgrep,
  find,
  fold,
  free,
  grep,
  gzip,
  head,
  hexdump,
  hostname,
  id,
  ip,
  join,
  jq,
  ln,
  logrotate,
  ls,
  lsof,
  md5sum,
  mkdir,
  mktemp,
  mv,
  nl,
  nproc,
  od,
  paste,
  pgrep,
  printenv,
  ps,
  readlink,
  realpath,
  rev,
  rm,
  rmdir,
  sed,
  seq,
  sha1sum,
  sha256sum,
  sha512sum,
  sleep,
  sort,
  split,
  ss,
  stat,
  strings,
  tac,
  tail,
  tar,
  tee,
  timeout,
  touch,
  tr,
  trueCommand,
  truncate,
  uname,
  unexpand,
  uniq,
  uptime,
  vmstat,
  wc,
  whoami,
  xargs,
  yes,
];
