import { describe, expect, it } from 'vitest';
import { ip } from '../../builtins/ip.js';
import { hostRows, runHost } from '../support/host-tools.js';

/** Without what only netlink tells. */
const comparable = (text: string): string =>
  text
    .replace(/ qdisc \S+| mode DEFAULT| group default| proto \S+| src \S+/g, '')
    .replace(/(inet [^\n]*?) brd \S+/g, '$1')
    .replace(/\\? {7}valid_lft.*\n/g, '\n')
    .replace(/\n+/g, '\n');

describe('ip', () => {
  hostRows(
    ip,
    [
      'a',
      'addr',
      'address show',
      'a s lo',
      'addr show dev lo',
      '-4 a',
      '-6 addr',
      '-o a',
      '-o -4 addr show',
      '-br a',
      '-br -4 addr',
      '-brief link',
      'l',
      'link show up',
      '-o link',
      'link show lo',
      'r',
      'route show',
      'route list default',
      'r s dev lo',
      '-6 route',
      'addr show nosuch0',
      'r s dev nosuch0',
      'nope',
      '-Q a',
    ],
    comparable,
  );

  const base = { mtu: 1500, queueLength: 1000, type: 1, address: '02:00:00:00:00:01', broadcast: 'ff:ff:ff:ff:ff:ff' };
  const kernel = {
    interfaces: () => [
      {
        ...base,
        name: 'lo',
        index: 1,
        peerIndex: 1,
        flags: 9,
        type: 772,
        state: 'unknown',
        carrier: true,
        addresses4: ['127.0.0.1/8'],
      },
      { ...base, name: 'eth0', index: 2, peerIndex: 2, flags: 0x1003, state: 'down', carrier: false, addresses4: [] },
      {
        ...base,
        name: 'eth0.7',
        index: 3,
        peerIndex: 2,
        flags: 0x1002,
        queueLength: 0,
        state: 'down',
        carrier: undefined,
        addresses4: [],
      },
      {
        ...base,
        name: 'veth1',
        index: 4,
        peerIndex: 9,
        flags: 0x1043,
        state: 'up',
        carrier: true,
        addresses4: ['169.254.3.4/16', '192.0.2.9/24'],
      },
      {
        ...base,
        name: 'tun0',
        index: 5,
        peerIndex: 0,
        flags: 0x90d1,
        type: 65534,
        address: '',
        broadcast: '',
        state: 'unknown',
        carrier: true,
        addresses4: [],
      },
    ],
    text: (name: string) =>
      ({
        if_inet6: `fe800000000000000000000000000001 04 40 20 c0    veth1
20010db8000000000001000000000001 04 80 00 00    veth1
`,
        route: `Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT
veth1\t00000000\t010200C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
veth1\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0
veth1\t070200C0\t00000000\t0005\t0\t0\t0\tFFFFFFFF\t0\t0\t0
*\t0000000A\t00000000\t0201\t0\t0\t0\t000000FF\t0\t0\t0
`,
      })[name],
  };
  const shown = async (words: string) => (await runHost(ip, words, { kernel })).stdout;

  it('names the other end of an interface, and says what is down', async () => {
    expect(await shown('-br link')).toBe(`lo               UNKNOWN        02:00:00:00:00:01 <LOOPBACK,UP,LOWER_UP> 
eth0             DOWN           02:00:00:00:00:01 <NO-CARRIER,BROADCAST,MULTICAST,UP> 
eth0.7@eth0      DOWN           02:00:00:00:00:01 <BROADCAST,MULTICAST> 
veth1@if9        UP             02:00:00:00:00:01 <BROADCAST,MULTICAST,UP,LOWER_UP> 
tun0@NONE        UNKNOWN         <POINTOPOINT,MULTICAST,NOARP,DYNAMIC,UP,LOWER_UP> 
`);
    expect(await shown('l s tun0')).toBe(
      '5: tun0@NONE: <POINTOPOINT,MULTICAST,NOARP,DYNAMIC,UP,LOWER_UP> mtu 1500 state UNKNOWN qlen 1000\n    link/none\n',
    );
  });

  it('prints addresses with their scope', async () => {
    expect(await shown('a s veth1')).toBe(`4: veth1@if9: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 state UP qlen 1000
    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff
    inet 169.254.3.4/16 scope link veth1
    inet 192.0.2.9/24 scope global veth1
    inet6 2001:db8::1:0:0:1/128 scope global dynamic 
    inet6 fe80::1/64 scope link tentative 
`);
  });

  it('prints routes', async () => {
    expect(await shown('route')).toBe(`default via 192.0.2.1 dev veth1 metric 100 
192.0.2.0/24 dev veth1 scope link 
192.0.2.7 dev veth1 scope link 
unreachable 10.0.0.0/8 
`);
  });

  it('changes nothing, and says so', async () => {
    for (const words of ['addr add 192.0.2.1/24 dev lo', 'link set lo down', 'route del default']) {
      expect(await runHost(ip, words, { kernel })).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('rmsh only looks at it'),
      });
    }
    expect(await runHost(ip, '', { kernel })).toMatchObject({ status: 255, stdout: '' });
  });
});
