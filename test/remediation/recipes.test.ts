/** What operators type, as they type it: on a real tree, and where the real tools can be asked, they say the same. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeTree, snapshot } from '../support/builtin-tree.js';
import { rmsh } from '../support/cli.js';

const DAY = 86_400;
const now = Math.floor(Date.now() / 1000);

const log = (from: number, count: number) =>
  Array.from(
    { length: count },
    (_, i) => `${i % 3 === 0 ? 'ERROR' : 'info'} line ${(from + i) % 7} took ${i * 10} ms\n`,
  ).join('');

const tree = {
  'log/app.log': { content: log(0, 60), mtime: now - DAY },
  'log/app.log.1': { content: log(3, 40), mtime: now - 9 * DAY },
  'log/app.log.2': { content: log(5, 30), mtime: now - 20 * DAY },
  'log/big file.log': { size: 3_000_000, mtime: now - 2 * DAY },
  'log/small.log': { content: 'start\none\nend\ntwo\n', mtime: now },
  'tmp/a.tmp': { content: 'a', mtime: now - 30 * DAY },
  'tmp/b c.tmp': { content: 'bb', mtime: now - 30 * DAY },
  'tmp/keep': { content: 'k', mtime: now - 30 * DAY },
  'cores/core.1': { size: 200_000, mtime: now - 8 * DAY },
  'cores/core.2': { size: 100_000, mtime: now - 8 * DAY },
  'state.json': '{"pods":[{"name":"a","up":true},{"name":"b","up":false}]}\n',
} as const;

/** Looking alone: nothing is granted but to read. */
const LOOKING = [
  "find . -xdev -type f -size +50k -printf '%s %p\\n' | sort -rn | head",
  'du -xk --max-depth=1 . | sort -rn | head -20 | cut -f2 | sort',
  'du -ab . | sort -n | tail -3',
  'ls -S log | head -3',
  'tail -n 50 log/app.log | grep -iE "error|fail" | sort | uniq -c | sort -rn',
  "awk '{s+=$5} END {print s}' log/app.log",
  'awk \'$1 == "ERROR" {n[$3]++} END {for (k in n) print k, n[k]}\' log/app.log | sort',
  "sed -n '/start/,/end/p' log/small.log",
  "stat -c '%n %s %Y' log/*",
  'du -xh --max-depth=1 . | sort -rh | head -20 | cut -f 2 | sort',
  'ls -lhS log | tail -n +2',
  "date -d '7 days ago' +%F",
  'find . -name "*.log.[0-9]*" -mtime +7 | sort | while IFS= read -r f; do echo "<$f>"; done',
  "find . -name '*.tmp' -print0 | xargs -0 -n 1 basename | sort",
  "grep -rlE 'ERROR' log | sort",
  'grep -c ERROR log/app.log log/app.log.1',
  'find . -type f -mtime +7 -exec ls -1 {} + | wc -l',
  "cut -d ' ' -f 1 log/app.log | sort | uniq -c | awk '{print $2, $1}'",
  "jq -r '.pods[] | select(.up | not) | .name' state.json",
  "jq -c '[.pods[].name]' < state.json",
  'for f in log/*.log; do printf "%s\\t%s\\n" "$(wc -c < "$f")" "$f"; done',
  'find . -type f -empty | wc -l',
];

/** Repairs, in a tree of their own each. */
const REPAIRS = [
  'truncate -s 0 log/app.log',
  ': > log/app.log',
  "find log -name '*.log.[0-9]*' -mtime +7 -print0 | xargs -0 -n 10 rm -v",
  "find log -name '*.log.[0-9]*' -exec rm {} +",
  "find tmp -name '*.tmp' -mtime +7 -delete",
  'find tmp -type f -name \'*.tmp\' -print | while IFS= read -r f; do rm "$f" && echo "gone: $f"; done',
  'rm cores/core.*; rmdir cores',
  'gzip log/app.log.1; ls log',
  'mv log/app.log.1 log/old.log; ls log',
  'sed -i s/ERROR/error/ log/app.log; grep -c error log/app.log',
  'tail -n 5 log/app.log > keep && cat keep > log/app.log; wc -l < log/app.log; rm keep',
  'mkdir -p archive && cp -p log/small.log archive/ && ls archive',
  'for f in cores/core.*; do [ "$(wc -c < "$f")" -gt 150000 ] && rm -v "$f"; done; ls cores',
];

const bash = existsSync('/bin/bash');
const hasJq = existsSync('/usr/bin/jq');

async function alike(script: string, grants: readonly string[]): Promise<void> {
  const [theirTree, ourTree] = [makeTree(tree), makeTree(tree)];
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC0' };
  const theirs = spawnSync('/bin/bash', ['--norc', '--noprofile', '-c', script], {
    cwd: theirTree,
    env,
    encoding: 'utf8',
    input: '',
  });
  const ours = await rmsh([...grants, '--env', 'LC_ALL=C.UTF-8', '--env', 'TZ=UTC0', '-c', script], { cwd: ourTree });
  expect({ stdout: ours.stdout, stderr: ours.stderr, status: ours.status }).toEqual({
    stdout: theirs.stdout,
    stderr: theirs.stderr,
    status: theirs.status,
  });
  const lines = (root: string) => snapshot(root).map((line) => line.replace(/(\.gz \d+ \d+).*/, '$1'));
  expect(lines(ourTree)).toEqual(lines(theirTree));
}

