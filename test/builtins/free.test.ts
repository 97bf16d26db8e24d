/** free and vmstat: the memory of the host. */
import { describe, expect, it } from 'vitest';
import { free } from '../../builtins/free.js';
import { vmstat } from '../../builtins/vmstat.js';
import { hostRows, runHost } from '../support/host-tools.js';

/** Memory moves while one looks: figures are left out, and their places kept. */
const withoutFigures = (text: string): string => text.replace(/ *[0-9][0-9.]*(?=Ki|Mi|Gi|[KMGBi \n])/g, '#');

describe('free', () => {
  hostRows(
    free,
    ['', '-h', '-m', '-t', '-w', '-b', '-g -t', '--si -m', '-w -t -k', '--mega', '-x', '-k -m', 'x'],
    withoutFigures,
  );
  hostRows(free, ['-c 0', '-c x', '-s 0', '-s x']);

  const meminfo = `MemTotal:       24684092 kB
MemFree:        21868196 kB
MemAvailable:   23667912 kB
Buffers:           14112 kB
Cached:           471000 kB
Shmem:              8856 kB
KReclaimable:    1667988 kB
SReclaimable:    1667988 kB
SwapTotal:       2097148 kB
SwapFree:        1048576 kB
`;
  const options = { kernel: { text: () => meminfo } };
  const shown = async (words: string) => (await runHost(free, words, options)).stdout;

  it('prints figures in every unit', async () => {
    expect(await shown('')).toBe(`               total        used        free      shared  buff/cache   available
Mem:        24684092     1016180    21868196        8856     2153100    23667912
Swap:        2097148     1048572     1048576
`);
    expect(await shown('-h -t')).toBe(`               total        used        free      shared  buff/cache   available
Mem:            23Gi       992Mi        20Gi       8.6Mi       2.1Gi        22Gi
Swap:          2.0Gi       1.0Gi       1.0Gi
Total:          25Gi       2.0Gi        21Gi
`);
    expect(
      await shown('-m -w'),
    ).toBe(`               total        used        free      shared     buffers       cache   available
Mem:           24105         992       21355           8          13        2088       23113
Swap:           2047        1023        1024
`);
    expect(
      await shown('-h --si'),
    ).toBe(`               total        used        free      shared  buff/cache   available
Mem:             25G        1.0G         22G        9.1M        2.2G         24G
Swap:           2.1G        1.1G        1.1G
`);
    expect((await shown('-b')).split('\n')[2]).toBe('Swap:     2147479552  1073737728  1073741824');
  });

  it('prints as often as asked', async () => {
    expect((await shown('-c 2 -s 0.01')).split('\n\n').length).toBe(2);
  });

  it('says when the kernel says nothing', async () => {
    expect(await runHost(free, '', { kernel: { text: () => undefined } })).toMatchObject({ status: 1, stdout: '' });
  });
});

describe('vmstat', () => {
  hostRows(vmstat, ['', '-a', '-S M', '-S k -n', '1 1', '-S x', 'x', '0 1'], (text) => text.replace(/ *[0-9]+/g, '#'));

  const texts: { [name: string]: string } = {
    meminfo:
      'MemTotal: 100000 kB\nMemFree: 50000 kB\nBuffers: 100 kB\nCached: 2000 kB\nSReclaimable: 1 kB\nInactive: 7 kB\nActive: 8 kB\nSwapTotal: 10 kB\nSwapFree: 4 kB\n',
    vmstat: 'pgpgin 1000\npgpgout 2000\npswpin 3\npswpout 4\n',
    stat: 'cpu  600 200 150 9000 30 10 5 5 0 0\nintr 50000 1 2\nctxt 90000\nprocs_running 3\nprocs_blocked 1\n',
  };

  it('prints averages since the start, and then of each interval', async () => {
    const later: { [name: string]: string } = {
      ...texts,
      vmstat: 'pgpgin 1500\npgpgout 2000\npswpin 3\npswpout 5\n',
      stat: 'cpu  650 200 150 9050 30 10 5 5 0 0\nintr 50010 1 2\nctxt 90100\nprocs_running 2\nprocs_blocked 0\n',
    };
    let looks = 0;
    const kernel = { text: (name: string) => (looks++ < 3 ? texts : later)[name] };
    const { stdout } = await runHost(vmstat, '1 2', { kernel });
    expect(stdout).toBe(`procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
 3  1      6  50000    100   2001    0    0    10    20  500  900  8  2 90  0  0
 2  0      6  50000    100   2001    0    4   500     0   10  100 50  0 50  0  0
`);
    expect((await runHost(vmstat, '-a -S k', { kernel: { text: (name: string) => texts[name] } })).stdout).toContain(
      ' 3  1      6  51200      7      8 ',
    );
  });

  it('does not go on for ever', async () => {
    expect(await runHost(vmstat, '5')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("say how often: 'vmstat 5 COUNT'"),
    });
  });
});
