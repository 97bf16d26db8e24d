import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { find } from '../../builtins/find.js';
import { defineBuiltin } from '../../builtins/kit/define.js';
import { rm } from '../../builtins/rm.js';
import { removalBudget } from '../../src/files/files.js';
import { makeTree, snapshot, type Tree } from '../support/builtin-tree.js';
import { expectLikeGnu, FINDUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';

const now = Date.now() / 1000;
const tree: Tree = {
  a: { content: 'x', mtime: now - 36 * 3600, atime: now - 3600 },
  small: { size: 500, mtime: now - 90 },
  big: { size: 3_000_000, mtime: now - 60 * 3600 },
  empty: '',
  'd/b': { content: 'b', mode: 0o755 },
  'd/.hidden': '',
  'd/deep/er/x.log': { content: 'log', mtime: now - 400 * 86400 },
  'd/deep/er/X.LOG': 'log',
  void: { dir: true },
  suid: { content: '', mode: 0o4711 },
  secret: { content: '', mode: 0o600 },
  hard1: 'h',
  hard2: { hardlink: 'hard1' },
  link: { symlink: 'd' },
  'd/deep/up': { symlink: '../../d' },
  flink: { symlink: 'd/b' },
  broken: { symlink: 'gone' },
  loop: { symlink: 'loop' },
  pipe: { fifo: true },
  'sp ace': '',
  'new\nline"\\': '',
  é: '',
};

const echo = defineBuiltin({
  name: 'echo',
  summary: 'print words',
  usage: 'echo [WORD]...',
  needs: ['read'],
  options: 'none',
  flags: {},
  statuses: {},
  run({ operands, out, fs }) {
    out.write(`${operands.join(' ')}\n`);
    return operands.includes('./d/b') || fs.cwd === '' ? 1 : 0;
  },
});

withGnu('find', FINDUTILS, () => {
  const rows = `
. -print
-name a
.
d
d/
d//
d a
-H link
-L link
-P link
link/
-L .
-L . -type l
-L . -xtype l
. -xtype l
. -type d
. -type f,l
. -type p
. -name *.log
. -iname *.log
. -name .*
. -path ./d/*
. -ipath ./D/*
. -wholename ./d/*
. -iwholename ./D/*
. -lname g*
-L . -lname g*
. -ilname D*
. -regex .*/[a-z]+
. -regex ./d/deep\\(/er\\)?/.*
. -regextype posix-extended -regex .*/(a|b)
. -iregex .*log
. -regextype sed -regex .*/\\(a\\|b\\)
. -size 1
. -size -1M
. -size +1k
. -size 500c
. -size 250w
. -size +0
. -mtime 1
. -mtime +1
. -mtime -1
. -mtime 1.5
. -mmin -2
. -mmin +1
. -mmin 2
. -amin 60
. -amin -61
. -ctime 0
. -daystart -mtime 0
. -daystart -mtime +0
. -newer a
. -anewer a
. -cnewer a
. -newermm a
. -newerca a
. -newermt 2020-01-01
. -newerat 2040-01-01
. -newermt nonsense
. -newerct yesterday
. -perm 644
. -perm -4000
. -perm /022
. -perm -u=x
. -perm u=rw,go=r
. -perm /u+s,g+s
. -perm -0
. -links 2
. -links +1 -type f
. -samefile hard1
. -empty
. -user root
. -user 0
. -group root -type d
. -uid 0
. -gid +0
. -nouser
. -nogroup
. -readable -type f
. -writable -type f -links 1
. -executable
. -maxdepth 1
. -mindepth 2
. -mindepth 2 -maxdepth 2
. -maxdepth 0
. -depth
. -xdev
. -mount -name a
. -name d -prune -o -print
. -name a -o -name d
. -name a -o -name d -print
. ( -name a -o -name d ) -a -print
. ! -name a
. ! ! -name a
. -not -type d -a -name d
. -name a , -name d -print
. -true -false
. -false -o -print
. -name b -quit
. -name a -print -quit
. -print0
. -type f -printf %p:%f:%h:%H:%P:%d:%s:%m:%M:%n:%i:%D:%u:%g:%U:%G:%y:%Y:%l\\n
-L . -printf %p:%y:%Y:%l\\n
d/ -printf %p|%f|%h|%H|%P\\n
. -printf [%10f][%-10f][%.2f][%5s][%-5s][%#m][%5m][%05d][%+d][%k][%b][%S]\\n
. -type f -printf %a|%c|%t|%A@|%T@|%TY-%Tm-%Td|%TH:%TM:%TS|%TT|%TX|%T+|%Tc|%Tr|%Ta|%TA|%Tb|%TB|%Tj|%TU|%Tw|%Tk|%Tl|%TZ|%Ts\\n
. -maxdepth 0 -printf \\101\\t\\\\\\x\\n%%%5%%Q%TQ
. -maxdepth 0 -printf a\\cb
. -maxdepth 0 -printf %
. -maxdepth 0 -printf x\\
. -maxdepth 0 -printf %T
. -printf %(
. -printf
. -ls
-L . -maxdepth 1 -ls
. -fstype nosuch
. -printf %F\\n
-foo
gone
gone . nope
. foo -name x
-name
. -name x y
. -name b a
. (
. ( -name x
. )
. !
. -a
. -o -print
. -print -o
. -name x -a
. ,
. ( )
. ( -o -name a )
. ( -name a ) )
. -name a -o )
. -name a , ,
. -name a -a -a -name b
. -size
. -size x
. -size 1q
. -size -5x
. -mtime x
. -mtime 1x
. -amin x
. -type x
. -type ff
. -type fd
. -type f,
. -type D
. -perm z
. -perm 0x
. -perm 99999
. -perm +111
. -perm /0 -maxdepth 0
. -user nosuch
. -group nosuch
. -uid x
. -links x
. -inum +
. -maxdepth x
. -maxdepth -1
. -newer gone
. -newerXY a
. -samefile gone
. -regextype foo -regex x
. -nouser x
. -used +x
. -used
. -fprint
. -fprintf
. -fprint gone/x
. -fls
. -exec
. -exec ls
. -exec ;
. -exec echo +
. -exec echo {} {} +
. -exec echo a{} +
. -exec echo {} foo +
. -delete -prune
-- d
- d
. -type b,c,d,p,f,l,s
`;
  const words = rows.split('\n').filter((row) => row !== '');
  // One tree for all: ages and inode numbers must be the same.
  gnuRows(find, words, { tree, unordered: true, builtins: [echo] });

  gnuRows(
    find,
    [
      ['.', '-name', ''],
      ['', 'a'],
      ['.', '-type', ''],
      ['.', '-size', ''],
      ['.', '-user', ''],
    ],
    { tree },
  );

  gnuRows(
    find,
    [
      'd/b a -exec echo x{}y {} ;',
      'a d/deep -maxdepth 0 -exec echo {} + -print',
      'd/b a d/deep/er -maxdepth 0 -execdir echo {} x{} ;',
      'void -exec echo {} ; -exec echo two {} + -print',
      'a -exec echo {} + -quit',
    ],
    { tree, builtins: [echo] },
  );

  const later = (days: number) => ({ content: '', atime: now + days * 86_400 + 3600, mtime: now });
  gnuRows(
    find,
    ['1', '-2', '+0', '2', '1.5', '+1.5', '+2', '-1', '0', '-0', '3'].map((n) => `. -type f -used ${n}`),
    {
      tree: { before: later(-3), a: later(0), b: later(1), c: later(2), d: later(3) },
      unordered: true,
    },
  );

  gnuRows(
    find,
    [
      'd -fprint out',
      'd -fprint0 out -print',
      'd -name f* -fprintf out %f:%d\\n',
      'd -fprint out -fprint out2 -fprint out',
      'a -fprint /dev/stdout -fprint /dev/stderr',
      'gone -fprint a',
    ],
    { tree: { a: 'a', 'd/e/f2': '' }, writes: true },
  );

  it('-fls writes what -ls prints', async () => {
    const cwd = makeTree({ 'd/f': 'f' });
    const { stdout } = await runBuiltin(find, ['d', '-ls', '-fls', 'out'], { cwd });
    expect(stdout).toContain(' d/f\n');
    expect(readFileSync(`${cwd}/out`, 'utf8')).toBe(stdout);
    const refused = await runBuiltin(find, ['d', '-fls', 'out2'], { cwd, remediation: false });
    expect(refused).toMatchObject({ status: 1, stderr: 'find: ‘out2’: remediation mode required\n' });
  });

  it('find -delete removes files, as GNU does', () =>
    expectLikeGnu(find, ['d', '-type', 'f', '-delete'], { tree, writes: true }));

  it('builds the lines of -exec + as long as GNU does', async () => {
    const many: Record<string, string> = {};
    for (let i = 0; i < 3000; i++) many[`f${String(i).padStart(100, '0')}`] = '';
    const count = defineBuiltin({
      name: 'sh',
      summary: '',
      usage: '',
      needs: [],
      options: 'none',
      flags: {},
      statuses: {},
      run: ({ operands, out }) => {
        out.write(`${operands.length - 2}\n`);
        return 0;
      },
    });
    const script = ['.', '-type', 'f', '-exec', 'sh', '-c', 'echo $(($#+1))', '{}', '+'];
    await expectLikeGnu(find, script, { tree: many, builtins: [count] });
  });
});

describe('find', () => {
  it('goes 3,000 levels deep, and back, with few handles and no recursion', async () => {
    const cwd = makeTree({});
    // Only the path of one level at a time is short enough for the kernel: go down by chdir.
    const home = process.cwd();
    try {
      process.chdir(cwd);
      for (let i = 0; i < 3000; i++) {
        mkdirSync('d');
        writeFileSync('z', '');
        process.chdir('d');
      }
    } finally {
      process.chdir(home);
    }
    const before = readdirSync('/proc/self/fd').length;
    const result = await runBuiltin(find, ['.', '-name', 'z', '-printf', '%d '], { cwd });
    expect(result.status).toBe(0);
    expect(result.stdout.split(' ')).toHaveLength(3001);
    expect(readdirSync('/proc/self/fd').length).toBe(before);
    const post = await runBuiltin(find, ['.', '-depth', '-name', 'd', '-printf', '%d '], { cwd });
    expect(post.stdout.startsWith('3000 2999 2998 ')).toBe(true);
    execFileSync('rm', ['-rf', `${cwd}/d`]);
  }, 60_000);

  it('stops -delete at once when the budget is spent', async () => {
    const cwd = makeTree({ 'x/1': '', 'x/2': '', 'x/3': '', 'x/4': '' });
    const budget = removalBudget(2);
    const result = await runBuiltin(find, ['x', '-type', 'f', '-delete', '-print'], { cwd, budget });
    expect(result.status).toBe(1);
    expect(result.stdout.split('\n')).toHaveLength(3);
    expect(result.stderr).toMatch(/^find: cannot delete ‘x\/\d’: run-wide budget of 2 file removals is exhausted\n$/);
    expect(snapshot(cwd)).toHaveLength(3);
  });

  it('never removes a directory', async () => {
    const cwd = makeTree({ 'x/y/f': '' });
    const result = await runBuiltin(find, ['x', '-delete'], { cwd });
    expect(result.stderr).toBe('find: cannot delete ‘x/y’: Is a directory\nfind: cannot delete ‘x’: Is a directory\n');
    expect(result.status).toBe(1);
    expect(snapshot(cwd)).toEqual(['x/ 755', 'x/y/ 755']);
  });

  it('-delete in read-only mode removes nothing and says so once', async () => {
    const cwd = makeTree({ 'x/1': '', 'x/2': '' });
    const result = await runBuiltin(find, ['x', '-type', 'f', '-delete'], { cwd, remediation: false });
    expect(result.stderr).toMatch(/^find: cannot delete ‘x\/\d’: remediation mode required\n$/);
    expect(result.status).toBe(1);
    expect(snapshot(cwd)).toHaveLength(3);
  });

  it('-exec rm draws on the one budget, and + does not split for rm', async () => {
    const files = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`f${i}`, '']));
    const cwd = makeTree(files);
    const budget = removalBudget(5);
    const plus = await runBuiltin(find, ['.', '-type', 'f', '-exec', 'rm', '{}', '+'], { cwd, budget, builtins: [rm] });
    expect(plus.stderr).toContain('rm: refusing to remove 12 files: exceeds the 10-file limit per invocation');
    expect(plus.status).toBe(1);
    const each = await runBuiltin(find, ['.', '-type', 'f', '-exec', 'rm', '{}', ';'], { cwd, budget, builtins: [rm] });
    expect(budget.used).toBe(5);
    expect(snapshot(cwd)).toHaveLength(7);
    expect(each.status).toBe(0);
  });

  it('refuses -ok: nobody is asked', async () => {
    const result = await runBuiltin(find, ['.', '-ok', 'rm', '{}', ';'], { cwd: makeTree({}) });
    expect(result.stderr).toContain('find: -ok is not supported');
    expect(result.status).toBe(1);
  });

  it('bounds the depth of parentheses', async () => {
    const words = [...Array.from({ length: 50_000 }, () => '('), '-name', 'x'];
    // As every limit: it ends the run, and names the value that was set.
    await expect(runBuiltin(find, ['.', ...words], { cwd: makeTree({}) })).rejects.toThrow('maxNesting is 200 levels');
    const nots = [...Array.from({ length: 50_001 }, () => '!'), '-name', 'x'];
    expect((await runBuiltin(find, ['.', ...nots], { cwd: makeTree({}) })).stdout).toBe('.\n');
  });

  it('shows a terminal no control characters', async () => {
    const cwd = makeTree({ 'x\x1b[31m\n': '' });
    const result = await runBuiltin(find, ['.', '-type', 'f'], { cwd, terminal: true });
    expect(result.stdout).toBe('./x?[31m?\n');
  });

  it('does the same where everything waits', async () => {
    const cwd = makeTree(tree);
    const words = [
      '.',
      '!',
      '-name',
      'a',
      '-type',
      'f',
      '-exec',
      'echo',
      '{}',
      ';',
      '-print',
      '-o',
      '-name',
      'd',
      '-ls',
    ];
    const fast = await runBuiltin(find, words, { cwd, builtins: [echo] });
    const slow = await runBuiltin(find, words, { cwd, builtins: [echo], slow: true });
    expect({ ...slow, ticks: 0 }).toEqual({ ...fast, ticks: 0 });
    expect(fast.stdout).toContain('./d/b');
  });

  it('answers --help', async () => {
    const result = await runBuiltin(find, ['--help'], { cwd: '/' });
    expect(result.stdout).toContain('Usage: find [-H] [-L] [-P] [PATH]... [EXPRESSION]\n');
  });

  it('runs a command for each of 10,000 files quickly', async () => {
    const cwd = makeTree(Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`f${i}`, ''])));
    const budget = removalBudget(20_000);
    const start = process.cpuUsage();
    await runBuiltin(find, ['.', '-type', 'f', '-exec', 'rm', '{}', ';'], { cwd, budget, builtins: [rm] });
    const { user, system } = process.cpuUsage(start);
    // Half a second on the machine it was written on.
    expect((user + system) / 1e6).toBeLessThan(4);
    expect(budget.used).toBe(10_000);
  });
});
