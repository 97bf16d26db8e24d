/** `time pipeline` (bash) and `time -p` (POSIX's format). */
import type { Outcome } from '../../builtins/kit/outcome.js';
import { type Awaitable, andThen } from '../steps.js';
import type { ShellState } from './state.js';

/** Runs it and prints on the error stream how long it took. The processor time is the process's: nothing here runs in another. */
export function timed(shell: ShellState, how: 'yes' | 'posix', run: () => Awaitable<Outcome>): Awaitable<Outcome> {
  const start = performance.now();
  const cpu = process.cpuUsage();
  return andThen(run(), (outcome) => {
    const { user, system } = process.cpuUsage(cpu);
    const rows: [string, number][] = [
      ['real', (performance.now() - start) / 1000],
      ['user', user / 1e6],
      ['sys', system / 1e6],
    ];
    const text = rows.map(([name, seconds]) =>
      how === 'posix' ? `${name} ${seconds.toFixed(2)}\n` : `${name}\t${minutes(seconds)}\n`,
    );
    shell.writeError((how === 'posix' ? '' : '\n') + text.join(''));
    return outcome;
  });
}

function minutes(seconds: number): string {
  return `${Math.floor(seconds / 60)}m${(seconds % 60).toFixed(3)}s`;
}
