import { describe, expect, it } from 'vitest';
import { isFsError } from '../../src/errors.js';
import { type Files, removalBudget, type StoreOptions } from '../../src/files/files.js';
import { type MemoryStore, type MemoryTree, memoryFs, memoryStore } from '../../src/files/memory.js';

const ROOT = [{ path: '/srv', writable: true }];

function memory(tree: MemoryTree, options: Partial<StoreOptions> = {}): { files: Files; store: MemoryStore } {
  const store = memoryStore(
    { mode: 'remediation', roots: ROOT, budget: removalBudget(100), ...options },
    tree,
    () => 1_700_000_000_000_000_000n,
  );
  return {
    store,
    files: store.for({ logicalCwd: '/srv', physicalCwd: '/srv', umask: 0o022, command: 'test', source: 's', line: 1 }),
  };
}

function said(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (isFsError(error)) return `${error.code} ${error.path}: ${error.message}`;
    throw error;
  }
  return 'done';
}

function read(files: Files, path: string): string {
  const buffer = Buffer.alloc(1000);
  return buffer.toString('utf8', 0, files.open(path).read(buffer, null));
}

describe('the file system in memory', () => {
  it('starts as the tree says', () => {
    const { files, store } = memory({
      '/srv/a': 'one',
      '/srv/bytes': Uint8Array.of(0xff, 0x00),
      '/srv/old': { content: 'x', mode: 0o600, mtimeNs: 5n },
      '/srv/empty': { directory: true, mode: 0o700 },
      '/srv/l': { symlink: 'a' },
      '/srv/b': { hardlink: '/srv/a' },
      '/srv/pipe': { special: 'fifo' },
      '/etc/passwd': 'secret',
    });
    expect(read(files, 'l')).toBe('one');
    expect(files.stat('old')).toMatchObject({ mode: 0o100600, mtimeNs: 5n, size: 1, nlink: 1 });
    expect(files.stat('empty')).toMatchObject({ kind: 'directory', mode: 0o040700, nlink: 2 });
    expect(files.stat('a').ino).toBe(files.stat('b').ino);
    expect(files.stat('/srv').nlink).toBe(3);
    expect(said(() => files.open('pipe'))).toBe('SPECIAL_FILE pipe: not a regular file');
    expect(said(() => files.open('/etc/passwd'))).toBe('EACCES /etc/passwd: Permission denied');
    expect(said(() => files.openWrite('b', {}))).toMatch(/^HARD_LINK_WRITE b: refusing/);
    expect(store.level).toBe('memory');
    expect(store.warnings).toEqual([]);
    expect(store.snapshot().get('/etc/passwd')?.content).toEqual(new TextEncoder().encode('secret'));
  });

  it('shares the budget and the rules of the real one', () => {
    const budget = removalBudget(1);
    const { files, store } = memory({ '/srv/a': '', '/srv/b': '' }, { budget });
    files.remove('a');
    expect(said(() => files.remove('b'))).toBe('BUDGET b: run-wide budget of 1 file removals is exhausted');
    expect([...store.snapshot().keys()]).toEqual(['/', '/srv', '/srv/b']);
    expect(budget.used).toBe(1);
    const readOnly = memory({ '/srv/a': '' }, { mode: 'read-only' }).files;
    expect(said(() => readOnly.remove('a'))).toBe('READ_ONLY_MODE a: remediation mode required');
  });

  it('knows roots that are links, and says which it cannot use', () => {
    const roots = [
      { path: '/var/run', writable: true },
      { path: '/none', writable: true },
    ];
    const { files, store } = memory({ '/run/f': 'x', '/var/run': { symlink: '../run' } }, { roots });
    expect(store.roots).toEqual([{ path: '/run', writable: true }]);
    expect(store.warnings).toEqual(["cannot use root '/none': No such file or directory"]);
    expect(read(files, '/var/run/f')).toBe('x');
    expect(files.realpath('/var/run/f')).toBe('/run/f');
    expect(store.resolveDirectory('/var/run')).toBe('/run');
  });

  it.each<[tree: object, says: string]>([
    [{ '/a/../b': 'x' }, "memoryFs: /a/../b: a path has no '.' and no '..'"],
    [{ '/./b': 'x' }, "memoryFs: /./b: a path has no '.' and no '..'"],
    [{ '/': 'x' }, 'memoryFs: /: can only be a directory'],
    [{ '/': { symlink: 'x' } }, 'memoryFs: /: can only be a directory'],
    [{ '/a/': 'x' }, "memoryFs: /a/: a path does not end with '/'"],
    [{ '/a\0': 'x' }, "memoryFs: $'/a\\000': a path has no NUL"],
    [{ a: 'x' }, 'memoryFs: a: a path is absolute'],
    [{ '/a': { content: 5 } }, 'memoryFs: /a: content must be a string or bytes'],
    [{ '/a': { directory: false } }, 'memoryFs: /a: directory must be true'],
    [{ '/a': { symlink: 5 } }, 'memoryFs: /a: symlink must be a string'],
    [{ '/a': { hardlink: null } }, 'memoryFs: /a: hardlink must be a string'],
    [{ '/a': { special: 'door' } }, 'memoryFs: /a: special must be one of fifo, socket, block, character'],
    ...[5, null, undefined, true, [], {}, { mode: 1 }].map((entry): [object, string] => [
      { '/a': entry },
      'memoryFs: /a: must be a string, bytes, or an object with one of content, directory, symlink, hardlink, special',
    ]),
  ])('refuses what is no tree, by its path: %j', (tree, says) => {
    expect(() => memoryFs(tree as MemoryTree)).toThrow(new TypeError(says));
  });

  it('takes the root itself as a directory', () => {
    expect(
      memoryFs({ '/': { directory: true, mode: 0o700 } })
        .snapshot()
        .get('/')?.mode,
    ).toBe(0o700);
  });

  it('keeps an open file whose name is gone', () => {
    const { files } = memory({ '/srv/f': 'text' });
    const file = files.openWrite('f', { read: true, append: true });
    files.remove('f');
    file.write(Buffer.from('+'), null);
    const buffer = Buffer.alloc(10);
    expect(buffer.toString('utf8', 0, file.read(buffer, 0))).toBe('text+');
    expect(file.stat().nlink).toBe(0);
    file.truncate(2);
    expect(file.read(buffer, 0)).toBe(2);
    expect(said(() => file.truncate(2 ** 40))).toBe('EFBIG f: File too large');
  });

  it('has no files in a directory that was removed', () => {
    const { files } = memory({ '/srv/d': { directory: true } });
    const directory = files.openDirectory('d');
    files.rmdir('d');
    expect(directory.entries()).toEqual([]);
    expect(said(() => files.openWrite('d/x', {}))).toBe('ENOENT d/x: No such file or directory');
  });
});
