/** printenv: print exported variables. */
import { andThen } from '../src/steps.js';
import { defineBuiltin } from './kit/define.js';

export const printenv = defineBuiltin({
  name: 'printenv',
  summary: 'print exported variables',
  needs: ['environment'],
  usage: 'printenv [OPTION]... [VARIABLE]...',
  notes: 'Without VARIABLEs, print the names and values of all.',
  flags: { zero: { short: '0', long: 'null', help: 'end each with NUL and not with a newline' } },
  options: 'leading',
  usageStatus: 2,
  writeFailure: 2,
  statuses: { 0: 'all VARIABLEs are there', 1: 'some VARIABLE is not there', 2: 'usage error' },

  run({ flags, operands, environment, out }) {
    const end = flags.zero === true ? '\0' : '\n';
    let status = 0;
    let text = '';
    if (operands.length === 0) for (const [name, value] of environment) text += `${name}=${value}${end}`;
    for (const name of operands) {
      const value = environment.get(name);
      if (value === undefined || name.includes('=')) status = 1;
      else text += value + end;
    }
    return andThen(out.write(text), () => status);
  },
});
