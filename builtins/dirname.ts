/** dirname: all but the last part of a path. */
import { andThen } from '../src/steps.js';
import { defineBuiltin, usageFailure } from './kit/define.js';
import { directoryName } from './kit/paths.js';

export const dirname = defineBuiltin({
  name: 'dirname',
  summary: 'print all but the last part of a path',
  usage: 'dirname [-z] NAME...',
  needs: [],
  flags: { zero: { short: 'z', long: 'zero', help: 'end each line with a NUL' } },
  statuses: { 0: 'all went well', 1: 'usage error' },

  run(context) {
    const { flags, operands } = context;
    if (operands.length === 0) return usageFailure(context, 'missing operand');
    const end = flags.zero ? '\0' : '\n';
    return andThen(context.out.write(operands.map((name) => directoryName(name) + end).join('')), () => 0);
  },
});
