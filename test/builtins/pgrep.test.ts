import { describe, expect, it } from 'vitest';
import { pgrep } from '../../builtins/pgrep.js';
import { hostRows, madeProcess, madeProcesses, runHost } from '../support/host-tools.js';

describe('pgrep', () => {
  hostRows(pgrep, [
    'kthreadd',
    '-x kthreadd',
    '-x kthread',
    '-l kthreadd',
    '-c kthreadd',
    '-u root -x kthreadd',
    '-U 0 -x kthreadd',
    '-u nosuchuser x',
    '-P 0 -l kthreadd',
    '-P x',
    '-i -x KTHREADD',
    'nosuchname',
    '-c nosuchname',
    '',
    '[',
    'a b',
    'averylongnameofaprocess',
    '-Z x',
  ]);

  const kernel = madeProcesses([
    madeProcess(1, 'init'),
    madeProcess(20, 'worker', { started: 5, uid: 1 }),
    madeProcess(21, 'worker-2', { started: 9 }),
    madeProcess(22, 'café'),
  ]);
  it.each([
    ['work', '20\n21\n'],
    ['-x worker|init', '1\n20\n'],
    ['-l -d , work', '20 worker,21 worker-2\n'],
    ['-n work', '21\n'],
    ['-o work', '20\n'],
    ['-v work', '1\n22\n'],
    ['-u daemon', '20\n'],
    ['f.$', '22\n'],
    ['-c o', '2\n'],
  ])('%s', async (words, stdout) => {
    expect(await runHost(pgrep, words, { kernel })).toMatchObject({ stdout, status: 0 });
  });

  it('has no arguments of processes to search', async () => {
    const answer = await runHost(pgrep, '-f x', { kernel });
    expect(answer).toMatchObject({ status: 2, stdout: '' });
    expect(answer.stderr).toContain('the arguments of other processes are not shown');
  });
});
