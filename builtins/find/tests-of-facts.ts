/** Tests of what a file is: kind, size, permissions, links, identity, access. */

import { isFsError } from '../../src/errors.js';
import type { FileKind, FileStat } from '../../src/files/files.js';
import { gnuQuoteValue } from '../../src/text/quote.js';
import { adjustMode, parseMode } from '../kit/mode.js';
import type { Entry } from '../kit/walk/entry.js';
import { type Arguments, always, comparison, holds, type Primaries, type Primary, takeNumber } from './arguments.js';
import { BadExpression, type Search, warn } from './search.js';
import { referenceStat } from './tests-of-times.js';

const KINDS: { readonly [letter: string]: FileKind } = {
  b: 'block',
  c: 'character',
  d: 'directory',
  f: 'file',
  l: 'symlink',
  p: 'fifo',
  s: 'socket',
};

function takeKinds(args: Arguments): ReadonlySet<FileKind> {
  const word = args.take();
  if (word === '') throw new BadExpression(`Arguments to ${args.name} should contain at least one letter`);
  const kinds = new Set<FileKind>();
  for (let i = 0; i < word.length; i += 2) {
    const letter = word[i] as string;
    const kind = KINDS[letter];
    if (letter === 'D') {
      throw new BadExpression(
        `${args.name} D is not supported because Solaris doors are not supported on the platform find was compiled on.`,
      );
    }
    if (kind === undefined) throw new BadExpression(`Unknown argument to ${args.name}: ${letter}`);
    if (kinds.has(kind)) {
      throw new BadExpression(`Duplicate file type '${letter}' in the argument list to ${args.name}.`);
    }
    kinds.add(kind);
    if (i + 1 === word.length) break;
    if (word[i + 1] !== ',') {
      throw new BadExpression(`Must separate multiple arguments to ${args.name} using: ','`);
    }
    if (i + 2 === word.length) {
      throw new BadExpression(
        `Last file type in list argument to ${args.name} is missing, i.e., list is ending on: ','`,
      );
    }
  }
  return kinds;
}

/** What a link points to where `-type` sees the link, and the link where it sees the target. */
function otherKind(entry: Entry, search: Search): FileKind {
  const followed = search.follow === 'always' || (search.follow === 'starts' && entry.depth === 0);
  if (followed) return entry.lstat().kind;
  if (entry.kind() !== 'symlink') return entry.kind();
  try {
    return entry.target().kind;
  } catch (error) {
    if (isFsError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return 'symlink';
    throw error;
  }
}

const UNITS: { readonly [letter: string]: bigint } = {
  b: 512n,
  c: 1n,
  w: 2n,
  k: 1024n,
  M: 1024n ** 2n,
  G: 1024n ** 3n,
};

/** Sizes are rounded up to whole units: `-size -1M` finds empty files only. */
const size: Primary = (args) => {
  const word = args.take();
  if (word === '') throw new BadExpression('invalid null argument to -size');
  const last = word.at(-1) as string; // not empty
  const bare = /[0-9]/.test(last);
  const unit = bare ? UNITS['b'] : UNITS[last];
  if (unit === undefined) throw new BadExpression(`invalid -size type \`${last}'`);
  const { sign, text } = comparison(bare ? word : word.slice(0, -1));
  if (!/^[0-9]+$/.test(text)) throw new BadExpression(`Invalid argument \`${word}' to -size`);
  const wanted = BigInt(text.slice(0, 40));
  return (entry) => holds(sign, (BigInt(entry.stat().size) + unit - 1n) / unit, wanted);
};

/** `-perm mode` exactly, `-perm -mode` all of these bits, `-perm /mode` any of them. */
const perm: Primary = (args, search) => {
  const word = args.take();
  const how = word[0] === '-' ? 'all' : word[0] === '/' ? 'any' : 'exact';
  // `+111` once meant what `/111` does: no mode, lest it mean something else now.
  const mode = /^\+[0-7]/.test(word) ? undefined : parseMode(how === 'exact' ? word : word.slice(1));
  if (mode === undefined) throw new BadExpression(`invalid mode ${gnuQuoteValue(word)}`);
  const forFiles = adjustMode(0, false, 0, mode);
  const forDirectories = adjustMode(0, true, 0, mode);
  if (how === 'any' && forFiles === 0) {
    warn(
      search,
      `you have specified a mode pattern ${word} (which is equivalent to /000). The meaning of -perm /000 has now been ` +
        'changed to be consistent with -perm -000; that is, while it used to match no files, it now matches all files.',
    );
    return always;
  }
  return (entry) => {
    const stat = entry.stat();
    const wanted = stat.kind === 'directory' ? forDirectories : forFiles;
    const has = stat.mode & 0o7777;
    if (how === 'exact') return has === wanted;
    return how === 'all' ? (has & wanted) === wanted : wanted === 0 || (has & wanted) !== 0;
  };
};

function isEmpty(entry: Entry): boolean {
  const kind = entry.kind();
  if (kind === 'file') return entry.stat().size === 0;
  if (kind !== 'directory') return false;
  const directory = entry.open();
  try {
    return directory.entries().length === 0;
  } finally {
    directory.close();
  }
}

function number(of: (stat: FileStat) => number | bigint): Primary {
  return (args) => {
    const matches = takeNumber(args);
    return (entry) => matches(BigInt(of(entry.stat())));
  };
}

function access(how: 'read' | 'write' | 'execute'): Primary {
  return (_args, search) => (entry) => search.context.fs.access(entry.path, how);
}

export const factTests: Primaries = {
  true: () => always,
  false: () => () => false,
  type(args) {
    const kinds = takeKinds(args);
    return (entry) => kinds.has(entry.kind());
  },
  xtype(args, search) {
    const kinds = takeKinds(args);
    return (entry) => kinds.has(otherKind(entry, search));
  },
  size,
  perm,
  empty: () => isEmpty,
  links: number((stat) => stat.nlink),
  inum: number((stat) => stat.ino),
  samefile(args, search) {
    const { dev, ino } = referenceStat(args, search);
    return (entry) => {
      const stat = entry.stat();
      return stat.ino === ino && stat.dev === dev;
    };
  },
  fstype(args, search) {
    const type = args.take();
    const types = new Map(search.context.host.mounts().map((mount) => [mount.dev, mount.type]));
    return (entry) => (types.get(entry.stat().dev) ?? 'unknown') === type;
  },
  readable: access('read'),
  writable: access('write'),
  executable: access('execute'),
};
