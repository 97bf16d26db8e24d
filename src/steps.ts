/**
 * Steps that are synchronous where nothing has to wait. A step returns its value, or a promise of it when something has to be
 * waited for; these are the only helpers that test for promises outside the hot paths.
 */

/** A value now, or later. */
export type Awaitable<T> = T | Promise<T>;

/** Nothing to wait for, or a promise that settles when one may go on. */
export type Waiting = undefined | Promise<void>;

/**
 * Called in every loop that can run long. It counts, checks the deadline and the abort signal (throwing a ShellError), and
 * after about 10 ms of work returns a promise of a turn of the event loop, which the caller must wait for.
 */
export type Tick = () => Waiting;

/**
 * Called now and then, a few milliseconds of work apart, by what cannot wait: a search, a sort, a change of a long string. It looks at
 * the clock and throws the ShellError that ends the run once that is due.
 */
export type Look = () => void;

export function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  return value instanceof Promise;
}

/**
 * `f(value)`, at once or when the value is there. Not called `then`: a module that exports `then` is a thenable, and `import()` of it
 * (which is how vitest loads every module) would call it.
 */
export function andThen<T, R>(value: Awaitable<T>, f: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(f) : f(value);
}

/** Calls `f` for each item in turn, waiting where it has to. `f` answers true to stop early. */
export function each<T>(
  items: readonly T[],
  f: (item: T, index: number) => Awaitable<boolean | undefined>,
  from = 0,
): Waiting {
  for (let i = from; i < items.length; i++) {
    const stop = f(items[i] as T, i);
    if (stop instanceof Promise) {
      const next = i + 1;
      return stop.then((stopped) => (stopped === true ? undefined : each(items, f, next)));
    }
    if (stop === true) return undefined;
  }
  return undefined;
}

/** What `step` gives, or what `failed` makes of what it throws, at once or later. */
export function rescue<T, R>(step: () => Awaitable<T>, failed: (error: unknown) => R): Awaitable<T | R> {
  let result: Awaitable<T>;
  try {
    result = step();
  } catch (error) {
    return failed(error);
  }
  return result instanceof Promise ? result.catch(failed) : result;
}

/** Runs `cleanup` when the step has ended, however it ended. */
export function lastly<T>(step: () => Awaitable<T>, cleanup: () => void): Awaitable<T> {
  let result: Awaitable<T>;
  try {
    result = step();
  } catch (error) {
    cleanup();
    throw error;
  }
  if (result instanceof Promise) return result.finally(cleanup);
  cleanup();
  return result;
}
