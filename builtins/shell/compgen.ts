/** `compgen -G PATTERN` (bash): the files that a pattern matches, which scripts ask for their status. There is no completion to program here. */
import { type Awaitable, andThen } from '../../src/steps.js';
import type { Outcome } from '../kit/outcome.js';
import { letterOptions } from './options.js';
import { fail, invalidOption, missingArgument, print } from './output.js';
import type { ShellBuiltin } from './shell.js';

const usage = 'compgen -G PATTERN';

export const compgen: ShellBuiltin = {
  names: ['compgen'],
  special: false,
  summary: 'list the files that a pattern matches',
  usage,
  run(shell, argv): Awaitable<Outcome> {
    const { given, invalid, missing } = letterOptions(argv, 'abcdefgjksuvo:A:G:W:F:C:X:P:S:');
    if (invalid !== undefined) return invalidOption(shell, argv, invalid, usage);
    if (missing !== undefined) return missingArgument(shell, argv, missing, usage);
    const other = given.find(({ letter }) => letter !== 'G');
    if (other !== undefined) return fail(shell, argv, `-${other.letter}: not supported by rmsh`);
    const pattern = given.at(-1)?.value;
    if (pattern === undefined) return 1;
    return andThen(shell.pathnames(pattern), (names) =>
      names.length === 0 ? 1 : print(shell, names.map((name) => `${name}\n`).join('')),
    );
  },
};
