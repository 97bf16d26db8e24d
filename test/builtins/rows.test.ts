/**
 * Lines of a shell, one a row: `rows/NAME.rows` has those of the command NAME. Each is run by bash with the real tools and by rmsh, in a
 * new tree each, and has to print the same on both streams, end with the same status and leave the same files.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createShell } from '../../src/index.js';
import { makeTree, snapshot, type Tree } from '../support/builtin-tree.js';
import { CASE_ENVIRONMENT, missing, ORACLES_REQUIRED } from '../support/oracles.js';

const folder = fileURLToPath(new URL('rows', import.meta.url));
const DAY = 1_609_459_200; // 2021-01-01

/** What each row finds; a fifo too where the row names it. */
const tree: Tree = {
  a: { content: 'b 2\na 1\nc 3\n', mtime: DAY },
  b: { content: 'a 1\nb 5\nd 4', mtime: DAY + 60 },
  one: 'x y\n',
  two: { hardlink: 'one' },
  n: '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n',
  long: 'x'.repeat(300),
  empty: '',
  bin: '\0\x01\udcffx\n',
  'd/f': 'in d\n',
  't/one': '1',
  't/u/big': { content: '1'.repeat(5000), mode: 0o640 },
  l: { symlink: 'a' },
  ld: { symlink: 'd' },
  broken: { symlink: 'gone' },
};
const HOST: ReadonlySet<string> = new Set(['df', 'free', 'lsof', 'ps', 'ss', 'uptime', 'vmstat']);
const STDIN = 'in 1\nput\n';

async function inside(row: string, root: string) {
  const shell = createShell({
    mode: 'remediation',
    allowHost: true,
    allowedPaths: [{ path: root, access: 'rw' }],
    env: CASE_ENVIRONMENT,
  });
  const { stdout, stderr, exitCode } = await shell.run(row, {
    cwd: root,
    stdin: STDIN,
    name: 'bash',
    timeoutMs: 15_000,
  });
  return { stdout, stderr, status: exitCode };
}

function real(row: string, root: string) {
  const env = { ...CASE_ENVIRONMENT, PATH: '/usr/bin:/bin' };
  const ended = spawnSync('bash', ['--norc', '-c', row], { cwd: root, input: STDIN, env, timeout: 15_000 });
  return { stdout: ended.stdout.toString(), stderr: ended.stderr.toString(), status: ended.status };
}

/** The shells begin their own messages each in its own way. */
function normal(text: string, root: string): string {
  return text.replaceAll(root, 'ROOT').replace(/^bash: (?:line )?\d+: /gm, 'SHELL: ');
}

const why = missing('bash');
for (const file of readdirSync(folder).filter((name) => name.endsWith('.rows'))) {
  const rows = readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '));
  describe(`${basename(file, '.rows')}, as GNU`, () => {
    // What a host shows may change between the two.
    const retry = HOST.has(basename(file, '.rows')) ? 2 : 0;
    it.each(rows.map((row) => ({ row })))('$row', { retry }, async ({ row }) => {
      if (why !== undefined && !ORACLES_REQUIRED) return expect.fail(why);
      const whole: Tree = / p\b/.test(row) ? { ...tree, p: { fifo: true } } : tree;
      const [theirs, ours] = [makeTree(whole), makeTree(whole)];
      const wanted = real(row, theirs);
      const got = await inside(row, ours);
      const shown = (seen: typeof wanted, root: string) => ({
        row,
        stdout: normal(seen.stdout, root),
        stderr: normal(seen.stderr, root),
        status: seen.status,
        files: snapshot(root),
      });
      expect(shown(got, ours)).toEqual(shown(wanted, theirs));
    });
  });
}
