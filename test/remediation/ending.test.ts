/** A run ends: early when its reader leaves, after its time, and at Ctrl-C; in bounded memory. On the program itself. */
import { execFile, execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { PROGRAM, rmsh, watchMemory } from '../support/cli.js';
import { ORACLES_REQUIRED } from '../support/oracles.js';
import { withTree } from '../support/tree.js';

describe('a writer whose reader has left ends', { timeout: 60_000 }, () => {
  it.each([
    ['yes | head -n 1', 'y\n'],
    ['while :; do echo y; done | head -n 1', 'y\n'],
    ['seq 1000000000 | head -n 1', '1\n'],
    ['yes | cat | cat | head -n 2', 'y\ny\n'],
    ['f() { while :; do echo z; done; }; f | { read -r x; echo "$x"; }', 'z\n'],
    ['cat /dev/zero | head -c 3 | wc -c', '3\n'],
    ['yes | :', ''],
  ])('%s', async (script, stdout) => {
    let peak: () => number | undefined = () => undefined;
    const result = await rmsh(['-c', script], {
      onStart: (child) => {
        peak = watchMemory(child);
      },
    });
    expect(result).toMatchObject({ status: 0, stdout, stderr: '' });
    expect(result.milliseconds).toBeLessThan(3000);
    expect(peak() ?? 0).toBeLessThan(150);
  });

  it('with status 141, and with pipefail that of the pipeline', async () => {
    expect(await rmsh(['-c', 'set -o pipefail; yes | head -n 1 >/dev/null; echo $?'])).toMatchObject({
      stdout: '141\n',
    });
  });

  it('when it is the reader of the whole run: quietly, with 141', async () => {
    const result = await rmsh(['-c', 'while :; do echo y; done'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      onStart: (child) => child.stdout?.once('data', () => child.stdout?.destroy()),
    });
    expect([141, 'SIGPIPE']).toContain(result.status);
    expect(result.stderr).toBe('');
  });
});

describe('memory', { timeout: 60_000 }, () => {
  it('stays under 100 MiB while 200 MB pass three stages', () =>
    withTree({}, async (root) => {
      const big = join(root, 'big');
      writeFileSync(big, '');
      truncateSync(big, 200_000_000);
      let peak: () => number | undefined = () => undefined;
      const result = await rmsh(['--allow-path', root, '-c', 'cat big | cat | cat'], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
        onStart: (child) => {
          peak = watchMemory(child);
          child.stdout?.resume();
        },
        within: 40_000,
      });
      expect(result.status).toBe(0);
      const mib = peak();
      console.log(
        `200 MB through three stages: peak of ${mib?.toFixed(0) ?? 'unknown'} MiB, ${result.milliseconds.toFixed(0)} ms`,
      );
      expect(mib ?? 0).toBeLessThan(100);
      if (process.platform === 'linux') expect(mib).toBeDefined();
    }));
});

/** Somewhere to read from that never has anything, as a descriptor or Node's own pipe. */
const EMPTY: Record<string, (root: string) => { stdin: number | 'pipe'; done: () => void }> = {
  'an open, empty pipe': () => ({ stdin: 'pipe', done: () => undefined }),
  'an open, empty FIFO': (root) => {
    const fifo = join(root, 'fifo');
    execFileSync('mkfifo', [fifo]);
    const descriptor = openSync(fifo, constants.O_RDWR);
    return { stdin: descriptor, done: () => closeSync(descriptor) };
  },
};

const WAITS = [
  ['cat', 'cat'],
  ['read', 'read x'],
  ['a pipeline', 'cat | cat'],
  ['a substitution', 'x=$(cat)'],
  ['a loop that reads', 'while read -r x; do :; done'],
] as const;

