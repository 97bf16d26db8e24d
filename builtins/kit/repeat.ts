/** A loop whose turns wait only where they must. */
import { type Awaitable, isPromise } from '../../src/steps.js';

/**
 * Calls `step` until it answers something. As long as nothing waits this is a plain loop, and afterwards one `await` a wait:
 * promises do not pile up, however long it runs.
 */
export function repeat<T>(step: () => Awaitable<T | undefined>): Awaitable<T> {
  for (;;) {
    const answer = step();
    if (isPromise(answer)) return repeatLater(step, answer);
    if (answer !== undefined) return answer;
  }
}

async function repeatLater<T>(step: () => Awaitable<T | undefined>, first: Promise<T | undefined>): Promise<T> {
  let answer: T | undefined = await first;
  while (answer === undefined) {
    const next = step();
    answer = isPromise(next) ? await next : next;
  }
  return answer;
}

/** Calls `f` with each item in turn. `f` answers true to stop, and so does this. */
export function forEach<T>(
  items: readonly T[],
  f: (item: T, index: number) => Awaitable<boolean | undefined>,
): Awaitable<boolean> {
  let index = 0;
  return repeat(() => {
    if (index >= items.length) return false;
    const stop = f(items[index] as T, index++);
    return isPromise(stop) ? stop.then(onlyTrue) : onlyTrue(stop);
  });
}

function onlyTrue(stop: boolean | undefined): true | undefined {
  return stop === true ? true : undefined;
}
