import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GetoptResult, getopt, type OptionShape } from '../../../builtins/kit/getopt.js';

const shapes: readonly OptionShape[] = [
  { key: 'verbose', short: 'v', long: ['verbose'], argument: 'none' },
  { key: 'version', short: '', long: ['version'], argument: 'none' },
  { key: 'lines', short: 'n', long: ['lines'], argument: 'required' },
  { key: 'color', short: 'c', long: ['color', 'colour'], argument: 'optional' },
  { key: 'all', short: 'aA', long: ['all'], argument: 'none' },
];

function read(line: string, order: 'permute' | 'leading' = 'permute'): GetoptResult {
  return getopt(line.split(' '), shapes, { order });
}

function told(result: GetoptResult): string {
  const given = result.given.map(({ key, text }) => (text === undefined ? key : `${key}=${text}`));
  return result.error?.message ?? [...given, '--', ...result.operands].join(' ');
}

describe('getopt', () => {
  const rows: { readonly [line: string]: string } = {
    '-vaA x': 'verbose all all -- x',
    'x -v y -n 3 z': 'verbose lines=3 -- x y z',
    '-vn3': 'verbose lines=3 --',
    '-n -v': 'lines=-v --',
    '--lines=3 --lines 4 --lin=': 'lines=3 lines=4 lines= --',
    '--verb': 'verbose --',
    '-v -- -a -- --': 'verbose -- -a -- --',
    '- -v': 'verbose -- -',
    '-c3 -c 4': 'color=3 color -- 4',
    '--col=always --colour never': 'color=always color -- never',
    '-vx': "invalid option -- 'x'",
    '-é': "invalid option -- '\udcc3'",
    '-v-': "invalid option -- '-'",
    '--foo=bar': "unrecognized option '--foo=bar'",
    '--ver=1': "option '--ver=1' is ambiguous; possibilities: '--verbose' '--version'",
    '--verb=1': "option '--verbose' doesn't allow an argument",
    '-vn': "option requires an argument -- 'n'",
    '--li': "option '--lines' requires an argument",
  };
  for (const [line, expected] of Object.entries(rows)) {
    it(line, () => expect(told(read(line))).toBe(expected));
  }

  it('ends at the first operand when options lead', () => {
    expect(told(read('-v cmd -n 3', 'leading'))).toBe('verbose -- cmd -n 3');
  });

  it('keeps what came before an error, so that --help before it is answered', () => {
    expect(read('-v -x -a').given.map(({ key }) => key)).toEqual(['verbose']);
  });

  it('reads other words in place of -5', () => {
    const obsolete = (word: string, index: number) => (index === 1 ? ['-n', word.slice(1)] : undefined);
    expect(told(getopt(['-5', 'f'], shapes, { order: 'permute', obsolete }))).toBe('lines=5 -- f');
    expect(told(getopt(['f', '-5'], shapes, { order: 'permute', obsolete }))).toBe("invalid option -- '5'");
  });
});

const real = spawnSync('getopt', ['-T']).status === 4;
describe.skipIf(!real && !process.env['RMSH_REQUIRE_ORACLES'])('as getopt(1) of util-linux', () => {
  const word = fc.oneof(
    fc.constantFrom(
      '-v',
      '--',
      '-',
      '-n',
      '--lines',
      '--lines=1',
      '--ver',
      '--verb',
      '--col',
      '--c=2',
      '-c',
      '-aA',
      'x',
    ),
    fc.string({ maxLength: 4 }).map((text) => `-${text}`),
    fc.string({ maxLength: 6 }).map((text) => `--${text}`),
  );
  it('for any words', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), fc.boolean(), (words, leading) => {
        fc.pre(!words.some((one) => one.includes('\0') || one.includes('\n')));
        const sign = leading ? '+' : '';
        const long = 'verbose,version,lines:,color::,colour::,all';
        const { stdout, stderr, status } = spawnSync(
          'getopt',
          ['-u', '-n', 'x', '-o', `${sign}vn:c::aA`, '-l', long, '--', ...words],
          { encoding: 'latin1', env: { LC_ALL: 'C.UTF-8', PATH: '/usr/bin:/bin' } },
        );
        const ours = getopt(words, shapes, { order: leading ? 'leading' : 'permute' });
        // Two names of one option are two options to getopt(1).
        fc.pre(!stderr.includes("'--color' '--colour'"));
        expect(ours.error === undefined).toBe(status === 0);
        if (ours.error === undefined) {
          const given = ours.given.flatMap(({ spelled, text }) => {
            const takes = /^(-n|--lines|-c|--colou?r)$/.test(spelled);
            return takes ? [spelled, text ?? ''] : [spelled];
          });
          expect(Buffer.from(` ${[...given, '--', ...ours.operands].join(' ')}\n`).toString('latin1')).toBe(stdout);
        }
      }),
      { numRuns: 150 },
    );
  });
});
