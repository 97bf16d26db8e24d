import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { logrotate } from '../../builtins/logrotate.js';
import { makeTree, snapshot } from '../support/builtin-tree.js';
import { runBuiltin } from '../support/run-builtin.js';

const tree = { 'd/app.log': 'x'.repeat(2000), 'd/small.log': 'y', l: { symlink: 'd' }, z: '' } as const;

async function run(words: string, remediation = true) {
  const cwd = makeTree(tree);
  const result = await runBuiltin(logrotate, words.split(' '), { cwd, remediation });
  return { ...result, files: snapshot(cwd) };
}

it('empties files of at least the size, where they are', async () => {
  const result = await run('-v -s 1K d/app.log d/small.log');
  expect(result).toMatchObject({ status: 0, stderr: '' });
  expect(result.stdout).toBe("truncated 'd/app.log' (2000 bytes)\n'd/small.log': 1 bytes, kept\n");
  expect(result.files).toContain('d/app.log 644 1 ""');
  expect(result.files).toContain('d/small.log 644 1 "y"');
});

it('looks at one file once, by whatever path it is reached', async () => {
  const result = await run('-v -f d/app.log l/app.log d/../d/app.log');
  expect(result).toMatchObject({ status: 0, stderr: '' });
  expect(result.stdout).toBe(
    "truncated 'd/app.log' (2000 bytes)\n'l/app.log': the same file as before\n'd/../d/app.log': the same file as before\n",
  );
});

it('-n only says what would be done, in read-only mode too', async () => {
  for (const mode of [true, false]) {
    const result = await run('-n -s 1500 d/app.log d/small.log', mode);
    expect(result.stdout).toBe("would truncate 'd/app.log' (2000 bytes)\n");
    expect(result.files).toContain('d/small.log 644 1 "y"');
    expect(result.files.join()).toContain('x'.repeat(2000));
  }
});

it('writes nothing in read-only mode', async () => {
  const result = await run('-f d/app.log', false);
  expect(result).toMatchObject({
    stderr: "logrotate: cannot truncate 'd/app.log': remediation mode required\n",
    status: 1,
  });
  expect(result.files.join()).toContain('x'.repeat(2000));
});

it('goes on after what fails', async () => {
  const result = await run('-f gone d l/app.log d/small.log');
  expect(result.stderr).toBe(
    "logrotate: cannot truncate 'gone': No such file or directory\nlogrotate: cannot truncate 'd': Is a directory\n" +
      "logrotate: cannot truncate 'l/app.log': symlinks are not supported as write targets\n",
  );
  expect(result.status).toBe(1);
  expect(result.files).toContain('d/small.log 644 1 ""');
});

it('wants to be told which', async () => {
  for (const words of ['d/app.log', '-s 1 -f d/app.log', '-s 1x d/app.log', '-f', '-x']) {
    const result = await run(words);
    expect(result.status).toBe(1);
    expect(result.files.join()).toContain('x'.repeat(2000));
  }
  expect((await run('-s 1x z')).stderr).toBe('logrotate: invalid size: ‘1x’\n');
});

const COMPLAINT = 'logrotate: cannot truncate';
const EITHER = "logrotate: you must specify either ‘-s SIZE’ or ‘-f’\nTry 'logrotate --help' for more information.\n";
const BOTH = "logrotate: ‘-s’ and ‘-f’ exclude each other\nTry 'logrotate --help' for more information.\n";
const cut = (name: string, bytes: number) => `truncated '${name}' (${bytes} bytes)\n`;
const kept = (name: string, bytes: number) => `'${name}': ${bytes} bytes, kept\n`;

