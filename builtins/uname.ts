/** uname: what system this is. */
import { type Awaitable, andThen } from '../src/steps.js';
import { gnuQuoteValue } from '../src/text/quote.js';
import { defineBuiltin, usageFailure } from './kit/define.js';

export const uname = defineBuiltin({
  name: 'uname',
  summary: 'print what system this is',
  needs: ['host'],
  usage: 'uname [OPTION]...',
  notes: 'Without options, as with -s.',
  flags: {
    all: { short: 'a', long: 'all', help: 'all of these, in this order' },
    kernel: { short: 's', long: ['kernel-name', 'sysname'], help: "the kernel's name" },
    node: { short: 'n', long: 'nodename', help: "the host's name" },
    release: { short: 'r', long: ['kernel-release', 'release'], help: "the kernel's release" },
    version: { short: 'v', long: 'kernel-version', help: "the kernel's version" },
    machine: { short: 'm', long: 'machine', help: 'the kind of machine' },
    system: { short: 'o', long: 'operating-system', help: 'the operating system' },
  },
  statuses: { 0: 'printed', 1: 'the options are wrong' },

  run(context): Awaitable<number> {
    const { flags, operands, host } = context;
    const [extra] = operands;
    if (extra !== undefined) return usageFailure(context, `extra operand ${gnuQuoteValue(extra)}`);
    const all = flags.all === true;
    const none = context.given.length === 0;
    const { name, release, version, machine } = host.system();
    const parts: string[] = [];
    if (all || none || flags.kernel === true) parts.push(name);
    if (all || flags.node === true) parts.push(host.hostName());
    if (all || flags.release === true) parts.push(release);
    if (all || flags.version === true) parts.push(version);
    if (all || flags.machine === true) parts.push(machine);
    if (all || flags.system === true) parts.push(name === 'Linux' ? 'GNU/Linux' : name);
    return andThen(context.out.write(`${parts.join(' ')}\n`), () => 0);
  },
});
