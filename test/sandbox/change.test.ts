import * as fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ASKED, codeOf, failing, identity, openDescriptors, sandbox, scratch, write } from './support.js';

const mode = (path: string): number => fs.lstatSync(path).mode & 0o7777;

describe('rename', () => {
  it('moves, and costs nothing where no name is lost', () => {
    const cwd = scratch();
    fs.mkdirSync(join(cwd, 'd/e'), { recursive: true });
    fs.mkdirSync(join(cwd, 'empty'));
    fs.writeFileSync(join(cwd, 'f'), 'f');
    fs.symlinkSync('nowhere', join(cwd, 'l'));
    const { files, budget, effects, intents } = sandbox({ cwd, removals: 0 });
    const file = identity(join(cwd, 'f'));
    const before = openDescriptors();
    files.rename('f', 'd/g');
    files.rename('l', 'l2');
    files.rename('d/e', 'empty');
    files.rename('empty/', 'moved/');
    expect(openDescriptors()).toBe(before);
    expect(fs.readdirSync(cwd).sort()).toEqual(['d', 'l2', 'moved']);
    expect(budget.used).toBe(0);
    const paths = { given: 'f', path: join(cwd, 'f'), givenTo: 'd/g', to: join(cwd, 'd/g') };
    expect(intents[0]).toEqual({ action: 'rename', ...paths, file, ...ASKED });
    expect(effects[0]).toEqual({ ...intents[0], outcome: 'done' });
  });

  it('pays for the name it takes away, unless the result is its own', () => {
    const cwd = scratch();
    for (const name of ['a', 'b', 'c', 'd', 'e']) fs.writeFileSync(join(cwd, name), name);
    fs.linkSync(join(cwd, 'e'), join(cwd, 'e2'));
    fs.symlinkSync('nowhere', join(cwd, 'l'));
    const { files, budget, intents } = sandbox({ cwd, removals: 2 });
    const file = identity(join(cwd, 'a'));
    const replaces = identity(join(cwd, 'b'));
    files.rename('a', 'b');
    expect(budget.used).toBe(1);
    const paths = { given: 'a', path: join(cwd, 'a'), givenTo: 'b', to: join(cwd, 'b') };
    const left = { before: 2, after: 1 };
    expect(intents).toEqual([{ action: 'rename', ...paths, file, replaces, budget: left, ...ASKED }]);
    files.rename('b', 'b');
    files.rename('e', 'e2');
    expect(budget.used).toBe(1);
    expect(fs.existsSync(join(cwd, 'e'))).toBe(true);
    files.rename('c', 'l');
    expect(budget.used).toBe(2);
    expect(failing(() => files.rename('b', 'd'))).toBe('BUDGET d: run-wide budget of 2 file removals is exhausted');
    expect(fs.readFileSync(join(cwd, 'd'), 'utf8')).toBe('d');
    files.rename('b', 'd', true);
    expect(fs.readFileSync(join(cwd, 'd'), 'utf8')).toBe('a');
    expect(budget.used).toBe(2);
  });

  it('gives the unit back when it fails', () => {
    const cwd = scratch();
    fs.mkdirSync(join(cwd, 'dir'));
    fs.writeFileSync(join(cwd, 'f'), '');
    const { files, budget } = sandbox({ cwd });
    expect(failing(() => files.rename('dir', 'f'))).toBe('ENOTDIR f: Not a directory');
    expect(failing(() => files.rename('f', 'dir'))).toBe('EISDIR dir: Is a directory');
    expect(budget.used).toBe(0);
  });

  it('says what is wrong with each kind of path', () => {
    const cwd = scratch();
    fs.mkdirSync(join(cwd, 'dir/full'), { recursive: true });
    fs.mkdirSync(join(cwd, 'other'));
    fs.writeFileSync(join(cwd, 'f'), '');
    const { files } = sandbox({ cwd });
    const said = (from: string, to: string): string => failing(() => files.rename(from, to));
    expect(said('missing', 'x')).toBe('ENOENT missing: No such file or directory');
    expect(said('f', 'no/x')).toBe('ENOENT no/x: No such file or directory');
    expect(said('f/', 'x')).toBe('ENOTDIR f/: Not a directory');
    expect(said('f', 'x/')).toBe('ENOTDIR x/: Not a directory');
    expect(said('other', 'dir')).toBe('ENOTEMPTY dir: Directory not empty');
    expect(said('dir', 'dir/full/x')).toBe('EINVAL dir/full/x: Invalid argument');
    expect(said('dir/.', 'x')).toBe('EBUSY dir/.: Device or resource busy');
    expect(said('other', 'dir/..')).toBe('EBUSY dir/..: Device or resource busy');
    expect(said('f', '/etc/x')).toBe('EACCES /etc/x: Permission denied');
    expect(said('/etc/passwd', 'x')).toBe('EACCES /etc/passwd: Permission denied');
  });
});

