/** What the audit trail hears: of every change before it is made, of every refusal the rule, and always whole paths. */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Effect, Files, Intent } from '../../src/files/files.js';
import { removalBudget } from '../../src/files/files.js';
import { sandboxStore } from '../../src/sandbox/store.js';
import type { Waiting } from '../../src/steps.js';
import { ASKED, failing, identity, onCleanup, openDescriptors, sandbox, scratch, write } from './support.js';

/** A store in `cwd` whose listener looks at the disk when it hears of something. */
function listening(cwd: string, onIntent: (intent: Intent) => Waiting, removals = 100, onEffect?: (e: Effect) => void) {
  const budget = removalBudget(removals);
  const roots = [{ path: cwd, writable: true }];
  const store = sandboxStore({ mode: 'remediation', roots, budget, onIntent, onEffect: onEffect ?? (() => {}) });
  onCleanup(() => store.close());
  const files = store.for({ logicalCwd: cwd, physicalCwd: cwd, umask: 0o022, ...ASKED });
  return { files, budget };
}

/** Everything below `cwd`: names, kinds, modes, times and contents. */
function tree(cwd: string): unknown {
  return (fs.readdirSync(cwd, { recursive: true }) as string[]).sort().map((name) => {
    const stat = fs.lstatSync(join(cwd, name));
    return [name, stat.mode, stat.nlink, stat.mtimeMs, stat.isFile() ? fs.readFileSync(join(cwd, name), 'utf8') : ''];
  });
}

const CHANGES: readonly (readonly [string, Intent['action'], (files: Files) => unknown])[] = [
  ['open to create', 'create', (files) => files.openWrite('new', {}).close()],
  ['open to write', 'write', (files) => files.openWrite('f', {}).close()],
  ['open to append', 'append', (files) => files.openWrite('f', { append: true }).close()],
  ['open to cut', 'truncate', (files) => files.openWrite('f', { truncate: true }).close()],
  ['mkdir', 'mkdir', (files) => files.mkdir('new', 0o777)],
  ['chmod', 'chmod', (files) => files.chmod('f', 0o600)],
  ['utimes', 'utimes', (files) => files.utimes('f', { atimeNs: 1n, mtimeNs: 1n })],
  ['symlink', 'symlink', (files) => files.symlink('f', 'new')],
  ['link', 'link', (files) => files.link('f', 'new')],
  ['rename', 'rename', (files) => files.rename('f', 'new')],
  ['rename onto a file', 'rename', (files) => files.rename('f', 'g')],
  ['remove', 'remove', (files) => files.remove('f')],
];

describe('an intent', () => {
  it.each(CHANGES)('of %s is told before anything is changed', (_what, action, act) => {
    const cwd = scratch();
    fs.mkdirSync(join(cwd, 'd'));
    for (const name of ['f', 'g']) fs.writeFileSync(join(cwd, name), name);
    const before = tree(cwd);
    const heard: string[] = [];
    const { files } = listening(cwd, (intent) => {
      expect(tree(cwd)).toEqual(before);
      expect(intent.path.startsWith(`${cwd}/`)).toBe(true);
      heard.push(intent.action);
      return undefined;
    });
    act(files);
    expect(heard).toEqual([action]);
  });

  it.each(CHANGES)('of %s that cannot be told stops it', (_what, _action, act) => {
    const cwd = scratch();
    fs.mkdirSync(join(cwd, 'd'));
    for (const name of ['f', 'g']) fs.writeFileSync(join(cwd, name), name);
    const before = tree(cwd);
    const effects: Effect[] = [];
    const refuse = (): never => {
      throw new Error('full');
    };
    const { files, budget } = listening(cwd, refuse, 100, (effect) => effects.push(effect));
    const open = openDescriptors();
    expect(() => act(files)).toThrow('full');
    expect(openDescriptors()).toBe(open);
    expect(tree(cwd)).toEqual(before);
    expect(budget.used).toBe(0);
    expect(effects).toEqual([]);
  });

  it('of a cut in an open file is told before the cut, with the size it had', () => {
    const cwd = scratch();
    fs.writeFileSync(join(cwd, 'f'), 'content');
    const heard: unknown[] = [];
    const { files } = listening(cwd, ({ action, path, file }) => {
      heard.push([action, path, file?.size, fs.statSync(join(cwd, 'f')).size]);
      return undefined;
    });
    const file = files.openWrite('./f', { create: false });
    file.truncate(3);
    file.close();
    expect(heard).toEqual([
      ['write', join(cwd, 'f'), 7, 7],
      ['truncate', join(cwd, 'f'), 7, 7],
    ]);
  });

  it('that has to be waited for is, and what was given up meanwhile is given back', async () => {
    const cwd = scratch();
    for (const name of ['a', 'b', 'c']) fs.writeFileSync(join(cwd, name), name);
    let release = (): void => {};
    const intents: Intent[] = [];
    const { files, budget } = listening(
      cwd,
      (intent) => {
        intents.push(intent);
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      },
      2,
    );
    const open = openDescriptors();
    const first = files.remove('a');
    expect(first).toBeInstanceOf(Promise);
    expect(fs.existsSync(join(cwd, 'a'))).toBe(true);
    // The unit is taken while it waits, and no descriptor is held.
    expect(budget.used).toBe(1);
    expect(openDescriptors()).toBe(open);
    release();
    await first;
    expect(fs.existsSync(join(cwd, 'a'))).toBe(false);
    expect(intents.length).toBe(1);

    // Another file took the name: that one has not been announced.
    const second = files.remove('b');
    fs.renameSync(join(cwd, 'c'), join(cwd, 'b'));
    const other = identity(join(cwd, 'b'));
    release();
    await new Promise((turn) => setImmediate(turn));
    expect(fs.existsSync(join(cwd, 'b'))).toBe(true);
    expect(intents.length).toBe(3);
    expect(intents[2]?.file).toEqual(other);
    release();
    await second;
    expect(fs.existsSync(join(cwd, 'b'))).toBe(false);
    expect(budget.used).toBe(2);
  });

  it('whose promise rejects, or whose file has gone, costs nothing', async () => {
    const cwd = scratch();
    for (const name of ['a', 'b', 'c']) fs.writeFileSync(join(cwd, name), name);
    const settle: { resolve: () => void; reject: (error: Error) => void }[] = [];
    const { files, budget } = listening(
      cwd,
      () => new Promise<void>((resolve, reject) => void settle.push({ resolve, reject })),
    );
    const rejected = files.remove('a');
    settle[0]?.reject(new Error('full'));
    await expect(rejected).rejects.toThrow('full');
    expect(fs.existsSync(join(cwd, 'a'))).toBe(true);
    const gone = files.remove('b');
    fs.unlinkSync(join(cwd, 'b'));
    settle[1]?.resolve();
    await expect(gone).rejects.toMatchObject({ code: 'ENOENT', path: 'b' });
    expect(budget.used).toBe(0);
    // The name a rename was to take away is free by now: nothing is lost, and nothing is charged.
    fs.writeFileSync(join(cwd, 'd'), 'd');
    const free = files.rename('c', 'd');
    fs.unlinkSync(join(cwd, 'd'));
    settle[2]?.resolve();
    await free;
    expect(fs.readFileSync(join(cwd, 'd'), 'utf8')).toBe('c');
    expect(budget.used).toBe(0);
  });
});

