/** `builtin` (bash): a built-in even where a function has its name. */
import type { Awaitable } from '../../src/steps.js';
import type { Outcome } from '../kit/outcome.js';
import { letterOptions, placesFrom } from './options.js';
import { fail, invalidOption } from './output.js';
import type { ShellBuiltin } from './shell.js';

const usage = 'builtin [NAME [ARG]...]';

export const builtin: ShellBuiltin = {
  names: ['builtin'],
  special: false,
  summary: 'run a command that is part of the shell',
  usage,
  run(shell, argv, declared): Awaitable<Outcome> {
    const { operands, invalid } = letterOptions(argv, '');
    if (invalid !== undefined) return invalidOption(shell, argv, invalid, usage);
    const name = operands[0];
    if (name === undefined) return 0;
    const isBuiltin = shell.commandKinds(name).some((kind) => kind === 'built-in' || kind === 'special built-in');
    if (!isBuiltin) return fail(shell, argv, `${name}: not a shell builtin`);
    return shell.runCommand('builtin', operands, placesFrom(declared, argv.length - operands.length));
  },
};
