/** Programs of the host: started as any shell starts them, only where they are granted, and gone when the run is. */
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createShell, PolicyError } from '../../src/index.js';
import { type CliOptions, rmsh, watchMemory } from '../support/cli.js';
import { withTree } from '../support/tree.js';

/** A tree with programs in `bin`: `cat`, a binary, as `xcat`, and scripts of sh. `grants` has them all, and `rw` to write in. */
function withPrograms(
  scripts: Readonly<Record<string, string>>,
  act: (root: string, grants: string[]) => Promise<void>,
): Promise<void> {
  return withTree({}, async (root) => {
    mkdirSync(join(root, 'bin'));
    mkdirSync(join(root, 'rw'));
    copyFileSync('/bin/cat', join(root, 'bin/xcat'));
    for (const [name, text] of Object.entries(scripts)) makeScript(join(root, 'bin', name), `#!/bin/sh\n${text}`);
    const grants = ['xcat', ...Object.keys(scripts)].flatMap((name) => ['--allow-external', join(root, 'bin', name)]);
    await act(root, ['--mode', 'remediation', '--allow-path', `${join(root, 'rw')}:rw`, ...grants]);
  });
}

function makeScript(path: string, text: string): void {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

const run = (args: readonly string[], script: string, options: CliOptions = {}) =>
  rmsh([...args, '-c', script], options);

describe('a program of the host', { timeout: 60_000 }, () => {
  it('gets its words, the exported variables and three descriptors, and nothing else', () =>
    withPrograms(
      { words: 'printf "<%s>" "$@"; echo', variables: 'exec /usr/bin/env', open: 'exec /bin/ls -l /proc/self/fd' },
      async (root, grants) => {
        const words = await run(grants, `words 'a b' '' '*' "$(printf 'c\\nd')" é`);
        expect(words.stdout).toBe('<a b><><*><c\nd><é>\n');
        const env = { HOME: '/root', NODE_V8_COVERAGE: root };
        const variables = await run([...grants, '--env', 'FROM=policy'], 'a=1; export b=2; c=3 variables', {
          env,
          cwd: root,
        });
        expect(variables.stdout.split('\n').sort()).toEqual(['', 'FROM=policy', `PWD=${root}`, 'b=2', 'c=3']);
        // ls has the directory open as 3. Of what our own caller has left open above, there is nothing but the number.
        const open = await run(grants, 'exec 5>&1; open 7</dev/null', {
          stdio: ['ignore', 'pipe', 'pipe', 'ignore', 'ignore'],
        });
        const descriptors = open.stdout.split('\n').flatMap((line) => / (\d+) -> (.*)/.exec(line)?.slice(1, 3) ?? []);
        const others = descriptors.filter((_, i) => i % 2 === 0 && descriptors[i + 1] !== '/dev/null');
        expect(others).toEqual(['1', '2', '3']);
      },
    ));

  it('has its status, or 128 and its signal; 126 and 127 say why', () =>
    withPrograms({ seven: 'exit 7', killed: 'kill -KILL $$', lost: '' }, async (root, grants) => {
      writeFileSync(join(root, 'bin/lost'), '#!/nonexistent/sh\n');
      const script =
        'seven; echo $?; killed; echo $?; killed | cat; echo ${PIPESTATUS[0]}; lost; echo $?; ! seven; echo $?; x=$(seven); echo $?';
      expect(await run(grants, script)).toMatchObject({
        stdout: '7\n137\n137\n127\n0\n7\n',
        stderr: 'rmsh: line 1: lost: No such file or directory\n',
      });
      const large = await run(grants, `x=$(head -c 200000 /dev/zero | tr '\\0' a); seven "$x"; echo $?`);
      expect(large).toMatchObject({ stdout: '126\n', stderr: 'rmsh: line 1: seven: Argument list too long\n' });
    }));

  it('passes bytes as they are, from a file, a pipe, a here-document, and to each of them', () =>
    withPrograms({}, async (root, grants) => {
      const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
      writeFileSync(join(root, 'rw/in'), bytes);
      const script = [
        'xcat <in >a; cat in | xcat | cat >b; xcat /dev/stdin <in | cat >d',
        'xcat <<E >c',
        'here',
        'E',
        'xcat <<<string >>c; xcat <in >/dev/null; xcat </dev/null; x=$(xcat c); echo "$x"; xcat <&-',
      ];
      const result = await run(grants, script.join('\n'), { cwd: join(root, 'rw') });
      expect(result).toMatchObject({ stdout: 'here\nstring\n', stderr: '' });
      for (const name of ['a', 'b', 'd']) expect(readFileSync(join(root, 'rw', name)).equals(bytes), name).toBe(true);
    }));

  it.each([
    ['a pipe', (_: string) => 'seq 40000 | { read a; two; read b; three; echo $a $b; tail -n 1; }'],
    ['a file', (rw: string) => `seq 40000 >${rw}/n; { read a; two; read b; three; echo $a $b; tail -n 1; } <${rw}/n`],
    ['standard input', (_: string) => 'read a; two; read b; three; echo $a $b; tail -n 1'],
  ])('reads of %s what it reads, and leaves the rest', async (_of, script) => {
    await withPrograms({ two: 'exec dd bs=1 count=4 2>/dev/null', three: ':' }, async (root, grants) => {
      const stdin = Array.from({ length: 40_000 }, (_, i) => `${i + 1}\n`).join('');
      const result = await run(grants, script(join(root, 'rw')), { stdin });
      expect(result).toMatchObject({ stdout: '2\n3\n1 4\n40000\n', stderr: '' });
    });
  });

  it('does not take the lines of the loop it is called in', () =>
    withPrograms({ nothing: ':' }, async (_root, grants) => {
      const result = await run(grants, 'seq 50 | while read x; do nothing; echo $x; done | tail -n 1');
      expect(result.stdout).toBe('50\n');
    }));

  it('keeps the order of what is written on one stream', () =>
    withPrograms({ both: 'echo out; echo err >&2; echo out >>/dev/stdout' }, async (root, grants) => {
      const script = '{ echo 1; both; echo 2 >&2; both; echo 3; }';
      const wanted = '1\nout\nerr\nout\n2\nout\nerr\nout\n3\n';
      expect((await run(grants, `${script} 2>&1 | cat`)).stdout).toBe(wanted);
      await run(grants, `${script} >>${root}/rw/f 2>&1`);
      expect(readFileSync(join(root, 'rw/f'), 'utf8')).toBe(wanted);
      const shell = createShell({ mode: 'remediation', external: [join(root, 'bin/both')] });
      expect((await shell.run(`exec 2>&1; ${script}`)).stdout).toBe(wanted);
    }));

  it('lets 200 MB through in bounded memory', () =>
    withPrograms({}, async (_root, grants) => {
      let peak: () => number | undefined = () => undefined;
      const result = await run(grants, 'head -c 200000000 /dev/zero | xcat | wc -c', {
        within: 50_000,
        onStart: (child) => {
          peak = watchMemory(child);
        },
      });
      expect(result.stdout).toBe('200000000\n');
      expect(peak() ?? 0).toBeLessThan(150);
    }));

  it('that floods a reader which leaves is ended by the pipe', () =>
    withPrograms({ flood: 'while :; do echo y; done' }, async (_root, grants) => {
      const result = await run(grants, 'flood | head -n 1; echo ${PIPESTATUS[0]}; yes | { xcat | head -n 1; }');
      expect(result.stdout).toBe('y\n141\ny\n');
    }));

  it('that closes its streams or leaves its input goes on', () =>
    withPrograms(
      { closes: 'exec <&- >&-; sleep 0.3; echo end >&2; exit 4', leaves: 'exit 5' },
      async (_root, grants) => {
        const result = await run(grants, 'seq 100000 | closes | wc -c; seq 100000 | leaves; echo $?');
        expect(result).toMatchObject({ stdout: '0\n5\n', stderr: 'end\n' });
      },
    ));

  it('runs where the shell is, however that is renamed, and where the caller began', () =>
    withPrograms({ where: 'pwd -P; ls' }, async (root, grants) => {
      const script = `where; cd ${root}/rw; mkdir d; >d/x; cd d; where; mv ../d ../e; where; echo $?`;
      expect(await run(grants, script, { cwd: root })).toMatchObject({
        stdout: `${root}\nbin\nrw\n${root}/rw/d\nx\n127\n`,
        stderr: 'rmsh: line 1: where: No such file or directory\n',
      });
    }));

  it('is found by every way a command is run, and by no other name', () =>
    withPrograms({ say: 'echo "said $*"' }, async (root, grants) => {
      const script = [
        'say 1; command say 2; eval say 3; echo 4 | xargs say; find . -maxdepth 0 -exec say {} \\;; env say 5; sh -c "say 6"',
        'x=say; $x 7; (say 8); say 9 & wait; trap "say 10" EXIT; f() { say 11; }; f',
        `${root}/bin/say 12; command -v say; say() { echo function; }; say; unset -f say; ${root}/bin/../bin/say; echo $?; say2; echo $?`,
      ];
      const result = await run(grants, script.join('\n'), { cwd: join(root, 'rw') });
      const said = (...words: unknown[]) => words.map((word) => `said ${word}\n`).join('');
      expect(result.stdout).toBe(
        `${said(1, 2, 3, 4, '.', 5, 6, 7, 8, 9, 11, 12)}${root}/bin/say\nfunction\n126\n127\n${said(10)}`,
      );
      expect((await run(grants, 'exec say; echo no')).stdout).toBe('said \n');
    }));
});

describe('a program is not started', { timeout: 60_000 }, () => {
  it('when it is not granted, and the hint says what would', async () => {
    expect(await rmsh(['-c', 'mkfifo x; nosuchprogram; /usr/bin/mkfifo'])).toMatchObject({
      status: 126,
      stdout: '',
      stderr:
        'rmsh: line 1: mkfifo: command not found (a program of the host: --allow-external mkfifo grants it)\n' +
        'rmsh: line 1: nosuchprogram: command not found\nrmsh: line 1: /usr/bin/mkfifo: Permission denied\n',
    });
  });

  it('in read-only mode, unless the grant says that it changes nothing', () =>
    withPrograms({ look: 'echo looked' }, async (root) => {
      const refused = await rmsh(['--allow-external', `${root}/bin/look`, '-c', 'look; echo $?']);
      expect(refused.stdout).toBe('126\n');
      expect(refused.stderr).toContain('look: remediation mode required');
      const granted = await rmsh(['--allow-external', `${root}/bin/look:ro`, '-c', 'look']);
      expect(granted).toMatchObject({ stdout: 'looked\n', stderr: '' });
    }));

  it('where the script could write: itself, behind a link, its interpreter', () =>
    withPrograms({ tool: 'echo ran' }, async (root, grants) => {
      copyFileSync('/bin/cat', join(root, 'rw/tool'));
      symlinkSync('rw', join(root, 'alias'));
      symlinkSync('../rw/tool', join(root, 'bin/link'));
      makeScript(join(root, 'bin/byway'), `#!${root}/alias/tool\n`);
      for (const path of ['rw/tool', 'alias/tool', 'bin/link', 'bin/byway']) {
        const result = await run([...grants.slice(0, 4), '--allow-external', join(root, path)], 'echo begun');
        expect(result, path).toMatchObject({ status: 2, stdout: '' });
        expect(result.stderr).toContain(`${root}/rw/tool lies in the root ${root}/rw, where scripts may write`);
      }
      const everything = createShell({
        mode: 'remediation',
        allowedPaths: ['/:rw'],
        external: [join(root, 'bin/tool')],
      });
      await expect(everything.run('tool')).rejects.toThrow(PolicyError);
    }));

  it('when another file has taken its place: of a binary the one that was found runs, a script is refused', () =>
    withPrograms({ script: 'echo script', swap: '' }, async (root, grants) => {
      const evil = `cd ${root}/bin; printf '#!/bin/sh\\necho evil\\n' >evil; chmod +x evil; cp evil more; mv evil xcat; mv more script`;
      makeScript(join(root, 'bin/swap'), `#!/bin/sh\n${evil}\n`);
      const result = await run(grants, 'swap; echo good | xcat; script; echo $?', { cwd: root });
      expect(result.stdout).toBe('good\n126\n');
      expect(result.stderr).toContain('script: it is not the file any more that was there when the run began');
    }));

  it('with what cannot be passed on: bytes that are not UTF-8, variables of the loader, a process substitution', () =>
    withPrograms({}, async (root, grants) => {
      const script = `xcat "$(printf 'a\\377')"; A=$(printf '\\377') xcat; LD_PRELOAD=${root}/rw/x.so xcat; xcat <(echo a); echo $?`;
      const result = await run(grants, script);
      expect(result.stdout).toBe('126\n');
      expect(result.stderr.split('\n').map((line) => line.replace('rmsh: line 1: xcat: cannot be given ', ''))).toEqual(
        [
          'an argument that is not UTF-8',
          "the variable 'A', which is not UTF-8",
          "the variable 'LD_PRELOAD': only the policy may set it",
          'a process substitution: it has no descriptors but 0, 1 and 2',
          '',
        ],
      );
      expect((await run([...grants, '--env', 'LD_BIND_NOW=1'], 'echo a | xcat')).stdout).toBe('a\n');
    }));
});

describe('a program ends', { timeout: 60_000 }, () => {
  const STUBBORN = { stubborn: "trap '' TERM INT HUP; echo $$ >pid; sleep 60 & sleep 60; sleep 60" };

  /** Whether anything is at work of the group that the process leads whose number is in `rw/pid`. */
  const alive = (root: string): boolean => {
    const pid = Number(readFileSync(join(root, 'rw/pid'), 'utf8'));
    expect(pid).toBeGreaterThan(1);
    return readdirSync('/proc').some((name) => {
      if (!/^\d+$/.test(name)) return false;
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return Number(group) === pid && state !== 'Z';
      } catch {
        return false;
      }
    });
  };

  it.each([
    ['alone', 'stubborn'],
    ['in a pipeline', 'stubborn | cat'],
    ['in a substitution', 'x=$(stubborn)'],
    ['in the background', 'stubborn & wait'],
    ['of a trap', 'trap stubborn EXIT'],
  ])('with the time of the run, %s, whatever it ignores', async (_where, script) => {
    await withPrograms(STUBBORN, async (root, grants) => {
      const result = await run([...grants, '--timeout', '1s'], script, { cwd: join(root, 'rw') });
      expect(result.status).toBe(124);
      expect(result.milliseconds).toBeLessThan(6000);
      expect(alive(root)).toBe(false);
    });
  });

  it('at once when it does as it is told', () =>
    withPrograms({ hang: 'echo $$ >pid; exec sleep 60' }, async (root, grants) => {
      const result = await run([...grants, '--timeout', '1s'], 'hang | cat; echo no', { cwd: join(root, 'rw') });
      expect(result).toMatchObject({ status: 124, stdout: '' });
      expect(result.milliseconds).toBeLessThan(1900);
      expect(alive(root)).toBe(false);
    }));

  it.each(['SIGINT', 'SIGTERM'] as const)('with %s of the shell', async (signal) => {
    await withPrograms({ hang: 'echo $$ >pid; echo up; exec sleep 60' }, async (root, grants) => {
      const result = await run(grants, 'hang; echo no', {
        cwd: join(root, 'rw'),
        stdio: ['ignore', 'pipe', 'pipe'],
        onStart: (child) => child.stdout?.once('data', () => child.kill(signal)),
      });
      expect(result.status).toBe(signal);
      expect(alive(root)).toBe(false);
    });
  });

  it('with an abort of the library', () =>
    withPrograms(STUBBORN, async (root) => {
      const shell = createShell({
        mode: 'remediation',
        allowedPaths: [`${root}/rw:rw`],
        external: [join(root, 'bin/stubborn')],
      });
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 500);
      const result = await shell.run('stubborn; echo no', { cwd: join(root, 'rw'), signal: controller.signal });
      expect(result).toMatchObject({ status: 'aborted', stdout: '' });
      expect(alive(root)).toBe(false);
    }));

  it('with its job, and gets the signal itself when it is all of the job', () =>
    withPrograms(
      {
        traps: "trap 'echo usr1' USR1; trap 'echo term; exit 3' TERM; echo up; while :; do sleep 0.05; done",
        ...STUBBORN,
      },
      async (root, grants) => {
        const script =
          'traps >o & sleep 0.8; kill -USR1 %1; sleep 0.5; kill $!; wait $!; echo $?; cat o; { stubborn; echo no; } & sleep 0.8; kill $!; wait $!; echo $?';
        const result = await run(grants, script, { cwd: join(root, 'rw') });
        expect(result.stdout).toBe('3\nup\nusr1\nterm\n143\n');
        expect(alive(root)).toBe(false);
      },
    ));

  it('with the run, when another has left it behind', () =>
    withPrograms({ daemon: 'echo $$ >pid; sleep 60 >/dev/null 2>&1 &' }, async (root, grants) => {
      const result = await run(grants, 'daemon; echo next', { cwd: join(root, 'rw') });
      expect(result).toMatchObject({ status: 0, stdout: 'next\n' });
      expect(result.milliseconds).toBeLessThan(4000);
      expect(alive(root)).toBe(false);
    }));

  it('and what another has left behind may still write to the pipe', () =>
    withPrograms({ late: '{ sleep 0.4; echo late; } &' }, async (_root, grants) => {
      expect((await run(grants, 'late | cat; x=$(late); echo "<$x>"')).stdout).toBe('late\n<late>\n');
    }));
});

