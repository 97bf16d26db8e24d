/** `--print-ast` and `--format`: what is printed, and that nothing runs. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rmsh } from '../support/cli.js';
import { listFiles, withTree } from '../support/tree.js';

describe('--print-ast', () => {
  it('prints the tree as JSON, and runs nothing', () =>
    withTree({ 's.sh': '# x\necho a >made &\n' }, async (directory) => {
      const { status, stdout, stderr } = await rmsh(
        ['--mode', 'remediation', '--allow-path', `${directory}:rw`, '--print-ast', 's.sh'],
        { cwd: directory },
      );
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(JSON.parse(stdout)).toMatchObject({
        commands: [
          {
            kind: 'CompleteCommand',
            start: 4,
            list: { items: [{ background: true, statement: { kind: 'SimpleCommand', redirections: [{}] } }] },
          },
        ],
      });
      expect(listFiles(directory)).toEqual(['s.sh']);
    }));

  it('reads standard input, and text', async () => {
    const read = JSON.parse((await rmsh(['--print-ast'], { stdin: 'a; b\n' })).stdout);
    expect(JSON.parse((await rmsh(['--print-ast', '-c', 'a; b\n'])).stdout)).toEqual(read);
    expect(read.commands).toHaveLength(1);
    expect(JSON.parse((await rmsh(['--print-ast'], { stdin: '' })).stdout)).toEqual({ commands: [] });
  });

  it('says where the mistake is, and prints no part of a tree', async () => {
    const { status, stdout, stderr } = await rmsh(['--print-ast', '-c', 'a\nif b; do']);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^rmsh: line 2: syntax error near unexpected token 'do'\nif b; do\n {6}\^/);
  });
});

describe('--format', () => {
  it('prints a script tidied, with its comments', async () => {
    const stdin = '#!/bin/sh\nif a;then # why\n  # what\nb\nfi\n';
    const { status, stdout } = await rmsh(['--format'], { stdin });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '#!/bin/sh\nif a; then # why\n  # what\n  b\nfi\n' });
    expect(spawnSync('/bin/sh', ['-n'], { input: stdout }).status).toBe(0);
  });

  it('prints nothing of a script that is none', async () => {
    expect(await rmsh(['--format', '-c', 'a\nb )'])).toMatchObject({ status: 2, stdout: '' });
  });

  it('knows what -o posix makes of a script', async () => {
    expect(await rmsh(['--format', '-c', '[[ a && b ]]'])).toMatchObject({ status: 0, stdout: '[[ a && b ]]\n' });
    expect(await rmsh(['--format', '-o', 'posix', '-c', 'cat < <(a)'])).toMatchObject({ status: 2 });
  });

  it('leaves the examples as they are', async () => {
    for (const name of ['disk-cleanup.sh', 'old-runbook.sh']) {
      const path = new URL(`../../examples/${name}`, import.meta.url).pathname;
      expect((await rmsh(['--format', path])).stdout).toBe(readFileSync(path, 'utf8'));
    }
  });
});
