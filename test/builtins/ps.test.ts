import { describe, expect, it } from 'vitest';
import { ps } from '../../builtins/ps.js';
import { hostRows, idleProcess, madeProcess, madeProcesses, runHost } from '../support/host-tools.js';

const idle = idleProcess();

const COLUMNS = [
  'pid,ppid,pgid,sid,tpgid,pgrp,sess',
  'uid,euid,ruid,gid,egid,rgid',
  'user,euser,ruser,group,egroup,rgroup,uname',
  'state,s,stat,tty,tt,tname',
  'stime,start_time,start,lstart',
  'time,cputime,bsdtime,c,pcpu,%cpu,pmem,%mem',
  'comm,ucmd,ucomm,pid',
  'rss,rssize,rsz,vsz,vsize',
  'ni,nice,pri,nlwp,thcount',
  'pid=,comm=',
  'pid=A,comm=B',
  'pid=LONGHEADING,rss',
  'pid:12,comm:3,user',
  'comm,rss,vsz',
  'user,stat,s',
  'nope',
  'pid,,comm',
];

describe('ps', () => {
  hostRows(ps, [
    ...COLUMNS.map((list) => () => `-o ${list} -p ${idle.pid}`),
    () => `-p ${idle.pid}`,
    () => `-f -p ${idle.pid} -o pid,comm`,
    () => `-p 1,${idle.pid} -o pid,comm --no-headers`,
    () => `-p ${idle.pid} -p 1 -o pid`,
    () => `-o pid= -o comm= -p ${idle.pid}`,
    () => `-p ${idle.pid} -o pid,comm --sort=-pid`,
    () => `h -p ${idle.pid} -o pid`,
    '-p 999999999',
    '-p x',
    '-p 1 --sort=nope',
    '-C nosuchname',
    '-u nosuchuser',
    '-p 1 -o pid,ppid --sort=pid,-ppid',
    '-o comm,pid -p 2',
    '-o comm -C kthreadd',
  ]);

  const kernel = madeProcesses(
    [
      madeProcess(1, 'init', { ppid: 0, rss: 5000, ticks: 12_345 }),
      madeProcess(30, 'a b) (c', { rss: 90_000, uid: 1, tty: 34_817, ticks: 360_000 }),
      madeProcess(31, 'bell\u0007\n', { state: 'Z', rss: 0, uid: 1 }),
      madeProcess(4000, 'kworker/u32:9-flush-254:0', { ppid: 2, rss: 123_456_789 }),
    ],
    30,
  );
  const options = {
    kernel: { ...kernel, text: (name: string) => MADE[name] },
    host: { load: () => ({ uptime: 7200, averages: [0, 0, 0] as const, logins: 0 }) },
    now: 86_399_000_000_000n,
  };
  const MADE: { readonly [name: string]: string } = {
    meminfo: 'MemTotal: 1000000 kB\n',
    stat: 'btime 79200\n',
    pid_max: '32768',
  };
  const shown = async (words: string) => (await runHost(ps, words, options)).stdout;

  it('shows the user’s own processes of its terminal', async () => {
    expect(await shown('')).toBe('  PID TTY          TIME CMD\n   30 pts/1    01:00:00 a b) (c\n');
    expect(await shown('a')).toBe('  PID TTY      STAT   TIME COMMAND\n   30 pts/1    Ss    60:00 a b) (c\n');
  });

  it('has no arguments to show: names stand for them', async () => {
    expect(await shown('-ef')).toBe(`UID        PID  PPID  C STIME TTY          TIME CMD
root         1     0  1 22:00 ?        00:02:03 init
daemon      30     1 50 22:00 pts/1    01:00:00 a b) (c
daemon      31     1  0 22:00 ?        00:00:00 bell?? <defunct>
root      4000     2  0 22:00 ?        00:00:00 kworker/u32:9-flush-254:0
`);
    expect(await shown('aux')).toBe(`USER       PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND
root         1  1.7  0.5   1024  5000 ?        Ss   22:00   2:03 init
daemon      30 50.0  9.0   1024 90000 pts/1    Ss   22:00  60:00 a b) (c
daemon      31  0.0  0.0   1024     0 ?        Zs   22:00   0:00 bell?? <defunct>
root      4000  0.0 99.9   1024 123456789 ?    Ss   22:00   0:00 kworker/u32:9-flush-254:0
`);
    expect(await runHost(ps, 'auxe', options)).toMatchObject({ status: 1, stdout: '' });
  });

  it('cuts a name where another column follows', async () => {
    expect(await shown('-eo comm,pid --sort=-rss')).toBe(`COMMAND           PID
kworker/u32:9-f  4000
a b) (c            30
init                1
bell?? <defunct    31
`);
  });

  it('says what to write in place of ps -aux', async () => {
    expect((await runHost(ps, '-aux', options)).stderr).toContain("write 'ps -e', or 'ps aux' without a dash");
  });

  it('passes over what is no process any more', async () => {
    const gone = { ...options.kernel, processes: () => [1, 2, 30], process: (pid: number) => kernel.process?.(pid) };
    expect((await runHost(ps, '-eo pid=', { ...options, kernel: gone })).stdout).toBe('    1\n   30\n');
    const odd = { ...options.kernel, processes: () => [1], process: () => ({ pid: 1, stat: '1 (x', status: '' }) };
    expect(await runHost(ps, '-e', { ...options, kernel: odd })).toMatchObject({ status: 1 });
  });
});
