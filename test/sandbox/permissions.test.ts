/** What the system itself refuses: met as a user who is not root, which root becomes for the time of a test. */

import * as fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failing, sandbox, scratch } from './support.js';

const NOBODY = 65534;

function asNobody(act: () => void): void {
  if (process.geteuid?.() !== 0) {
    act();
    return;
  }
  process.seteuid?.(NOBODY);
  try {
    act();
  } finally {
    process.seteuid?.(0);
  }
}

describe('permissions of the system', () => {
  it('are told in the words of POSIX', () => {
    const cwd = scratch();
    fs.chmodSync(cwd, 0o755);
    fs.mkdirSync(join(cwd, 'closed'));
    fs.writeFileSync(join(cwd, 'closed/f'), '');
    fs.mkdirSync(join(cwd, 'fixed'));
    fs.writeFileSync(join(cwd, 'fixed/f'), 'text');
    fs.writeFileSync(join(cwd, 'unreadable'), 'secret');
    fs.chmodSync(join(cwd, 'unreadable'), 0);
    fs.chmodSync(join(cwd, 'fixed'), 0o555);
    fs.chmodSync(join(cwd, 'closed'), 0);
    const { files, budget, effects, store } = sandbox({ cwd });
    asNobody(() => {
      const said = (path: string): string => `EACCES ${path}: Permission denied`;
      expect(failing(() => files.open('unreadable'))).toBe(said('unreadable'));
      expect(failing(() => files.stat('closed/f'))).toBe(said('closed/f'));
      expect(failing(() => files.remove('closed/f'))).toBe(said('closed/f'));
      const closed = files.openDirectory('closed');
      expect(failing(() => closed.entries())).toBe(said('closed'));
      closed.close();
      expect(failing(() => files.remove('fixed/f'))).toBe(said('fixed/f'));
      expect(failing(() => files.openWrite('fixed/new', {}))).toBe(said('fixed/new'));
      expect(failing(() => files.mkdir('fixed/new', 0o777))).toBe(said('fixed/new'));
      // access(2) asks for the real user, who is still root when root runs the tests.
      if (process.getuid?.() === 0) return;
      expect(failing(() => store.resolveDirectory(join(cwd, 'closed')))).toBe(said(join(cwd, 'closed')));
      expect(files.access('unreadable', 'read')).toBe(false);
      expect(files.access('fixed', 'write')).toBe(false);
      expect(files.access('fixed', 'execute')).toBe(true);
      expect(files.access('fixed/f', 'execute')).toBe(false);
    });
    expect(budget.used).toBe(0);
    expect(effects.filter(({ action }) => action === 'remove').map(({ outcome, reason }) => [outcome, reason])).toEqual(
      [
        ['failed', 'EACCES'],
        ['failed', 'EACCES'],
      ],
    );
    fs.chmodSync(join(cwd, 'closed'), 0o755);
  });
});
