/** `caller` (bash): where the running function was called. */
import { letterOptions, wholeNumber } from './options.js';
import { invalidOption, misused, print } from './output.js';
import type { ShellBuiltin } from './shell.js';

const usage = 'caller [DEPTH]';

export const caller: ShellBuiltin = {
  names: ['caller'],
  special: false,
  summary: 'tell where the running function was called',
  usage,
  run(shell, argv) {
    const { operands, invalid } = letterOptions(argv, '');
    if (invalid !== undefined) return invalidOption(shell, argv, invalid, usage);
    const lines = shell.elements('BASH_LINENO');
    const files = shell.elements('BASH_SOURCE');
    const functions = shell.elements('FUNCNAME');
    const word = operands[0];
    if (word === undefined) return print(shell, `${lines[0] ?? '0'} ${files[1] ?? 'NULL'}\n`);
    const depth = wholeNumber(word);
    if (depth === undefined) return misused(shell, argv, `${word}: invalid number`, usage);
    const name = functions[depth + 1];
    const file = files[depth + 1];
    return name === undefined || file === undefined ? 1 : print(shell, `${lines[depth]} ${name} ${file}\n`);
  },
};
