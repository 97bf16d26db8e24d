/** The same context, with a command's own words for an operand that cannot be read. */
import { isFsError } from '../../src/errors.js';
import { type InputContext, isReadFailure } from './input.js';
import { View } from './view.js';

/**
 * `describe` answers what stands between `NAME: ` and the error's own words; undefined: it is none. `reading`: it could be opened, and
 * could not be read.
 */
export function failingAs<C extends InputContext>(
  context: C,
  describe: (operand: string, reading: boolean) => string | undefined,
): C {
  const failed = (operand: string, error: unknown): 0 | 1 => {
    if (!isFsError(error)) throw error;
    const what = describe(operand, isReadFailure(error));
    if (what === undefined) return 0;
    context.complain(`${what}: ${error.message}`);
    return 1;
  };
  // An object made from another costs as much as the rest of a small command.
  if (context instanceof View) return context.withFailed(failed) as typeof context;
  const derived: C = Object.create(context, { failed: { value: failed } });
  return derived;
}
