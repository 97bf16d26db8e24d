/** The real tools these tests compare with. A missing one skips its tests aloud; RMSH_REQUIRE_ORACLES makes that a failure. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

export interface OracleResult {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly status: number | null;
}

/** Runs a real program in C.UTF-8, with nothing else from our environment but PATH. */
export function runReal(argv: readonly string[], input: string | Uint8Array = '', cwd = '/'): OracleResult {
  const [program, ...args] = argv;
  const result = spawnSync(program ?? 'false', args, {
    cwd,
    input,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
    maxBuffer: 1 << 28,
    timeout: 5000,
  });
  return { stdout: result.stdout, stderr: result.stderr, status: result.status };
}

function isThere(program: string, version: RegExp): boolean {
  // dash knows no --version, and says so: that, too, shows that it is there.
  const result = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return result.error === undefined && version.test(result.stdout + result.stderr);
}

/** Tests that need `program`, whose `--version` must match. */
export function withOracle(program: string, version: RegExp, tests: () => void): void {
  const there = isThere(program, version);
  if (there) {
    describe(`as ${program} does`, tests);
  } else if (process.env['RMSH_REQUIRE_ORACLES']) {
    it(`needs ${program} ${version}`, () => expect(there).toBe(true));
  } else {
    it.skip(`SKIPPED: needs ${program} ${version}`, () => {});
  }
}
