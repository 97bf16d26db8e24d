import { lstatSync, lutimesSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cp } from '../../builtins/cp.js';
import { FsError } from '../../src/errors.js';
import { type Asker, type Files, removalBudget } from '../../src/files/files.js';
import { sandboxStore } from '../../src/sandbox/store.js';
import { makeTree, snapshot, type Tree } from '../support/builtin-tree.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';

const tree: Tree = {
  a: 'a\n',
  b: { content: 'b\n', mode: 0o640 },
  suid: { content: 's', mode: 0o4755 },
  'd/sub': { dir: true },
  'd/a': 'c\n',
  'd/ll': { symlink: '../a' },
  e: { dir: true },
  'f/a/x': 'x',
  closed: { dir: true, mode: 0o500 },
  la: { symlink: 'a' },
  dl: { symlink: 'gone' },
  ld: { symlink: 'd' },
  loop: { symlink: 'loop' },
  'twins/one': 'twin',
  'twins/two': { hardlink: 'twins/one' },
  'cyclic/in/up': { symlink: '../../cyclic' },
  'cyclic/z': 'z',
  old: { content: 'o', mtime: 1577934245 },
};

withGnu('cp', COREUTILS, () => {
  gnuRows(
    cp,
    [
      '',
      'a',
      '-t d',
      'a x',
      'a a',
      'a ./a',
      'a b',
      'd x',
      'd a x',
      'a b gone',
      '-v a b e',
      '-r d d2',
      '-rv d e',
      '-n b a',
      '-nv b a x',
      'gone x',
      'la x',
      '-r la y',
      'dl z',
      'a dl',
      '-r dl z',
      'a gone/x',
      '-T a d',
      '-T d a',
      '-rT d a',
      '-rT d e',
      '-p b bb',
      'b a/',
      'a d/',
      '-r d/. e',
      '-r f/a d',
      '-r d/a f',
      'a d/a e',
      ['', 'x'],
      ['a', ''],
      '-t a b',
      '-t gone b',
      '-T a b c',
      '-tT a',
      '-t e -T a',
      'suid s',
      '-p suid s',
      '-r closed c2',
      '-r ld l3',
      '-rvn d e',
      '--remove-destination -v b a',
      '--recursive --no-clobber --verbose --target-directory=e d a',
      '-f b a',
      '-f a dl',
      '-P la x',
      '-Pv la b',
      '-P a x',
      '-L la x',
      '-RL d x',
      '-RL ld x',
      '-RLv cyclic x',
      '-RH ld x',
      '-RH d x',
      '-RP ld x',
      '-dv twins/one twins/two e',
      '-av twins x',
      '-a twins/one twins/two e',
      '-a old ld closed e',
      '-aL d x',
      '-La d x',
      '-u old b',
      '-u a old',
      '-uv a old e',
      '-Ruv f d',
      '-u d e',
      '-a loop x',
      'a loop',
      '-R ld d x',
    ],
    { tree, writes: true, unordered: true },
  );
});

async function run(
  words: string,
  options: { readonly budget?: ReturnType<typeof removalBudget>; slow?: boolean } = {},
) {
  const cwd = makeTree(tree);
  const result = await runBuiltin(cp, words.split(' '), { cwd, ...options });
  return { ...result, files: snapshot(cwd) };
}

