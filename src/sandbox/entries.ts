/** Reading a directory: names as bytes. */

import * as fs from 'node:fs';
import type { DirectoryEntry, FileKind } from '../files/files.js';
import { decode } from '../text/bytes.js';

/** `path` leads to the directory itself: a held descriptor's, or one that was just compared. */
export function readEntries(path: string | Buffer): DirectoryEntry[] {
  let listed: fs.Dirent[];
  try {
    // latin1 is one character a byte, and much cheaper than a Buffer for each name.
    listed = fs.readdirSync(path, { encoding: 'latin1', withFileTypes: true });
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error) || error.syscall !== 'lstat') throw error;
    return readNames(path);
  }
  return listed.map((entry) => ({ name: decodeLatin1(entry.name), kind: kindOf(entry) }));
}

/** Where a file system does not tell kinds, Node asks for each name, and cannot find one with bytes above 0x7f in it. */
function readNames(path: string | Buffer): DirectoryEntry[] {
  return fs.readdirSync(path, { encoding: 'latin1' }).map((name) => ({ name: decodeLatin1(name), kind: undefined }));
}

const ASCII = /^[\x01-\x7f]*$/;

function decodeLatin1(name: string): string {
  return ASCII.test(name) ? name : decode(Buffer.from(name, 'latin1'));
}

function kindOf(entry: fs.Dirent): FileKind | undefined {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  if (entry.isSymbolicLink()) return 'symlink';
  if (entry.isFIFO()) return 'fifo';
  if (entry.isSocket()) return 'socket';
  if (entry.isBlockDevice()) return 'block';
  if (entry.isCharacterDevice()) return 'character';
  return undefined;
}
