/**
 * The file system changes under our hands: another process swaps a directory for a symlink that leads out, or a file for
 * something else, all the time that we act through it. Nothing outside the root may be touched or seen.
 *
 * Beside each promise runs a control, the check that most programs make (realpath, compare, act). It must lose in the same
 * conditions: otherwise the attack is no attack, and a pass would mean nothing.
 */

import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isFsError } from '../../src/errors.js';
import type { Directory, Files } from '../../src/files/files.js';
import { openDescriptors } from '../sandbox/support.js';
import { buildAttacker, PATIENCE, ROUNDS, underAttack } from './attacker.js';
import { FILE_SYSTEMS, Field } from './field.js';

const attacker = buildAttacker();
afterAll(() => attacker.remove());

/** Something like `files.remove`, after what it needs was made in the true directory. Answers what it saw. */
interface Operation {
  readonly prepare?: (field: Field) => void;
  readonly act: (files: Files) => unknown;
}

const make =
  (name: string) =>
  (field: Field): void =>
    fs.writeFileSync(join(field.inside, name), 'inside');
const clear =
  (name: string) =>
  (field: Field): void =>
    fs.rmSync(join(field.inside, name), { recursive: true, force: true });

const THROUGH_A_DIRECTORY: Readonly<Record<string, Operation>> = {
  remove: { prepare: make('f'), act: (files) => files.remove('d/f') },
  'remove, deeper': { prepare: make('sub/g'), act: (files) => files.remove('d/sub/g') },
  truncate: { act: (files) => files.openWrite('d/keep', { truncate: true }).close() },
  append: { act: (files) => write(files, 'd/keep', { append: true }) },
  'write in place': { act: (files) => write(files, 'd/keep', {}) },
  create: { prepare: clear('new'), act: (files) => write(files, 'd/new', { exclusive: true }) },
  read: { act: (files) => read(files, 'd/keep') },
  'read, deeper': { act: (files) => read(files, 'd/sub/g') },
  stat: { act: (files) => files.stat('d/secret') },
  realpath: { act: (files) => files.realpath('d/secret') },
  list: { act: (files) => names(files.openDirectory('d')) },
  'list by a handle': {
    act: (files) => {
      const top = files.openDirectory('.');
      try {
        return names(top.open('d', true));
      } finally {
        top.close();
      }
    },
  },
  'rename within': {
    prepare: make('f'),
    act: (files) => files.rename('d/f', 'd/f2', true),
  },
  'rename into': {
    prepare: (field) => fs.writeFileSync(join(field.root, 'source'), 'inside'),
    act: (files) => files.rename('source', 'd/f'),
  },
  'rename out of': { prepare: make('f'), act: (files) => files.rename('d/f', 'taken', true) },
  mkdir: { prepare: clear('m'), act: (files) => files.mkdir('d/m', 0o777) },
  rmdir: {
    prepare: (field) => fs.mkdirSync(join(field.inside, 'e'), { recursive: true }),
    act: (files) => files.rmdir('d/e'),
  },
  chmod: { act: (files) => files.chmod('d/keep', 0o600) },
  utimes: { act: (files) => files.utimes('d/keep', { atimeNs: 1n, mtimeNs: 1n }) },
  symlink: { prepare: clear('s'), act: (files) => files.symlink('x', 'd/s') },
  link: {
    prepare: (field) => {
      clear('h')(field);
      make('f')(field);
    },
    act: (files) => files.link('d/f', 'd/h'),
  },
};

