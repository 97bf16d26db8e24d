/** What a command writes to (the kit's `Output`, which this room does not import): a sink with its facts. */
import { FsError } from '../errors.js';
import type { Waiting } from '../steps.js';
import type { ByteSink, Description, StreamFacts } from './streams.js';

/** What is neither a terminal nor a regular file: a pipe, a device, a capture. */
export const NO_FACTS: StreamFacts = Object.freeze({ terminal: false, file: undefined });

export class SinkOutput {
  readonly facts: StreamFacts;
  readonly #sink: ByteSink;

  constructor(sink: ByteSink, facts: StreamFacts = NO_FACTS) {
    this.#sink = sink;
    this.facts = facts;
  }

  write(data: string | Uint8Array): Waiting {
    return typeof data === 'string' ? this.#sink.writeText(data) : this.#sink.write(data);
  }

  give(data: Uint8Array): Waiting {
    return this.#sink.give(data);
  }

  flush(): Waiting {
    return this.#sink.flush();
  }

  /** For a file that a command opened itself; the streams it was given are closed by who gave them. */
  close(): Waiting {
    return this.#sink.close();
  }
}

/** The output of `description`; where it is closed or only readable, each write is EBADF. */
export function outputOf(description: Description | undefined): SinkOutput {
  if (description === undefined) return CLOSED_OUTPUT;
  return description.sink === undefined ? UNWRITABLE_OUTPUT : new SinkOutput(description.sink, description.facts);
}

function closed(): never {
  throw new FsError('EBADF', '');
}

/** Stands where no descriptor is. Writing nothing to it is no error, as with write(2) in a program that had nothing to say. */
const NOWHERE: ByteSink = {
  writeText: (text) => (text === '' ? undefined : closed()),
  write: (data) => (data.length === 0 ? undefined : closed()),
  give: (data) => (data.length === 0 ? undefined : closed()),
  flush: () => undefined,
  close: () => undefined,
};
const CLOSED_OUTPUT = new SinkOutput(NOWHERE, { ...NO_FACTS, closed: true });
const UNWRITABLE_OUTPUT = new SinkOutput(NOWHERE);
