/** The real tools, run on the same words and the same tree: an expectation that cannot bless our own mistake. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Builtin } from '../../builtins/kit/define.js';
import { makeTree, snapshot, type Tree } from './builtin-tree.js';
import { type RunOptions, type RunResult, runBuiltin } from './run-builtin.js';

export const COREUTILS = /\(GNU coreutils\) 9\.1\b/;
export const FINDUTILS = /\(GNU findutils\) 4\.9\b/;

/** Tests against `program`; a missing one is a skip one can see, or a failure where RMSH_REQUIRE_ORACLES is set. */
export function withGnu(program: string, version: RegExp, tests: () => void): void {
  const answer = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const there = answer.error === undefined && version.test(answer.stdout);
  if (there) describe(`as GNU ${program}`, tests);
  else if (process.env['RMSH_REQUIRE_ORACLES']) it(`needs GNU ${program}`, () => expect(there).toBe(true));
  else it.skip(`SKIPPED, not installed: GNU ${program} ${version.source}`, () => {});
}

export interface GnuOptions extends Omit<RunOptions, 'cwd' | 'stdin'> {
  readonly stdin?: string;
  readonly tree?: Tree;
  /** Does more to a tree before the command runs. */
  readonly prepare?: (root: string) => unknown;
  /** Compare what is printed on stderr. Default true. */
  readonly stderr?: boolean;
  /** Lines (and names ended by NUL) in any order. */
  readonly unordered?: boolean;
  /** The command writes: each side gets its own tree, and what became of them is compared too. */
  readonly writes?: boolean;
}

/** Runs both and expects the same. Answers ours. */
export async function expectLikeGnu(
  builtin: Builtin,
  words: readonly string[],
  options: GnuOptions = {},
): Promise<RunResult> {
  const { tree = {}, prepare, writes = false } = options;
  const make = () => {
    const root = makeTree(tree);
    prepare?.(root);
    return root;
  };
  const theirTree = make();
  const ourTree = writes ? make() : theirTree;
  const theirs = spawnSync(builtin.name, words, {
    cwd: theirTree,
    input: options.stdin ?? '',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: options.timeZone ?? 'UTC0', ...options.environment },
    maxBuffer: 1 << 28,
    argv0: builtin.name,
  });
  const ours = await runBuiltin(builtin, words, { ...options, cwd: ourTree });
  const order = (text: string) =>
    options.unordered === true
      ? text
          .split(/[\n\0]/)
          .sort()
          .join('\n')
      : text;
  const of = (stdout: string, stderr: string, status: number | null, root: string) => ({
    words: words.join(' '),
    stdout: order(stdout),
    stderr: options.stderr === false ? '' : order(stderr),
    status,
    tree: writes ? snapshot(root) : [],
  });
  const expected = of(theirs.stdout.toString(), theirs.stderr.toString(), theirs.status, theirTree);
  expect(of(ours.stdout, ours.stderr, ours.status, ourTree)).toEqual(expected);
  return ours;
}

/** One test for each row of words, split at blanks unless given as a list. */
export function gnuRows(
  builtin: Builtin,
  rows: readonly (string | readonly string[])[],
  options: GnuOptions = {},
): void {
  for (const row of rows) {
    const words = typeof row === 'string' ? row.split(' ').filter((word) => word !== '') : row;
    it(`${builtin.name} ${words.join(' ')}`, () => expectLikeGnu(builtin, words, options));
  }
}
