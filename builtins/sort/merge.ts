/** Lines of inputs that are in order already, put together (`-m`), and whether one is (`-c`). */

/** Line numbers in order; `parts` are where each input's lines end. Inputs that are not in order stay as they are in themselves. */
export function mergeParts(
  count: number,
  parts: readonly number[],
  compare: (a: number, b: number) => number,
): Uint32Array {
  const order = new Uint32Array(count);
  // A heap of inputs, by their next line and then by their place.
  const next: number[] = parts.map((_, i) => parts[i - 1] ?? 0);
  const before = (a: number, b: number): boolean => {
    const difference = compare(next[a] as number, next[b] as number);
    return difference === 0 ? a < b : difference < 0;
  };
  const heap = parts.map((_, i) => i).filter((i) => (next[i] as number) < (parts[i] as number));
  const sink = (from: number): void => {
    for (let at = from; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && before(heap[child] as number, heap[least] as number)) least = child;
      }
      if (least === at) return;
      [heap[at], heap[least]] = [heap[least] as number, heap[at] as number];
      at = least;
    }
  };
  for (let i = heap.length >> 1; i >= 0; i--) sink(i);
  for (let i = 0; i < count; i++) {
    const input = heap[0] as number; // there are lines left
    order[i] = next[input] as number;
    next[input] = (next[input] as number) + 1;
    if ((next[input] as number) >= (parts[input] as number)) {
      const last = heap.pop() as number;
      if (heap.length > 0) heap[0] = last;
    }
    sink(0);
  }
  return order;
}
