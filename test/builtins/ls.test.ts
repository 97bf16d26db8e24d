import { describe, expect, it } from 'vitest';
import { ls } from '../../builtins/ls.js';
import { makeTree, type Tree } from '../support/builtin-tree.js';
import { COREUTILS, expectLikeGnu, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';

const now = Math.floor(Date.now() / 1000);
const tree: Tree = {
  'd/f': { content: '22', mtime: now - 100 },
  'd/.h': { content: '', mtime: now - 100 },
  'd/e/deep': { content: '', mtime: now - 200 },
  d2: { dir: true, mtime: now - 5 },
  'd3 x': { dir: true, mtime: now - 9 },
  sticky: { dir: true, mode: 0o1777, mtime: now - 10 },
  open: { dir: true, mode: 0o777, mtime: now - 10 },
  old: { content: '', mtime: 1577934245.123, atime: 1577934000 },
  future: { content: '', mtime: now + 100_000 },
  big: { content: 'a'.repeat(3000), mtime: now - 50 },
  huge: { size: 5_000_000_000, mtime: now - 60 },
  ld: { symlink: 'd' },
  lx: { symlink: 'a.b' },
  br: { symlink: 'gone' },
  p: { fifo: true },
  '.hid': { content: '', mtime: now - 1 },
  'sp ace': { content: '', mtime: now - 2 },
  'nl\nx': { content: '', mtime: now - 3 },
  é: { content: '', mtime: now - 4 },
  漢字: { content: '', mtime: now - 4 },
  "it's": { content: '', mtime: now - 6 },
  't\x01': { content: '', mtime: now - 7 },
  'a"b\\c': { content: '', mtime: now - 8 },
  'a.b': { content: 'x', mode: 0o755, mtime: now - 8 },
  'A.B': { content: 'xx', mode: 0o4755, mtime: now - 8 },
  'b.a': { content: '', mode: 0o2755, mtime: now - 8 },
  'v1.10.txt': { content: '', mtime: now - 20 },
  'v1.9.txt': { content: '', mtime: now - 21 },
  'v1.09.txt': { content: '', mtime: now - 22 },
  'v1.9.txt~': { content: '', mtime: now - 23 },
};

withGnu('ls', COREUTILS, () => {
  const rows = `

-l
-b
-bl
-bQ
-Qb
-qb
-bq
-Nq
-qN
-Nb
-bC
-H
-H ld
-Hl ld lx br
-Hd ld lx
-HF ld lx
-lk
-sk
-hks
-skh d
-C -T4
-C -T 0
-CT 1
-x -T 16
-T x
-T -1
-T 010 -C
--tabsize=0x10 -C
--file-type
--file-type -l
--file-type -C
-F --file-type
--file-type -p
--indicator-style=none -F
--indicator-style=slash
--indicator-style=file-type
--indicator-style=classify
--indicator-style=c -l
--indicator-style=x
-pl
-pl ld lx
-Fl ld/ lx p
--kibibytes -s d
--literal --escape d
--dereference-command-line -l ld
-la d
-a d
-A d
-aA d
-1
-1F
-F
-p
-q
-Q
-QF
-lh
-ls
-lsh
-s
-sh
-i
-is
-C
-x
-Cis
-xsh
-CF
-n
-o
-g
-G -l
-go
-nh
-R
-R d d2
-aR d
-lR d
-d
-d d old
-ld . d
-ld ld
-l ld
-l ld/
ld/
ld
ld d
-L
-Ll br
-Ll
-LF
-L ld
-F ld
gone d old
d gone
-l gone
d/f d
d d2 old big
old
-t
-tr
-t -u old big
-lt
-S
-Sr
-X
-v
-t -X
-X -S
-r
-ltr
-lu old
-lc --time-style=+x old
-lt --full-time d
--full-time old
-l --time-style=iso old big
-l --time-style=long-iso old big
-l --time-style=full-iso old
-l --time-style=posix-iso old
-l --time-style=+%s old
-l --time-style=foo old
-l --time-style=locale old future big
--color=always
--color=never
--color=auto
--color=foo
--color
-l --color=always
-F --color=always
-C --color=always
-lF
-lF ld
-lp
-lF --color=always
-l --group-directories-first --color
--group-directories-first
--group-directories-first -r
--group-directories-first -l
-m
-mF
-ms
-mis
-mQ
-mw20
-mw0
-m d2
-mR d
-m1
-1m
-ml
-Cw30
-Cw0
-xw 0x20
-Cw 010
-w x
-w -1
-w08
-B
-aB
-I *.*
-aI .*
-AI ?hid
--hide *.* -I d*
--hide .hid -A
--hide *.txt v1.9.txt d
--ignore=[ab]* --ignore-backups
-RI e d
--sort=none d2
--sort=time
--sort=s
--sort=version
--sort=extension
--sort=width
--sort=width -Q
--sort=x
--sort=
--color=
--color=ne old
--color=a old
--time=atime -l old big
--time=use old big
--time=status -l old
--time=c
--time=x
--time=birth -l old
-l1
-1l
-C1
-1C
-x -C
-lC
-z
--foo
--all d
--almost-all d
--directory d
--human-readable -l big
--inode
--dereference ld
--numeric-uid-gid old
--hide-control-chars
--quote-name
--reverse
--recursive d
--size
--no-group -l old
--classify
--color=yes d
-- d
-lh huge big
-l huge big old
`.split('\n');
  rows.pop();
  // Without TERM and LS_COLORS GNU has no colours.
  gnuRows(ls, rows, { tree, environment: { TERM: 'xterm' } });

  it('ls ""', () => expectLikeGnu(ls, [''], { tree }));
  it('an empty directory', () => expectLikeGnu(ls, ['-la', 'd2'], { tree }));
  it('-l --time-style with two formats', () =>
    expectLikeGnu(ls, ['-l', '--time-style=+%Y\n%H', 'old', 'big'], { tree }));
  for (const COLUMNS of ['20', '40', '133', 'x', '0']) {
    it(`COLUMNS=${COLUMNS}`, async () => {
      // 0 means no limit to GNU; here it is not understood.
      if (COLUMNS !== '0') await expectLikeGnu(ls, ['-C'], { tree, environment: { COLUMNS }, stderr: false });
      await expectLikeGnu(ls, ['-x', '-i'], { tree, environment: { COLUMNS: '50' } });
    });
  }
  it('thousands of names in columns', () => {
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`${'n'.repeat(i % 17)}${i}`, '']));
    return expectLikeGnu(ls, ['-C'], { tree: many });
  });
  // Where . and .. are in the order of a directory is the file system's business.
  gnuRows(ls, ['-f d', '-lf d', '-fl d', '-fs d', '-sf d', '-fS d', '-Sf d'], {
    tree,
    unordered: true,
  });
});

