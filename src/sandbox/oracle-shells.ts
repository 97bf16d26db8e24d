/** The real shells that rmsh is compared with: by its tests, and by the fuzzer. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';

/** How each is started for `-c`; `busybox ash` is an applet. */
const COMMANDS = {
  // A pipe of Node is a socket, at which bash would take itself for a remote shell and read the user's `.bashrc`.
  bash: ['/bin/bash', '--norc'],
  dash: ['/bin/dash'],
  busybox: ['/bin/busybox', 'ash'],
  mksh: ['/bin/mksh'],
  yash: ['/usr/bin/yash'],
  ksh: ['/bin/ksh'],
} as const satisfies Record<string, readonly [string, ...string[]]>;

export type ShellName = keyof typeof COMMANDS;

export const SHELL_NAMES = Object.keys(COMMANDS) as readonly ShellName[];

/** Where set, as in CI, a missing oracle is a failure and not a skip. */
export const ORACLES_REQUIRED = (process.env['RMSH_REQUIRE_ORACLES'] ?? '') !== '';

/** What oracles and rmsh start with, and nothing else of the tester's own environment. */
export const CASE_ENVIRONMENT = { LC_ALL: 'C.UTF-8', TZ: 'UTC0' } as const;

let gnu: boolean | undefined;

/** Why `name` cannot be asked; undefined when it can. The commands it runs must be GNU's. */
export function missing(name: ShellName): string | undefined {
  if (!existsSync(COMMANDS[name][0])) return `${name} is not installed`;
  gnu ??= spawnSync('/bin/ls', ['--version'], { encoding: 'utf8' }).stdout?.includes('GNU coreutils') ?? false;
  return gnu ? undefined : 'the commands of this system are not GNU';
}

export interface OracleResult {
  readonly stdout: Uint8Array;
  readonly stderr: string;
  /** 128 plus the number of the signal that ended it. */
  readonly status: number;
}

const LONGEST_MS = 15_000;

export function runOracle(
  name: ShellName,
  script: string,
  options: {
    readonly cwd: string;
    readonly stdin?: string | Uint8Array;
    readonly args?: readonly string[];
    readonly timeoutMs?: number;
  },
): Promise<OracleResult> {
  const [file, ...first] = COMMANDS[name];
  const longest = options.timeoutMs ?? LONGEST_MS;
  return new Promise((resolve, reject) => {
    const child = spawn(file, [...first, '-c', script, 'script', ...(options.args ?? [])], {
      cwd: options.cwd,
      env: { ...CASE_ENVIRONMENT, PATH: '/usr/bin:/bin' },
      stdio: [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      // A group of its own, so that what the script has started ends with it: a subshell that goes on would hold the pipes open.
      detached: true,
    });
    const timer = setTimeout(() => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The group has ended by itself in this moment.
      }
    }, longest);
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (signal === 'SIGKILL') reject(new Error(`${name} did not end within ${longest / 1000} s`));
      else
        resolve({
          stdout: Buffer.concat(out),
          stderr: Buffer.concat(err).toString(),
          status: code ?? 128 + (signal === null ? 0 : constants.signals[signal]),
        });
    });
    if (options.stdin !== undefined) {
      // A shell that ends without reading its input is no failure of the test.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(options.stdin);
    }
  });
}
