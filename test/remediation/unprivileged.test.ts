/**
 * What is said where the permissions say no: to root they never do. Where the tests run as root, both sides run as nobody: the
 * same script by bash with the real tools, and by rmsh, each in a tree of its own.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTree } from '../support/builtin-tree.js';
import { PROGRAM } from '../support/cli.js';
import { oracleThere } from '../support/text-oracle.js';

const NOBODY = 65534;
const asRoot = process.getuid?.() === 0;
const asNobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];

/** `no`: nobody reads it. `shut`: may be searched, not listed. `dark`: may be listed, not searched. `ro`: nothing may be made there. */
const tree = {
  a: 'b\na\n',
  no: 'secret\n',
  'shut/f': 'in shut\n',
  'dark/f': 'in dark\n',
  'ro/f': 'in ro\n',
  'closed/f': 'x\n',
  still: 'read only\n',
} as const;
const MODES = { no: 0, still: 0o444, shut: 0o311, dark: 0o444, ro: 0o555, closed: 0 } as const;

const READING = [
  'cat no a',
  'cat shut/f dark/f closed/f',
  'head -n 1 no a',
  'tail -n 1 no a',
  'wc no a',
  'wc -l dark/f',
  'tac no',
  'rev no',
  'nl no',
  'sort no',
  'sort a no',
  'sort -m a no',
  'uniq no',
  'cut -c 1 no a',
  'paste no a',
  'comm a no',
  'join a no',
  'cmp a no',
  'diff a no',
  'diff -r shut ro',
  'fold no',
  'expand no',
  'unexpand no',
  'od no a',
  'hexdump -C no',
  'base64 no',
  'md5sum no a',
  'sha256sum no',
  'cksum no a',
  'split no',
  'grep a no a',
  'grep -s a no a',
  'grep -q a no a',
  'grep -r in shut dark ro closed',
  'grep in dark/f',
  'sed p no a',
  'sed -n 1p dark/f',
  'sed -f no a',
  'ls no',
  'ls shut',
  'ls dark',
  'ls -l closed',
  'ls -d closed shut',
  'ls closed/f',
  'ls -R shut closed',
  'du -s shut closed ro',
  'du -a shut closed',
  'find shut',
  'find dark -name f',
  'find closed -type f',
  'find closed shut ro -name f',
  'find dark/f',
  'find . -readable',
  'find . -writable',
  'stat -c %n no closed/f dark/f shut/f',
  'readlink -f closed/x',
  'readlink -e dark/f',
  'realpath dark/f closed/f shut/f',
  'test -r no',
  'test -w still',
  'test -x dark',
  'test -e dark/f',
  'tar -cf - shut',
  'gzip -c no',
  'zcat no',
  'file=$(cat no)',
  'xargs -a no echo',
  'date -r dark/f',
  'touch -r dark/f x',
  'cd closed',
  'cat <no',
  'cat <dark/f',
  '. ./no',
] as const;

const WRITING = [
  'touch no',
  'touch ro/new',
  'touch ro/f',
  'touch closed/f',
  'touch -c dark/f',
  'mkdir ro/d',
  'mkdir closed/d',
  'mkdir -p ro/d/e',
  'rmdir closed/d',
  'cp no b',
  'cp a ro/b',
  'cp a ro',
  'cp a still',
  'cp -r shut copy1',
  'cp -r ro copy2',
  'mv a ro/',
  'mv ro/f .',
  'mv closed/f .',
  'ln a ro/l',
  'ln -s a ro/l',
  'rm ro/f',
  'rm closed/f',
  'rm dark/f',
  'truncate -s 0 still',
  'truncate -s 0 ro/new',
  'truncate -s 1 closed/f',
  'tee still <a',
  'tee ro/new <a',
  'chmod 600 ro/f',
  'chmod 600 closed/f',
  'sed -i s/a/b/ ro/f',
  'sed -i s/a/b/ no',
  'split a ro/x',
  'sort -o still a',
  'sort -o ro/new a',
  'uniq a still',
  'mktemp ro/XXXXXX',
  'mktemp -d closed/XXXXXX',
  'gzip ro/f',
  'gzip no',
  'gzip -k still',
  'find ro -name f -delete',
  'find closed -name f -delete',
  'echo x >still',
  'echo x >>ro/f',
  'echo x >ro/new',
  'echo x >closed/f',
  'tar -cf ro/t.tar a',
] as const;

/** Each row twice: its messages, then its output and its status. */
function scriptOf(rows: readonly string[]): string {
  return rows.map((row) => `echo '# ${row}'; (${row}) 2>&1 >/dev/null; (${row}) 2>/dev/null; echo "= $?"\n`).join('');
}

function make(): string {
  const root = makeTree(tree);
  const own = (path: string): void => {
    chownSync(path, NOBODY, NOBODY);
    if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) own(join(path, name));
  };
  if (asRoot) own(root);
  // Files of others inside, that nobody may not change.
  for (const [name, mode] of Object.entries(MODES)) chmodSync(join(root, name), mode);
  return root;
}

function run(command: readonly string[], root: string): readonly string[] {
  const [program = '', ...words] = asRoot ? [...asNobody, ...command] : command;
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC0' };
  const ended = spawnSync(program, words, { cwd: root, env, input: '', encoding: 'utf8', timeout: 60_000 });
  expect(ended.error).toBe(undefined);
  const said = ended.stdout.replaceAll(root, 'ROOT').replace(/^(?:bash|rmsh): (?:line )?[0-9]+: /gm, 'SHELL: ');
  // GNU's sed names its temporary file; names come in the order of the directory from find.
  return said
    .replace(/couldn't open temporary file ro\/sed\w{6}:/g, "couldn't edit ro/f:")
    .split(/^(?=# )/m)
    .map((row) => (row.startsWith('# find') ? row.split('\n').sort().join('\n') : row));
}

const reachable =
  !asRoot || spawnSync('setpriv', [...asNobody.slice(1), process.execPath, PROGRAM, '-c', ':']).status === 0;

describe.skipIf(!oracleThere() || !reachable)('as somebody who may not', () => {
  it.each([
    ['read', READING],
    ['write', WRITING],
  ])('%s', { timeout: 60_000 }, (_, rows) => {
    const [theirs, ours] = [make(), make()];
    const options = ['--mode', 'remediation', '--allow-path', `${ours}:rw`, '--env', 'LC_ALL', '--env', 'TZ'];
    const script = scriptOf(rows);
    expect(run([process.execPath, PROGRAM, ...options, '-c', script], ours)).toEqual(
      run(['bash', '-c', script], theirs),
    );
  });
});
