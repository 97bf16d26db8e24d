/** The real shells, as they are asked: what a script starts ends with the question. */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { runOracle } from '../../src/sandbox/oracle-shells.js';
import { missing, ORACLES_REQUIRED } from '../support/oracles.js';
import { withTree } from '../support/tree.js';

it.skipIf(missing('bash') !== undefined && !ORACLES_REQUIRED)('end with all that a script has started', () =>
  withTree({}, async (cwd) => {
    // Of all the sleeps of the machine, this one.
    const script = 'sleep 987.25 & echo here; exit 3';
    const { stdout } = await runOracle('bash', script, { cwd, timeoutMs: 500 });
    expect(Buffer.from(stdout).toString()).toBe('here\n');
    const running = execFileSync('/bin/ps', ['-eo', 'stat,args'], { encoding: 'utf8' });
    expect(running.split('\n').filter((line) => line.endsWith('sleep 987.25') && !line.startsWith('Z'))).toEqual([]);
    await expect(runOracle('bash', 'sleep 987.5', { cwd, timeoutMs: 500 })).rejects.toThrow('did not end within 0.5 s');
  }),
);
