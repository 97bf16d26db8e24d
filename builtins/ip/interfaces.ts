/** Interfaces and their addresses, as `ip` prints them. */
import type { NetworkInterface } from '../../src/files/host.js';
import { ipv6FromHex } from '../kit/host/address.js';

/** An address of an interface. */
export interface Address {
  readonly family: 4 | 6;
  /** `192.0.2.2/24` */
  readonly text: string;
  readonly scope: string;
  /** What is said after the scope. */
  readonly more: string;
}

const UP = 1;
const RUNNING = 0x40;

/** netdevice(7), in the order in which they are printed. */
const FLAGS: readonly (readonly [bit: number, name: string])[] = [
  [8, 'LOOPBACK'],
  [2, 'BROADCAST'],
  [0x10, 'POINTOPOINT'],
  [0x1000, 'MULTICAST'],
  [0x80, 'NOARP'],
  [0x200, 'ALLMULTI'],
  [0x100, 'PROMISC'],
  [0x400, 'MASTER'],
  [0x800, 'SLAVE'],
  [4, 'DEBUG'],
  [0x8000, 'DYNAMIC'],
  [0x20, 'NOTRAILERS'],
  [UP, 'UP'],
];

/** Types of if_arp.h that have a name. */
const TYPES: Readonly<Record<number, string>> = {
  1: 'ether',
  32: 'infiniband',
  512: 'ppp',
  768: 'ipip',
  769: 'tunnel6',
  772: 'loopback',
  776: 'sit',
  778: 'gre',
  823: 'gre6',
  65534: 'none',
};

export function flagsOf({ flags, carrier }: NetworkInterface): string {
  const names = FLAGS.filter(([bit]) => (flags & bit) !== 0).map(([, name]) => name);
  const isUp = (flags & UP) !== 0;
  if (isUp && carrier === false && (flags & RUNNING) === 0) names.unshift('NO-CARRIER');
  if (isUp && carrier === true) names.push('LOWER_UP');
  return `<${names.join(',')}>`;
}

export const stateOf = ({ state }: NetworkInterface): string => state.toUpperCase();

/** `eth0.10@eth0`, `eth0@if7` where the other one is in another namespace. */
export function fullName(one: NetworkInterface, all: readonly NetworkInterface[]): string {
  const { name, index, peerIndex } = one;
  if (peerIndex === undefined || peerIndex === index) return name;
  if (peerIndex === 0) return `${name}@NONE`;
  return `${name}@${all.find((other) => other.index === peerIndex)?.name ?? `if${peerIndex}`}`;
}

export function linkLine(one: NetworkInterface, all: readonly NetworkInterface[]): string {
  const { index, mtu, queueLength = 0 } = one;
  const queue = queueLength === 0 ? '' : ` qlen ${queueLength}`;
  return `${index}: ${fullName(one, all)}: ${flagsOf(one)} mtu ${mtu} state ${stateOf(one)}${queue}`;
}

export function hardwareLine({ type, address, broadcast }: NetworkInterface): string {
  const own = address === '' ? '' : ` ${address}`;
  return `    link/${TYPES[type] ?? `[${type}]`}${own}${broadcast === '' ? '' : ` brd ${broadcast}`}`;
}

const SCOPES6: Readonly<Record<number, readonly [order: number, name: string]>> = {
  0: [0, 'global'],
  64: [1, 'site'],
  32: [2, 'link'],
  16: [3, 'host'],
};

/** Of if_inet6: what is so is said in a word, in this order. */
const NOTES6: readonly (readonly [bit: number, name: string])[] = [
  [0x01, 'temporary'],
  [0x40, 'tentative'],
  [0x20, 'deprecated'],
  [0x02, 'nodad'],
  [0x08, 'dadfailed'],
];
const PERMANENT = 0x80;

/** The addresses of one interface; `six` is the text of /proc/net/if_inet6. */
export function addressesOf(one: NetworkInterface, six: string): readonly Address[] {
  const four = one.addresses4.map((text): Address => {
    const scope = text.startsWith('127.') ? 'host' : text.startsWith('169.254.') ? 'link' : 'global';
    return { family: 4, text, scope, more: ` ${one.name}` };
  });
  const found: (Address & { readonly order: number })[] = [];
  for (const line of six.split('\n')) {
    const [hex, , length, scope, flags, name] = line.trim().split(/\s+/);
    if (name !== one.name || hex === undefined || length === undefined) continue;
    const [order, word] = SCOPES6[Number.parseInt(scope ?? '0', 16)] ?? [9, scope ?? ''];
    const bits = Number.parseInt(flags ?? '0', 16);
    const notes = NOTES6.filter(([bit]) => (bits & bit) !== 0).map(([, note]) => ` ${note}`);
    if ((bits & PERMANENT) === 0) notes.push(' dynamic');
    const text = `${ipv6FromHex(hex)}/${Number.parseInt(length, 16)}`;
    found.push({ family: 6, text, scope: word, more: `${notes.join('')} `, order });
  }
  found.sort((a, b) => a.order - b.order);
  return [...four, ...found];
}
