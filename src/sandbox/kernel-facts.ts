/**
 * What the kernel tells of the whole host: texts from a closed list of paths, and what /proc says of processes and the
 * files they hold open. No path comes from a script, and neither the words nor the environment of a process are read.
 * Loaded when a command first asks.
 */
import * as fs from 'node:fs';
import { networkInterfaces } from 'node:os';
import type { FileKind } from '../files/files.js';
import type { HeldFile, KernelFacts, KernelText, NetworkInterface } from '../files/host.js';
import { decode } from '../text/bytes.js';

/** Names of texts, and where the kernel has them. */
const TEXTS: Readonly<Record<KernelText, string>> = {
  meminfo: '/proc/meminfo',
  stat: '/proc/stat',
  vmstat: '/proc/vmstat',
  pid_max: '/proc/sys/kernel/pid_max',
  tcp: '/proc/net/tcp',
  tcp6: '/proc/net/tcp6',
  udp: '/proc/net/udp',
  udp6: '/proc/net/udp6',
  sockstat: '/proc/net/sockstat',
  sockstat6: '/proc/net/sockstat6',
  snmp: '/proc/net/snmp',
  route: '/proc/net/route',
  ipv6_route: '/proc/net/ipv6_route',
  if_inet6: '/proc/net/if_inet6',
  services: '/etc/services',
};

export const kernelFacts: KernelFacts = {
  self: process.pid,
  text: (name) => read(TEXTS[name]),
  processes: () =>
    names('/proc')
      .filter((name) => /^[0-9]+$/.test(name))
      .map(Number)
      .sort((a, b) => a - b),
  process(pid) {
    const stat = read(`/proc/${number(pid)}/stat`);
    const status = read(`/proc/${number(pid)}/status`);
    return stat === undefined || status === undefined ? undefined : { pid, stat, status };
  },
  heldFiles(pid) {
    const base = `/proc/${number(pid)}`;
    const held: HeldFile[] = [];
    for (const [place, link] of [
      ['cwd', 'cwd'],
      ['rtd', 'root'],
      ['txt', 'exe'],
    ] as const) {
      const file = heldFile(place, `${base}/${link}`, undefined);
      if (file !== undefined) held.push(file);
    }
    const descriptors = attempt(() => fs.readdirSync(`${base}/fd`));
    if (descriptors === undefined) return undefined;
    for (const fd of descriptors.map(Number).sort((a, b) => a - b)) {
      const file = heldFile(`${fd}`, `${base}/fd/${fd}`, read(`${base}/fdinfo/${fd}`));
      if (file !== undefined) held.push(file);
    }
    return held;
  },
  interfaces() {
    const addresses = attempt(networkInterfaces) ?? {};
    return names('/sys/class/net')
      .filter((name) => read(`/sys/class/net/${name}/ifindex`) !== undefined)
      .map((name) => networkInterface(name, addresses))
      .sort((a, b) => a.index - b.index);
  },
};

/** A process number and nothing else. */
function number(pid: number): string {
  return `${Math.trunc(pid)}`;
}

/** A process may end, and a file may be another user's, at any moment: then there is nothing to tell. */
function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

function read(path: string): string | undefined {
  return attempt(() => decode(fs.readFileSync(path)));
}

function names(directory: string): readonly string[] {
  return attempt(() => fs.readdirSync(directory)) ?? [];
}

function heldFile(place: string, path: string, info: string | undefined): HeldFile | undefined {
  const link = attempt(() => decode(fs.readlinkSync(path, { encoding: 'buffer' })));
  if (link === undefined) return undefined;
  // The link of procfs leads to the open file itself, whatever has become of its name.
  const stat = attempt(() => fs.statSync(path, { bigint: true }));
  const flags = /^flags:\s*([0-7]+)/m.exec(info ?? '')?.[1];
  const position = /^pos:\s*([0-9]+)/m.exec(info ?? '')?.[1];
  return {
    place,
    link,
    stat: stat && {
      kind: kindOf(stat),
      dev: stat.dev,
      ino: stat.ino,
      rdev: stat.rdev,
      nlink: Number(stat.nlink),
      size: stat.size,
    },
    flags: flags === undefined ? undefined : Number.parseInt(flags, 8),
    position: position === undefined ? undefined : BigInt(position),
  };
}

/** Undefined: an anonymous inode (epoll, eventfd), which has no type. */
function kindOf(stat: fs.BigIntStats): FileKind | undefined {
  if (stat.isFile()) return 'file';
  if (stat.isDirectory()) return 'directory';
  if (stat.isCharacterDevice()) return 'character';
  if (stat.isBlockDevice()) return 'block';
  if (stat.isFIFO()) return 'fifo';
  return stat.isSocket() ? 'socket' : undefined;
}

function networkInterface(name: string, addresses: ReturnType<typeof networkInterfaces>): NetworkInterface {
  const fact = (file: string): string => read(`/sys/class/net/${name}/${file}`)?.trim() ?? '';
  const number = (file: string): number | undefined => {
    const text = fact(file);
    return text === '' ? undefined : Number(text);
  };
  return {
    name,
    index: number('ifindex') ?? 0,
    peerIndex: number('iflink'),
    flags: number('flags') ?? 0,
    mtu: number('mtu') ?? 0,
    queueLength: number('tx_queue_len'),
    state: fact('operstate'),
    carrier: fact('carrier') === '' ? undefined : fact('carrier') === '1',
    type: number('type') ?? 0,
    address: fact('address'),
    broadcast: fact('broadcast'),
    addresses4: (addresses[name] ?? []).flatMap(({ family, cidr }) =>
      family === 'IPv4' && cidr !== null ? [cidr] : [],
    ),
  };
}
