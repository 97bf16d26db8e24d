/** `cd` and `pwd` (POSIX XCU cd, pwd). */
import { FsError, isFsError } from '../../src/errors.js';
import type { Awaitable } from '../../src/steps.js';
import type { Outcome } from '../kit/outcome.js';
import { letterOptions } from './options.js';
import { fail, invalidOption, print } from './output.js';
import type { Shell, ShellBuiltin } from './shell.js';

/** A script sees no variable of the caller but those it is given. */
const NO_HOME = 'HOME not set (--env HOME passes on that of the caller)';

export const cd: ShellBuiltin = {
  names: ['cd'],
  special: false,
  summary: 'change the working directory',
  usage: 'cd [-L|-P] [DIR]',
  run(shell, argv): Awaitable<Outcome> {
    const { given, operands, invalid } = letterOptions(argv, 'LPe');
    if (invalid !== undefined) return invalidOption(shell, argv, invalid, 'cd [-L|-P] [DIR]');
    if (operands.length > 1) return fail(shell, argv, 'too many arguments');
    const physical = given.findLast(({ letter }) => letter !== 'e')?.letter === 'P';
    const variable = operands[0] === undefined ? 'HOME' : operands[0] === '-' ? 'OLDPWD' : undefined;
    const target = variable === undefined ? operands[0] : shell.parameter(variable);
    // Shells agree that an empty HOME is where one is.
    if (variable === 'HOME' && target === '') return 0;
    if (target === undefined || (variable !== undefined && target === ''))
      return fail(shell, argv, variable === 'HOME' ? NO_HOME : 'OLDPWD not set');
    let show = variable === 'OLDPWD';
    const found = findDirectory(shell, target);
    if (found.fromCdPath) show = true;
    try {
      go(shell, found.path, physical);
    } catch (error) {
      if (!isFsError(error)) throw error;
      return fail(shell, argv, `${operands[0] ?? target}: ${error.message}`);
    }
    return show ? print(shell, `${shell.logicalCwd}\n`) : 0;
  },
};

/** `$CDPATH` is searched for a name that does not start with `/`, `.` or `..`. */
export function findDirectory(shell: Shell, target: string): { readonly path: string; readonly fromCdPath: boolean } {
  const first = target.split('/', 1)[0];
  const cdPath = shell.parameter('CDPATH');
  if (cdPath !== undefined && cdPath !== '' && first !== '' && first !== '.' && first !== '..') {
    for (const directory of cdPath.split(':')) {
      const path = directory === '' ? target : `${directory.replace(/\/$/, '')}/${target}`;
      if (shell.fs.tryStat(path)?.kind === 'directory') return { path, fromCdPath: directory !== '' };
    }
  }
  return { path: target, fromCdPath: false };
}

/** Goes to `target` and sets PWD and OLDPWD; throws FsError. */
export function go(shell: Shell, target: string, physical: boolean): void {
  if (target === '') throw new FsError('ENOENT', target);
  const base = physical ? shell.physicalCwd : shell.logicalCwd;
  const absolute = target.startsWith('/');
  const before = shell.logicalCwd;
  // Without -P a `..` takes back the name before it (POSIX cd, step 8): but that name must be a directory.
  const path = physical ? (absolute ? target : `${base}/${target}`) : logicalPath(shell, absolute ? '' : base, target);
  shell.changeDirectory(path, physical);
  shell.setVariable('OLDPWD', before);
  shell.setVariable('PWD', shell.logicalCwd);
}

function logicalPath(shell: Shell, base: string, target: string): string {
  const parts = base.split('/').filter((part) => part !== '');
  // The shell came through these: `cd ..` leaves a directory that has been removed.
  let known = parts.length;
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') {
      parts.push(part);
      continue;
    }
    if (parts.length > known && !isInside(shell, `/${parts.join('/')}`)) throw new FsError('ENOENT', target);
    parts.pop();
    known = Math.min(known, parts.length);
  }
  return `/${parts.join('/')}`;
}

/** Whether a name that `..` takes back was a directory; what lies outside of the roots is only text to us. */
function isInside(shell: Shell, path: string): boolean {
  try {
    return shell.fs.stat(path).kind === 'directory';
  } catch (error) {
    if (isFsError(error)) return error.code === 'EACCES';
    throw error;
  }
}

export const pwd: ShellBuiltin = {
  names: ['pwd'],
  special: false,
  summary: 'print the working directory',
  usage: 'pwd [-L|-P]',
  run(shell, argv) {
    const { given, invalid } = letterOptions(argv, 'LP');
    if (invalid !== undefined) return invalidOption(shell, argv, invalid, 'pwd [-L|-P]');
    return print(shell, `${given.at(-1)?.letter === 'P' ? shell.physicalCwd : shell.logicalCwd}\n`);
  },
};
