/** Sockets from /proc/net/tcp, tcp6, udp and udp6 (proc(5)). */
import { ipv4FromHex, ipv6FromWords } from '../kit/host/address.js';

export interface Socket {
  readonly kind: 'tcp' | 'udp';
  readonly state: string;
  /** Bytes that wait to be read; for one that listens, connections that wait to be accepted. */
  readonly received: number;
  readonly sent: number;
  readonly local: Endpoint;
  readonly peer: Endpoint;
  readonly inode: number;
}

export interface Endpoint {
  /** `127.0.0.1`, `[::1]`, `*` for any of IPv6. */
  readonly address: string;
  /** 0 for none. */
  readonly port: number;
}

/** As the kernel numbers them, from 1. */
const STATES = [
  'ESTAB',
  'SYN-SENT',
  'SYN-RECV',
  'FIN-WAIT-1',
  'FIN-WAIT-2',
  'TIME-WAIT',
  'UNCONN',
  'CLOSE-WAIT',
  'LAST-ACK',
  'LISTEN',
  'CLOSING',
];

export function parseSockets(text: string, kind: Socket['kind'], version: 4 | 6): Socket[] {
  const sockets: Socket[] = [];
  for (const line of text.split('\n').slice(1)) {
    const [, local, peer, state, queues, , , , , inode] = line.trim().split(/\s+/);
    if (local === undefined || peer === undefined || state === undefined || queues === undefined) continue;
    const [sent = '0', received = '0'] = queues.split(':');
    sockets.push({
      kind,
      state: STATES[Number.parseInt(state, 16) - 1] ?? 'UNKNOWN',
      received: Number.parseInt(received, 16),
      sent: Number.parseInt(sent, 16),
      local: endpoint(local, version),
      peer: endpoint(peer, version),
      inode: Number(inode ?? 0),
    });
  }
  return sockets;
}

function endpoint(text: string, version: 4 | 6): Endpoint {
  const [hex = '', port = '0'] = text.split(':');
  const any = version === 6 && /^0+$/.test(hex);
  const address = version === 4 ? ipv4FromHex(hex) : any ? '*' : `[${ipv6FromWords(hex)}]`;
  return { address, port: Number.parseInt(port, 16) };
}