describe('one file by two paths', () => {
  it('is one file by device and inode, and one removal', () => {
    const cwd = scratch();
    fs.mkdirSync(join(cwd, 'd'));
    fs.writeFileSync(join(cwd, 'd/app.log'), '');
    fs.symlinkSync('d', join(cwd, 'l'));
    const { files, budget } = sandbox({ cwd });
    const [one, other] = [files.stat('d/app.log'), files.stat('l/app.log')];
    expect([one.dev, one.ino]).toEqual([other.dev, other.ino]);
    files.remove('l/app.log');
    expect(codeOf(() => files.remove('d/app.log'))).toBe('ENOENT');
    expect(budget.used).toBe(1);
  });
});

describe('directories, links, modes and times', () => {
  it('mkdir and rmdir say what is wrong', () => {
    const cwd = scratch();
    fs.mkdirSync(join(cwd, 'd/full'), { recursive: true });
    fs.writeFileSync(join(cwd, 'f'), '');
    fs.symlinkSync('d', join(cwd, 'l'));
    fs.symlinkSync('nowhere', join(cwd, 'dangling'));
    const { files } = sandbox({ cwd });
    const mkdir = (path: string): string => failing(() => files.mkdir(path, 0o777));
    const rmdir = (path: string): string => failing(() => files.rmdir(path));
    for (const path of ['d', 'f', 'l', 'dangling', '.', 'd/..', 'd/.'])
      expect(mkdir(path)).toBe(`EEXIST ${path}: File exists`);
    expect(mkdir('no/x')).toBe('ENOENT no/x: No such file or directory');
    expect(mkdir('new/.')).toBe('ENOENT new/.: No such file or directory');
    expect(mkdir('f/x')).toBe('ENOTDIR f/x: Not a directory');
    files.mkdir('new/', 0o777);
    expect(mode(join(cwd, 'new'))).toBe(0o755);
    expect(rmdir('d')).toBe('ENOTEMPTY d: Directory not empty');
    expect(rmdir('f')).toBe('ENOTDIR f: Not a directory');
    expect(rmdir('l')).toBe('ENOTDIR l: Not a directory');
    expect(rmdir('missing')).toBe('ENOENT missing: No such file or directory');
    expect(rmdir('new/.')).toBe('EINVAL new/.: Invalid argument');
    files.rmdir('new/');
    expect(fs.existsSync(join(cwd, 'new'))).toBe(false);
  });

  it('link and symlink', () => {
    const cwd = scratch();
    fs.mkdirSync(join(cwd, 'd'));
    fs.writeFileSync(join(cwd, 'f'), '');
    fs.mkdirSync(join(cwd, 'ro'));
    fs.writeFileSync(join(cwd, 'ro/g'), '');
    const roots = [
      { path: cwd, writable: true },
      { path: join(cwd, 'ro'), writable: false },
    ];
    const { files } = sandbox({ cwd, roots });
    files.symlink('/etc/passwd', 's');
    files.symlink('a\udcffb', 'bytes');
    expect(fs.readlinkSync(join(cwd, 'bytes'), { encoding: 'buffer' })).toEqual(Buffer.from([0x61, 0xff, 0x62]));
    expect(files.readlink('bytes')).toBe('a\udcffb');
    expect(failing(() => files.symlink('x', 's'))).toBe('EEXIST s: File exists');
    expect(failing(() => files.symlink('', 'e'))).toBe('ENOENT e: No such file or directory');
    expect(failing(() => files.symlink('x', 'new/'))).toBe('ENOENT new/: No such file or directory');
    files.link('f', 'h');
    files.link('s', 's2');
    expect(fs.lstatSync(join(cwd, 's2')).isSymbolicLink()).toBe(true);
    expect(failing(() => files.link('f', 'h'))).toBe('EEXIST h: File exists');
    expect(failing(() => files.link('d', 'x'))).toBe('EPERM d: Operation not permitted');
    // A link count is part of the file, and a second name in a writable root would be a way to change the rest.
    expect(failing(() => files.link('ro/g', 'x'))).toBe('EACCES ro/g: Permission denied');
    expect(failing(() => files.link('f', 'ro/x'))).toBe('EACCES ro/x: Permission denied');
  });

  it('chmod and utimes', () => {
    const cwd = scratch();
    fs.mkdirSync(join(cwd, 'd'));
    fs.writeFileSync(join(cwd, 'f'), '');
    fs.symlinkSync('f', join(cwd, 'l'));
    const { files } = sandbox({ cwd });
    files.chmod('f', 0o4751);
    files.chmod('d/', 0o1777);
    expect([mode(join(cwd, 'f')), mode(join(cwd, 'd'))]).toEqual([0o4751, 0o1777]);
    const times = { atimeNs: 1_000_000_001_000n, mtimeNs: 1_700_000_000_123_456_000n };
    files.utimes('f', times);
    files.utimes('l', times, true);
    for (const path of ['f', 'l']) {
      const { atimeNs, mtimeNs } = files.lstat(path);
      expect([atimeNs / 1000n, mtimeNs / 1000n]).toEqual([times.atimeNs / 1000n, times.mtimeNs / 1000n]);
    }
    // Node hands over a double and libuv cuts to microseconds; never below the one that was meant.
    for (const us of [1n, 999_999n, 1_000_000_001n, 1_000_000_003n, 123_456_000_001n]) {
      files.utimes('f', { atimeNs: us * 1000n, mtimeNs: us * 1000n });
      expect(files.stat('f').mtimeNs / 1000n).toBe(us);
    }
    for (let us = 1_699_999_999_999_990n; us < 1_700_000_000_000_090n; us++) {
      files.utimes('f', { atimeNs: us * 1000n, mtimeNs: us * 1000n });
      expect(files.stat('f').mtimeNs / 1000n).toBe(us);
    }
    expect(files.lstat('l').mtimeNs / 1000n).toBe(times.mtimeNs / 1000n);
  });

  it('an intent that throws keeps the file and the unit', () => {
    const cwd = scratch();
    fs.writeFileSync(join(cwd, 'f'), '');
    const { files, budget, intents } = sandbox({ cwd });
    const push = intents.push;
    intents.push = () => {
      throw new Error('no room in the audit trail');
    };
    expect(() => files.remove('f')).toThrow('no room in the audit trail');
    intents.push = push;
    expect(fs.existsSync(join(cwd, 'f'))).toBe(true);
    expect(budget.used).toBe(0);
  });
});

describe('names', () => {
  it('are bytes: not UTF-8, composed and decomposed', () => {
    const cwd = scratch();
    const { files, at } = sandbox({ cwd });
    const names = ['\u00e9', 'e\u0301', '\udcff', 'a\udcc3', '\u{1f600}\udc80'];
    for (const name of names) write(files, name, name);
    files.mkdir('d\udcfe', 0o777);
    const inside = at(join(cwd, 'd\udcfe'));
    write(inside, 'x', '');
    expect(fs.readdirSync(cwd).length).toBe(names.length + 1);
    const directory = files.openDirectory('.');
    const listed = directory.entries().map(({ name }) => name);
    expect(listed.sort()).toEqual([...names, 'd\udcfe'].sort());
    for (const name of names) {
      expect(directory.lstat(name).kind).toBe('file');
      expect(files.realpath(name)).toBe(join(cwd, name));
    }
    directory.close();
    files.rename('\udcff', '\udcfd');
    files.remove('\u00e9');
    files.remove('\udcfd');
    inside.remove('x');
    files.rmdir('d\udcfe');
    expect(fs.readdirSync(cwd, { encoding: 'buffer' }).length).toBe(3);
    expect(files.stat('e\u0301').kind).toBe('file');
  });
});
