/** The end of what a command writes to several places, where one that fails must not take the others with it. */
import { isFsError } from '../../src/errors.js';
import { type Awaitable, andThen, rescue, type Waiting } from '../../src/steps.js';
import { forEach } from './repeat.js';

/** Calls `step` with each item, whatever becomes of those before it; the first failure of an output is thrown at the end. */
export function finishEach<T>(items: readonly T[], step: (item: T) => Waiting): Awaitable<void> {
  let first: unknown;
  const keep = (error: unknown): false => {
    if (!isFsError(error)) throw error;
    first ??= error;
    return false;
  };
  const all = forEach(items, (item) =>
    rescue(() => andThen(step(item) as Awaitable<void>, () => false as const), keep),
  );
  return andThen(all, () => {
    if (first !== undefined) throw first;
  });
}
