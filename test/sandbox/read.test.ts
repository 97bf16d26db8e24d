import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ASKED, codeOf, failing, onCleanup, openDescriptors, readAll, sandbox, scratch } from './support.js';

describe('reads', () => {
  it('follow links within a root and between roots', () => {
    const [one, two] = [scratch(), scratch()];
    fs.mkdirSync(join(one, 'pods'));
    fs.mkdirSync(join(two, 'deep'));
    fs.writeFileSync(join(two, 'deep/f'), 'data');
    fs.symlinkSync(join(two, 'deep'), join(one, 'pods/abs'));
    fs.symlinkSync('abs', join(one, 'pods/rel'));
    fs.symlinkSync(`../../${two.split('/').pop()}/deep/f`, join(one, 'pods/up'));
    const roots = [
      { path: one, writable: false },
      { path: two, writable: false },
    ];
    const { files } = sandbox({ cwd: one, roots });
    expect(readAll(files, 'pods/abs/f')).toBe('data');
    expect(readAll(files, 'pods/rel/f')).toBe('data');
    expect(readAll(files, 'pods/up')).toBe('data');
    expect(files.realpath('pods/rel/f')).toBe(join(two, 'deep/f'));
    expect(files.realpath('pods/rel/..')).toBe(two);
    expect(files.lstat('pods/rel').kind).toBe('symlink');
    expect(files.lstat('pods/rel/').kind).toBe('directory');
    expect(files.stat('pods/rel').kind).toBe('directory');
    expect(files.readlink('pods/rel')).toBe('abs');
    expect(failing(() => files.readlink('pods'))).toBe('EINVAL pods: Invalid argument');
  });

  it('do not follow a link that leads out', () => {
    const cwd = scratch();
    const outside = scratch();
    fs.writeFileSync(join(outside, 'secret'), 's');
    fs.symlinkSync(outside, join(cwd, 'out'));
    fs.symlinkSync(join(outside, 'secret'), join(cwd, 'leaf'));
    fs.symlinkSync('../../../../../../etc/passwd', join(cwd, 'up'));
    const { files, effects } = sandbox({ cwd });
    for (const path of ['out/secret', 'out/missing', 'leaf', 'up', 'out/']) {
      expect(failing(() => files.open(path))).toBe(`EACCES ${path}: Permission denied`);
      expect(failing(() => files.stat(path))).toBe(`EACCES ${path}: Permission denied`);
      expect(failing(() => files.realpath(path))).toBe(`EACCES ${path}: Permission denied`);
    }
    expect(new Set(effects.map(({ action, outcome, reason }) => `${action} ${outcome} ${reason}`))).toEqual(
      new Set(['read refused EACCES']),
    );
    expect(files.lstat('leaf').kind).toBe('symlink');
  });

  it('follow forty links and no more', () => {
    const cwd = scratch();
    fs.writeFileSync(join(cwd, 'l0'), 'end');
    for (let i = 1; i <= 41; i++) fs.symlinkSync(`l${i - 1}`, join(cwd, `l${i}`));
    fs.symlinkSync('loop', join(cwd, 'loop'));
    const { files } = sandbox({ cwd });
    expect(readAll(files, 'l40')).toBe('end');
    expect(failing(() => files.open('l41'))).toBe('ELOOP l41: Too many levels of symbolic links');
    expect(failing(() => files.stat('loop'))).toBe('ELOOP loop: Too many levels of symbolic links');
    expect(failing(() => files.stat('loop/x'))).toBe('ELOOP loop/x: Too many levels of symbolic links');
    expect(fs.readFileSync(join(cwd, 'l40'), 'utf8')).toBe('end');
  });

  it('refuse what is no regular file, without opening it', () => {
    const cwd = scratch();
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const server = createServer().listen(join(cwd, 'sock'));
    onCleanup(() => server.close());
    fs.mkdirSync(join(cwd, 'd'));
    fs.symlinkSync('pipe', join(cwd, 'lpipe'));
    const { files } = sandbox({ cwd });
    expect(failing(() => files.open('pipe'))).toBe('SPECIAL_FILE pipe: not a regular file');
    expect(failing(() => files.open('lpipe'))).toBe('SPECIAL_FILE lpipe: not a regular file');
    expect(failing(() => files.open('d'))).toBe('EISDIR d: Is a directory');
    expect(failing(() => files.open('.'))).toBe('EISDIR .: Is a directory');
    expect(failing(() => files.openDirectory('pipe'))).toBe('ENOTDIR pipe: Not a directory');
    expect(files.stat('pipe').kind).toBe('fifo');
    expect(codeOf(() => files.open('sock'))).toBe(fs.existsSync(join(cwd, 'sock')) ? 'SPECIAL_FILE' : 'ENOENT');
  });

  it('of device nodes are refused too', ({ skip }) => {
    const cwd = scratch();
    try {
      execFileSync('mknod', [join(cwd, 'null'), 'c', '1', '3'], { stdio: 'ignore' });
    } catch {
      skip('only root makes device nodes');
    }
    const { files } = sandbox({ cwd });
    expect(codeOf(() => files.open('null'))).toBe('SPECIAL_FILE');
    expect(codeOf(() => files.openWrite('null', {}))).toBe('SPECIAL_FILE');
    expect(codeOf(() => files.chmod('null', 0o666))).toBe('SPECIAL_FILE');
    files.remove('null');
  });

  it('tell of a stat what the system tells', () => {
    const cwd = scratch();
    fs.writeFileSync(join(cwd, 'f'), 'text', { mode: 0o640 });
    const { files } = sandbox({ cwd });
    const real = fs.statSync(join(cwd, 'f'), { bigint: true });
    expect(files.stat('f')).toEqual({
      kind: 'file',
      dev: real.dev,
      ino: real.ino,
      mode: 0o100640,
      nlink: 1,
      uid: process.getuid?.(),
      gid: process.getgid?.(),
      rdev: 0n,
      size: 4,
      blocks: Number(real.blocks),
      blksize: Number(real.blksize),
      atimeNs: real.atimeNs,
      mtimeNs: real.mtimeNs,
      ctimeNs: real.ctimeNs,
      birthtimeNs: real.birthtimeNs,
    });
    expect(files.tryStat('f')).toEqual(files.stat('f'));
    expect(files.statfs('f').bsize).toBe(Number(fs.statfsSync(cwd).bsize));
  });

  it('answer a question about what is missing with no exception', () => {
    const cwd = scratch();
    fs.writeFileSync(join(cwd, 'f'), '');
    const { files, effects } = sandbox({ cwd });
    for (const path of ['missing', 'no/such', 'f/', 'f/x', '', '/etc/passwd', 'a\0b', 'x'.repeat(300)]) {
      expect(files.tryStat(path)).toBeUndefined();
      expect(files.tryLstat(path)).toBeUndefined();
      expect(files.access(path, 'read')).toBe(false);
    }
    expect(failing(() => files.stat('f/'))).toBe('ENOTDIR f/: Not a directory');
    expect(failing(() => files.stat('a\0b'))).toBe('EINVAL a\0b: Invalid argument');
    expect(failing(() => files.stat('x'.repeat(300)))).toMatch(/^ENAMETOOLONG x+: File name too long$/);
    expect(effects).toEqual([]);
  });

  it('leave nothing open, and nothing usable when closed', () => {
    const cwd = scratch();
    fs.mkdirSync(join(cwd, 'a/b'), { recursive: true });
    fs.writeFileSync(join(cwd, 'a/b/f'), 'text');
    const { files, effects } = sandbox({ cwd });
    const before = openDescriptors();
    const file = files.open('a/b/../b/f');
    expect(openDescriptors()).toBe(before + 1);
    const buffer = Buffer.alloc(10);
    expect(file.read(buffer, 2)).toBe(2);
    expect(file.read(buffer, null)).toBe(4);
    expect(file.read(buffer, null)).toBe(0);
    expect(codeOf(() => file.write(buffer, null))).toBe('EBADF');
    file.close();
    file.close();
    expect(openDescriptors()).toBe(before);
    expect(() => file.read(buffer, 0)).toThrow('Bad file descriptor');
    expect(effects).toEqual([
      { action: 'read', given: 'a/b/../b/f', path: join(cwd, 'a/b/f'), ...ASKED, outcome: 'done' },
    ]);
  });

  it('walk paths of any depth', () => {
    const cwd = scratch();
    const { files } = sandbox({ cwd });
    let path = '.';
    for (let depth = 0; depth < 200; depth++) {
      path += '/d';
      files.mkdir(path, 0o777);
    }
    const before = openDescriptors();
    files.symlink('../'.repeat(150) + 'd', `${path}/up`);
    expect(files.realpath(`${path}/up`)).toBe(join(cwd, 'd/'.repeat(51).slice(0, -1)));
    expect(files.realpath(path + '/..'.repeat(199))).toBe(join(cwd, 'd'));
    expect(openDescriptors()).toBe(before);
  });

  it('do not walk for ever', () => {
    const cwd = scratch();
    fs.mkdirSync(join(cwd, 'a'));
    const { files } = sandbox({ cwd });
    expect(files.stat('a/../'.repeat(1000)).kind).toBe('directory');
    expect(codeOf(() => files.stat('a/../'.repeat(1e6)))).toBe('ENAMETOOLONG');
    expect(codeOf(() => files.remove('./'.repeat(1e6)))).toBe('ENAMETOOLONG');
  });

  it('know where `cd` may go', () => {
    const cwd = scratch();
    fs.mkdirSync(join(cwd, 'real/deep'), { recursive: true });
    fs.symlinkSync('real/deep', join(cwd, 'ln'));
    fs.writeFileSync(join(cwd, 'f'), '');
    const { store } = sandbox({ cwd });
    expect(store.resolveDirectory(join(cwd, 'ln'))).toBe(join(cwd, 'real/deep'));
    expect(store.resolveDirectory(cwd)).toBe(cwd);
    expect(failing(() => store.resolveDirectory(join(cwd, 'f')))).toMatch(/^ENOTDIR/);
    expect(failing(() => store.resolveDirectory(join(cwd, 'no')))).toMatch(/^ENOENT/);
    expect(failing(() => store.resolveDirectory('/etc'))).toBe('EACCES /etc: Permission denied');
  });

  it('a working directory that was renamed away is gone', () => {
    const cwd = scratch();
    fs.mkdirSync(join(cwd, 'w'));
    const { at } = sandbox({ cwd });
    const files = at(join(cwd, 'w'));
    fs.writeFileSync(join(cwd, 'w/f'), '');
    expect(files.stat('f').kind).toBe('file');
    fs.renameSync(join(cwd, 'w'), join(cwd, 'v'));
    expect(failing(() => files.stat('f'))).toBe('ENOENT f: No such file or directory');
    expect(failing(() => files.remove('f'))).toBe('ENOENT f: No such file or directory');
  });
});
