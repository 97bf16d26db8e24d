/** pgrep: find processes by their names (procps). */
import { type Awaitable, andThen } from '../src/steps.js';
import { encode } from '../src/text/bytes.js';
import { compileRegex, RegexError } from '../src/text/regex/index.js';
import type { Context } from './kit/context.js';
import { defineBuiltin, type Flags, type Parsed, usageFailure } from './kit/define.js';
import { allProcesses, type Process } from './kit/host/process.js';

const NO_MATCH = 1;
const USAGE = 2;
/** What the kernel keeps of a name. */
const LONGEST_NAME = 15;

const FLAGS = {
  delimiter: { short: 'd', long: 'delimiter', value: 'STRING', help: 'between numbers, in place of a newline' },
  name: { short: 'l', long: 'list-name', help: 'print the name too' },
  inverse: { short: 'v', long: 'inverse', help: 'those that do not match' },
  count: { short: 'c', long: 'count', help: 'print only how many match' },
  ignoreCase: { short: 'i', long: 'ignore-case', help: 'upper and lower case are the same' },
  newest: { short: 'n', long: 'newest', help: 'only the one that was started last' },
  oldest: { short: 'o', long: 'oldest', help: 'only the one that was started first' },
  parent: { short: 'P', long: 'parent', value: 'PPID,...', help: 'only children of these' },
  user: { short: 'u', long: 'euid', value: 'ID,...', help: 'only of these effective users' },
  realUser: { short: 'U', long: 'uid', value: 'ID,...', help: 'only of these real users' },
  exact: { short: 'x', long: 'exact', help: 'the whole name has to match' },
} as const satisfies Flags;

type PgrepContext = Context<'kernel' | 'host'> & Parsed<typeof FLAGS>;

export const pgrep = defineBuiltin({
  name: 'pgrep',
  summary: 'find processes by name',
  needs: ['kernel', 'host'],
  usage: 'pgrep [OPTION]... PATTERN',
  notes:
    'PATTERN is an extended regular expression for the name, of which the kernel keeps 15 bytes. Nobody sees the arguments\nof a process here: there is no -f.',
  flags: FLAGS,
  usageStatus: USAGE,
  statuses: { 0: 'there are such processes', 1: 'there are none', 2: 'the options or the pattern are wrong' },
  unknownOptionHint: (option) =>
    option === '-f' || option === '-a' || option === '--full' || option === '--list-full'
      ? "pgrep: the arguments of other processes are not shown: search by name, or write 'ps -eo pid,comm | grep PATTERN'"
      : undefined,

  run(context): Awaitable<number> {
    const wanted = selection(context);
    if (typeof wanted !== 'function') return wanted;
    return andThen(context.kernel(), (kernel) =>
      andThen(allProcesses(kernel, context.tick), (processes) => report(context, choose(context, processes, wanted))),
    );
  },
});

type Test = (process: Process) => boolean;

/** What the words ask for, or the status when they ask for nothing. */
function selection(context: PgrepContext): Test | Awaitable<number> {
  const { flags, operands, host } = context;
  const [pattern, extra] = operands;
  const tests: Test[] = [];
  if (extra !== undefined) return refuse(context, 'only one pattern can be provided');
  for (const [list, numbers] of [
    [flags.user, ({ uid }: Process) => uid],
    [flags.realUser, ({ realUid }: Process) => realUid],
  ] as const) {
    if (list === undefined) continue;
    const ids = new Set<number>();
    for (const word of list.split(',')) {
      const id = /^[0-9]+$/.test(word) ? Number(word) : host.userId(word);
      if (id === undefined) return usageFailure(context, `invalid user name: ${word}`, USAGE);
      ids.add(id);
    }
    tests.push((process) => ids.has(numbers(process)));
  }
  if (flags.parent !== undefined) {
    const words = flags.parent.split(',');
    const bad = words.find((word) => !/^[0-9]+$/.test(word));
    if (bad !== undefined) return usageFailure(context, `not a number: ${bad}`, USAGE);
    const parents = new Set(words.map(Number));
    tests.push(({ ppid }) => parents.has(ppid));
  }
  if (flags.newest && flags.oldest) return usageFailure(context, '-n and -o exclude each other', USAGE);
  if (flags.inverse && (flags.newest || flags.oldest))
    return usageFailure(context, '-v and -n or -o exclude each other', USAGE);
  if (pattern === undefined) return tests.length === 0 ? refuse(context, 'no matching criteria specified') : all(tests);
  if (encode(pattern).length > LONGEST_NAME) {
    context.complain(
      `pattern that searches for process name longer than ${LONGEST_NAME} characters will result in zero matches`,
    );
  }
  const options = { syntax: 'extended', ignoreCase: flags.ignoreCase === true, look: context.look } as const;
  const regex = compileRegex(flags.exact ? `^(${pattern})$` : pattern, options);
  if (regex instanceof RegexError) {
    context.complain(`regex error: ${regex.message}`);
    return USAGE;
  }
  tests.push(({ comm }) => regex.test(Buffer.from(encode(comm)).toString('latin1')));
  return all(tests);
}

function all(tests: readonly Test[]): Test {
  return (process) => tests.every((test) => test(process));
}

function refuse(context: PgrepContext, message: string): Awaitable<number> {
  return usageFailure(context, message, USAGE);
}

function choose({ flags }: PgrepContext, processes: readonly Process[], wanted: Test): readonly Process[] {
  const found = processes.filter((process) => wanted(process) !== (flags.inverse === true));
  if (!flags.newest && !flags.oldest) return found;
  const [first, ...rest] = found;
  if (first === undefined) return [];
  // Of those started in the same tick the one with the higher number came later.
  const best = rest.reduce((one, other) => {
    const later = other.started > one.started || (other.started === one.started && other.pid > one.pid);
    return later === (flags.newest === true) ? other : one;
  }, first);
  return [best];
}

function report({ flags, out }: PgrepContext, found: readonly Process[]): Awaitable<number> {
  const status = found.length === 0 ? NO_MATCH : 0;
  if (flags.count) return andThen(out.write(`${found.length}\n`), () => status);
  if (found.length === 0) return status;
  const delimiter = flags.delimiter ?? '\n';
  const lines = found.map(({ pid, comm }) => (flags.name ? `${pid} ${comm}` : `${pid}`));
  return andThen(out.write(`${lines.join(delimiter)}\n`), () => status);
}
