import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let directory = '';
let driver = '';

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'rmsh-io-'));
  driver = join(directory, 'driver.mjs');
  const bundle = await rolldown({ input: join(import.meta.dirname, 'host-driver.ts'), platform: 'node' });
  await bundle.write({ file: driver, format: 'esm' });
  await bundle.close();
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What the driver reported on descriptor 3. */
  readonly report: Record<string, unknown>;
}

/** Runs a line of sh in which `$driver MODE` is the driver, with descriptor 3 its report. */
function shell(line: string, proc = '/proc/self'): Ended {
  const report = openSync(join(directory, 'report'), 'w+');
  const { status, signal, stdout, stderr } = spawnSync('sh', ['-c', line], {
    cwd: directory,
    env: { PATH: process.env['PATH'], driver: `${process.execPath} ${driver}`, DRIVER_PROC: proc },
    stdio: ['ignore', 'pipe', 'pipe', report],
    encoding: 'latin1',
    maxBuffer: 64e6,
    timeout: 30_000,
  });
  closeSync(report);
  const reported = readFileSync(join(directory, 'report'), 'utf8');
  return {
    status,
    signal,
    stdout,
    stderr,
    report: reported === '' ? {} : (JSON.parse(reported) as Record<string, unknown>),
  };
}

function fifo(name: string): string {
  const path = join(directory, name);
  rmSync(path, { force: true });
  execFileSync('mkfifo', [path]);
  return path;
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.on('close', resolve));
}

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

const withAndWithoutProc = [
  ['opened anew', '/proc/self'],
  ['where they cannot be opened anew', '/nonexistent'],
] as const;

describe.each(withAndWithoutProc)('pipes, %s', (_, proc) => {
  it('are copied, byte for byte, from a writer that pauses', () => {
    const { stdout } = shell('{ seq 100000; sleep 0.1; seq 100000; } | $driver copy | md5sum', proc);
    expect(stdout).toBe(shell('{ seq 100000; seq 100000; } | md5sum').stdout);
  });

  it('end a pending read when it is aborted, and leave nothing open', () => {
    const { report, stdout } = shell('sleep 2 | { $driver wait 100; date +%s%N; } & date +%s%N; wait', proc);
    expect(report).toEqual({ more: false, left: 0 });
    const [started = 0, stopped = 0] = stdout.trim().split('\n').map(Number);
    expect((stopped - started) / 1e6).toBeLessThan(1900);
  });

  it('end a writer whose reader never reads when it is aborted', () => {
    const { report } = shell('$driver write 500 | sleep 2', proc);
    expect(report).toMatchObject({ broken: true, left: 0 });
    expect(report['after']).toBeGreaterThan(400);
    expect(report['after']).toBeLessThan(1900);
  });

  it('tell a writer that the reader has left', () => {
    const { stdout, report } = shell('$driver write 20000 | head -n 1', proc);
    expect(stdout).toBe('y\n');
    expect(report).toMatchObject({ broken: true, left: 0 });
    expect(report['after']).toBeLessThan(5000);
  });

  it('keep the order of 1 and 2', () => {
    const { stdout } = shell('$driver order 3000 2>&1 | cat', proc);
    const lines = Array.from({ length: 3000 }, (_, i) => `${i} out\n${i % 3 === 0 ? `${i} err\n` : ''}`);
    expect(stdout === lines.join('')).toBe(true);
  });
});

