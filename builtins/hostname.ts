/** hostname: the host's name. It cannot be set. */
import { type Awaitable, andThen } from '../src/steps.js';
import { defineBuiltin } from './kit/define.js';

export const hostname = defineBuiltin({
  name: 'hostname',
  summary: "print the host's name",
  needs: ['host'],
  usage: 'hostname [-s]',
  flags: { short: { short: 's', long: 'short', help: 'only as far as the first dot' } },
  statuses: { 0: 'printed', 1: 'the name was to be set' },

  run(context): Awaitable<number> {
    const { flags, operands, host } = context;
    if (operands.length > 0) {
      context.complain('you must be root to change the host name');
      return 1;
    }
    const name = host.hostName();
    const dot = flags.short === true ? name.indexOf('.') : -1;
    return andThen(context.out.write(`${dot < 0 ? name : name.slice(0, dot)}\n`), () => 0);
  },
});
