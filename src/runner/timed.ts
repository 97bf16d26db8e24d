/** `time pipeline` (bash), in the form that `TIMEFORMAT` gives, and `time -p` (POSIX's format). */
import type { Outcome } from '../../builtins/kit/outcome.js';
import { type Awaitable, andThen } from '../steps.js';
import type { ShellState } from './state.js';

/** Seconds, by the letter of TIMEFORMAT. */
interface Times {
  readonly R: number;
  readonly U: number;
  readonly S: number;
}

const USUAL = '\nreal\t%3lR\nuser\t%3lU\nsys\t%3lS';
const POSIX = 'real %2R\nuser %2U\nsys %2S';

/** Runs it and prints on the error stream how long it took. The processor time is the process's: nothing here runs in another. */
export function timed(shell: ShellState, how: 'yes' | 'posix', run: () => Awaitable<Outcome>): Awaitable<Outcome> {
  const start = performance.now();
  const cpu = process.cpuUsage();
  return andThen(run(), (outcome) => {
    const { user, system } = process.cpuUsage(cpu);
    const times = { R: (performance.now() - start) / 1000, U: user / 1e6, S: system / 1e6 };
    const format = how === 'posix' ? POSIX : (shell.parameter('TIMEFORMAT') ?? USUAL);
    const text = formatTimes(format, times);
    if (typeof text === 'object') shell.complain(`TIMEFORMAT: \`${text.wrong}': invalid format character`);
    else if (format !== '') shell.writeError(`${text}\n`);
    return outcome;
  });
}

const DIRECTIVE = /%(?:([0-9]?)(l?)([RUS])|([%P])|([\s\S]?))/g;

/** `%R` `%U` `%S` with digits after the point (3, and no more) and `l` for minutes, `%P` the processor's part in percent, `%%`. */
function formatTimes(format: string, times: Times): string | { readonly wrong: string } {
  let wrong: string | undefined;
  const text = format.replace(
    DIRECTIVE,
    (_, digits: string, long: string, letter: string, other: string, bad: string) => {
      if (letter !== undefined) {
        const places = digits === '' ? 3 : Math.min(Number(digits), 3);
        const seconds = times[letter as keyof Times];
        return long === '' ? seconds.toFixed(places) : minutes(seconds, places);
      }
      if (other === '%') return '%';
      if (other === 'P')
        return times.R === 0 ? '0.00' : Math.min((100 * (times.U + times.S)) / times.R, 10_000).toFixed(2);
      wrong ??= bad;
      return '';
    },
  );
  return wrong === undefined ? text : { wrong };
}

function minutes(seconds: number, places: number): string {
  return `${Math.floor(seconds / 60)}m${(seconds % 60).toFixed(places)}s`;
}
