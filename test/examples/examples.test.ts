/** Every example is run, with rmsh as it is built. */
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { checkBuild, PROGRAM, rmsh } from '../support/cli.js';
import { listFiles, withTree } from '../support/tree.js';

checkBuild();
const examples = fileURLToPath(new URL('../../examples/', import.meta.url));
const run = promisify(execFile);

describe.each(['embed.mjs', 'own-builtin.mjs'])('%s without a directory', (name) => {
  it('removes nothing from where it is started', () =>
    withTree({ 'a.old': '', 'b.tmp': '' }, async (directory) => {
      const started = run(process.execPath, [join(examples, name)], { cwd: directory });
      await expect(started).rejects.toThrow('which DIRECTORY');
      expect(listFiles(directory)).toEqual(['a.old', 'b.tmp']);
    }));
});

describe('embed.mjs', () => {
  it('is ten lines that clean up', () =>
    withTree({ 'a.old': '', 'd/b.old': '', keep: '' }, async (directory) => {
      const { stdout, stderr } = await run(process.execPath, [join(examples, 'embed.mjs'), directory]);
      expect(stdout.split('\n').sort()).toEqual([
        '',
        "removed './a.old'",
        "removed './d/b.old'",
        'status 0, 2 removed, 98 left of the budget',
      ]);
      expect(stderr).toBe('');
      expect(listFiles(directory)).toEqual(['keep']);
      const code = readFileSync(join(examples, 'embed.mjs'), 'utf8').split('\n');
      expect(code.filter((line) => line !== '' && !line.startsWith('//')).length).toBeLessThanOrEqual(10);
    }));
});

describe('own-builtin.mjs', () => {
  it('adds a command that scripts call, with its help', () =>
    withTree({ 'a.tmp': '', keep: '' }, async (directory) => {
      const { stdout } = await run(process.execPath, [join(examples, 'own-builtin.mjs'), directory]);
      expect(stdout).toMatch(
        /^97% used, 90% allowed\nremoved 'a\.tmp'\nUsage: pressure \[-m PERCENT\] USED\n[\s\S]*--most/,
      );
      expect(listFiles(directory)).toEqual(['keep']);
    }));
});

describe('ai-tool.mjs', () => {
  it('is a tool that runs scripts, and shows as much as a model should read', () =>
    withTree({ 'big.log': 'x'.repeat(100_000), f: 'here\n' }, async (directory) => {
      const file = join(directory, 'use.mjs');
      const library = JSON.stringify(join(examples, '../dist/index.mjs'));
      writeFileSync(
        file,
        `import { createShell } from ${library};
        import { shellTool } from ${JSON.stringify(join(examples, 'ai-tool.mjs'))};
        const shell = createShell({ allowedPaths: [${JSON.stringify(directory)}] });
        const made = shellTool(shell, { tool: (one) => one, jsonSchema: (schema) => ({ schema }) });
        const results = [];
        for (const script of ['cat f; rm f', 'cat big.log', 'while :; do :; done']) {
          const abortSignal = script.startsWith('while') ? AbortSignal.timeout(50) : undefined;
          results.push(await made.execute({ script }, { abortSignal }));
        }
        console.log(JSON.stringify({ schema: made.inputSchema.schema, results }));`,
      );
      const { stdout } = await run(process.execPath, [file], { cwd: directory });
      const { schema, results } = JSON.parse(stdout);
      expect(schema.required).toEqual(['script']);
      expect(results[0]).toMatchObject({ exitCode: 1, stdout: 'here\n', removed: 0 });
      expect(results[0].stderr).toContain('remediation mode required');
      expect(results[1].stdout).toMatch(/^x+\n\[96000 characters left out\]\nx+$/);
      expect(results[2].status).toBe('aborted');
    }));
});

interface Answer {
  readonly id: number | null;
  // What a server answers is whatever JSON it likes: the tests say what it should be.
  readonly result: Readonly<Record<string, unknown>>;
  readonly error: { readonly code: number; readonly message: string };
}

interface ToolAnswer {
  readonly content: readonly { readonly text: string }[];
  readonly isError?: boolean;
}

