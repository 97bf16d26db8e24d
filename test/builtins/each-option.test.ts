/**
 * Every option of every definition, once alone and under each of its names, beside the real tool: the rows come from the definitions,
 * so that an option, or a long name of it, cannot be added without one.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { builtins } from '../../builtins/index.js';
import type { Builtin, Flag } from '../../builtins/kit/define.js';
import { makeTree } from '../support/builtin-tree.js';
import { runBuiltin } from '../support/run-builtin.js';
import { oracleThere } from '../support/text-oracle.js';

const tree = {
  a: 'b 1 x\na:2 y\n\n\nc\td\nb 1 x\n',
  b: 'a:2 y\nb 1 x\nz\0w\n',
  d: { dir: true },
  'd/f': 'in d\n',
} as const;

/** The operands of each command; what is not here takes the two files. */
const OPERANDS: { readonly [name: string]: readonly string[] } = {
  base64: ['a'],
  basename: ['d/f'],
  chmod: ['600', 'a'],
  cp: ['a', 'b'],
  dirname: ['d/f'],
  du: ['d'],
  egrep: ['b', 'a'],
  fgrep: ['b', 'a'],
  fold: ['a'],
  grep: ['b', 'a'],
  id: [],
  ln: ['a', 'l'],
  mkdir: ['new'],
  mv: ['a', 'l'],
  nproc: [],
  realpath: ['d/f'],
  readlink: ['d/f'],
  rmdir: ['gone'],
  sed: ['-n', '1p', 'a'],
  seq: ['3'],
  split: ['a'],
  tee: ['new'],
  tr: ['ab', 'xy'],
  truncate: ['a'],
  uniq: ['a'],
  whoami: [],
};

/** Arguments of options, by what the definition calls them; a wrong one is a row too. */
const VALUES: { readonly [value: string]: string } = {
  FILE: 'b',
  DIRECTORY: 'd',
  PROGRAM: '1',
  MODE: '600',
  STRING: 'x',
  LIST: '2',
  TIME: '0',
  WHEN: 'always',
  RADIX: 'd',
  STYLE: 'long-iso',
};

/** Not compared here. */
const LEFT_OUT: { readonly [name: string]: string } = {
  awk: 'options of gawk and of mawk differ; it has rows of its own',
  date: 'prints the time; it has rows of its own',
  df: 'disks fill while one looks',
  env: 'starts programs',
  xargs: 'starts programs',
  timeout: 'starts programs',
  find: 'reads its own words',
  expr: 'reads its own words',
  gzip: 'its output has the time of the file; it has rows of its own',
  hostname: 'the real one can set the name of the host',
  ip: 'looks at the host',
  jq: 'its output is coloured by other options; it has rows of its own',
  free: 'looks at the host',
  lsof: 'looks at the host',
  pgrep: 'looks at the host',
  ps: 'looks at the host',
  ss: 'looks at the host',
  uptime: 'looks at the host',
  vmstat: 'looks at the host',
  logrotate: 'a helper of our own, not logrotate(8)',
  mktemp: 'makes random names',
  rm: 'refuses by design',
  tar: 'modes stand before all; it has rows of its own',
  printenv: 'the variables differ',
  sleep: 'has no options',
  yes: 'has no options, and no end',
};

/** Options by command that cannot be compared alone. */
const WITHOUT: { readonly [name: string]: readonly string[] } = {
  cp: ['archive', 'preserve'],
  grep: ['perl'],
  egrep: ['perl'],
  fgrep: ['perl'],
  tail: ['follow', 'followName', 'pid', 'sleep', 'retry'],
  sort: ['random'],
  // How full a disk is.
  stat: ['fileSystem'],
};

const rows = (builtin: Builtin): readonly (readonly string[])[] => {
  const operands = OPERANDS[builtin.name] ?? ['a', 'b'];
  const without = WITHOUT[builtin.name] ?? [];
  return Object.entries(builtin.definition.flags)
    .filter(([key]) => !without.includes(key))
    .flatMap(([, flag]) => spellings(flag).map((words) => [...words, ...operands]));
};

/** Each letter and each long name, with an argument behind it, and joined to it. */
function spellings(flag: Flag): readonly (readonly string[])[] {
  const letters = [...(flag.short ?? '')].map((letter) => `-${letter}`);
  const long = flag.long === undefined ? [] : [flag.long].flat().map((name) => `--${name}`);
  if (flag.value === undefined) return [...letters, ...long].map((word) => [word]);
  const value = VALUES[flag.value] ?? '2';
  const joined = [...letters.map((word) => [word + value]), ...long.map((word) => [`${word}=${value}`])];
  return flag.optional === true
    ? [...joined, ...[...letters, ...long].map((word) => [word])]
    : [...joined, ...[...letters, ...long].map((word) => [word, value])];
}

const compared = builtins.filter((builtin) => LEFT_OUT[builtin.name] === undefined && rows(builtin).length > 0);

it('leaves out only commands that there are', () => {
  const names = builtins.map(({ name }) => name);
  expect(Object.keys(LEFT_OUT).filter((name) => !names.includes(name))).toEqual([]);
});

describe.each(compared.map((builtin) => ({ name: builtin.name, builtin })))('$name', ({ name, builtin }) => {
  const all = rows(builtin);
  it.skipIf(!oracleThere())(`${all.length} rows as the real one`, { timeout: 30_000 }, async () => {
    const writes = builtin.needs.includes('write');
    const shared = makeTree(tree);
    const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC0' };
    const stdin = 'in 1\nput\n';
    for (const words of all) {
      const theirs = writes ? makeTree(tree) : shared;
      const ours = writes ? makeTree(tree) : shared;
      const real = spawnSync(name, words, { cwd: theirs, input: stdin, env, argv0: name, timeout: 10_000 });
      const inside = await runBuiltin(builtin, words, { cwd: ours, stdin, timeZone: 'UTC0' });
      const seen = (stdout: string, stderr: string, status: number | null, root: string) => ({
        words: [name, ...words].join(' '),
        stdout: stdout.replaceAll(root, 'ROOT'),
        stderr: stderr.replaceAll(root, 'ROOT'),
        status,
        names: readdirSync(root, { recursive: true, encoding: 'utf8' }).sort(),
      });
      expect
        .soft(seen(inside.stdout, inside.stderr, inside.status, ours))
        .toEqual(seen(real.stdout.toString(), real.stderr.toString(), real.status, theirs));
    }
  });
});