describe.skipIf(attacker.missing !== undefined).each(FILE_SYSTEMS)(
  'on %s, a directory that is swapped for a link to outside',
  (_name, base) => {
    // In the daily tests the second file system is only looked at.
    const rounds = base === undefined || ROUNDS > 2000 ? ROUNDS : ROUNDS / 8;
    const tallies: string[] = [];
    afterAll(() => console.log(`${rounds} rounds each, done + refused:\n  ${tallies.join('\n  ')}`));

    it.each(Object.entries(THROUGH_A_DIRECTORY))(
      '%s touches nothing outside',
      { timeout: PATIENCE },
      async (name, operation) => {
        const field = new Field(undefined, base);
        const before = openDescriptors();
        const swapped = [join(field.root, 'd'), join(field.root, 'l')] as const;
        // Both faces of the name are to be met. (What exists outside only is never to be had.)
        const met = ({ done, refused }: Tally): boolean =>
          refused > 0 && (done > 0 || ['stat', 'realpath'].includes(name));
        const tally = await underAttack(attacker, 'exchange', swapped, () => attempt(field, operation, rounds, met));
        tallies.push(`${name}: ${tally.done} + ${tally.refused}`);
        expect(field.touched).toBe(false);
        expect(tally.leaks).toEqual([]);
        expect(openDescriptors()).toBeLessThanOrEqual(before);
        expect(met(tally)).toBe(true);
        field.close();
      },
    );
  },
);

/** What a run of attempts came to. */
interface Tally {
  done: number;
  refused: number;
  readonly leaks: unknown[];
}

/** So many rounds, and more where the two processes did not meet: on a busy machine one may not run while the other does. */
function attempt(field: Field, operation: Operation, rounds: number, met: (tally: Tally) => boolean): Tally {
  const tally: Tally = { done: 0, refused: 0, leaks: [] };
  const until = performance.now() + 30_000;
  for (let round = 0; round < rounds || (!met(tally) && performance.now() < until); round++) {
    operation.prepare?.(field);
    try {
      const seen = operation.act(field.files);
      tally.done += 1;
      if (field.isOutside(seen)) tally.leaks.push(seen);
    } catch (error) {
      if (!isFsError(error)) throw error;
      tally.refused += 1;
    }
  }
  return tally;
}

const someDone = ({ done }: Tally): boolean => done > 0;

function write(files: Files, path: string, options: Parameters<Files['openWrite']>[1]): void {
  const file = files.openWrite(path, options);
  try {
    file.write(Buffer.from('inside'), null);
  } finally {
    file.close();
  }
}

function read(files: Files, path: string): string {
  const file = files.open(path);
  try {
    const buffer = Buffer.alloc(64);
    return buffer.toString('latin1', 0, file.read(buffer, null));
  } finally {
    file.close();
  }
}

function names(directory: Directory): string {
  try {
    return directory
      .entries()
      .map(({ name }) => name)
      .join();
  } finally {
    directory.close();
  }
}

describe.skipIf(attacker.missing !== undefined)('a file that is swapped', () => {
  const LEAF: Readonly<Record<string, Operation>> = {
    remove: { prepare: restorePair, act: (files) => files.remove('f') },
    truncate: { act: (files) => files.openWrite('f', { truncate: true, create: false }).close() },
    append: { act: (files) => write(files, 'f', { append: true }) },
    read: { act: (files) => read(files, 'f') },
    chmod: { act: (files) => files.chmod('f', 0o600) },
    utimes: { act: (files) => files.utimes('f', { atimeNs: 1n, mtimeNs: 1n }) },
    rename: {
      prepare: (field) => {
        restorePair(field);
        fs.writeFileSync(join(field.root, 'source'), 'inside');
      },
      act: (files) => files.rename('source', 'f'),
    },
  };

  it.each(Object.entries(LEAF))('for a link to outside: %s', { timeout: PATIENCE }, async (_name, operation) => {
    const field = new Field();
    fs.writeFileSync(join(field.root, 'f'), 'inside');
    fs.symlinkSync(join(field.out, 'keep'), join(field.root, 'lf'));
    const pair = [join(field.root, 'f'), join(field.root, 'lf')] as const;
    const tally = await underAttack(attacker, 'exchange', pair, () => attempt(field, operation, ROUNDS, someDone));
    expect(field.touched).toBe(false);
    expect(tally.leaks).toEqual([]);
    expect(tally.done).toBeGreaterThan(0);
    field.close();
  });

  it('by an empty directory, and by a link to outside: rm takes neither a directory nor what is outside', {
    timeout: PATIENCE,
  }, async () => {
    const field = new Field();
    const names = [join(field.root, 'f'), join(field.out, 'keep')] as const;
    // The attacker itself ends, and fails the test, when a directory it made was removed.
    const tally = await underAttack(attacker, 'cycle', names, () => {
      return attempt(field, { act: (files) => files.remove('f') }, ROUNDS * 5, someDone);
    });
    expect(field.touched).toBe(false);
    expect(tally.done).toBeGreaterThan(0);
    field.close();
  });

  /** The two names that are exchanged are there again: one a file, one a link. */
  function restorePair(field: Field): void {
    for (const [one, other] of [['f', 'lf'] as const, ['lf', 'f'] as const]) {
      if (fs.lstatSync(join(field.root, one), { throwIfNoEntry: false }) !== undefined) continue;
      const left = fs.lstatSync(join(field.root, other), { throwIfNoEntry: false });
      if (left?.isSymbolicLink()) fs.writeFileSync(join(field.root, one), 'inside', { flag: 'wx' });
      else fs.symlinkSync(join(field.out, 'keep'), join(field.root, one));
    }
    const both = ['f', 'lf'].map((name) => fs.lstatSync(join(field.root, name), { throwIfNoEntry: false }));
    if (both.every((stat) => stat?.isFile())) fs.rmSync(join(field.root, 'lf'));
  }
});

