/** Which system calls the sandbox can make at all: what follows a symlink by name must not be among them. */

import * as fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const source = (name: string): string =>
  fs.readFileSync(fileURLToPath(new URL(`../../src/sandbox/${name}`, import.meta.url)), 'utf8');

/** The calls of node:fs in a file, each with what it is given first. */
function calls(name: string): string[] {
  const found = [...source(name).matchAll(/\bfs\.(?!constants\b)(\w+)(?:\.native)?\(([^,()]*(?:\([^()]*\))?)/g)];
  return [...new Set(found.map(([, call, first]) => `${call} ${first}`))].sort();
}

describe('calls by name', () => {
  it('at the kernel-anchored level never follow', () => {
    expect(calls('procfs.ts')).toEqual(
      [
        // The held file itself, through procfs's own link.
        'accessSync this.#itself',
        'chmodSync this.#itself',
        'closeSync fd',
        'closeSync this.#fd',
        'fstatSync fd',
        'fstatSync this.#fd',
        'linkSync this.#at(name)',
        // Only to find out whether procfs works.
        "lstatSync '/'",
        'lstatSync `/proc/self/fd/${fd}/.`',
        'lstatSync this.#at(name)',
        'mkdirSync this.#at(name)',
        // O_PATH|O_NOFOLLOW, O_EXCL|O_NOFOLLOW, or the held file itself.
        "openSync '/'",
        'openSync path',
        'openSync this.#at(name)',
        'openSync this.#itself',
        'readlinkSync `/proc/self/fd/${fd}`',
        'readlinkSync this.#at(name)',
        'renameSync this.#at(name)',
        'rmdirSync this.#at(name)',
        "statfsSync '/proc/self'",
        'statfsSync this.#itself',
        'symlinkSync target.isWellFormed()',
        'unlinkSync this.#at(name)',
        'utimesSync this.#itself',
      ].sort(),
    );
    for (const match of source('procfs.ts').matchAll(/fs\.openSync\((.*)\)/g)) {
      expect(match[1]).toMatch(/O_NOFOLLOW|^this\.#itself,/);
    }
  });

  it('make no directories on the way, and read and write by descriptor only', () => {
    for (const name of ['procfs.ts', 'best-effort.ts', 'descriptor.ts', 'entries.ts']) {
      expect(source(name), name).not.toMatch(
        /recursive|O_TRUNC\b(?!`)|truncateSync\((?!this\.#fd)|(append|write|copy|read)FileSync|opendir|\bstatSync/,
      );
    }
  });
});
