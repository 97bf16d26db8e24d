/** The memory form answers as the real file system does, at both levels: random trees, random operations; every answer, every
 * trace and what is left in the end are equal. */

import * as fs from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { isFsError } from '../../src/errors.js';
import {
  type Effect,
  type FileIdentity,
  type FileKind,
  type FileStat,
  type FileStore,
  type Files,
  type Intent,
  removalBudget,
  type StoreOptions,
} from '../../src/files/files.js';
import { type MemoryEntry, type MemorySnapshot, memoryStore } from '../../src/files/memory.js';
import { sandboxStore } from '../../src/sandbox/store.js';
import { decode, encode } from '../../src/text/bytes.js';
import { openDescriptors, scratch } from '../sandbox/support.js';

/** Roots in each other in both orders, one that is a file, one that is granted by a link, and something outside. */
const PLACES = ['rw', 'rw/ro', 'ro', 'ro/rw', 'linked', 'out'] as const;

const name = fc.constantFrom('a', 'b', '\udcff');
const place = fc.constantFrom(...PLACES);
/** Ways to write a path, right and wrong. */
const piece = fc.oneof(
  { weight: 20, arbitrary: name },
  { weight: 1, arbitrary: fc.constantFrom('..', '.', '', 'ro', 'rw', 'x'.repeat(256)) },
);
const ending = fc.oneof(
  { weight: 12, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom('/', '/.') },
);
const pathBelow = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: fc.array(piece, { minLength: 1, maxLength: 1 }) },
      { weight: 2, arbitrary: fc.array(piece, { minLength: 2, maxLength: 3 }) },
    ),
    ending,
  )
  .map(([pieces, end]) => pieces.join('/') + end);
