/** `hash` (POSIX XCU hash). Commands are inside, so where one lies is never looked for twice: nothing is remembered. */
import { letterOptions } from './options.js';
import { fail, invalidOption, print } from './output.js';
import type { ShellBuiltin } from './shell.js';

const usage = 'hash [-r] [NAME]...';

export const hash: ShellBuiltin = {
  names: ['hash'],
  special: false,
  summary: 'check that commands are there',
  usage,
  run(shell, argv) {
    const { given, operands, invalid } = letterOptions(argv, 'dlp:rt');
    if (invalid !== undefined) return invalidOption(shell, argv, invalid, usage);
    const other = given.find(({ letter }) => letter !== 'r');
    if (other !== undefined) return fail(shell, argv, `-${other.letter}: not supported by rmsh`);
    if (given.length === 0 && operands.length === 0) return print(shell, 'hash: hash table empty\n');
    let status = 0;
    for (const name of operands) {
      const found = shell.describeCommand(name) ?? shell.programPath(name) ?? shell.findScript(name);
      if (name.includes('/') || found !== undefined) continue;
      status = fail(shell, argv, `${name}: not found`);
    }
    return status;
  },
};
