/** A hard link to a file that has another name, which may lie outside of every root, is refused; one that was made here is no such name. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createShell } from '../../src/index.js';
import { memoryFs } from '../../src/memory.js';
import { withTree } from '../support/tree.js';

const MANY = 'ln file f2 && ln file f3 && ln f2 f4 && rm f3 && ln f4 f5 && ls -1';

it('links of a run to its own file may be many', () =>
  withTree({ file: '' }, async (root) => {
    const shell = createShell({ mode: 'remediation', allowedPaths: [`${root}:rw`] });
    expect(await shell.run(MANY, { cwd: root })).toMatchObject({ stderr: '', stdout: 'f2\nf4\nf5\nfile\n' });
    const files = memoryFs({ '/d/file': '' });
    const other = createShell({ mode: 'remediation', allowedPaths: ['/d:rw'] }, { files });
    expect(await other.run(MANY, { cwd: '/d' })).toMatchObject({ stderr: '', stdout: 'f2\nf4\nf5\nfile\n' });
  }));

it.each([
  'ln hard h2',
  'ln -f hard file',
  'ln hard d',
  'cp -lf hard file',
  'cp -l --remove-destination hard file',
  'cp -l hard h2',
  'ln -P hard h2',
])('%s leaves the outside name as it is', (script) =>
  withTree(
    { 'out/kept': 'x', 'rw/hard': { hardlink: 'out/kept' }, 'rw/file': 'mine', 'rw/d': { dir: true } },
    async (base) => {
      const kept = (): unknown => {
        const { nlink, ctimeNs, mtimeNs } = statSync(join(base, 'out/kept'), { bigint: true });
        return [nlink, ctimeNs, mtimeNs];
      };
      const before = kept();
      const shell = createShell({ mode: 'remediation', allowedPaths: [`${base}/rw:rw`] });
      const result = await shell.run(`${script}; cat file`, { cwd: join(base, 'rw') });
      expect(kept()).toEqual(before);
      expect(result.stdout).toBe('mine');
      expect(result.stderr).not.toBe('');
    },
  ),
);
