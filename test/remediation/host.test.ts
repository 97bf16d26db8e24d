/** What a program that embeds rmsh may add: commands of its own, files in memory, an answer to what is not found. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Builtin, builtin, createShell, defineBuiltin, quote, unquote } from '../../src/index.js';
import { memoryFs } from '../../src/memory.js';

const greet: Builtin = defineBuiltin({
  name: 'greet',
  summary: 'greet somebody',
  usage: 'greet [-l] [NAME]...',
  needs: ['read'],
  flags: {
    loud: { short: 'l', long: 'loud', help: 'in capitals' },
    times: { short: 'n', value: 'N', parse: Number, help: 'so many times' },
  },
  statuses: { 0: 'all were greeted' },
  run({ flags, operands, out }) {
    const text = `hello ${operands.join(' ')}\n`.repeat(flags.times ?? 1);
    void out.write(flags.loud === true ? text.toUpperCase() : text);
    return 0;
  },
});

describe('a command of the host program', () => {
  const shell = createShell({}, { builtins: [greet] });
  const out = async (script: string): Promise<string> => (await shell.run(script)).stdout;

  it('has help, options and usage errors from its definition', async () => {
    expect(await out('greet -ln2 a b')).toBe('HELLO A B\nHELLO A B\n');
    expect(await out('greet --help')).toContain('greet [-l] [NAME]...');
    expect(await shell.run('greet -x')).toMatchObject({ exitCode: 1, stdout: '' });
    expect((await shell.run('greet -x')).stderr).toContain("greet: invalid option -- 'x'");
  });

  it('is found as any other: in pipelines, by xargs, by command -v and help, and not without the policy', async () => {
    expect(await out('echo a b | xargs -n1 greet | sort -r; command -v greet; type greet')).toBe(
      'hello b\nhello a\n/usr/bin/greet\ngreet is /usr/bin/greet\n',
    );
    expect(await out('help')).toMatch(/\bgreet\b/);
    const strict = createShell({ allowedCommands: ['cat'] }, { builtins: [greet] });
    expect(await strict.run('greet x')).toMatchObject({ exitCode: 126, stdout: '' });
  });

  it('may take the place of one inside, and call that', async () => {
    const original = builtin('basename');
    expect(original).toBeDefined();
    if (original === undefined) return;
    const calls: string[][] = [];
    const watched: Builtin = {
      ...original,
      invoke: (context, argv) => {
        calls.push([...argv]);
        return original.invoke(context, argv);
      },
    };
    const changed = createShell({}, { builtins: [watched] });
    expect((await changed.run('basename /a/b; echo c/d | xargs basename')).stdout).toBe('b\nd\n');
    expect(calls).toEqual([
      ['basename', '/a/b'],
      ['basename', 'c/d'],
    ]);
    expect((await createShell({}).run('basename /a/b')).stdout).toBe('b\n');
    expect(calls.length).toBe(2);
  });

  it.each(['cd', '[', 'sh'])('cannot be part of the shell: %s', (name) => {
    expect(() => createShell({}, { builtins: [{ ...greet, name }] })).toThrow(`'${name}' is part of the shell`);
  });
});

describe('what is not found', () => {
  it('is the host program’s to answer, or nobody’s', async () => {
    const asked: string[] = [];
    const shell = createShell(
      {},
      {
        commandNotFound: async (argv) => {
          asked.push(argv.join(' '));
          return argv[0] === 'known' ? 7 : undefined;
        },
      },
    );
    expect((await shell.run('known a; echo $?; x=$(unknown b) || echo $?')).stdout).toBe('7\n127\n');
    expect(asked).toEqual(['known a', 'unknown b']);
    expect((await shell.run('unknown')).stderr).toContain('unknown: command not found');
  });
});

describe('files in memory', () => {
  const policy = { mode: 'remediation', allowedPaths: ['/logs:rw', '/etc:ro'] } as const;

  it('are under the same policy, and stay from run to run', async () => {
    const files = memoryFs({
      '/logs/a.log': 'a\n',
      '/logs/out': { symlink: '/secret' },
      '/secret': 's',
      '/etc/conf': 'c\n',
    });
    const shell = createShell(policy, { files });
    const first = await shell.run('cat a.log; rm -v a.log out; echo new >b; cat /secret; echo x >/etc/conf', {
      cwd: '/logs',
    });
    expect(first.stdout).toBe("a\nremoved 'a.log'\nremoved 'out'\n");
    expect(first.removals.made).toBe(2);
    expect((await shell.run('cd /logs; ls; cat b /etc/conf')).stdout).toBe('b\nnew\nc\n');
    expect([...files.snapshot().keys()].sort()).toEqual(['/', '/etc', '/etc/conf', '/logs', '/logs/b', '/secret']);
  });

  it('are where a shell starts: at the top', async () => {
    const shell = createShell({ allowedPaths: ['/'] }, { files: memoryFs({ '/a/b': '' }) });
    expect((await shell.run('pwd; ls; cd a; ls')).stdout).toBe('/\na\nb\n');
  });
});

describe('quote and unquote', () => {
  it('are each other’s reverse', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'))), (words) => {
        expect(unquote(words.map(quote).join(' '))).toEqual(words);
      }),
    );
  });

  it.each<[string, string[] | undefined]>([
    [`a 'b c' "d\\$" e\\ f $'\\t'`, ['a', 'b c', 'd$', 'e f', '\t']],
    ['', []],
    ['if x=1', ['if', 'x=1']],
    ['a; b', undefined],
    ['a &', undefined],
    ['$x', undefined],
    ['*.log', undefined],
    ['~', undefined],
    ["'open", undefined],
    ['a\nb', undefined],
    ['a >b', undefined],
    ['a # b', undefined],
  ])('%j', (text, words) => expect(unquote(text)).toEqual(words));
});
