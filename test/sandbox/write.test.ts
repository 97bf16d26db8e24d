import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sandboxStore } from '../../src/sandbox/store.js';
import { ASKED, codeOf, failing, onCleanup, openDescriptors, readAll, sandbox, scratch, write } from './support.js';

const mode = (path: string): number => fs.lstatSync(path).mode & 0o7777;

describe('writes', () => {
  it('make, append, cut, and report each', () => {
    const cwd = scratch();
    const { files, effects } = sandbox({ cwd });
    const before = openDescriptors();
    write(files, 'f', 'one');
    write(files, 'f', 'two', { truncate: false, append: true });
    expect(readAll(files, 'f')).toBe('onetwo');
    write(files, 'f', 'x', { truncate: false });
    expect(readAll(files, 'f')).toBe('xnetwo');
    write(files, 'f', 'y');
    expect(readAll(files, 'f')).toBe('y');
    const file = files.openWrite('f', { read: true, create: false });
    file.write(Buffer.from('abcdef'), 0);
    file.truncate(3);
    const buffer = Buffer.alloc(10);
    expect(buffer.toString('utf8', 0, file.read(buffer, 0))).toBe('abc');
    expect(file.stat().size).toBe(3);
    file.close();
    expect(openDescriptors()).toBe(before);
    expect(effects.map(({ action, path }) => [action, path.slice(cwd.length)])).toEqual([
      ['create', '/f'],
      ['append', '/f'],
      ['read', '/f'],
      ['write', '/f'],
      ['read', '/f'],
      ['truncate', '/f'],
      ['read', '/f'],
      ['write', '/f'],
      ['truncate', '/f'],
    ]);
  });

  it('say what is wrong with each kind of path', () => {
    const cwd = scratch();
    fs.mkdirSync(join(cwd, 'd'));
    fs.writeFileSync(join(cwd, 'f'), 'keep');
    const { files } = sandbox({ cwd });
    const said = (path: string, options = {}): string => failing(() => files.openWrite(path, options));
    expect(said('d')).toBe('EISDIR d: Is a directory');
    expect(said('.')).toBe('EISDIR .: Is a directory');
    expect(said('new/')).toBe('EISDIR new/: Is a directory');
    expect(said('f/', { create: false })).toBe('ENOTDIR f/: Not a directory');
    expect(said('f/x')).toBe('ENOTDIR f/x: Not a directory');
    expect(said('no/x')).toBe('ENOENT no/x: No such file or directory');
    expect(said('x', { create: false })).toBe('ENOENT x: No such file or directory');
    expect(said('f', { exclusive: true, truncate: true })).toBe('EEXIST f: File exists');
    expect(said('x'.repeat(256))).toMatch(/: File name too long$/);
    expect(fs.readFileSync(join(cwd, 'f'), 'utf8')).toBe('keep');
    expect(fs.readdirSync(cwd)).toEqual(['d', 'f']);
  });

  it('refuse a symlink at any component below the root', () => {
    const cwd = scratch();
    fs.mkdirSync(join(cwd, 'd'));
    fs.writeFileSync(join(cwd, 'd/f'), 'keep');
    fs.symlinkSync('d', join(cwd, 'ld'));
    fs.symlinkSync('d/f', join(cwd, 'lf'));
    fs.symlinkSync('new', join(cwd, 'dangling'));
    const { files } = sandbox({ cwd });
    const acts: Record<string, (path: string) => void> = {
      openWrite: (path) => files.openWrite(path, { truncate: true }),
      append: (path) => files.openWrite(path, { append: true, create: false }),
      chmod: (path) => files.chmod(path, 0o777),
      utimes: (path) => files.utimes(path, { atimeNs: 0n, mtimeNs: 0n }),
    };
    for (const [name, act] of Object.entries(acts)) {
      for (const path of ['ld/f', 'lf', 'dangling']) {
        const said = `SYMLINK_WRITE ${path}: symlinks are not supported as write targets`;
        expect(
          failing(() => act(path)),
          `${name} ${path}`,
        ).toBe(said);
      }
    }
    for (const act of [
      () => files.mkdir('ld/m', 0o777),
      () => files.rmdir('ld/m'),
      () => files.symlink('x', 'ld/s'),
      () => files.link('ld/f', 'h'),
      () => files.link('d/f', 'ld/h'),
      () => files.rename('ld/f', 'g'),
      () => files.rename('d/f', 'ld/g'),
      () => files.chmod('ld/', 0o777),
    ]) {
      expect(codeOf(act)).toBe('SYMLINK_WRITE');
    }
    expect(fs.readdirSync(join(cwd, 'd'))).toEqual(['f']);
    expect(fs.readFileSync(join(cwd, 'd/f'), 'utf8')).toBe('keep');
    expect(files.access('lf', 'write')).toBe(false);
    expect(files.access('ld/f', 'write')).toBe(false);
    expect(files.access('d/f', 'write')).toBe(true);
  });

  it('refuse a file with another name, before anything is changed', () => {
    const cwd = scratch();
    fs.writeFileSync(join(cwd, 'a'), 'one');
    fs.linkSync(join(cwd, 'a'), join(cwd, 'b'));
    const { files } = sandbox({ cwd });
    const said = 'HARD_LINK_WRITE b: refusing to write to a file with more than one link';
    expect(failing(() => files.openWrite('b', { truncate: true }))).toBe(said);
    expect(failing(() => files.openWrite('b', { append: true }))).toBe(said);
    expect(failing(() => files.chmod('b', 0o777))).toBe(said);
    expect(failing(() => files.utimes('b', { atimeNs: 0n, mtimeNs: 0n }))).toBe(said);
    expect(files.access('b', 'write')).toBe(false);
    expect(fs.readFileSync(join(cwd, 'a'), 'utf8')).toBe('one');
    files.remove('a');
    write(files, 'b', 'two');
    files.link('b', 'c');
    expect(codeOf(() => write(files, 'c', ''))).toBe('HARD_LINK_WRITE');
    expect(files.stat('b').ino).toBe(files.stat('c').ino);
  });

  it('refuse a FIFO at once, with and without a reader', () => {
    const cwd = scratch();
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const { files } = sandbox({ cwd });
    const said = 'SPECIAL_FILE pipe: not a regular file';
    expect(failing(() => files.openWrite('pipe', {}))).toBe(said);
    expect(failing(() => files.openWrite('pipe', { append: true, create: false }))).toBe(said);
    const reader = fs.openSync(join(cwd, 'pipe'), fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    onCleanup(() => fs.closeSync(reader));
    expect(failing(() => files.openWrite('pipe', {}))).toBe(said);
    expect(files.access('pipe', 'write')).toBe(false);
  });

  it('give what is made the mode the shell asks for, whatever the host takes', () => {
    for (const host of [0o000, 0o022, 0o077, 0o777]) {
      const cwd = scratch();
      const old = process.umask(host);
      try {
        const { at } = sandbox({ cwd });
        const shell = at(cwd, { umask: 0o002 });
        write(shell, 'f', '');
        write(shell, 'g', '', { mode: 0o600 });
        shell.mkdir('d', 0o777);
        at(cwd, { umask: 0o077 }).mkdir('p', 0o777);
        write(at(cwd, { umask: 0o777 }), 'none', '');
      } finally {
        process.umask(old);
      }
      expect(['f', 'g', 'd', 'p', 'none'].map((name) => mode(join(cwd, name)))).toEqual([
        0o664, 0o600, 0o775, 0o700, 0,
      ]);
    }
  });

  it('keep the mode of a file that was there', () => {
    const cwd = scratch();
    fs.writeFileSync(join(cwd, 'f'), '', { mode: 0o640 });
    const { files } = sandbox({ cwd });
    write(files, 'f', 'x', { mode: 0o777 });
    expect(mode(join(cwd, 'f'))).toBe(0o640);
  });

  it('all fail in read-only mode before anything is looked at', () => {
    const cwd = scratch();
    fs.writeFileSync(join(cwd, 'keep'), 'k');
    const { files, effects } = sandbox({ cwd, mode: 'read-only' });
    for (const path of ['keep', 'new', '/etc/passwd', 'no/such/file']) {
      for (const act of [
        () => files.openWrite(path, {}),
        () => files.mkdir(path, 0o777),
        () => files.rmdir(path),
        () => files.chmod(path, 0o777),
        () => files.utimes(path, { atimeNs: 0n, mtimeNs: 0n }),
        () => files.symlink('x', path),
        () => files.link(path, 'x'),
        () => files.rename(path, 'x'),
        () => files.remove(path),
      ]) {
        expect(failing(act)).toBe(`READ_ONLY_MODE ${path}: remediation mode required`);
      }
    }
    expect(files.access('keep', 'write')).toBe(false);
    expect(readAll(files, 'keep')).toBe('k');
    expect(fs.readdirSync(cwd)).toEqual(['keep']);
    expect(effects[0]).toEqual({
      action: 'write',
      given: 'keep',
      path: join(cwd, 'keep'),
      ...ASKED,
      rule: 'mode',
      outcome: 'refused',
      reason: 'READ_ONLY_MODE',
    });
  });

  it('fail in a read-only root without a look at the target', () => {
    const cwd = scratch();
    const { files } = sandbox({ cwd, roots: [{ path: cwd, writable: false }] });
    expect(failing(() => files.openWrite('no/such', {}))).toBe('EACCES no/such: Permission denied');
    expect(failing(() => files.mkdir('new', 0o777))).toBe('EACCES new: Permission denied');
    expect(files.access('.', 'write')).toBe(false);
    expect(files.access('.', 'read')).toBe(true);
  });
});

describe('the devices of every script', () => {
  it('work in read-only mode and outside every root', () => {
    const cwd = scratch();
    const { files } = sandbox({ cwd, mode: 'read-only', roots: [] });
    const before = openDescriptors();
    const buffer = Buffer.alloc(8, 1);
    const nothing = files.openWrite('/dev/null', { truncate: true, append: true });
    nothing.write(buffer, null);
    expect(nothing.read(buffer, null)).toBe(0);
    const zero = files.open('/dev/zero');
    expect(zero.read(buffer, null)).toBe(8);
    expect(buffer.equals(Buffer.alloc(8))).toBe(true);
    expect(files.open('/dev/urandom').read(buffer, null)).toBe(8);
    expect(buffer.equals(Buffer.alloc(8))).toBe(false);
    const full = files.openWrite('/dev/full', {});
    expect(failing(() => full.write(buffer, null))).toBe('ENOSPC /dev/full: No space left on device');
    full.close();
    expect(failing(() => full.read(buffer, null))).toBe('EBADF /dev/full: Bad file descriptor');
    expect(openDescriptors()).toBe(before);
  });

  it('look as they do to every program', () => {
    const { files } = sandbox({ cwd: scratch(), roots: [] });
    for (const path of ['/dev/null', '/dev/zero', '/dev/full', '/dev/urandom', '/dev/tty']) {
      const real = fs.statSync(path, { bigint: true });
      expect(files.stat(path)).toMatchObject({ kind: 'character', mode: 0o20666, rdev: real.rdev });
      expect(files.tryLstat(path)).toEqual(files.stat(path));
      expect([files.access(path, 'read'), files.access(path, 'write'), files.access(path, 'execute')]).toEqual([
        true,
        true,
        false,
      ]);
    }
    for (const path of ['/dev/stdin', '/dev/stdout', '/dev/stderr', '/dev/fd/0', '/dev/fd/12']) {
      expect(files.stat(path).kind).toBe('character');
      expect(codeOf(() => files.open(path))).toBe('EACCES');
    }
    for (const path of ['/dev/fd/x', '/dev/sda', '/dev//null', '/dev/fd/0/..', '/dev']) {
      expect(
        codeOf(() => files.stat(path)),
        path,
      ).toBe('EACCES');
    }
    expect(codeOf(() => files.openWrite('/dev/null', { exclusive: true }))).toBe('done');
    expect(codeOf(() => files.remove('/dev/null'))).toBe('EACCES');
    expect(codeOf(() => files.chmod('/dev/null', 0))).toBe('EACCES');
  });
});

describe('what the shell still holds', () => {
  it('is asked for before each look at the disk', () => {
    const cwd = scratch();
    fs.writeFileSync(join(cwd, 'f'), 'text');
    let flushed = 0;
    const budget = { limit: 1, used: 0, reserve: () => true, release: () => undefined };
    const beforeAccess = (): void => {
      flushed += 1;
    };
    const store = sandboxStore({ mode: 'remediation', roots: [{ path: cwd, writable: true }], budget, beforeAccess });
    onCleanup(() => store.close());
    const files = store.for({ logicalCwd: cwd, physicalCwd: cwd, umask: 0, command: '', source: '', line: 0 });
    const file = files.open('f');
    const directory = files.openDirectory('.');
    onCleanup(() => directory.close());
    onCleanup(() => file.close());
    for (const act of [
      () => files.stat('f'),
      () => files.tryStat('f'),
      () => files.access('f', 'read'),
      () => file.read(Buffer.alloc(1), null),
      () => file.stat(),
      () => directory.lstat('f'),
      () => directory.entries(),
      () => store.resolveDirectory(cwd),
      () => files.rename('f', 'g'),
      () => files.remove('g'),
    ]) {
      flushed = 0;
      act();
      expect(flushed, act.toString()).toBeGreaterThan(0);
    }
  });
});