describe('the host', () => {
  it('moves 200 MB through three pipes in bounded memory', () => {
    const { stdout, report } = shell('head -c 200000000 /dev/zero | $driver pipes | wc -c');
    expect(stdout.trim()).toBe('200000000');
    expect(report['megabytes']).toBeLessThan(100);
  });

  it('tells a writer that nobody reads when it starts', () => {
    const { report } = shell('{ sleep 0.2; $driver write 5000; } | true');
    expect(report).toMatchObject({ broken: true });
  });

  it('gives a slow reader every byte in order', async () => {
    const path = fifo('slow');
    const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const child = spawn('sh', ['-c', `exec ${process.execPath} ${driver} count 1400000 > ${path}`], {
      stdio: 'inherit',
    });
    const done = ended(child);
    const hash = createHash('md5');
    const buffer = Buffer.alloc(100_000);
    let total = 0;
    for (let empty = 0; ; ) {
      try {
        const length = readSync(reading, buffer);
        if (length === 0 && total > 0) break;
        total += length;
        hash.update(buffer.subarray(0, length));
        if (++empty % 20 === 0) await sleep(5);
      } catch {}
      if (total === 0) await sleep(5);
      else await sleep(0);
    }
    closeSync(reading);
    expect(await done).toBe(0);
    let expected = '';
    for (let i = 0; i < 1_400_000; i++) expected += `${i}\n`;
    expect(total).toBe(expected.length);
    expect(hash.digest('hex')).toBe(createHash('md5').update(expected).digest('hex'));
  }, 30_000);

  it("leaves the caller's flags alone, and ends a read from a FIFO", async () => {
    const shared = openSync(fifo('flags'), constants.O_RDWR);
    const flags = () => /flags:\s*(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${shared}`, 'latin1'))?.[1];
    const before = flags();
    const started = performance.now();
    for (const mode of ['wait', 'write']) {
      const report = openSync(join(directory, 'flags-report'), 'w');
      const child = spawn(process.execPath, [driver, mode, '200'], { stdio: [shared, shared, shared, report] });
      closeSync(report);
      let during = before;
      const watching = setInterval(() => (during = flags() === before ? during : flags()), 1);
      expect(await ended(child)).toBe(0);
      clearInterval(watching);
      expect(during).toBe(before);
      expect(flags()).toBe(before);
    }
    closeSync(shared);
    expect(performance.now() - started).toBeLessThan(3000);
  });

  it('speaks to sockets, which is what a program started by Node has', async () => {
    const child = spawn(process.execPath, [driver, 'copy'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const received: Buffer[] = [];
    child.stdout?.on('data', (data: Buffer) => received.push(data));
    const sent = Buffer.from(Array.from({ length: 2e6 }, (_, i) => i % 251));
    child.stdin?.write(sent.subarray(0, 1e6));
    await sleep(100);
    child.stdin?.end(sent.subarray(1e6));
    expect(await ended(child)).toBe(0);
    expect(Buffer.concat(received).equals(sent)).toBe(true);
  });

  it('ends a read from, and a write to, a socket that is aborted', async () => {
    for (const mode of ['wait', 'write']) {
      const report = openSync(join(directory, 'socket-report'), 'w');
      const child = spawn(process.execPath, [driver, mode, '200'], { stdio: ['pipe', 'pipe', 'inherit', report] });
      closeSync(report);
      const started = performance.now();
      child.stdout?.pause();
      const status = await new Promise((resolve) => child.on('exit', resolve));
      expect(performance.now() - started).toBeLessThan(3000);
      child.kill();
      child.stdout?.destroy();
      expect(status).not.toBeNull();
    }
  });

  it('reads and writes files at the offsets they were left at', () => {
    writeFileSync(join(directory, 'lines'), Array.from({ length: 300_000 }, (_, i) => `${i}\n`).join(''));
    const { stdout } = shell('{ read x; $driver line; read y; $driver line; echo "$x $y"; wc -l; } < lines');
    expect(stdout.replace(/ +/g, ' ')).toMatch(/^1!\n3!\n0 2\n ?299996\n$/);
    shell('{ echo first; $driver order 2; echo last; } > out 2>&1');
    expect(readFileSync(join(directory, 'out'), 'utf8')).toBe('first\n0 out\n0 err\n1 out\nlast\n');
    shell('{ echo first; $driver count 2; } >> out');
    expect(readFileSync(join(directory, 'out'), 'utf8')).toMatch(/last\nfirst\n0\n1\n$/);
  });

  it('knows what its descriptors are', () => {
    writeFileSync(join(directory, 'lines'), 'x');
    expect(shell('$driver facts < lines > made').report).toMatchObject({
      0: { terminal: false, file: expect.stringMatching(/^\d+:\d+$/), source: true, sink: false },
      1: { terminal: false, file: expect.stringMatching(/^\d+:\d+$/), source: false, sink: true },
      9: null,
    });
    expect(shell('true | $driver facts | cat').report).toMatchObject({
      0: { terminal: false, source: true, sink: false },
      1: { terminal: false, source: false, sink: true },
    });
  });

  it('says what a device refuses', () => {
    const { status, stderr } = shell('$driver count 10 > /dev/full');
    expect(status).not.toBe(0);
    expect(stderr).toContain('No space left on device');
  });
});

/** Runs the driver on a new pseudo-terminal, types, and prints what appeared, and whether it ended in time. */
const TYPIST = `
import os, pty, select, sys, time
keys, command = sys.argv[1].split('|'), sys.argv[2:]
pid, fd = pty.fork()
if pid == 0:
    os.dup2(int(os.environ['REPORT']), 3)
    os.execvp(command[0], command)
def show(seconds):
    end = time.time() + seconds
    while time.time() < end:
        if select.select([fd], [], [], 0.02)[0]:
            try: data = os.read(fd, 65536)
            except OSError: return False
            if not data: return False
            sys.stdout.write(data.decode())
    return True
for key in keys:
    if not show(0.2): break
    os.write(fd, key.encode().decode('unicode_escape').encode())
ended = not show(4)
if not ended: os.kill(pid, 9)
print('ended' if ended else 'hangs')
`;

const hasPython = spawnSync('python3', ['-c', 'import pty']).status === 0;

describe.skipIf(!hasPython).each(withAndWithoutProc)('a terminal, %s', (_, proc) => {
  function type(keys: string, ...command: string[]): { screen: string; report: string } {
    const script = join(directory, 'typist.py');
    writeFileSync(script, TYPIST);
    const reportPath = join(directory, 'terminal-report');
    const report = openSync(reportPath, 'w');
    const { stdout } = spawnSync('python3', [script, keys, process.execPath, driver, ...command], {
      env: { ...process.env, DRIVER_PROC: proc, REPORT: '3' },
      stdio: ['ignore', 'pipe', 'inherit', report],
      encoding: 'utf8',
      maxBuffer: 64e6,
      timeout: 20_000,
    });
    closeSync(report);
    return { screen: stdout.replaceAll('\r', ''), report: readFileSync(reportPath, 'utf8') };
  }

  it('gives lines, an end, and more after it', () => {
    const { screen } = type('one\\n|two\\n|\\x04|three\\n|\\x04', 'ends', '2');
    // How far the typist is ahead of the answers is a matter of the machine's load; the order of each is not.
    const lines = screen.trimEnd().split('\n');
    expect(lines.filter((line) => !line.startsWith('<'))).toEqual(['one', 'two', 'three', 'ended']);
    expect(lines.filter((line) => line.startsWith('<'))).toEqual(['<one>', '<two>', '<end>', '<three>', '<end>']);
  });

  it('ends a pending read when it is aborted', () => {
    const { screen, report } = type('half', 'wait', '500');
    expect(screen).toBe('halfended\n');
    expect(JSON.parse(report)).toEqual({ more: false, left: 0 });
  });

  it('takes much output', () => {
    const { screen } = type('', 'count', '300000');
    const expected = Array.from({ length: 300_000 }, (_, i) => `${i}\n`).join('');
    expect(screen === `${expected}ended\n`).toBe(true);
  });
});
