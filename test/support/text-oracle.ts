/** Many random runs of text commands at once: the real tools by one shell, ours one by one. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Builtin } from '../../builtins/kit/define.js';
import { encode } from '../../src/text/bytes.js';
import { temporaryDirectory } from './builtin-tree.js';
import { COREUTILS } from './gnu.js';
import { runBuiltin } from './run-builtin.js';

export interface BatchRun {
  readonly builtin: Builtin;
  readonly words: readonly string[];
  readonly stdin: Uint8Array;
}

/** Whether the real tools are there; where they are required, their absence shows as failures. */
export function oracleThere(): boolean {
  if ((process.env['RMSH_REQUIRE_ORACLES'] ?? '') !== '') return true;
  return COREUTILS.test(spawnSync('sort', ['--version'], { encoding: 'utf8' }).stdout ?? '');
}

/** Expects output, messages and status of each run to be the real tool's. */
export async function batch(runs: readonly BatchRun[]): Promise<void> {
  const cwd = temporaryDirectory();
  const script = runs.map(({ builtin, words, stdin }, i) => {
    writeFileSync(join(cwd, `${i}.in`), stdin);
    const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    return `${builtin.name} ${quoted} <${i}.in >${i}.out 2>${i}.err; echo $?`;
  });
  const shell = spawnSync('/bin/sh', [], {
    cwd,
    input: encode(script.join('\n')),
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC0' },
    maxBuffer: 1 << 28,
  });
  const statuses = shell.stdout.toString().split('\n');
  for (const [i, { builtin, words, stdin }] of runs.entries()) {
    const half = Math.floor(stdin.length / 2);
    const ours = await runBuiltin(builtin, words, { cwd, stdin: [stdin.subarray(0, half), stdin.subarray(half)] });
    const what = `${builtin.name} ${JSON.stringify(words)} < ${JSON.stringify(Buffer.from(stdin).toString('latin1'))}`;
    expect(
      { what, stdout: ours.stdoutBytes.toString('latin1'), stderr: ours.stderr, status: ours.status },
      what,
    ).toEqual({
      what,
      stdout: readFileSync(join(cwd, `${i}.out`), 'latin1'),
      stderr: readFileSync(join(cwd, `${i}.err`), 'utf8'),
      status: Number(statuses[i]),
    });
  }
}