describe.skipIf(attacker.missing !== undefined)('a directory that is moved out of the root and back', () => {
  it('`..` comes back to where we came from, not to where the directory is now', { timeout: PATIENCE }, async () => {
    const field = new Field();
    const swapped = [join(field.root, 'd/sub'), join(field.out, 'sub')] as const;
    const operation = { prepare: make('f'), act: (files: Files) => files.remove('d/sub/../f') };
    const tally = await underAttack(attacker, 'exchange', swapped, () => attempt(field, operation, ROUNDS, someDone));
    expect(fs.readFileSync(join(field.out, 'f'), 'utf8')).toBe('outside');
    expect(tally.done).toBe(ROUNDS);
    field.close();
  });
});

describe.skipIf(attacker.missing !== undefined)('a file that is swapped for a FIFO', () => {
  const ON_A_FILE: Readonly<Record<string, Operation>> = {
    read: { act: (files) => read(files, 'f') },
    append: { act: (files) => write(files, 'f', { append: true }) },
    truncate: { act: (files) => files.openWrite('f', { truncate: true, create: false }).close() },
    'write in place': { act: (files) => write(files, 'f', {}) },
  };

  // Opening a FIFO that nobody has open at its other end would never come back, and one that somebody has would take what is written.
  it.each(Object.entries(ON_A_FILE))('%s never opens it', { timeout: PATIENCE }, async (_name, operation) => {
    const field = new Field();
    fs.writeFileSync(join(field.root, 'f'), 'inside');
    execFileSync('mkfifo', [join(field.root, 'p')]);
    const pair = [join(field.root, 'f'), join(field.root, 'p')] as const;
    const both = ({ done, refused }: Tally): boolean => done > 0 && refused > 0;
    const tally = await underAttack(attacker, 'exchange', pair, () => attempt(field, operation, ROUNDS, both));
    expect(both(tally)).toBe(true);
    expect(tally.leaks).toEqual([]);
    field.close();
  });
});

describe.skipIf(attacker.missing !== undefined)(
  'a held directory that is moved out, and what lies beside it there',
  () => {
    const UP: Readonly<Record<string, Operation>> = {
      read: { act: (files) => read(files, 'd/sub/../keep') },
      list: { act: (files) => names(files.openDirectory('d/sub/..')) },
      append: { act: (files) => write(files, 'd/sub/../keep', { append: true }) },
      create: { prepare: clear('new'), act: (files) => write(files, 'd/sub/../new', { exclusive: true }) },
      mkdir: { prepare: clear('m'), act: (files) => files.mkdir('d/sub/../m', 0o777) },
      chmod: { act: (files) => files.chmod('d/sub/../keep', 0o600) },
      'rename out of': { prepare: make('f'), act: (files) => files.rename('d/sub/../f', 'taken', true) },
      symlink: { prepare: clear('s'), act: (files) => files.symlink('x', 'd/sub/../s') },
      stat: { act: (files) => void files.stat('d/sub/../keep') },
    };

    it.each(Object.entries(UP))('%s through `..` comes back', { timeout: PATIENCE }, async (_name, operation) => {
      const field = new Field();
      const swapped = [join(field.root, 'd/sub'), join(field.out, 'sub')] as const;
      const beside = (): string[] => fs.readdirSync(field.out).sort();
      const before = beside();
      const tally = await underAttack(attacker, 'exchange', swapped, () => attempt(field, operation, ROUNDS, someDone));
      // `sub` itself was inside for half of the time; what lies beside it never was.
      expect(beside()).toEqual(before);
      for (const name of ['f', 'keep', 'secret'])
        expect(fs.readFileSync(join(field.out, name), 'utf8')).toBe('outside');
      expect(fs.statSync(join(field.out, 'keep')).mode & 0o777).toBe(0o644);
      expect(tally.leaks).toEqual([]);
      expect(tally.done).toBeGreaterThan(0);
      field.close();
    });
  },
);

