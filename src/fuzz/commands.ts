/** Command lines from the definitions of commands: valid options and values, and such as must be refused. */
import type { Arbitrary } from 'fast-check';
import { builtins } from '../../builtins/index.js';
import type { Builtin, Flag } from '../../builtins/kit/define.js';
import { longNames } from '../../builtins/kit/usage.js';
import { quote } from '../text/quote.js';
import fc from './fast-check.js';

/** Values by what the definition calls them; any other name gets all of these. */
const VALUES: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /NUM|COUNT|^N$|WIDTH|BYTES|LINES|SIZE|DEPTH|MAX|COLS|SECONDS/,
    ['0', '1', '2', '3', '10', '-1', '+2', '1K', '2b', '007'],
  ],
  [/LIST/, ['1', '2-', '-2', '1,3', '2-3', '3-2', '0', '1,,2', 'x']],
  [/DELIM|SEP|STRING|SUFFIX|TEXT|PREFIX/, ['', ',', ' ', 'ab', '\\n', '\t', ':']],
  [/KEY/, ['1', '2,2', '1.2', '2n', '1r,1', '0', '-1', '1x']],
  [/PATTERN|REGEX|GLOB|EXPR/, ['a', '.', '^b', '*', '[a-c]', '[', 'a\\|b', '', '\\(']],
  [/WHEN|HOW|METHOD|WORD|TYPE/, ['none', 'all', 'auto', 'never', 'always', 'general-numeric', 'x', '']],
  [/MODE/, ['644', 'u+x', 'a=', '8', 'g-w,o+r', '7777']],
  [/FILE|DIR/, ['f', 'g', 'd', 'missing', '-', '../out/f', '/etc/passwd', '']],
];
const ANY_VALUE = ['', '0', '1', '-1', '99999999999999999999', 'a', '*', '-', '--', 'é', '$x', 'f'];

const OPERANDS = [
  'f',
  'g',
  'd',
  'log',
  'link',
  'missing',
  '-',
  'a1',
  'd/x',
  '..',
  '../out/f',
  '/etc/passwd',
  '',
  '*',
  '-x',
];

/** How command lines are made. */
export interface CommandOptions {
  /** Operands to choose from. */
  readonly operands?: readonly string[];
  /** Options that are not to be used, without dashes. */
  readonly without?: readonly string[];
  /** Only what the definition knows: no unknown letters, missing or unwanted arguments. */
  readonly valid?: boolean;
}

/** Words after the name. */
export function wordsFor(builtin: Builtin, { operands = OPERANDS, without = [], valid = false }: CommandOptions = {}) {
  type Given = { readonly key: string; readonly word: string };
  const flags = Object.entries(builtin.definition.flags).flatMap(([key, flag]): Arbitrary<Given>[] => {
    const spelled = spellings(flag, valid).filter((word) => !without.some((name) => isOption(word, name)));
    return spelled.length === 0 ? [] : [fc.constantFrom(...spelled).map((word) => ({ key, word }))];
  });
  const invalid = fc
    .constantFrom('-?', '--no-such-option', '-0', '--', '--help=x', '---', '-Ω')
    .map((word): Given => ({ key: word, word }));
  const known = flags.length === 0 ? invalid : fc.oneof(...flags);
  const option = valid ? known : fc.oneof({ weight: 9, arbitrary: known }, { weight: 1, arbitrary: invalid });
  const given =
    flags.length === 0 && valid
      ? fc.constant<Given[]>([])
      : // What an option that comes twice means, each command says for itself.
        fc.uniqueArray(option, { maxLength: 3, selector: ({ key, word }) => (valid ? key : word) });
  return fc
    .tuple(given, fc.array(fc.constantFrom(...operands), { maxLength: 3 }))
    .map(([options, rest]) => [...options.map(({ word }) => word), ...rest]);
}

/** Whether `word` uses the option `name`: by its letter, or by the start of its long name, which may be abbreviated. */
function isOption(word: string, name: string): boolean {
  return name.length === 1 ? new RegExp(`^-[^-]*${name}`).test(word) : word.startsWith(`--${name}`);
}

function spellings(flag: Flag, valid: boolean): string[] {
  const names = [...(flag.short ?? '')]
    .map((letter) => `-${letter}`)
    .concat(longNames(flag).map((name) => `--${name}`));
  const values = flag.value === undefined ? [] : valuesOf(flag, flag.value, valid);
  return names.flatMap((name) => {
    const bare = name.startsWith('--') ? `${name}=` : name;
    if (flag.value === undefined) return valid ? [name] : [name, `${name}=x`];
    // An option that may lack its value, and one that may not.
    const without = flag.optional === true || !valid ? [name] : [];
    return [
      ...without,
      ...values.filter((value) => bare.endsWith('=') || value !== '').map((value) => `${bare}${value}`),
    ];
  });
}

function valuesOf(flag: Flag, name: string, valid: boolean): readonly string[] {
  const known = VALUES.find(([pattern]) => pattern.test(name))?.[1];
  if (!valid) return [...(known ?? []), ...ANY_VALUE];
  // The definition's own reader tells what it takes.
  return (known ?? ANY_VALUE).filter((value) => {
    const parsed = flag.parse?.(value, name);
    return !(typeof parsed === 'object' && parsed !== null && 'message' in parsed);
  });
}

/** Commands that wait, that never end, or that tell of the host: their output is another one each time. */
const UNSTEADY = new Set(
  'date df free hostname id ip lsof nproc pgrep ps sleep ss uname uptime vmstat whoami yes mktemp timeout du stat'.split(
    ' ',
  ),
);

/** A command line of any command inside, and of `more`. */
export function commandLines(more: readonly Builtin[] = [], options: CommandOptions = {}): Arbitrary<string> {
  const all = more.length > 0 ? more : builtins.filter(({ name }) => !UNSTEADY.has(name));
  // One for each command, once: a choice of them that is made anew for each line costs more than the line.
  return fc.oneof(
    ...all.map((builtin) => wordsFor(builtin, options).map((words) => [builtin.name, ...words.map(quote)].join(' '))),
  );
}
