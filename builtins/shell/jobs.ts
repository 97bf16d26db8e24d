/** `wait`, `jobs`, `kill`: background jobs and signals (POSIX XCU). */
import { type Awaitable, andThen, each } from '../../src/steps.js';
import type { Outcome } from '../kit/outcome.js';
import { conditionName, STOPPING, signalNumber, signalRows } from '../kit/signals.js';
import { isName, letterOptions, wholeNumber } from './options.js';
import { fail, invalidOption, missingArgument, print } from './output.js';
import type { JobView, Shell, ShellBuiltin } from './shell.js';

const waitUsage = 'wait [-fn] [-p NAME] [PID|%JOB]...';

export const wait: ShellBuiltin = {
  names: ['wait'],
  special: false,
  summary: 'wait for background jobs',
  usage: waitUsage,
  run(shell, argv): Awaitable<Outcome> {
    // -f waits for a stopped job to go on and end: none is ever stopped here.
    const { given, operands, invalid, missing } = letterOptions(argv, 'fnp:');
    if (invalid !== undefined) return invalidOption(shell, argv, invalid, waitUsage);
    if (missing !== undefined) return missingArgument(shell, argv, missing, waitUsage);
    const variable = given.findLast(({ letter }) => letter === 'p')?.value;
    if (variable !== undefined) {
      if (!isName(variable)) return fail(shell, argv, `\`${variable}': not a valid identifier`);
      if (shell.variable(variable)?.readonly === true) {
        return fail(shell, argv, `${variable}: cannot unset: readonly variable`);
      }
      shell.unsetVariable(variable);
    }
    const found = (pid: number | undefined): void => {
      if (variable !== undefined && pid !== undefined) shell.setVariable(variable, String(pid));
    };
    if (given.some(({ letter }) => letter === 'n')) return waitForFirst(shell, argv, operands, found);
    if (operands.length === 0) return shell.waitForAll();
    let status = 0;
    let last: number | undefined;
    const waiting = each(operands, (operand) => {
      const pid = processOf(shell, operand);
      const one = pid === undefined ? undefined : shell.waitFor(pid);
      last = one === undefined ? undefined : pid;
      return andThen(one ?? unknownJob(shell, argv, operand), (result) => {
        status = result;
        return undefined;
      });
    });
    return andThen(waiting, () => {
      found(last);
      return status;
    });
  },
};

/** The process id that an operand means. */
function processOf(shell: Shell, operand: string): number | undefined {
  return operand.startsWith('%') ? jobOf(shell, operand)?.pid : wholeNumber(operand);
}

/** `wait -n`: `found` is told which one has ended. */
function waitForFirst(
  shell: Shell,
  argv: readonly string[],
  operands: readonly string[],
  found: (pid: number | undefined) => void,
): Awaitable<number> {
  const known = shell.jobs();
  const pids: number[] = [];
  for (const operand of operands) {
    const pid = processOf(shell, operand);
    if (pid !== undefined && known.some((job) => job.pid === pid)) pids.push(pid);
    // One that has been waited for is known, and over.
    else if (pid === undefined || shell.waitFor(pid) === undefined) fail(shell, argv, `${operand}: no such job`);
  }
  const first = shell.waitForFirst(operands.length === 0 ? undefined : pids);
  if (first === undefined) return 127;
  return first.then(({ pid, status }) => {
    found(pid);
    return status;
  });
}

function unknownJob(shell: Shell, argv: readonly string[], operand: string): number {
  if (operand.startsWith('%')) return fail(shell, argv, `${operand}: no such job`, 127);
  if (wholeNumber(operand) === undefined) return fail(shell, argv, `\`${operand}': not a pid or valid job spec`);
  return fail(shell, argv, `pid ${operand} is not a child of this shell`, 127);
}

/** `%1`, `%%`, `%+`, `%-`, and, of one job alone, `%text` that begins its command or `%?text` that stands in it. */
export function jobOf(shell: Shell, spec: string): JobView | undefined {
  const all = shell.jobs();
  const name = spec.slice(1);
  if (name === '' || name === '%' || name === '+') return all.at(-1);
  if (name === '-') return all.at(-2) ?? all.at(-1);
  const numbered = all.find((job) => String(job.number) === name);
  if (numbered !== undefined) return numbered;
  const part = name.startsWith('?') ? name.slice(1) : undefined;
  const meant = all.filter(({ text }) => (part === undefined ? text.startsWith(name) : text.includes(part)));
  return meant.length === 1 ? meant[0] : undefined;
}

