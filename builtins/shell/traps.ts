/** `trap` (POSIX 2.15 trap). */

import type { Awaitable } from '../../src/steps.js';
import { quoteAlways } from '../../src/text/quote.js';
import type { Outcome } from '../kit/outcome.js';
import { conditionName, signalNumber, signalRows } from '../kit/signals.js';
import { letterOptions } from './options.js';
import { fail, print, refuseOption } from './output.js';
import type { Shell, ShellBuiltin } from './shell.js';

const usage = 'trap [-lp] [ACTION] [CONDITION]...';

export const trap: ShellBuiltin = {
  names: ['trap'],
  special: true,
  summary: 'run an action when the shell ends or a signal comes',
  usage,
  run(shell, argv): Awaitable<Outcome> {
    const { given, operands, invalid } = letterOptions(argv, 'lp');
    if (invalid !== undefined) return refuseOption(shell, argv, invalid, usage);
    if (given.some(({ letter }) => letter === 'l')) return print(shell, signalRows());
    if (given.length > 0 || operands.length === 0) return print(shell, listing(shell, operands));
    // A first operand that is a number, or the only operand, names a condition to reset.
    const resets = operands[0] === '-' || /^[0-9]+$/.test(operands[0] as string) || operands.length === 1;
    const conditions = operands.length > 1 && !/^[0-9]+$/.test(operands[0] as string) ? operands.slice(1) : operands;
    let status = 0;
    for (const text of conditions) {
      const condition = trapCondition(text);
      if (condition === undefined) status = fail(shell, argv, `${text}: invalid signal specification`);
      else shell.setTrap(condition, resets ? undefined : operands[0]);
    }
    return status;
  },
};

/** Conditions of bash: before each command; a command failed where `set -e` would end the script; a function or `.` has ended. */
const EVENTS: readonly string[] = ['DEBUG', 'ERR', 'RETURN'];

/** A signal, `EXIT`, or an event. */
function trapCondition(text: string): string | undefined {
  const upper = text.toUpperCase();
  return EVENTS.includes(upper) ? upper : conditionName(text);
}

/** EXIT first, then the signals by number, then the events. */
function order(condition: string): number {
  return EVENTS.includes(condition) ? 1000 + EVENTS.indexOf(condition) : signalNumber(condition);
}

/** Text that sets the traps again. */
function listing(shell: Shell, wanted: readonly string[]): string {
  const names = wanted.map(trapCondition);
  return shell
    .traps()
    .filter(({ condition }) => names.length === 0 || names.includes(condition))
    .sort((a, b) => order(a.condition) - order(b.condition))
    .map(({ condition, action }) => `trap -- ${quoteAlways(action)} ${condition}\n`)
    .join('');
}
