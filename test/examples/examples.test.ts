/** Every example is run, with rmsh as it is built; those that need packages of others are in `packages.test.ts`. */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
