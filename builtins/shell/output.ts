/** Printing and complaining, for built-ins. */
import type { Awaitable } from '../../src/steps.js';
import { completion, type Outcome } from '../kit/outcome.js';
import type { Shell } from './shell.js';

/** Prints, and answers `status` when it is out. */
export function print(shell: Shell, text: string, status = 0): Awaitable<Outcome> {
  const waiting = shell.out.write(text);
  return waiting === undefined ? status : waiting.then(() => status);
}

/** Complains as `NAME: message`; answers `status`. */
export function fail(shell: Shell, argv: readonly string[], message: string, status = 1): number {
  shell.complain(`${argv[0]}: ${message}`);
  return status;
}

/** `-x: invalid option` and the usage, as bash has them; 2. */
export function invalidOption(shell: Shell, argv: readonly string[], option: string, usage: string): number {
  return misused(shell, argv, `${option}: invalid option`, usage);
}

/** An option without its argument and the usage, as bash has them; 2. */
export function missingArgument(shell: Shell, argv: readonly string[], option: string, usage: string): number {
  return misused(shell, argv, `${option}: option requires an argument`, usage);
}

/** Something that is wrong with an operand, and the usage; 2. */
export function misused(shell: Shell, argv: readonly string[], message: string, usage: string): number {
  shell.complain(`${argv[0]}: ${message}`);
  void shell.err.write(`${argv[0]}: usage: ${usage}\n`);
  return 2;
}

/** An error of a special built-in, which ends a script (POSIX 2.8.1). */
export function refuse(shell: Shell, argv: readonly string[], message: string, status = 1): Outcome {
  return completion('builtin error', fail(shell, argv, message, status));
}

/** The same for an option that is not there. */
export function refuseOption(shell: Shell, argv: readonly string[], option: string, usage: string): Outcome {
  return completion('builtin error', invalidOption(shell, argv, option, usage));
}
