/** Memory of the host, from /proc/meminfo (proc(5)), as procps counts it. All in KiB. */

export interface Memory {
  readonly total: number;
  readonly free: number;
  readonly available: number;
  readonly shared: number;
  readonly buffers: number;
  /** Page cache, and what the kernel would give back of its slabs. */
  readonly cached: number;
  readonly used: number;
  readonly swapTotal: number;
  readonly swapFree: number;
  readonly active: number;
  readonly inactive: number;
}

export function parseMemory(text: string): Memory {
  const figures = figuresOf(text, ':');
  const of = (name: string): number => figures.get(name) ?? 0;
  const total = of('MemTotal');
  const free = of('MemFree');
  const available = figures.get('MemAvailable') ?? free;
  return {
    total,
    free,
    // In a container the kernel may tell more than there is.
    available: available > total ? free : available,
    shared: of('Shmem'),
    buffers: of('Buffers'),
    cached: of('Cached') + of('SReclaimable'),
    used: total >= available ? total - available : total - free,
    swapTotal: of('SwapTotal'),
    swapFree: of('SwapFree'),
    active: of('Active'),
    inactive: of('Inactive'),
  };
}

/** `name 12` or `Name: 12 kB`, one a line. */
export function figuresOf(text: string, mark = ''): ReadonlyMap<string, number> {
  const figures = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [name = '', value] = line.split(/ +/);
    if (value !== undefined && name.endsWith(mark))
      figures.set(name.slice(0, name.length - mark.length), Number(value));
  }
  return figures;
}
