/** A session: one shell, run after run; each run has a budget and limits of its own. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createShell, type Session } from '../../src/index.js';

let folder = '';
let session: Session;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'rmsh-session-')));
  session = createShell({ mode: 'remediation', allowedPaths: [`${folder}:rw`] }).session({ cwd: folder, name: 'sh' });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const out = async (script: string): Promise<string> => (await session.run(script)).stdout;

describe('what a session keeps', () => {
  it.each<[string, string, string, string]>([
    [
      'variables',
      'x=1; export y=2; a=(1 2); declare -i n=3',
      'n=n+1; echo $x ${a[1]} $n; env | grep ^y',
      '1 2 4\ny=2\n',
    ],
    ['functions', 'f() { echo f $1; }', 'f 1', 'f 1\n'],
    ['options', 'set -fu; shopt -s nullglob', 'echo $-; shopt nullglob', 'fuB\nnullglob       \ton\n'],
    ['the directory', 'mkdir d; cd d', 'pwd -P; echo "$OLDPWD"', 'FOLDER/d\nFOLDER\n'],
    ['the directory stack', 'mkdir d; pushd d >/dev/null', 'popd; pwd', 'FOLDER\nFOLDER\n'],
    ['the umask', 'umask 027', 'umask', '0027\n'],
    ['the status', 'false', 'echo $?', '1\n'],
    ['the positional parameters', 'set -- a b', 'shift; echo $1 $#', 'b 1\n'],
    ['traps', 'trap "echo caught" TERM', 'kill $$; :', 'caught\n'],
    ['statuses of jobs', 'sh -c "exit 3" & p=$!', 'wait $p; echo $?', '3\n'],
    ['descriptors', 'exec 3>log; echo one >&3', 'echo two >&3; exec 3>&-; cat log', 'one\ntwo\n'],
    ['closed descriptors', 'exec 1>&-', 'echo x', ''],
    ['copies of the standard descriptors', 'exec 3>&1', 'echo x >&3', 'x\n'],
    [
      'a process that it writes to',
      'exec 3> >(cat >log); echo one >&3',
      'echo two >&3; exec 3>&-; sleep 0.1; cat log',
      'one\ntwo\n',
    ],
    ['where it read', 'printf "%s\\n" a b c >f; exec 3<f; read x <&3', 'read y <&3; echo $y', 'b\n'],
    ['nothing that a function had for itself', 'x=out; f() { local x=in; set -- 9; }; f', 'echo $x $#', 'out 0\n'],
  ])('%s', async (_, first, second, expected) => {
    expect((await session.run(first)).exitCode).toBeLessThan(2);
    expect(await out(second)).toBe(expected.replaceAll('FOLDER', folder));
  });
});

describe('what each run of a session has for itself', () => {
  it('a removal budget', async () => {
    for (let i = 0; i < 250; i++) writeFileSync(join(folder, `${i}.log`), '');
    const sweep = 'for f in *.log; do rm "$f" 2>/dev/null; done';
    expect((await session.run(sweep)).removals).toEqual({ made: 100, left: 0 });
    expect((await session.run(sweep)).removals).toEqual({ made: 100, left: 0 });
    expect((await session.run(sweep)).removals).toEqual({ made: 50, left: 50 });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('output, input, time and effects', async () => {
    await session.run('echo first');
    expect((await session.run('cat; : >f', { stdin: 'given\n' })).stdout).toBe('given\n');
    expect((await session.run('cat; : >g')).effects).toMatchObject([{ path: join(folder, 'g') }]);
    const third = await session.run('echo on; x=1; sleep 10; x=2', { timeoutMs: 50 });
    expect(third).toMatchObject({ status: 'timeout', exitCode: 124, stdout: 'on\n' });
    expect(await out('echo $x')).toBe('1\n');
  });
});

describe('a run that does not end by itself', () => {
  it.each([
    ['in a function with locals', 'x=out; f() { local x=in; set -- a; while :; do :; done; }; f', 'out 0\n'],
    ['in redirections', 'x=out; { while :; do :; done; } >f 2>&1', 'out 0\n'],
    ['in a pipeline', 'x=out; yes | cat >/dev/null', 'out 0\n'],
    ['in a substitution', 'x=out; : $(sleep 10)', 'out 0\n'],
    ['in jobs', 'x=out; sleep 10 & yes >/dev/null & wait', 'out 0\n'],
  ])('%s leaves the shell as it was outside of that', async (_, script, expected) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    expect((await session.run(script, { signal: controller.signal })).status).toBe('aborted');
    expect(await out('echo $x $#')).toBe(expected);
    expect(session.over).toBe(false);
  });

  it('meets a limit, and the session goes on', async () => {
    const small = createShell({ limits: { maxStringBytes: 1000 } }).session();
    expect((await small.run('x=a; while :; do x=$x$x; done')).status).toBe('limit');
    expect((await small.run('echo ${#x}')).stdout).toBe('512\n');
  });
});

describe('the end of a session', () => {
  it('comes with exit, and its trap', async () => {
    await session.run('trap "echo bye >>log" EXIT; echo go');
    expect(() => readFileSync(join(folder, 'log'))).toThrow();
    expect((await session.run('exit 3; echo not')).exitCode).toBe(3);
    expect(session.over).toBe(true);
    expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('bye\n');
    await expect(session.run('echo late')).rejects.toThrow('the session is over');
  });

  it('comes when the caller asks for it', async () => {
    await session.run("trap 'echo bye $?' EXIT; exec 3>f; echo kept >&3; (exit 4)");
    expect(await session.end()).toMatchObject({ exitCode: 4, stdout: 'bye 4\n' });
    expect(readFileSync(join(folder, 'f'), 'utf8')).toBe('kept\n');
  });

  it('comes with set -e, and not with a mistake', async () => {
    expect((await session.run('if; then')).exitCode).toBe(2);
    expect((await session.run('nosuch')).exitCode).toBe(127);
    expect(session.over).toBe(false);
    expect((await session.run('set -e; false; echo not')).stdout).toBe('');
    expect(session.over).toBe(true);
  });

  it('leaves no descriptor open', async () => {
    const open = (): number => readdirSync('/proc/self/fd').length;
    await session.run(':');
    const before = open();
    for (let i = 0; i < 20; i++) await session.run('echo x >f; cat f; exec 3<f; (cat <&3) | cat; exec 3<&-');
    expect(open()).toBeLessThanOrEqual(before);
    await session.end();
  });
});

it('runs scripts that are given at once one after another', async () => {
  const results = await Promise.all([1, 2, 3].map((n) => session.run(`x="$x"${n}; sleep 0.0${4 - n}; echo $x`)));
  expect(results.map(({ stdout }) => stdout)).toEqual(['1\n', '12\n', '123\n']);
});
