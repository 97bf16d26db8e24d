/** The man page, the completions and the topics: made from the definitions, and good for the programs that read them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { builtins } from '../../builtins/index.js';
import { helpText } from '../../builtins/kit/usage.js';
import { GENERATED } from '../../src/cli/documents/generated.js';
import { LONG_OPTIONS } from '../../src/cli/options.js';
import { TOPICS, topicText } from '../../src/cli/topics.js';
import { LIMITS } from '../../src/limits.js';
import { checkBuild, rmsh } from '../support/cli.js';
import { withTree } from '../support/tree.js';

checkBuild();
const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
const required = process.env['RMSH_REQUIRE_ORACLES'] === '1';

/** A tool to judge by; in CI it has to be there. */
function judge(program: string): boolean {
  const there = has(program);
  if (!there && required) throw new Error(`${program} is not installed`);
  if (!there) console.warn(`${program} is not installed: what is made for it is not tried`);
  return there;
}

describe('what the build wrote', () => {
  it.each(Object.entries(GENERATED))('is current: %s', (name, write) => {
    expect(readFileSync(join(dist, name), 'utf8')).toBe(write());
  });
});

describe('rmsh.1', () => {
  it.skipIf(!judge('groff'))(
    'is a page that groff sets without a warning, with all options, limits, topics and commands',
    () => {
      const { status, stdout, stderr } = spawnSync('groff', ['-man', '-ww', '-Tascii', '-P-c', join(dist, 'rmsh.1')], {
        encoding: 'utf8',
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      // Bold is a letter, a backspace and the letter.
      const text = stdout.replace(/.\x08/g, '');
      const names = [
        ...Object.keys(LONG_OPTIONS).map((name) => `--${name}`),
        ...Object.keys(LIMITS),
        ...[...TOPICS.keys()].map((name) => name.toUpperCase()),
        ...builtins.map(({ name }) => name),
      ];
      expect(names.filter((name) => !text.includes(name))).toEqual([]);
      // What is special to troff is there as it is typed.
      expect(text).toContain("-c 'COMMANDS' [NAME [ARG]...]");
      expect(text).toContain('find ... -exec rm {} \\;');
      expect(text).toContain('"mode": "remediation"');
    },
  );

  it('is what package.json names', () => {
    const { man } = JSON.parse(readFileSync(join(dist, '../package.json'), 'utf8'));
    expect(existsSync(join(dist, '..', man))).toBe(true);
  });
});

describe('the completion of bash', () => {
  /** What bash offers for the last word of a line: the function is called as bash would, with the words bash makes of it. */
  const offered = (directory: string, ...words: string[]): string[] =>
    execFileSync(
      'bash',
      [
        '--norc',
        '-c',
        'source "$1"; shift; COMP_WORDS=(rmsh "$@"); COMP_CWORD=$#; _rmsh; printf "%s\\n" "${COMPREPLY[@]}"',
        'bash',
        join(dist, 'completions/rmsh.bash'),
        ...words,
      ],
      { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
    )
      .split('\n')
      .filter((line) => line !== '');

  it('is registered', () => {
    const script = join(dist, 'completions/rmsh.bash');
    expect(execFileSync('bash', ['--norc', '-c', `source ${script}; complete -p rmsh`], { encoding: 'utf8' })).toBe(
      'complete -F _rmsh rmsh\n',
    );
  });

  it.each<[string[], string[]]>([
    [['--all'], ['--allow-path', '--allow-command', '--allow-host', '--allow-external']],
    [
      ['--mode', 'r'],
      ['read-only', 'remediation'],
    ],
    [['--mode', '=', 'rem'], ['remediation']],
    [
      ['--mode', '='],
      ['read-only', 'remediation'],
    ],
    [['--limit', 'maxRemove'], ['maxRemoveOperands=']],
    [['--require-level', 'k'], ['kernel-anchored']],
    [['--allow-path', 'd'], ['dir']],
    [
      ['--policy', ''],
      ['dir', 'my script.sh'],
    ],
    [['--json', 'm'], ['my script.sh']],
    [['--mode', 'remediation', 'h'], ['help']],
    [['my script.sh', '--mo'], []],
    [['my script.sh', 'd'], ['dir']],
    [['help', 'pol'], ['policy']],
    [['help', 'policy', 'logr'], ['logrotate']],
    [['audit', ''], ['verify']],
    [['audit', 'verify', 'd'], ['dir']],
    [['--timeout', ''], []],
  ])('of rmsh %j is %j', (words, expected) =>
    withTree({ 'my script.sh': '', 'dir/f': '' }, (directory) => {
      expect(offered(directory, ...words).sort()).toEqual([...expected].sort());
    }),
  );

  it('offers every option', () =>
    withTree({}, (directory) => {
      expect(offered(directory, '--').sort()).toEqual(
        Object.keys(LONG_OPTIONS)
          .map((name) => `--${name}`)
          .sort(),
      );
    }));
});

describe.skipIf(!judge('fish'))('the completion of fish', () => {
  it.each([
    ['rmsh --all', ['--allow-command', '--allow-external', '--allow-host', '--allow-path']],
    ['rmsh --mode r', ['read-only', 'remediation']],
    ['rmsh --limit maxRemove', ['maxRemoveOperands=']],
    ['rmsh help pol', ['policy']],
  ])('of %j', (line, expected) =>
    withTree({}, (directory) => {
      const stdout = execFileSync(
        'fish',
        ['--no-config', '-c', `source ${join(dist, 'completions/rmsh.fish')}; complete -C '${line}'`],
        {
          encoding: 'utf8',
          cwd: directory,
          env: { HOME: directory, PATH: process.env['PATH'] ?? '' },
        },
      );
      expect(
        stdout
          .split('\n')
          .filter((one) => one !== '')
          .map((one) => one.split('\t')[0])
          .sort(),
      ).toEqual(expected);
    }),
  );
});

describe.skipIf(!judge('zsh'))('the completion of zsh', () => {
  /** What zsh shows for a Tab: only a shell on a terminal completes, and `zpty` is one. */
  const shown = (directory: string, line: string): string =>
    execFileSync(
      'zsh',
      [
        '-f',
        '-c',
        `zmodload zsh/zpty
        zpty z zsh -f -i
        zpty -w z 'PS1=; fpath=(${join(dist, 'completions')} $fpath); autoload -U compinit; compinit -u -D; unsetopt beep; LISTMAX=1000; print READ""Y'
        zpty -r z out '*READY*'
        zpty -n -w z '${line}'$'\\t\\t'
        sleep 1.5
        out=; while zpty -rt z part; do out+=$part; done
        print -r -- "$out"
        zpty -d z`,
      ],
      { encoding: 'utf8', cwd: directory, env: { HOME: directory, PATH: process.env['PATH'] ?? '', TERM: 'dumb' } },
    );

  it.each([
    ['rmsh --requ', '--require-level='],
    ['rmsh --mode rem', 'remediation'],
    ['rmsh --limit maxRemoveO', 'maxRemoveOperands='],
    ['rmsh help logr', 'logrotate'],
    ['rmsh --mode remediation --aud', '--audit='],
  ])('of %j has %s', (line, expected) =>
    withTree({}, (directory) => {
      expect(shown(directory, line)).toContain(expected);
    }),
  );
});

describe('rmsh help', () => {
  it('lists the commands and the topics', async () => {
    const { status, stdout, stderr } = await rmsh(['help']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    for (const name of ['logrotate', ...TOPICS.keys()]) expect(stdout).toMatch(new RegExp(`\\b${name}\\b`));
  });

  it.each([...TOPICS.keys()])('explains %s, on lines of 80 columns', async (name) => {
    const { status, stdout, stderr } = await rmsh(['help', name]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(`${name}: `);
    const text = topicText(name) ?? '';
    expect(stdout.endsWith(text)).toBe(true);
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('lists apart what the policy does not grant', async () => {
    const section = (stdout: string, title: string): string[] =>
      (new RegExp(`^${title}:\\n((?: .*\\n)+)`, 'm').exec(stdout)?.[1] ?? '')
        .split(/\s+/)
        .filter((name) => name !== '');
    const plain = (await rmsh(['-c', 'help'])).stdout;
    expect(section(plain, 'Not granted')).toEqual(['free', 'ip', 'lsof', 'pgrep', 'ps', 'ss', 'vmstat']);
    expect(section(plain, 'Commands')).not.toContain('ps');
    expect((await rmsh(['--allow-host', '-c', 'help'])).stdout).not.toContain('Not granted');
    const few = (await rmsh(['--allow-command', 'cat', '-c', 'help'])).stdout;
    expect(section(few, 'Commands')).toContain('cat');
    expect(section(few, 'Commands')).not.toContain('ls');
    expect(section(few, 'Not granted')).toEqual(expect.arrayContaining(['ls', 'kill', 'rm', 'type']));
  });

  it('explains every command on lines of 80 columns', () => {
    const long = builtins.flatMap(({ name, definition }) =>
      helpText(definition)
        .split('\n')
        .filter((line) => line.length > 80)
        .map((line) => `${name}: ${line}`),
    );
    expect(long).toEqual([]);
  });

  it('tells of rm what it does and what holds it back', async () => {
    const { stdout } = await rmsh(['help', 'rm']);
    expect(stdout).toMatch(/^Usage: rm [\s\S]*^rm: the two limits of removing$/m);
  });

  it('says what it does not know, and goes on', async () => {
    const { status, stdout, stderr } = await rmsh(['help', 'nosuch', 'limits']);
    expect(status).toBe(1);
    expect(stderr).toContain('nosuch');
    expect(stdout).toContain('maxRemovalsPerRun');
  });

  it('names keys of a policy, and each is one', async () => {
    const { stdout } = await rmsh(['help', 'policy']);
    const keys = [...stdout.matchAll(/ {3,}"(\w+)":/g)].map((match) => match[1] ?? '');
    const schema = JSON.parse(readFileSync(join(dist, 'policy.schema.json'), 'utf8'));
    expect(keys.length).toBeGreaterThan(6);
    expect(keys.filter((key) => schema.properties[key] === undefined)).toEqual([]);
  });
});

describe('--version', () => {
  it('names rmsh, Node and the level of the sandbox', async () => {
    const { version } = JSON.parse(readFileSync(join(dist, '../package.json'), 'utf8'));
    const { stdout } = await rmsh(['--version']);
    expect(stdout).toMatch(
      new RegExp(`^rmsh ${version}\nnode ${process.version}\nsandbox (kernel-anchored|best-effort)\n$`),
    );
  });
});

describe('a script that is called as a word of the command line', () => {
  it.each(['fuzz', 'help', 'audit'])('is run as ./%s', (name) =>
    withTree({ [name]: 'echo "$0 $1"\n' }, async (directory) => {
      expect(await rmsh([`./${name}`, 'x'], { cwd: directory })).toMatchObject({ status: 0, stdout: `./${name} x\n` });
    }),
  );
});
