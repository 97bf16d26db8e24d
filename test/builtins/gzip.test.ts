import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gzip } from '../../builtins/gzip.js';
import { removalBudget } from '../../src/files/files.js';
import { makeTree, snapshot } from '../support/builtin-tree.js';
import { expectLikeGnu, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';

const tree = { b: 'world\n', 'c.gz': 'x\n', d: { dir: true }, 'e.gz': '' } as const;
const tall = gzipSync('tall\n'.repeat(1000));
const data = gzipSync('hello\n');

function prepare(root: string): void {
  writeFileSync(join(root, 'a.gz'), data);
  writeFileSync(join(root, 'x.tgz'), data);
  writeFileSync(join(root, 'cut.gz'), data.subarray(0, data.length - 5));
  writeFileSync(join(root, 'two.gz'), Buffer.concat([data, data]));
  writeFileSync(join(root, 'junk.gz'), Buffer.concat([data, Buffer.from('junk')]));
  writeFileSync(join(root, 'zeros.gz'), Buffer.concat([data, Buffer.alloc(10)]));
  mkdirSync(join(root, 't/p'), { recursive: true });
  for (const name of ['t/p/q.gz', 't/a.x', 't/up.GZ', 't/o.z', 't/w-gz', 't/f.gz'])
    writeFileSync(join(root, name), tall);
  writeFileSync(join(root, 't/plain'), 'plain');
  symlinkSync('f.gz', join(root, 't/link.gz'));
  const wrong = Buffer.from(data);
  wrong[wrong.length - 6] = (wrong[wrong.length - 6] as number) ^ 1;
  writeFileSync(join(root, 'crc.gz'), wrong);
  for (const name of ['a.gz', 'two.gz', 'crc.gz']) utimesSync(join(root, name), 1e9, 1e9);
}

withGnu('gzip', /gzip 1\./, () => {
  const rows = [
    'gone',
    'd',
    'a.gz',
    '-d b',
    '-d c.gz',
    '-d e.gz',
    '-t a.gz',
    '-t c.gz cut.gz',
    '-cd a.gz two.gz',
    '-cd a',
    '-c -d gone',
    '-d a.gz',
    '-dk a.gz',
    '-d x.tgz',
    '-cd cut.gz',
    '-cd cut.gz a.gz',
    '-dk cut.gz a.gz',
    '-t cut.gz c.gz',
    '-tv a.gz cut.gz two.gz',
    '-d b/x',
    '-d cut.gz',
    '-cd junk.gz',
    '-cdq junk.gz',
    '-cd zeros.gz',
    '-cd crc.gz',
    '-dk a.gz a.gz',
    '-dkf a.gz a.gz',
    '-d gone a.gz',
    '-cdf b a.gz c.gz',
    '-cdf e.gz two.gz',
    '-cdf junk.gz',
    '-cdf zeros.gz',
    '-cdf cut.gz',
    '-tf b',
    '-df b',
    '-cdf -',
    '--decompress --stdout --quiet a.gz',
    '--test a.gz',
    '-d b a.gz',
    '-q d',
    '-l a.gz',
    '-l a.gz x.tgz',
    '-lv a.gz a.gz',
    '-lq a.gz x.tgz',
    '-l a.gz d gone',
    '-l c.gz b',
    '-l cut.gz',
    '-lv crc.gz',
    '-l x.tgz',
    '-l -',
    '-tv a.gz c.gz crc.gz b gone cut.gz',
    '-tv two.gz junk.gz',
    '-dv a.gz x.tgz',
    '-dvc a.gz',
    '-dv crc.gz',
    '-dvv a.gz',
    '-dr t',
    '-dr t d',
    '-rt t',
    '-rtv t',
    '-rl t',
    '-r t/p/q.gz',
    '-rv t/p/q.gz',
    '-dS .x t/a.x',
    '-dS .x t/a',
    '-dS .x a',
    '-dvS .x t/a.x a.gz',
    '-S .x t/a.x',
    '-d t/up.GZ',
    '-d t/o.z t/w-gz',
    '-S',
    '-dr gone',
    '--list --verbose a.gz',
    '--recursive --decompress --suffix=.x t',
    'a.gz x.tgz t/o.z',
  ];
  for (const row of rows)
    it(`gzip ${row}`, () =>
      expectLikeGnu(gzip, row.split(' '), {
        tree,
        prepare,
        writes: true,
        unordered: / ?-[a-z]*r|recursive/.test(row),
      }));
});

describe('gzip', () => {
  it('counts all members, of which the real one counts the last', async () => {
    const cwd = makeTree(tree);
    prepare(cwd);
    expect((await runBuiltin(gzip, ['-lq', 'two.gz'], { cwd })).stdout).toBe(
      `${'52'.padStart(19)} ${'12'.padStart(19)} -33.3% two\n`,
    );
  });

  it('has no suffix that is a path', async () => {
    const cwd = makeTree(tree);
    expect((await runBuiltin(gzip, ['-S', '/', 'b'], { cwd })).stderr).toBe("gzip: invalid suffix '/'\n");
  });

  it('says what became of each file', async () => {
    const cwd = makeTree({ 'd/f': 'hello\n'.repeat(50), 'd/e/g': '', 'd/h.gz': 'x' });
    const { stderr } = await runBuiltin(gzip, ['-rv', 'd'], { cwd });
    expect(stderr.split('\n').sort()).toEqual([
      '',
      'd/e/g:\t  0.0% -- replaced with d/e/g.gz',
      'd/f:\t 96.0% -- replaced with d/f.gz',
      'gzip: d/h.gz already has .gz suffix -- unchanged',
    ]);
    expect(execFileSync('gzip', ['-dc', 'd/f.gz'], { cwd, encoding: 'utf8' })).toBe('hello\n'.repeat(50));
  });

  it('makes what the real gzip expands', () => {
    const inputs = fc.sample(
      fc.tuple(fc.uint8Array({ maxLength: 2000 }), fc.integer({ min: 1, max: 9 }), fc.boolean()),
      { numRuns: 25, seed: 1 },
    );
    return Promise.all(
      inputs.map(async ([bytes, level, slow]) => {
        const stdin = Buffer.concat(Array.from({ length: 50 }, () => Buffer.from(bytes)));
        const { stdoutBytes } = await runBuiltin(gzip, [`-${level}`], { cwd: makeTree({}), stdin, slow });
        const back = spawnSync('gzip', ['-dc'], { input: stdoutBytes, maxBuffer: 1 << 28 });
        expect(back.stdout.equals(stdin)).toBe(true);
        const ours = await runBuiltin(gzip, ['-dc'], { cwd: makeTree({}), stdin: stdoutBytes, slow });
        expect(ours.stdoutBytes.equals(stdin)).toBe(true);
      }),
    );
  });

  it('replaces a file, keeps its mode and time, and charges the removal', async () => {
    const cwd = makeTree({ log: { content: 'x'.repeat(1000), mode: 0o640, mtime: 1_600_000_000 } });
    const budget = removalBudget(1);
    expect(await runBuiltin(gzip, ['log'], { cwd, budget })).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(budget.used).toBe(1);
    expect(execFileSync('gzip', ['-dc', 'log.gz'], { cwd, encoding: 'utf8' })).toBe('x'.repeat(1000));
    expect(execFileSync('stat', ['-c', '%a %Y', 'log.gz'], { cwd, encoding: 'utf8' })).toBe('640 1600000000\n');
    const refused = await runBuiltin(gzip, ['-d', 'log.gz'], { cwd, budget });
    expect(refused.status).toBe(1);
    expect(snapshot(cwd).map((line) => line.split(' ')[0])).toEqual(['log', 'log.gz']);
  });

  it('changes nothing in read-only mode', async () => {
    const cwd = makeTree({ f: 'x' });
    const result = await runBuiltin(gzip, ['f'], { cwd, remediation: false });
    expect(result).toMatchObject({ status: 1, stderr: 'gzip: f.gz: remediation mode required\n' });
    expect((await runBuiltin(gzip, ['-c', 'f'], { cwd, remediation: false })).status).toBe(0);
  });

  it('expands much from little in bounded pieces', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const result = await runBuiltin(gzip, ['-t'], { cwd: makeTree({}), stdin: bomb });
    expect(result.status).toBe(0);
  });
});
