import { describe, expect, it } from 'vitest';
import { mktemp } from '../../builtins/mktemp.js';
import { makeTree, snapshot } from '../support/builtin-tree.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';

withGnu('mktemp', COREUTILS, () => {
  gnuRows(
    mktemp,
    [
      'x.XX',
      'gone/x.XXXX',
      '-d gone/x.XXX',
      '-p gone',
      '-t a/b.XXX',
      'a.XXXb --suffix=c',
      'XXX a',
      '-q gone/XXXX',
      '-dq gone/XXXX',
      '-t /x.XXX',
      '-p d /x.XXX',
      'abc',
      'XXX/a',
      '--suffix=a/b XXX',
      '--nope',
      '-p',
    ],
    { tree: { d: { dir: true } }, environment: { TMPDIR: 'gone' } },
  );
});

describe('mktemp', () => {
  const run = async (words: string, TMPDIR = 'd') => {
    const cwd = makeTree({ d: { dir: true }, e: { dir: true } });
    const result = await runBuiltin(mktemp, words.split(' ').filter(Boolean), { cwd, environment: { TMPDIR } });
    return { ...result, name: result.stdout.trimEnd(), files: snapshot(cwd) };
  };

  it.each([
    ['', /^d\/tmp\.[A-Za-z0-9]{10}$/],
    ['x.XXXX', /^x\.[A-Za-z0-9]{4}$/],
    ['a.XXX.b', /^a\.[A-Za-z0-9]{3}\.b$/],
    ['--suffix=.log q.XXX', /^q\.[A-Za-z0-9]{3}\.log$/],
    ['-p e', /^e\/tmp\.[A-Za-z0-9]{10}$/],
    ['-p e y.XXX', /^e\/y\.[A-Za-z0-9]{3}$/],
    ['-t z.XXX', /^d\/z\.[A-Za-z0-9]{3}$/],
    ['--tmpdir q.XXX', /^d\/q\.[A-Za-z0-9]{3}$/],
    ['--tmpdir=e q.XXX', /^e\/q\.[A-Za-z0-9]{3}$/],
  ])('mktemp %s', async (words, pattern) => {
    const { name, files, status } = await run(words);
    expect(status).toBe(0);
    expect(name).toMatch(pattern);
    expect(files).toContain(`${name} 600 1 ""`);
  });

  it('-d makes a directory for its owner only, -u nothing', async () => {
    const made = await run('-d x.XXXXX');
    expect(made.files).toContain(`${made.name}/ 700`);
    const dry = await run('-u x.XXXXX');
    expect(dry.name).toMatch(/^x\.[A-Za-z0-9]{5}$/);
    expect(dry.files).toEqual(['d/ 755', 'e/ 755']);
  });

  it('never takes a name that is there', async () => {
    const cwd = makeTree({});
    const names = new Set<string>();
    for (let i = 0; i < 200; i++) names.add((await runBuiltin(mktemp, ['t.XXX'], { cwd })).stdout);
    expect(names.size).toBe(200);
    expect(snapshot(cwd)).toHaveLength(200);
  });

  it('is refused outside the roots', async () => {
    const result = await run('-p /tmp');
    expect(result.stderr).toBe('mktemp: failed to create file via template ‘/tmp/tmp.XXXXXXXXXX’: Permission denied\n');
    expect(result.status).toBe(1);
  });
});
