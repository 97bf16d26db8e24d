/** Each system call of each operation fails once: the failure has its errno and the path as typed, and nothing stays open. */

import * as fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isFsError } from '../../src/errors.js';
import type { Files } from '../../src/files/files.js';
import { openDescriptors, sandbox, scratch, write } from './support.js';

type Call = (...args: never[]) => unknown;
const real: Record<string, Call> = createRequire(import.meta.url)('node:fs');
const CALLS = [
  'openSync',
  'fstatSync',
  'lstatSync',
  'readlinkSync',
  'statfsSync',
  'readdirSync',
  'ftruncateSync',
  'fchmodSync',
  'chmodSync',
  'utimesSync',
  'unlinkSync',
  'rmdirSync',
  'mkdirSync',
  'renameSync',
  'linkSync',
  'symlinkSync',
] as const;

const originals = new Map(CALLS.map((name) => [name, real[name] as Call]));
afterEach(restore);

function restore(): void {
  for (const [name, call] of originals) real[name] = call;
  syncBuiltinESMExports();
}

/** Lets the call number `at` from now fail. Answers whether it has come to that. */
function failAt(at: number): () => boolean {
  let count = 0;
  for (const [name, call] of originals) {
    real[name] = (...args) => {
      if (count++ !== at) return call(...args);
      throw Object.assign(new Error(`EIO: i/o error, /proc/self/fd/99`), { code: 'EIO', errno: -5, syscall: name });
    };
  }
  syncBuiltinESMExports();
  return () => count > at;
}

const OPERATIONS: Readonly<Record<string, (files: Files) => unknown>> = {
  stat: (files) => files.stat('d/l/../f'),
  open: (files) => files.open('l/f').close(),
  'open for writing': (files) => files.openWrite('d/f', { truncate: true }).close(),
  create: (files) => files.openWrite('d/new', { mode: 0o666 }).close(),
  remove: (files) => files.remove('l/f'),
  rename: (files) => files.rename('d/f', 'g'),
  link: (files) => files.link('d/f', 'd/h'),
  symlink: (files) => files.symlink('x', 'd/s'),
  mkdir: (files) => files.mkdir('d/m', 0o777),
  rmdir: (files) => files.rmdir('d/e'),
  chmod: (files) => files.chmod('d/f', 0o600),
  utimes: (files) => files.utimes('d/f', { atimeNs: 0n, mtimeNs: 0n }),
  statfs: (files) => files.statfs('l'),
  realpath: (files) => files.realpath('l/e'),
  walk: (files) => {
    const top = files.openDirectory('l');
    try {
      top.entries();
      top.lstat('f');
      top.statFollow('l');
      top.open('l', true).close();
    } finally {
      top.close();
    }
  },
};

describe('a system call that fails', () => {
  it.each(Object.entries(OPERATIONS))('in %s leaves nothing open and charges nothing', (_name, act) => {
    let failures = 0;
    for (let at = 0; ; at++) {
      const cwd = scratch();
      fs.mkdirSync(join(cwd, 'd/e'), { recursive: true });
      write(sandbox({ cwd }).files, 'd/f', 'text');
      write(sandbox({ cwd }).files, 'g', 'text');
      fs.symlinkSync('d', join(cwd, 'l'));
      fs.symlinkSync('../d/e', join(cwd, 'd/l'));
      const host = process.umask(0o077);
      const { files, budget } = sandbox({ cwd });
      const before = openDescriptors();
      const reached = failAt(at);
      let failed: unknown;
      try {
        act(files);
      } catch (error) {
        failed = error;
      } finally {
        restore();
        process.umask(host);
      }
      expect(openDescriptors()).toBe(before);
      if (!reached()) break;
      if (failed === undefined) continue;
      failures += 1;
      if (!isFsError(failed)) throw failed;
      expect(failed.message).toBe('Input/output error');
      expect(failed.path).not.toMatch(/^\/proc/);
      expect(budget.used).toBe(0);
    }
    expect(failures).toBeGreaterThan(0);
  });
});
