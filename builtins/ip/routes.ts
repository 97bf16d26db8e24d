/** Routes of the main table, from /proc/net/route and /proc/net/ipv6_route (proc(5)). */
import { ipv4FromHex, ipv6FromHex } from '../kit/host/address.js';

export interface Route {
  /** `default`, `192.0.2.0/24`, `192.0.2.7`. */
  readonly to: string;
  readonly via: string | undefined;
  readonly device: string;
  readonly more: string;
}

const REJECT = 0x200;

export function parseRoutes4(text: string): Route[] {
  const routes: Route[] = [];
  for (const line of text.split('\n').slice(1)) {
    const [device, to, gateway, flags, , , metric = '0', mask] = line.trim().split(/\s+/);
    if (device === undefined || to === undefined || gateway === undefined || mask === undefined) continue;
    const length = bitsOf(mask);
    const via = /^0+$/.test(gateway) ? undefined : ipv4FromHex(gateway);
    const isRejected = (Number.parseInt(flags ?? '0', 16) & REJECT) !== 0;
    routes.push({
      to: length === 0 ? 'default' : `${ipv4FromHex(to)}${length === 32 ? '' : `/${length}`}`,
      via,
      device: isRejected ? '' : device,
      more: `${via === undefined && !isRejected ? ' scope link' : ''}${metric === '0' ? '' : ` metric ${metric}`} `,
    });
  }
  return routes;
}

function bitsOf(mask: string): number {
  let bits = Number.parseInt(mask, 16);
  let count = 0;
  for (; bits !== 0; bits = Math.floor(bits / 2)) count += bits % 2;
  return count;
}

/** Of other tables: addresses of this host, multicast, what was only cached. */
const LOCAL = 0x80000000;
const CACHED = 0x01000000;
const ANYCAST = 0x00100000;

export function parseRoutes6(text: string): Route[] {
  const routes: Route[] = [];
  for (const line of text.split('\n')) {
    const [to, length, , , gateway, metric, , , flags, device] = line.trim().split(/\s+/);
    if (to === undefined || length === undefined || gateway === undefined || device === undefined) continue;
    const bits = Number.parseInt(flags ?? '0', 16);
    const isOther = (bits & (LOCAL | CACHED | ANYCAST | REJECT)) !== 0 || (to.startsWith('ff') && length === '08');
    if (isOther) continue;
    const prefix = Number.parseInt(length, 16);
    const preference = ['medium', 'high', 'invalid', 'low'][(bits >>> 27) & 3];
    routes.push({
      to: prefix === 0 ? 'default' : `${ipv6FromHex(to)}${prefix === 128 ? '' : `/${prefix}`}`,
      via: /^0+$/.test(gateway) ? undefined : ipv6FromHex(gateway),
      device,
      more: ` metric ${Number.parseInt(metric ?? '0', 16)} pref ${preference}`,
    });
  }
  return routes.sort((a, b) => Number(a.to === 'default') - Number(b.to === 'default'));
}

export function routeLine({ to, via, device, more }: Route, withDevice: boolean): string {
  if (device === '') return `unreachable ${to}${more}`;
  return `${to}${via === undefined ? '' : ` via ${via}`}${withDevice ? ` dev ${device}` : ''}${more}`;
}
