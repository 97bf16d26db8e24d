/** Commands of the host program, written without types: what is wrong with one is said by the name of the field, at once. */
import { describe, expect, it } from 'vitest';
import { BadValue, type Builtin, createShell, defineBuiltin } from '../../src/index.js';
import { memoryFs } from '../../src/memory.js';

const right = {
  name: 'greet',
  summary: 'greet',
  usage: 'greet [-n NUM]',
  needs: [],
  flags: { times: { short: 'n', long: 'times', value: 'NUM', help: 'so often' } },
  statuses: { 0: 'always' },
  run: () => 0,
};

/** As JavaScript would call it. */
const define = (definition: unknown): Builtin => (defineBuiltin as (given: unknown) => Builtin)(definition);
const flag = (given: unknown) => ({ ...right, flags: { f: given } });

describe('defineBuiltin', () => {
  it('takes what is right, with every field that there is', async () => {
    const whole = {
      ...right,
      aliases: ['hi'],
      notes: 'notes',
      options: 'leading',
      helpless: false,
      usageStatus: 2,
      writeFailure: 3,
      remediationOnly: false,
      obsolete: () => undefined,
      speaksAs: 'greet',
      onlyOne: { flags: [], message: 'one' },
      conflict: () => undefined,
      usageHint: () => 'hint\n',
      unknownOptionHint: () => 'more',
    };
    const shell = createShell({}, { builtins: [define(whole)] });
    expect(await shell.run('hi; greet -x')).toMatchObject({
      exitCode: 2,
      stderr: "greet: invalid option -- 'x'\nhint\nmore\n",
    });
  });

  it.each<[string, unknown, string]>([
    ['no object', 'greet', 'defineBuiltin: the definition must be an object'],
    ['no name', { ...right, name: undefined }, 'defineBuiltin: name must be the name of a command'],
    ['a name with a blank', { ...right, name: 'a b' }, 'defineBuiltin: name must be the name of a command'],
    ['a name with a slash', { ...right, name: 'a/b' }, 'defineBuiltin: name must be the name of a command'],
    ['a misspelt field', { ...right, alias: [] }, "defineBuiltin 'greet': alias is not one of name aliases summary"],
    ['aliases that are a text', { ...right, aliases: 'hi' }, "'greet': aliases must be a list of names"],
    ['no summary', { ...right, summary: undefined }, "'greet': summary must be a string"],
    ['usage that is a list', { ...right, usage: [] }, "'greet': usage must be a string"],
    ['no needs', { ...right, needs: undefined }, "'greet': needs must be a list, empty or of read list write remove"],
    ['a need that is none', { ...right, needs: ['reads'] }, "'greet': needs must be a list"],
    ['no flags', { ...right, flags: undefined }, "'greet': flags must be an object"],
    ['flags that are a list', { ...right, flags: [] }, "'greet': flags must be an object"],
    ['a flag that is a text', flag('x'), "'greet': flags.f must be an object"],
    ['a flag without a spelling', flag({ help: 'x' }), "'greet': flags.f has neither short nor long"],
    ['a flag without help', flag({ short: 'f' }), "'greet': flags.f.help must be a string"],
    ['a flag with dashes', flag({ long: '--f', help: 'x' }), "'greet': flags.f.long must be a name without dashes"],
    ['a letter that is none', flag({ short: '-', help: 'x' }), "'greet': flags.f.short must be a letter"],
    [
      'a misspelt field of a flag',
      flag({ short: 'f', help: 'x', type: 1 }),
      "'greet': flags.f.type is not one of short",
    ],
    [
      'parse without value',
      flag({ short: 'f', help: 'x', parse: Number }),
      "'greet': flags.f.parse is for an option with",
    ],
    [
      'parse that is none',
      flag({ short: 'f', value: 'N', help: 'x', parse: 1 }),
      "'greet': flags.f.parse must be a func",
    ],
    [
      'one letter twice',
      { ...right, flags: { a: { short: 'n', help: 'x' }, b: { short: 'mn', help: 'x' } } },
      "'greet': flags.b and flags.a are both -n",
    ],
    ['options that are none', { ...right, options: 'gnu' }, "'greet': options must be one of permute leading none"],
    ['a status that is none', { ...right, statuses: { 300: 'x' } }, "'greet': statuses must be an object"],
    ['no statuses', { ...right, statuses: undefined }, "'greet': statuses must be an object"],
    ['a status of usage that is none', { ...right, usageStatus: -1 }, "'greet': usageStatus must be a whole number"],
    ['no run', { ...right, run: undefined }, "'greet': run must be a function"],
    ['null for what may be left out', { ...right, notes: null }, "'greet': notes must be a string"],
  ])('refuses %s', (_, definition, message) => {
    expect(() => define(definition)).toThrow(TypeError);
    expect(() => define(definition)).toThrow(message);
  });

  it.each([
    ['nothing', () => undefined],
    ['a text', () => '0'],
    ['too much', () => 256],
    ['nothing, later', async () => undefined],
  ])('takes a command that answers %s for a mistake of its own, not for success', async (_, run) => {
    const shell = createShell({}, { builtins: [define({ ...right, run })] });
    await expect(shell.run('greet')).rejects.toThrow(
      "defineBuiltin 'greet': run must answer a whole number from 0 to 255",
    );
  });
});

