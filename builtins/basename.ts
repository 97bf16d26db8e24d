/** basename: the last part of a path. */

import { andThen } from '../src/steps.js';
import { gnuQuoteValue } from '../src/text/quote.js';
import { defineBuiltin, usageFailure } from './kit/define.js';
import { baseName } from './kit/paths.js';

export const basename = defineBuiltin({
  name: 'basename',
  summary: 'print the last part of a path',
  usage: 'basename NAME [SUFFIX]\nbasename -a [-s SUFFIX] [-z] NAME...',
  needs: [],
  options: 'leading',
  flags: {
    multiple: { short: 'a', long: 'multiple', help: 'every operand is a NAME' },
    suffix: { short: 's', long: 'suffix', value: 'SUFFIX', help: 'as -a, and remove SUFFIX from the end' },
    zero: { short: 'z', long: 'zero', help: 'end each line with a NUL' },
  },
  statuses: { 0: 'all went well', 1: 'usage error' },

  run(context) {
    const { flags, operands } = context;
    const multiple = flags.multiple === true || flags.suffix !== undefined;
    if (operands.length === 0) return usageFailure(context, 'missing operand');
    if (!multiple && operands.length > 2) {
      return usageFailure(context, `extra operand ${gnuQuoteValue(operands[2] as string)}`); // there are three
    }
    const names = multiple ? operands : operands.slice(0, 1);
    const suffix = flags.suffix ?? (multiple ? '' : (operands[1] ?? ''));
    const end = flags.zero ? '\0' : '\n';
    const text = names.map((name) => withoutSuffix(baseName(name), suffix) + end).join('');
    return andThen(context.out.write(text), () => 0);
  },
});

/** A name that is nothing but the suffix keeps it. */
function withoutSuffix(name: string, suffix: string): string {
  return suffix !== '' && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}
