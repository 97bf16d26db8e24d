/** What rows are about: the sections of the standard, and beside it what bash and rmsh have. */

/** POSIX.1-2024, Shell and Utilities, chapter 2. */
const LANGUAGE = {
  '2.2.1': 'Escape character',
  '2.2.2': 'Single-quotes',
  '2.2.3': 'Double-quotes',
  '2.2.4': 'Dollar-single-quotes',
  '2.3': 'Token recognition',
  '2.3.1': 'Alias substitution',
  '2.4': 'Reserved words',
  '2.5.1': 'Positional parameters',
  '2.5.2': 'Special parameters',
  '2.5.3': 'Shell variables',
  '2.6': 'Word expansions, and their order',
  '2.6.1': 'Tilde expansion',
  '2.6.2': 'Parameter expansion',
  '2.6.3': 'Command substitution',
  '2.6.4': 'Arithmetic expansion',
  '2.6.5': 'Field splitting',
  '2.6.6': 'Pathname expansion',
  '2.6.7': 'Quote removal',
  '2.7': 'Redirection',
  '2.7.1': 'Redirecting input',
  '2.7.2': 'Redirecting output',
  '2.7.3': 'Appending redirected output',
  '2.7.4': 'Here-document',
  '2.7.5': 'Duplicating an input file descriptor',
  '2.7.6': 'Duplicating an output file descriptor',
  '2.7.7': 'Open file descriptors for reading and writing',
  '2.8.1': 'Consequences of shell errors',
  '2.8.2': 'Exit status for commands',
  '2.9.1': 'Simple commands',
  '2.9.2': 'Pipelines',
  '2.9.3': 'Lists',
  '2.9.4': 'Compound commands',
  '2.9.4.1': 'Grouping commands',
  '2.9.4.2': 'The for loop',
  '2.9.4.3': 'Case conditional construct',
  '2.9.4.4': 'The if conditional construct',
  '2.9.4.5': 'The while loop',
  '2.9.4.6': 'The until loop',
  '2.9.5': 'Function definition command',
  '2.10': 'Shell grammar',
  '2.11': 'Job control',
  '2.12': 'Signals and error handling',
  '2.13': 'Shell execution environment',
  '2.14.1': 'Patterns matching a single character',
  '2.14.2': 'Patterns matching multiple characters',
  '2.14.3': 'Patterns used for filename expansion',
} as const;

const UTILITIES =
  'alias bg cd command echo false fc fg getopts hash jobs kill printf pwd read sh test true type ulimit umask unalias wait'.split(
    ' ',
  );
const SPECIAL = 'break : continue . eval exec exit export readonly return set shift times trap unset'.split(' ');

const BASH = {
  arrays: 'Indexed and associative arrays',
  'parameter expansion': '`${x/p/r}` `${x:o:l}` `${x^^}` `${!x}` `${x@Q}`',
  braces: 'Brace expansion',
  conditional: '`[[ ]]`',
  arithmetic: '`(( ))`, `let`, `for (( ))`',
  redirection: '`&>` `<<<` `|&` `<( )` `{n}>`',
  commands: '`function`, `select`, `time`, `;&`',
  variables: '`declare`, `local`, and variables the shell sets',
  globbing: '`shopt`, extended patterns',
  prompts: 'Escapes of `PS1`, `PS2`, `PS4` and `${x@P}`',
  'built-ins': 'Built-ins that bash has and POSIX has not',
} as const;

const RMSH = {
  commands: 'Commands as they are used in scripts',
  sandbox: 'What the policy lets a script do',
  bytes: 'Names and data that are not plain text',
  limits: 'Depth and size',
} as const;

const under = (kind: string, names: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(names).map(([name, title]) => [`${kind} ${name}`, title]);

/** By what a heading of a case file says: what that is called. In the order of the standard. */
export const SECTIONS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(LANGUAGE),
  ...SPECIAL.map((name): [string, string] => [`2.15 ${name}`, `Special built-in \`${name}\``]),
  ...UTILITIES.map((name): [string, string] => [`XCU ${name}`, `Utility \`${name}\``]),
  ...under('bash', BASH),
  ...under('rmsh', RMSH),
]);
