/** `ulimit` (POSIX XCU ulimit): shows what rmsh limits. A script cannot change that: limits are the policy's. */
import type { Limits } from '../../src/limits.js';
import { fail, invalidOption, print } from './output.js';
import type { ShellBuiltin } from './shell.js';

const usage = 'ulimit [-SHacdfmnstuv] [LIMIT]';

interface Row {
  readonly letter: string;
  readonly what: string;
  readonly unit: string;
  /** Undefined: no limit of the shell's own. */
  readonly value: (limits: Limits) => number | undefined;
}

const unlimited = (): undefined => undefined;

const ROWS: readonly Row[] = [
  { letter: 'c', what: 'core file size', unit: 'blocks, ', value: () => 0 },
  { letter: 'd', what: 'data seg size', unit: 'kbytes, ', value: unlimited },
  { letter: 'f', what: 'file size', unit: 'blocks, ', value: unlimited },
  { letter: 'm', what: 'max memory size', unit: 'kbytes, ', value: unlimited },
  { letter: 'n', what: 'open files', unit: '', value: (limits) => limits.maxDescriptors },
  { letter: 's', what: 'stack size', unit: 'kbytes, ', value: unlimited },
  { letter: 't', what: 'cpu time', unit: 'seconds, ', value: unlimited },
  // Background jobs are the only processes a script makes.
  { letter: 'u', what: 'max user processes', unit: '', value: (limits) => limits.maxJobs },
  { letter: 'v', what: 'virtual memory', unit: 'kbytes, ', value: unlimited },
];

/** What bash shows and rmsh has no word about. */
const ELSEWHERE = 'beiklpqrxPRT';

export const ulimit: ShellBuiltin = {
  names: ['ulimit'],
  special: false,
  summary: 'show limits',
  usage,
  run(shell, argv) {
    const wanted: Row[] = [];
    let all = false;
    let i = 1;
    for (; i < argv.length && (argv[i] as string).length > 1 && argv[i]?.startsWith('-') === true; i++) {
      if (argv[i] === '--') {
        i += 1;
        break;
      }
      for (const letter of (argv[i] as string).slice(1)) {
        const row = ROWS.find((known) => known.letter === letter);
        if (letter === 'a') all = true;
        else if (row !== undefined) wanted.push(row);
        else if (ELSEWHERE.includes(letter)) return fail(shell, argv, `-${letter}: not supported by rmsh`);
        // Nobody can raise a limit here: the soft one and the hard one are the same.
        else if (letter !== 'S' && letter !== 'H') return invalidOption(shell, argv, `-${letter}`, usage);
      }
    }
    const rows = all ? ROWS : wanted.length > 0 ? wanted : ROWS.filter(({ letter }) => letter === 'f');
    const limit = argv[i];
    const show = (row: Row): string => String(row.value(shell.limits) ?? 'unlimited');
    if (limit === undefined || all) {
      if (rows.length === 1) return print(shell, rows.map((row) => `${show(row)}\n`).join(''));
      return print(shell, rows.map((row) => `${heading(row)} ${show(row)}\n`).join(''));
    }
    if (!/^(?:[0-9]+|unlimited|hard|soft)$/.test(limit)) return fail(shell, argv, `${limit}: invalid number`);
    // What is so already may be asked for: `ulimit -c 0`.
    if (rows.every((row) => limit === 'hard' || limit === 'soft' || show(row) === limit)) return 0;
    return fail(shell, argv, 'limits are set by the policy of rmsh, not by a script');
  },
};

/** `open files                          (-n)`, as wide as bash makes it. */
function heading({ what, unit, letter }: Row): string {
  const place = `(${unit}-${letter})`;
  return what.padEnd(40 - place.length) + place;
}
