/** Throw-away directories of the fuzzer: made from the same trees as a file system in memory, and looked at as that is. */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import type { MemorySnapshot, MemoryTree } from '../files/memory.js';
import { decode, encode } from '../text/bytes.js';
import { fileStat } from './stat.js';

/** A new directory, by its physical path. */
export function makeScratch(): string {
  return fs.realpathSync(fs.mkdtempSync(`${tmpdir()}/rmsh-fuzz-`));
}

export function removeScratch(path: string): void {
  fs.rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Runs `body` in a new directory, which is gone afterwards. */
export async function withScratch<T>(body: (path: string) => T | Promise<T>): Promise<T> {
  const path = makeScratch();
  try {
    return await body(path);
  } finally {
    removeScratch(path);
  }
}

/** Makes what `tree` says, in its order. Only FIFOs among the special files: device nodes are not for everybody to make. */
export function plantTree(tree: MemoryTree): void {
  for (const [name, entry] of Object.entries(tree)) {
    const path = encode(name);
    fs.mkdirSync(parentOf(path), { recursive: true });
    if (typeof entry === 'string') fs.writeFileSync(path, encode(entry));
    else if (entry instanceof Uint8Array) fs.writeFileSync(path, entry);
    else if ('symlink' in entry) fs.symlinkSync(encode(entry.symlink), path);
    else if ('hardlink' in entry) fs.linkSync(encode(entry.hardlink), path);
    else if ('directory' in entry) {
      fs.mkdirSync(path, { recursive: true });
      fs.chmodSync(path, entry.mode ?? 0o755);
    } else if ('special' in entry) {
      if (entry.special !== 'fifo') throw new TypeError(`a ${entry.special} is made in memory only`);
      // A name that is not UTF-8 cannot be an argument: it is made under another.
      const plain = `${decode(parentOf(path))}/.fifo`;
      execFileSync('mkfifo', ['-m', '644', '--', plain]);
      fs.renameSync(plain, path);
    } else {
      fs.writeFileSync(path, typeof entry.content === 'string' ? encode(entry.content) : entry.content);
      fs.chmodSync(path, entry.mode ?? 0o644);
    }
  }
}

function parentOf(path: Uint8Array): Buffer {
  return Buffer.from(path.subarray(0, Math.max(1, path.lastIndexOf(47))));
}

/** Everything below `root`, and `root`, by absolute path: what `MemoryFs.snapshot` tells of memory. */
export function snapshotOf(root: string): Map<string, MemorySnapshot> {
  const all = new Map<string, MemorySnapshot>();
  const visit = (path: string): void => {
    const bytes = encode(path);
    const stat = fs.lstatSync(bytes, { bigint: true });
    const { kind } = fileStat(stat);
    const common = { kind, mode: Number(stat.mode) & 0o7777, ino: stat.ino, nlink: Number(stat.nlink) };
    if (kind === 'file') all.set(path, { ...common, content: fs.readFileSync(bytes) });
    else if (kind === 'symlink') {
      all.set(path, { ...common, target: decode(fs.readlinkSync(bytes, { encoding: 'buffer' })) });
    } else all.set(path, common);
    if (kind !== 'directory') return;
    for (const entry of fs.readdirSync(bytes, { encoding: 'buffer' })) visit(`${path}/${decode(entry)}`);
  };
  visit(root);
  return all;
}
