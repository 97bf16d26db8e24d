/** `printf`, as bash's. */
import { andThen } from '../../src/steps.js';
import { formatPrintf, type PrintfOptions } from '../kit/printf.js';
import { assignTo, isAssignable } from './names.js';
import { letterOptions } from './options.js';
import { fail, invalidOption, missingArgument } from './output.js';
import type { Shell, ShellBuiltin } from './shell.js';

const usage = 'printf [-v VAR] FORMAT [ARGUMENT]...';

export const printf: ShellBuiltin = {
  names: ['printf'],
  special: false,
  summary: 'format and print arguments',
  usage,
  run(shell, argv) {
    const { given, operands, invalid, missing } = letterOptions(argv, 'v:');
    if (invalid !== undefined) return invalidOption(shell, argv, invalid, usage);
    if (missing !== undefined) return missingArgument(shell, argv, missing, usage);
    const variable = given.at(-1)?.value;
    if (variable !== undefined && !isAssignable(variable)) {
      return fail(shell, argv, `\`${variable}': not a valid identifier`, 2);
    }
    const format = operands[0];
    if (format === undefined) {
      return andThen(shell.err.write(`printf: usage: ${usage}\n`), () => 2);
    }
    const { output, errors, status } = formatPrintf(format, operands.slice(1), {
      time: new Times(shell),
      maxBytes: shell.limits.maxStringBytes,
    });
    for (const error of errors) shell.complain(`printf: ${error}`);
    if (variable === undefined) return andThen(shell.out.write(output), () => status);
    return assignTo(shell, variable, output.replaceAll('\0', '')) ? status : 1;
  },
};

/** What `%(fmt)T` asks for. Its parts are made when they are asked for: the time zone costs more than all the rest of a printf. */
class Times implements NonNullable<PrintfOptions['time']> {
  readonly #shell: Shell;

  constructor(shell: Shell) {
    this.#shell = shell;
  }

  now(): number {
    return Math.floor(Date.now() / 1000);
  }

  shellStart(): number {
    return Math.floor(this.#shell.startedAt / 1000);
  }

  get timeZone(): string {
    return this.#shell.parameter('TZ') ?? this.#shell.timeZone;
  }
}
