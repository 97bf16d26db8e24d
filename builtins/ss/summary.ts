/** `ss -s`: how many sockets there are, from /proc/net/sockstat, sockstat6 and snmp (proc(5)). */

export interface SummaryTexts {
  readonly sockstat: string;
  readonly sockstat6: string;
  readonly snmp: string;
}

export function summary({ sockstat, sockstat6, snmp }: SummaryTexts): string {
  const four = named(sockstat);
  const six = named(sockstat6);
  const of = (table: Named, line: string, name: string): number => table.get(line)?.get(name) ?? 0;
  const tcp = [of(four, 'TCP', 'inuse'), of(six, 'TCP6', 'inuse')] as const;
  const udp = [of(four, 'UDP', 'inuse'), of(six, 'UDP6', 'inuse')] as const;
  const raw = [of(four, 'RAW', 'inuse'), of(six, 'RAW6', 'inuse')] as const;
  const fragments = [of(four, 'FRAG', 'inuse'), of(six, 'FRAG6', 'inuse')] as const;
  const all = [raw[0] + udp[0] + tcp[0], raw[1] + udp[1] + tcp[1]] as const;
  const allocated = of(four, 'TCP', 'alloc');
  const waiting = of(four, 'TCP', 'tw');
  const closed = allocated - (tcp[0] + tcp[1] - waiting);
  const row = (name: string, [v4, v6]: readonly [number, number]) =>
    `${name}\t  ${[v4 + v6, v4, v6].map((figure) => `${figure}`.padEnd(9)).join(' ')}\n`;
  return `Total: ${of(four, 'sockets', 'used')}
TCP:   ${allocated + waiting} (estab ${established(snmp)}, closed ${closed}, orphaned ${of(four, 'TCP', 'orphan')}, timewait ${waiting})

Transport Total     IP        IPv6
${row('RAW', raw)}${row('UDP', udp)}${row('TCP', tcp)}${row('INET', all)}${row('FRAG', fragments)}
`;
}

type Named = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** `TCP: inuse 1 orphan 0` */
function named(text: string): Named {
  const lines = new Map<string, Map<string, number>>();
  for (const line of text.split('\n')) {
    const [name, rest = ''] = line.split(': ');
    if (name === undefined) continue;
    const words = rest.split(' ');
    const figures = new Map<string, number>();
    for (let i = 0; i + 1 < words.length; i += 2) figures.set(words[i] as string, Number(words[i + 1]));
    lines.set(name, figures);
  }
  return lines;
}

/** Two lines that begin with `Tcp:`: the names, and the figures. */
function established(snmp: string): number {
  const [names = [], figures = []] = snmp
    .split('\n')
    .filter((line) => line.startsWith('Tcp:'))
    .map((line) => line.split(' '));
  return Number(figures[names.indexOf('CurrEstab')] ?? 0);
}
