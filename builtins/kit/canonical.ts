/** Physical paths, also of what is not there yet: readlink -f, realpath. */
import { FsError, isFsError } from '../../src/errors.js';
import type { ReadFiles } from '../../src/files/files.js';
import { baseName, directoryName, joinPath } from './paths.js';

/** What of the path must exist. */
export type Existing = 'all' | 'all-but-last' | 'nothing';

const MOST_LINKS = 40;

/** Throws FsError. */
export function canonicalPath(fs: ReadFiles, path: string, existing: Existing): string {
  if (path === '') throw new FsError('ENOENT', path);
  if (existing === 'all') return fs.realpath(path);
  return existing === 'nothing' ? withoutAsking(fs, path) : allButLast(fs, path);
}

function allButLast(fs: ReadFiles, path: string): string {
  let at = path;
  for (let links = 0; links < MOST_LINKS; links++) {
    try {
      return fs.realpath(at);
    } catch (error) {
      if (!isFsError(error) || error.code !== 'ENOENT') throw error;
    }
    const parent = directoryName(at);
    const name = baseName(at);
    const directory = fs.realpath(parent);
    if (fs.stat(parent).kind !== 'directory') throw new FsError('ENOTDIR', path);
    const itself = joinPath(directory, name);
    if (fs.tryLstat(itself)?.kind !== 'symlink') return itself;
    const target = fs.readlink(itself);
    at = target.startsWith('/') ? target : joinPath(directory, target);
  }
  throw new FsError('ELOOP', path);
}

/** Component by component; what cannot be looked at is taken as it is written. */
function withoutAsking(fs: ReadFiles, path: string): string {
  let resolved: string[] = path.startsWith('/') ? [] : split(fs.realpath('.'));
  const rest = split(path).reverse();
  let links = 0;
  /** Below so many components nothing is there, and nobody need be asked. */
  let there = Number.POSITIVE_INFINITY;
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    if (part === '.') continue;
    if (part === '..') {
      resolved.pop();
      if (resolved.length <= there) there = Number.POSITIVE_INFINITY;
      continue;
    }
    if (resolved.length > there) {
      resolved.push(part);
      continue;
    }
    const at = `/${[...resolved, part].join('/')}`;
    const stat = fs.tryLstat(at);
    if (stat?.kind !== 'symlink') {
      if (stat === undefined) there = resolved.length;
      resolved.push(part);
      continue;
    }
    if (++links > MOST_LINKS) throw new FsError('ELOOP', path);
    const target = fs.readlink(at);
    if (target.startsWith('/')) resolved = [];
    rest.push(...split(target).reverse());
  }
  return `/${resolved.join('/')}`;
}

function split(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}