const path = fc.oneof(
  { weight: 5, arbitrary: pathBelow },
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.constantFrom(...PLACES, 'alias', 'single'), pathBelow)
      .map(([top, below]) => `@/${top}/${below}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '/', '.', '..', '@/rw', '@/ro/rw', '@/single', '@/alias', '@/linked', '@/out'),
  },
);
const target = fc.oneof(pathBelow, path);

type Plant = readonly [where: string, entry: MemoryEntry];
const plant: fc.Arbitrary<Plant> = fc.tuple(
  fc.tuple(place, fc.array(name, { minLength: 1, maxLength: 2 })).map(([top, names]) => [top, ...names].join('/')),
  fc.oneof<fc.Arbitrary<MemoryEntry>[]>(
    fc.constantFrom('', 'text', 'longer text'),
    fc.constantFrom(0o600, 0o444, 0o755).map((mode) => ({ content: 'x', mode })),
    fc.constant({ directory: true as const, mode: 0o755 }),
    target.map((symlink) => ({ symlink: symlink || 'a' })),
  ),
);

const flag = fc.boolean();
const operation = fc.oneof(
  fc.record({ kind: fc.constantFrom('stat', 'lstat', 'readlink', 'realpath', 'read', 'list'), path }),
  fc.record({ kind: fc.constantFrom('tryStat', 'tryLstat', 'accessRead', 'accessWrite'), path }),
  fc.record({ kind: fc.constant('write'), path, append: flag, truncate: flag, create: flag, exclusive: flag }),
  fc.record({ kind: fc.constantFrom('remove', 'rmdir', 'mkdir', 'chmod', 'utimes', 'lutimes'), path }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('rename', 'link', 'own'), path, to: path }) },
  fc.record({ kind: fc.constant('symlink'), path, target }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

describe('the memory form', () => {
  it('agrees with the sandbox', { timeout: 300_000 }, () => {
    const base = scratch();
    let round = 0;
    fc.assert(
      fc.property(
        fc.array(plant, { minLength: 4, maxLength: 30, size: 'max' }),
        fc.array(operation, { minLength: 1, maxLength: 40, size: 'max' }),
        fc.oneof(
          { weight: 9, arbitrary: fc.constant<StoreOptions['mode']>('remediation') },
          { weight: 1, arbitrary: fc.constant<StoreOptions['mode']>('read-only') },
        ),
        fc.constantFrom(0o022, 0o077, 0),
        (plants, operations, mode, umask) => {
          const top = join(base, `${round++}`);
          const tree = new Map<string, MemoryEntry>();
          for (const each of PLACES) tree.set(join(top, each), { directory: true, mode: 0o755 });
          tree.set(join(top, 'single'), 'one file');
          tree.set(join(top, 'alias'), { symlink: 'linked' });
          for (const [where, entry] of plants) addWhereItFits(tree, join(top, where), absolute(entry, top));
          const roots = [
            { path: join(top, 'rw'), writable: true },
            { path: join(top, 'rw/ro'), writable: false },
            { path: join(top, 'ro'), writable: false },
            { path: join(top, 'ro/rw'), writable: true },
            { path: join(top, 'alias'), writable: true },
            { path: join(top, 'single'), writable: true },
          ];
          const policy = { mode, roots };
          const onDisk = (level?: 'best-effort'): string[] => {
            plantOnDisk(tree);
            const before = openDescriptors();
            const answers = trace((options) => sandboxStore(options, level), policy, top, umask, operations);
            if (openDescriptors() !== before) throw new Error('a descriptor was left open');
            answers.push(JSON.stringify(leftOnDisk(top)));
            fs.rmSync(top, { recursive: true });
            return answers;
          };
          let left: ReadonlyMap<string, MemorySnapshot> = new Map();
          const inMemory = (options: StoreOptions): FileStore => {
            const store = memoryStore(options, Object.fromEntries(tree));
            return { ...store, close: () => (left = store.snapshot()) };
          };
          const memory = trace(inMemory, policy, top, umask, operations);
          memory.push(JSON.stringify(leftInMemory(left, top)));
          for (const level of [undefined, 'best-effort'] as const) {
            const real = onDisk(level);
            for (let i = 0; i < real.length; i++) {
              if (real[i] === memory[i]) continue;
              const what = JSON.stringify(operations[i] ?? 'what is left');
              throw new Error(`${what}\n${level ?? 'sandbox'}: ${real[i]}\nmemory: ${memory[i]}`);
            }
          }
        },
      ),
      { numRuns: Number(process.env['RMSH_AGREEMENT_RUNS'] ?? 100) },
    );
  });
});

/** Every answer as text, effects included. */
function trace(
  open: (options: StoreOptions) => FileStore,
  policy: Pick<StoreOptions, 'mode' | 'roots'>,
  top: string,
  umask: number,
  operations: readonly Operation[],
): string[] {
  const effects: unknown[] = [];
  const hear = (heard: Intent | Effect): undefined => {
    effects.push({ ...heard, file: comparable(heard.file), replaces: comparable(heard.replaces) });
  };
  const budget = removalBudget(2);
  const store = open({ ...policy, budget, onEffect: hear, onIntent: hear });
  const cwd = join(top, 'rw');
  const files = store.for({ logicalCwd: cwd, physicalCwd: cwd, umask, command: 'c', source: 's', line: 7 });
  try {
    return operations.map((operation) => {
      effects.length = 0;
      let answer: unknown;
      try {
        answer = perform(files, operation, top);
      } catch (error) {
        if (!isFsError(error)) throw error;
        answer = `${error.code} ${error.path}: ${error.message}`;
      }
      return JSON.stringify([answer, budget.used, effects]);
    });
  } finally {
    store.close();
  }
}

function perform(files: Files, operation: Operation, top: string): unknown {
  const path = operation.path.replace('@', top);
  switch (operation.kind) {
    case 'stat':
      return told(files.stat(path));
    case 'lstat':
      return told(files.lstat(path));
    case 'tryStat':
      return told(files.tryStat(path));
    case 'tryLstat':
      return told(files.tryLstat(path));
    case 'readlink':
      return files.readlink(path);
    case 'realpath':
      return files.realpath(path);
    case 'accessRead':
      return files.access(path, 'read');
    case 'accessWrite':
      return files.access(path, 'write');
    case 'read': {
      const file = files.open(path);
      const buffer = Buffer.alloc(100);
      const text = buffer.toString('utf8', 0, file.read(buffer, null));
      file.close();
      return text;
    }
    case 'list': {
      const directory = files.openDirectory(path);
      const entries = directory.entries().sort((a, b) => (a.name < b.name ? -1 : 1));
      const looks = entries.map(({ name, kind }) => {
        return [
          name,
          kind,
          attempt(() => told(directory.statFollow(name))),
          attempt(() => directory.open(name, true).close()),
        ];
      });
      directory.close();
      return looks;
    }
    case 'write': {
      const { append, truncate, create, exclusive } = operation as Extract<Operation, { append: boolean }>;
      const file = files.openWrite(path, { append, truncate, create, exclusive });
      file.write(Buffer.from('new'), null);
      file.close();
      return 'written';
    }
    case 'remove':
      return files.remove(path);
    case 'rmdir':
      return files.rmdir(path);
    case 'mkdir':
      return files.mkdir(path, 0o777);
    case 'chmod':
      return files.chmod(path, 0o640);
    case 'utimes':
      return files.utimes(path, { atimeNs: 1_000_000_000n, mtimeNs: 2_000_000_000n });
    case 'lutimes':
      return files.utimes(path, { atimeNs: 1_000_000_000n, mtimeNs: 2_000_000_000n }, true);
    case 'symlink':
      return files.symlink((operation as Extract<Operation, { target: string }>).target.replace('@', top), path);
    default: {
      const to = (operation as Extract<Operation, { to: string }>).to.replace('@', top);
      if (operation.kind === 'link') return files.link(path, to);
      return files.rename(path, to, operation.kind === 'own');
    }
  }
}

/** Of a file what is the same on every file system. */
function comparable(file: FileIdentity | undefined): unknown {
  return file === undefined || file.kind === 'directory' ? file?.kind : [file.kind, file.size];
}

function attempt(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    if (!isFsError(error)) throw error;
    return error.code;
  }
}

/** What of a stat is the same on every file system. */
function told(stat: FileStat | undefined): unknown {
  if (stat === undefined) return undefined;
  const { kind, mode, nlink, size } = stat;
  return kind === 'directory' ? [kind, mode] : [kind, mode, nlink, size];
}

function absolute(entry: MemoryEntry, top: string): MemoryEntry {
  if (typeof entry === 'string' || !('symlink' in entry)) return entry;
  return { symlink: entry.symlink.replace('@', top) };
}

/** Below directories only, and no name twice. */
function addWhereItFits(tree: Map<string, MemoryEntry>, path: string, entry: MemoryEntry): void {
  const above = tree.get(join(path, '..'));
  if (tree.has(path) || typeof above !== 'object' || !('directory' in above)) return;
  tree.set(path, entry);
}

/** Every file by its path: what it is, its mode, and what is in it. */
type Left = [path: string, kind: FileKind, mode: number, content: string][];

function leftOnDisk(top: string): Left {
  const left: Left = [];
  const look = (path: Buffer): void => {
    const stat = fs.lstatSync(path);
    const mode = stat.mode & 0o7777;
    if (stat.isFile()) left.push([decode(path), 'file', mode, fs.readFileSync(path, 'latin1')]);
    else if (stat.isSymbolicLink()) left.push([decode(path), 'symlink', mode, fs.readlinkSync(path, 'latin1')]);
    else {
      left.push([decode(path), 'directory', mode, '']);
      for (const name of fs.readdirSync(path, 'buffer')) look(Buffer.concat([path, Buffer.from('/'), name]));
    }
  };
  look(encode(top));
  return left.sort(byPath);
}

function leftInMemory(all: ReadonlyMap<string, MemorySnapshot>, top: string): Left {
  const below = [...all].filter(([path]) => path === top || path.startsWith(`${top}/`));
  return below
    .map(([path, { kind, mode, content, target }]): Left[number] => {
      const told = content ?? (target === undefined ? '' : encode(target));
      return [path, kind, mode, Buffer.from(told).toString('latin1')];
    })
    .sort(byPath);
}

function byPath(a: Left[number], b: Left[number]): number {
  return a[0] < b[0] ? -1 : 1;
}

function plantOnDisk(tree: ReadonlyMap<string, MemoryEntry>): void {
  for (const [path, entry] of tree) {
    const at = encode(path);
    if (typeof entry === 'string') fs.writeFileSync(at, entry);
    else if ('directory' in entry) fs.mkdirSync(at, { recursive: true });
    else if ('symlink' in entry) fs.symlinkSync(encode(entry.symlink), at);
    else if ('content' in entry) fs.writeFileSync(at, entry.content, { mode: entry.mode });
  }
}
