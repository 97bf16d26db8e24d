/** `disown`, `fg`, `bg` (POSIX XCU, bash). There is no job control: jobs share one process, and none is ever stopped. */

import { jobOf } from './jobs.js';
import { letterOptions, wholeNumber } from './options.js';
import { fail, invalidOption } from './output.js';
import type { ShellBuiltin } from './shell.js';

const usage = 'disown [-h] [-ar] [PID|%JOB]...';

export const disown: ShellBuiltin = {
  names: ['disown'],
  special: false,
  summary: 'forget background jobs',
  usage,
  run(shell, argv) {
    const { given, operands, invalid } = letterOptions(argv, 'ahr');
    if (invalid !== undefined) return invalidOption(shell, argv, invalid, usage);
    const letters = new Set(given.map(({ letter }) => letter));
    // -h spares a job the SIGHUP when the shell ends: rmsh sends none, so it only has to be there.
    const forget = (pid: number): void => {
      if (!letters.has('h')) shell.forgetJob(pid);
    };
    if (operands.length === 0) {
      const all = shell.jobs();
      if (letters.has('a') || letters.has('r')) {
        for (const job of all) if (!letters.has('r') || job.status === undefined) forget(job.pid);
        return 0;
      }
      const current = all.at(-1);
      if (current === undefined) return fail(shell, argv, 'current: no such job');
      forget(current.pid);
      return 0;
    }
    let status = 0;
    for (const operand of operands) {
      const number = wholeNumber(operand);
      const job = operand.startsWith('%') ? jobOf(shell, operand) : shell.jobs().find(({ pid }) => pid === number);
      if (job === undefined) status = fail(shell, argv, `${operand}: no such job`);
      else forget(job.pid);
    }
    return status;
  },
};

function jobControl(name: string, summary: string): ShellBuiltin {
  return {
    names: [name],
    special: false,
    summary,
    usage: `${name} [%JOB]`,
    run: (shell, argv) => fail(shell, argv, 'no job control'),
  };
}

export const fg = jobControl('fg', 'bring a job to the foreground, which needs job control');
export const bg = jobControl('bg', 'let a stopped job go on, which needs job control');
