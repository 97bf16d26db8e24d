/** A folder of its own on the real disk for each test, and a store upon it. */

import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import type { FsErrorCode } from '../../src/errors.js';
import { isFsError } from '../../src/errors.js';
import {
  type Asker,
  type Effect,
  type FileIdentity,
  type Files,
  type Intent,
  removalBudget,
  type StoreOptions,
} from '../../src/files/files.js';
import { type SandboxStore, sandboxStore } from '../../src/sandbox/store.js';

const cleanups: (() => void)[] = [];

afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

export function onCleanup(cleanup: () => void): void {
  cleanups.push(cleanup);
}

/** An empty directory, by its physical path; it is gone after the test. */
export function scratch(): string {
  const path = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'rmsh-sandbox-')));
  onCleanup(() => fs.rmSync(path, { recursive: true, force: true }));
  return path;
}

export interface Sandbox {
  readonly store: SandboxStore;
  readonly files: Files;
  readonly effects: Effect[];
  readonly intents: Intent[];
  readonly budget: StoreOptions['budget'];
  at(cwd: string, asker?: Partial<Asker>): Files;
}

export interface SandboxOptions {
  readonly cwd: string;
  readonly roots?: StoreOptions['roots'];
  readonly mode?: StoreOptions['mode'];
  readonly removals?: number;
  readonly umask?: number;
  readonly level?: 'best-effort';
}

/** In remediation mode, with the working directory as the one writable root, unless told otherwise. */
export function sandbox(options: SandboxOptions): Sandbox {
  const effects: Effect[] = [];
  const intents: Intent[] = [];
  const budget = removalBudget(options.removals ?? 100);
  const store = sandboxStore(
    {
      mode: options.mode ?? 'remediation',
      roots: options.roots ?? [{ path: options.cwd, writable: true }],
      budget,
      onEffect: (effect) => effects.push(effect),
      onIntent: (intent) => void intents.push(intent),
    },
    options.level,
  );
  onCleanup(() => store.close());
  const at = (cwd: string, asker: Partial<Asker> = {}): Files =>
    store.for({
      logicalCwd: cwd,
      physicalCwd: cwd,
      umask: options.umask ?? 0o022,
      ...ASKED,
      ...asker,
    });
  return { store, files: at(options.cwd), effects, intents, budget, at };
}

/** What `act` fails with: `CODE path: message`. Also that no descriptor is left open by the failure. */
export function failing(act: () => unknown): string {
  const before = openDescriptors();
  let answer: string | undefined;
  try {
    act();
  } catch (error) {
    if (!isFsError(error)) throw error;
    answer = `${error.code} ${error.path}: ${error.message}`;
  }
  if (answer === undefined) throw new Error('it did not fail');
  expect(openDescriptors()).toBe(before);
  return answer;
}

export function codeOf(act: () => unknown): FsErrorCode | 'done' {
  const before = openDescriptors();
  try {
    act();
    return 'done';
  } catch (error) {
    if (!isFsError(error)) throw error;
    expect(openDescriptors()).toBe(before);
    return error.code;
  }
}

/** What every effect of the sandbox's own asker says of it. */
export const ASKED = { command: 'test', source: 'script', line: 1 } as const;

/** A file as effects tell of it. */
export function identity(path: string): FileIdentity {
  const { dev, ino, size, mtimeNs } = fs.lstatSync(path, { bigint: true });
  return { kind: 'file', device: `${dev}`, inode: `${ino}`, size: Number(size), mtimeNs: `${mtimeNs}` };
}

export function openDescriptors(): number {
  return fs.readdirSync('/proc/self/fd').length;
}

/** All of a file through the store. */
export function readAll(files: Files, path: string): string {
  const file = files.open(path);
  try {
    const buffer = Buffer.alloc(65536);
    return buffer.toString('utf8', 0, file.read(buffer, null));
  } finally {
    file.close();
  }
}

export function write(files: Files, path: string, text: string, options: Parameters<Files['openWrite']>[1] = {}): void {
  const file = files.openWrite(path, { truncate: true, ...options });
  try {
    file.write(Buffer.from(text), null);
  } finally {
    file.close();
  }
}