/** There is no real one: words, what they print on both streams, and the sizes of `d/app.log` and `d/small.log` afterwards. */
const ROWS: readonly (readonly [words: string, stdout: string, stderr: string, app: number, small: number])[] = [
  ['-s 1 d/app.log d/small.log', '', '', 0, 0],
  ['-s 2 d/app.log d/small.log', '', '', 0, 1],
  ['-s 0 z', '', '', 2000, 1],
  ['-v -s 2000 d/app.log', cut('d/app.log', 2000), '', 0, 1],
  ['-v -s 2001 d/app.log', kept('d/app.log', 2000), '', 2000, 1],
  ['-vs1k d/app.log', cut('d/app.log', 2000), '', 0, 1],
  ['-v -s 2k d/app.log', kept('d/app.log', 2000), '', 2000, 1],
  ['-v -s 2KB d/app.log', cut('d/app.log', 2000), '', 0, 1],
  ['-v -s 2KiB d/app.log', kept('d/app.log', 2000), '', 2000, 1],
  ['-v -s 4b d/app.log', kept('d/app.log', 2000), '', 2000, 1],
  ['-v -s 3b d/app.log', cut('d/app.log', 2000), '', 0, 1],
  ['-s 100M -v d/app.log d/small.log', kept('d/app.log', 2000) + kept('d/small.log', 1), '', 2000, 1],
  ['-s 1T d/app.log', '', '', 2000, 1],
  ['--size=1K --verbose d/app.log', cut('d/app.log', 2000), '', 0, 1],
  ['--size 1K --verb d/app.log', cut('d/app.log', 2000), '', 0, 1],
  ['-s 1M -s 1 -v d/app.log', cut('d/app.log', 2000), '', 0, 1],
  ['-f -v z', cut('z', 0), '', 2000, 1],
  ['--force d/small.log', '', '', 2000, 0],
  ['-fv d/app.log d/app.log', `${cut('d/app.log', 2000)}'d/app.log': the same file as before\n`, '', 0, 1],
  ['-f d/app.log d/app.log', '', '', 0, 1],
  ['d/app.log -f -v', cut('d/app.log', 2000), '', 0, 1],
  ['-n -f d/app.log', "would truncate 'd/app.log' (2000 bytes)\n", '', 2000, 1],
  [
    '-n -f d/small.log d/app.log',
    "would truncate 'd/small.log' (1 bytes)\nwould truncate 'd/app.log' (2000 bytes)\n",
    '',
    2000,
    1,
  ],
  ['--dry-run -v -s 1k d/small.log', kept('d/small.log', 1), '', 2000, 1],
  ['-f', '', "logrotate: missing file operand\nTry 'logrotate --help' for more information.\n", 2000, 1],
  ['-s 1', '', "logrotate: missing file operand\nTry 'logrotate --help' for more information.\n", 2000, 1],
  ['d/app.log', '', EITHER, 2000, 1],
  ['-n d/app.log', '', EITHER, 2000, 1],
  ['-v', '', EITHER, 2000, 1],
  ['-f -s 1 d/app.log', '', BOTH, 2000, 1],
  ['-s -1 d/app.log', '', 'logrotate: invalid size: ‘-1’\n', 2000, 1],
  ['-s x d/app.log', '', 'logrotate: invalid size: ‘x’\n', 2000, 1],
  ['-s 1.5M d/app.log', '', 'logrotate: invalid size: ‘1.5M’\n', 2000, 1],
  ['-s', '', "logrotate: option requires an argument -- 's'\nTry 'logrotate --help' for more information.\n", 2000, 1],
  [
    '-c /etc/logrotate.conf',
    '',
    "logrotate: invalid option -- 'c'\nTry 'logrotate --help' for more information.\n",
    2000,
    1,
  ],
  ['-f gone', '', `${COMPLAINT} 'gone': No such file or directory\n`, 2000, 1],
  ['-f d', '', `${COMPLAINT} 'd': Is a directory\n`, 2000, 1],
  ['-f d/', '', `${COMPLAINT} 'd/': Is a directory\n`, 2000, 1],
  ['-f d/app.log/', '', `${COMPLAINT} 'd/app.log/': Not a directory\n`, 2000, 1],
  ['-f d/app.log/x d/small.log', '', `${COMPLAINT} 'd/app.log/x': Not a directory\n`, 2000, 0],
  ['-f p d/small.log', '', `${COMPLAINT} 'p': not a regular file\n`, 2000, 0],
  ['-f hard', '', `${COMPLAINT} 'hard': refusing to write to a file with more than one link\n`, 2000, 1],
  ['-f flink', '', `${COMPLAINT} 'flink': symlinks are not supported as write targets\n`, 2000, 1],
  ['-n -f flink', "would truncate 'flink' (2000 bytes)\n", '', 2000, 1],
  ['-f broken', '', `${COMPLAINT} 'broken': No such file or directory\n`, 2000, 1],
  ['-f /etc/hosts', '', `${COMPLAINT} '/etc/hosts': Permission denied\n`, 2000, 1],
];

it.each(ROWS)('logrotate %s', async (words, stdout, stderr, app, small) => {
  const cwd = makeTree({
    ...tree,
    two: 'x',
    hard: { hardlink: 'two' },
    flink: { symlink: 'd/app.log' },
    broken: { symlink: 'gone' },
    p: { fifo: true },
  });
  const result = await runBuiltin(logrotate, words.split(' '), { cwd });
  expect([result.stdout, result.stderr, result.status]).toEqual([stdout, stderr, stderr === '' ? 0 : 1]);
  expect(['d/app.log', 'd/small.log'].map((name) => statSync(join(cwd, name)).size)).toEqual([app, small]);
});