/** A client as small as the server. */
function client(policy: string, cwd: string) {
  const server = spawn(process.execPath, [join(examples, 'mcp-server.mjs'), policy], { cwd, stdio: 'pipe' });
  const waiting = new Map<number | null, (message: Answer) => void>();
  createInterface({ input: server.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  let last = 0;
  const raw = (text: string): void => void server.stdin.write(`${text}\n`);
  const answer = (id: number | null) => new Promise<Answer>((resolve) => waiting.set(id, resolve));
  return {
    raw,
    answer,
    lastId: () => last,
    request: (method: string, params: unknown) => {
      last += 1;
      const answered = answer(last);
      raw(JSON.stringify({ jsonrpc: '2.0', id: last, method, params }));
      return answered;
    },
    async call(name: string, given: unknown) {
      const answered = await this.request('tools/call', { name, arguments: given });
      const { content, isError } = answered.result as unknown as ToolAnswer;
      const text = content[0]?.text ?? '';
      return isError === true ? text : JSON.parse(text);
    },
    end: () =>
      new Promise((resolve) => {
        server.on('exit', resolve);
        server.stdin.end();
      }),
  };
}

describe('mcp-server.mjs', () => {
  const withServer = (use: (mcp: ReturnType<typeof client>, tree: string) => Promise<void>) =>
    withTree({ 'logs/a.old': '', 'logs/keep': 'kept\n' }, async (tree) => {
      const policy = join(tree, 'policy.json');
      const allowedPaths = [`${tree}/logs:rw`];
      writeFileSync(policy, JSON.stringify({ version: 1, mode: 'remediation', allowedPaths }));
      const mcp = client(policy, join(tree, 'logs'));
      try {
        await use(mcp, tree);
      } finally {
        expect(await mcp.end()).toBe(0);
      }
    });

  it('says what it is and offers its tools', () =>
    withServer(async (mcp) => {
      const { result } = await mcp.request('initialize', {
        protocolVersion: '2025-03-26',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      });
      expect(result).toMatchObject({ protocolVersion: '2025-03-26', serverInfo: { name: 'rmsh' } });
      mcp.raw('{"jsonrpc":"2.0","method":"notifications/initialized"}');
      expect((await mcp.request('ping', {})).result).toEqual({});
      const listed = (await mcp.request('tools/list', {})).result;
      const object = { type: 'object', additionalProperties: false };
      expect(listed).toMatchObject({
        tools: ['run', 'check', 'output'].map((name) => ({ name, inputSchema: object })),
      });
    }));

  it('runs a script under its policy, and shows little of what is much', () =>
    withServer(async (mcp, tree) => {
      const first = await mcp.call('run', { script: 'rm *.old; cat "$1"; cat /etc/passwd; seq 9000', args: ['keep'] });
      expect(first).toMatchObject({ run: 1, exitCode: 0, removals: { made: 1, left: 99 }, changes: 1 });
      expect(first.stderr).toBe('cat: /etc/passwd: Permission denied\n');
      expect(first.refused).toMatchObject([{ given: '/etc/passwd', rule: 'outside-roots' }]);
      expect(first.stdout).toHaveLength(2000);
      expect(existsSync(join(tree, 'logs/a.old'))).toBe(false);
      let whole = '';
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const page: { text: string; nextOffset?: number } = await mcp.call('output', { run: 1, offset });
        whole += page.text;
        offset = page.nextOffset;
      }
      expect(whole).toBe(`kept\n${execFileSync('seq', ['9000'], { encoding: 'utf8' })}`);
    }));

  it('checks a script and runs nothing of it', () =>
    withServer(async (mcp, tree) => {
      const { commands } = await mcp.call('check', { script: 'rm -rf keep\ndocker ps' });
      expect(commands).toMatchObject([{ verdict: 'refused' }, { verdict: 'refused' }]);
      expect(existsSync(join(tree, 'logs/keep'))).toBe(true);
    }));

  it('ends a run that is cancelled', () =>
    withServer(async (mcp) => {
      void mcp.request('tools/call', { name: 'run', arguments: { script: 'while :; do :; done' } });
      const params = { requestId: mcp.lastId() };
      await new Promise((wait) => setTimeout(wait, 50));
      mcp.raw(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params }));
      expect(await mcp.call('run', { script: 'echo on' })).toMatchObject({ stdout: 'on\n' });
    }));

  it.each([
    ['nothing', {}, -32601],
    ['tools/call', { name: 'rm' }, -32602],
    ['tools/call', { name: 'run', arguments: {} }, -32602],
    ['tools/call', { name: 'run', arguments: { script: 5 } }, -32602],
    ['tools/call', { name: 'run', arguments: { script: ':', policy: {} } }, -32602],
    ['tools/call', { name: 'output', arguments: { run: 1, stream: 'both' } }, -32602],
  ])('refuses %s %j', (method, params, code) =>
    withServer(async (mcp) => {
      expect((await mcp.request(method, params)).error).toMatchObject({ code });
    }),
  );

  it('says so where a message is none, or a run is not kept', () =>
    withServer(async (mcp) => {
      const answered = mcp.answer(null);
      mcp.raw('{');
      expect((await answered).error.code).toBe(-32700);
      expect(await mcp.call('output', { run: 7 })).toContain('run 7 is not kept');
    }));
});

/** A directory as the unit and the playbook expect it; paths in them become those below `tree`. */
function host(tree: string) {
  const old = Date.now() / 1000 - 10 * 86_400;
  for (const folder of ['etc/rmsh', 'var/log/app', 'var/lib/rmsh']) mkdirSync(join(tree, folder), { recursive: true });
  for (const name of ['web.log', 'web.log.1', 'web.log.2']) writeFileSync(join(tree, 'var/log/app', name), '');
  utimesSync(join(tree, 'var/log/app/web.log.1'), old, old);
  const moved = (text: string): string =>
    text.replaceAll(/\/(?=(?:etc\/rmsh|var\/log\/app|var\/lib\/rmsh)\b)/g, `${tree}/`);
  for (const name of ['cleanup.json', 'cleanup.sh']) {
    writeFileSync(join(tree, 'etc/rmsh', name), moved(readFileSync(join(examples, 'systemd', name), 'utf8')));
  }
  return moved;
}