describe('ls', () => {
  it('on a terminal: columns, quoted names, aligned', async () => {
    const cwd = makeTree({ plain: '', 'sp ace': '', "it's": '', 'nl\n': '' });
    const run = async (...words: string[]) => (await runBuiltin(ls, words, { cwd, terminal: true })).stdout;
    expect(await run()).toBe(`"it's"\t'nl'$'\\n'   plain  'sp ace'\n`);
    expect(await run('-1')).toBe(`"it's"\n'nl'$'\\n'\nplain\n'sp ace'\n`);
    expect((await run('-l')).split('\n')[3]).toMatch(/ {2}plain$/);
  });

  it('shows names that are not UTF-8 as they are', async () => {
    const cwd = makeTree({ 'x\udcff': '' });
    const { stdoutBytes } = await runBuiltin(ls, [], { cwd });
    expect([...stdoutBytes]).toEqual([0x78, 0xff, 0x0a]);
    expect((await runBuiltin(ls, ['-Q'], { cwd })).stdout).toBe('"x\\377"\n');
  });

  it('shows .. as unknown where it is outside every root', async () => {
    const cwd = makeTree({});
    const result = await runBuiltin(ls, ['-la'], { cwd });
    expect(result.status).toBe(0);
    expect(result.stdout.split('\n')[2]).toMatch(/^d\?{9} +\? +\? +\? +\? +\? \.\.$/);
  });

  it('ends where links lead back, with -LR', async () => {
    const cwd = makeTree({ 'a/f': '', 'a/up': { symlink: '..' } });
    const result = await runBuiltin(ls, ['-LR'], { cwd });
    expect(result.stderr).toBe('ls: ./a/up: not listing already-listed directory\n');
    expect(result.status).toBe(2);
  });

  it('lists 10,000 directories below one without trouble', async () => {
    const dirs = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`d${i}`, { dir: true } as const]));
    const cwd = makeTree(dirs);
    const start = performance.now();
    const result = await runBuiltin(ls, ['-R'], { cwd });
    expect(result.stdout.split('\n')).toHaveLength(30_002);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it('does the same where everything waits', async () => {
    const cwd = makeTree(tree);
    const fast = await runBuiltin(ls, ['-R', 'd', 'gone', 'old'], { cwd });
    const slow = await runBuiltin(ls, ['-R', 'd', 'gone', 'old'], { cwd, slow: true });
    expect({ ...slow, ticks: 0 }).toEqual({ ...fast, ticks: 0 });
  });
});
