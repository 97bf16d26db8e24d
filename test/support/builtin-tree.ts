/** Small directory trees to test on, and what became of them. */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { decode, encode } from '../../src/text/bytes.js';

export type TreeEntry =
  | string
  | {
      readonly content?: string;
      readonly size?: number;
      readonly mode?: number;
      readonly mtime?: number;
      readonly atime?: number;
    }
  | { readonly dir: true; readonly mode?: number; readonly mtime?: number }
  | { readonly symlink: string }
  | { readonly hardlink: string }
  | { readonly fifo: true };

/** Path to what is there; directories on the way are made. Names are shell strings. */
export type Tree = { readonly [path: string]: TreeEntry };

const made: string[] = [];

/** A test process is killed and does not exit: what its file made goes when the file's tests have ended. */
afterAll(() => {
  for (const path of made.splice(0)) removeTree(path);
});

function removeTree(path: string): void {
  try {
    fs.rmSync(path, { recursive: true, force: true });
  } catch {
    // Somewhere in it is a directory that nobody may enter.
    execFileSync('chmod', ['-R', 'u+rwX', '--', path]);
    fs.rmSync(path, { recursive: true, force: true });
  }
}

/** A new empty directory, removed when the tests of the file have ended. */
export function temporaryDirectory(): string {
  const path = fs.mkdtempSync(join(tmpdir(), 'rmsh-test-'));
  made.push(path);
  return path;
}

/** A new directory with `tree` in it. */
export function makeTree(tree: Tree): string {
  const root = temporaryDirectory();
  const directories: [Buffer, number][] = [];
  for (const [path, entry] of Object.entries(tree)) {
    const at = encode(join(root, path));
    fs.mkdirSync(encode(dirname(join(root, path))), { recursive: true });
    if (typeof entry === 'string') fs.writeFileSync(at, encode(entry));
    else if ('symlink' in entry) fs.symlinkSync(encode(entry.symlink), at);
    else if ('hardlink' in entry) fs.linkSync(encode(join(root, entry.hardlink)), at);
    else if ('fifo' in entry) execFileSync('mkfifo', [join(root, path)]);
    else if ('dir' in entry) {
      fs.mkdirSync(at, { recursive: true });
      if (entry.mode !== undefined) fs.chmodSync(at, entry.mode);
      if (entry.mtime !== undefined) directories.push([at, entry.mtime]);
    } else {
      fs.writeFileSync(at, encode(entry.content ?? ''));
      if (entry.size !== undefined) fs.truncateSync(decode(at), entry.size);
      if (entry.mode !== undefined) fs.chmodSync(at, entry.mode);
      const { mtime, atime } = entry;
      if (mtime !== undefined || atime !== undefined) {
        fs.utimesSync(at, atime ?? mtime ?? 0, mtime ?? atime ?? 0);
      }
    }
  }
  for (const [at, mtime] of directories) fs.utimesSync(at, mtime, mtime);
  return root;
}

/** Everything below `root`, one line each: path, kind, permissions, links, target or content. */
export function snapshot(root: string): string[] {
  const lines: string[] = [];
  const walk = (directory: string): void => {
    const names = fs.readdirSync(encode(join(root, directory)), { encoding: 'buffer' }).map((name) => decode(name));
    for (const name of names.sort()) {
      const path = directory === '' ? name : `${directory}/${name}`;
      const at = encode(join(root, path));
      const stat = fs.lstatSync(at);
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isDirectory()) {
        lines.push(`${path}/ ${mode}`);
        walk(path);
      } else if (stat.isSymbolicLink()) lines.push(`${path} -> ${fs.readlinkSync(at)}`);
      else if (stat.isFile()) {
        const content = stat.size > 4096 ? `${stat.size} bytes` : JSON.stringify(fs.readFileSync(at, 'latin1'));
        lines.push(`${path} ${mode} ${stat.nlink} ${content}`);
      } else lines.push(`${path} ${mode} special`);
    }
  };
  walk('');
  return lines;
}
