/** ss: sockets of TCP and UDP (iproute2). */
import type { KernelFacts } from '../src/files/host.js';
import { type Awaitable, andThen } from '../src/steps.js';
import type { Context } from './kit/context.js';
import { defineBuiltin, type Flags, type Parsed, usageFailure } from './kit/define.js';
import { parseProcess } from './kit/host/process.js';
import { forEach } from './kit/repeat.js';
import { type Endpoint, parseSockets, type Socket } from './ss/sockets.js';
import { summary } from './ss/summary.js';

const FLAGS = {
  tcp: { short: 't', long: 'tcp', help: 'only sockets of TCP' },
  udp: { short: 'u', long: 'udp', help: 'only sockets of UDP' },
  listening: { short: 'l', long: 'listening', help: 'only those that wait for others' },
  all: { short: 'a', long: 'all', help: 'those that wait and those that are connected' },
  numeric: { short: 'n', long: 'numeric', help: 'ports as numbers' },
  processes: { short: 'p', long: 'processes', help: 'which processes have them open' },
  summary: { short: 's', long: 'summary', help: 'how many there are' },
  four: { short: '4', long: 'ipv4', help: 'only of IPv4' },
  six: { short: '6', long: 'ipv6', help: 'only of IPv6' },
  bare: { short: 'H', long: 'no-header', help: 'without headings' },
} as const satisfies Flags;

type SsContext = Context<'kernel'> & Parsed<typeof FLAGS>;

export const ss = defineBuiltin({
  name: 'ss',
  summary: 'print sockets of the network',
  needs: ['kernel'],
  usage: 'ss [OPTION]...',
  notes: `Without -t and -u, both; other kinds of sockets are not shown. With neither -l nor -a, those that are connected.
How many connections a listening socket may keep waiting (its Send-Q) is not to be read from /proc: it is 0.`,
  flags: FLAGS,
  usageStatus: 255,
  statuses: { 0: 'printed', 1: 'the operands are wrong', 255: 'the options are wrong' },

  run(context): Awaitable<number> {
    const { flags, operands, out } = context;
    const [extra] = operands;
    if (extra !== undefined) {
      return usageFailure(context, `filters are not supported ('${extra}'): pipe the output through grep or awk`);
    }
    return andThen(context.kernel(), (kernel) => {
      const text = flags.summary
        ? summary({
            sockstat: kernel.text('sockstat') ?? '',
            sockstat6: kernel.text('sockstat6') ?? '',
            snmp: kernel.text('snmp') ?? '',
          })
        : '';
      const lists = ['tcp', 'udp', 'listening', 'all', 'processes'] as const;
      if (flags.summary && !lists.some((flag) => flags[flag])) return andThen(out.write(text), () => 0);
      const sockets = chosen(context, kernel);
      const owners = flags.processes ? ownersOf(context, kernel) : NOBODY;
      return andThen(owners, (users) =>
        andThen(out.write(text + table(context, sockets, users, servicesOf(context, kernel))), () => 0),
      );
    });
  },
});

const WAITING = new Set(['LISTEN', 'UNCONN']);
const NOT_CONNECTED = new Set(['LISTEN', 'UNCONN', 'TIME-WAIT', 'SYN-RECV']);

function chosen({ flags }: SsContext, kernel: KernelFacts): readonly Socket[] {
  const both = !flags.tcp && !flags.udp;
  const families = !flags.four && !flags.six;
  const sockets: Socket[] = [];
  for (const kind of ['udp', 'tcp'] as const) {
    if (!both && !flags[kind]) continue;
    if (families || flags.four) sockets.push(...parseSockets(kernel.text(kind) ?? '', kind, 4));
    if (families || flags.six) sockets.push(...parseSockets(kernel.text(`${kind}6`) ?? '', kind, 6));
  }
  if (flags.all) return sockets;
  if (flags.listening) return sockets.filter(({ state }) => WAITING.has(state));
  return sockets.filter(({ state }) => !NOT_CONNECTED.has(state));
}

/** Who has a socket open, by its inode, as it is printed. */
type Owners = ReadonlyMap<number, readonly string[]>;

const NOBODY: Owners = new Map();

function ownersOf({ tick }: SsContext, kernel: KernelFacts): Awaitable<Owners> {
  const owners = new Map<number, string[]>();
  const look = (pid: number): false => {
    const sockets = (kernel.heldFiles(pid) ?? []).flatMap(({ link, place }) => {
      const inode = /^socket:\[([0-9]+)\]$/.exec(link)?.[1];
      return inode === undefined ? [] : [{ inode: Number(inode), place }];
    });
    const texts = sockets.length === 0 ? undefined : kernel.process(pid);
    const comm = (texts === undefined ? undefined : parseProcess(texts))?.comm ?? '';
    for (const { inode, place } of sockets) {
      const text = `("${comm}",pid=${pid},fd=${place})`;
      const before = owners.get(inode);
      if (before === undefined) owners.set(inode, [text]);
      else before.push(text);
    }
    return false;
  };
  return andThen(
    forEach(kernel.processes(), (pid) => andThen(tick(), () => look(pid))),
    () => owners,
  );
}

/** `80/tcp` to `http`; services(5). */
function servicesOf({ flags }: SsContext, kernel: KernelFacts): ReadonlyMap<string, string> {
  const services = new Map<string, string>();
  if (flags.numeric) return services;
  for (const line of (kernel.text('services') ?? '').split('\n')) {
    const [name, port] = line.replace(/#.*/, '').split(/\s+/);
    if (name !== undefined && port !== undefined && !services.has(port)) services.set(port, name);
  }
  return services;
}

function table(
  { flags }: SsContext,
  sockets: readonly Socket[],
  owners: Owners,
  services: ReadonlyMap<string, string>,
): string {
  const portOf = (kind: Socket['kind'], { port }: Endpoint): string =>
    port === 0 ? '*' : (services.get(`${port}/${kind}`) ?? `${port}`);
  const withKind = flags.tcp === flags.udp;
  const rows = sockets.map((socket) => {
    const { kind, state, received, sent, local, peer, inode } = socket;
    const users = owners.get(inode);
    const cells = [state, `${received}`, `${sent}`, `${local.address}:`, portOf(kind, local), `${peer.address}:`];
    cells.push(portOf(kind, peer), users === undefined ? '' : `users:(${users.join(',')})`);
    return withKind ? [kind, ...cells] : cells;
  });
  const headings = ['State', 'Recv-Q', 'Send-Q', 'Local Address:', 'Port', 'Peer Address:', 'Port', 'Process'];
  if (withKind) headings.unshift('Netid');
  if (!flags.bare) rows.unshift(headings);
  const widths = headings.map((_, i) => Math.max(0, ...rows.map((row) => row[i]?.length ?? 0)));
  const lines = rows.map((row) => {
    let line = '';
    row.forEach((cell, i) => {
      const width = widths[i] ?? 0;
      // An address ends where its port begins.
      const isAddress = headings[i]?.endsWith(':') === true;
      line += isAddress ? cell.padStart(width) : cell.padEnd(width);
      if (!isAddress && i < row.length - 1) line += ' ';
    });
    return `${line}\n`;
  });
  return lines.join('');
}
