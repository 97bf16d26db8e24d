/** uptime: for how long the host has been up, and how busy it is. */
import { type Awaitable, andThen } from '../src/steps.js';
import { defineBuiltin, usageFailure } from './kit/define.js';
import { strftime } from './kit/strftime.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const uptime = defineBuiltin({
  name: 'uptime',
  summary: 'print for how long the host has been up, and its load',
  needs: ['host', 'clock'],
  usage: 'uptime [OPTION]',
  flags: {
    pretty: { short: 'p', long: 'pretty', help: 'only for how long, in words' },
    since: { short: 's', long: 'since', help: 'only since when' },
  },
  statuses: { 0: 'printed', 1: 'the options are wrong' },

  run(context): Awaitable<number> {
    const { flags, operands, host, clock } = context;
    const [extra] = operands;
    if (extra !== undefined) return usageFailure(context, `extra operand '${extra}'`);
    const { uptime: up, averages, logins } = host.load();
    const now = Number(clock.now() / 1_000_000n) / 1000;
    const time = (format: string, seconds: number) =>
      strftime(format, { seconds: Math.floor(seconds), nanoseconds: undefined }, clock.timeZone) ?? '';
    let text: string;
    if (flags.pretty === true) text = inWords(up);
    else if (flags.since === true) text = time('%Y-%m-%d %H:%M:%S', now - up);
    else {
      const users = `${`${logins}`.padStart(2)} ${logins > 1 ? 'users' : 'user'}`;
      const load = averages.map((average) => average.toFixed(2)).join(', ');
      text = ` ${time('%H:%M:%S', now)} up ${inFigures(up)}, ${users},  load average: ${load}`;
    }
    return andThen(context.out.write(`${text}\n`), () => 0);
  },
});

/** `2 days,  3:04` or `5 min`. */
function inFigures(seconds: number): string {
  const days = Math.floor(seconds / DAY);
  const hours = Math.floor((seconds % DAY) / HOUR);
  const minutes = Math.floor((seconds % HOUR) / MINUTE);
  const before = days === 0 ? '' : `${days} day${days === 1 ? '' : 's'}, `;
  if (hours === 0) return `${before}${minutes} min`;
  return `${before}${`${hours}`.padStart(2)}:${`${minutes}`.padStart(2, '0')}`;
}

/** `up 1 week, 2 days, 3 hours, 4 minutes`: what there is none of is not named. */
function inWords(seconds: number): string {
  const days = Math.floor(seconds / DAY);
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(days / 3650), 'decade'],
    [Math.floor(days / 365) % 10, 'year'],
    [Math.floor((days % 365) / 7), 'week'],
    [(days % 365) % 7, 'day'],
    [Math.floor((seconds % DAY) / HOUR), 'hour'],
    [Math.floor((seconds % HOUR) / MINUTE), 'minute'],
  ];
  const named = parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`);
  return `up ${named.length === 0 ? '0 minutes' : named.join(', ')}`;
}
