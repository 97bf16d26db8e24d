/** The file commands where there is no disk. */
import { expect, it } from 'vitest';
import { cp } from '../../builtins/cp.js';
import { du } from '../../builtins/du.js';
import { find } from '../../builtins/find.js';
import type { Builtin } from '../../builtins/kit/define.js';
import { ls } from '../../builtins/ls.js';
import { mkdir } from '../../builtins/mkdir.js';
import { mv } from '../../builtins/mv.js';
import { rm } from '../../builtins/rm.js';
import { stat } from '../../builtins/stat.js';
import { touch } from '../../builtins/touch.js';
import { removalBudget } from '../../src/files/files.js';
import { memoryStore } from '../../src/files/memory.js';
import { runBuiltin } from '../support/run-builtin.js';

it('file commands work on files in memory, under the same budget', async () => {
  const budget = removalBudget(2);
  const store = memoryStore(
    { mode: 'remediation', roots: [{ path: '/r', writable: true }], budget },
    { '/r/a': 'one\n', '/r/d/b': 'two\n', '/r/l': { symlink: 'd' } },
  );
  const run = async (builtin: Builtin, ...words: string[]) => {
    const { stdout, stderr, status } = await runBuiltin(builtin, words, { cwd: '/r', store });
    return `${stdout}${stderr}${status}`;
  };
  expect(await run(mkdir, '-p', 'x/y')).toBe('0');
  expect(await run(cp, '-r', 'd', 'x/y')).toBe('0');
  expect(await run(touch, '-d', '@5', 'x/new')).toBe('0');
  expect(await run(stat, '-c', '%Y %F', 'x/new')).toBe('5 regular empty file\n0');
  expect(await run(find, '.', '-name', '[bl]')).toBe('./d/b\n./l\n./x/y/d/b\n0');
  expect(await run(mv, 'x/y/d/b', 'a')).toBe('0');
  expect(await run(rm, '-v', 'd/b')).toBe("removed 'd/b'\n0");
  expect(await run(rm, 'a')).toBe("rm: cannot remove 'a': run-wide budget of 2 file removals is exhausted\n1");
  expect(await run(ls, '-R', 'x')).toBe('x:\nnew\ny\n\nx/y:\nd\n\nx/y/d:\n0');
  expect(await run(du, '-s', '--inodes', 'x')).toBe('4\tx\n0');
});
