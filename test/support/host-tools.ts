/** The real tools that look at the host, asked the same question at about the same moment. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Builtin } from '../../builtins/kit/define.js';
import type { KernelFacts, ProcessTexts } from '../../src/files/host.js';
import { temporaryDirectory } from './builtin-tree.js';
import { ORACLES_REQUIRED } from './oracles.js';
import { type RunOptions, type RunResult, runBuiltin } from './run-builtin.js';

/** Runs a command of ours, on words split at blanks. */
export function runHost(builtin: Builtin, words: string, options: Partial<RunOptions> = {}): Promise<RunResult> {
  const list = words.split(' ').filter((word) => word !== '');
  return runBuiltin(builtin, list, { cwd: temporaryDirectory(), ...options });
}

/** What the real one answers; undefined where it is not installed. */
export function runReal(name: string, words: string): { readonly stdout: string; readonly status: number } | undefined {
  const list = words.split(' ').filter((word) => word !== '');
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC0' };
  const answer = spawnSync(name, list, { encoding: 'utf8', env, timeout: 10_000 });
  return answer.error === undefined ? { stdout: answer.stdout, status: answer.status ?? -1 } : undefined;
}

/** Output for comparing: by default as it is. */
export type Normal = (text: string) => string;

/** One test a row: ours and the real tool's output, made comparable by `normal`, and the status. A host may change between the two, so a difference is looked at twice more. */
export function hostRows(
  builtin: Builtin,
  rows: readonly (string | (() => string))[],
  normal: Normal = (text) => text,
): void {
  const there = spawnSync('sh', ['-c', `PATH=/usr/sbin:/sbin:$PATH command -v ${builtin.name}`]).status === 0;
  for (const row of rows) {
    const title = `${builtin.name} ${typeof row === 'string' ? row : 'of a process'}, as the real one`;
    if (!there && !ORACLES_REQUIRED) {
      it.skip(`SKIPPED, not installed: ${title}`, () => {});
      continue;
    }
    it(title, { retry: 2 }, async () => {
      const words = typeof row === 'string' ? row : row();
      const theirs = runReal(builtin.name, words);
      const ours = await runHost(builtin, words);
      expect({ words, stdout: normal(ours.stdout), status: ours.status }).toEqual({
        words,
        stdout: normal(theirs?.stdout ?? 'not installed'),
        status: theirs?.status,
      });
    });
  }
}

/** A process that does nothing, for as long as the tests of the file take. `pid` is there once they run. */
export function idleProcess(): { readonly pid: number } {
  let child: ChildProcess | undefined;
  beforeAll(() => {
    child = spawn('sleep', ['300'], { stdio: 'ignore' });
  });
  afterAll(() => {
    child?.kill();
  });
  return {
    get pid() {
      return child?.pid ?? 0;
    },
  };
}

/** Processes that are not there, for tables of the kernel that a test writes. */
export function madeProcesses(list: readonly ProcessTexts[], self = 0): Partial<KernelFacts> {
  return {
    self,
    processes: () => list.map(({ pid }) => pid),
    process: (pid) => list.find((one) => one.pid === pid),
  };
}

/** The texts of one. */
export function madeProcess(
  pid: number,
  comm: string,
  more: {
    readonly state?: string;
    readonly uid?: number;
    readonly rss?: number;
    readonly ppid?: number;
    readonly tty?: number;
    readonly ticks?: number;
    readonly started?: number;
  } = {},
): ProcessTexts {
  const { state = 'S', uid = 0, rss = 100, ppid = 1, tty = 0, ticks = 0, started = 0 } = more;
  return {
    pid,
    stat: `${pid} (${comm}) ${state} ${ppid} ${pid} ${pid} ${tty} -1 0 0 0 0 0 ${ticks} 0 0 0 20 0 1 0 ${started} 1048576 25 0`,
    status: `Name:\t${comm}\nUid:\t${uid}\t${uid}\t${uid}\t${uid}\nGid:\t0\t0\t0\t0\nVmLck:\t       0 kB\nVmRSS:\t${`${rss}`.padStart(8)} kB\n`,
  };
}
