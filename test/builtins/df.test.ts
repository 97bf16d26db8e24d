import { describe, expect, it } from 'vitest';
import { df } from '../../builtins/df.js';
import { makeTree } from '../support/builtin-tree.js';
import { COREUTILS, expectLikeGnu, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';

withGnu('df', COREUTILS, () => {
  const rows = `
.
-h .
-H .
-T .
-P .
-Ph .
-k .
-m .
-i .
-ih .
-iT .
-Pi .
-PT .
-PH .
-Pm .
-t nosuch .
-t ext4 -x ext4
--total .
--total -h . a
-hT --total .
--output .
--output=source,size,pcent,file . a gone
--output=foo .
--output=size,size .
--output=itotal,iused,iavail,ipcent,target,fstype,avail,used .
--output=target,source .
-h --output=size,avail .
-i --output .
-T --output .
-P --output .
gone
-Q
a a
-l .
--human-readable --print-type .
--portability --si .
`
    .split('\n')
    .slice(1, -1);
  for (const row of rows) {
    // Others write to the same disk: its figures may change between the two.
    it(`df ${row}`, { retry: 5 }, () => expectLikeGnu(df, row.split(' '), { tree: { a: '' } }).then(() => undefined));
  }
});

describe('df', () => {
  it('shows what the roots lie on, and nothing else', async () => {
    const result = await runBuiltin(df, ['--output=target'], { cwd: makeTree({}) });
    expect(result.status).toBe(0);
    expect(result.stdout.split('\n').length).toBe(3);
  });

  it('shows a file whose mount nobody told of', async () => {
    const result = await runBuiltin(df, ['--output=source,target', '.'], {
      cwd: makeTree({}),
      host: { mounts: () => [] },
    });
    expect(result.stdout).toBe('Filesystem     Mounted on\n-              -\n');
  });

  it('rounds up, and has no share of nothing', async () => {
    const cwd = makeTree({});
    const { stdout } = await runBuiltin(df, ['--output=ipcent,pcent', '.'], { cwd });
    expect(stdout).toMatch(/^IUse% Use%\n +(\d+%|-) +\d+%\n$/);
  });

  it('refuses what is outside the roots', async () => {
    const result = await runBuiltin(df, ['/'], { cwd: makeTree({}) });
    expect(result).toMatchObject({ stdout: '', stderr: 'df: /: Permission denied\n', status: 1 });
  });
});
