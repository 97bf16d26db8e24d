/** Throw-away directories with known contents, and what is in them afterwards. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** One file of a tree: its content, or what else it is. */
export type FileSpec =
  | string
  | Uint8Array
  | { readonly symlink: string }
  /** Another name of a file of the same tree. */
  | { readonly hardlink: string }
  | { readonly dir: true; readonly mode?: number; readonly ageHours?: number }
  | { readonly fifo: true }
  /** Bytes in hexadecimal, blanks allowed. */
  | { readonly hex: string }
  | { readonly content: string; readonly repeat?: number; readonly ageHours?: number; readonly mode?: number };

/** Names, with `/` for directories on the way, which are made as needed. */
export type FilesSpec = { readonly [name: string]: FileSpec };

/** Makes a tree below `root`. Ages are set last, so that what is made later does not touch a directory's time. */
export function makeTree(root: string, files: FilesSpec): void {
  const later: (() => void)[] = [];
  for (const [name, spec] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    if (typeof spec === 'string' || spec instanceof Uint8Array) writeFileSync(path, spec);
    else if ('symlink' in spec) symlinkSync(spec.symlink, path);
    else if ('hardlink' in spec) later.unshift(() => linkSync(join(root, spec.hardlink), path));
    else if ('fifo' in spec) execFileSync('mkfifo', ['--', path]);
    else if ('hex' in spec) writeFileSync(path, Buffer.from(spec.hex.replaceAll(/\s/g, ''), 'hex'));
    else {
      if ('dir' in spec) mkdirSync(path, { recursive: true });
      else writeFileSync(path, spec.content.repeat(spec.repeat ?? 1));
      const { mode, ageHours } = spec;
      if (mode !== undefined) later.push(() => chmodSync(path, mode));
      if (ageHours !== undefined) {
        const time = Date.now() / 1000 - ageHours * 3600;
        later.push(() => utimesSync(path, time, time));
      }
    }
  }
  for (const act of later) act();
}

/** A new directory with `files` in it, by its physical path. The caller removes it with `removeTree`. */
export function temporaryTree(files: FilesSpec = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'rmsh-test-')));
  makeTree(root, files);
  return root;
}

export function removeTree(root: string): void {
  rmSync(root, { recursive: true, force: true, maxRetries: 3 });
}

/** Runs `body` in a new tree, which is gone afterwards. */
export async function withTree<T>(files: FilesSpec, body: (root: string) => T | Promise<T>): Promise<T> {
  const root = temporaryTree(files);
  try {
    return await body(root);
  } finally {
    removeTree(root);
  }
}

/**
 * One line for each name below `root`: kind, mode, owner, links, size, times, content. Two trees that differ in anything a
 * shell can change have different lines; access times are left out, because reading may move them.
 */
export function describeTree(root: string): string[] {
  const lines: string[] = [];
  const visit = (path: string, name: string): void => {
    const stat = lstatSync(path, { bigint: true });
    const facts = [stat.mode.toString(8), stat.uid, stat.gid, stat.nlink, stat.size, stat.mtimeNs, stat.ctimeNs];
    let content = '';
    if (stat.isSymbolicLink()) content = readlinkSync(path);
    else if (stat.isFile()) content = createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16);
    lines.push(`${JSON.stringify(name)} ${facts.join(' ')} ${content}`);
    if (stat.isDirectory()) {
      for (const entry of readdirSync(path).sort()) visit(join(path, entry), name === '' ? entry : `${name}/${entry}`);
    }
  };
  visit(root, '');
  return lines;
}

/** Names below `root` that are not directories, sorted. */
export function listFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}
