/** How a run ends when it must: everything it has going ends with it, and what was printed stays. */
import { describe, expect, it } from 'vitest';
import { createShell } from '../../src/index.js';

const limited = createShell({ limits: { maxCommands: 20_000 } });

describe('a limit met in one place ends the run everywhere', { timeout: 30_000 }, () => {
  it.each([
    ['the script itself', 'while :; do :; done'],
    ['a subshell', '(while :; do :; done); echo no'],
    ['a substitution', 'x=$(while :; do :; done); echo no'],
    ['a stage of a pipeline, with another that waits', 'while :; do :; done | cat'],
    ['a stage of a pipeline, with another that works', 'sleep 100 | while :; do :; done'],
    ['a job, while the script waits for it', 'while :; do :; done & wait; echo no'],
    ['a job, while the script sleeps', 'while :; do :; done & sleep 100; echo no'],
    ['a trap', "trap 'while :; do :; done' EXIT"],
    ['a nested shell', "sh -c 'while :; do :; done'; echo no"],
    ['jobs that start jobs', 'f() { f | f & }; f; wait'],
  ])('in %s', async (_where, script) => {
    const result = await limited.run(`echo first\n${script}`);
    expect(result).toMatchObject({ status: 'limit', exitCode: 1, stdout: 'first\n' });
    expect(result.message).toMatch(/maxCommands|maxJobs/);
  });

  it('and no trap or || of the script sees it', async () => {
    const result = await limited.run("trap 'echo trapped' EXIT; (while :; do :; done) || echo caught");
    expect(result).toMatchObject({ status: 'limit', stdout: '' });
  });
});

describe('an abort', { timeout: 30_000 }, () => {
  it.each(['sleep 100', 'sleep 100 & wait', 'sleep 100 | cat', 'x=$(sleep 100)', "trap 'sleep 100' EXIT", 'read x'])(
    'ends %s, and keeps what was printed',
    async (script) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 50);
      async function* never(): AsyncGenerator<Uint8Array> {
        await new Promise(() => {});
        yield new Uint8Array();
      }
      const result = await createShell({}).run(`echo one; ${script}; echo two`, {
        signal: controller.signal,
        stdin: never(),
      });
      expect(result.status).toBe('aborted');
      expect(result.stdout.startsWith('one\n')).toBe(true);
    },
  );

  it('before the run begins runs nothing', async () => {
    const result = await createShell({}).run('echo one', { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ status: 'aborted', stdout: '' });
  });
});

describe('two runs at the same time', () => {
  it('do not see each other', async () => {
    const shell = createShell({ limits: { maxRemovalsPerRun: 3 } });
    const script = 'x=$1; sleep 0.05; cd /; set -f +B; trap "echo $x" EXIT; sleep 0.05; echo "$x$-"';
    const [a, b] = await Promise.all([shell.run(script, { args: ['a'] }), shell.run(script, { args: ['b'] })]);
    expect(a.stdout).toBe('af\na\n');
    expect(b.stdout).toBe('bf\nb\n');
    expect((await shell.run('echo "$x$?"')).stdout).toBe('0\n');
  });
});

describe("the end of a run is not the end of anybody's input", () => {
  it.each(['sleep 9 | sort -o v -', 'sort -o v -'])('%s leaves the file as it was', async (script) => {
    const { mkdtempSync, readFileSync, rmSync, writeFileSync } = await import('node:fs');
    const { tmpdir } = await import('node:os');
    const root = mkdtempSync(`${tmpdir()}/rmsh-ending-`);
    try {
      writeFileSync(`${root}/v`, 'keep\n');
      async function* never(): AsyncGenerator<Uint8Array> {
        await new Promise(() => {});
        yield new Uint8Array();
      }
      const shell = createShell({ mode: 'remediation', allowedPaths: [`${root}:rw`] });
      const result = await shell.run(script, { cwd: root, timeoutMs: 200, stdin: never() });
      expect(result.status).toBe('timeout');
      expect(readFileSync(`${root}/v`, 'utf8')).toBe('keep\n');
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});

describe('jobs', () => {
  it('that have nothing to wait for may be more than may run at one time', async () => {
    const result = await createShell({ limits: { maxJobs: 8 } }).run(
      'i=0; while [ $i -lt 100 ]; do : & i=$((i+1)); done; wait; echo $i',
    );
    expect(result).toMatchObject({ status: 'exited', stdout: '100\n' });
  });

  it('that work on are limited', async () => {
    const result = await createShell({ limits: { maxJobs: 8 } }).run(
      'i=0; while [ $i -lt 100 ]; do sleep 100 & i=$((i+1)); done; echo no',
    );
    expect(result).toMatchObject({ status: 'limit', exitCode: 1, stdout: '' });
    expect(result.message).toContain('maxJobs');
  });

  it.each([
    ['yes >/dev/null & sleep 0.1; kill $!; wait $!; echo $?', '143\n'],
    ['yes | cat >/dev/null & sleep 0.1; kill -9 $!; wait $!; echo $?', '137\n'],
    ['sleep 100 & kill $!; wait $!; echo $?', '143\n'],
    ['grep x /dev/zero & sleep 0.1; kill $!; wait $!; echo $?', '143\n'],
  ])('end when they are killed, whatever they do: %s', async (script, stdout) => {
    expect(await createShell({}).run(script, { timeoutMs: 10_000 })).toMatchObject({ status: 'exited', stdout });
  });
});