export const jobs: ShellBuiltin = {
  names: ['jobs'],
  special: false,
  summary: 'list background jobs',
  usage: 'jobs [-lp] [%JOB]...',
  run(shell, argv) {
    const { given, operands, invalid } = letterOptions(argv, 'lp');
    if (invalid !== undefined) return invalidOption(shell, argv, invalid, 'jobs [-lp] [%JOB]...');
    const how = given.at(-1)?.letter;
    const all = shell.jobs();
    let status = 0;
    const named = operands.map((operand) => {
      const number = operand.startsWith('%') ? jobOf(shell, operand)?.number : wholeNumber(operand);
      const job = all.find((known) => known.number === number);
      if (job === undefined) status = fail(shell, argv, `${operand}: no such job`);
      return job;
    });
    const rows = all.map((job, i) => {
      if (operands.length > 0 && !named.includes(job)) return '';
      if (how === 'p') return `${job.pid}\n`;
      const mark = i === all.length - 1 ? '+' : i === all.length - 2 ? '-' : ' ';
      const state = job.status === undefined ? 'Running' : job.status === 0 ? 'Done' : `Exit ${job.status}`;
      const pid = how === 'l' ? `${job.pid} ` : '';
      return `[${job.number}]${mark}  ${pid}${state.padEnd(23)} ${job.text}${job.status === undefined ? ' &' : ''}\n`;
    });
    return print(shell, rows.join(''), status);
  },
};

const killUsage = 'kill [-s SIGNAL | -SIGNAL] PID|%JOB... or kill -l [STATUS]';

export const kill: ShellBuiltin = {
  names: ['kill'],
  special: false,
  summary: 'send a signal to a job of this shell',
  usage: killUsage,
  run(shell, argv): Awaitable<Outcome> {
    let words = argv.slice(1);
    let signal: string | undefined = 'TERM';
    const first = words[0];
    if (first === '-l' || first === '-L') return list(shell, argv, words.slice(1));
    if (first === '-s' || first === '-n') {
      const name = words[1];
      if (name === undefined) return fail(shell, argv, `${first}: option requires an argument`, 2);
      signal = signalName(name);
      if (signal === undefined) return fail(shell, argv, `${name}: invalid signal specification`);
      words = words.slice(2);
    } else if (first !== undefined && first.length > 1 && first.startsWith('-') && first !== '--') {
      signal = signalName(first.slice(1));
      if (signal === undefined) return fail(shell, argv, `${first.slice(1)}: invalid signal specification`);
      words = words.slice(1);
    }
    if (words[0] === '--') words = words.slice(1);
    if (words.length === 0) {
      shell.complain(`kill: usage: ${killUsage}`);
      return 2;
    }
    let status = 0;
    for (const word of words) {
      const pid = word.startsWith('%') ? jobOf(shell, word)?.pid : wholeNumber(word);
      if (pid === undefined) {
        const message = word.startsWith('%') ? 'no such job' : 'arguments must be process or job IDs';
        status = fail(shell, argv, `${word}: ${message}`);
      } else if (STOPPING.has(signal) && !(pid === shell.pid && isTrapped(shell, signal))) {
        status = fail(shell, argv, `(${word}) - ${signal}: not supported by rmsh: a job cannot be stopped`);
      } else if (!shell.sendSignal(pid, signal)) {
        status = fail(shell, argv, `(${word}) - Operation not permitted: rmsh signals only its own jobs`);
      }
    }
    return status;
  },
};

function isTrapped(shell: Shell, signal: string): boolean {
  return signal !== 'STOP' && shell.traps().some(({ condition }) => condition === signal);
}

/** A signal to send; `` for 0, which only asks whether the process is there. */
function signalName(text: string): string | undefined {
  const name = conditionName(text);
  return name === 'EXIT' ? (text === '0' ? '' : undefined) : name;
}

/** `kill -l`: all names, or the name of each status. */
function list(shell: Shell, argv: readonly string[], words: readonly string[]): Awaitable<Outcome> {
  if (words.length === 0) return print(shell, signalRows());
  let text = '';
  let status = 0;
  for (const word of words) {
    const number = wholeNumber(word);
    const name =
      number === undefined ? conditionName(word) : conditionName(String(number > 128 ? number - 128 : number));
    if (name === undefined) status = fail(shell, argv, `${word}: invalid signal specification`);
    else text += `${number === undefined ? signalNumber(name) : name}\n`;
  }
  return print(shell, text, status);
}
