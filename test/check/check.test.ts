/** `check` says before a run what the policy will refuse, and says no more than it knows. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtins } from '../../builtins/index.js';
import { REMEDIATION_ONLY } from '../../src/check/commands.js';
import { check, type Policy } from '../../src/index.js';
import { rmsh } from '../support/cli.js';
import { withTree } from '../support/tree.js';

const FILES = {
  'rw/f': 'x\n',
  'rw/d/g': 'x\n',
  'rw/link': { symlink: 'f' },
  'rw/dirlink': { symlink: 'd' },
  'rw/hard': { hardlink: 'rw/f2' },
  'rw/f2': '',
  'ro/f': 'x\n',
  'out/f': 'x\n',
} as const;

type Row = readonly [script: string, verdict: 'refused' | 'allowed' | 'unknown', reason: string];

function rows(policy: (base: string) => Policy, table: readonly Row[]): void {
  it.each(table)('%s is %s', (script, verdict, reason) =>
    withTree(FILES, (base) => {
      const { commands, problem } = check(script.replaceAll('BASE', base), policy(base), { cwd: join(base, 'rw') });
      expect(problem).toBeUndefined();
      const last = commands.at(-1);
      expect(last).toMatchObject({ verdict });
      expect(last?.reason ?? '').toContain(reason);
    }),
  );
}

const paths = (base: string): string[] => [`${base}/rw:rw`, `${base}/ro`];

describe('in read-only mode', () => {
  rows(
    (base) => ({ allowedPaths: paths(base) }),
    [
      ['rm f', 'refused', 'read-only'],
      ['rm "$x"', 'refused', 'read-only'],
      ['\\rm f', 'refused', 'read-only'],
      ['/bin/rm f', 'refused', 'read-only'],
      ['command rm f', 'refused', 'read-only'],
      ['exec rm f', 'refused', 'read-only'],
      ['echo x > f', 'refused', 'read-only'],
      ['{ echo x; } >> f\n:', 'allowed', ''],
      ['echo x > /dev/null', 'allowed', ''],
      ['cat < /dev/stdin', 'allowed', ''],
      ['cat < /dev/stdout', 'unknown', "'/dev/stdout' is looked at when it runs"],
      ['echo x > /dev/stdin', 'unknown', "'/dev/stdin' is looked at when it runs"],
      ['cd /dev/null', 'refused', 'outside of every granted path'],
      ['echo x >&2', 'allowed', ''],
      ['echo x > "$f"', 'unknown', 'known only when it runs'],
      ['cat f BASE/ro/f d/g', 'allowed', ''],
      ['cat link', 'unknown', 'symbolic link'],
      ['cat dirlink/g', 'unknown', 'symbolic link'],
      ['cat /etc/passwd', 'refused', 'outside of every granted path'],
      ['cat ../out/f', 'refused', 'outside'],
      ['cat d/../../out/f', 'unknown', "where '..'"],
      ['cat < BASE/out/f', 'refused', 'outside'],
      ['cat < missing > /etc/x', 'unknown', ''],
      ['set -C; echo x > BASE/ro/f', 'unknown', 'set -C'],
      ['set -eC; echo x > BASE/ro/f', 'unknown', 'set -C'],
      ['set -o noclobber; echo x > BASE/ro/f', 'unknown', 'set -C'],
      ['set -C; echo x >| BASE/ro/f', 'refused', 'read-only'],
      ['set -C; echo x >> BASE/ro/f', 'refused', 'read-only'],
      ['set -e; echo x > BASE/ro/f', 'refused', 'read-only'],
      ['cd d; cat f', 'unknown', 'relative'],
      ['cd d; cat /etc/passwd', 'refused', 'outside'],
      ['$x f', 'unknown', 'which command'],
      ['$x; cat /etc/passwd', 'unknown', 'may be a function'],
      ['rm() { :; }; rm f', 'unknown', 'is a function'],
      ['rm() { :; }; command rm f', 'refused', 'read-only'],
      ['export() { :; }; export x', 'allowed', ''],
      ['eval "$x"; rm f', 'unknown', 'may be a function'],
      ['alias rm=:\nrm f', 'unknown', 'alias'],
      ['. ./lib; rm f', 'unknown', 'may be'],
      ['foo', 'refused', 'not inside'],
      ['PATH=.; foo', 'unknown', 'PATH'],
      ['sudo rm f', 'refused', 'not inside'],
      ['ps', 'refused', ''],
      ['find . -name x', 'unknown', ''],
      ['head -n 1 /etc/passwd', 'unknown', ''],
      ['grep -q x f /etc/passwd', 'unknown', ''],
      ['grep x /etc/passwd', 'refused', 'outside'],
      ['env X=1 cat /etc/passwd', 'refused', 'outside'],
      ['env cat f', 'allowed', ''],
      ['env -i cat f', 'unknown', ''],
      ['env "$x" cat f', 'unknown', ''],
      ['timeout 5 cat /etc/passwd', 'refused', 'outside'],
      ['timeout 5 cat f', 'unknown', ''],
      ['find . -exec cat /etc/passwd \\;', 'unknown', "where it runs 'cat' that is refused"],
      ['xargs touch', 'refused', 'read-only'],
      ['xargs -r touch', 'unknown', "where it runs 'touch' that is refused"],
      ['xargs -0rn 1 touch', 'unknown', 'read-only'],
      ['env export x', 'unknown', ''],
      ['echo /etc/*', 'unknown', 'patterns'],
      ['echo "/etc/*"', 'allowed', ''],
    ],
  );
});

describe('in remediation mode', () => {
  rows(
    (base) => ({ mode: 'remediation', allowedPaths: paths(base), limits: { maxRemovalsPerRun: 3 } }),
    [
      ['rm /dev/null', 'refused', 'outside of every granted path'],
      ['mkdir /dev/null', 'refused', 'outside of every granted path'],
      ['rm f', 'allowed', ''],
      ['rm -v f d/g', 'allowed', ''],
      ['rm -rf d', 'refused', "no option '-rf'"],
      ['rm -f "$x"', 'refused', "no option '-f'"],
      ['rm "$x" -rf', 'unknown', ''],
      ['rm -- -rf', 'allowed', ''],
      ['rm --help -rf', 'unknown', ''],
      ['rm -h -rf', 'unknown', ''],
      ['rm 1 2 3 4 5 6 7 8 9 10 11', 'refused', '11 files'],
      ['rm f* ', 'unknown', 'known only when it runs'],
      ['rm BASE/ro/f', 'refused', 'reading only'],
      ['rm BASE/out/f', 'refused', 'outside'],
      ['rm f d/g 1 2', 'unknown', 'budget'],
      ['for x in 1 2; do rm f; done', 'unknown', 'budget'],
      ['xargs rm; rm f', 'unknown', ''],
      ['echo x > hard', 'unknown', 'another name'],
      ['echo x > link', 'unknown', 'symbolic link'],
      ['echo x > new', 'allowed', ''],
      ['ln -s /etc l; echo x > new', 'unknown', 'may put a link'],
      ['echo x > BASE/ro/f', 'refused', 'reading only'],
      ['mkdir new', 'allowed', ''],
      ['tee f /etc/x', 'refused', 'outside'],
      ['touch -m /etc/x', 'refused', 'outside'],
      ['touch -d x /etc/x', 'unknown', ''],
      ['chmod 600 /etc/passwd', 'unknown', ''],
      ['touch -c /etc/x', 'unknown', ''],
      ['rmdir BASE/out', 'refused', 'outside'],
      ['xargs rm -r', 'refused', "no option '-r'"],
      ['xargs -0 -n 10 rm -rf --', 'refused', "no option '-rf'"],
      ['xargs -I X rm X', 'unknown', ''],
      ['xargs -L x rm -r', 'unknown', ''],
      ['fgrep -E x /etc/passwd', 'unknown', ''],
      ['xargs -I -r rm -r', 'unknown', ''],
      ['xargs --null rm -r', 'unknown', ''],
      ['find . -type f -exec rm -f {} +', 'unknown', "no option '-f'"],
      ['find . -type f -exec rm {} +', 'unknown', ''],
      ['xargs env X=1 timeout 3 rm -r', 'refused', "no option '-r'"],
      ['env rm -r d', 'refused', "no option '-r'"],
      ['timeout 1m rm -r d', 'refused', "no option '-r'"],
      ['timeout x rm -r d', 'unknown', ''],
    ],
  );
});

describe('with a list of commands', () => {
  rows(
    (base) => ({ allowedPaths: paths(base), allowedCommands: ['cat', 'gzip'] }),
    [
      ['cat f', 'allowed', ''],
      ['ls', 'refused', 'not among'],
      ['echo x', 'allowed', ''],
      ['gunzip -c f', 'unknown', ''],
      ['command cat f', 'refused', "'command' is not among"],
      ['exec cat f', 'allowed', ''],
      ['set -e', 'allowed', ''],
    ],
  );
});

describe('the result', () => {
  it('has every command with its line, also in texts, bodies, substitutions and here-documents', () => {
    const script = 'f() {\n  rm a\n}\nx=$(rm b)\neval "\nrm c"\ntrap \'rm d\' EXIT\ncat <<E\n`rm e`\nE\nsh -c "rm g"\n';
    const removed = check(script, {}, {}).commands.filter(({ command }) => command.startsWith('rm'));
    expect(removed.map(({ line, command, verdict }) => `${line} ${command} ${verdict}`)).toEqual([
      '2 rm a refused',
      '4 rm b refused',
      '6 rm c refused',
      '7 rm d refused',
      '9 rm e refused',
      '11 rm g refused',
    ]);
  });

  it('knows of what stands before a thing that may change everything, and not of what runs later', () => {
    const verdicts = (script: string): string[] =>
      check(script, { mode: 'remediation' }).commands.map(({ command, verdict }) => `${command}: ${verdict}`);
    expect(verdicts('rm /a\n$x\nrm /b')).toEqual(
      ['rm /a: refused', '"$x": unknown', 'rm /b: unknown'].map((one) => one.replaceAll('"', '')),
    );
    expect(verdicts('rm a\ncd /x\nrm b')[0]).toBe('rm a: refused');
    expect(verdicts('f() { rm /a; }\nf\n$x')[0]).toBe('rm /a: unknown');
    expect(verdicts("trap 'rm /a' EXIT\n$x")).toContain('rm /a: unknown');
    expect(verdicts('for i in 1 2; do rm /a; $x; done')[0]).toBe('rm /a: unknown');
    expect(verdicts('rm /a; alias rm=:')[0]).toBe('rm /a: unknown');
  });

  it('counts what is removed up to a command, and everything where commands go on beside each other', () =>
    withTree(FILES, (base) => {
      const verdicts = (script: string): string[] => {
        const limits = { maxRemovalsPerRun: 1 };
        const policy: Policy = { mode: 'remediation', allowedPaths: [`${base}:rw`], limits };
        return check(script, policy, { cwd: base }).commands.map(({ verdict }) => verdict);
      };
      expect(verdicts('rm 1\nrm 2')).toEqual(['allowed', 'unknown']);
      expect(verdicts('rm 1 &\nrm 2')).toEqual(['unknown', 'unknown']);
      expect(verdicts('rm 1\nln -s /etc x')[0]).toBe('allowed');
      expect(verdicts('rm 1 <(:)\nln -s /etc x')[0]).toBe('unknown');
    }));

  it('takes a command that runs a command that runs a command as it is', () => {
    for (const chain of ['timeout 1 ', 'env ', 'xargs ', 'command ', 'exec ', 'eval ']) {
      const { commands } = check(`${chain.repeat(20_000)}ls`, {});
      expect(commands[0]).toMatchObject({ verdict: 'unknown' });
    }
  });

  it('says where the script stops being one', () => {
    expect(check('echo a\nif\nfi', {}).problem).toMatchObject({ line: 3 });
  });

  it.each([null, undefined, 5, {}])('refuses a script that is no text: %s', (script) => {
    expect(() => check(script as unknown as string, {})).toThrow(new TypeError('check: the script must be a string'));
  });

  it('knows which commands change files by their nature', () => {
    const named = builtins.filter(({ definition }) => definition.remediationOnly === true).map(({ name }) => name);
    expect([...REMEDIATION_ONLY].sort()).toEqual(named.sort());
  });
});

describe('--check', () => {
  it('runs nothing, and has a status', async () => {
    expect(await rmsh(['--check', '-c', 'echo hi'])).toMatchObject({
      status: 0,
      stdout: '0 refused, 1 allowed, 0 unknown\n',
    });
    const refused = await rmsh(['--check', '-c', 'echo hi\nrm x', 'script']);
    expect(refused).toMatchObject({ status: 1, stderr: '' });
    expect(refused.stdout).toBe(
      "script: line 2: refused: rm x\n    'rm' changes files, and the mode is read-only\n    instead: --mode remediation\n1 refused, 1 allowed, 0 unknown\n",
    );
    expect(await rmsh(['--check', '-c', 'if'])).toMatchObject({ status: 2 });
    const json = await rmsh(['--check', '--json', '-c', 'rm x']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      commands: [{ line: 1, verdict: 'refused', instead: '--mode remediation' }],
    });
    expect((await rmsh(['--check', '-s'])).status).toBe(2);
  });

  it('reads a file', () =>
    withTree({ s: 'cat /etc/passwd\n' }, async (base) => {
      expect(await rmsh(['--check', 's'], { cwd: base })).toMatchObject({ status: 1 });
    }));
});

it('a command that is not inside may be a program to grant, but no file can be', () => {
  const { commands } = check('curl x; ./curl x; sudo ls', { allowedPaths: ['/nowhere'] });
  expect(commands.map((one) => one.instead)).toEqual([
    "'rmsh help' lists what is; --allow-external curl grants a program of the host",
    expect.not.stringContaining('--allow-external'),
    "leave out 'sudo'",
  ]);
});

describe("the interpreter's own devices go the way they are open", () => {
  const reads = ['null', 'zero', 'full', 'stdin'];
  const writes = ['null', 'zero', 'full', 'stdout', 'stderr'];
  const all = [...new Set([...reads, ...writes])];
  const forms: readonly (readonly [
    make: (device: string) => string,
    allowed: readonly string[],
    otherwise?: 'refused',
  ])[] = [
    [(device) => `: < ${device}`, reads],
    [(device) => `cat ${device}`, reads],
    [(device) => `: > ${device}`, writes],
    [(device) => `: >> ${device}`, writes],
    [(device) => `: &> ${device}`, writes],
    [(device) => `: <> ${device}`, writes],
    [(device) => `tee ${device}`, writes],
    [(device) => `\\rm ${device}`, [], 'refused'],
    [(device) => `rm -v ${device}`, [], 'refused'],
    [(device) => `mkdir ${device}`, [], 'refused'],
    [(device) => `cd ${device}`, [], 'refused'],
  ];
  rows(
    (base) => ({ mode: 'remediation', allowedPaths: paths(base) }),
    forms.flatMap(([make, allowed, otherwise]) =>
      all.map((name): Row => [make(`/dev/${name}`), allowed.includes(name) ? 'allowed' : (otherwise ?? 'unknown'), '']),
    ),
  );
});
