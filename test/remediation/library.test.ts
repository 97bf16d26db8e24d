/** The library: what a run answers, what it keeps to itself, and how it is stopped. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createShell } from '../../src/index.js';
import { withTree } from '../support/tree.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('a run', () => {
  it('answers status, output as text and as bytes', async () => {
    const shell = createShell({});
    const result = await shell.run("printf 'a\\377'; echo oops >&2; exit 3");
    expect(result).toMatchObject({ exitCode: 3, status: 'exited', stderr: 'oops\n', truncated: false });
    expect([...result.stdoutBytes]).toEqual([0x61, 0xff]);
    expect([...result.stderrBytes]).toEqual([...bytes('oops\n')]);
    expect(result.removals).toEqual({ made: 0, left: 100 });
  });

  it('takes arguments, a name, variables and input', async () => {
    const shell = createShell({ env: { A: 'policy', B: 'policy' } });
    const script = 'echo "$0 $# $2 $A $B"; read -r line; echo "<$line>"; cat';
    for (const stdin of ['one\ntwo\n', bytes('one\ntwo\n'), chunks('on', 'e\ntw', 'o\n')]) {
      const result = await shell.run(script, { name: 'me', args: ['x', 'y z'], environment: { B: 'run' }, stdin });
      expect(result).toMatchObject({ stdout: 'me 2 y z policy run\n<one>\ntwo\n', stderr: '', exitCode: 0 });
    }
  });

  it('without input finds it empty', async () => {
    const shell = createShell({});
    expect(await shell.run('cat; read x; echo $?')).toMatchObject({ stdout: '1\n' });
  });

  it('hands out its output while it goes on', async () => {
    const shell = createShell({});
    const abort = new AbortController();
    const seen: string[] = [];
    const result = await shell.run('echo one; while :; do :; done', {
      signal: abort.signal,
      onStdout: (chunk) => {
        seen.push(Buffer.from(chunk).toString());
        abort.abort();
      },
    });
    expect(seen.join('')).toBe('one\n');
    expect(result.status).toBe('aborted');
  });

  it('leaves no rejection unheard when it is stopped in the middle of a turn', async () => {
    const unheard: unknown[] = [];
    const listener = (reason: unknown) => unheard.push(reason);
    process.on('unhandledRejection', listener);
    try {
      for (const loop of [
        'while :; do :; done',
        'until ! :; do :; done',
        'while ((1)); do ((1)); done',
        'for ((;;)); do :; done',
      ]) {
        for (let i = 0; i < 15; i++) {
          const abort = new AbortController();
          await createShell({}).run(`echo one; ${loop}`, { signal: abort.signal, onStdout: () => abort.abort() });
        }
      }
      await new Promise((wait) => setTimeout(wait, 20));
    } finally {
      process.off('unhandledRejection', listener);
    }
    expect(unheard).toEqual([]);
  });

  it('that prints more than is kept says so', async () => {
    const shell = createShell({ limits: { maxCapturedBytes: 1000 } });
    const result = await shell.run('seq 10000; echo still here >&2');
    expect(result).toMatchObject({ truncated: true, exitCode: 0, stderr: 'still here\n' });
    expect(result.stdoutBytes.length).toBeLessThanOrEqual(1000);
    expect(result.stdout.startsWith('1\n2\n3\n')).toBe(true);
    expect(result.message).toContain('1000');
    expect((await shell.run('echo short')).truncated).toBe(false);
  });
});

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield bytes(text);
}

describe('a standard input that fails', () => {
  const mine = new Error('mine');
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield bytes('a\n');
    throw mine;
  }
  const run = (script: string) =>
    createShell(
      { mode: 'remediation', external: ['docker'] },
      {
        external: async ({ stdin }) => {
          for await (const _ of stdin);
          return 0;
        },
      },
    ).run(script, { stdin: failing() });

  it.each(['cat', 'cat | wc -c', 'x=$(cat)', '{ cat; } || echo no', 'while read -r l; do echo $l; done', 'sort'])(
    'is what run rejects with: %s',
    async (script) => {
      await expect(run(script)).rejects.toBe(mine);
    },
  );

  it('is nothing to who does not read so far, and goes to a handler that does', async () => {
    expect(await run('head -n 1')).toMatchObject({ status: 'exited', stdout: 'a\n' });
    expect((await run('docker')).stderr).toBe('rmsh: line 1: docker: its handler failed: mine\n');
  });
});

describe('stopping', () => {
  it.each([
    ['a loop', 'echo one; while :; do :; done'],
    ['a pipeline', 'echo one; yes | cat >/dev/null'],
    ['a sleep', 'echo one; sleep 100'],
    ['a function that calls itself', 'echo one; f() { sleep 0.001; f; }; f'],
    ['a job', 'echo one; while :; do :; done & wait'],
    // Not `yes`: that fills the greatest string there may be before the signal comes.
    ['a substitution', 'echo one; x=$(while :; do echo y; done)'],
    ['a script that traps everything', "trap 'echo caught' EXIT INT TERM; echo one; while :; do :; done || echo no"],
  ])('%s by a signal keeps what was printed', async (_what, script) => {
    const shell = createShell({});
    const abort = new AbortController();
    let aborted = 0;
    setTimeout(() => {
      aborted = performance.now();
      abort.abort();
    }, 100);
    const result = await shell.run(script, { signal: abort.signal });
    const late = performance.now() - aborted;
    expect(result).toMatchObject({ status: 'aborted', stdout: 'one\n' });
    expect(result.exitCode).not.toBe(0);
    // 50 ms is meant; a machine that runs other tests beside this one gets some more.
    expect(late).toBeLessThan(1000);
  });

  it('before it begins runs nothing', async () => {
    const shell = createShell({});
    const result = await shell.run('echo one', { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ status: 'aborted', stdout: '' });
  });

  it('after a time is status 124', async () => {
    const shell = createShell({ timeoutMs: 100 });
    const result = await shell.run('echo one; while :; do :; done || echo no');
    expect(result).toMatchObject({ status: 'timeout', exitCode: 124, stdout: 'one\n' });
    expect(await shell.run('echo two')).toMatchObject({ status: 'exited', exitCode: 0, stdout: 'two\n' });
  });

  it('at a limit names it, and nothing in the script sees it', async () => {
    const doubling =
      'echo one; x=AAAAAAAAAA; i=0; while [ $i -lt 25 ]; do x=$x$x; i=$((i+1)); done || echo no; echo ${#x}';
    const shell = createShell({});
    const result = await shell.run(`trap 'echo caught' EXIT; ${doubling}`);
    expect(result).toMatchObject({ status: 'limit', exitCode: 1, stdout: 'one\n' });
    expect(result.message).toMatch(/maxStringBytes.*67108864|67108864.*maxStringBytes/s);
    const few = createShell({ limits: { maxCommands: 50 } });
    const ended = await few.run('echo one; while :; do :; done');
    expect(ended).toMatchObject({ status: 'limit', exitCode: 1, stdout: 'one\n' });
    expect(ended.message).toContain('maxCommands');
  });
});

describe('one shell, several runs', () => {
  it('keeps nothing of a run for the next', () =>
    withTree({ 'd/f': '' }, async (root) => {
      const shell = createShell({ mode: 'remediation', allowedPaths: [`${root}:rw`] });
      const first = await shell.run(
        "set -e; trap 'echo T' EXIT; x=1; f() { :; }; cd d; umask 0; exec 3<f; shift 0; exit 3",
        { cwd: root },
      );
      expect(first).toMatchObject({ exitCode: 3, stdout: 'T\n' });
      const second = await shell.run(
        'echo "$?/${x-unset}/$-"; false; echo on; pwd; umask; f 2>/dev/null || echo no f; (cat <&3) 2>/dev/null || echo no 3',
        { cwd: root },
      );
      const [state, ...rest] = second.stdout.split('\n');
      expect(state).toMatch(/^0\/unset\//);
      expect(state).not.toMatch(/e$/);
      expect(rest[0]).toBe('on');
      expect(rest[1]).toBe(root);
      expect(rest[2]).not.toBe('0000');
      expect(rest.slice(3)).toEqual(['no f', 'no 3', '']);
      expect(second.exitCode).toBe(0);
    }));
});

describe('effects', () => {
  it('are all that was read, written, removed and refused', () =>
    withTree({ in: 'i\n', log: 'l\n', a: '', b: '' }, async (root) => {
      const shell = createShell({ mode: 'remediation', allowedPaths: [`${root}:rw`] });
      const script =
        'cat in >/dev/null\necho more >> log\nrm a\nrm b\nrm /elsewhere/x/../c\nrm 1 2 3 4 5 6 7 8 9 10 11';
      const { effects } = await shell.run(script, { cwd: root });
      expect(
        effects.map(
          (effect) =>
            `${effect.line} ${effect.command} ${effect.action} ${'path' in effect ? effect.path : effect.rule} ${effect.outcome}`,
        ),
      ).toEqual([
        `1 cat read ${root}/in done`,
        `2  append ${root}/log done`,
        `3 rm remove ${root}/a done`,
        `4 rm remove ${root}/b done`,
        '5 rm remove /elsewhere/c refused',
        '6 rm run operands refused',
      ]);
      expect(effects[4]).toMatchObject({ reason: 'EACCES', rule: 'outside-roots', given: '/elsewhere/x/../c' });
      expect(readFileSync(join(root, 'log'), 'utf8')).toBe('l\nmore\n');
    }));
});

describe('what read-only mode refuses', () => {
  it('is in the effects, of every command that would change something', () =>
    withTree({ f: 'f\n' }, async (root) => {
      const shell = createShell({ allowedPaths: [`${root}:rw`] });
      const scripts = [
        'rm f',
        'rm --help',
        'rmdir d',
        'mkdir d',
        'mv f g',
        'cp f g',
        'ln f g',
        'touch f',
        'chmod 600 f',
        'truncate -s 0 f',
        'split f',
        'mktemp -p .',
        'sed -i s/f/g/ f',
        'sort -o f f',
        'tee f </dev/null',
        'gzip f',
        'logrotate -f f',
        'find f -delete',
        'find f -exec rm {} +',
        'xargs rm <f',
        'awk \'BEGIN { print > "f" }\'',
        'tar -cf t f',
        'uniq f g',
        'sh -c "rm f"',
        'echo x > f',
        ': >> f',
      ];
      for (const script of scripts) {
        const { effects } = await shell.run(script, { cwd: root });
        const rules = effects.flatMap(({ rule }) => (rule === undefined ? [] : [rule]));
        expect([script, ...rules]).toEqual([script, 'mode']);
      }
      expect(readFileSync(join(root, 'f'), 'utf8')).toBe('f\n');
    }));
});

describe('the process around it', () => {
  it('is left alone, also while a run goes on', () =>
    withTree({ a: '1\n' }, async (root) => {
      const look = () => ({
        globals: Object.getOwnPropertyNames(globalThis).sort(),
        now: Date.now,
        prepare: Error.prepareStackTrace,
        limit: Error.stackTraceLimit,
        cwd: process.cwd(),
        umask: process.umask(),
        env: { ...process.env },
        write: process.stdout.write,
        listeners: ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit', 'uncaughtException', 'unhandledRejection', 'warning'].map(
          (event) => process.listenerCount(event),
        ),
      });
      const before = look();
      const shell = createShell({ mode: 'remediation', allowedPaths: [`${root}:rw`] });
      const going = shell.run('cd /; umask 077; x=1; export x; trap : INT; echo 2 > a; sleep 0.2; cat a | cat; rm a', {
        cwd: root,
      });
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(look()).toEqual(before);
      await going;
      expect(look()).toEqual(before);
    }));

  it('gets all its descriptors back', () =>
    withTree({ a: '1\n', 'd/e': '' }, async (root) => {
      const { readdirSync } = await import('node:fs');
      const open = (): number => readdirSync('/proc/self/fd').length;
      const shell = createShell({ mode: 'remediation', allowedPaths: [`${root}:rw`] });
      const script =
        'exec 3<a 4>>b; find . | xargs ls >/dev/null; cat a | { exit; }; cat none <a; cd d; (cd none); . ../none; exec 5<none; echo';
      await shell.run(script, { cwd: root });
      const before = open();
      for (let i = 0; i < 20; i++) await shell.run(script, { cwd: root });
      expect(open()).toBe(before);
    }));
});

describe('options that are none', () => {
  it.each([
    [{ timeout: 5000 }, "run: 'timeout' is not one of its options args name cwd environment stdin"],
    [{ env: { A: 'b' } }, "run: 'env' is not one of its options"],
    [{ timeoutMs: '5s' }, 'run: timeoutMs must be a number of milliseconds, more than 0 and at most 2147483647'],
    [{ timeoutMs: 0 }, 'run: timeoutMs must be'],
    [{ timeoutMs: Number.NaN }, 'run: timeoutMs must be'],
    [{ onStdout: 'inherit' }, 'run: onStdout must be a function'],
    [{ onEvent: {} }, 'run: onEvent must be a function'],
    [{ signal: new AbortController() }, 'run: signal must be an AbortSignal'],
    [{ args: 'x' }, 'run: args must be a list of strings'],
    [{ args: [1] }, 'run: args must be a list of strings'],
    [{ cwd: 3 }, 'run: cwd must be a string'],
  ])('%j is an error before anything is run', async (options, message) => {
    const run = createShell({}).run('echo ran', options as object);
    await expect(run).rejects.toThrow(TypeError);
    await expect(run).rejects.toThrow(message);
  });

  it('so are those of a session that belong to its runs, and the other way round', async () => {
    const shell = createShell({});
    expect(() => shell.session({ timeoutMs: 5 } as object)).toThrow("session: 'timeoutMs' is not one of its options");
    const session = shell.session({ args: ['x'] });
    await expect(session.run('echo', { cwd: '/' } as object)).rejects.toThrow("run of a session: 'cwd' is not one of");
    expect(await session.run('echo $1', { timeoutMs: undefined })).toMatchObject({ stdout: 'x\n' });
  });
});