describe('cp', () => {
  it('does not copy a directory into itself', async () => {
    for (const words of ['-r d d', '-r d d/sub/x', '-r ld/ d/x', '-r . d/x']) {
      const result = await run(words);
      expect(result.stderr).toMatch(/^cp: cannot copy a directory, '.*', into itself, 'd\/.*'\n$/);
      expect(result.files).toEqual(snapshot(makeTree(tree)));
    }
  });

  it('charges what it removes first, and stops at once when the budget is spent', async () => {
    const budget = removalBudget(1);
    const result = await run('--remove-destination a b d/a e/../suid f/..', { budget });
    expect(result.status).toBe(1);
    expect(budget.used).toBeLessThanOrEqual(1);
    const spent = await run('--remove-destination -t e/.. d/a f/a/x old', { budget: removalBudget(0) });
    expect(spent.stderr).toBe("cp: cannot remove 'e/../a': run-wide budget of 0 file removals is exhausted\n");
    expect(spent.files.some((line) => line.startsWith('x '))).toBe(false);
  });

  it('makes anew with -f what may not be written to, as a removal; what the policy refuses stays', async () => {
    const cwd = makeTree({ a: 'new', busy: 'old', two: 'kept', other: { hardlink: 'two' } });
    const make = (budget: ReturnType<typeof removalBudget>) => {
      const real = sandboxStore({ mode: 'remediation', roots: [{ path: cwd, writable: true }], budget });
      const files = (asker: Asker): Files => {
        const inner = real.for(asker);
        const openWrite = inner.openWrite.bind(inner);
        inner.openWrite = (path, options) => {
          if (path === 'busy' && options.exclusive !== true) throw new FsError('ETXTBSY', path);
          return openWrite(path, options);
        };
        return inner;
      };
      return { ...real, for: files };
    };
    const none = removalBudget(0);
    const spent = await runBuiltin(cp, ['-f', 'a', 'busy'], { cwd, store: make(none) });
    expect(spent.stderr).toBe("cp: cannot remove 'busy': run-wide budget of 0 file removals is exhausted\n");
    const budget = removalBudget(5);
    const store = make(budget);
    const plain = await runBuiltin(cp, ['a', 'busy'], { cwd, store });
    expect(plain.stderr).toBe("cp: cannot create regular file 'busy': Text file busy\n");
    expect(readFileSync(`${cwd}/busy`, 'utf8')).toBe('old');
    const forced = await runBuiltin(cp, ['-fv', 'a', 'busy'], { cwd, store });
    expect(forced).toMatchObject({ status: 0, stdout: "'a' -> 'busy'\nremoved 'busy'\n" });
    expect(readFileSync(`${cwd}/busy`, 'utf8')).toBe('new');
    expect(budget.used).toBe(1);
    const refused = await runBuiltin(cp, ['-f', 'a', 'two'], { cwd, store });
    expect(refused.stderr).toBe(
      "cp: cannot create regular file 'two': refusing to write to a file with more than one link\n",
    );
  });

  it('keeps times of files, links and directories with -a', async () => {
    const cwd = makeTree({ 'd/l': { symlink: 'gone' }, 'd/f': { content: 'f', mtime: 1577934245 } });
    lutimesSync(`${cwd}/d/l`, 1577934246, 1577934246);
    utimesSync(`${cwd}/d`, 1577934247, 1577934247);
    await runBuiltin(cp, ['-a', 'd', 'e'], { cwd });
    const times = ['e/f', 'e/l', 'e'].map((path) => lstatSync(`${cwd}/${path}`).mtimeMs);
    expect(times).toEqual([1577934245000, 1577934246000, 1577934247000]);
  });

  it('refuses -i and says what to write instead', async () => {
    const result = await run('-i a b');
    expect(result.stderr).toBe(
      "cp: invalid option -- 'i'\nTry 'cp --help' for more information.\n" +
        'cp: cp does not ask: write -n to leave files that are there as they are\n',
    );
  });

  it('does not write through links', async () => {
    const result = await run('b la');
    expect(result.stderr).toBe("cp: cannot create regular file 'la': symlinks are not supported as write targets\n");
    expect(result.files).toContain('a 644 1 "a\\n"');
  });

  it('keeps times with -p', async () => {
    const cwd = makeTree(tree);
    await runBuiltin(cp, ['-p', 'old', 'new'], { cwd });
    expect(statSync(`${cwd}/new`).mtimeMs).toBe(1577934245000);
  });

  it('copies large files, also where everything waits', async () => {
    const cwd = makeTree({ big: 'abc'.repeat(1_000_000) });
    for (const slow of [false, true]) {
      const result = await runBuiltin(cp, ['big', `copy${slow}`], { cwd, slow });
      expect(result.status).toBe(0);
      expect(readFileSync(`${cwd}/copy${slow}`).equals(readFileSync(`${cwd}/big`))).toBe(true);
    }
  });
});
