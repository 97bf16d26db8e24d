import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ss } from '../../builtins/ss.js';
import { hostRows, madeProcess, madeProcesses, runHost } from '../support/host-tools.js';

/** Without the length of a listener's queue, which procfs does not tell, and as wide as it comes. */
const comparable = (text: string): string =>
  text
    .replace('PortProcess', 'Port Process')
    .split('\n')
    .map((line) =>
      line
        .trimEnd()
        .replace(/ +/g, ' ')
        .replace(/(LISTEN [0-9]+) [0-9]+/, '$1'),
    )
    .sort()
    .join('\n');

describe('ss', () => {
  let server: Server;
  let udp: UdpSocket;
  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      server = createServer().listen(0, '127.0.0.1', resolve);
    });
    await new Promise<void>((resolve) => {
      udp = createSocket('udp4').bind(0, '127.0.0.1', resolve);
    });
  });
  afterAll(() => {
    server.close();
    udp.close();
  });

  hostRows(ss, ['-tln', '-uln', '-tuln', '-4 -tln', '-6 -tln', '-tl4', '-tan', '-H -tln', '-tlnp'], comparable);
  // The socket by which the real one asks counts too.
  hostRows(ss, ['-s'], (text) => comparable(text).replace(/Total: [0-9]+/, ''));

  const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
  const texts: { readonly [name: string]: string } = {
    tcp: `${HEAD}   0: 0100007F:1F90 00000000:0000 0A 00000000:00000002 00:00000000 00000000     0        0 111 1
   1: 0100007F:1F90 0200007F:C000 01 00000005:00000007 00:00000000 00000000     0        0 222 1
   2: 0100007F:0016 0200007F:C001 06 00000000:00000000 03:00000000 00000000     0        0 0 3
`,
    tcp6: `${HEAD}   0: 00000000000000000000000000000000:0050 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 333 1
   1: 000080FE00000000FF00FC00010000FE:0050 0000000000000000FFFF00000100007F:0051 08 00000000:00000000 00:00000000 00000000 0 0 334 1
`,
    udp: `${HEAD}  10: 00000000:0044 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 444 2\n`,
    services: '# comment\nhttp 80/tcp www # web\nhttp-alt\t8080/tcp\nbootpc 68/udp\n',
  };
  const held = (link: string, place: string) => ({ link, place, stat: undefined, flags: 2, position: 0n });
  const kernel = {
    ...madeProcesses([madeProcess(7, 'web'), madeProcess(8, 'other')]),
    text: (name: string) => texts[name],
    heldFiles: (pid: number) =>
      pid === 7 ? [held('socket:[111]', '3'), held('/x', '4'), held('socket:[111]', '5')] : undefined,
  };
  const shown = async (words: string) => (await runHost(ss, words, { kernel })).stdout;

  it('shows all states, and names of ports', async () => {
    expect(await shown('-a')).toBe(
      `Netid State      Recv-Q Send-Q        Local Address:Port           Peer Address:Port  Process
udp   UNCONN     0      0                   0.0.0.0:bootpc              0.0.0.0:*            
tcp   LISTEN     2      0                 127.0.0.1:http-alt            0.0.0.0:*            
tcp   ESTAB      7      5                 127.0.0.1:http-alt          127.0.0.2:49152        
tcp   TIME-WAIT  0      0                 127.0.0.1:22                127.0.0.2:49153        
tcp   LISTEN     0      0                         *:http                      *:*            
tcp   CLOSE-WAIT 0      0      [fe80::fc:ff:fe00:1]:http     [::ffff:127.0.0.1]:81           
`,
    );
  });

  it('shows what is connected, or what listens', async () => {
    expect(await shown('-Htn4')).toBe('ESTAB 7 5 127.0.0.1:8080 127.0.0.2:49152 \n');
    expect(await shown('-Hun')).toBe('');
    expect(await shown('-Hlnp4')).toBe(
      `udp UNCONN 0 0   0.0.0.0:68   0.0.0.0:* ${' '.repeat(45)}
tcp LISTEN 2 0 127.0.0.1:8080 0.0.0.0:* users:(("web",pid=7,fd=3),("web",pid=7,fd=5))
`,
    );
  });

  it('refuses filters', async () => {
    expect(await runHost(ss, '-t state established', { kernel })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('filters are not supported'),
    });
  });
});
