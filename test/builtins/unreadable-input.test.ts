/** What commands say when the standard input cannot be read: the real tools' words for a file that gives EIO. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { builtins } from '../../builtins/index.js';
import { makeTree } from '../support/builtin-tree.js';
import { runBuiltin } from '../support/run-builtin.js';
import { oracleThere } from '../support/text-oracle.js';

const CALLS = [
  'cat',
  'cat -n -',
  'head -n1',
  'head -n1 - a',
  'head -c1',
  'head -n -1',
  'head -c -1',
  'tail -n1',
  'tail -n +2',
  'tail -c1',
  'wc -l',
  'tac',
  'rev',
  'tee',
  'cut -f1',
  'cut -c1 - a',
  'tr a b',
  'sort',
  'sort - a',
  'sort -c',
  'sort -m - a',
  'uniq',
  'grep a',
  'grep a - a',
  'grep -z a',
  'grep -q a',
  'grep -c a',
  'sed p',
  'sed -n 1p - a',
  'sed 1q',
  'awk 1',
  'fold',
  'fold -s -w3 - a',
  'expand',
  'unexpand -a',
  'nl',
  'paste',
  'paste - a',
  'paste -s - a',
  'comm - a',
  'join - a',
  'cmp - a',
  'diff - a',
  'od',
  'od -c - a',
  'base64',
  'base64 -d',
  'md5sum',
  'sha256sum -c',
  'split',
  'gzip -c',
  'gzip -dc',
] as const;

/** Where the real tools say nothing, or go on with what they had; we say that the input is not whole, and stop. */
const OURS: readonly (readonly [string, string, number])[] = [
  ['cksum', 'cksum: -: Input/output error\n', 1],
  ['strings', "strings: '-': Input/output error\n", 1],
  ['xargs echo', 'xargs: error reading the input, nothing more is run: Input/output error\n', 1],
  ['xargs -0 echo', 'xargs: error reading the input, nothing more is run: Input/output error\n', 1],
  ['tar -tf -', 'tar: -: Cannot read: Input/output error\ntar: Error is not recoverable: exiting now\n', 2],
  ['grep -f - a', 'grep: -: Input/output error\n', 2],
  ['awk -f -', "awk: cannot open source file `-' for reading: Input/output error\n", 2],
];

/** The real awk may be any of several. */
const OTHER_WORDS: ReadonlySet<string> = new Set(['awk 1']);

describe.skipIf(!oracleThere())('an input that cannot be read', () => {
  for (const call of CALLS) {
    const [name = '', ...words] = call.split(' ');
    const command = builtins.find((one) => one.name === name);
    for (const later of [false, true]) {
      it(`${call}${later ? ' (later)' : ''}`, async () => {
        if (command === undefined) throw new Error(`no ${name}`);
        const cwd = makeTree({ a: 'one\n' });
        const real = spawnSync('/bin/sh', ['-c', '"$@" </proc/self/mem', 'sh', name, ...words], {
          cwd,
          env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
          encoding: 'utf8',
        });
        const ours = await runBuiltin(command, words, { cwd, stdin: 'broken', slow: later, builtins: [...builtins] });
        expect([ours.stdout, OTHER_WORDS.has(call) ? '' : ours.stderr, ours.status]).toEqual([
          real.stdout,
          OTHER_WORDS.has(call) ? '' : real.stderr,
          real.status,
        ]);
      });
    }
  }
});

for (const [call, stderr, status] of OURS) {
  const [name = '', ...words] = call.split(' ');
  const command = builtins.find((one) => one.name === name);
  for (const slow of [false, true]) {
    it(`${call}${slow ? ' (later)' : ''}`, async () => {
      if (command === undefined) throw new Error(`no ${name}`);
      const ours = await runBuiltin(command, words, {
        cwd: makeTree({ a: 'one\n' }),
        stdin: 'broken',
        slow,
        builtins: [...builtins],
      });
      expect([ours.stdout, ours.stderr, ours.status]).toEqual(['', stderr, status]);
    });
  }
}
