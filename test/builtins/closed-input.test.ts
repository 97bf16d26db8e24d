/** What commands say where descriptor 0 is closed: the first line of the real tools' own words. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { builtins } from '../../builtins/index.js';
import { makeTree } from '../support/builtin-tree.js';
import { runBuiltin } from '../support/run-builtin.js';
import { oracleThere } from '../support/text-oracle.js';

const CALLS = [
  ['tr', 'a', 'b'],
  ['cut', '-f1'],
  ['wc', '-l'],
  ['head', '-n1'],
  ['tail', '-n1'],
  ['cat'],
  ['tee'],
  ['fold'],
  ['paste'],
] as const;

for (const [name, ...words] of CALLS) {
  it.skipIf(!oracleThere())(name, async () => {
    const real = spawnSync('/bin/sh', ['-c', '"$@" <&-', 'sh', name, ...words], {
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
      encoding: 'utf8',
    });
    const command = builtins.find((one) => one.name === name);
    if (command === undefined) throw new Error(`no ${name}`);
    const ours = await runBuiltin(command, words, { cwd: makeTree({}), stdin: 'closed' });
    expect([ours.stderr, ours.status]).toEqual([`${real.stderr.split('\n')[0]}\n`, real.status]);
  });
}
