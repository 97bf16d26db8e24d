/** What is not a script, or not a whole one: a message and the status sh has for it, never a crash. */
import { describe, expect, it } from 'vitest';
import { rmsh } from '../support/cli.js';
import { withTree } from '../support/tree.js';

/** Never Node's own way of ending: no stack, no internal path, no status of a crash. */
function expectNoCrash(result: { status: number | string; stderr: string }): void {
  expect(result.stderr).not.toMatch(/^\s+at .*:\d+/m);
  expect(result.stderr).not.toMatch(
    /node:internal|RangeError|TypeError|UnhandledPromise|heap out of memory|dist\/rmsh/,
  );
  expect([0, 1, 2, 126, 127]).toContain(result.status);
}

describe('a file that is', { timeout: 30_000 }, () => {
  it('empty does nothing', () =>
    withTree({ f: '' }, async (root) => {
      expect(await rmsh(['f'], { cwd: root })).toMatchObject({ status: 0, stdout: '', stderr: '' });
    }));

  it('missing is 127', () =>
    withTree({}, async (root) => {
      const result = await rmsh(['f'], { cwd: root });
      expect(result).toMatchObject({ status: 127, stdout: '' });
      expect(result.stderr).toMatch(/^rmsh: f: No such file or directory\n$/);
    }));

  it('a directory is 126', () =>
    withTree({ d: { dir: true } }, async (root) => {
      const result = await rmsh(['d'], { cwd: root });
      expect(result).toMatchObject({ status: 126, stdout: '' });
      expect(result.stderr).toMatch(/^rmsh: d: Is a directory\n$/);
    }));

  it('below a file that is no directory is 127', () =>
    withTree({ f: '' }, async (root) => {
      const result = await rmsh(['f/g'], { cwd: root });
      expect(result.stderr).toMatch(/^rmsh: f\/g: Not a directory\n$/);
      expect([126, 127]).toContain(result.status);
    }));

  it('a program for the machine is refused', () =>
    withTree({}, async () => {
      const result = await rmsh(['/bin/ls']);
      expectNoCrash(result);
      expect(result).toMatchObject({ status: 126, stdout: '' });
      expect(result.stderr).not.toBe('');
    }));

  it.each([
    ['NUL bytes', '00 00 00 00'],
    ['bytes that are no text', 'ff fe 80 41 0a c3 28 0a'],
    ['a NUL in the middle of a line', '65 63 68 6f 20 61 00 62 0a'],
  ])('%s does not crash', (_what, hex) =>
    withTree({ f: { hex } }, async (root) => {
      const result = await rmsh(['f'], { cwd: root });
      expectNoCrash(result);
      if (result.status !== 0) expect(result.stderr).not.toBe('');
    }),
  );
});

describe('a script that is not whole', { timeout: 60_000 }, () => {
  it.each([
    "echo 'a",
    'echo "a',
    'echo "a $(b',
    'echo $(',
    'echo `a',
    'echo ${x',
    'echo ${x:-"a',
    'echo $((1+',
    'if true',
    'if true; then echo a',
    'while :; do',
    'for i in a b',
    'case x in',
    'case x in x) echo a',
    '{ echo a',
    '( echo a',
    'f() {',
    'echo a &&',
    'echo a |',
    'echo a; )',
    'fi',
    'echo a; }',
    'echo a; ;; echo',
    '< ',
    'echo a > ',
    'for 1 in a; do :; done',
    'f( { :; }',
  ])('is status 2, with its line: %s', async (text) => {
    for (const args of [
      ['-c', `${text}\n`],
      ['-c', text],
      ['-n', '-c', text],
    ]) {
      const result = await rmsh(args);
      expectNoCrash(result);
      expect(result).toMatchObject({ status: 2, stdout: '' });
      expect(result.stderr).toMatch(/line [12]:/);
    }
  });

  it('runs what comes before the mistake', async () => {
    const result = await rmsh(['-c', 'echo one\necho two\nif fi\necho three\n']);
    expect(result).toMatchObject({ status: 2, stdout: 'one\ntwo\n' });
    expect(result.stderr).toMatch(/line 3: .*\nif fi\n +\^/);
  });

  it('runs nothing with -n', async () => {
    expect(await rmsh(['-n', '-c', 'echo one\necho two\n'])).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });

  it('is read from standard input all the same', async () => {
    expect(await rmsh(['-s'], { stdin: "echo one\necho 'two" })).toMatchObject({ status: 2, stdout: 'one\n' });
    expect(await rmsh([], { stdin: 'echo one\n)\n' })).toMatchObject({ status: 2, stdout: 'one\n' });
  });
});

describe('a lot of', { timeout: 120_000 }, () => {
  const MEGA = 1_000_000;
  const many = (text: string): string => text.repeat(Math.ceil(MEGA / text.length));
  it.each([
    '(',
    '{ ',
    '$(',
    '${',
    '"$(',
    '`',
    '$((',
    '\\',
    '"',
    "'",
    ')',
    'if ',
    'a=',
    'f() ',
    '! ',
    '<<a ',
    'case x in ',
    '#',
    '&',
    '| a',
    '[',
    '((',
    'a;',
    '\n',
    '{ a;} ',
  ])('%j, a megabyte of it, neither crashes nor hangs', (text) =>
    withTree({ f: many(text) }, async (root) => {
      const result = await rmsh(['-n', 'f'], { cwd: root, within: 30_000 });
      expectNoCrash(result);
      if (result.status !== 0) expect(result.stderr).not.toBe('');
      if (text === '(') expect(result.status).toBe(2);
    }),
  );
});

describe('--cwd', () => {
  it('is a directory, whether or not a script may look at it', () =>
    withTree({ file: '', 'dir/f': '' }, async (root) => {
      expect(await rmsh(['--cwd', 'dir', '-c', 'pwd; cat f'], { cwd: root })).toMatchObject({
        status: 1,
        stdout: `${root}/dir\n`,
        stderr: 'cat: f: Permission denied\n',
      });
      const refused = { status: 2, stdout: '' };
      expect(await rmsh(['--cwd', 'none', '-c', 'echo no'], { cwd: root })).toMatchObject({
        ...refused,
        stderr: 'rmsh: --cwd: none: No such file or directory\n',
      });
      expect(await rmsh(['--cwd', 'file', '-c', 'echo no'], { cwd: root })).toMatchObject({
        ...refused,
        stderr: 'rmsh: --cwd: file: Not a directory\n',
      });
    }));
});