describe('the systemd timer', () => {
  const unit = (name: string): string => readFileSync(join(examples, 'systemd', name), 'utf8');

  it('starts what removes old rotated logs, and nothing else, on record', () =>
    withTree({}, async (tree) => {
      const moved = host(tree);
      const [, program = '', rest = ''] = /^ExecStart=(\S+) (.*)$/m.exec(unit('rmsh-cleanup.service')) ?? [];
      expect(program).toBe('/usr/local/bin/rmsh');
      const { status, stdout, stderr } = await rmsh(moved(rest).split(' '));
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "removed './web.log.1'\n", stderr: '' });
      const record = join(tree, 'var/lib/rmsh/cleanup.audit');
      expect((await rmsh(['audit', 'verify', record])).status).toBe(0);
    }));

  const verifier = ['/usr/bin/systemd-analyze', '/bin/systemd-analyze'].find(existsSync);
  if (verifier === undefined) console.warn('systemd-analyze is not installed: the units are run, and not verified');
  it.skipIf(verifier === undefined)('is well-formed for systemd', () =>
    withTree({}, (tree) => {
      writeFileSync(
        join(tree, 'rmsh-cleanup.service'),
        unit('rmsh-cleanup.service')
          .replace('/usr/local/bin/rmsh', process.execPath)
          .replace(/^Documentation=.*\n/m, ''),
      );
      writeFileSync(join(tree, 'rmsh-cleanup.timer'), unit('rmsh-cleanup.timer'));
      const units = ['rmsh-cleanup.service', 'rmsh-cleanup.timer'].map((name) => join(tree, name));
      const { status, stderr } = spawnSync(verifier ?? '', ['verify', ...units], { encoding: 'utf8' });
      // It loads the units of this machine too: what it says of those is not ours.
      expect({ status, said: stderr.split('\n').filter((line) => line.includes('rmsh-cleanup')) }).toEqual({
        status: 0,
        said: [],
      });
    }),
  );
});

describe('the Ansible task', () => {
  const playbook = readFileSync(join(examples, 'ansible/cleanup.yml'), 'utf8');

  it('runs a command whose result is one JSON object', () =>
    withTree({}, async (tree) => {
      const moved = host(tree);
      const [, listed = ''] = /argv:\n((?: {10}- .*\n)+)/.exec(playbook) ?? [];
      const [program, ...words] = listed
        .trim()
        .split('\n')
        .map((line) => line.trim().slice(2).replace('"{{ directory }}"', '/var/log/app'));
      expect(program).toBe('rmsh');
      const { status, stdout } = await rmsh(words.map(moved));
      expect(status).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ exitCode: 0, removals: { made: 1 } });
    }));

  it('names files that are there', () => {
    const sources = [...playbook.matchAll(/src: (\S+)/g)].map(([, path = '']) => join(examples, 'ansible', path));
    expect(sources).toHaveLength(2);
    expect(sources.filter((path) => !existsSync(path))).toEqual([]);
  });

  const ansible = spawnSync('ansible-playbook', ['--version']).status === 0;
  if (!ansible) console.warn('ansible is not installed: its task is run, and the playbook around it is not');
  it.skipIf(!ansible)('is a playbook', () => {
    const { status, stderr } = spawnSync(
      'ansible-playbook',
      ['--syntax-check', '-i', 'localhost,', join(examples, 'ansible/cleanup.yml')],
      { encoding: 'utf8' },
    );
    expect({ status, stderr }).toMatchObject({ status: 0 });
  });
});

describe('a script with its policy in its first line', () => {
  it('is a program that can do what that grants', () =>
    withTree({}, (tree) => {
      host(tree);
      mkdirSync(join(tree, 'bin'));
      writeFileSync(join(tree, 'bin/rmsh'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`, {
        mode: 0o755,
      });
      const script = join(tree, 'etc/rmsh/cleanup.sh');
      execFileSync('chmod', ['+x', script]);
      const started = spawnSync(script, [join(tree, 'var/log/app')], {
        encoding: 'utf8',
        env: { PATH: `${join(tree, 'bin')}:/usr/bin:/bin` },
      });
      expect(started).toMatchObject({ status: 0, stdout: "removed './web.log.1'\n", stderr: '' });
      const elsewhere = spawnSync(script, ['/etc'], {
        encoding: 'utf8',
        env: { PATH: `${join(tree, 'bin')}:/usr/bin:/bin` },
      });
      expect(elsewhere).toMatchObject({ status: 2, stdout: '' });
      expect(elsewhere.stderr).toContain('Permission denied');
    }));
});