type Opens = { openSource(path: string): unknown };
type Writes = { readonly out: { write(text: string): Promise<void> | undefined }; tick(): Promise<void> | undefined };

describe('what a command throws', () => {
  const run = (script: string, parts: object) => {
    const files = memoryFs({ '/d/f': 'text\n' });
    const shell = createShell({ allowedPaths: ['/d'] }, { builtins: [define({ ...right, ...parts })], files });
    return shell.run(script, { cwd: '/d' });
  };
  const throws = (error: unknown) => ({
    run: () => {
      throw error;
    },
  });
  const times = (parse: (text: string) => unknown) => ({
    flags: { times: { short: 'n', value: 'NUM', parse, help: 'so often' } },
  });

  it.each<[string, object, string, string, number]>([
    ['a wrong value', throws(new BadValue('no such thing')), 'greet', 'greet: no such thing\n', 1],
    [
      'a wrong value, with a hint',
      { ...throws(new BadValue('who?', true)), usageStatus: 2 },
      'greet',
      "greet: who?\nTry 'greet --help' for more information.\n",
      2,
    ],
    [
      'of an option a wrong value',
      times(() => {
        throw new BadValue('not so often');
      }),
      'greet -n 5',
      'greet: not so often\n',
      1,
    ],
    [
      'a file that is not there',
      { needs: ['read'], run: ({ openSource }: Opens) => (openSource('g') ? 0 : 3) },
      'greet',
      'greet: g: No such file or directory\n',
      1,
    ],
    [
      'a file that is not granted',
      {
        needs: ['read'],
        run: ({ openSource }: Opens) => (openSource('/e') ? 0 : 3),
      },
      'greet',
      'greet: /e: Permission denied\n',
      1,
    ],
  ])('is its failure, and the script goes on: %s', async (_, parts, script, stderr, status) => {
    expect(await run(`${script}; echo "$?"`, parts)).toMatchObject({ stderr, stdout: `${status}\n`, status: 'exited' });
  });

  it.each<[string, object]>([
    ['at once', throws(new RangeError('a bug'))],
    ['later', { run: async () => Promise.reject(new RangeError('a bug')) }],
    [
      'reading an option',
      times(() => {
        throw new RangeError('a bug');
      }),
    ],
  ])('is a bug that the caller sees as it was thrown, %s, where it is nothing of the kind', async (_, parts) => {
    await expect(run('greet -n 5 || echo on', { ...times(Number), ...parts })).rejects.toThrow(new RangeError('a bug'));
  });

  it('is no failure where the run has ended, or its reader has left', async () => {
    const forever = {
      run: async ({ out, tick }: Writes) => {
        for (;;) {
          await out.write('y\n');
          await tick();
        }
      },
    };
    expect(await run('greet | head -n 1', forever)).toMatchObject({ stderr: '', stdout: 'y\n', exitCode: 0 });
    expect(await run('set -o pipefail; greet | head -n 1', forever)).toMatchObject({ stderr: '', exitCode: 141 });
    const shell = createShell({ timeoutMs: 100 }, { builtins: [define({ ...right, ...forever })] });
    expect(await shell.run('greet >/dev/null || echo on')).toMatchObject({ stderr: '', stdout: '', status: 'timeout' });
  });
});

describe('createShell', () => {
  it.each<[unknown, string]>([
    [{ builtin: [] }, "createShell: 'builtin' is not one of its options"],
    [{ builtins: right }, 'createShell: builtins must be a list of commands made with defineBuiltin'],
    [{ builtins: [right] }, 'createShell: builtins must be a list of commands made with defineBuiltin'],
    [{ files: { '/a': 'b' } }, 'createShell: files must be files made with memoryFs'],
    [{ commandNotFound: 127 }, 'createShell: commandNotFound must be a function'],
    ['x', 'createShell: the options must be an object'],
  ])('refuses %j', (options, message) => {
    expect(() => createShell({}, options as object)).toThrow(TypeError);
    expect(() => createShell({}, options as object)).toThrow(message);
  });

  it('warns of a granted command that is none, and of no other', async () => {
    const allowedCommands = ['gerp', 'cat', 'gunzip', 'cd', 'sh', 'greet', 'hi', 'ps', 'docker'];
    const policy = { allowedCommands, external: ['docker:ro'] };
    const shell = createShell(policy, { builtins: [define({ ...right, aliases: ['hi'] })] });
    const { warnings } = await shell.run(':');
    expect(warnings.filter((warning) => warning.startsWith('allowedCommands'))).toEqual([
      "allowedCommands 'gerp': there is no command of that name (grep?)",
    ]);
    const session = shell.session();
    expect((await session.run(':')).warnings.join()).toContain('gerp');
    expect((await session.run(':')).warnings.join()).not.toContain('gerp');
  });
});
