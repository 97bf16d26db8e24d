/** Builds and runs the attacker, a C program: Node has no renameat2(2) and would be too slow. */

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** How often each operation is tried under attack. */
export const ROUNDS = Number(process.env['RMSH_RACE_ROUNDS'] ?? 2000);

/** Milliseconds that a test may take: many rounds on a machine that does other work too. */
export const PATIENCE = Math.max(120_000, ROUNDS * 50);

const SOURCE = fileURLToPath(new URL('attacker.c', import.meta.url));

export interface Attacker {
  readonly program: string;
  /** Why there is none, where there is none. */
  readonly missing: string | undefined;
  remove(): void;
}

/** Where the tools are missing the suite is skipped, and says so; `RMSH_REQUIRE_ORACLES` makes that a failure. */
export function buildAttacker(): Attacker {
  const folder = fs.mkdtempSync(join(tmpdir(), 'rmsh-attacker-'));
  const program = join(folder, 'attacker');
  const remove = (): void => fs.rmSync(folder, { recursive: true, force: true });
  const missing = whyMissing(folder, program);
  if (missing !== undefined) {
    if (process.env['RMSH_REQUIRE_ORACLES']) throw new Error(`the race suite cannot run: ${missing}`);
    console.warn(`race suite skipped: ${missing}`);
  }
  return { program, missing, remove };
}

function whyMissing(folder: string, program: string): string | undefined {
  if (process.platform !== 'linux') return 'it needs Linux';
  const built = spawnSync('cc', ['-O2', '-Wall', '-o', program, SOURCE], { encoding: 'utf8' });
  if (built.error !== undefined) return 'there is no C compiler (cc)';
  if (built.status !== 0) return `the attacker does not compile: ${built.stderr}`;
  const [a, b] = [join(folder, 'a'), join(folder, 'b')];
  fs.writeFileSync(a, '');
  fs.mkdirSync(b);
  try {
    execFileSync(program, ['probe', a, b]);
    return undefined;
  } catch {
    return 'renameat2(RENAME_EXCHANGE) does not work here';
  }
}

/** Runs `act` while the attacker works on two names. */
export async function underAttack<T>(
  attacker: Attacker,
  how: 'exchange' | 'cycle' | 'flick',
  names: readonly [string, string],
  act: () => T | Promise<T>,
): Promise<T> {
  const child = spawn(attacker.program, [how, ...names], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  let code: number | null = null;
  let result: T;
  try {
    await new Promise<void>((resolve, reject) => {
      child.stdout.once('data', () => resolve());
      child.once('error', reject);
    });
    result = await act();
  } finally {
    child.kill('SIGKILL');
    code = await ended;
  }
  if (code !== null) throw new Error(`the attacker ended by itself: ${code}`);
  return result;
}
