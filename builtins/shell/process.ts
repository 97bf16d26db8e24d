/** `umask` and `times` (POSIX XCU). */
import { letterOptions } from './options.js';
import { fail, invalidOption, print } from './output.js';
import type { ShellBuiltin } from './shell.js';
import { parseSymbolicMask, symbolicMask } from './umask-symbols.js';

export const umask: ShellBuiltin = {
  names: ['umask'],
  special: false,
  summary: 'show or set which permissions new files lack',
  usage: 'umask [-pS] [MASK]',
  run(shell, argv) {
    const { given, operands, invalid } = letterOptions(argv, 'pS');
    if (invalid !== undefined) return invalidOption(shell, argv, invalid, 'umask [-pS] [MASK]');
    const letters = given.map(({ letter }) => letter);
    const text = operands[0];
    if (text === undefined) {
      const octal = shell.umask.toString(8).padStart(4, '0');
      const shown = letters.includes('S') ? symbolicMask(shell.umask) : octal;
      return print(shell, `${letters.includes('p') ? `umask ${letters.includes('S') ? '-S ' : ''}` : ''}${shown}\n`);
    }
    if (/^[0-9]/.test(text)) {
      if (!/^[0-7]{1,4}$/.test(text)) return fail(shell, argv, `${text}: octal number out of range`);
      shell.umask = Number.parseInt(text, 8) & 0o777;
    } else {
      const mask = parseSymbolicMask(text, shell.umask);
      if (typeof mask === 'string') return fail(shell, argv, mask);
      shell.umask = mask;
    }
    return letters.includes('S') ? print(shell, `${symbolicMask(shell.umask)}\n`) : 0;
  },
};

export const times: ShellBuiltin = {
  names: ['times'],
  special: true,
  summary: 'show the processor time used',
  usage: 'times',
  run(shell) {
    const { user, system } = shell.times();
    // Nothing here runs in a process of its own: the second line, the children's time, is 0.
    return print(shell, `${clock(user)} ${clock(system)}\n0m0.000s 0m0.000s\n`);
  },
};

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}m${(seconds % 60).toFixed(3)}s`;
}
