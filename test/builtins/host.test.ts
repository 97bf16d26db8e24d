/** id, whoami, hostname, uname, nproc, uptime. */
import { hostname as ownName } from 'node:os';
import { describe, expect, it } from 'vitest';
import { hostname } from '../../builtins/hostname.js';
import { id } from '../../builtins/id.js';
import type { Builtin } from '../../builtins/kit/define.js';
import { nproc } from '../../builtins/nproc.js';
import { uname } from '../../builtins/uname.js';
import { uptime } from '../../builtins/uptime.js';
import { whoami } from '../../builtins/whoami.js';
import { temporaryDirectory } from '../support/builtin-tree.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { type RunOptions, runBuiltin } from '../support/run-builtin.js';

withGnu('id', COREUTILS, () =>
  gnuRows(id, [
    '',
    '-u',
    '-g',
    '-G',
    '-un',
    '-gn',
    '-Gn',
    '-ur',
    '-gr',
    '-Gz',
    '-uz',
    'root',
    'daemon',
    'root daemon',
    '-G root daemon',
    '-Gz root daemon',
    '-u root daemon',
    '-nz -u root daemon',
    'nobody',
    '0',
    '+1',
    '54321',
    'nope root',
    '-n',
    '-r',
    '-z',
    '-ug',
    '-ugz nope',
    '-x',
    '--user --name --real',
    '--groups --zero',
    '--group',
  ]),
);
withGnu('whoami', COREUTILS, () => gnuRows(whoami, ['', 'x', '-x']));
withGnu('nproc', COREUTILS, () => {
  gnuRows(nproc, ['', '--all', '--ignore=1', '--ignore 99', '--ignore=x', '--ignore=-1', 'x', '-x']);
  const values = ['3', ' 3 ', '3,4', '0', 'x', '', '3x'];
  for (const value of values) gnuRows(nproc, ['', '--all'], { environment: { OMP_NUM_THREADS: value } });
  gnuRows(nproc, ['', '--ignore=1'], { environment: { OMP_NUM_THREADS: '9', OMP_THREAD_LIMIT: '4' } });
  gnuRows(nproc, [''], { environment: { OMP_THREAD_LIMIT: '1' } });
});
withGnu('uname', COREUTILS, () =>
  gnuRows(
    uname,
    [
      '',
      '-s',
      '-n',
      '-r',
      '-v',
      '-m',
      '-o',
      '-a',
      '-asnrvm',
      '-nsm',
      '--sysname',
      'x',
      '-x',
      '--kernel-version --machine',
    ],
    { host: { hostName: ownName } },
  ),
);

describe('host commands', () => {
  const run = (builtin: Builtin, words: readonly string[], options: Partial<RunOptions> = {}) =>
    runBuiltin(builtin, words, { cwd: temporaryDirectory(), ...options });

  it('shows effective ids and ids without names', async () => {
    const host = { uid: 54_321, gid: 54_322, realUid: 0, realGid: 0, groups: [54_322, 1] };
    expect((await run(id, [], { host })).stdout).toBe(
      'uid=0(root) gid=0(root) euid=54321 egid=54322 groups=54322,1(daemon)\n',
    );
    expect(await run(id, ['-Gn'], { host })).toMatchObject({
      stdout: 'root 54322 daemon\n',
      stderr: 'id: cannot find name for group ID 54322\n',
      status: 1,
    });
    expect(await run(whoami, [], { host })).toMatchObject({
      stderr: 'whoami: cannot find name for user ID 54321\n',
      status: 1,
    });
  });

  it('has a name that cannot be set', async () => {
    const host = { hostName: () => 'db1.example.org' };
    expect((await run(hostname, [], { host })).stdout).toBe('db1.example.org\n');
    expect((await run(hostname, ['-s'], { host })).stdout).toBe('db1\n');
    expect(await run(hostname, ['other'], { host })).toMatchObject({ status: 1, stdout: '' });
  });

  it.each([
    [59, 0, ' 12:00:00 up 0 min,  0 user,  load average: 0.00, 1.25, 10.50', 'up 0 minutes'],
    [3660, 1, ' 12:00:00 up  1:01,  1 user,  load average: 0.00, 1.25, 10.50', 'up 1 hour, 1 minute'],
    [86_700, 2, ' 12:00:00 up 1 day, 5 min,  2 users,  load average: 0.00, 1.25, 10.50', 'up 1 day, 5 minutes'],
    [
      2_000_000,
      12,
      ' 12:00:00 up 23 days,  3:33, 12 users,  load average: 0.00, 1.25, 10.50',
      'up 3 weeks, 2 days, 3 hours, 33 minutes',
    ],
  ])('is up for %d seconds', async (seconds, logins, line, words) => {
    const options = {
      now: 43_200_000_000_000n,
      host: { load: () => ({ uptime: seconds, averages: [0, 1.25, 10.5] as const, logins }) },
    };
    expect((await run(uptime, [], options)).stdout).toBe(`${line}\n`);
    expect((await run(uptime, ['-p'], options)).stdout).toBe(`${words}\n`);
  });

  it('says since when', async () => {
    const load = () => ({ uptime: 3600.5, averages: [0, 0, 0] as const, logins: 0 });
    const options = { now: 86_400_000_000_000n, host: { load } };
    expect((await run(uptime, ['-s'], options)).stdout).toBe('1970-01-01 22:59:59\n');
    expect(await run(uptime, ['x'])).toMatchObject({ status: 1 });
  });
});
