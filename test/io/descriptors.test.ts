import { describe, expect, it } from 'vitest';
import { BROKEN_PIPE, FsError } from '../../src/errors.js';
import { createDescription, DescriptorTable } from '../../src/io/descriptors.js';
import { NULL_SINK } from '../../src/io/null.js';
import { NO_FACTS } from '../../src/io/output.js';
import type { Description } from '../../src/io/streams.js';

function counted(closing?: () => undefined | Promise<void>): { description: Description; closed: () => number } {
  let closed = 0;
  const close = () => {
    closed++;
    return closing?.();
  };
  return { description: createDescription(undefined, { ...NULL_SINK, close }, NO_FACTS), closed: () => closed };
}

describe('a descriptor table', () => {
  it('closes a description with its last descriptor', () => {
    const table = new DescriptorTable(10);
    const { description, closed } = counted();
    table.set(1, description);
    table.duplicate(1, 2);
    table.duplicate(2, 7);
    table.close(1);
    table.close(2);
    expect(closed()).toBe(0);
    expect(table.get(7)).toBe(description);
    table.close(7);
    expect(closed()).toBe(1);
    expect(table.close(7)).toBeUndefined();
    expect(table.get(7)).toBeUndefined();
  });

  it('releases what stood there', () => {
    const table = new DescriptorTable(10);
    const old = counted();
    table.set(5, old.description);
    table.set(5, counted().description);
    expect(old.closed()).toBe(1);
  });

  it('duplicates onto itself', () => {
    const table = new DescriptorTable(10);
    const { description, closed } = counted();
    table.set(1, description);
    table.duplicate(1, 1);
    table.duplicate(1, 2);
    table.duplicate(1, 2);
    table.closeAll();
    expect(closed()).toBe(1);
  });

  it('gives back what a redirection replaced', () => {
    const table = new DescriptorTable(10);
    const before = counted();
    const during = counted();
    table.set(1, before.description);
    const saved = table.exchange(1, during.description);
    expect(before.closed()).toBe(0);
    table.exchange(1, saved)?.release();
    expect(during.closed()).toBe(1);
    expect(table.stdout).toBe(before.description);
  });

  it('forks: what one table changes the other does not see', () => {
    const table = new DescriptorTable(10);
    const one = counted();
    const three = counted();
    table.set(1, one.description);
    table.set(3, three.description);
    const fork = table.fork();
    const forkOfFork = fork.fork();
    fork.close(3);
    expect(table.get(3)).toBe(three.description);
    expect(fork.get(3)).toBeUndefined();
    expect(forkOfFork.get(3)).toBe(three.description);
    table.closeAll();
    fork.closeAll();
    expect(three.closed()).toBe(0);
    forkOfFork.closeAll();
    expect(three.closed()).toBe(1);
    expect(one.closed()).toBe(1);
  });

  it('refuses one more than the limit, and a descriptor that is closed', () => {
    const table = new DescriptorTable(2);
    table.set(0, counted().description);
    table.set(9, counted().description);
    const third = counted();
    expect(() => table.set(3, third.description)).toThrow(new FsError('EMFILE', ''));
    table.set(9, third.description);
    expect(() => table.duplicate(4, 0)).toThrow('Bad file descriptor');
    expect(table.lowestFree(0)).toBe(1);
    expect([...table.entries()].map(([fd]) => fd)).toEqual([0, 9]);
  });

  it('closes all, whatever fails', async () => {
    const table = new DescriptorTable(10);
    const failing = counted(() => {
      throw BROKEN_PIPE;
    });
    const slow = counted(() => new Promise((resolve) => setImmediate(resolve)));
    const last = counted();
    table.set(0, failing.description);
    table.set(1, slow.description);
    table.set(4, last.description);
    await expect(table.closeAll()).rejects.toBe(BROKEN_PIPE);
    expect([failing.closed(), slow.closed(), last.closed()]).toEqual([1, 1, 1]);
    expect(table.closeAll()).toBeUndefined();
  });
});
