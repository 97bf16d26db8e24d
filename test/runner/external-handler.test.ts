/** Programs of the host that the caller of the library answers for: the policy decides which names, the handler does the rest. */
import { describe, expect, it } from 'vitest';
import { type AuditRecord, createShell, type ExternalHandler, type Policy } from '../../src/index.js';
import { withTree } from '../support/tree.js';

const POLICY: Policy = { mode: 'remediation', external: ['docker', 'status:ro', '/opt/tool'] };

const run = (script: string, external: ExternalHandler, policy: Policy = POLICY) =>
  createShell(policy, { external }).run(script, { cwd: '/', timeoutMs: 20_000 });

const text = async (stdin: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

describe('the handler for programs of the host', () => {
  it('gets words, exported variables, directory and streams, and answers a status', () =>
    withTree({ 'rw/d/f': '' }, async (base) => {
      const shell = createShell(
        { ...POLICY, allowedPaths: [`${base}/rw:rw`] },
        {
          external: async ({ argv, environment, cwd, stdin, stdout, stderr }) => {
            await stdout(
              JSON.stringify({ argv, environment: Object.keys(environment).sort(), x: environment['x'], cwd }),
            );
            await stdout(`\n${(await text(stdin)).toUpperCase()}`);
            await stderr('said\n');
            return 7;
          },
        },
      );
      const script = 'export x=1; y=2; cd d; echo in | docker "a b" "" | cat; echo "${PIPESTATUS[1]}"';
      const result = await shell.run(script, { cwd: `${base}/rw` });
      const [first = '', ...rest] = result.stdout.split('\n');
      expect(JSON.parse(first)).toMatchObject({ argv: ['docker', 'a b', ''], x: '1', cwd: `${base}/rw/d` });
      expect(JSON.parse(first).environment).not.toContain('y');
      expect(rest.join('\n')).toBe('IN\n7\n');
      expect(result.stderr).toBe('said\n');
    }));

  it.each<[script: string, asked: string[], stdout: string, stderr: string]>([
    ['docker ps', ['docker ps'], '', ''],
    ['/opt/tool x', ['/opt/tool x'], '', ''],
    ['podman ps; echo $?', [], '127\n', 'podman: command not found'],
    ['/usr/bin/docker ps; echo $?', ['docker ps'], '0\n', ''],
    ['tool x; /usr/bin/tool x; echo $?', ['tool x', 'tool x'], '0\n', ''],
    ['docker() { echo mine; }; docker; command docker two', ['docker two'], 'mine\n', ''],
    ['for i in 1 2; do echo $i; done | xargs -n 1 docker rm', ['docker rm 1', 'docker rm 2'], '', ''],
    ['sh -c "docker in"; eval docker ev; env -i docker env', ['docker in', 'docker ev', 'docker env'], '', ''],
    ['trap "docker end" EXIT', ['docker end'], '', ''],
    ['docker <(echo x); echo $?', [], '126\n', 'process substitution'],
    ["docker $'\\xff'; echo $?", [], '126\n', 'not UTF-8'],
    ['LD_PRELOAD=x docker; echo $?', [], '126\n', 'only the policy'],
  ])('%s', async (script, asked, stdout, stderr) => {
    const calls: string[] = [];
    const result = await run(script, ({ argv }) => {
      calls.push(argv.join(' '));
      return 0;
    });
    expect(calls).toEqual(asked);
    expect(result.stdout).toContain(stdout);
    expect(result.stderr).toContain(stderr);
    if (stderr === '') expect(result.stderr).toBe('');
  });

  it('is asked in read-only mode for what is granted so, and for nothing else', async () => {
    const calls: string[] = [];
    const external: ExternalHandler = ({ argv }) => calls.push(argv.join(' ')) - 1;
    const result = await run('status; docker ps; echo $?', external, { ...POLICY, mode: 'read-only' });
    expect(calls).toEqual(['status']);
    expect(result.stdout).toBe('126\n');
    expect(result.stderr).toContain('docker: remediation mode required');
  });

  it('leaves what it does not read, and is ended by a reader that leaves', async () => {
    const external: ExternalHandler = async ({ argv, stdin, stdout }) => {
      if (argv[1] === 'one') {
        for await (const chunk of stdin) {
          await stdout(chunk);
          break;
        }
        return 0;
      }
      for (;;) await stdout('y\n'.repeat(1000));
    };
    const result = await run(
      'docker for | head -n 1; echo "${PIPESTATUS[0]}"; docker one < /dev/null; echo a | { docker one; cat; }',
      external,
    );
    expect(result.stdout).toBe('y\n141\na\n');
  });

  it.each<[name: string, script: string, options: () => object, expected: object]>([
    ['a timeout', 'docker', () => ({ timeoutMs: 100 }), { status: 'timeout', exitCode: 124 }],
    ['an abort', 'docker', () => ({ signal: AbortSignal.timeout(100) }), { status: 'aborted', exitCode: 130 }],
    ['timeout(1)', 'timeout 0.1 docker; echo $?', () => ({}), { status: 'exited', stdout: '124\n' }],
    [
      'a signal to its job',
      'docker & sleep .1; kill $!; wait $!; echo $?',
      () => ({}),
      { status: 'exited', stdout: '143\n' },
    ],
  ])('is told to stop by %s, and not waited for', async (_, script, options, expected) => {
    let told = false;
    let late: unknown;
    const external: ExternalHandler = ({ signal, stdout }) =>
      new Promise(() => {
        signal.addEventListener('abort', () => {
          told = true;
          stdout('late').catch((error: unknown) => {
            late = error;
          });
        });
      });
    const result = await createShell(POLICY, { external }).run(script, { cwd: '/', ...options() });
    expect(result).toMatchObject(expected);
    expect(told).toBe(true);
    await new Promise((resolve) => setImmediate(resolve));
    expect(late).toBeInstanceOf(Error);
    expect(result.stdout).not.toContain('late');
  });

  it.each<[answer: ExternalHandler, says: string]>([
    [() => Promise.reject(new Error('no daemon')), 'docker: its handler failed: no daemon'],
    [
      () => {
        throw new Error('at once');
      },
      'docker: its handler failed: at once',
    ],
    [() => Promise.reject(Object.create(null)), 'docker: its handler failed: (object that cannot be shown)'],
    [
      () =>
        Promise.reject(
          Object.defineProperty(new Error(), 'message', {
            get() {
              throw new Error('hidden');
            },
          }),
        ),
      'docker: its handler failed: (object that cannot be shown)',
    ],
    [
      () =>
        Promise.reject(
          new Proxy(new Error(), {
            get() {
              throw new Error('hidden');
            },
            has() {
              throw new Error('hidden');
            },
            getPrototypeOf() {
              throw new Error('hidden');
            },
          }),
        ),
      'docker: its handler failed: (object that cannot be shown)',
    ],
    [() => Promise.reject(undefined), 'docker: its handler failed: undefined'],
    [() => Promise.reject(Symbol('s')), 'docker: its handler failed: Symbol(s)'],
    [() => Promise.reject(new Error('\x1b[2Jred\nline é')), 'docker: its handler failed: \\033[2Jred\\nline é\n'],
    [() => Object.create(null), 'docker: its handler answered (object that cannot be shown)'],
    [() => 256, 'docker: its handler answered 256'],
    [() => Number.NaN, 'docker: its handler answered NaN'],
  ])('what goes wrong in it is said, with 126 (%#)', async (external, says) => {
    const result = await run('docker; echo $?', external);
    expect(result.stdout).toBe('126\n');
    expect(result.stderr).toContain(says);
  });

  it.each<[name: string, data: unknown]>([
    ['a number', 5],
    ['nothing', undefined],
    ['null', null],
    ['a list', [1]],
    ['other units', new Uint16Array(1)],
    ['what bytes are in', new ArrayBuffer(1)],
  ])('writes text or bytes: %s is its failure, waited for or not, and of nothing else', async (_, data) => {
    const external: ExternalHandler = async ({ argv, stdout, stderr }) => {
      const written = (argv[1] === 'err' ? stderr : stdout)(data as string);
      if (argv[2] === 'wait') await written;
      return 0;
    };
    const script = 'echo before; docker out; echo $?; docker out wait; docker err; docker err wait; echo $?';
    const result = await run(script, external);
    expect(result.stdout).toBe('before\n126\n126\n');
    const said = (name: string) =>
      `rmsh: line 1: docker: its handler failed: ${name} takes a string or bytes (Uint8Array)\n`;
    expect(result.stderr).toBe(said('stdout').repeat(2) + said('stderr').repeat(2));
  });

  it("may leave what it writes to itself: what fails then is nobody's unhandled rejection", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const external: ExternalHandler = ({ stdout }) => {
        setTimeout(() => void stdout('late'), 30);
        for (let i = 0; i < 100; i++) void stdout('x'.repeat(1 << 16));
        return 0;
      };
      const result = await createShell(POLICY, { external }).run('docker | true; docker | head -c 1; echo', {
        cwd: '/',
      });
      expect(result).toMatchObject({ status: 'exited', stdout: 'x\n' });
      await new Promise((resolve) => setTimeout(resolve, 60));
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  it('is on record as a program of the host, and its refusals as refusals', async () => {
    const events: AuditRecord[] = [];
    await createShell({ ...POLICY, mode: 'read-only' }, { external: () => 0 }).run('status x; docker y', {
      cwd: '/',
      onEvent: (event) => void events.push(event),
    });
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'command', kind: 'external', argv: ['status', 'x'] }),
    );
    expect(events).toContainEqual(expect.objectContaining({ event: 'refusal', argv: ['docker', 'y'], rule: 'mode' }));
  });

  it('an option that is misspelt is an error, and starts nothing', () => {
    expect(() => createShell(POLICY, { externals: () => 0 } as object)).toThrow(
      "'externals' is not one of its options",
    );
    expect(() => createShell(POLICY, { external: 'docker' } as object)).toThrow('external must be a function');
  });
});