describe('recipes of the trade', () => {
  for (const script of LOOKING) {
    it.skipIf(!bash || (script.startsWith('jq') && !hasJq))(script, () => alike(script, ['--allow-path', '.']));
  }
  for (const script of REPAIRS) {
    it.skipIf(!bash)(script, () => alike(script, ['--mode', 'remediation', '--allow-path', '.:rw']));
  }

  const repair = (script: string, root: string) =>
    rmsh(['--mode', 'remediation', '--allow-path', '.:rw', '-c', script], { cwd: root });

  it('empties logs that have grown too large', async () => {
    const root = makeTree(tree);
    const { stdout, status } = await repair('logrotate -s 1M -v log/*.log; stat -c %s "log/big file.log"', root);
    expect(status).toBe(0);
    expect(stdout).toContain('big file.log');
    expect(stdout.endsWith('\n0\n')).toBe(true);
  });

  it('tells how full file systems are, where a root lies on one', async () => {
    const root = makeTree(tree);
    const { stdout, status } = await rmsh(['--allow-path', '.', '-c', 'df -h . | wc -l; df -i . | wc -l'], {
      cwd: root,
    });
    expect({ stdout, status }).toEqual({ stdout: '2\n2\n', status: 0 });
  });

  it('refuses more than ten names for one rm, and says how to go on', async () => {
    const names = Array.from({ length: 12 }, (_, i) => `old/f${i}.log`);
    const root = makeTree(Object.fromEntries(names.map((name) => [name, 'x'])));
    const refused = [
      'rm old/*.log',
      'find old -name "*.log" -exec rm {} +',
      'find old -name "*.log" -print0 | xargs -0 rm',
    ];
    for (const script of refused) {
      const { stderr, stdout } = await repair(`${script}; ls old | wc -l`, root);
      expect(stderr).toContain('rm: refusing to remove 12 files: exceeds the 10-file limit per invocation');
      expect(stderr).toContain("write 'xargs -n 10 rm' or 'find ... -exec rm {} \\;'");
      expect(stdout).toBe('12\n');
    }
    expect((await repair('find old -name "*.log" -print0 | xargs -0 -n 10 rm; ls old | wc -l', root)).stdout).toBe(
      '0\n',
    );
  });

  it.each([
    ['rm -rf log', "for the files below one write 'find DIR -type f -exec rm {} \\;'"],
    ['rm -f log/app.log', "write 'if [ -e FILE ]; then rm FILE; fi'"],
    ['rm -i log/app.log', "look with 'ls -ld FILE...' first"],
    ["find tmp -name '*.tmp' -ok rm {} \\;", '-exec'],
    ['sudo rm log/app.log', "leave out 'sudo'"],
    ['nohup sleep 0', "leave out 'nohup'"],
    ['lsof +L1', '--allow-host grants it'],
    ['ps aux', '--allow-host grants it'],
  ])('%s: says what to write instead', async (script, hint) => {
    const root = makeTree(tree);
    const before = snapshot(root);
    const { stderr, status } = await repair(script, root);
    expect(status).not.toBe(0);
    expect(stderr).toContain(hint);
    expect(snapshot(root)).toEqual(before);
  });

  it('finds who holds a deleted log, and what takes the memory', async () => {
    const root = makeTree(tree);
    const script = `exec 3< log/app.log; rm log/app.log; lsof -nP +L1 | grep -c "$PWD/log/app.log (deleted)"
ps -eo pid,comm,rss --sort=-rss | head -3 | wc -l; ps -o pid= -p $$ | tr -d ' ' | grep -cx $$`;
    const grants = ['--mode', 'remediation', '--allow-path', '.:rw', '--allow-host'];
    expect(await rmsh([...grants, '-c', script], { cwd: root })).toMatchObject({
      stdout: '1\n3\n1\n',
      stderr: '',
      status: 0,
    });
  });
});

describe('which', () => {
  const run = (script: string, root = makeTree(tree), more: readonly string[] = []) =>
    rmsh(['--allow-path', '.', ...more, '-c', script], { cwd: root });

  it.skipIf(!existsSync('/usr/bin/which'))('answers as the real one', async () => {
    const scripts = [
      'which ls; echo $?',
      'which ls nosuch cat; echo $?',
      'which nosuch; echo $?',
      'which; echo $?',
      'which cd; echo $?',
      'which export; echo $?',
      'which /bin/ls /usr/bin/cat; echo $?',
      'which echo test [ true; echo $?',
      'which sh; echo $?',
      'which ./nosuch; echo $?',
      'which log; echo $?',
    ];
    const env = { PATH: '/usr/bin:/bin' };
    const theirs = spawnSync('/bin/bash', ['--norc', '--noprofile', '-c', scripts.join('\n')], {
      env,
      encoding: 'utf8',
    });
    expect((await run(scripts.join('\n'))).stdout).toBe(theirs.stdout);
  });

  it('finds scripts in a directory of $PATH, and functions never', async () => {
    const root = makeTree({
      'bin/tool': { content: '#!/bin/sh\n', mode: 0o755 },
      'bin/ls': { content: '#!/bin/sh\n', mode: 0o755 },
    });
    const script = 'PATH=$PWD/bin:/usr/bin; f() { :; }; which tool; which -a ls; which f; echo $?; which -x; echo $?';
    const { stdout, stderr } = await run(script, root);
    expect(stdout).toBe(`${root}/bin/tool\n/usr/bin/ls\n${root}/bin/ls\n1\nUsage: which [-a] NAME...\n2\n`);
    expect(stderr).toBe('Illegal option -x\n');
  });
});
