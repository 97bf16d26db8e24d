/** The process's own descriptors as sources and sinks. */
import type { Waiting } from '../steps.js';
import { createDescription } from './descriptors.js';
import type { HostDescriptor, HostPort } from './host-port-types.js';
import { HostSink, type Lane, type Order } from './host-sink.js';
import { HostFileSource, type HostSource, HostStreamSource } from './host-source.js';
import { IdleFlush } from './idle-flush.js';
import type { Description } from './streams.js';

/** What this process inherited. Made once; every run of the process shares it. */
export interface HostStreams {
  /**
   * The description of the process's descriptor `fd`, with one use for the caller: the same at every call. Undefined where
   * nothing is open. Of the numbers above 2 only those that are known to be inherited may be asked for: Node has its own.
   */
  description(fd: number): Description | undefined;
  /** Everything kept goes out, in the order it was written. What fails is told to the next who writes there. */
  flush(): Waiting;
  /**
   * Before another program uses the descriptors, and at the end: the offset of a file that we read from stands where our
   * readers stopped, not where we have read ahead to. What the other program reads of it we do not read again.
   */
  settle(): void;
  /**
   * Pending reads answer the end of file from now on, and pending writes are broken: what waits for another process is woken.
   * What was printed can still go out, where its reader keeps up.
   */
  interrupt(): void;
  /** The same for everything, pending or not: nothing keeps the process alive, and nothing more goes out. */
  abort(): void;
}

export function hostStreams(port: HostPort): HostStreams {
  return new ProcessStreams(port);
}

class ProcessStreams implements HostStreams {
  readonly #port: HostPort;
  readonly #descriptions = new Map<number, Description>();
  readonly #sources: HostSource[] = [];
  readonly #sinks: HostSink[] = [];
  readonly #lanes = new Map<string, Lane>();
  readonly #orders = new Map<string, Order>();
  readonly #idle = new IdleFlush(() => void this.flush());

  constructor(port: HostPort) {
    this.#port = port;
  }

  description(fd: number): Description | undefined {
    const known = this.#descriptions.get(fd);
    if (known !== undefined) return known.retain();
    const host = this.#port.inspect(fd);
    if (host === undefined) return undefined;
    const description = createDescription(
      host.readable ? this.#source(fd, host) : undefined,
      host.writable ? this.#sink(fd, host) : undefined,
      {
        terminal: host.kind === 'terminal',
        pipe: host.kind === 'stream',
        file: host.kind === 'file' ? host.identity : undefined,
        origin: { kind: 'host', fd },
      },
    );
    this.#descriptions.set(fd, description);
    return description.retain(); // one use is ours: the process keeps its descriptors whatever a script closes
  }

  #source(fd: number, host: HostDescriptor): HostSource {
    const source =
      host.kind === 'file' ? new HostFileSource(this.#port, fd) : new HostStreamSource(this.#port, fd, host);
    this.#sources.push(source);
    return source;
  }

  #sink(fd: number, host: HostDescriptor): HostSink {
    const order = host.kind === 'file' || host.kind === 'device' ? host.identity : 'seen together';
    const sink = new HostSink(
      this.#port,
      fd,
      host,
      made(this.#lanes, host.identity, () => ({ tail: undefined })),
      made(this.#orders, order, () => ({ keeper: undefined, idle: this.#idle })),
    );
    this.#sinks.push(sink);
    return sink;
  }

  flush(): Waiting {
    const waiting: Promise<void>[] = [];
    for (const sink of this.#sinks) {
      const turn = sink.flushQuietly();
      if (turn !== undefined) waiting.push(turn);
    }
    return waiting.length === 0 ? undefined : Promise.all(waiting).then(() => undefined);
  }

  settle(): void {
    for (const source of this.#sources) source.settle();
  }

  interrupt(): void {
    for (const sink of this.#sinks) sink.interrupt();
    for (const source of this.#sources) source.close();
  }

  abort(): void {
    for (const sink of this.#sinks) sink.abort();
    for (const source of this.#sources) source.close();
  }
}

function made<V>(map: Map<string, V>, key: string, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
