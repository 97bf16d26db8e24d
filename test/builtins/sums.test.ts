/** md5sum and its kin, cksum, base64. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base64 } from '../../builtins/base64.js';
import { cksum } from '../../builtins/cksum.js';
import { md5sum } from '../../builtins/md5sum.js';
import { sha1sum } from '../../builtins/sha1sum.js';
import { sha256sum } from '../../builtins/sha256sum.js';
import { sha512sum } from '../../builtins/sha512sum.js';
import { makeTree } from '../support/builtin-tree.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';
import { batch, oracleThere } from '../support/text-oracle.js';

const hello = '5d41402abc4b2a76b9719d911017c592';
const tree = {
  h: 'hello',
  big: 'abcdefgh'.repeat(20_000),
  'a\\b': 'hello',
  'new\nline': 'hello',
  empty: '',
  sums: `${hello}  h\n# comment\n\\${hello}  a\\\\b\n${hello.toUpperCase()} *h\nMD5 (h) = ${hello}\n`,
  bad: `${hello}  empty\n${hello}  gone\njunk\n${hello}  h\n${hello}h\n`,
  missing: `${hello}  gone\n`,
  esc: `\\${hello}  new\\nline\n`,
  wrong: `${hello}  empty\n${hello}  big\n`,
  d: { dir: true },
} as const;

const rows = [
  '',
  'h',
  '-b h',
  '-t h',
  '--tag h big',
  'gone h d',
  '-z h',
  '-',
  'h -',
  ['a\\b', 'new\nline', 'h'],
  ['-z', 'a\\b'],
  ['--tag', 'a\\b'],
  '-c sums',
  '-c bad',
  '-c --quiet bad',
  '-c --status bad',
  '-wc bad',
  '--strict -c bad',
  '--strict -c sums',
  '--ignore-missing -c bad',
  '--ignore-missing -c missing',
  '-c missing',
  '-c esc',
  '-c wrong',
  '-c gone',
  '-c h',
  '-c d',
  '-c sums bad',
  '-c',
  '-x',
  '--tag -t h',
  '--status h',
  '--quiet h',
  '--strict h',
  '--warn h',
  '--ignore-missing h',
  '--tag -c sums',
  '-bc sums',
  '-zc sums',
  '-bt h',
  '-tb h',
] as const;

withGnu('md5sum', COREUTILS, () => gnuRows(md5sum, rows, { tree, stdin: 'hello' }));
for (const command of [sha1sum, sha256sum, sha512sum]) {
  withGnu(command.name, COREUTILS, () => {
    gnuRows(command, ['h big', '--tag h', '-b h', 'gone', '-c sums'], { tree, stdin: 'hello' });
    gnuRows(command, ['-c list', '-c tagged'], {
      tree: { h: 'hello' },
      prepare(root) {
        execFileSync('/bin/sh', ['-c', `${command.name} h >list; ${command.name} --tag h >tagged`], {
          cwd: join(root),
        });
      },
    });
  });
}
withGnu('cksum', COREUTILS, () =>
  gnuRows(cksum, ['', 'h', 'h big empty', '- h', 'gone h', '-x', ['a\\b']], { tree, stdin: 'hello' }),
);
withGnu('base64', COREUTILS, () => {
  gnuRows(
    base64,
    [
      '',
      'h',
      'big',
      '-w 3 h',
      '-w 0 h',
      '-w0 big',
      '-w 100 big',
      '-d h',
      '-w x h',
      'gone',
      'd',
      '-x',
      'h big',
      '-',
      'empty',
      '--wrap=5 h',
    ],
    { tree, stdin: 'hello' },
  );
  for (const stdin of [
    'aGVsbG8=\n',
    'aGVs!bG8=',
    'aGVsbG8',
    'aGV\nsbG8=\n\n',
    'aGVsbG8=aGVsbG8=',
    'a',
    '=',
    'aGVsbG9=',
    'YQ==YQ',
    'YQ=',
    'YQ==',
    'YQ=a',
    '====',
    'ab=c',
  ]) {
    describe(JSON.stringify(stdin), () => gnuRows(base64, ['-d', '-di', '--decode --ignore-garbage'], { stdin }));
  }
});

describe.skipIf(!oracleThere())('any bytes', () => {
  const run = fc.tuple(
    fc.constantFrom(md5sum, sha1sum, sha256sum, sha512sum, cksum, base64),
    fc.uint8Array({ maxLength: 400 }),
  );
  it('as GNU', () =>
    batch(fc.sample(run, { numRuns: 200, seed: 1 }).map(([builtin, stdin]) => ({ builtin, words: [], stdin }))));
});

it('leaves an input without end when it has failed', async () => {
  const endless = Array.from({ length: 3 }, () => '!\n'.repeat(100));
  const result = await runBuiltin(base64, ['-d'], { cwd: makeTree({}), stdin: endless });
  expect(result.status).toBe(1);
  expect(result.left.length).toBeGreaterThan(0);
});