describe('a refusal', () => {
  it.each([
    ['mode', 'rw', (files: Files) => files.remove('f'), 'read-only'],
    ['outside-roots', 'rw', (files: Files) => files.remove('/elsewhere/../out/f')],
    ['outside-roots', 'rw', (files: Files) => files.open('../../out/f')],
    ['outside-roots', 'rw', (files: Files) => files.stat('../../out/./f')],
    ['read-only-root', 'ro', (files: Files) => files.remove('d/../f')],
    ['read-only-root', 'ro', (files: Files) => files.mkdir('new', 0o777)],
    ['root', 'rw', (files: Files) => files.rmdir('../rw')],
    ['root', 'rw', (files: Files) => files.rename('../rw', 'x')],
    ['symlink', 'rw', (files: Files) => write(files, 'link', '')],
    ['symlink', 'rw', (files: Files) => write(files, 'dirlink/x', '')],
    ['link-count', 'rw', (files: Files) => write(files, 'two', '')],
    ['link-count', 'rw', (files: Files) => files.chmod('two', 0o600)],
    ['special-file', 'rw', (files: Files) => files.open('fifo')],
    ['special-file', 'rw', (files: Files) => write(files, 'fifo', '')],
    ['budget', 'rw', (files: Files) => files.remove('f')],
    ['budget', 'rw', (files: Files) => files.rename('f', 'g')],
  ] as const)('names its rule: %s, in %s', (rule, place, act, mode?: 'read-only') => {
    const top = scratch();
    for (const root of ['rw', 'ro']) {
      const at = (name: string): string => join(top, root, name);
      fs.mkdirSync(at('d/x'), { recursive: true });
      for (const name of ['f', 'g', 'one']) fs.writeFileSync(at(name), name);
      fs.linkSync(at('one'), at('two'));
      fs.symlinkSync('f', at('link'));
      fs.symlinkSync('d', at('dirlink'));
      execFileSync('mkfifo', [at('fifo')]);
    }
    const { at, effects } = sandbox({
      cwd: join(top, 'rw'),
      mode: mode ?? 'remediation',
      roots: [
        { path: join(top, 'rw'), writable: true },
        { path: join(top, 'ro'), writable: false },
      ],
      removals: rule === 'budget' ? 0 : 100,
    });
    const before = tree(top);
    failing(() => act(at(join(top, place))));
    expect(tree(top)).toEqual(before);
    expect(effects.length).toBe(1);
    expect(effects[0]).toMatchObject({ outcome: 'refused', rule });
    for (const path of [effects[0]?.path, effects[0]?.to]) {
      expect(path ?? '/').toMatch(/^\//);
      expect((path ?? '/').split('/')).not.toContain('..');
    }
  });

  it('is none where the file system itself says no', () => {
    const cwd = scratch();
    fs.mkdirSync(join(cwd, 'd'));
    fs.writeFileSync(join(cwd, 'f'), '');
    const { files, effects } = sandbox({ cwd });
    failing(() => files.remove('d'));
    failing(() => files.open('missing/../x'));
    failing(() => files.mkdir('f', 0o777));
    failing(() => files.rename('d/.', 'e'));
    expect(effects.map(({ outcome, reason, rule, path }) => [outcome, reason, rule, path])).toEqual([
      ['failed', 'EISDIR', undefined, join(cwd, 'd')],
      ['failed', 'ENOENT', undefined, join(cwd, 'x')],
      ['failed', 'EEXIST', undefined, join(cwd, 'f')],
      ['failed', 'EBUSY', undefined, join(cwd, 'd')],
    ]);
  });

  it('of a file system of the kernel', () => {
    const { files, effects } = sandbox({ cwd: '/', roots: [{ path: '/', writable: false }] });
    failing(() => files.open('/proc/self/environ'));
    expect(effects).toMatchObject([{ rule: 'kernel-interface', path: '/proc/self/environ' }]);
  });
});
