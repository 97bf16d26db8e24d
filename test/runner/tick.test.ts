/** What a run's clock does for those who wait for it, and for those who have stopped to. */
import { expect, it } from 'vitest';
import { ShellError } from '../../src/errors.js';
import { Ticker } from '../../src/runner/tick.js';

it('lets a turn that nobody waits for end with the run, unheard', async () => {
  const unheard: unknown[] = [];
  const listener = (reason: unknown) => unheard.push(reason);
  process.on('unhandledRejection', listener);
  try {
    const ticker = new Ticker({ maxCommands: 10, timeoutMs: undefined, beforeTurn: () => undefined });
    void ticker.turn();
    const reason = new ShellError('timeout', 'timed out after 1 s');
    ticker.stop(reason);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(unheard).toEqual([]);
    expect(() => ticker.tick()).toThrow(reason);
  } finally {
    process.off('unhandledRejection', listener);
  }
});

it('rejects for those who wait', async () => {
  const ticker = new Ticker({ maxCommands: 10, timeoutMs: undefined, beforeTurn: () => undefined });
  const turn = ticker.turn();
  const reason = new ShellError('aborted', 'aborted');
  ticker.stop(reason);
  await expect(turn).rejects.toBe(reason);
});
