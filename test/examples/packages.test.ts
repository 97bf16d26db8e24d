/**
 * The examples that work with packages of others, with those packages: the package is installed into a project of its own, and the
 * examples are set up as they say.
 */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { parsePolicy } from '../../src/policy/policy.js';
import { VERSION } from '../../src/version.js';
import { checkBuild } from '../support/cli.js';
import { installOthers, installPacked } from '../support/packed.js';
import { withTree } from '../support/tree.js';

checkBuild();
const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** The one that runs on every Node this is tested on. */
const AI_SDK = 'ai@6';

let project = '';
beforeAll(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'rmsh-examples-')));
  installPacked(project);
}, 120_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

describe('ai-tool.mjs', () => {
  let there = false;
  beforeAll(() => {
    there = installOthers(project, [AI_SDK]);
    cpSync(join(project, 'node_modules/rmsh/examples/ai-tool.mjs'), join(project, 'ai-tool.mjs'));
  }, 120_000);
  const needed = (context: TestContext): void => context.skip(!there, `${AI_SDK} could not be installed`);

  it('is a tool that the SDK calls as a model asks, and whose results it hands on', async (context) => {
    needed(context);
    await withTree({ 'big.log': 'x'.repeat(100_000), f: 'here\n' }, async (directory) => {
      const asks = [{ script: 'cat f; rm f' }, { script: 'cat big.log' }, { script: 5 }].map((input, at) => ({
        type: 'tool-call',
        toolCallId: `${at}`,
        toolName: 'shell',
        input: JSON.stringify(input),
      }));
      writeFileSync(
        join(project, 'use.mjs'),
        `import { generateText, stepCountIs } from 'ai';
        import { MockLanguageModelV3 } from 'ai/test';
        import { createShell } from 'rmsh';
        import { shellTool } from './ai-tool.mjs';
        const shell = createShell({ allowedPaths: [process.cwd()] });
        const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
        const turn = (unified, content) => ({ finishReason: { unified, raw: undefined }, usage, warnings: [], content });
        const model = new MockLanguageModelV3({
          doGenerate: [turn('tool-calls', ${JSON.stringify(asks)}), turn('stop', [{ type: 'text', text: 'done' }])],
        });
        const tools = { shell: shellTool(shell) };
        const { text, steps } = await generateText({ model, prompt: 'look', tools, stopWhen: stepCountIs(3) });
        const [offered] = model.doGenerateCalls[0].tools;
        const stopped = await tools.shell.execute(
          { script: 'while :; do :; done' },
          { toolCallId: '9', messages: [], abortSignal: AbortSignal.timeout(50) },
        );
        console.log(JSON.stringify({ text, offered, content: steps[0].content, stopped }));`,
      );
      const { stdout } = await run(process.execPath, [join(project, 'use.mjs')], { cwd: directory });
      const { text, offered, content, stopped } = JSON.parse(stdout);
      expect(text).toBe('done');
      expect(offered).toMatchObject({ type: 'function', name: 'shell', inputSchema: { required: ['script'] } });
      const results = content.filter(({ type }: { type: string }) => type === 'tool-result');
      expect(results[0].output).toMatchObject({ exitCode: 1, stdout: 'here\n', removed: 0 });
      expect(results[0].output.stderr).toContain('remediation mode required');
      expect(results[1].output.stdout).toMatch(/^x+\n\[96000 characters left out\]\nx+$/);
      expect(stopped.status).toBe('aborted');
      // What is no script does not get to the shell.
      expect(content).toContainEqual(expect.objectContaining({ type: 'tool-error', toolCallId: '2' }));
    });
  });

  it('fits the types of the SDK', (context) => {
    needed(context);
    writeFileSync(
      join(project, 'use.ts'),
      `import { generateText, type LanguageModel } from 'ai';
      import { createShell } from 'rmsh';
      import { shellTool } from './ai-tool.mjs';
      export const ask = (model: LanguageModel, prompt: string) =>
        generateText({ model, prompt, tools: { shell: shellTool(createShell({ allowedPaths: ['/var/log'] })) } });`,
    );
    const options =
      '--noEmit --strict --allowJs --checkJs false --skipLibCheck --target es2022 --lib es2022,dom,dom.iterable --module node16 --moduleResolution node16 --types node';
    const words = [
      join(root, 'node_modules/typescript/bin/tsc'),
      ...options.split(' '),
      '--typeRoots',
      join(root, 'node_modules/@types'),
      'use.ts',
    ];
    const checked = spawnSync(process.execPath, words, { cwd: project, encoding: 'utf8' });
    expect({ status: checked.status, said: checked.stdout }).toEqual({ status: 0, said: '' });
  });
});

