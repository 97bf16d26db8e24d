import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
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
const data = gzipSync('hello\n');

function prepare(root: string): void {
  writeFileSync(join(root, 'a.gz'), data);
  writeFileSync(join(root, 'x.tgz'), data);
  writeFileSync(join(root, 'cut.gz'), data.subarray(0, data.length - 5));
  writeFileSync(join(root, 'two.gz'), Buffer.concat([data, data]));
  writeFileSync(join(root, 'junk.gz'), Buffer.concat([data, Buffer.from('junk')]));
  writeFileSync(join(root, 'zeros.gz'), Buffer.concat([data, Buffer.alloc(10)]));
  const wrong = Buffer.from(data);
  wrong[wrong.length - 6] = (wrong[wrong.length - 6] as number) ^ 1;
  writeFileSync(join(root, 'crc.gz'), wrong);
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
  ];
  for (const row of rows) it(`gzip ${row}`, () => expectLikeGnu(gzip, row.split(' '), { tree, prepare, writes: true }));
});

describe('gzip', () => {
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
