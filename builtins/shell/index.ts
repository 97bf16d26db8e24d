/** The utilities that are part of the shell: one line each. */
import { breakBuiltin, colon, continueBuiltin, exit, falseBuiltin, returnBuiltin, trueBuiltin } from './control.js';
import { declare, exportBuiltin, local, readonly } from './declare.js';
import { cd, pwd } from './directory.js';
import { echo } from './echo.js';
import { command, dot, evalBuiltin, exec, type } from './evaluation.js';
import { getopts } from './getopts.js';
import { helpBuiltin } from './help.js';
import { jobs, kill, wait } from './jobs.js';
import { set, shift } from './parameters.js';
import { printf } from './printf.js';
import { times, umask } from './process.js';
import { read } from './read.js';
import type { ShellBuiltin } from './shell.js';
import { test } from './test.js';
import { trap } from './traps.js';
import { unset } from './unset.js';

// biome-ignore format: one line each
export const shellBuiltins: readonly ShellBuiltin[] = [
  breakBuiltin,
  cd,
  colon,
  command,
  continueBuiltin,
  declare,
  dot,
  echo,
  evalBuiltin,
  exec,
  exit,
  exportBuiltin,
  falseBuiltin,
  getopts,
  helpBuiltin(() => shellBuiltins),
  jobs,
  kill,
  local,
  printf,
  pwd,
  read,
  readonly,
  returnBuiltin,
  set,
  shift,
  test,
  times,
  trap,
  trueBuiltin,
  type,
  umask,
  unset,
  wait,
];
