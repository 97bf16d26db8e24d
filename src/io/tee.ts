/** A sink that keeps what is written and also tells a listener, who may make the writer wait. */
import type { Waiting } from '../steps.js';
import { encode } from '../text/bytes.js';
import { IdleFlush } from './idle-flush.js';
import type { ByteSink } from './streams.js';

export function tee(kept: ByteSink, listener: (chunk: Uint8Array) => void | Promise<void>): ByteSink {
  return new ListenedSink(kept, listener);
}

class ListenedSink implements ByteSink {
  readonly #kept: ByteSink;
  readonly #listener: (chunk: Uint8Array) => void | Promise<void>;
  #text = '';
  readonly #idle = new IdleFlush(() => {
    try {
      this.flush()?.catch(() => {});
    } catch {
      // A listener that throws is told nothing more; the next write that reaches it throws where the script can see it.
    }
  });

  constructor(kept: ByteSink, listener: (chunk: Uint8Array) => void | Promise<void>) {
    this.#kept = kept;
    this.#listener = listener;
  }

  /** Text is gathered, and goes to the listener with the next bytes or at the next flush: the shell flushes at every turn. */
  writeText(text: string): Waiting {
    if (this.#text === '') this.#idle.schedule();
    this.#text += text;
    return this.#text.length < 65_536 ? undefined : this.flush();
  }

  write(data: Uint8Array): Waiting {
    const before = this.flush();
    if (before !== undefined) return before.then(() => this.#tell(data));
    return this.#tell(data);
  }

  give(data: Uint8Array): Waiting {
    return this.write(data);
  }

  flush(): Waiting {
    if (this.#text === '') return undefined;
    const bytes = encode(this.#text);
    this.#text = '';
    return this.#tell(bytes);
  }

  close(): Waiting {
    return this.flush();
  }

  #tell(data: Uint8Array): Waiting {
    this.#kept.write(data);
    const answer = this.#listener(data);
    return answer instanceof Promise ? answer : undefined;
  }
}
