import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rm } from '../../builtins/rm.js';
import { removalBudget } from '../../src/files/files.js';
import { makeTree, snapshot, type Tree } from '../support/builtin-tree.js';
import { COREUTILS, expectLikeGnu, withGnu } from '../support/gnu.js';
import { type RunOptions, runBuiltin } from '../support/run-builtin.js';

const tree: Tree = {
  f: 'f',
  g: 'g',
  'd/keep': 'k',
  empty: { dir: true },
  link: { symlink: 'f' },
  dirlink: { symlink: 'd' },
  dangling: { symlink: 'gone' },
  hard: { hardlink: 'g' },
  pipe: { fifo: true },
  '-x': '',
  "it's": '',
  'new\nline': '',
  'é\udcff': '',
};

async function run(words: readonly string[], options: Partial<RunOptions> = {}) {
  const cwd = makeTree(tree);
  const before = snapshot(cwd);
  const result = await runBuiltin(rm, words, { cwd, ...options });
  const gone = before.filter((line) => !snapshot(cwd).some((now) => now.split(' ')[0] === line.split(' ')[0]));
  return { ...result, gone: gone.map((line) => line.split(' ')[0]) };
}

withGnu('rm', COREUTILS, () => {
  const rows = [
    ['f', 'g'],
    ['-v', 'f', 'gone', 'd', 'link'],
    ['d'],
    ['empty'],
    ['link', 'dangling', 'dirlink'],
    ['f/', 'pipe/'],
    ['.', 'd/.', 'd/..'],
    ['-v', 'pipe', 'hard'],
    ['-v', '--', '-x', "it's", 'new\nline', 'é\udcff'],
    ['-v', "no'pe", 'no\npe', ''],
    ['-y'],
    ['--verb', 'f'],
    ['f', '-v', 'g'],
    ['f', 'f'],
    [],
    ['--verbose=x', 'f'],
    ['--help=x', 'f'],
    ['--nope', 'f'],
    ['f/x', 'gone/x', 'd/keep/'],
  ];
  for (const row of rows.filter((words) => !words.some((word) => word.includes('\udcff')))) {
    it(`rm ${row.join(' ')}`, () => expectLikeGnu(rm, row, { tree, writes: true }));
  }
});

describe('rm', () => {
  it('removes names that are not UTF-8 and shows them quoted', async () => {
    expect(await run(['-v', 'é\udcff'])).toMatchObject({ stdout: "removed 'é'$'\\377'\n", status: 0 });
  });

  it('says of a dangling link with a slash that there is nothing', async () => {
    // GNU says what unlink(2) says, Not a directory; the contract says what is the case.
    const { stderr } = await run(['dangling/']);
    expect(stderr).toBe("rm: cannot remove 'dangling/': No such file or directory\n");
  });

  it('never removes a directory: a link to one, with a slash, is one', async () => {
    expect(await run(['dirlink/', 'd', 'empty'])).toMatchObject({
      stderr:
        "rm: cannot remove 'dirlink/': Is a directory\n" +
        "rm: cannot remove 'd': Is a directory\nrm: cannot remove 'empty': Is a directory\n",
      status: 1,
      gone: [],
    });
  });

  const options =
    '-r -R --recursive -d --dir -f --force -i --interactive -I --preserve-root --no-preserve-root --one-file-system';
  for (const option of [...options.split(' '), '-rf', '-vrf', '--interactive=never']) {
    it(`refuses ${option}, and says what to write instead`, async () => {
      const result = await run([option, 'f', 'empty']);
      expect(result).toMatchObject({ status: 1, stdout: '', gone: [] });
      const lines = result.stderr.split('\n');
      expect(lines[0]).toMatch(/^rm: (invalid option -- '[rRdfiI]'|unrecognized option '--[a-z=-]+')$/);
      expect(lines[1]).toBe("Try 'rm --help' for more information.");
      expect(lines[2]).toMatch(/^rm: ./);
      expect(lines).toHaveLength(4);
    });
  }

  it('says both what to write for -r and for -f', async () => {
    const { stderr } = await run(['-rf', 'd']);
    expect(stderr).toContain('find DIR -type f -exec rm {} \\;');
    expect(stderr).toContain('if [ -e FILE ]; then rm FILE; fi');
  });

  it('prints its help for -h and --help, and removes nothing', async () => {
    for (const option of ['-h', '--help', '--he']) {
      const result = await run(['f', option]);
      expect(result).toMatchObject({ status: 0, stderr: '', gone: [] });
      expect(result.stdout).toMatch(/^Usage: rm \[-v\] FILE\.\.\.\n/);
    }
  });

  it('refuses everything in read-only mode, --help too, before it reads options', async () => {
    for (const words of [['f'], ['--help'], ['-rf', 'f'], []]) {
      expect(await run(words, { remediation: false })).toMatchObject({
        stdout: '',
        stderr: 'rm: remediation mode required\n',
        status: 1,
        gone: [],
      });
    }
  });

  it('refuses eleven operands as a whole', async () => {
    const words = ['f', 'g', 'link', 'dangling', 'hard', 'pipe', "it's", 'a', 'b', 'c', 'd'];
    const result = await run(words);
    expect(result).toMatchObject({ status: 1, stdout: '', gone: [] });
    expect(result.stderr.split('\n')[0]).toBe(
      'rm: refusing to remove 11 files: exceeds the 10-file limit per invocation',
    );
    expect(result.stderr).toContain('xargs -n 10');
    expect(result.stderr).toContain('-exec rm {} \\;');
    expect((await run(words.slice(0, 10))).gone).toEqual(expect.arrayContaining(['f', 'g', 'pipe']));
    expect((await run(['f', 'g'], { limits: { maxRemoveOperands: 1 } })).gone).toEqual([]);
  });

  it('stops at once when the budget is spent, and only what was removed is charged', async () => {
    const budget = removalBudget(2);
    const result = await run(['-v', 'gone', 'd', 'f', 'g', 'link', 'pipe'], { budget });
    expect(result.stdout).toBe("removed 'f'\nremoved 'g'\n");
    expect(result.stderr).toBe(
      "rm: cannot remove 'gone': No such file or directory\nrm: cannot remove 'd': Is a directory\n" +
        "rm: cannot remove 'link': run-wide budget of 2 file removals is exhausted\n",
    );
    expect(result).toMatchObject({ status: 1, gone: ['f', 'g'] });
    expect(budget.used).toBe(2);
  });

  it('does the same where every write waits', async () => {
    const result = await run(['-v', 'f', 'gone', 'g'], { slow: true });
    expect(result).toMatchObject({ stdout: "removed 'f'\nremoved 'g'\n", status: 1, gone: ['f', 'g'] });
  });

  it('removes one name of two, and the other keeps the data', async () => {
    const cwd = makeTree(tree);
    await runBuiltin(rm, ['g'], { cwd });
    expect(existsSync(`${cwd}/g`)).toBe(false);
    expect(snapshot(cwd)).toContain('hard 644 1 "g"');
  });
});
