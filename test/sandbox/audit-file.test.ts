/** The file of an audit trail: where it may be, and how it is opened. */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAuditFile, processStart } from '../../src/sandbox/audit-file.js';
import { decode, encode } from '../../src/text/bytes.js';
import { failing, scratch } from './support.js';

describe('an audit file', () => {
  it('is made for its owner alone, and only grows', () => {
    const path = join(scratch(), 'audit\udcff');
    const file = openAuditFile(path, []);
    file.append(encode('one\n'));
    file.sync();
    openAuditFile(path, []).append(encode('two\n'));
    const real = Buffer.from(encode(path));
    expect(fs.readFileSync(real, 'utf8')).toBe('one\ntwo\n');
    expect(fs.statSync(real).mode & 0o777).toBe(0o600);
    expect(failing(() => file.append(encode('three\n')))).toContain('somebody else has changed it');
    expect(fs.readFileSync(real, 'utf8')).toBe('one\ntwo\n');
  });

  it.each([
    ['', undefined, true],
    ['\n', '', true],
    ['a', 'a', false],
    ['a\n', 'a', true],
    ['a\nb', 'b', false],
    ['a\nbc\n', 'bc', true],
    [`a\n${'x'.repeat(70_000)}\n`, 'x'.repeat(70_000), true],
    [`${'x'.repeat(300_000)}\n`, 'x'.repeat(300_000), true],
    [`${'y'.repeat(65_535)}\nb\n`, 'b', true],
  ])('knows its last line', (content, line, whole) => {
    const path = join(scratch(), 'f');
    fs.writeFileSync(path, content);
    const file = openAuditFile(path, []);
    expect(file.lastLine === undefined ? undefined : decode(file.lastLine)).toBe(line);
    expect(file.whole).toBe(whole);
  });

  it('is a regular file with one name, and no link', () => {
    const cwd = scratch();
    const at = (name: string): string => join(cwd, name);
    fs.writeFileSync(at('f'), '');
    fs.symlinkSync('f', at('link'));
    fs.symlinkSync('missing', at('dangling'));
    fs.writeFileSync(at('one'), '');
    fs.linkSync(at('one'), at('two'));
    execFileSync('mkfifo', [at('fifo')]);
    const code = (name: string): string => failing(() => openAuditFile(at(name), [])).split(' ')[0] as string;
    expect(['link', 'dangling', 'two', 'fifo', '.', 'f/', 'no/f'].map(code)).toEqual([
      'SYMLINK_WRITE',
      'SYMLINK_WRITE',
      'HARD_LINK_WRITE',
      'SPECIAL_FILE',
      'EISDIR',
      'EISDIR',
      'ENOENT',
    ]);
    expect(fs.existsSync(at('missing'))).toBe(false);
    expect(failing(() => openAuditFile('/dev/full', []))).toMatch(/^SPECIAL_FILE/);
  });

  it('lies nowhere that a script may write to, whatever it is called', () => {
    const cwd = scratch();
    fs.mkdirSync(join(cwd, 'rw/d'), { recursive: true });
    fs.symlinkSync('rw/d', join(cwd, 'in'));
    fs.symlinkSync('rw', join(cwd, 'granted'));
    for (const name of ['rw/audit', 'rw/d/audit', 'in/audit', 'rw/d/../audit', 'granted/audit']) {
      for (const root of ['rw', 'granted']) {
        expect(failing(() => openAuditFile(join(cwd, name), [join(cwd, root)]))).toMatch(/^EACCES .* lies in /);
      }
    }
    expect(fs.readdirSync(join(cwd, 'rw'))).toEqual(['d']);
    expect(failing(() => openAuditFile(join(cwd, 'single'), [join(cwd, 'missing'), cwd]))).toMatch(/^EACCES/);
    openAuditFile(join(cwd, 'rwx'), [join(cwd, 'rw')]);
  });

  it('may be a descriptor of the caller, and none of ours', () => {
    const path = join(scratch(), 'f');
    const fd = fs.openSync(path, 'a');
    openAuditFile(`/dev/fd/${fd}`, []).append(encode('one\n'));
    expect(fs.readFileSync(path, 'utf8')).toBe('one\n');
    expect(failing(() => openAuditFile(`/dev/fd/${fd}`, []))).toContain('is given by its name');
    fs.closeSync(fd);
    const whats = fs.readdirSync('/proc/self/fd').flatMap((name) => {
      try {
        return [[name, fs.readlinkSync(`/proc/self/fd/${name}`)] as const];
      } catch {
        // The one that lists them is closed by now.
        return [];
      }
    });
    const own = whats.filter(([, what]) => what.startsWith('anon_inode:'));
    expect(own.length).toBeGreaterThan(0);
    for (const [name] of own) expect(failing(() => openAuditFile(`/dev/fd/${name}`, []))).toMatch(/^EBADF/);
    expect(failing(() => openAuditFile('/dev/fd/9999', []))).toMatch(/^E/);
  });
});

describe('the start of a process', () => {
  it('is that of proc(5), and of none that is gone', () => {
    expect(processStart(process.pid)).toMatch(/^[0-9]+$/);
    expect(processStart(process.pid)).toBe(processStart(process.pid));
    expect(processStart(4_194_399)).toBeUndefined();
  });
});
