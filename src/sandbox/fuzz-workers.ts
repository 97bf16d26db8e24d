/** Processes and files of a fuzzing campaign, which the caller starts with the caller's own authority. */
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { decode } from '../text/bytes.js';

export interface Worker {
  /** Its status; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  kill(): void;
}

/** This program again, with `args`; `onLine` gets what it prints, `onError` what it complains of. */
export function startWorker(
  args: readonly string[],
  onLine: (line: string) => void,
  onError: (text: string) => void,
): Worker {
  const program = process.argv[1] ?? '';
  // A worker that needs more has found something; the machine is to go on.
  const child = spawn(process.execPath, ['--max-old-space-size=1024', program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
  child.stderr.setEncoding('utf8').on('data', onError);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code));
  });
  return { ended, kill: () => child.kill('SIGKILL') };
}

/** Longer files, and such with a NUL, are no scripts. */
const LONGEST_SCRIPT = 64 * 1024;

/** The scripts in a directory and below it. */
export function readCorpus(directory: string): string[] {
  return fs
    .readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .filter((path) => fs.statSync(path).size <= LONGEST_SCRIPT)
    .map((path) => decode(fs.readFileSync(path)))
    .filter((text) => text !== '' && !text.includes('\0'));
}
