/**
 * The mistakes every command can be given: options that are not there, operands that are missing, not there, or directories. One table
 * for all commands, each beside the real tool; what is left out says why.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { builtins } from '../../builtins/index.js';
import type { Builtin } from '../../builtins/kit/define.js';
import { makeTree } from '../support/builtin-tree.js';
import { runBuiltin } from '../support/run-builtin.js';
import { oracleThere } from '../support/text-oracle.js';

const OPTIONS = ['--nosuch', '-Q', '--nosuch=3', '--help=x'] as const;
const OPERANDS = [
  '',
  'missing',
  'd',
  'missing a',
  'a missing',
  'd a',
  'a d',
  'a a a a',
  '-',
  'a/x',
  "''",
  '--',
  '-- -Q',
];
const ROWS: readonly string[] = [...OPTIONS, ...OPERANDS];

const tree = { a: 'b\na\nc d\n', d: { dir: true }, 'd/f': 'x\n' } as const;

/** Commands that are not compared at all. The real ones must not even be started where they change the host. */
const LEFT_OUT: { readonly [name: string]: string } = {
  hostname: 'the real one, given an operand, sets the name of the host',
  logrotate: 'a helper of our own, not logrotate(8)',
  rm: 'refuses by design; its messages have a table of their own',
  awk: 'prints a usage of our own: three awks print three',
  jq: 'the real one names a web page',
  ip: "points at 'ip --help', which ours has",
  lsof: 'the real one takes words that begin with - for several options at once',
  ps: 'the real one prints all of its usage, of options that are not here',
};

/** Rows whose real output is the tool's own long list of options, or nothing we could say: by command, with the reason. */
const DIFFERENT: readonly { readonly names: string; readonly rows: readonly string[]; readonly why: string }[] = [
  {
    names: 'date df du env free printenv uptime vmstat ss',
    rows: ['', '--'],
    why: 'prints what the host is at the moment',
  },
  { names: 'free uptime', rows: OPERANDS, why: 'the real one prints all of its usage, and no message' },
  { names: 'df', rows: OPERANDS, why: 'disks fill while one looks' },
  {
    names: 'stat',
    rows: ['d', 'missing a', 'a missing', 'd a', 'a d', 'a a a a'],
    why: 'prints inodes and times of each tree',
  },
  { names: 'ss', rows: OPERANDS, why: 'filters are refused' },
  { names: 'date', rows: OPERANDS, why: 'an operand could set the clock' },
  { names: 'pgrep', rows: OPERANDS, why: 'processes come and go' },
  { names: 'env xargs timeout', rows: OPERANDS, why: 'the shell finds the program, and says what it did not find' },
  { names: 'mktemp', rows: ['', '--'], why: 'makes a file in /tmp' },
  { names: 'yes', rows: OPERANDS, why: 'never ends' },
  { names: 'cksum', rows: ['d', 'd a', 'a d'], why: 'GNU 9.1 takes a directory for an empty file' },
  {
    names: 'tac',
    rows: ['d', 'd a', 'a d'],
    why: 'GNU says what seeking in a directory gave, which the file system decides',
  },
  { names: 'id', rows: ["''"], why: 'GNU adds an errno that is left from a lookup' },
  { names: 'gzip', rows: ["''"], why: 'GNU prints no name where the name is empty, and no : either' },
  { names: 'stat', rows: ['-'], why: 'the standard input has no name to ask' },
  {
    names: 'touch',
    rows: ['-'],
    why: 'touch - sets the times of the standard output, which no descriptor of ours lets it do',
  },
  {
    names: 'strings',
    rows: ['missing', 'd', 'missing a', 'a missing', 'd a', 'a d', '-', 'a/x', "''", '-- -Q'],
    why: "binutils' words",
  },
  { names: 'tar', rows: OPERANDS, why: 'old letters that are no option of ours' },
  { names: 'vmstat', rows: ["''", 'a a a a'], why: 'the real one prints an errno that nothing set' },
];

/** These print all their options after the message: the first line is compared. */
const LONG_USAGE = new Set(['free', 'pgrep', 'sed', 'ss', 'strings', 'uptime', 'vmstat']);

const all = builtins.flatMap((builtin) => [builtin.name, ...builtin.aliases].map((name) => ({ name, builtin })));

it('leaves out only commands that there are', () => {
  const names = all.map(({ name }) => name);
  const left = [...Object.keys(LEFT_OUT), ...DIFFERENT.flatMap((one) => one.names.split(' '))];
  expect(left.filter((name) => !names.includes(name))).toEqual([]);
});

describe.each(all.filter(({ name }) => LEFT_OUT[name] === undefined))('$name', ({ name, builtin }) => {
  const rows = ROWS.filter(
    (row) => !DIFFERENT.some((one) => one.names.split(' ').includes(name) && one.rows.includes(row)),
  );
  it.skipIf(!oracleThere())(`as the real one: ${rows.length} rows`, async () => {
    const theirs = rows.map((row) => real(name, wordsOf(row)));
    const ours: Seen[] = [];
    for (const row of rows) ours.push(await inside(builtin, name, wordsOf(row)));
    expect(ours).toEqual(theirs);
  });
});

interface Seen {
  readonly words: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
  /** What the tree holds afterwards. */
  readonly names: readonly string[];
}

function wordsOf(row: string): readonly string[] {
  return row.split(' ').flatMap((word) => (word === '' ? [] : word === "''" ? [''] : [word]));
}

function seen(
  name: string,
  words: readonly string[],
  stdout: string,
  stderr: string,
  status: number | null,
  root: string,
): Seen {
  const said = LONG_USAGE.has(name) ? (stderr.split('\n')[0] as string) : stderr;
  return {
    words: [name, ...words].join(' '),
    stdout: stdout.replaceAll(root, 'ROOT'),
    stderr: said,
    status,
    names: readdirSync(root, { recursive: true, encoding: 'utf8' }).sort(),
  };
}

const INPUT = 'in1\nin2\n';

function real(name: string, words: readonly string[]): Seen {
  const cwd = makeTree(tree);
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC0' };
  const ended = spawnSync(name, words, { cwd, input: INPUT, env, argv0: name, timeout: 10_000 });
  return seen(name, words, ended.stdout.toString(), ended.stderr.toString(), ended.status, cwd);
}

async function inside(builtin: Builtin, name: string, words: readonly string[]): Promise<Seen> {
  const cwd = makeTree(tree);
  const ended = await runBuiltin(builtin, words, { cwd, stdin: INPUT, timeZone: 'UTC0', as: name });
  return seen(name, words, ended.stdout, ended.stderr, ended.status, cwd);
}
