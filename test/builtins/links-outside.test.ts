import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { chmod } from '../../builtins/chmod.js';
import { cp } from '../../builtins/cp.js';
import { ln } from '../../builtins/ln.js';
import { mv } from '../../builtins/mv.js';
import { snapshot, temporaryDirectory } from '../support/builtin-tree.js';
import { runBuiltin } from '../support/run-builtin.js';

const BUILTINS = [cp, mv, ln, chmod];

/** A root with links that lead out of it, to a directory and to a file, and one that stays inside. */
function makePlace(): { readonly all: string; readonly root: string } {
  const all = temporaryDirectory();
  mkdirSync(`${all}/root/d`, { recursive: true });
  mkdirSync(`${all}/outside/below`, { recursive: true });
  writeFileSync(`${all}/root/a`, 'a');
  writeFileSync(`${all}/outside/file`, 'kept');
  writeFileSync(`${all}/root/d/b`, 'kept');
  symlinkSync('d', `${all}/root/inside`);
  symlinkSync('../outside', `${all}/root/link`);
  symlinkSync('../outside/file', `${all}/root/file`);
  symlinkSync('../../outside/file', `${all}/root/d/a`);
  return { all, root: `${all}/root` };
}

it.each([
  ['mv a link', "mv: failed to access 'link': Permission denied\n"],
  ['mv a link/', "mv: failed to access 'link/': Permission denied\n"],
  ['mv -f a file', "mv: failed to access 'file': Permission denied\n"],
  ['mv -t link a', "mv: target directory 'link': Permission denied\n"],
  ['cp a link', "cp: failed to access 'link': Permission denied\n"],
  ['cp a link/', "cp: failed to access 'link/': Permission denied\n"],
  ['cp -f a file', "cp: failed to access 'file': Permission denied\n"],
  ['cp -T a file', "cp: cannot stat 'file': Permission denied\n"],
  ['cp a d', "cp: cannot stat 'd/a': Permission denied\n"],
  ['ln -sf a link', "ln: failed to access 'link': Permission denied\n"],
  ['ln -f a link', "ln: failed to access 'link': Permission denied\n"],
  // What is removed to be made anew is not removed where nothing can be made: rm alone may.
  ['cp --remove-destination a inside/b', "cp: cannot remove 'inside/b': symlinks are not supported as write targets\n"],
  ['cp -P file inside/b', "cp: cannot remove 'inside/b': symlinks are not supported as write targets\n"],
  ['ln -f a inside/b', "ln: cannot remove 'inside/b': symlinks are not supported as write targets\n"],
  ['ln -sf a inside/b', "ln: cannot remove 'inside/b': symlinks are not supported as write targets\n"],
  ['chmod 600 file', "chmod: cannot access 'file': Permission denied\n"],
])('%s', async (line, stderr) => {
  const { all, root } = makePlace();
  const before = snapshot(all);
  const [name, ...words] = line.split(' ');
  const builtin = BUILTINS.find((one) => one.name === name) as (typeof BUILTINS)[number];
  const result = await runBuiltin(builtin, words, { cwd: root });
  expect(result).toMatchObject({ stderr, status: 1, stdout: '' });
  expect(snapshot(all)).toEqual(before);
});

it.each(['mv -T a link', 'cp -T --remove-destination a link', 'ln -sfn a link', 'ln -sfT a link'])(
  '%s takes the link itself',
  async (line) => {
    const { root } = makePlace();
    const [name, ...words] = line.split(' ');
    const builtin = BUILTINS.find((one) => one.name === name) as (typeof BUILTINS)[number];
    expect(await runBuiltin(builtin, words, { cwd: root })).toMatchObject({ stderr: '', status: 0 });
    expect(snapshot(root).some((row) => row.startsWith('link') && row.includes('outside'))).toBe(false);
  },
);
