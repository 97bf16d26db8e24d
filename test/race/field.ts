/** Where the races are run: a root, and a place outside of it that has the same names in it. */
import * as fs from 'node:fs';
import { join } from 'node:path';
import type { Files } from '../../src/files/files.js';
import { sandbox, scratch } from '../sandbox/support.js';

/** The root, `d` in it, and `l` that leads to a directory outside with the same names in it. */
export class Field {
  readonly root: string;
  readonly out: string;
  readonly files: Files;
  /** The directory itself, whichever name it has at the moment. */
  readonly inside: string;
  readonly #fd: number;
  #expected: string;

  /** `base`: a directory to make it in, for another file system. */
  constructor(level?: 'best-effort', base?: string) {
    const place = base === undefined ? scratch : (): string => fs.mkdtempSync(join(base, 'rmsh-race-'));
    this.root = place();
    this.out = place();
    fs.mkdirSync(join(this.root, 'd'));
    fs.symlinkSync(this.out, join(this.root, 'l'));
    this.#fd = fs.openSync(join(this.root, 'd'), fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
    this.inside = `/proc/self/fd/${this.#fd}`;
    fs.mkdirSync(join(this.inside, 'sub'));
    fs.mkdirSync(join(this.out, 'sub'));
    for (const name of ['f', 'keep', 'sub/g']) {
      fs.writeFileSync(join(this.inside, name), 'inside');
      fs.writeFileSync(join(this.out, name), 'outside');
    }
    fs.writeFileSync(join(this.out, 'secret'), 'outside');
    this.files = sandbox({ cwd: this.root, removals: 1e9, ...(level === undefined ? {} : { level }) }).files;
    this.#expected = this.#outside();
  }

  /** Everything that can be told of what lies outside. */
  #outside(): string {
    const told: unknown[] = [];
    const look = (path: string): void => {
      const { mode, mtimeNs, nlink, ino, size } = fs.lstatSync(path, { bigint: true });
      told.push([path, ...[mode, mtimeNs, nlink, ino, size].map(String)]);
      if (fs.lstatSync(path).isDirectory()) for (const name of fs.readdirSync(path).sort()) look(join(path, name));
      else told.push(fs.readFileSync(path, 'utf8'));
    };
    look(this.out);
    return JSON.stringify(told);
  }

  get touched(): boolean {
    return this.#outside() !== this.#expected;
  }

  /** Whether what an operation answered comes from outside. */
  isOutside(seen: unknown): boolean {
    return typeof seen === 'string' ? seen.includes('outside') || seen.includes('secret') : seen !== undefined;
  }

  repair(): void {
    fs.writeFileSync(join(this.out, 'f'), 'outside');
    this.#expected = this.#outside();
  }

  close(): void {
    fs.closeSync(this.#fd);
    for (const path of [this.root, this.out]) fs.rmSync(path, { recursive: true, force: true });
  }
}

/** Where the file systems are to race on: where temporary files are, and a tmpfs where there is one beside it. */
export const FILE_SYSTEMS: readonly (readonly [name: string, base: string | undefined])[] = [
  ['the default file system', undefined],
  ...(isTmpfs('/dev/shm') ? [['a tmpfs', '/dev/shm'] as const] : []),
];

function isTmpfs(path: string): boolean {
  const TMPFS = 0x01021994;
  return fs.existsSync(path) && fs.statfsSync(path).type === TMPFS;
}
