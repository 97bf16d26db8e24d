/**
 * The shell scripts of this machine: what `bash -n` accepts, rmsh accepts, prints, and reads again as the same tree.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, type Dirent, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { parse, print } from '../../grammar/index.js';
import { decode } from '../../src/text/bytes.js';
import { missing, ORACLES_REQUIRED } from '../support/oracles.js';
import { withoutOffsets } from './support.js';

const FOLDERS = ['/usr/bin', '/usr/sbin', '/usr/lib', '/usr/share', '/usr/local', '/etc', '/var/lib/dpkg/info'];

/** The scripts that came with this Node, wherever it is. */
const NODE = dirname(dirname(process.execPath));

function filesBelow(folder: string, into: string[]): void {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return; // not there, or not ours to read
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) filesBelow(path, into);
    else if (entry.isFile()) into.push(path);
  }
}

const SHELL = /^#! ?\/(?:usr\/)?bin\/(?:env )?(?:ba|da)?sh\b/;

/** A file that names a shell in its first line. Most files are none, and long: their first bytes say so. */
function scriptIn(path: string): string | undefined {
  const head = Buffer.alloc(64);
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    const length = readSync(fd, head, 0, head.length, 0);
    return SHELL.test(head.toString('latin1', 0, length)) ? decode(readFileSync(path)) : undefined;
  } catch {
    return undefined; // not ours to read
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

const why = missing('bash');
const run = why === undefined || ORACLES_REQUIRED ? it : it.skip;

run('every script of this machine that bash -n accepts survives printing', { timeout: 600_000 }, () => {
  if (why !== undefined) throw new Error(why);
  const paths: string[] = [];
  for (const folder of new Set([...FOLDERS, NODE])) filesBelow(folder, paths);
  // Copies of one text are one script.
  const scripts = new Map<string, string>();
  for (const path of paths) {
    const text = scriptIn(path);
    if (text !== undefined && !scripts.has(text)) scripts.set(text, path);
  }
  const failures: string[] = [];
  let accepted = 0;
  for (const [text, path] of scripts) {
    if (spawnSync('/bin/bash', ['-n', path], { stdio: 'ignore' }).status !== 0) continue;
    accepted += 1;
    const { commands, problem } = parse(text);
    if (problem !== undefined) {
      failures.push(`${path}: ${problem.message} at ${problem.offset}`);
      continue;
    }
    const again = parse(commands.map(print).join(''));
    if (again.problem !== undefined) failures.push(`${path}: printed, ${again.problem.message}`);
    else if (JSON.stringify(withoutOffsets(again.commands)) !== JSON.stringify(withoutOffsets(commands))) {
      failures.push(`${path}: printed, it is another script`);
    }
  }
  console.log(`${accepted} scripts of ${scripts.size} that bash accepts`);
  expect(failures).toEqual([]);
  // A system with the oracles has far more than that.
  expect(accepted).toBeGreaterThan(30);
});