describe.skipIf(attacker.missing !== undefined)('the control: realpath, compare, act', () => {
  const CONTROLS: Readonly<Record<string, (path: string) => string | undefined>> = {
    remove: (path) => void fs.unlinkSync(path),
    truncate: (path) => void fs.truncateSync(path),
    read: (path) => fs.readFileSync(path, 'latin1'),
  };

  it.each(Object.entries(CONTROLS))('%s loses', { timeout: PATIENCE }, async (name, act) => {
    const field = new Field();
    const swapped = [join(field.root, 'd'), join(field.root, 'l')] as const;
    const path = join(field.root, 'd/f');
    const prefix = join(field.root, 'd/');
    let lost = 0;
    let rounds = 0;
    await underAttack(attacker, 'exchange', swapped, () => {
      const until = performance.now() + 60_000;
      for (; rounds < ROUNDS || (lost === 0 && performance.now() < until); rounds++) {
        make('f')(field);
        try {
          if (!fs.realpathSync(path).startsWith(prefix)) continue;
          if (act(path) === 'outside') lost += 1;
        } catch {
          continue;
        }
        if (!field.touched) continue;
        lost += 1;
        field.repair();
      }
    });
    console.log(`control, ${name}: lost ${lost} of ${rounds}`);
    expect(lost).toBeGreaterThan(0);
    field.close();
  });
});

describe.skipIf(attacker.missing !== undefined)('the best-effort level', () => {
  it('is measured: it compares and then acts, and may lose', { timeout: PATIENCE }, async () => {
    const field = new Field('best-effort');
    const swapped = [join(field.root, 'd'), join(field.root, 'l')] as const;
    const operation = { prepare: make('f'), act: (files: Files) => files.remove('d/f') };
    let lost = 0;
    await underAttack(attacker, 'exchange', swapped, () => {
      for (let round = 0; round < ROUNDS; round++) {
        attempt(field, operation, 1, () => true);
        if (!field.touched) continue;
        lost += 1;
        field.repair();
      }
    });
    console.log(`best-effort, remove: lost ${lost} of ${ROUNDS}`);
    field.close();
  });
});

describe.skipIf(attacker.missing !== undefined)('a hard link that comes and goes', () => {
  it('is measured: a privileged attacker may win, rarely', { timeout: PATIENCE }, async () => {
    const field = new Field();
    let won = 0;
    const names = [join(field.root, 'h'), join(field.out, 'f')] as const;
    const outside = join(field.out, 'f');
    const tally = await underAttack(attacker, 'flick', names, () => {
      const operation: Operation = {
        act: (files) => files.openWrite('h', { truncate: true, create: false }).close(),
      };
      const all: Tally = { done: 0, refused: 0, leaks: [] };
      for (let round = 0; round < ROUNDS * 5; round++) {
        const { done, refused } = attempt(field, operation, 1, () => true);
        all.done += done;
        all.refused += refused;
        if (fs.statSync(outside).size > 0) continue;
        won += 1;
        fs.writeFileSync(outside, 'outside');
      }
      return all;
    });
    console.log(`hard link: the attacker won ${won} of ${ROUNDS * 5} (${tally.refused} refused)`);
    expect(tally.refused).toBeGreaterThan(0);
    field.close();
  });
});
