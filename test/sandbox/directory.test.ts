import * as fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Directory } from '../../src/files/files.js';
import { ASKED, codeOf, failing, openDescriptors, sandbox, scratch } from './support.js';

describe('open directories', () => {
  it('list, look, and go down', () => {
    const cwd = scratch();
    fs.mkdirSync(join(cwd, 'd/e'), { recursive: true });
    fs.writeFileSync(join(cwd, 'd/f'), 'text');
    fs.symlinkSync('f', join(cwd, 'd/lf'));
    fs.symlinkSync('../d', join(cwd, 'd/ld'));
    fs.symlinkSync('/etc', join(cwd, 'd/out'));
    const { files, effects } = sandbox({ cwd });
    const before = openDescriptors();
    const directory = files.openDirectory('d');
    const kinds = Object.fromEntries(directory.entries().map(({ name, kind }) => [name, kind]));
    expect(kinds).toEqual({ e: 'directory', f: 'file', lf: 'symlink', ld: 'symlink', out: 'symlink' });
    expect(effects).toEqual([{ action: 'list', given: 'd', path: join(cwd, 'd'), ...ASKED, outcome: 'done' }]);
    expect(directory.lstat('lf').kind).toBe('symlink');
    expect(directory.statFollow('lf')).toEqual(directory.lstat('f'));
    expect(directory.readlink('lf')).toBe('f');
    expect(failing(() => directory.lstat('no'))).toBe('ENOENT d/no: No such file or directory');
    expect(failing(() => directory.statFollow('out'))).toBe('EACCES d/out: Permission denied');
    expect(failing(() => directory.open('f', true))).toBe('ENOTDIR d/f: Not a directory');
    expect(failing(() => directory.open('ld', false))).toBe('ENOTDIR d/ld: Not a directory');
    expect(failing(() => directory.open('out', true))).toBe('EACCES d/out: Permission denied');
    const again = directory.open('ld', true);
    expect(again.stat.ino).toBe(directory.stat.ino);
    again.close();
    expect(directory.open('e', false).entries()).toEqual([]);
    directory.close();
    expect(failing(() => directory.entries())).toBe('EBADF d: Bad file descriptor');
    expect(openDescriptors()).toBe(before + 1);
  });

  it('take single names only', () => {
    const cwd = scratch();
    fs.mkdirSync(join(cwd, 'd'));
    const { files } = sandbox({ cwd });
    const directory = files.openDirectory('d');
    for (const name of ['..', '.', '', '../x', '/etc', 'a/b', 'a\0b']) {
      expect(
        codeOf(() => directory.lstat(name)),
        name,
      ).toBe('EINVAL');
      expect(
        codeOf(() => directory.statFollow(name)),
        name,
      ).toBe('EINVAL');
      expect(
        codeOf(() => directory.readlink(name)),
        name,
      ).toBe('EINVAL');
      expect(
        codeOf(() => directory.open(name, true)),
        name,
      ).toBe('EINVAL');
    }
    directory.close();
  });

  it('go as deep as one likes with few descriptors', () => {
    const cwd = scratch();
    const depth = 300;
    let at = cwd;
    const handles = [fs.openSync(cwd, 'r')];
    for (let i = 0; i < depth; i++) {
      at = `/proc/self/fd/${handles.at(-1)}/d`;
      fs.mkdirSync(at);
      handles.push(fs.openSync(at, 'r'));
      fs.writeFileSync(`/proc/self/fd/${handles.at(-1)}/f${i}`, '');
    }
    for (const handle of handles) fs.closeSync(handle);
    const { files } = sandbox({ cwd });
    const before = openDescriptors();
    const found: string[] = [];
    let most = 0;
    const walk = (directory: Directory): void => {
      const entries = directory.entries();
      most = Math.max(most, openDescriptors());
      for (const { name, kind } of entries) {
        if (kind !== 'directory') continue;
        const below = directory.open(name, false);
        walk(below);
        below.close();
      }
      // After everything below: the handle may have been let go of meanwhile.
      for (const { name, kind } of entries) if (kind === 'file' && directory.lstat(name).size === 0) found.push(name);
    };
    const top = files.openDirectory('.');
    walk(top);
    top.close();
    expect(found.length).toBe(depth);
    expect(most - before).toBeLessThanOrEqual(66);
    expect(openDescriptors()).toBe(before);
  });

  it('that were let go of are the same directory still, or gone', () => {
    const cwd = scratch();
    const { files } = sandbox({ cwd });
    for (let i = 0; i < 70; i++) files.mkdir(`d${i}`, 0o777);
    fs.writeFileSync(join(cwd, 'd0/f'), '');
    fs.writeFileSync(join(cwd, 'd1/f'), '');
    const before = openDescriptors();
    const opened = Array.from({ length: 70 }, (_, i) => files.openDirectory(`d${i}`));
    expect(openDescriptors()).toBe(before + 64);
    fs.renameSync(join(cwd, 'd1'), join(cwd, 'away'));
    fs.mkdirSync(join(cwd, 'd1'));
    expect(opened[0]?.lstat('f').kind).toBe('file');
    expect(failing(() => opened[1]?.lstat('f'))).toBe('ENOENT d1/f: No such file or directory');
    for (const directory of opened) directory.close();
    expect(openDescriptors()).toBe(before);
  });

  it('stay what they are when their path changes, and never lead up', () => {
    const cwd = scratch();
    const outside = scratch();
    fs.mkdirSync(join(cwd, 'd/sub'), { recursive: true });
    fs.writeFileSync(join(cwd, 'd/sub/f'), '');
    fs.writeFileSync(join(outside, 'secret'), '');
    const { files } = sandbox({ cwd });
    const directory = files.openDirectory('d/sub');
    fs.renameSync(join(cwd, 'd/sub'), join(outside, 'sub'));
    expect(directory.entries().map(({ name }) => name)).toEqual(['f']);
    fs.symlinkSync('../secret', join(outside, 'sub/up'));
    // The link is taken from the path inside, where there is nothing any more.
    expect(codeOf(() => directory.statFollow('up'))).toBe('ENOENT');
    expect(codeOf(() => files.openDirectory('d/sub'))).toBe('ENOENT');
    directory.close();
  });

  it('are closed with the store', () => {
    const cwd = scratch();
    fs.mkdirSync(join(cwd, 'd'));
    const before = openDescriptors();
    const { files, store } = sandbox({ cwd });
    files.openDirectory('d');
    files.openDirectory('.');
    store.close();
    expect(openDescriptors()).toBe(before);
    expect(codeOf(() => files.stat('d'))).toBe('ENOENT');
  });
});
