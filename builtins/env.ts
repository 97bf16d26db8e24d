/** env: run a command with other exported variables, or print them. */
import { FsError } from '../src/errors.js';
import { andThen } from '../src/steps.js';
import { gnuQuote, gnuQuoteValue } from '../src/text/quote.js';
import { SplitProblem, withSplitStrings } from './env/split-string.js';
import type { Ended } from './kit/context.js';
import { type Builtin, defineBuiltin } from './kit/define.js';

const FAILURE = 125;

const definition = defineBuiltin({
  name: 'env',
  summary: 'run a command with other exported variables, or print them',
  needs: ['environment', 'invoke'],
  usage: 'env [OPTION]... [-] [NAME=VALUE]... [COMMAND [ARG]...]',
  notes: 'A lone - is -i. Without COMMAND, print the variables.',
  flags: {
    ignore: { short: 'i', long: 'ignore-environment', help: 'start with no variables' },
    zero: { short: '0', long: 'null', help: 'end each printed variable with NUL and not with a newline' },
    directory: { short: 'C', long: 'chdir', value: 'DIR', help: 'run COMMAND in DIR' },
    split: { short: 'S', long: 'split-string', value: 'STRING', help: 'split STRING into words, and read them here' },
    unset: { short: 'u', long: 'unset', value: 'NAME', repeat: true, help: 'leave out a variable' },
  },
  options: 'leading',
  usageStatus: FAILURE,
  writeFailure: FAILURE,
  statuses: {
    0: 'the variables were printed',
    125: 'env itself failed',
    126: 'COMMAND was found but not run',
    127: 'COMMAND was not found; otherwise the status of COMMAND',
  },

  run(context) {
    const { flags, operands, out } = context;
    let next = 0;
    const dash = operands[0] === '-';
    if (dash) next++;
    const environment = new Map(flags.ignore === true || dash ? [] : context.environment);
    for (const name of flags.unset ?? []) {
      if (name === '' || name.includes('=')) {
        context.complain(`cannot unset ${gnuQuoteValue(name)}: Invalid argument`);
        return FAILURE;
      }
      environment.delete(name);
    }
    for (; next < operands.length; next++) {
      const operand = operands[next] as string;
      const equals = operand.indexOf('=');
      if (equals < 0) break;
      environment.set(operand.slice(0, equals), operand.slice(equals + 1));
    }
    const command = operands.slice(next);
    if (command.length > 0) {
      if (flags.zero === true) {
        context.complain('cannot specify --null (-0) with command');
        return andThen(context.err.write("Try 'env --help' for more information.\n"), () => FAILURE);
      }
      const { directory } = flags;
      const asOwn = (end: Ended): number => end.asOwn();
      if (directory === undefined) return andThen(context.invoke(command, { environment }), asOwn);
      try {
        if (directory === '') throw new FsError('ENOENT', directory);
        return andThen(context.invoke(command, { environment, cwd: directory }), asOwn);
      } catch (error) {
        context.failed(`cannot change directory to ${gnuQuote(directory)}`, error);
        return FAILURE;
      }
    }
    if (flags.directory !== undefined) {
      context.complain('must specify command with --chdir (-C)');
      return andThen(context.err.write("Try 'env --help' for more information.\n"), () => FAILURE);
    }
    const end = flags.zero === true ? '\0' : '\n';
    let text = '';
    for (const [name, value] of environment) text += `${name}=${value}${end}`;
    return andThen(out.write(text), () => 0);
  },
});

/** The words of `-S` are options and operands as any other: they are put in before those are read. */
export const env: Builtin = {
  ...definition,
  invoke(context, argv) {
    const words = withSplitStrings(argv, context.environment);
    if (!(words instanceof SplitProblem)) return definition.invoke(context, words);
    context.complain(words.message);
    return FAILURE;
  },
};
