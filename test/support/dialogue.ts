/** A dialogue with the prompt on a terminal of its own: what is typed, what is answered, and how long that took. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PROGRAM } from './cli.js';
import { ORACLES_REQUIRED } from './oracles.js';

const PYTHON = '/usr/bin/python3';
export const hasTerminal = existsSync(PYTHON) || ORACLES_REQUIRED;
if (!hasTerminal) console.warn('python3 is not installed: what needs a terminal of its own is not tried');

/** `{ hangUp: true }` closes the terminal. */
export type Step =
  | { readonly wait?: number; readonly send: string; readonly until: string }
  | { readonly wait?: number; readonly hangUp: true };

export interface Dialogue {
  readonly steps: readonly {
    readonly milliseconds: number;
    /** Of them, those in which rmsh, or the one that talks to it, could have run and had no processor. */
    readonly waited: number;
    readonly output: string;
  }[];
  /** Null: it did not end. */
  readonly status: number | string | null;
}

/** Holds it with rmsh; `home` is where the history is kept. */
export async function dialogue(
  steps: readonly Step[],
  options: readonly string[],
  home: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Dialogue> {
  const { stdout } = await promisify(execFile)(
    PYTHON,
    [
      fileURLToPath(new URL('dialogue.py', import.meta.url)),
      JSON.stringify(steps),
      process.execPath,
      PROGRAM,
      ...options,
    ],
    { env: { HOME: home, TERM: 'xterm-256color', LC_ALL: 'C.UTF-8', ...environment }, maxBuffer: 1 << 26 },
  );
  return JSON.parse(stdout) as Dialogue;
}