describe('a run that starts programs', { timeout: 60_000 }, () => {
  it('leaves no descriptor open, whatever became of them', () =>
    withPrograms({ fails: 'exit 3', lost: '' }, async (root) => {
      writeFileSync(join(root, 'bin/lost'), '#!/nonexistent/sh\n');
      const shell = createShell({
        mode: 'remediation',
        external: ['xcat', 'fails', 'lost'].map((name) => join(root, 'bin', name)),
      });
      const script =
        'seq 100000 | xcat | head -n 1; seq 9 | fails; echo a | lost; x=$(xcat <<<b); yes | fails | cat; xcat "\xff"';
      const open = () => readdirSync('/proc/self/fd').length;
      await shell.run(script);
      const before = open();
      for (let i = 0; i < 5; i++) expect((await shell.run(script)).stdout).toBe('1\n');
      expect(open()).toBeLessThanOrEqual(before);
    }));
});

describe('a script without a grant', () => {
  it('loads nothing that could start a process', () =>
    withTree({}, async (root) => {
      // What Node itself has loaded from the start is no more than a name in a list.
      const hook = join(root, 'hook.cjs');
      writeFileSync(
        hook,
        "process.on('exit', () => require('node:fs').writeSync(1, String(process.moduleLoadList.includes('NativeModule child_process'))));",
      );
      const env = { NODE_OPTIONS: `--require ${hook}` };
      expect((await rmsh(['-c', 'echo a | cat; true &'], { env })).stdout).toBe('a\nfalse');
      expect((await rmsh(['--allow-external', 'mkfifo:ro', '-c', 'echo a'], { env })).stdout).toBe('a\ntrue');
    }));
});
