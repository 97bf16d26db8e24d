import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ASKED, failing, identity, openDescriptors, sandbox, scratch } from './support.js';

describe('remove', () => {
  it('removes a file, and charges one', () => {
    const cwd = scratch();
    fs.writeFileSync(join(cwd, 'f'), 'x');
    const { files, budget, effects, intents } = sandbox({ cwd });
    const file = identity(join(cwd, 'f'));
    const before = openDescriptors();
    files.remove('f');
    expect(openDescriptors()).toBe(before);
    expect(fs.readdirSync(cwd)).toEqual([]);
    expect(budget.used).toBe(1);
    const left = { before: 100, after: 99 };
    const intent = { action: 'remove', given: 'f', path: join(cwd, 'f'), file, budget: left, ...ASKED };
    expect(intents).toEqual([intent]);
    expect(effects).toEqual([{ ...intent, outcome: 'done' }]);
  });

  it('says what is wrong with each kind of path', () => {
    const cwd = scratch();
    fs.mkdirSync(join(cwd, 'dir'));
    fs.writeFileSync(join(cwd, 'dir/keep'), 'k');
    fs.writeFileSync(join(cwd, 'file'), 'x');
    fs.symlinkSync('dir', join(cwd, 'linkdir'));
    fs.symlinkSync('file', join(cwd, 'flink'));
    fs.symlinkSync('nowhere', join(cwd, 'dangling'));
    const { files, budget } = sandbox({ cwd });
    const said = (path: string): string => failing(() => files.remove(path));
    expect(said('dir')).toBe('EISDIR dir: Is a directory');
    expect(said('dir/')).toBe('EISDIR dir/: Is a directory');
    expect(said('dir/.')).toBe('EISDIR dir/.: Is a directory');
    expect(said('dir/..')).toBe('EISDIR dir/..: Is a directory');
    expect(said('.')).toBe('EISDIR .: Is a directory');
    expect(said('file/')).toBe('ENOTDIR file/: Not a directory');
    expect(said('file/x')).toBe('ENOTDIR file/x: Not a directory');
    expect(said('file/..')).toBe('ENOTDIR file/..: Not a directory');
    expect(said('linkdir/')).toBe('EISDIR linkdir/: Is a directory');
    expect(said('flink/')).toBe('ENOTDIR flink/: Not a directory');
    expect(said('dangling/')).toBe('ENOENT dangling/: No such file or directory');
    expect(said('missing')).toBe('ENOENT missing: No such file or directory');
    expect(said('no/such')).toBe('ENOENT no/such: No such file or directory');
    expect(said('')).toBe('ENOENT : No such file or directory');
    expect(said('/etc/passwd')).toBe('EACCES /etc/passwd: Permission denied');
    expect(said('..')).toBe('EACCES ..: Permission denied');
    expect(said('../x')).toBe('EACCES ../x: Permission denied');
    expect(said(cwd)).toBe(`EISDIR ${cwd}: Is a directory`);
    expect(budget.used).toBe(0);
    files.remove('dangling');
    files.remove('flink');
    files.remove('linkdir');
    expect(fs.readdirSync(cwd)).toEqual(['dir', 'file']);
    expect(fs.readdirSync(join(cwd, 'dir'))).toEqual(['keep']);
    expect(budget.used).toBe(3);
  });

  it('removes FIFOs and hard links without looking into them', () => {
    const cwd = scratch();
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    fs.writeFileSync(join(cwd, 'a'), 'one');
    fs.linkSync(join(cwd, 'a'), join(cwd, 'b'));
    const { files } = sandbox({ cwd });
    files.remove('pipe');
    files.remove('a');
    expect(fs.readdirSync(cwd)).toEqual(['b']);
    expect(fs.readFileSync(join(cwd, 'b'), 'utf8')).toBe('one');
  });

  it('follows directory links on the way while they stay in a writable root', () => {
    const cwd = scratch();
    const outside = scratch();
    fs.mkdirSync(join(cwd, 'rw/real'), { recursive: true });
    fs.mkdirSync(join(cwd, 'ro'));
    for (const file of ['rw/real/a', 'rw/real/b', 'ro/c']) fs.writeFileSync(join(cwd, file), '');
    fs.writeFileSync(join(outside, 'o'), '');
    fs.symlinkSync('real', join(cwd, 'rw/link'));
    fs.symlinkSync('../ro', join(cwd, 'rw/toro'));
    fs.symlinkSync('../rw/real', join(cwd, 'ro/torw'));
    fs.symlinkSync(outside, join(cwd, 'rw/out'));
    const roots = [
      { path: join(cwd, 'rw'), writable: true },
      { path: join(cwd, 'ro'), writable: false },
    ];
    const { files, budget } = sandbox({ cwd, roots });
    files.remove('rw/link/a');
    expect(failing(() => files.remove('rw/toro/c'))).toBe('EACCES rw/toro/c: Permission denied');
    expect(failing(() => files.remove('ro/torw/b'))).toBe('EACCES ro/torw/b: Permission denied');
    expect(failing(() => files.remove('rw/out/o'))).toBe('EACCES rw/out/o: Permission denied');
    expect(failing(() => files.remove('ro/missing'))).toBe('EACCES ro/missing: Permission denied');
    expect(budget.used).toBe(1);
    expect(fs.readdirSync(outside)).toEqual(['o']);
  });

  it('stops when the budget is spent, and charges only what was removed', () => {
    const cwd = scratch();
    for (const name of ['a', 'b', 'c']) fs.writeFileSync(join(cwd, name), '');
    const { files, budget } = sandbox({ cwd, removals: 2 });
    for (let i = 0; i < 5; i++) failing(() => files.remove('missing'));
    files.remove('a');
    files.remove('b');
    expect(failing(() => files.remove('c'))).toBe('BUDGET c: run-wide budget of 2 file removals is exhausted');
    expect(budget.used).toBe(2);
    expect(fs.readdirSync(cwd)).toEqual(['c']);
  });

  it('refuses in read-only mode before it looks', () => {
    const cwd = scratch();
    fs.writeFileSync(join(cwd, 'keep'), '');
    const { files } = sandbox({ cwd, mode: 'read-only' });
    for (const path of ['keep', 'missing', '/etc/passwd', '/dev/null']) {
      expect(failing(() => files.remove(path))).toBe(`READ_ONLY_MODE ${path}: remediation mode required`);
    }
  });
});
