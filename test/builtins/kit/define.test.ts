import { describe, expect, it } from 'vitest';
import { BadValue, defineBuiltin } from '../../../builtins/kit/define.js';
import { type RunOptions, runBuiltin } from '../../support/run-builtin.js';

const sample = defineBuiltin({
  name: 'sample',
  summary: 'show what was read',
  usage: 'sample [OPTION]... [FILE]...\nsample -q',
  notes: 'A note.',
  needs: ['read'],
  flags: {
    verbose: { short: 'v', long: 'verbose', help: 'say more' },
    count: {
      short: 'n',
      long: 'count',
      value: 'N',
      parse: (text) => (/^\d+$/.test(text) ? Number(text) : new BadValue(`bad ${text}`)),
      help: 'how many',
    },
    color: { long: 'color', value: 'WHEN', optional: true, help: 'when to color' },
    each: { short: 'e', value: 'X', repeat: true, help: 'one more' },
  },
  statuses: { 0: 'fine', 2: 'usage' },
  usageStatus: 2,
  unknownOptionHint: (option) => (option === '-r' ? 'sample: write otherwise' : undefined),
  run({ flags, given, operands, out }) {
    out.write(JSON.stringify({ flags, operands, order: given.map(({ flag }) => flag) }));
    return 0;
  },
});

const writer = defineBuiltin({
  name: 'writer',
  summary: 'write',
  usage: 'writer',
  needs: ['write'],
  flags: {},
  statuses: {},
  remediationOnly: true,
  run: () => 0,
});

function run(words: readonly string[], options: Partial<RunOptions> = {}) {
  return runBuiltin(sample, words, { cwd: '/', ...options });
}

describe('defineBuiltin', () => {
  it('gives typed flags, their order, and the operands', async () => {
    const { stdout } = await run(['-vn3', 'f', '-e', 'a', '-eb', '--color', '--color=never']);
    expect(JSON.parse(stdout)).toEqual({
      flags: { verbose: true, count: 3, each: ['a', 'b'], color: 'never' },
      operands: ['f'],
      order: ['verbose', 'count', 'each', 'each', 'color', 'color'],
    });
    expect(JSON.parse((await run(['--color'])).stdout).flags).toEqual({ color: true });
  });

  it('answers --help from the definition', async () => {
    const { stdout, status } = await run(['--help']);
    expect(status).toBe(0);
    expect(stdout).toBe(`Usage: sample [OPTION]... [FILE]...
  or:  sample -q
Show what was read.

  -v, --verbose               say more
  -n, --count=N               how many
      --color[=WHEN]          when to color
  -e X                        one more
      --help                  print this help

A note.

Exit status:
 0  fine
 2  usage
`);
  });

  it('says usage errors in the words of GNU, with the status of the definition', async () => {
    expect(await run(['-x'])).toMatchObject({
      stderr: "sample: invalid option -- 'x'\nTry 'sample --help' for more information.\n",
      status: 2,
    });
    expect((await run(['-r'])).stderr).toBe(
      "sample: invalid option -- 'r'\nTry 'sample --help' for more information.\nsample: write otherwise\n",
    );
  });

  it('refuses in the order of the words', async () => {
    expect((await run(['-n', 'x', '-y'])).stderr).toBe('sample: bad x\n');
    expect((await run(['--help', '-y'])).status).toBe(0);
    expect((await run(['-n', 'x', '--help'])).status).toBe(2);
  });

  it('refuses a command that only writes before it reads options, where the mode is read-only', async () => {
    const result = await runBuiltin(writer, ['--help'], { cwd: '/', remediation: false });
    expect(result).toMatchObject({ stdout: '', stderr: 'writer: remediation mode required\n', status: 1 });
  });
});
