/** Streams whose waits end when a signal ends the shell that waits: for a command that somebody may send one, as `timeout` does. */

import { SIGNALLED } from '../errors.js';
import { createDescription } from '../io/descriptors.js';
import { ForwardedSource } from '../io/forwarded-source.js';
import type { ByteSink, ByteSource, Description } from '../io/streams.js';
import type { Awaitable, Waiting } from '../steps.js';
import type { ShellState } from './state.js';

/** The standard streams of `shell`, and of the shells it starts, are guarded from now on. */
export function guardStreams(shell: ShellState): void {
  shell.signals.guarded = true;
  for (const number of [0, 1, 2]) {
    const description = shell.descriptors.get(number);
    if (description === undefined) continue;
    const waiting = shell.descriptors.set(number, guarded(shell, description.retain()));
    waiting?.catch(() => {});
  }
}

/** Takes over the use of `description`. */
function guarded(shell: ShellState, description: Description): Description {
  const { source, sink, facts } = description;
  // Two ends of one description are released as one.
  const release = (): Waiting => description.release();
  return createDescription(
    source && new GuardedSource(shell, source, sink === undefined ? release : () => undefined),
    sink && new GuardedSink(shell, sink, release),
    facts,
  );
}

/** What `step` gives; when a signal ends the shell before that, SIGNALLED is thrown, and the step goes on by itself. */
async function unlessEnded<T>(shell: ShellState, step: Promise<T>): Promise<T> {
  const settled = step.then((value) => ({ value }));
  for (;;) {
    if (shell.signals.fatalFor(shell) !== undefined) {
      settled.catch(() => {});
      throw SIGNALLED;
    }
    const signal = shell.signals.next();
    try {
      const first = await Promise.race([settled, signal.came]);
      if (first !== undefined) return first.value;
    } finally {
      signal.forget();
    }
  }
}

class GuardedSource extends ForwardedSource {
  readonly #shell: ShellState;
  readonly #release: () => Waiting;

  constructor(shell: ShellState, source: ByteSource, release: () => Waiting) {
    super(source);
    this.#shell = shell;
    this.#release = release;
  }

  override fill(): Awaitable<boolean> {
    const more = this.source.fill();
    return more instanceof Promise ? unlessEnded(this.#shell, more) : more;
  }
  close(): void {
    this.#release()?.catch(() => {});
  }
}

class GuardedSink implements ByteSink {
  readonly #shell: ShellState;
  readonly #sink: ByteSink;
  readonly #release: () => Waiting;

  constructor(shell: ShellState, sink: ByteSink, release: () => Waiting) {
    this.#shell = shell;
    this.#sink = sink;
    this.#release = release;
  }

  writeText(text: string): Waiting {
    return this.#guard(this.#sink.writeText(text));
  }
  write(data: Uint8Array): Waiting {
    return this.#guard(this.#sink.write(data));
  }
  give(data: Uint8Array): Waiting {
    return this.#guard(this.#sink.give(data));
  }
  flush(): Waiting {
    return this.#guard(this.#sink.flush());
  }
  close(): Waiting {
    return this.#release();
  }

  #guard(turn: Waiting): Waiting {
    return turn === undefined ? undefined : unlessEnded(this.#shell, turn);
  }
}