/** The fenced blocks of a language in the example's page. */
function blocks(language: string): string[] {
  const page = readFileSync(join(root, 'examples/mcp/README.md'), 'utf8');
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    (match) => match[1] ?? '',
  );
}

interface ToolAnswer {
  readonly content: readonly { readonly text: string }[];
  readonly isError?: boolean;
}

/** The SDK's client, as far as it is used here. */
interface Client {
  connect(transport: unknown): Promise<void>;
  close(): Promise<void>;
  getServerVersion(): unknown;
  listTools(): Promise<{ readonly tools: readonly unknown[] }>;
  callTool(
    call: { name: string; arguments: unknown },
    schema?: unknown,
    options?: { signal: AbortSignal },
  ): Promise<ToolAnswer>;
}

describe('the MCP server', { timeout: 60_000 }, () => {
  const folder = (): string => join(project, 'rmsh-mcp');
  let there = false;
  beforeAll(() => {
    const [setUp = ''] = blocks('sh');
    const lines = setUp.trim().split('\n');
    // Word for word as the page has it, but that the network may be missing.
    expect(lines).toEqual(['cp -r node_modules/rmsh/examples/mcp rmsh-mcp', 'cd rmsh-mcp', 'npm install']);
    execFileSync('/bin/sh', ['-c', lines[0] ?? ''], { cwd: project });
    there = installOthers(folder(), []);
  }, 120_000);
  const needed = (context: TestContext): void => context.skip(!there, 'its packages could not be installed');

  const withClient = (use: (client: Client, tree: string) => Promise<void>) =>
    withTree({ 'logs/a.old': '', 'logs/keep': 'kept\n' }, async (tree) => {
      const policy = join(tree, 'policy.json');
      const allowedPaths = [`${tree}/logs:rw`];
      writeFileSync(policy, JSON.stringify({ version: 1, mode: 'remediation', allowedPaths }));
      const sdk = (name: string): Promise<Record<string, new (...words: unknown[]) => unknown>> =>
        import(
          /* @vite-ignore */ pathToFileURL(
            join(folder(), `node_modules/@modelcontextprotocol/sdk/dist/esm/client/${name}.js`),
          ).href
        );
      const [{ Client: Made }, { StdioClientTransport: Transport }] = [await sdk('index'), await sdk('stdio')];
      if (Made === undefined || Transport === undefined) throw new Error('the SDK has no client');
      const client = new Made({ name: 'test', version: '1' }) as Client;
      await client.connect(
        new Transport({ command: process.execPath, args: [join(folder(), 'server.mjs'), policy], cwd: `${tree}/logs` }),
      );
      try {
        await use(client, tree);
      } finally {
        await client.close();
      }
    });
  const call = async (client: Client, name: string, given: object) => {
    const { content, isError } = await client.callTool({ name, arguments: given });
    const text = content[0]?.text ?? '';
    return isError === true ? text : JSON.parse(text);
  };

  it('says what it is and offers its tools', async (context) => {
    needed(context);
    await withClient(async (client) => {
      expect(client.getServerVersion()).toMatchObject({ name: 'rmsh', version: VERSION });
      const object = { type: 'object', additionalProperties: false };
      expect((await client.listTools()).tools).toMatchObject(
        ['run', 'check', 'output'].map((name) => ({ name, inputSchema: object })),
      );
    });
  });

  it('runs a script under its policy, and shows little of what is much', async (context) => {
    needed(context);
    await withClient(async (client, tree) => {
      const script = 'rm *.old; cat "$1"; cat /etc/passwd; seq 9000';
      const first = await call(client, 'run', { script, args: ['keep'] });
      expect(first).toMatchObject({ run: 1, exitCode: 0, removals: { made: 1, left: 99 }, changes: 1, refusals: 1 });
      expect(first.stderr).toBe('cat: /etc/passwd: Permission denied\n');
      expect(first.refused).toMatchObject([{ given: '/etc/passwd', rule: 'outside-roots' }]);
      expect(first.stdout).toHaveLength(2000);
      expect(existsSync(join(tree, 'logs/a.old'))).toBe(false);
      let whole = '';
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const page: { text: string; nextOffset?: number } = await call(client, 'output', { run: 1, offset });
        whole += page.text;
        offset = page.nextOffset;
      }
      expect(whole).toBe(`kept\n${execFileSync('seq', ['9000'], { encoding: 'utf8' })}`);
      expect(await call(client, 'output', { run: 7 })).toContain('run 7 is not kept');
    });
  });

  it('checks a script and runs nothing of it', async (context) => {
    needed(context);
    await withClient(async (client, tree) => {
      const script = `rm -rf keep\ndocker ps\n${'echo on\n'.repeat(50)}`;
      const short = await call(client, 'check', { script });
      expect(short).toMatchObject({ count: { refused: 2, unknown: 0, allowed: 50 } });
      expect(short.commands).toMatchObject([{ verdict: 'refused' }, { verdict: 'refused' }]);
      expect((await call(client, 'check', { script, all: true })).commands).toHaveLength(52);
      expect((await call(client, 'check', { script: 'if; then' })).problem).toMatchObject({ line: 1 });
      expect(existsSync(join(tree, 'logs/keep'))).toBe(true);
    });
  });

  it('ends a run that is cancelled', async (context) => {
    needed(context);
    await withClient(async (client) => {
      const stop = new AbortController();
      const endless = { name: 'run', arguments: { script: 'while :; do :; done' } };
      const cancelled = client.callTool(endless, undefined, { signal: stop.signal });
      setTimeout(() => stop.abort(), 50);
      await expect(cancelled).rejects.toThrow();
      expect(await call(client, 'run', { script: 'echo on' })).toMatchObject({ stdout: 'on\n' });
    });
  });

  it.for<[string, object]>([
    ['run', {}],
    ['run', { script: 5 }],
    ['run', { script: ':', policy: {} }],
    ['output', { run: 1, stream: 'both' }],
    ['rm', {}],
  ])('refuses %s %j', async ([name, given], context) => {
    needed(context);
    await withClient(async (client) => {
      const { content, isError } = await client.callTool({ name, arguments: given });
      expect({ isError, text: content[0]?.text }).toEqual({
        isError: true,
        text: expect.stringContaining('MCP error'),
      });
    });
  });

  it('says what is wrong with a policy, in a line', async (context) => {
    needed(context);
    await withTree({ 'bad.json': '{ "version": 1, "mode": "all" }', 'none.json': '{' }, (tree) => {
      const started = (...words: string[]) =>
        spawnSync(process.execPath, [join(folder(), 'server.mjs'), ...words], { cwd: tree, encoding: 'utf8' });
      for (const [words, said] of [
        [[], /^usage: node server\.mjs POLICY\.json\n$/],
        [['bad.json'], /^rmsh-mcp: bad\.json: mode: [^\n]*\n$/],
        [['none.json'], /^rmsh-mcp: none\.json: [^\n]*\n$/],
        [['missing.json'], /^rmsh-mcp: [^\n]*missing\.json[^\n]*\n$/],
      ] as const) {
        const { status, stdout, stderr } = started(...words);
        expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
        expect(stderr).toMatch(said);
      }
    });
  });

  it('is told of with a policy that is one, and a client that starts it', () => {
    const [policy = '', client = ''] = blocks('json');
    expect(parsePolicy(policy).timeoutMs).toBe(60_000);
    const { command, args } = JSON.parse(client).mcpServers.rmsh;
    expect([command, ...args.map((path: string) => path.replace('/PATH/', ''))]).toEqual([
      'node',
      'rmsh-mcp/server.mjs',
      'policy.json',
    ]);
  });
});
