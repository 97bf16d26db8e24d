import * as fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeOf, failing, openDescriptors, readAll, sandbox, scratch, write } from './support.js';

describe('roots', () => {
  it('decide by the most specific one, in both orders', () => {
    const cwd = scratch();
    fs.mkdirSync(join(cwd, 'rw/ro/rw'), { recursive: true });
    const roots = [
      { path: join(cwd, 'rw/ro/rw'), writable: true },
      { path: join(cwd, 'rw'), writable: true },
      { path: join(cwd, 'rw/ro'), writable: false },
    ];
    const { files, store } = sandbox({ cwd, roots });
    expect(store.roots).toEqual(roots);
    write(files, 'rw/a', '');
    expect(failing(() => write(files, 'rw/ro/a', ''))).toBe('EACCES rw/ro/a: Permission denied');
    write(files, 'rw/ro/rw/a', '');
    // Whichever way one comes.
    write(files, 'rw/ro/../b', '');
    write(files, 'rw/ro/rw/../rw/b', '');
    expect(codeOf(() => write(files, 'rw/ro/rw/../b', ''))).toBe('EACCES');
    expect(fs.readdirSync(join(cwd, 'rw'))).toEqual(['a', 'b', 'ro']);
    expect(fs.readdirSync(join(cwd, 'rw/ro'))).toEqual(['rw']);
    expect(fs.readdirSync(join(cwd, 'rw/ro/rw'))).toEqual(['a', 'b']);
  });

  it('keep their rights when the directory above them is moved', () => {
    const cwd = scratch();
    fs.mkdirSync(join(cwd, 'a/ro'), { recursive: true });
    fs.writeFileSync(join(cwd, 'a/ro/keep'), 'k');
    const roots = [
      { path: cwd, writable: true },
      { path: join(cwd, 'a/ro'), writable: false },
    ];
    const { files } = sandbox({ cwd, roots });
    expect(failing(() => files.rename('a', 'b'))).toBe('EBUSY a: Device or resource busy');
    // Somebody else moves it.
    fs.renameSync(join(cwd, 'a'), join(cwd, 'b'));
    expect(failing(() => files.remove('b/ro/keep'))).toBe('EACCES b/ro/keep: Permission denied');
    expect(failing(() => write(files, 'b/ro/keep', ''))).toBe('EACCES b/ro/keep: Permission denied');
    expect(failing(() => files.rename('b/ro', 'c'))).toBe('EBUSY b/ro: Device or resource busy');
    expect(failing(() => files.rmdir('b/ro'))).toBe('EBUSY b/ro: Device or resource busy');
    expect(readAll(files, 'b/ro/keep')).toBe('k');
  });

  it('can be granted and named through a link', () => {
    const cwd = scratch();
    const other = scratch();
    fs.symlinkSync(other, join(cwd, 'link'));
    const { files, store } = sandbox({ cwd, roots: [{ path: join(cwd, 'link'), writable: true }] });
    expect(store.roots).toEqual([{ path: other, writable: true }]);
    write(files, join(cwd, 'link/a'), 'one');
    write(files, 'link/b', 'two');
    expect(readAll(files, join(other, 'a'))).toBe('one');
    expect(files.realpath('link/b')).toBe(join(other, 'b'));
    // `..` of it is physical, as for every program.
    expect(codeOf(() => files.stat('link/../link/a'))).toBe('EACCES');
    expect(codeOf(() => files.stat('.'))).toBe('EACCES');
  });

  it('can be granted through a link in another root, and written through it', () => {
    const cwd = scratch();
    const other = scratch();
    fs.symlinkSync(other, join(cwd, 'link'));
    const roots = [
      { path: cwd, writable: true },
      { path: join(cwd, 'link'), writable: true },
    ];
    const { files } = sandbox({ cwd, roots });
    write(files, 'link/a', 'one');
    expect(fs.readdirSync(other)).toEqual(['a']);
    expect(failing(() => files.remove('link'))).toBe('EISDIR link: Is a directory');
  });

  it('can be one file, whatever takes its name', () => {
    const cwd = scratch();
    fs.writeFileSync(join(cwd, 'app.log'), 'old');
    fs.writeFileSync(join(cwd, 'other'), 'secret');
    const { files } = sandbox({ cwd, roots: [{ path: join(cwd, 'app.log'), writable: true }] });
    expect(readAll(files, 'app.log')).toBe('old');
    write(files, 'app.log', 'new');
    expect(fs.readFileSync(join(cwd, 'app.log'), 'utf8')).toBe('new');
    expect(codeOf(() => readAll(files, 'other'))).toBe('EACCES');
    expect(codeOf(() => files.stat('app.log/x'))).toBe('ENOTDIR');
    expect(codeOf(() => files.stat('app.log/../other'))).toBe('ENOTDIR');
    expect(failing(() => files.remove('app.log'))).toBe('EBUSY app.log: Device or resource busy');
    expect(failing(() => files.rename('app.log', 'app.log'))).toBe('EBUSY app.log: Device or resource busy');
    fs.renameSync(join(cwd, 'app.log'), join(cwd, 'app.log.1'));
    expect(files.tryStat('app.log')).toBeUndefined();
    fs.writeFileSync(join(cwd, 'app.log'), 'rotated');
    expect(readAll(files, 'app.log')).toBe('rotated');
    fs.rmSync(join(cwd, 'app.log'));
    fs.symlinkSync('other', join(cwd, 'app.log'));
    expect(codeOf(() => readAll(files, 'app.log'))).toBe('EACCES');
    expect(codeOf(() => write(files, 'app.log', ''))).toBe('SYMLINK_WRITE');
    expect(fs.readFileSync(join(cwd, 'other'), 'utf8')).toBe('secret');
  });

  it('that cannot be used are left out, with a word', () => {
    const cwd = scratch();
    fs.symlinkSync('/proc', join(cwd, 'p'));
    const roots = ['/nonexistent/x', '/proc', '/proc/self/fd', '/sys', '/dev', '/dev/null', join(cwd, 'p'), cwd];
    const before = openDescriptors();
    const { store } = sandbox({ cwd, roots: roots.map((path) => ({ path, writable: true })) });
    expect(store.roots.map(({ path }) => path)).toEqual([cwd]);
    expect(store.warnings.filter((warning) => warning.startsWith('cannot'))).toEqual([
      "cannot use root '/nonexistent/x': No such file or directory",
      "cannot use root '/proc': Permission denied",
      "cannot use root '/proc/self/fd': Permission denied",
      "cannot use root '/sys': Permission denied",
      "cannot use root '/dev': Permission denied",
      "cannot use root '/dev/null': Permission denied",
      `cannot use root '${join(cwd, 'p')}': Permission denied`,
    ]);
    expect(openDescriptors()).toBe(before + 1);
    store.close();
    expect(openDescriptors()).toBe(before);
  });

  it('do not open the doors of the kernel: neither below `/` nor through a link', () => {
    const cwd = scratch();
    fs.symlinkSync('/proc/self/environ', join(cwd, 'env'));
    const { files } = sandbox({ cwd, roots: [{ path: '/', writable: true }] });
    for (const path of [
      '/proc',
      '/proc/self/environ',
      '/proc/self/root/etc/passwd',
      '/sys/kernel',
      '/dev/sda',
      'env',
    ]) {
      expect(
        codeOf(() => files.stat(path)),
        path,
      ).toBe('EACCES');
      expect(
        codeOf(() => readAll(files, path)),
        path,
      ).toBe('EACCES');
      expect(
        codeOf(() => files.openDirectory(path)),
        path,
      ).toBe('EACCES');
    }
    expect(codeOf(() => write(files, '/proc/self/comm', 'x'))).toBe('EACCES');
    expect(codeOf(() => files.remove('/dev/rmsh-none'))).toBe('EACCES');
    const top = files.openDirectory('/');
    expect(codeOf(() => top.open('proc', false))).toBe('EACCES');
    top.close();
    expect(files.stat('/').kind).toBe('directory');
  });

  it('granted twice are read-only when one grant is', () => {
    const cwd = scratch();
    const roots = [
      { path: cwd, writable: false },
      { path: cwd, writable: true },
    ];
    const { files } = sandbox({ cwd, roots });
    expect(codeOf(() => write(files, 'a', ''))).toBe('EACCES');
  });

  it('cannot be removed, moved, or replaced', () => {
    const cwd = scratch();
    fs.mkdirSync(join(cwd, 'root/d'), { recursive: true });
    const { files } = sandbox({ cwd: join(cwd, 'root') });
    expect(failing(() => files.rmdir(join(cwd, 'root')))).toMatch(/^EBUSY .*: Device or resource busy$/);
    expect(failing(() => files.rename(join(cwd, 'root'), 'd/x'))).toMatch(/^EBUSY/);
    expect(failing(() => files.rename('d', join(cwd, 'root')))).toMatch(/^EBUSY/);
    expect(failing(() => files.rename('.', 'x'))).toBe('EBUSY .: Device or resource busy');
    expect(failing(() => files.rmdir('.'))).toBe('EINVAL .: Invalid argument');
    expect(failing(() => files.rmdir('d/..'))).toBe('ENOTEMPTY d/..: Directory not empty');
  });

  it('outside of them nothing is looked at: what exists and what does not is answered alike', () => {
    const cwd = scratch();
    const { files, at } = sandbox({ cwd });
    for (const path of ['/etc/passwd', '/etc/nonexistent', '/', '..', '../x', '/etc/passwd/', `/etc/..${cwd}/../x`]) {
      const said = `EACCES ${path}: Permission denied`;
      expect(failing(() => files.stat(path))).toBe(said);
      expect(failing(() => files.lstat(path))).toBe(said);
      expect(failing(() => files.open(path))).toBe(said);
      expect(failing(() => files.openDirectory(path))).toBe(said);
      expect(failing(() => files.openWrite(path, {}))).toBe(said);
      expect(failing(() => files.remove(path))).toBe(said);
      expect(files.tryStat(path)).toBeUndefined();
      expect(files.access(path, 'read')).toBe(false);
    }
    // A path that leads back in by text is inside.
    expect(files.stat(`/etc/..${cwd}`).kind).toBe('directory');
    const lost = at('/usr');
    expect(failing(() => lost.open('bin'))).toBe('EACCES bin: Permission denied');
    expect(lost.stat(cwd).kind).toBe('directory');
  });
});