describe('--timeout 1s ends with 124', { timeout: 30_000 }, () => {
  const inTime = (milliseconds: number): void => {
    expect(milliseconds).toBeGreaterThan(950);
    expect(milliseconds).toBeLessThan(3500);
  };

  for (const [from, make] of Object.entries(EMPTY)) {
    it.each(WAITS)(`%s with ${from} on standard input`, (_what, script) =>
      withTree({}, async (root) => {
        const { stdin, done } = make(root);
        try {
          const result = await rmsh(['--timeout', '1s', '-c', `echo one; ${script}`], {
            stdio: [stdin, 'pipe', 'pipe'],
          });
          expect(result).toMatchObject({ status: 124, stdout: 'one\n' });
          inTime(result.milliseconds);
        } finally {
          done();
        }
      }),
    );
  }

  it('a script that is read from an open pipe', async () => {
    const result = await rmsh(['--timeout', '1s', '-s'], {
      stdio: ['pipe', 'pipe', 'pipe'],
      onStart: (child) => child.stdin?.write('echo one\n'),
    });
    expect(result).toMatchObject({ status: 124, stdout: 'one\n' });
    inTime(result.milliseconds);
  });

  it('yes into a reader that never reads', async () => {
    const result = await rmsh(['--timeout', '1s', '-c', 'yes'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      onStart: (child) => child.stdout?.removeAllListeners('data').pause(),
    });
    expect(result.status).toBe(124);
    inTime(result.milliseconds);
  });

  it.each([
    'while :; do :; done',
    'yes | cat >/dev/null',
    'sleep 100',
    // Slowly: at full speed a good machine meets the limit of depth within the second.
    'f() { sleep 0.01; f; }; f',
    'sleep 100 & wait',
    'seq 1e9 | sort >/dev/null',
  ])('%s', async (script) => {
    const result = await rmsh(['--timeout', '1s', '-c', `echo one; ${script}; echo no`]);
    expect(result.stdout).toBe('one\n');
    // `seq 1e9` may meet a limit first on a slow machine; nothing else ends it.
    expect(result.status).toBe(124);
    inTime(result.milliseconds);
  });
});

describe('SIGINT ends', { timeout: 30_000 }, () => {
  /** Sent once it works: after its first output. */
  const interrupted = async (script: string, stdin: 'ignore' | 'pipe' | number): Promise<void> => {
    let sent = 0;
    const result = await rmsh(['-c', `echo one; ${script}`], {
      stdio: [stdin, 'pipe', 'pipe'],
      onStart: (child) =>
        child.stdout?.once('data', () => {
          setTimeout(() => {
            sent = performance.now();
            child.kill('SIGINT');
          }, 100);
        }),
    });
    const late = performance.now() - sent;
    console.log(`SIGINT ends '${script}' after ${late.toFixed(0)} ms`);
    expect(result).toMatchObject({ status: 'SIGINT', stdout: 'one\n', stderr: '' });
    expect(late).toBeLessThan(500);
  };

  it.each(['while :; do :; done', 'yes | cat >/dev/null', 'sleep 100', 'sleep 100 & wait', 'yes >/dev/null'])(
    '%s',
    (script) => interrupted(script, 'ignore'),
  );

  for (const [from, make] of Object.entries(EMPTY)) {
    it.each(WAITS)(`%s with ${from} on standard input`, (_what, script) =>
      withTree({}, async (root) => {
        const { stdin, done } = make(root);
        try {
          await interrupted(script, stdin);
        } finally {
          done();
        }
      }),
    );
  }

  it('yes into a reader that never reads', async () => {
    let sent = 0;
    const result = await rmsh(['-c', 'yes'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      onStart: (child) => {
        child.stdout?.removeAllListeners('data').pause();
        setTimeout(() => {
          sent = performance.now();
          child.kill('SIGINT');
        }, 700);
      },
    });
    expect(result.status).toBe('SIGINT');
    expect(performance.now() - sent).toBeLessThan(500);
  });
});

const PYTHON = '/usr/bin/python3';
const onTerminal = existsSync(PYTHON) || ORACLES_REQUIRED ? describe : describe.skip;

onTerminal(
  existsSync(PYTHON) ? 'on a terminal' : 'on a terminal (python3 is not installed)',
  { timeout: 30_000 },
  () => {
    const helper = fileURLToPath(new URL('../support/terminal.py', import.meta.url));
    async function terminal(delay: number, keys: string, args: readonly string[]) {
      const { stdout } = await promisify(execFile)(
        PYTHON,
        [helper, String(delay), keys, process.execPath, PROGRAM, ...args],
        {
          env: { TERM: 'dumb' },
        },
      );
      return JSON.parse(stdout) as {
        status: number | string | null;
        milliseconds: number;
        afterKeys: number;
        output: string;
      };
    }

    it.each(WAITS)('--timeout 1s ends %s with 124', async (_what, script) => {
      const result = await terminal(0, '', ['--timeout', '1s', '-c', script]);
      expect(result.status).toBe(124);
      expect(result.milliseconds).toBeGreaterThan(950);
      expect(result.milliseconds).toBeLessThan(3500);
    });

    it.each([...WAITS, ['a busy loop', 'while :; do :; done'] as const])('Ctrl-C ends %s', async (_what, script) => {
      const result = await terminal(0.7, '\\x03', ['-c', script]);
      console.log(`Ctrl-C ends '${script}' after ${result.afterKeys?.toFixed(0)} ms`);
      expect(result.status).toBe('signal 2');
      expect(result.afterKeys).toBeLessThan(500);
    });

    it('a line that is typed is read', async () => {
      const result = await terminal(0.7, 'hello\\n', ['-c', 'read -r x; echo "<$x>"']);
      expect(result.status).toBe(0);
      expect(result.output).toContain('<hello>');
    });
  },
);
