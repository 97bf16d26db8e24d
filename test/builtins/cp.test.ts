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
  numbered: 'n\n',
  'numbered.~1~': 'n1\n',
  'numbered.~9~': 'n9\n',
  'numbered.~x~': 'nx\n',
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
      '-l a x',
      '-lv a b e',
      '-l a b',
      '-lf a b',
      '-l a a',
      '-l la x',
      '-Pl la x',
      '-l a la',
      '-lf a la',
      '-rl d x',
      '-l d x',
      '-l gone x',
      '-s a x',
      '-sv a b e',
      '-s a b',
      '-sf a b',
      '-s a la',
      '-sf a la',
      '-s a d/sub/..',
      '-rs d x',
      '-ls a x',
      '-b b a',
      '-bv b a',
      '-b a a',
      '-bf a a',
      '-bfv a a',
      '-b a la',
      '-b la a',
      '-bl b a',
      '-bs b a',
      '-br d e',
      '-brT d e',
      '-bn b a',
      '-S .orig b a',
      '-S a/b b a',
      '--suffix= b a',
      '--backup b a',
      '--backup=numbered b a',
      '--backup=t a b',
      '--backup=simple b a',
      '--backup=never b numbered',
      '--backup=existing b numbered',
      '--backup=nil b a',
      '--backup=none b a',
      '--backup=off -b b a',
      '--backup=n b a',
      '--backup=num b numbered',
      '--backup=x b a',
      '--backup= b a',
      '--backup=numbered b numbered',
      '--remove-destination -bv b a',
      '--preserve b x',
      '--preserve=mode b x',
      '--preserve=mode,timestamps,ownership suid x',
      '--preserve=links twins/one twins/two e',
      '--preserve=all twins/one twins/two suid e',
      '--preserve=foo b x',
      '--preserve= b x',
      '--preserve=m b x',
      '--backup=n b x',
      '--backup=num b x',
      '--preserve= b x',
      '--preserve=mode,,links b x',
      '--preserve=context b x',
      '--no-preserve=mode -p b x',
      '--no-preserve=mode suid x',
      '-p --no-preserve=all b x',
      '--no-preserve=mode -r closed x',
      '--no-preserve=x b y',
      '-a --no-preserve=links twins x',
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

  it('takes the type and the suffix of backups from the environment', async () => {
    for (const [environment, name] of [
      [{ VERSION_CONTROL: 'numbered' }, 'a.~1~'],
      [{ SIMPLE_BACKUP_SUFFIX: '.old' }, 'a.old'],
    ] as const) {
      const cwd = makeTree({ a: 'old', b: 'new' });
      await runBuiltin(cp, ['-b', 'b', 'a'], { cwd, environment });
      expect(readFileSync(`${cwd}/${name}`, 'utf8')).toBe('old');
    }
    const bad = await runBuiltin(cp, ['-b', 'a', 'b'], { cwd: makeTree(tree), environment: { VERSION_CONTROL: 'x' } });
    expect(bad.stderr).toContain('cp: invalid argument ‘x’ for ‘$VERSION_CONTROL’\n');
  });

  it('a backup takes no name away, unless it has the name of a file', async () => {
    const budget = removalBudget(1);
    const cwd = makeTree({ a: '1', b: '2', 'b~': '3' });
    await runBuiltin(cp, ['-b', 'b', 'a'], { cwd, budget });
    expect(budget.used).toBe(0);
    await runBuiltin(cp, ['-b', 'a', 'b'], { cwd, budget });
    expect(budget.used).toBe(1);
    const spent = await runBuiltin(cp, ['-b', 'a', 'b'], { cwd, budget });
    expect(spent.stderr).toBe("cp: cannot backup 'b': run-wide budget of 1 file removals is exhausted\n");
  });

  it('refuses by name what cannot be kept', async () => {
    const result = await run('--preserve=xattr a x');
    expect(result.stderr).toContain('extended attributes cannot be preserved');
    expect(result.status).toBe(1);
  });

  it('a directory that cannot be read is made all the same', async () => {
    const cwd = makeTree({ 'd/in': '', d2: { dir: true } });
    const real = sandboxStore({
      mode: 'remediation',
      roots: [{ path: cwd, writable: true }],
      budget: removalBudget(1),
    });
    const closed = (asker: Asker): Files => {
      const inner = real.for(asker);
      inner.openDirectory = (path) => {
        throw new FsError('EACCES', path);
      };
      return inner;
    };
    const result = await runBuiltin(cp, ['-r', 'd', 'new'], { cwd, store: { ...real, for: closed } });
    expect(result).toMatchObject({ status: 1, stderr: "cp: cannot access 'd': Permission denied\n" });
    expect(statSync(`${cwd}/new`).isDirectory()).toBe(true);
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
