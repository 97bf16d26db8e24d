/** Descriptors of a shell: numbers that refer to open descriptions, which may be shared. */
import { FsError } from '../errors.js';
import type { Waiting } from '../steps.js';
import type { ByteSink, ByteSource, Description, StreamFacts } from './streams.js';

/** A description with one user: who made it. */
export function createDescription(
  source: ByteSource | undefined,
  sink: ByteSink | undefined,
  facts: StreamFacts,
): Description {
  return new CountedDescription(source, sink, facts);
}

class CountedDescription implements Description {
  readonly source: ByteSource | undefined;
  readonly sink: ByteSink | undefined;
  readonly facts: StreamFacts;
  #users = 1;

  constructor(source: ByteSource | undefined, sink: ByteSink | undefined, facts: StreamFacts) {
    this.source = source;
    this.sink = sink;
    this.facts = facts;
  }

  retain(): Description {
    this.#users++;
    return this;
  }

  release(): Waiting {
    if (--this.#users !== 0) return undefined;
    this.source?.close();
    return this.sink?.close();
  }
}

/** What several tables share until one of them changes. It holds one use of each description, however many tables share it. */
interface Slots {
  first: Description | undefined;
  second: Description | undefined;
  third: Description | undefined;
  /** 3 and above; undefined as long as nobody opened one. */
  others: Map<number, Description> | undefined;
  tables: number;
}

/** The table of one shell. Copied at every subshell and `$( )`, so a copy costs one object until it is changed. */
export class DescriptorTable {
  #slots: Slots;
  readonly #limit: number;

  constructor(maxDescriptors: number) {
    this.#slots = { first: undefined, second: undefined, third: undefined, others: undefined, tables: 1 };
    this.#limit = maxDescriptors;
  }

  get stdin(): Description | undefined {
    return this.#slots.first;
  }

  get stdout(): Description | undefined {
    return this.#slots.second;
  }

  get stderr(): Description | undefined {
    return this.#slots.third;
  }

  get(fd: number): Description | undefined {
    const slots = this.#slots;
    if (fd === 1) return slots.second;
    if (fd === 0) return slots.first;
    if (fd === 2) return slots.third;
    return slots.others?.get(fd);
  }

  /** Each open descriptor, in no order. */
  *entries(): IterableIterator<[number, Description]> {
    const { first, second, third, others } = this.#slots;
    if (first !== undefined) yield [0, first];
    if (second !== undefined) yield [1, second];
    if (third !== undefined) yield [2, third];
    if (others !== undefined) yield* others;
  }

  /** The lowest number, not below `from`, that is free. */
  lowestFree(from: number): number {
    let fd = from;
    while (this.get(fd) !== undefined) fd++;
    return fd;
  }

  /** `fd` refers to `description`, whose one use the table takes over; what stood there is released. */
  set(fd: number, description: Description): Waiting {
    return this.exchange(fd, description)?.release();
  }

  /**
   * Like `set`, or `close` where `next` is undefined, but what stood there is given back with its use and not released: a
   * redirection puts it back when its command has ended.
   */
  exchange(fd: number, next: Description | undefined): Description | undefined {
    const before = this.get(fd);
    if (before === next) return before;
    if (before === undefined && this.#count() >= this.#limit) throw new FsError('EMFILE', '');
    const slots = this.#own();
    if (fd === 1) slots.second = next;
    else if (fd === 0) slots.first = next;
    else if (fd === 2) slots.third = next;
    else if (next === undefined) slots.others?.delete(fd);
    else {
      slots.others ??= new Map();
      slots.others.set(fd, next);
    }
    return before;
  }

  /** `to` refers to what `from` does (dup2). EBADF where that is closed. */
  duplicate(from: number, to: number): Waiting {
    const description = this.get(from);
    if (description === undefined) throw new FsError('EBADF', String(from));
    return from === to ? undefined : this.set(to, description.retain());
  }

  /** Closing what is closed is no error. */
  close(fd: number): Waiting {
    return this.exchange(fd, undefined)?.release();
  }

  /** A table of its own for a subshell. */
  fork(): DescriptorTable {
    const copy = new DescriptorTable(this.#limit);
    copy.#slots = this.#slots;
    this.#slots.tables++;
    return copy;
  }

  /** Releases everything, whatever fails, and then says what failed first. */
  closeAll(): Waiting {
    const slots = this.#slots;
    this.#slots = { first: undefined, second: undefined, third: undefined, others: undefined, tables: 1 };
    if (--slots.tables > 0) return undefined;
    return releaseAll([slots.first, slots.second, slots.third, ...(slots.others?.values() ?? [])]);
  }

  #count(): number {
    const { first, second, third, others } = this.#slots;
    const standard = Number(first !== undefined) + Number(second !== undefined) + Number(third !== undefined);
    return standard + (others?.size ?? 0);
  }

  /** The slots, for changing: copied when another table shares them. */
  #own(): Slots {
    const shared = this.#slots;
    if (shared.tables === 1) return shared;
    shared.tables--;
    const { first, second, third, others } = shared;
    first?.retain();
    second?.retain();
    third?.retain();
    if (others !== undefined) for (const description of others.values()) description.retain();
    this.#slots = { first, second, third, others: others && new Map(others), tables: 1 };
    return this.#slots;
  }
}

function releaseAll(descriptions: readonly (Description | undefined)[]): Waiting {
  const waiting: Promise<void>[] = [];
  let failure: { readonly error: unknown } | undefined;
  for (const description of descriptions) {
    try {
      const turn = description?.release();
      if (turn !== undefined) waiting.push(turn);
    } catch (error) {
      failure ??= { error };
    }
  }
  if (waiting.length > 0) return settleAll(waiting, failure);
  if (failure !== undefined) throw failure.error;
  return undefined;
}

async function settleAll(waiting: Promise<void>[], failure: { readonly error: unknown } | undefined): Promise<void> {
  const results = await Promise.allSettled(waiting);
  if (failure !== undefined) throw failure.error;
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
