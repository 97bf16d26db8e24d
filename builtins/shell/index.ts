/** The utilities that are part of the shell: one line each. */
import { alias, unalias } from './alias.js';
import { builtin } from './builtin.js';
import { caller } from './caller.js';
import { compgen } from './compgen.js';
import { breakBuiltin, colon, continueBuiltin, exit, falseBuiltin, returnBuiltin, trueBuiltin } from './control.js';
import { declare, exportBuiltin, local, readonly } from './declare.js';
import { cd, pwd } from './directory.js';
import { dirs, popd, pushd } from './directory-stack.js';
import { echo } from './echo.js';
import { command, dot, evalBuiltin, exec } from './evaluation.js';
import { getopts } from './getopts.js';
import { hash } from './hash.js';
import { helpBuiltin } from './help.js';
import { bg, disown, fg } from './job-control.js';
import { jobs, kill, wait } from './jobs.js';
import { letBuiltin } from './let.js';
import { mapfile } from './mapfile.js';
import { set, shift } from './parameters.js';
import { printf } from './printf.js';
import { times, umask } from './process.js';
import { read } from './read.js';
import { refusedBuiltins } from './refused.js';
import type { ShellBuiltin } from './shell.js';
import { shopt } from './shopt.js';
import { test } from './test.js';
import { trap } from './traps.js';
import { type } from './type.js';
import { ulimit } from './ulimit.js';
import { unset } from './unset.js';
import { which } from './which.js';

// biome-ignore format: one line each
export const shellBuiltins: readonly ShellBuiltin[] = [
  alias,
  bg,
  breakBuiltin,
  builtin,
  caller,
  cd,
  colon,
  command,
  compgen,
  continueBuiltin,
  declare,
  dirs,
  disown,
  dot,
  echo,
  evalBuiltin,
  exec,
  exit,
  exportBuiltin,
  falseBuiltin,
  fg,
  getopts,
  hash,
  helpBuiltin(() => shellBuiltins, refusedBuiltins),
  jobs,
  kill,
  letBuiltin,
  local,
  mapfile,
  popd,
  printf,
  pushd,
  pwd,
  read,
  readonly,
  ...refusedBuiltins,
  returnBuiltin,
  set,
  shift,
  shopt,
  test,
  times,
  trap,
  trueBuiltin,
  type,
  ulimit,
  umask,
  unalias,
  unset,
  wait,
  which,
];
