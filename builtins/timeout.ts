/** timeout: run a command, and send it a signal when it takes too long. */
import { type Awaitable, andThen } from '../src/steps.js';
import { gnuQuoteValue } from '../src/text/quote.js';
import type { Ended } from './kit/context.js';
import { BadValue, defineBuiltin, usageFailure } from './kit/define.js';
import { parseDuration } from './kit/numbers.js';
import { conditionName, STOPPING } from './kit/signals.js';

const TIMED_OUT = 124;
const FAILURE = 125;
/** Timers cannot wait for longer at once: 11 days. */
const LONGEST_MS = 1e9;

function duration(text: string): number | BadValue {
  return parseDuration(text) ?? new BadValue(`invalid time interval ${gnuQuoteValue(text)}`, true);
}

/** A name without `SIG`; `EXIT` is 0, which is sent as nothing. */
function signal(text: string): string | BadValue {
  const name = conditionName(text);
  if (name === undefined) return new BadValue(`${gnuQuoteValue(text)}: invalid signal`, true);
  return STOPPING.has(name) ? new BadValue(`${gnuQuoteValue(text)}: not supported by rmsh`) : name;
}

export const timeout = defineBuiltin({
  name: 'timeout',
  summary: 'run a command for a limited time',
  needs: ['clock', 'invoke'],
  usage: 'timeout [OPTION]... DURATION COMMAND [ARG]...',
  notes:
    'DURATION is a number with or without a fraction, and s for seconds (the default), m for minutes, h for hours or d for days; 0 is no limit.',
  flags: {
    foreground: { long: 'foreground', help: 'the same here: what COMMAND starts is signalled with it' },
    kill: {
      short: 'k',
      long: 'kill-after',
      value: 'DURATION',
      parse: duration,
      help: 'send KILL when it still runs after that',
    },
    preserve: { long: 'preserve-status', help: "end with COMMAND's status even when it has timed out" },
    signal: { short: 's', long: 'signal', value: 'SIGNAL', parse: signal, help: 'send SIGNAL and not TERM' },
    verbose: { short: 'v', long: 'verbose', help: 'say on the error stream which signal is sent' },
  },
  options: 'leading',
  usageStatus: FAILURE,
  statuses: {
    124: 'COMMAND has timed out',
    125: 'timeout itself failed',
    126: 'COMMAND was found but not run',
    127: 'COMMAND was not found',
    137: 'COMMAND, or timeout, was sent KILL; otherwise the status of COMMAND',
  },

  run(context): Awaitable<number> {
    const { flags, operands, clock } = context;
    const [time, ...command] = operands;
    if (time === undefined || command.length === 0) {
      return andThen(context.err.write("Try 'timeout --help' for more information.\n"), () => FAILURE);
    }
    const limit = duration(time);
    if (limit instanceof BadValue) return usageFailure(context, limit.message, FAILURE);

    let send: (name: string) => void = () => {};
    const running = context.invoke(command, {
      onStart: (how) => {
        send = how;
      },
    });
    if (!(running instanceof Promise)) return running.asOwn();
    let over = false;
    const ended = running.finally(() => {
      over = true;
    });
    // When the run ends, nobody waits for it any more.
    ended.catch(() => {});

    /** Waits for the command, for so long. */
    const within = async (milliseconds: number): Promise<Ended | undefined> => {
      for (let left = milliseconds; left > 0 && !over; ) {
        const now = Math.min(left, LONGEST_MS);
        const waiting = clock.timer(now);
        const end = await Promise.race([ended, waiting.done.then(() => undefined)]);
        waiting.cancel();
        if (end !== undefined) return end;
        left -= now;
      }
      return undefined;
    };
    const tell = async (name: string): Promise<void> => {
      if (flags.verbose === true) {
        await context.err.write(
          `timeout: sending signal ${name === 'EXIT' ? '0' : name} to command ${gnuQuoteValue(command[0] as string)}\n`,
        );
      }
      if (name !== 'EXIT') send(name);
    };
    const wait = async (): Promise<number> => {
      if (limit === 0) return (await ended).asOwn();
      const inTime = await within(limit);
      if (inTime !== undefined) return inTime.asOwn();
      const first = flags.signal ?? 'TERM';
      await tell(first);
      let killed = first === 'KILL';
      let end = flags.kill === undefined || flags.kill === 0 || killed ? await ended : await within(flags.kill);
      if (end === undefined) {
        killed = true;
        await tell('KILL');
        end = await ended;
      }
      // GNU's timeout is killed with its command: whoever ran it sees a signal.
      if (killed && end.way === 'signalled') return end.asOwn();
      return flags.preserve === true ? end.status : TIMED_OUT;
    };
    return wait();
  },
});
